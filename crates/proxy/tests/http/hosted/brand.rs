//! The shop's logo and colours.

use std::fs;

use super::address::source;
use super::browser::Browser;
use crate::prelude::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

#[tokio::test]
async fn a_page_shows_the_logo_and_the_colours_of_the_shop() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("logo.png");
    fs::write(&path, PNG).unwrap();
    let world = World::with(|config| {
        config.server.brand.name = Some("Tea".to_owned());
        config.server.brand.logo = Some(path.to_str().unwrap().parse().unwrap());
        config.server.brand.accent = Some("#4338ca".parse().unwrap());
    })
    .await;
    let (mut browser, page) = Browser::with_form(&world).await;
    let image = r#"<img src="v1/shop-logo.png" alt="" class="shop-logo">"#;
    assert!(page.body.contains(image), "{}", page.body);
    let styles = page.body.split("<style>").skip(1);
    let styles: Vec<_> = styles
        .map(|rest| rest.split_once("</style>").unwrap().0)
        .collect();
    let [_, colours] = styles[..] else {
        panic!("two style sheets: {}", page.body);
    };
    for property in [
        ".tender{--tender-accent:#4338ca;--tender-on-accent:#ffffff}",
        "--tender-accent:light-dark(#4338ca,#4fcfb4)",
    ] {
        assert!(colours.contains(property), "{colours}");
    }
    let policy = page.header("content-security-policy");
    for style in styles {
        assert!(policy.contains(&source(style)), "{policy}");
    }
    assert!(policy.contains("; img-src 'self'"), "{policy}");

    let logo = browser.open("/v1/shop-logo.png").await;
    assert_eq!(logo.status, StatusCode::OK);
    assert_eq!(logo.header("content-type"), "image/png");
}
