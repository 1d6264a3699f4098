//! After a cancellation.

use tender_checkout_core::{Event, State};
use tender_element::dom::{El, el};
use tender_element::icon;

use super::action;
use crate::driver::Driver;
use crate::text::payment::Text;
use crate::text::say;

pub(super) fn cancelled(driver: Driver) -> El {
    let invoice = driver.with(|state| match state {
        State::Cancelled(_, payment) => payment.invoice_number.clone(),
        _ => None,
    });
    let invoice = invoice.map(|invoice| {
        el("p")
            .text(&say(Text::Invoice))
            .text(" ")
            .child(el("bdi").text(&invoice))
    });
    let title = el("h2")
        .attr("tabindex", "-1")
        .text(&say(Text::Cancelled))
        .successor();
    let ended = el("div")
        .class("ended")
        .attr("role", "status")
        .child(icon::check())
        .child(title)
        .child(invoice)
        .child(el("p").class("hint").text(&say(Text::CancelledHint)));
    el("div")
        .class("notice")
        .part("notice")
        .child(ended)
        .child(action(
            driver,
            "primary",
            &say(Text::StartAgain),
            Event::Reset,
        ))
}
