//! Links that open the payment in the browser of a wallet on the buyer's phone, where the wallet pays.

use leptos::prelude::*;
use tender_checkout_core::CheckoutPayment;
use tender_checkout_core::wallet_apps::WALLET_APPS;
use tender_element::components::ExternalIcon;
use tender_element::i18n::use_i18n;

use super::PaymentSnapshot;
use crate::driver::use_driver;
use crate::text::Text;

/// Shows nothing where the shop links to no payment page, and where a wallet is in this browser already. The style sheet
/// hides it on devices without a touch screen.
#[component]
pub(super) fn WalletApps(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let (transfer, page) = (snapshot.with(CheckoutPayment::transfer), driver.pay_page());
    let Some((transfer, page)) = transfer.zip(page) else {
        return ().into_any();
    };
    let apps = WALLET_APPS
        .into_iter()
        .filter(move |app| app.can_pay(&transfer));
    let links: Vec<_> = apps.map(|app| (app.name, app.open(&page))).collect();
    let has_wallets = Memo::new(move |_| !driver.wallets().list().is_empty());
    let list = move || {
        let links = links.clone().into_iter().map(|(name, link)| {
            view! {
                <li><a class="open" part="open-in-wallet" href=link translate="no">{name}<ExternalIcon/></a></li>
            }
            .into_any()
        });
        view! {
            <div class="apps">
                <span class="label" id="apps">{move || i18n.t(Text::OpenInWallet)}</span>
                <ul aria-labelledby="apps">{links.collect_view()}</ul>
                <p class="hint">{move || i18n.t(Text::OpenInWalletHint)}</p>
            </div>
        }
        .into_any()
    };
    view! { {move || (!has_wallets.get()).then(&list)} }.into_any()
}
