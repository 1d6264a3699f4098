//! The address to send to.

use leptos::prelude::*;
use tender_element::components::CopyButton;

use super::{Instructions, is_open};
use crate::components::controls::Caution;
use crate::driver::use_driver;
use crate::hosted::hosted;
use crate::text::Text;

/// Characters of an address in one group.
const GROUP: usize = 4;

/// Every text here names the network: the same address can exist on several.
#[component]
pub(super) fn PayeeAddress(instructions: Instructions) -> AnyView {
    let driver = use_driver();
    let is_open = driver.memo(is_open);
    let (wallet, copied) =
        instructions.with(|it| (it.payment.wallet.clone(), it.copied_wallet().to_owned()));
    let is_test = instructions.with(|it| it.choice.test_mode);
    view! {
        <div class="to">
            <span class="label">{instructions.text(Text::ToWallet)}</span>
            <div class="line">
                <code class="wallet" class:inert=is_test part="wallet" dir="ltr" translate="no">{groups(&wallet)}</code>
                {hosted().is_none().then(|| view! {
                    <CopyButton label=instructions.text(Text::CopyWallet) value=copied/>
                })}
            </div>
            // In test mode nothing is to be sent.
            {move || (is_open.get() && !is_test).then(|| view! {
                <Caution text=instructions.text(Text::OnlyThis)/>
            })}
        </div>
    }
    .into_any()
}

/// The address in groups of four characters, which are easier to compare. The gaps are no characters, so that a copy is
/// exact. Other texts than letters and digits, such as an address with a memo, are not grouped.
fn groups(wallet: &str) -> AnyView {
    if !wallet.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return wallet.to_owned().into_any();
    }
    let groups = wallet.as_bytes().chunks(GROUP).map(|group| {
        let group: String = group.iter().copied().map(char::from).collect();
        view! { <span>{group}</span> }
    });
    groups.collect_view().into_any()
}
