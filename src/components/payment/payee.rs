//! The address to send to.

use leptos::prelude::*;
use tender_element::components::CopyButton;

use super::{Instructions, is_open};
use crate::components::controls::Caution;
use crate::driver::use_driver;
use crate::text::Text;

/// Every text here names the network: the same address can exist on several.
#[component]
pub(super) fn PayeeAddress(instructions: Instructions) -> AnyView {
    let driver = use_driver();
    let is_open = driver.memo(is_open);
    let wallet = instructions.with(|it| it.payment.wallet.clone());
    view! {
        <div class="to">
            <span class="label">{instructions.text(Text::ToWallet)}</span>
            <div class="line">
                <code class="wallet" part="wallet" dir="ltr" translate="no">{wallet.clone()}</code>
                <CopyButton label=instructions.text(Text::CopyWallet) value=wallet/>
            </div>
            {move || is_open.get().then(|| view! {
                <Caution text=instructions.text(Text::OnlyThis)/>
            })}
        </div>
    }
    .into_any()
}
