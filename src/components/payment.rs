//! The payment: what to send, where, and its progress.

mod amount;
mod cancel;
mod details;
mod heading;
mod payee;
mod qr;
mod transaction;
mod wallets;

use leptos::either::Either;
use leptos::prelude::*;
use tender_checkout_core::{Awaiting, LatestRecord, PaymentProgress, State};
use tender_element::i18n::use_i18n;

use self::amount::AmountDue;
use self::cancel::CancelControls;
use self::details::PaymentDetails;
use self::heading::PaymentHeading;
use self::payee::PayeeAddress;
use self::qr::PaymentQr;
use self::transaction::TransactionInfo;
use self::wallets::WalletButtons;
use crate::components::controls::Caution;
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
    let is_contradicted = driver.memo(is_contradicted);
    awaiting
        .map(|awaiting| {
            let instructions = Instructions(awaiting);
            view! {
                <section class="payment" role="region" aria-labelledby="payment" part="payment">
                    <PaymentHeading/>
                    {move || if is_contradicted.get() {
                        Either::Left(view! { <Contradiction/> })
                    } else {
                        Either::Right(view! {
                            <AmountDue instructions/>
                            <PayeeAddress instructions/>
                            <PaymentQr instructions/>
                            <WalletButtons instructions/>
                        })
                    }}
                    <PaymentDetails instructions/>
                    <TransactionInfo instructions/>
                    <CancelControls/>
                </section>
            }
        })
        .into_any()
}

/// The latest record contradicts the payment, so that neither amount nor address is shown.
#[component]
fn Contradiction() -> AnyView {
    let i18n = use_i18n();
    view! { <Caution text=Signal::derive(move || i18n.t(Text::RecordChanged)) role="alert"/> }
        .into_any()
}

fn is_contradicted(driver: Driver) -> bool {
    awaiting(driver, |awaiting| {
        awaiting.latest == LatestRecord::Contradictory
    }) == Some(true)
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

/// Whether the page may ask for money.
fn is_open(driver: Driver) -> bool {
    awaiting(driver, Awaiting::asks_for_money).unwrap_or_default()
}
