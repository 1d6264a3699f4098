//! The link to the block explorer of the payment's network.

use leptos::prelude::*;
use tender_checkout_core::CheckoutPayment;
use tender_element::components::{DynamicText, ExternalIcon};
use tender_element::i18n::use_i18n;

use super::with_payment;
use crate::driver::{Driver, use_driver};
use crate::text::Text;

fn explorer_url(driver: Driver) -> Option<String> {
    with_payment(driver, CheckoutPayment::explorer_url).flatten()
}

/// Links to the transaction once its hash is known, until then to the explorer itself.
#[component]
pub(super) fn ExplorerLink() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let url = driver.memo(explorer_url);
    let text = Signal::derive(move || {
        let host = with_payment(driver, |payment| {
            let explorer = payment.choice.explorer.as_ref();
            explorer.map(|explorer| explorer.host().to_owned())
        });
        let text = if with_payment(driver, |payment| payment.transaction().is_some()) == Some(true)
        {
            Text::ExplorerTransaction
        } else {
            Text::Explorer
        };
        i18n.format(text, &[("host", &host.flatten().unwrap_or_default())])
    });
    let has_url = driver.memo(|driver| explorer_url(driver).is_some());
    view! {
        {move || has_url.get().then(|| view! {
            <a class="explorer" part="explorer" href=move || url.get() target="_blank" rel="noopener noreferrer">
                <DynamicText text/><ExternalIcon/>
            </a>
        }.into_any())}
    }
    .into_any()
}
