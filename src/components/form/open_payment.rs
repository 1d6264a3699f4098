//! The payment that is still open while the buyer chooses another token.

use leptos::prelude::*;
use tender_checkout_core::PriorAttempt;
use tender_element::i18n::{I18n, use_i18n};

use crate::components::controls::{ActionButton, Caution};
use crate::components::exact_amount::readable;
use crate::driver::{Driver, use_driver};
use crate::press::Press;
use crate::text::Text;

#[component]
pub(super) fn OpenPayment() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let text = Signal::derive(move || notice(driver, i18n).unwrap_or_default());
    let is_open =
        driver.memo(|driver: Driver| driver.with(|state| state.context.open_payment().is_some()));
    let may_resume = driver.memo(may_resume);
    let asks = driver.memo(asks);
    view! {
        {move || is_open.get().then(|| view! {
            <div class="still-open" part="open-payment">
                <Caution text/>
                {move || asks.get().then(|| view! { <SentQuestion/> })}
                {move || may_resume.get().then(|| view! {
                    <ActionButton class="link" text=Text::BackToPayment press=Press::Resume/>
                })}
            </div>
        }.into_any())}
    }
    .into_any()
}

/// Whether money was sent for a payment that another tab or device has created. No other payment replaces it before the answer.
#[component]
fn SentQuestion() -> AnyView {
    let i18n = use_i18n();
    view! {
        <div role="group" aria-labelledby="sent-question" class="question">
            <p id="sent-question"><strong>{move || i18n.t(Text::SentQuestion)}</strong></p>
            <div class="buttons">
                <ActionButton class="quiet" text=Text::SentYes press=Press::AnswerSent(true)/>
                <ActionButton class="quiet" text=Text::SentNo press=Press::AnswerSent(false)/>
            </div>
        </div>
    }
    .into_any()
}

fn asks(driver: Driver) -> bool {
    driver.with(|state| state.context.open_question().is_some()) && !driver.is_submitting()
}

fn may_resume(driver: Driver) -> bool {
    let is_payable =
        driver.with(|state| matches!(state.context.prior, Some(PriorAttempt::Payment(_))));
    is_payable && !driver.is_submitting()
}

/// Which payment would be cancelled if the buyer paid with another token.
fn notice(driver: Driver, i18n: I18n) -> Option<String> {
    let locale = driver.locale();
    driver.with(|state| {
        let payment = state.context.open_payment()?;
        let text = match state.context.prior {
            Some(PriorAttempt::Outdated(_)) => Text::OpenPaymentOutdated,
            // The text names nothing of the record, which can't be trusted.
            Some(PriorAttempt::Mismatched(_)) => Text::RecordMismatch,
            _ => Text::OpenPayment,
        };
        let amount = readable(&payment.send.amount, &locale);
        let values = [
            ("amount", amount.as_str()),
            ("symbol", &payment.choice.symbol),
            ("network", &payment.choice.network_and_standard()),
        ];
        Some(i18n.format(text, &values))
    })
}
