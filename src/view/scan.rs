//! The payment as a wallet app reads it: a QR code to scan, and a link that opens the app.

use std::rc::Rc;

use leptos::prelude::{event_target_checked, window};
use tender_checkout_core::payment_uri::{PaymentUri, Standard};
use tender_checkout_core::{Awaiting, Choice, PaymentCodes, QrCode};
use tender_element::Live;
use tender_element::dom::{El, el, svg};
use tender_element::{icon, number, task};
use tender_protocol::Amount;

use super::awaiting::is_open;
use crate::driver::Driver;
use crate::text::payment::Text;
use crate::text::{fill, say};

/// Pixels on each side of a code, at the most: each module takes whole ones. The stylesheet keeps
/// as much room for every code.
const SIDE: i32 = 228;

/// What is shown where the wallet is an address of its network; nothing else can be read. Once the
/// buyer may have paid, nothing invites to pay again.
pub(super) fn scan(driver: Driver, awaiting: &Awaiting, payment: El) -> El {
    let Some(codes) = PaymentCodes::of(awaiting) else {
        return payment;
    };
    let is_default = (codes.with_amount.as_ref()).is_some_and(PaymentUri::is_default);
    let scan = Scan {
        driver,
        codes,
        amount: awaiting.send.amount.clone(),
        choice: awaiting.choice.clone(),
        is_switched_on: Live::new(is_default),
    };
    let scan = Rc::new(scan);
    payment.live_children(
        move || is_open(driver),
        move |is_open| is_open.then(|| view(&scan)),
    )
}

/// What there is to scan.
struct Scan {
    driver: Driver,
    codes: PaymentCodes,
    amount: Amount,
    choice: Choice,
    /// Whether the amount is in the code.
    is_switched_on: Live<bool>,
}

impl Scan {
    /// The URI with the amount, where there is one and the buyer wants it.
    fn uri(&self, is_switched_on: bool) -> Option<&PaymentUri> {
        self.codes.with_amount.as_ref().filter(|_| is_switched_on)
    }
}

/// The switch stays where it is, with the focus, while all around it follows it.
fn view(scan: &Rc<Scan>) -> El {
    let is_on = scan.is_switched_on;
    let is_switched_on = move || is_on.get();
    let with = |view: fn(&Scan, Option<&PaymentUri>) -> Vec<El>| {
        let scan = Rc::clone(scan);
        move |is_on: &bool| view(&scan, scan.uri(*is_on))
    };
    // The code has its room from the beginning; it takes longer to draw than all the rest.
    let is_painted = task::painted();
    let drawing = Rc::clone(scan);
    let drawn = move |is_on: &Option<bool>| match is_on {
        Some(is_on) => code(&drawing, drawing.uri(*is_on)),
        None => Vec::new(),
    };
    let words = el("div")
        .live_children(is_switched_on, with(caption))
        .child(scan.codes.with_amount.is_some().then(|| switch(is_on)));
    let beside = el("div")
        .class("beside")
        .child(
            el("div")
                .class("code")
                .live_children(move || is_painted.get().then(is_switched_on), drawn),
        )
        .child(words);
    let details = el("details")
        .child(el("summary").text(&say(Text::QrCode)))
        .child(beside);
    let details = if is_handheld() {
        details
    } else {
        details.attr("open", "")
    };
    el("div")
        .class("scan")
        .part("scan")
        .child(details)
        .live_children(is_switched_on, with(caution_and_link))
}

/// Whether the buyer points with a finger. Nobody can scan the screen that they hold: the code is
/// folded away there, and only there does the stylesheet show what unfolds it.
fn is_handheld() -> bool {
    let query = window().match_media("(pointer: coarse)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Dark on white, its quiet zone included, whatever the theme is: not every reader knows the
/// reverse.
fn code(scan: &Scan, uri: Option<&PaymentUri>) -> Vec<El> {
    let held = uri.map_or(scan.codes.address.as_str(), |uri| &uri.uri);
    let Some(QrCode { size, path }) = QrCode::of(held) else {
        return Vec::new();
    };
    let side = (size * (SIDE / size).max(1)).to_string();
    let text = match uri {
        Some(_) => Text::QrCodeWithAmount,
        None => Text::QrCodeOfAddress,
    };
    let paper = format!("M0 0h{size}v{size}h-{size}z");
    let code = svg("svg")
        .class("qr")
        .part("qr")
        .attr("role", "img")
        .attr(
            "aria-label",
            &fill(text, &[("network", &scan.choice.network)]),
        )
        .attr("viewBox", &format!("0 0 {size} {size}"))
        .attr("width", &side)
        .attr("height", &side)
        .child(svg("path").attr("fill", "#fff").attr("d", &paper))
        .child(svg("path").attr("fill", "#000").attr("d", &path));
    vec![code]
}

/// What to do with the code, and on which network: the same address exists on several.
fn caption(scan: &Scan, uri: Option<&PaymentUri>) -> Vec<El> {
    let text = match uri {
        Some(_) => Text::ScanWithAmount,
        None => Text::ScanAddress,
    };
    let network = fill(Text::OnNetwork, &[("network", &scan.choice.network)]);
    vec![
        el("p").class("hint").text(&say(text)),
        el("p").child(el("b").text(&network)),
    ]
}

fn switch(is_on: Live<bool>) -> El {
    let input = el("input")
        .attr("type", "checkbox")
        .attr("role", "switch")
        .checked_while(move || is_on.get())
        .on("change", move |event| {
            is_on.set(event_target_checked(&event));
        });
    el("label")
        .class("switch")
        .part("with-amount")
        .child(input)
        .child(el("span").text(&say(Text::WithAmount)))
}

/// With the amount there is a link, to exactly what the code holds. An address alone has none: there
/// is no adopted form for it.
fn caution_and_link(scan: &Scan, uri: Option<&PaymentUri>) -> Vec<El> {
    let Some(uri) = uri else {
        return Vec::new();
    };
    let link = el("a")
        .class("open")
        .part("open-wallet")
        .attr("href", &uri.uri)
        .text(&say(Text::OpenWallet))
        .child(icon::outward());
    caution(scan, uri.standard)
        .into_iter()
        .chain([link])
        .collect()
}

/// What an app that reads less of the URI than there is would do with the money.
fn caution(scan: &Scan, standard: Standard) -> Option<El> {
    let text = match standard {
        Standard::Bitcoin => return None,
        Standard::EvmCoin => Text::CautionCoin,
        Standard::EvmToken => Text::CautionToken,
    };
    let amount = number::group(&scan.amount, 0, &scan.driver.locale());
    let payment = [
        ("amount", amount.as_str()),
        ("symbol", &scan.choice.symbol),
        ("network", &scan.choice.network),
    ];
    let sentence = el("span").text(&fill(text, &payment));
    let caution = el("p").class("caution").attr("role", "alert");
    Some(caution.child(icon::warning()).child(sentence))
}
