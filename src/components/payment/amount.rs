//! The exact amount, to send or to look up, and on which network.

use leptos::prelude::*;
use tender_checkout_core::CheckoutPayment;
use tender_element::components::CopyButton;
use tender_element::i18n::use_i18n;
use tender_protocol::Amount;

use super::{PaymentSnapshot, is_open};
use crate::components::controls::Caution;
use crate::components::exact_amount::{ExactAmount, readable};
use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::text::Text;

#[component]
pub(super) fn AmountDue(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    if snapshot.with(CheckoutPayment::accepts_any_amount) {
        return view! { <AnyAmount snapshot/> }.into_any();
    }
    let is_test = snapshot.with(|it| it.choice.test_mode);
    // Afterwards the amount is only there to look up.
    let is_open = untrack(|| is_open(driver));
    let may_copy = is_open && hosted_page().is_none();
    let label = if is_open {
        Text::SendExactly
    } else {
        Text::Amount
    };
    // One value for the display, the clipboard and scripts: its digits are exact.
    let amount = snapshot.with(|it| it.send.amount.clone());
    let exact = amount.to_string();
    let symbol = snapshot.with(|it| it.choice.symbol.clone());
    view! {
        <div class="send">
            <span class="label">{move || i18n.t(label)}</span>
            <div class="line">
                <ExactAmount amount symbol/>
                {may_copy.then(|| view! {
                    <CopyButton label=i18n.signal(Text::CopyAmount) value=exact/>
                })}
            </div>
            <p class="network" part="network" translate="no">{snapshot.text(Text::OnNetwork)}</p>
            <Rounding snapshot/>
            <OtherPrice snapshot/>
            {(is_open && !is_test).then(|| view! { <p class="hint">{move || i18n.t(Text::FeeOnTop)}</p> }.into_any())}
        </div>
    }
    .into_any()
}

/// That the amount is not the order's price, before the buyer pays it.
#[component]
fn OtherPrice(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let price = snapshot.with(|it| {
        let price = untrack(|| driver.with_config(|config| it.other_price(config).cloned()));
        Some((price?, it.choice.symbol.clone()))
    });
    let text = move |(price, symbol): &(Amount, String)| {
        let amount = readable(price, &driver.locale());
        let values = [("amount", amount.as_str()), ("symbol", symbol)];
        i18n.format(Text::PriceDiffers, &values)
    };
    price
        .map(|price| {
            view! { <Caution text=Signal::derive(move || text(&price)) is_boxed=true/> }.into_any()
        })
        .into_any()
}

/// The order lets the payer choose the amount, and the service asks for none.
#[component]
fn AnyAmount(snapshot: PaymentSnapshot) -> AnyView {
    view! {
        <div class="send">
            <span class="label">{snapshot.text(Text::SendAnyAmount)}</span>
            <p class="network" part="network" translate="no">{snapshot.text(Text::OnNetwork)}</p>
        </div>
    }
    .into_any()
}

/// Why the amount to send is not the one that the service asked for.
#[component]
fn Rounding(snapshot: PaymentSnapshot) -> AnyView {
    let i18n = use_i18n();
    let decimals = snapshot.with(|it| it.send.rounded_to);
    let symbol = snapshot.with(|it| it.choice.symbol.clone());
    let text = decimals.map(|decimals| {
        let decimals = decimals.to_string();
        Signal::derive(move || {
            i18n.format(
                Text::Rounded,
                &[("symbol", &symbol), ("decimals", &decimals)],
            )
        })
    });
    text.map(|text| view! { <p class="hint" part="rounding">{move || text.get()}</p> }.into_any())
        .into_any()
}
