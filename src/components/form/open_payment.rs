//! The payment that is still open while the buyer chooses another token.

use leptos::prelude::*;
use tender_checkout_core::{Choosing, Event, PriorAttempt};
use tender_element::i18n::use_i18n;
use tender_element::number;

use super::choosing;
use crate::components::controls::{ActionButton, Caution};
use crate::driver::{Driver, use_driver};
use crate::text::Text;

/// The payment that paying with another token would cancel.
#[derive(Clone, PartialEq)]
struct Open {
    amount: String,
    symbol: String,
    network: String,
    /// Whether the shop changed the price after this payment was created.
    is_outdated: bool,
    /// Whether the buyer may go back to it.
    is_resumable: bool,
}

#[component]
pub(super) fn OpenPayment() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let open = Memo::new(move |_| open_payment(driver));
    let is_resumable =
        move || open.with(|open| open.as_ref().is_some_and(|open| open.is_resumable));
    let text = Signal::derive(move || {
        open.with(|open| {
            let Some(open) = open else {
                return String::new();
            };
            let text = if open.is_outdated {
                Text::OpenPaymentOutdated
            } else {
                Text::OpenPayment
            };
            i18n.format(
                text,
                &[
                    ("amount", &open.amount),
                    ("symbol", &open.symbol),
                    ("network", &open.network),
                ],
            )
        })
    });
    view! {
        <Show when=move || open.with(Option::is_some)>
            <div class="still-open" part="open-payment">
                <Caution text/>
                <Show when=is_resumable>
                    <ActionButton class="link" text=Text::BackToPayment event=Event::Resumed/>
                </Show>
            </div>
        </Show>
    }
    .into_any()
}

fn open_payment(driver: Driver) -> Option<Open> {
    let locale = driver.locale();
    let is_submitting = driver.is_submitting();
    choosing(driver, |choosing| read(choosing, is_submitting, &locale)).flatten()
}

fn read(choosing: &Choosing, is_submitting: bool, locale: &str) -> Option<Open> {
    let payment = choosing.open_payment()?;
    let is_outdated = matches!(choosing.prior, Some(PriorAttempt::Outdated(_)));
    Some(Open {
        amount: number::format(&payment.send.amount, 0, locale),
        symbol: payment.choice.symbol.clone(),
        network: payment.choice.network.clone(),
        is_outdated,
        is_resumable: !is_outdated && !is_submitting,
    })
}
