//! The layout does not shift when the tokens arrive.

use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{DomRect, Element, HtmlElement, window};

use crate::support::checkout::Checkout;
use crate::support::proxy::{Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::settled;

/// Position and size in the page, in whole pixels.
fn place(element: &Element) -> String {
    let rect: DomRect = element.get_bounding_client_rect();
    let (width, height) = (rect.width(), rect.height());
    // Scrolled to the focused element.
    let left = rect.left() + window().unwrap().scroll_x().unwrap();
    let top = rect.top() + window().unwrap().scroll_y().unwrap();
    format!("{width:.0} x {height:.0} at {left:.0}, {top:.0}")
}

fn places(elements: &[Element]) -> Vec<String> {
    elements.iter().map(place).collect()
}

#[wasm_bindgen_test]
async fn the_tokens_take_the_skeleton_s_place() {
    for width in [320, 400, 640] {
        let proxy = Proxy::new();
        let tokens = proxy.hold(TOKENS);
        let checkout = Checkout::create(&proxy, &[]);
        checkout.set("style", &format!("inline-size: {width}px"));
        checkout.insert();
        let card = place(&checkout.part("card"));
        let at_once = places(&checkout.all("[aria-busy] > i"));
        settled().await;
        assert_eq!(
            places(&checkout.all("[aria-busy] > i")),
            at_once,
            "{width}: the module's"
        );

        tokens.open(Reply::ok(record::listing()));
        checkout.until_ready().await;
        settled().await;
        assert_eq!(place(&checkout.part("card")), card, "{width}: the card");
        let (last, rows) = at_once.split_last().unwrap();
        assert_eq!(
            places(&checkout.parts("token")),
            rows[1..],
            "{width}: the rows"
        );
        assert_eq!(
            place(&checkout.part("submit")),
            *last,
            "{width}: the button"
        );
    }
}

/// The height that the embedding guide tells a page to set for this many tokens.
fn height_by_the_guide(tokens: u8) -> f64 {
    let guide = include_str!("../../docs/embedding.md");
    let (_, formula) = guide.split_once("avoids layout shifts: ").unwrap();
    let (others, rest) = formula.split_once("px plus ").unwrap();
    let (token, _) = rest.split_once("px for each token").unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    number(others) + number(token) * f64::from(tokens)
}

/// `crates/xtask/tests/interface/heights.rs` compares the other places that have a height with the guide.
#[wasm_bindgen_test]
async fn the_form_is_as_high_as_the_guide_says() {
    let all = "btc bnb usdte trx usdtt kxp";
    for tokens in [1, 2, 6] {
        let accept: Vec<_> = all.split(' ').take(tokens.into()).collect();
        let proxy = Proxy::new();
        let checkout = Checkout::ready(&proxy, &[("accept", &accept.join(" "))]).await;
        for (width, margin) in [(320, 0.0..8.0), (400, 0.0..64.0), (640, 0.0..64.0)] {
            let style = format!("inline-size: {width}px; --tender-min-height: 0px");
            checkout.set("style", &style);
            settled().await;
            assert_eq!(checkout.parts("token").len(), usize::from(tokens));
            let height = checkout.part("card").get_bounding_client_rect().height();
            let room = height_by_the_guide(tokens) - height;
            assert!(margin.contains(&room), "{tokens} at {width}: {room}");
        }
    }
}

/// A page that offers two tokens says so by the height.
#[wasm_bindgen_test]
async fn few_tokens_take_a_lower_skeleton_s_place() {
    let proxy = Proxy::new();
    let tokens = proxy.hold(TOKENS);
    let checkout = Checkout::create(&proxy, &[("accept", "btc bnb")]);
    let height = height_by_the_guide(2);
    let style = format!("inline-size: 400px; --tender-min-height: {height}px");
    checkout.set("style", &style);
    checkout.insert();
    settled().await;
    let card = place(&checkout.part("card"));
    assert!(card.starts_with(&format!("400 x {height} ")), "{card}");
    tokens.open(Reply::ok(record::listing()));
    checkout.until_ready().await;
    settled().await;
    assert_eq!(checkout.parts("token").len(), 2);
    assert_eq!(place(&checkout.part("card")), card);
}

#[wasm_bindgen_test]
async fn the_choice_moves_nothing() {
    let proxy = Proxy::new();
    let checkout = Checkout::create(&proxy, &[]);
    checkout.set("style", "inline-size: 400px");
    checkout.insert();
    checkout.until_ready().await;
    let all = |checkout: &Checkout| {
        let mut elements = checkout.parts("token");
        elements.extend([checkout.part("card"), checkout.part("submit")]);
        places(&elements)
    };
    let before = all(&checkout);
    checkout.pay();
    settled().await;
    assert_eq!(all(&checkout), before, "a problem is said");
    for token in [
        "Tether USD, TRON",
        "Bitcoin, Bitcoin",
        "BNB, BNB Smart Chain",
    ] {
        checkout.choose(token);
        settled().await;
        assert_eq!(all(&checkout), before, "{token}");
    }
}

#[wasm_bindgen_test]
async fn the_name_of_a_token_has_the_colour_of_text_and_its_network_is_quieter() {
    fn colour(element: &Element) -> String {
        let style = window().unwrap().get_computed_style(element);
        style.unwrap().unwrap().get_property_value("color").unwrap()
    }
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    let text = colour(&checkout.part("card"));
    for name in checkout.all("[part~=token] .name") {
        assert_eq!(colour(&name), text, "{}", name.text_content().unwrap());
    }
    assert_ne!(colour(&checkout.all("[part~=token] .network")[0]), text);
}

#[wasm_bindgen_test]
async fn touch_targets_are_large_enough() {
    fn check(target: &Element) {
        let rect = target.get_bounding_client_rect();
        let is_large = rect.width() >= 44.0 && rect.height() >= 44.0;
        assert!(is_large, "{}: {}", place(target), target.outer_html());
    }
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    checkout.role("button").iter().for_each(check);
    check(&checkout.part("explorer"));
    checkout.call("reset");
    checkout.until_ready().await;
    checkout.parts("token").iter().for_each(check);
    check(&checkout.part("submit"));
}

#[wasm_bindgen_test]
async fn the_question_of_cancel_is_in_the_window() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let height = window().unwrap().inner_height().unwrap().as_f64().unwrap();
    // The button is the last thing that the window shows.
    let link = checkout.named("button", "Cancel payment");
    link.scroll_into_view_with_bool(false);
    link.click();
    checkout.until_shown("Cancel this payment?").await;
    settled().await;
    for button in ["Keep it", "Yes, cancel"] {
        let place = checkout.named("button", button).get_bounding_client_rect();
        assert!(place.top() >= 0.0 && place.bottom() <= height, "{button}");
    }
}

/// The languages in which its text is the longest, in the card of the narrowest phone.
#[wasm_bindgen_test]
async fn the_submit_button_has_at_most_two_lines() {
    let proxy = Proxy::new();
    for (locale, texts) in [
        ("de", include_str!("../../locales/de.json")),
        ("hi", include_str!("../../locales/hi.json")),
        ("vi", include_str!("../../locales/vi.json")),
    ] {
        let more = [
            ("locale", locale),
            ("texts", texts),
            ("quantity", "1234.56"),
        ];
        let checkout = Checkout::create(&proxy, &more);
        // 320 pixels have room for 270 beside the paddings of page and card.
        checkout.set("style", "inline-size: 320px");
        checkout.insert();
        checkout.until_ready().await;
        for radio in checkout.all("[type=radio]") {
            radio.unchecked_ref::<HtmlElement>().click();
            settled().await;
            let submit = checkout.part("submit");
            let height = submit.get_bounding_client_rect().height();
            // Two lines have 52.5, or 62.5 where the font of a script is higher; three have 72.5.
            assert!(
                height < 66.0,
                "{locale}: {height}, {:?}",
                submit.text_content()
            );
        }
    }
}

/// On the first screen of a phone, before notes and details.
#[wasm_bindgen_test]
async fn what_matters_of_a_payment_is_at_its_top() {
    for token in ["Bitcoin, Bitcoin", "TRON, TRON", "Tether USD, Ethereum"] {
        let proxy = Proxy::new();
        let checkout = Checkout::ready(&proxy, &[]).await;
        checkout.set("style", "inline-size: 390px");
        checkout.choose(token);
        checkout
            .submit(&proxy, record::payment(Some("receipt-7")))
            .await;
        settled().await;
        let top = checkout.part("card").get_bounding_client_rect().top();
        for part in ["amount", "network", "wallet", "copy", "open-wallet"] {
            for element in checkout.parts(part) {
                let bottom = element.get_bounding_client_rect().bottom() - top;
                assert!(bottom <= 560.0, "{token}: {part} ends at {bottom}");
            }
        }
        let details = checkout.first("details:has(dl)");
        assert!(!details.has_attribute("open"), "{token}: they are folded");
    }
}

/// The build removes comments and white space from the styles in the module, and nothing else.
#[wasm_bindgen_test]
fn the_styles_in_the_module_are_those_of_the_files() {
    let read = "const sheet = new CSSStyleSheet(); sheet.replaceSync(css);
        // WebKit keeps the white space between the arguments of a function.
        return [...sheet.cssRules].map(({ cssText }) => cssText.replace(/\\s*,\\s*/g, ',')).join('\\n')";
    let read = Function::new_with_args("css", read);
    let rules = |css: &str| {
        let rules = read.call1(&JsValue::UNDEFINED, &css.into()).unwrap();
        rules.as_string().unwrap()
    };
    let files = concat!(
        include_str!("../../crates/element/style/controls.css"),
        include_str!("../../style/payment.css"),
    );
    let built = tender_checkout::style();
    assert!(built.len() < files.len());
    assert!(!rules(files).is_empty());
    assert_eq!(rules(&built), rules(files));
}
