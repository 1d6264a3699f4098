//! The payment that is still open, while the buyer chooses another token.

use tender_checkout_core::{Choosing, Event, PriorAttempt};
use tender_element::dom::{El, el};
use tender_element::number;

use super::action;
use super::awaiting::caution;
use super::form::choosing;
use crate::driver::Driver;
use crate::text::{Text, fill, say};

/// What there is to say about it.
#[derive(PartialEq)]
pub(super) struct Open {
    amount: String,
    symbol: String,
    network: String,
    /// Whether the shop has changed the price since.
    is_outdated: bool,
    /// Whether the buyer may go back to it.
    has_way_back: bool,
}

pub(super) fn open_payment(driver: Driver) -> Option<Open> {
    let locale = driver.locale();
    let is_under_way = driver.is_submitting();
    choosing(driver, |choosing| read(choosing, is_under_way, &locale)).flatten()
}

fn read(choosing: &Choosing, is_under_way: bool, locale: &str) -> Option<Open> {
    let payment = choosing.open_payment()?;
    let is_outdated = matches!(choosing.prior, Some(PriorAttempt::Outdated(_)));
    Some(Open {
        amount: number::group(&payment.send.amount, 0, locale),
        symbol: payment.choice.symbol.clone(),
        network: payment.choice.network.clone(),
        is_outdated,
        has_way_back: !is_outdated && !is_under_way,
    })
}

pub(super) fn notice(driver: Driver, open: &Open) -> El {
    let text = if open.is_outdated {
        Text::OpenPaymentOutdated
    } else {
        Text::OpenPayment
    };
    let values = [
        ("amount", open.amount.as_str()),
        ("symbol", open.symbol.as_str()),
        ("network", open.network.as_str()),
    ];
    let back = (open.has_way_back)
        .then(|| action(driver, "link", &say(Text::BackToPayment), Event::Resumed));
    el("div")
        .class("still-open")
        .part("open-payment")
        .child(caution(&fill(text, &values)))
        .child(back)
}
