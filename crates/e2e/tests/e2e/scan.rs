//! The QR code, decoded from a screenshot by a different program than the one that encoded it.

use serde_json::json;

use crate::support::{Checkout, Scenery, Stage, until};

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
async fn holds(checkout: &Checkout<'_>, text: &str) {
    for (theme, scheme, forced) in LOOKS {
        let set = "arguments[0].theme = arguments[1]";
        let () = checkout.run(set, theme).await;
        let features = [("prefers-color-scheme", scheme), ("forced-colors", forced)];
        checkout.browser.prefers(&features).await;
        checkout.browser.is_drawn().await;
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

#[tokio::test(flavor = "multi_thread")]
async fn the_code_is_read_in_every_theme_with_and_without_the_amount() {
    let mut stage = Stage::open("en").await;
    stage.head = COLOURS.to_owned();
    let checkout = stage.pay("Bitcoin, Bitcoin", Scenery::default()).await;
    let payment = stage.servers.only_payment();
    let uri = format!("bitcoin:{}?amount={}", payment.wallet, payment.quantity_pay);
    holds(&checkout, &uri).await;
    checkout.press_part("with-amount").await;
    until("the switch to take effect", async || {
        let links = checkout.parts("open-wallet").await?;
        Ok(links.is_empty().then_some(()))
    })
    .await;
    holds(&checkout, &payment.wallet).await;

    // On a phone, the code is folded away, and the link is not.
    let screen = json!({ "width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": true });
    let command = "Emulation.setDeviceMetricsOverride";
    stage.browser.send(command, screen).await;
    stage.browser.is_touched(true).await;
    let checkout = stage.browser.reload().await;
    assert!(!checkout.part("qr").await.is_displayed().await.unwrap());
    assert_eq!(checkout.attribute("open-wallet", "href").await, uri);
    let summary = checkout.select("[part=scan] summary").await.unwrap();
    summary[0].click().await.unwrap();
    assert_eq!(read(&checkout).await, uri);
}
