//! The payment: what to send, where, and its progress.

mod amount;
mod cancel;
mod details;
mod heading;
mod payee;
mod qr;
mod transaction;
mod unsent;
mod wallet_apps;
mod wallets;
mod warning;

use leptos::prelude::*;
use tender_checkout_core::{CheckoutPayment, LatestRecord};
use tender_element::i18n::use_i18n;

use self::amount::AmountDue;
use self::cancel::CancelControls;
use self::details::PaymentDetails;
use self::heading::PaymentHeading;
use self::payee::PayeeAddress;
use self::qr::{CodeContent, PaymentQr, WalletAppLink};
use self::transaction::TransactionInfo;
use self::unsent::NothingSent;
use self::wallet_apps::WalletApps;
use self::wallets::WalletButtons;
use self::warning::{CancelNotice, Contradiction, OnlyThis, OtherToken, Progress};
use super::{payment_is, payment_memo, with_payment};
use crate::driver::{Driver, use_driver};
use crate::text::Text;

/// The payment as it was when it was first shown. The amount and the address don't change after that; components read
/// everything else from the state.
#[derive(Clone, Copy)]
struct PaymentSnapshot(StoredValue<CheckoutPayment>);

impl PaymentSnapshot {
    fn with<T>(self, read: impl FnOnce(&CheckoutPayment) -> T) -> T {
        read(&self.0.read_value())
    }

    /// A text with the `{symbol}` and the network of the payment: `{network}` with the name that exchanges show, and
    /// `{chain}` without it.
    fn text(self, text: Text) -> Signal<String> {
        let i18n = use_i18n();
        Signal::derive(move || {
            self.with(|CheckoutPayment { choice, .. }| {
                let values = [
                    ("symbol", choice.symbol.as_str()),
                    ("network", &choice.network_and_standard()),
                    ("chain", &choice.network),
                ];
                i18n.format(text, &values)
            })
        })
    }
}

/// What the page says about sending money.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Request {
    /// Send it.
    Pay,
    /// It may have been sent: amount and address are only there to look up.
    SentOrUnclear,
    /// Don't send it, because the latest record contradicts the payment.
    Contradicted,
}

#[component]
pub(super) fn PaymentInstructions() -> AnyView {
    let driver = use_driver();
    let payment = untrack(|| with_payment(driver, CheckoutPayment::clone));
    let request = driver.memo(request);
    payment
        .map(|payment| {
            let snapshot = PaymentSnapshot(StoredValue::new(payment));
            view! {
                <section class="payment" role="region" aria-labelledby="payment" part="payment">
                    <PaymentHeading/>
                    <OtherToken/>
                    <CancelNotice/>
                    {move || match request.get() {
                        Request::Pay => view! { <ToPay snapshot/> }.into_any(),
                        Request::SentOrUnclear => view! { <Progress/> <ToLookUp snapshot/> }.into_any(),
                        Request::Contradicted => view! { <Contradiction/> }.into_any(),
                    }}
                    <TransactionInfo snapshot/>
                    <NothingSent/>
                    <PaymentDetails snapshot/>
                    <CancelControls/>
                </section>
            }
            .into_any()
        })
        .into_any()
}

/// What to send, and the ways to send it. Without effect while the payment is or may be cancelled, and all ways but one
/// while a wallet in the browser asks the buyer.
#[component]
fn ToPay(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let is_cancelling = payment_memo(driver, CheckoutPayment::may_be_cancelled);
    let is_wallet_asked = payment_memo(driver, |payment| payment.wallet.is_asked());
    let code = CodeContent::of(snapshot);
    view! {
        <div class="ways" inert=move || is_cancelling.get()>
            <AmountDue snapshot/>
            <OnlyThis snapshot/>
            <WalletButtons snapshot/>
            <div class="ways" inert=move || is_wallet_asked.get()>
                {code.map(|code| view! { <WalletAppLink code is_default=true/> })}
                <PayeeAddress snapshot/>
                <WalletApps snapshot/>
                <PaymentQr snapshot code/>
            </div>
        </div>
    }
    .into_any()
}

/// Amount and address of a payment that may be paid.
#[component]
fn ToLookUp(snapshot: PaymentSnapshot) -> AnyView {
    let i18n = use_i18n();
    view! {
        <details class="look-up">
            <summary>{move || i18n.t(Text::PaymentDetails)}</summary>
            <AmountDue snapshot/>
            <PayeeAddress snapshot/>
        </details>
    }
    .into_any()
}

fn request(driver: Driver) -> Request {
    let request = with_payment(driver, |payment| match payment {
        it if it.facts.latest == LatestRecord::Contradictory => Request::Contradicted,
        it if it.asks_for_money() => Request::Pay,
        _ => Request::SentOrUnclear,
    });
    request.unwrap_or(Request::SentOrUnclear)
}

/// Whether the page says not to pay: the payment is or may be cancelled, or the latest record contradicts it.
fn warns_not_to_pay(driver: Driver) -> bool {
    payment_is(driver, CheckoutPayment::may_be_cancelled)
        || request(driver) == Request::Contradicted
}

/// Whether the page asks for money.
fn is_open(driver: Driver) -> bool {
    payment_is(driver, CheckoutPayment::asks_for_money)
}
