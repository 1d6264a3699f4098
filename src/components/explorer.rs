//! The link to the block explorer of the payment's network.

use leptos::prelude::*;
use tender_checkout_core::CheckoutPayment;
use tender_element::components::{DynamicText, ExternalIcon};
use tender_element::i18n::use_i18n;

use super::{is_transaction_known, payment_is, payment_memo, with_payment};
use crate::driver::use_driver;
use crate::text::Text;

/// Links to the transaction once its hash is known, until then to the explorer itself.
#[component]
pub(super) fn ExplorerLink() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let url = payment_memo(driver, CheckoutPayment::explorer_url);
    let text = Signal::derive(move || {
        let host = with_payment(driver, |payment| {
            let explorer = payment.choice.explorer.as_ref();
            explorer.map(|explorer| explorer.host().to_owned())
        });
        let text = if payment_is(driver, is_transaction_known) {
            Text::ExplorerTransaction
        } else {
            Text::Explorer
        };
        i18n.format(text, &[("host", &host.flatten().unwrap_or_default())])
    });
    let has_url = payment_memo(driver, |payment| payment.explorer_url().is_some());
    view! {
        {move || has_url.get().then(|| view! {
            <a class="explorer" part="explorer" href=move || url.get() target="_blank" rel="noopener noreferrer">
                <DynamicText text/><ExternalIcon/>
            </a>
        }.into_any())}
    }
    .into_any()
}
