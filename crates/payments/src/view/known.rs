//! What the proxy knows beyond the list.

use js_sys::{Date, Object};
use tender_element_legacy::dom::{El, el};
use tender_element_legacy::speech::{fill, say};
use tender_payments_core::text::Text;
use tender_protocol::ledger::Reason;
use tender_protocol::{KnownPayment, Reconciling};

use super::row::amount;
use crate::driver::Driver;

/// Whether the service has notified the proxy of a payment, and how often it was tried.
pub(super) fn of_payment(driver: Driver, known: &KnownPayment) -> Vec<El> {
    let hint = || el("span").class("hint");
    let notified = match known.notified_at.clone() {
        Some(when) => hint().live_text(move || {
            fill(
                Text::Notified,
                &[("when", &moment(&when, &driver.locale()))],
            )
        }),
        None => hint().text(&say(Text::NotNotified)),
    };
    let attempts = known.attempts.filter(|attempts| *attempts > 1);
    let attempts = attempts.map(|count| {
        let count = count.to_string();
        hint().text(&fill(Text::Attempts, &[("count", &count)]))
    });
    [notified].into_iter().chain(attempts).collect()
}

/// Orders whose outcome is not known yet, and whether there are more of them.
pub(super) fn reconciling(driver: Driver, orders: &[Reconciling], more: bool) -> El {
    let hint = |text| el("p").class("hint").text(&say(text));
    let title = el("h3").attr("id", "open-orders");
    let orders = orders.iter().map(|open| order(driver, open));
    el("section")
        .class("open-orders")
        .part("reconciling")
        .attr("aria-labelledby", "open-orders")
        .child(title.text(&say(Text::Reconciling)))
        .child(hint(Text::ReconcilingHint))
        .child(el("ul").children(orders))
        .child(more.then(|| hint(Text::AndMore)))
}

fn order(driver: Driver, open: &Reconciling) -> El {
    let reason = match open.reason {
        Reason::CreateUnanswered => Text::CreateUnanswered,
        Reason::CancelUnanswered => Text::CancelUnanswered,
        Reason::Unknown => Text::ReasonUnknown,
    };
    let since = open.since.clone();
    let said = move || {
        let when = moment(&since, &driver.locale());
        format!("{} {}", say(reason), fill(Text::Since, &[("when", &when)]))
    };
    let invoice = el("bdi").text(&open.invoice_number);
    el("li")
        .child(el("strong").child(invoice))
        .text(" ")
        .child(amount(driver, &open.quantity, &open.token))
        .child(el("p").class("hint").live_text(said))
}

/// A moment (RFC 3339) as it is written where the merchant is; as it came, where the browser can't read it.
fn moment(when: &str, locale: &str) -> String {
    let date = Date::new(&when.into());
    if date.get_time().is_nan() {
        return when.to_owned();
    }
    date.to_locale_string(locale, &Object::new()).into()
}
