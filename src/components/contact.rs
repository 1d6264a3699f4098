//! How to reach the shop, wherever a text asks the buyer to contact it, and the way back to it.

use leptos::prelude::*;
use tender_element::components::CopyButton;
use tender_element::i18n::use_i18n;

use super::with_payment;
use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::text::Text;

/// What the shop's page puts into the slot `contact`, and a button that copies what the shop needs to find the payment.
#[component]
pub(super) fn ShopContact() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let details = Signal::derive(move || {
        let invoice = driver.invoice();
        with_payment(driver, |payment| payment.details_for_shop(&invoice))
            .unwrap_or_else(|| format!("invoiceNumber: {invoice}"))
    });
    let label = i18n.signal(Text::CopyDetails);
    view! {
        <div class="contact" part="contact">
            <slot name="contact"></slot>
            {hosted_page().is_none().then(|| view! {
                <CopyButton label text=label value=details part="copy-details"/>
            })}
        </div>
    }
    .into_any()
}

/// A link to the page that the signed order names, in every state of the checkout.
#[component]
pub(super) fn ReturnLink() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let url = driver.return_url();
    url.map(|url| {
        view! {
            <a class="open" part="return" href=url>{move || i18n.t(Text::BackToShop)}</a>
        }
        .into_any()
    })
    .into_any()
}
