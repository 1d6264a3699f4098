//! The heading of the payment, what happens next, and the service's status text.

use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use super::{is_open, warns_not_to_pay};
use crate::components::detail::{is_waiting_for_payment, status_text};
use crate::components::not_updated::NotUpdated;
use crate::components::payment_is;
use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::text::Text;

#[component]
pub(super) fn PaymentHeading() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let status = status_text(driver);
    let has_status = driver.memo(|driver| is_open(driver) && !warns_not_to_pay(driver));
    let is_unpaid = driver.memo(is_waiting_for_payment);
    // Without a receipt the page is not updated; nor is one with a field or a question, without JavaScript.
    let is_waiting = driver.memo(|driver| {
        let has_receipt = payment_is(driver, |payment| payment.receipt.is_some());
        let is_refreshed = hosted_page().is_none_or(|page| page.is_refreshed);
        has_receipt
            && is_refreshed
            && is_open(driver)
            && !warns_not_to_pay(driver)
            && !payment_is(driver, |payment| payment.following.reads.are_failing())
    });
    view! {
        <header class="heading">
            // Takes over the focus of the submit button, which was removed.
            <h2 id="payment" tabindex="-1" use:restore_focus>{move || i18n.t(Text::Payment)}</h2>
            <div class="progress" role="status">
                // A warning, and the progress of a payment, have a title of their own: there, it is in the details.
                {move || has_status.get().then(|| view! {
                    <p class="status">
                        <span class="sr">{move || i18n.t(Text::Status)}" "</span>
                        {move || if is_unpaid.get() {
                            i18n.t(Text::StatusOpen).into_any()
                        } else {
                            view! {
                                <span part="status" translate="no" use:dynamic_text=status>{status.get_untracked()}</span>
                            }.into_any()
                        }}
                    </p>
                }.into_any())}
                {move || is_waiting.get().then(|| view! {
                    <p class="waiting">{move || i18n.t(Text::Waiting)}</p>
                }.into_any())}
                <NotUpdated/>
            </div>
        </header>
    }
    .into_any()
}
