//! The address, to send to or to look up.

use leptos::prelude::*;
use tender_element::components::CopyButton;
use tender_element::i18n::use_i18n;

use super::{Instructions, is_open};
use crate::driver::use_driver;
use crate::hosted::hosted;
use crate::text::Text;

/// Characters of an address in one group.
const GROUP: usize = 4;

/// Characters at each end of an address that the buyer is asked to compare.
const COMPARED: usize = 6;

/// Every text here names the network: the same address can exist on several.
#[component]
pub(super) fn PayeeAddress(instructions: Instructions) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let is_open = untrack(|| is_open(driver));
    let (wallet, copied) =
        instructions.with(|it| (it.payment.wallet.clone(), it.copied_wallet().to_owned()));
    let is_test = instructions.with(|it| it.choice.test_mode);
    view! {
        <div class="to">
            <span class="label">{instructions.text(Text::ToWallet)}</span>
            <div class="line">
                <code class="wallet" class:inert=is_test part="wallet" dir="ltr" translate="no">{groups(&wallet)}</code>
                {(is_open && hosted().is_none()).then(|| view! {
                    <CopyButton label=instructions.text(Text::CopyWallet)
                        text=Signal::derive(move || i18n.t(Text::CopyAddress)) value=copied/>
                })}
            </div>
            // In test mode nothing is to be sent.
            {(is_open && !is_test).then(|| view! {
                <p class="hint">{move || i18n.t(Text::CompareAddress)}</p>
            })}
        </div>
    }
    .into_any()
}

/// The address in groups of four characters, which are easier to compare, with both ends in bold. The gaps are no characters,
/// so that a copy is exact. Other texts than letters and digits, such as an address with a memo, are not grouped.
fn groups(wallet: &str) -> AnyView {
    if !wallet.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return wallet.to_owned().into_any();
    }
    let is_compared = |at: usize| at < COMPARED || at + COMPARED >= wallet.len();
    let characters: Vec<_> = wallet.chars().enumerate().collect();
    let groups = characters.chunks(GROUP).map(|group| {
        let runs = group.chunk_by(|(one, _), (next, _)| is_compared(*one) == is_compared(*next));
        let runs = runs.map(|run| {
            let text: String = run.iter().map(|(_, character)| *character).collect();
            match run.first() {
                Some((at, _)) if is_compared(*at) => view! { <b>{text}</b> }.into_any(),
                _ => text.into_any(),
            }
        });
        view! { <span>{runs.collect_view()}</span> }
    });
    groups.collect_view().into_any()
}
