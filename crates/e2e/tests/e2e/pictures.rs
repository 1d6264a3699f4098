//! Pictures of the sample page for the documentation, one for each state, width and theme. Nothing
//! is asserted, so that it is no test unless asked for:
//!
//! ```sh
//! export TENDER_SCREENSHOTS=target/pictures
//! cargo test -p tender-e2e --features browser pictures -- --ignored
//! ```

use std::env;
use std::fs;
use std::path::Path;

use serde_json::json;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Browser, House};

const WIDTHS: [(&str, u32); 2] = [("phone", 390), ("desktop", 1280)];
const THEMES: [&str; 2] = ["light", "dark"];

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes pictures, into the folder that TENDER_SCREENSHOTS names"]
async fn pictures() {
    let folder = env::var_os("TENDER_SCREENSHOTS").expect("TENDER_SCREENSHOTS names a folder");
    // Tests run in the folder of their package; what is meant is a folder of the workspace.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    fs::create_dir_all(&folder).unwrap();
    let house = House::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&house.shop_page("invoice=INV-1042")).await;
    checkout.choose("Bitcoin, Bitcoin").await;
    take(&browser, &folder, "choosing").await;

    let lost = Fault::new(Outcome::DropRequest).on(Endpoint::Create).once();
    house.service().inject(lost);
    checkout.submit().await.click().await.unwrap();
    checkout.alert().await;
    take(&browser, &folder, "failed").await;

    checkout.press("Try again").await;
    checkout.amount().await;
    take(&browser, &folder, "awaiting").await;

    checkout.press("Cancel payment").await;
    checkout.press("Yes, cancel").await;
    browser.hears("tender-cancelled").await;
    take(&browser, &folder, "cancelled").await;
}

/// Takes the whole page as it is, in each width and theme.
async fn take(browser: &Browser, folder: &Path, state: &str) {
    for (device, width) in WIDTHS {
        for theme in THEMES {
            let name = format!("{state}-{device}-{theme}.png");
            fs::write(folder.join(name), picture(browser, width, theme).await).unwrap();
        }
    }
}

/// A picture of the page for a screen of this width whose owner prefers this theme, and no motion.
async fn picture(browser: &Browser, width: u32, theme: &str) -> Vec<u8> {
    let features = json!({ "features": [
        { "name": "prefers-color-scheme", "value": theme },
        { "name": "prefers-reduced-motion", "value": "reduce" },
    ] });
    let devtools = browser.devtools();
    devtools
        .send_raw("Emulation.setEmulatedMedia", features)
        .await
        .unwrap();
    // First the width, then as high as the page is at it.
    for height in ["return 800", "return document.documentElement.scrollHeight"] {
        let height = browser.run(height, []).await;
        let screen = devtools.emulation();
        screen
            .set_device_metrics_override(width, height, 2.0, false)
            .await
            .unwrap();
    }
    browser.is_drawn().await;
    browser.driver().screenshot_as_png().await.unwrap()
}
