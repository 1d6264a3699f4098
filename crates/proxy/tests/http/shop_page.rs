//! Tests of the form in the HTML of a shop's page.

use std::fs;

use tempfile::TempDir;

use crate::prelude::*;

const SHEET: &str = ".card > b { color: red }";

const QUERY: &str =
    "token=usdtt&quantity=25&accept=trx+usdtt&payment-token=trx&ask=email!&locale=de";

/// A proxy with a widget, or with one that is older than these forms.
async fn widget(manifest: &str, public_url: Option<&str>) -> (World, TempDir) {
    let folder = TempDir::new().unwrap();
    for (name, content) in [
        ("checkout.js", "loader"),
        ("checkout.integrity.json", manifest),
        ("checkout-0.1.0-0a1b2c3d.css", SHEET),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let assets = folder.path().to_owned();
    let world = World::with(|config| {
        config.server.assets = Some(assets);
        config.upstream.token_cache = Duration::ZERO;
        config.server.public_url = public_url.map(|url| url.parse().unwrap());
    });
    (world.await, folder)
}

const MANIFEST: &str = r#"{ "style": "checkout-0.1.0-0a1b2c3d.css" }"#;
const PUBLIC: Option<&str> = Some("https://pay.shop.example");

/// The value of the attribute that identifies the form.
fn fingerprint(html: &str) -> &str {
    let (_, rest) = html.split_once(" data-form=\"").unwrap();
    rest.split_once('"').unwrap().0
}

#[tokio::test]
async fn it_brings_its_styles_and_leads_to_the_payment_page() {
    let (world, _folder) = widget(MANIFEST, PUBLIC).await;
    for (inline, styles) in [
        ("style", format!("<style>{SHEET}</style>")),
        (
            "link",
            r#"<link rel="stylesheet" href="https://pay.shop.example/v1/checkout-0.1.0-0a1b2c3d.css">"#
                .to_owned(),
        ),
    ] {
        let answer = world.form(&format!("{QUERY}&inline={inline}")).await;
        answer.succeeds();
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert_eq!(answer.header("cache-control"), "public, no-cache");
        let html = &answer.body;
        assert!(html.starts_with(&styles), "{html}");
        assert!(html.ends_with("</form><!></div></div><slot></slot>"), "{html}");
        answer.has_no("<script");
        assert!(html.contains(r#"action="https://pay.shop.example/pay""#), "{html}");
        let hidden: Vec<_> = html.split(r#"type="hidden" "#).skip(1).collect();
        let hidden: Vec<_> = hidden.iter().map(|rest| rest.split_once('>').unwrap().0).collect();
        assert_eq!(
            hidden,
            [
                r#"name="order" value="{{order}}""#,
                r#"name="accept" value="trx usdtt""#,
                r#"name="ask" value="email!""#,
                r#"name="lang" value="de""#,
            ]
        );
    }
    let sheet = world.get("/v1/checkout-0.1.0-0a1b2c3d.css").await;
    assert_eq!(sheet.body, SHEET);
    assert!(sheet.header("cache-control").contains("immutable"));
}

/// The loader compares the form in the page with the form of now by this.
#[tokio::test]
async fn its_fingerprint_is_that_of_the_loaders_form() {
    let (world, _folder) = widget(MANIFEST, PUBLIC).await;
    let loaders = world.form(QUERY).await.body;
    for inline in ["style", "link"] {
        let html = world.form(&format!("{QUERY}&inline={inline}")).await.body;
        assert_eq!(fingerprint(&html), fingerprint(&loaders));
    }
    let dearer = QUERY.replace("quantity=25", "quantity=26");
    let dearer = world.form(&format!("{dearer}&inline=style")).await.body;
    assert_ne!(fingerprint(&dearer), fingerprint(&loaders));
    world.sandbox.controls().replace_tokens(
        r#"[{ "token": "trx", "name": "Other", "symbol": "TRX", "network": { "name": "TRON" } }]"#,
    );
    for changed in [QUERY, &format!("{QUERY}&inline=style")] {
        let changed = world.form(changed).await;
        changed.has(">Other<");
        assert_ne!(fingerprint(&changed.body), fingerprint(&loaders));
    }
}

#[tokio::test]
async fn without_an_address_or_a_style_sheet_there_is_none() {
    for (manifest, public_url, reason) in [
        (MANIFEST, None, "`public_url` is not set"),
        ("{}", PUBLIC, "no style sheet"),
        ("", PUBLIC, "no style sheet"),
        (r#"{ "style": "checkout-9.css" }"#, PUBLIC, "no style sheet"),
    ] {
        let (world, _folder) = widget(manifest, public_url).await;
        let answer = world.form(&format!("{QUERY}&inline=style")).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, reason);
        // The loader's form needs neither.
        world.form(QUERY).await.succeeds();
    }
    let (world, _folder) = widget(MANIFEST, PUBLIC).await;
    let unknown = world.form(&format!("{QUERY}&inline=script")).await;
    unknown.is_refused_as(ProblemCode::InvalidRequest);
}
