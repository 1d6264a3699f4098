//! The QR code, decoded from a screenshot by a different program than the one that encoded it.

use serde_json::{Value, json};
use tender_protocol::Payment;

use crate::support::{Browser, Checkout, Servers, until};

/// The expected content of the code.
type Form = fn(wallet: &str, amount: &str) -> String;

/// Each token with a code: its content at first, and after using the switch.
const TOKENS: [(&str, Form, Option<Form>); 5] = [
    ("Bitcoin, Bitcoin", bitcoin, Some(address)),
    ("BNB, BNB Smart Chain", address, Some(bnb)),
    ("Tether USD, Ethereum", address, None),
    ("TRON, TRON", address, None),
    ("Tether USD, TRON", address, None),
];

/// The themes, colour schemes and forced colours in which a code must be readable.
const LOOKS: [(&str, &str, &str); 4] = [
    ("auto", "light", "none"),
    ("auto", "dark", "none"),
    ("dark", "light", "none"),
    ("auto", "dark", "active"),
];

/// A shop whose custom colours are unsuitable for a code.
const COLOURS: &str = "<style>
    html { background: #000; color: #111; }
    tender-checkout {
      --tender-surface: #000; --tender-raised: #000; --tender-text: #111; --tender-muted: #111;
      --tender-line: #000; --tender-control: #111; --tender-radius: 99px;
    }
</style>";

fn address(wallet: &str, _amount: &str) -> String {
    wallet.to_owned()
}

fn bitcoin(wallet: &str, amount: &str) -> String {
    format!("bitcoin:{wallet}?amount={amount}")
}

fn bnb(wallet: &str, amount: &str) -> String {
    format!("ethereum:{wallet}@56?value={}", units(amount, 18))
}

/// The amount in the token's smallest units, with `decimals` decimal places.
fn units(amount: &str, decimals: usize) -> String {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    assert!(fraction.len() <= decimals, "{amount} needs rounding");
    let digits = format!("{whole}{fraction:0<decimals$}");
    digits.trim_start_matches('0').to_owned()
}

/// Decodes a code in a part of a screenshot.
pub(crate) async fn read(checkout: &Checkout<'_>) -> String {
    let code = checkout.part("qr").await;
    // The driver captures only the window.
    code.scroll_into_view().await.unwrap();
    let picture = code.screenshot_as_png().await.unwrap();
    let mut decoder = png::Decoder::new(std::io::Cursor::new(picture));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    let (width, height) = (frame.width as usize, frame.height as usize);
    let samples = frame.color_type.samples();
    // The red channel, which is enough for black and white.
    let grey = |x: usize, y: usize| pixels[samples * (y * width + x)];
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(width, height, grey);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "one code in {width} x {height} pixels");
    grids[0].decode().unwrap().1
}

/// Asserts the content of the code in every theme, and that the link has the same URI.
async fn holds(browser: &Browser, checkout: &Checkout<'_>, text: &str) {
    for (theme, scheme, forced) in LOOKS {
        let host = checkout.host().to_json().unwrap();
        let set = "arguments[0].theme = arguments[1]; return null";
        let _: Value = browser.run(set, [host, theme.into()]).await;
        let features = [("prefers-color-scheme", scheme), ("forced-colors", forced)];
        browser.prefers(&features).await;
        browser.is_drawn().await;
        assert_eq!(read(checkout).await, text, "{theme}, {features:?}");
    }
    let link = checkout.parts("open-wallet").await.unwrap().pop();
    if text.contains(':') {
        let href = link.unwrap().attr("href").await.unwrap();
        assert_eq!(href.as_deref(), Some(text));
    } else {
        assert!(link.is_none(), "an address alone is no link");
    }
}

/// A checkout that shows a payment of 48.50 USDT in this token, and the service's record of it.
async fn awaiting<'a>(
    servers: &Servers,
    browser: &'a Browser,
    token: &str,
) -> (Checkout<'a>, Payment) {
    let order = servers.order(token);
    let page = servers.page(&format!(
        "{COLOURS}<script src=\"{proxy}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{proxy}\" order=\"{order}\"></tender-checkout>",
        proxy = servers.proxy_url(),
    ));
    let checkout = browser.pay(&page, token).await;
    let payment = servers.payments().into_iter().next();
    (checkout, payment.expect("a payment"))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_code_is_read_in_every_theme() {
    let (servers, browser) = (Servers::open().await, Browser::start().await);
    for (token, at_first, switched) in TOKENS {
        let (checkout, payment) = awaiting(&servers, &browser, token).await;
        let amount = payment.quantity_pay.to_string();
        holds(&browser, &checkout, &at_first(&payment.wallet, &amount)).await;
        let Some(switched) = switched else {
            assert!(checkout.parts("with-amount").await.unwrap().is_empty());
            continue;
        };
        let links = checkout.parts("open-wallet").await.unwrap().len();
        checkout.part("with-amount").await.click().await.unwrap();
        until("the switch to take effect", async || {
            let now = checkout.parts("open-wallet").await?.len();
            Ok((now != links).then_some(()))
        })
        .await;
        holds(&browser, &checkout, &switched(&payment.wallet, &amount)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_phone_the_code_is_folded_away_and_the_link_is_not() {
    let (servers, browser) = (Servers::open().await, Browser::start().await);
    let screen = json!({ "width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": true });
    let command = "Emulation.setDeviceMetricsOverride";
    browser.send(command, screen).await;
    browser.is_touched(true).await;
    let (checkout, payment) = awaiting(&servers, &browser, "Bitcoin, Bitcoin").await;

    assert!(!checkout.part("qr").await.is_displayed().await.unwrap());
    let uri = bitcoin(&payment.wallet, &payment.quantity_pay.to_string());
    assert_eq!(checkout.attribute("open-wallet", "href").await, uri);
    let summary = checkout.select("[part=scan] summary").await.unwrap();
    summary[0].click().await.unwrap();
    assert_eq!(read(&checkout).await, uri);
}
