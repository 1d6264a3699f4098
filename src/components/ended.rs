//! A payment that has ended: paid, closed or cancelled. Nothing here asks for money.

use leptos::either::Either;
use leptos::prelude::*;
use tender_checkout_core::Event;
use tender_element::components::{CheckIcon, ClosedIcon, DynamicText};
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use super::contact::{ReturnLink, ShopContact};
use super::controls::{ActionButton, Caution};
use super::detail::{Detail, StatusDetail};
use super::exact_amount::ExactAmount;
use super::explorer::ExplorerLink;
use super::shown;
use crate::driver::{Driver, use_driver};
use crate::text::Text;

/// How a payment has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    Paid,
    Closed,
    Cancelled,
}

impl Ending {
    fn title(self) -> Text {
        match self {
            Self::Paid => Text::Paid,
            Self::Closed => Text::Closed,
            Self::Cancelled => Text::Cancelled,
        }
    }

    /// What it means for the buyer, and what to do now.
    fn hint(self, driver: Driver) -> Text {
        match self {
            Self::Paid => Text::PaidHint,
            Self::Closed if is_sent(driver) => Text::ClosedSent,
            Self::Closed | Self::Cancelled => Text::ClosedHint,
        }
    }
}

#[component]
pub(super) fn EndedPayment(ending: Ending) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let icon = match ending {
        Ending::Paid => view! { <CheckIcon/> },
        Ending::Closed | Ending::Cancelled => view! { <ClosedIcon/> },
    };
    let number = driver.invoice();
    let is_unclear = driver.memo(is_wallet_unclear);
    let may_start_again = driver.memo(move |driver| !is_sent(driver));
    view! {
        <section class="notice" role="region" aria-label=move || i18n.t(Text::Payment) part="notice">
            <div class="ended" class:paid=ending == Ending::Paid role="status">
                {icon}
                <h2 tabindex="-1" use:restore_focus>{move || i18n.t(ending.title())}</h2>
                {(ending == Ending::Paid).then(|| view! { <PaidAmount/> })}
                <p class="hint">
                    <DynamicText text=Signal::derive(move || i18n.format(ending.hint(driver), &[("invoice", &number)]))/>
                </p>
            </div>
            {move || is_unclear.get().then(|| view! {
                <Caution text=Signal::derive(move || i18n.t(Text::WalletUnclear))/>
            })}
            <EndedDetails ending/>
            {if ending == Ending::Paid {
                Either::Left(view! { <ReturnLink/> })
            } else {
                Either::Right(view! { <ShopContact/> })
            }}
            {move || (ending != Ending::Paid && may_start_again.get()).then(|| view! {
                <ActionButton class="quiet" text=Text::StartAgain event=Event::Reset/>
            })}
        </section>
    }
    .into_any()
}

/// The amount of the paid payment, unless the buyer chose it while sending.
#[component]
fn PaidAmount() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let paid = untrack(|| {
        shown(driver, |ended| {
            (ended.send.amount.clone(), ended.choice.clone())
        })
    });
    let Some((amount, choice)) = paid.filter(|(amount, _)| !amount.is_zero()) else {
        return ().into_any();
    };
    view! {
        <ExactAmount amount symbol=choice.symbol.clone()/>
        <p class="network" part="network" translate="no">
            {move || i18n.format(Text::OnNetwork, &[("network", &choice.network_and_standard())])}
        </p>
    }
    .into_any()
}

/// The invoice, the service's status text, and the transaction if it is known. The status of a payment that was cancelled on
/// this page is left out: the response to that may still have the one of its creation.
#[component]
fn EndedDetails(ending: Ending) -> AnyView {
    let driver = use_driver();
    let invoice = untrack(|| shown(driver, |ended| ended.payment.invoice_number.clone()));
    let is_sent = driver.memo(is_sent);
    view! {
        <dl class="details">
            {invoice.flatten().map(|invoice| view! {
                <Detail label=Text::Invoice part="invoice"><bdi translate="no">{invoice}</bdi></Detail>
            })}
            {(ending != Ending::Cancelled).then(|| view! { <StatusDetail/> })}
        </dl>
        {move || is_sent.get().then(|| view! { <ExplorerLink/> })}
    }
    .into_any()
}

fn is_sent(driver: Driver) -> bool {
    shown(driver, |ended| ended.transaction().is_some()) == Some(true)
}

/// Whether a wallet may have sent the money without reporting it.
fn is_wallet_unclear(driver: Driver) -> bool {
    shown(driver, |ended| {
        ended.transaction().is_none() && ended.is_wallet_unclear()
    }) == Some(true)
}
