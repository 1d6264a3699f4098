//! The playground of the sample shop: each attribute and custom property can be tried, and the code for it is shown.

use serde_json::json;
use thirtyfour::By;

use crate::support::{Browser, Servers, until};

/// Sets a control of the form, as a user who types in it or selects.
const SET: &str = "const [name, value] = arguments; const control = document.querySelector('form').elements[name]; \
    control.value = value; control.dispatchEvent(new Event('input', { bubbles: true }))";

/// What the page shows as code, in the element with this id.
async fn code(browser: &Browser, id: &str) -> String {
    browser.find(By::Id(id)).await.text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_applied_and_written_as_code_and_each_screen_can_be_seen() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("/playground")).await;
    checkout.is_choosing().await;
    let set = async |name: &str, value: &str| {
        let () = browser.run(SET, [json!(name), json!(value)]).await;
    };

    set("locale", "de").await;
    checkout.reads("Bezahlen mit").await;
    set("purchase-name", "\"Ann\" & Co").await;
    set("--tender-accent", "rgb(200, 0, 0)").await;
    let submit = checkout.part("submit").await;
    until("the colour of the button", async || {
        let colour = submit.css_value("background-color").await?;
        Ok(colour.contains("200, 0, 0").then_some(()))
    })
    .await;
    let html = code(&browser, "html").await;
    for part in [
        r#"locale="de""#,
        r#"purchase-name="&quot;Ann&quot; &amp; Co""#,
        "/v1/checkout.js",
    ] {
        assert!(html.contains(part), "{html}");
    }
    assert!(
        !html.contains("theme") && !html.contains("--tender"),
        "{html}"
    );
    assert_eq!(
        code(&browser, "css").await,
        "tender-checkout {\n  --tender-accent: rgb(200, 0, 0);\n}"
    );

    browser.click(By::Css("[type=reset]")).await;
    checkout.reads("Pay with").await;
    assert!(!code(&browser, "css").await.contains("--tender"));

    // A preset replaces all custom properties.
    let card =
        "return getComputedStyle(arguments[0].shadowRoot.querySelector('.card'))[arguments[1]]";
    let style = async |property: &str| -> String { checkout.run(card, property).await };
    for (preset, radius, background) in [
        ("Soft", "24px", "rgb(255, 255, 255)"),
        ("Night", "16px", "rgb(11, 16, 32)"),
        ("Sharp", "4px", "rgb(255, 255, 255)"),
    ] {
        let button = By::XPath(format!("//button[.='{preset}']"));
        browser.click(button).await;
        assert_eq!(style("borderTopLeftRadius").await, radius, "{preset}");
        assert_eq!(style("backgroundColor").await, background, "{preset}");
    }
    let css = code(&browser, "css").await;
    assert!(css.contains("--tender-border-width: 2px;"), "{css}");
    assert!(!css.contains("--tender-surface"), "{css}");

    // The screens are those of a payment that the look-up of the order finds.
    for (screen, text) in [
        ("Payment", "Send exactly"),
        ("Pending", "Payment seen"),
        ("Paid", "Payment received"),
        ("Closed", "This payment is closed"),
        ("Choice", "Pay with"),
    ] {
        browser
            .click(By::XPath(format!("//button[.='{screen}']")))
            .await;
        checkout.reads(text).await;
        if screen == "Payment" {
            checkout.part("test-mode").await;
        }
    }
    assert!(servers.payments().is_empty());
    assert_eq!(browser.refused_by_policy().await, [""; 0]);
}
