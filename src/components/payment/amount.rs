//! The exact amount to send, and on which network.

use leptos::prelude::*;
use tender_checkout_core::{Awaiting, PaymentProgress};
use tender_element::components::{CheckIcon, CopyButton};
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use super::{Instructions, progress};
use crate::components::controls::Caution;
use crate::components::exact_amount::ExactAmount;
use crate::driver::use_driver;
use crate::hosted::hosted;
use crate::text::Text;

#[component]
pub(super) fn AmountDue(instructions: Instructions) -> AnyView {
    let i18n = use_i18n();
    if instructions.with(Awaiting::accepts_any_amount) {
        return view! { <AnyAmount instructions/> }.into_any();
    }
    // One value for the display, the clipboard and scripts: its digits are exact.
    let amount = instructions.with(|it| it.send.amount.clone());
    let exact = amount.to_string();
    let symbol = instructions.with(|it| it.choice.symbol.clone());
    view! {
        <div class="send">
            <AmountLabel text=Signal::derive(move || i18n.t(Text::SendExactly)) has_figure=true/>
            <div class="line">
                <ExactAmount amount symbol/>
                {hosted().is_none().then(|| view! {
                    <CopyButton label=Signal::derive(move || i18n.t(Text::CopyAmount)) value=exact/>
                })}
            </div>
            <p class="network" part="network" translate="no">{instructions.text(Text::OnNetwork)}</p>
            <Rounding instructions/>
        </div>
    }
    .into_any()
}

/// The order lets the payer choose the amount, and the service asks for none.
#[component]
fn AnyAmount(instructions: Instructions) -> AnyView {
    view! {
        <div class="send">
            <AmountLabel text=instructions.text(Text::SendAnyAmount) has_figure=false/>
            <p class="network" part="network" translate="no">{instructions.text(Text::OnNetwork)}</p>
        </div>
    }
    .into_any()
}

/// The label of the amount: to be sent (`text`), possibly sent, or sent.
#[component]
fn AmountLabel(text: Signal<String>, has_figure: bool) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let progress = driver.memo(progress);
    view! {
        {move || match progress.get() {
            PaymentProgress::Open => view! { <span class="label">{text}</span> }.into_any(),
            PaymentProgress::StatusChanged => view! {
                <Caution text=Signal::derive(move || i18n.t(Text::StatusMoved)) role="status"/>
                {has_figure.then(|| view! { <span class="label">{move || i18n.t(Text::Amount)}</span> })}
            }
            .into_any(),
            PaymentProgress::Sent(_) => view! {
                <p class="sent" role="status" tabindex="-1" use:restore_focus>
                    <CheckIcon/><span>{move || i18n.t(Text::YouSent)}</span>
                </p>
            }
            .into_any(),
        }}
    }
    .into_any()
}

/// Why the amount to send is not the one that the service asked for.
#[component]
fn Rounding(instructions: Instructions) -> AnyView {
    let i18n = use_i18n();
    let rounding = instructions.with(|it| it.send.rounding.clone());
    let symbol = instructions.with(|it| it.choice.symbol.clone());
    let text = rounding.map(|rounding| {
        let (asked, decimals) = (rounding.asked.to_string(), rounding.decimals.to_string());
        Signal::derive(move || {
            let values = [
                ("asked", &asked),
                ("symbol", &symbol),
                ("decimals", &decimals),
            ];
            i18n.format(
                Text::Rounded,
                &values.map(|(name, value)| (name, value.as_str())),
            )
        })
    });
    text.map(|text| view! { <p class="hint" part="rounding">{text}</p> })
        .into_any()
}
