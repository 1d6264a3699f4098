//! The link to the block explorer of the payment's network.

use leptos::prelude::*;
use tender_checkout_core::Awaiting;
use tender_element::components::{DynamicText, ExternalIcon};
use tender_element::i18n::use_i18n;

use super::shown;
use crate::driver::{Driver, use_driver};
use crate::text::Text;

fn explorer_url(driver: Driver) -> Option<String> {
    shown(driver, Awaiting::explorer_url).flatten()
}

/// Links to the transaction once its hash is known, until then to the explorer itself.
#[component]
pub(super) fn ExplorerLink() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let url = driver.memo(explorer_url);
    let text = Signal::derive(move || {
        let host = shown(driver, |awaiting| {
            let explorer = awaiting.choice.explorer.as_ref();
            explorer.map(|explorer| explorer.host().to_owned())
        });
        let text = if shown(driver, |awaiting| awaiting.transaction().is_some()) == Some(true) {
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
