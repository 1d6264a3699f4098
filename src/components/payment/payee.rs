//! The address, to send to or to look up.

use leptos::prelude::*;
use tender_checkout_core::address::address_groups;
use tender_element::components::CopyButton;
use tender_element::i18n::use_i18n;

use super::{PaymentSnapshot, is_open};
use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::text::Text;

/// Every text here names the network: the same address can exist on several.
#[component]
pub(super) fn PayeeAddress(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let is_open = untrack(|| is_open(driver));
    let (wallet, copied) =
        snapshot.with(|it| (it.record.wallet.clone(), it.copied_wallet().to_owned()));
    let is_test = snapshot.with(|it| it.choice.test_mode);
    view! {
        <div class="to">
            <span class="label">{snapshot.text(Text::ToWallet)}</span>
            <div class="line">
                <code class="wallet" class:inert=is_test part="wallet" dir="ltr" translate="no">{groups(&wallet)}</code>
                {(is_open && hosted_page().is_none()).then(|| view! {
                    <CopyButton label=snapshot.text(Text::CopyWallet)
                        text=i18n.signal(Text::CopyAddress) value=copied/>
                })}
            </div>
            // In test mode nothing is to be sent.
            {(is_open && !is_test).then(|| view! {
                <p class="hint">{move || i18n.t(Text::CompareAddress)}</p>
            }.into_any())}
        </div>
    }
    .into_any()
}

/// The address in groups, with both ends in bold. The gaps are no characters, so that a copy is exact.
fn groups(wallet: &str) -> AnyView {
    let groups = address_groups(wallet).into_iter().map(|group| {
        let text = group.text.to_owned();
        if group.is_end {
            view! { <span><b>{text}</b></span> }.into_any()
        } else {
            view! { <span>{text}</span> }.into_any()
        }
    });
    groups.collect_view().into_any()
}
