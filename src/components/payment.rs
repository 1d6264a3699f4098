//! The payment: what to send, where, and its progress.

mod amount;
mod cancel;
mod details;
mod heading;
mod payee;
mod qr;
mod transaction;
mod wallets;

use leptos::prelude::*;
use tender_checkout_core::{Awaiting, PaymentProgress, State};
use tender_element::i18n::use_i18n;

use self::amount::AmountDue;
use self::cancel::CancelControls;
use self::details::PaymentDetails;
use self::heading::PaymentHeading;
use self::payee::PayeeAddress;
use self::qr::PaymentQr;
use self::transaction::TransactionInfo;
use self::wallets::WalletButtons;
use crate::driver::{Driver, use_driver};
use crate::text::Text;

/// The payment as it was when it was first shown. The amount and the address don't change after that; components read
/// everything else from the state.
#[derive(Clone, Copy)]
struct Instructions(StoredValue<Awaiting>);

impl Instructions {
    fn with<T>(self, read: impl FnOnce(&Awaiting) -> T) -> T {
        read(&self.0.read_value())
    }

    /// A text with the `{symbol}` and the `{network}` of the payment.
    fn text(self, text: Text) -> Signal<String> {
        let i18n = use_i18n();
        Signal::derive(move || {
            self.with(|Awaiting { choice, .. }| {
                let values = [
                    ("symbol", choice.symbol.as_str()),
                    ("network", &choice.network),
                ];
                i18n.format(text, &values)
            })
        })
    }
}

#[component]
pub(super) fn PaymentInstructions() -> AnyView {
    let driver = use_driver();
    let awaiting = untrack(|| awaiting(driver, Awaiting::clone)).map(StoredValue::new);
    awaiting
        .map(|awaiting| {
            let instructions = Instructions(awaiting);
            view! {
                <section class="payment" role="region" aria-labelledby="payment" part="payment">
                    <PaymentHeading/>
                    <AmountDue instructions/>
                    <PayeeAddress instructions/>
                    <PaymentQr instructions/>
                    <WalletButtons instructions/>
                    <PaymentDetails instructions/>
                    <TransactionInfo instructions/>
                    <CancelControls/>
                </section>
            }
        })
        .into_any()
}

/// Reads the payment, in the state that shows one.
fn awaiting<T>(driver: Driver, read: impl FnOnce(&Awaiting) -> T) -> Option<T> {
    driver.with(|state| match state {
        State::Awaiting(awaiting) => Some(read(awaiting)),
        _ => None,
    })
}

/// The progress of the payment.
fn progress(driver: Driver) -> PaymentProgress {
    awaiting(driver, |awaiting| awaiting.progress.clone()).unwrap_or(PaymentProgress::Open)
}

/// Whether the payment has not been made yet, as far as is known. Only then may the page ask for money.
fn is_open(driver: Driver) -> bool {
    progress(driver) == PaymentProgress::Open
}
