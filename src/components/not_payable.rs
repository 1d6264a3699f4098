//! A payment to which no money should be sent: it has ended, money has arrived, or the order is paid. Nothing here asks for
//! money.

use leptos::prelude::*;
use tender_checkout_core::{Cancelling, CheckoutPayment, Reason};
use tender_element::components::{CheckIcon, ClosedIcon, DynamicText, WarningIcon};
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use super::contact::ShopContact;
use super::controls::{ActionButton, CancelProgress, Caution};
use super::detail::{Detail, StatusDetail};
use super::exact_amount::ExactAmount;
use super::explorer::ExplorerLink;
use super::not_updated::NotUpdated;
use super::{is_transaction_known, payment_is, payment_memo, with_payment};
use crate::driver::{Driver, use_driver};
use crate::press::Press;
use crate::text::Text;

pub(super) fn title(reason: Reason) -> Text {
    match reason {
        Reason::Pending => Text::Pending,
        Reason::Underpaid => Text::Underpaid,
        Reason::Unknown => Text::Unknown,
        Reason::OrderPaid => Text::OrderPaid,
        Reason::OrderSeen => Text::MayBePaidTitle,
        Reason::Paid => Text::Paid,
        Reason::Closed => Text::Closed,
        Reason::Cancelled => Text::Cancelled,
    }
}

/// What it means for the buyer, and what to do now.
fn hint(reason: Reason, driver: Driver) -> Text {
    match reason {
        Reason::Pending => Text::PendingHint,
        Reason::Underpaid => Text::UnderpaidHint,
        Reason::Unknown => Text::UnknownHint,
        Reason::OrderPaid => Text::OrderPaidHint,
        Reason::OrderSeen => Text::MayBePaid,
        Reason::Paid if payment_is(driver, |paid| paid.facts.is_order_paid) => Text::PaidTwice,
        Reason::Paid if payment_is(driver, |paid| paid.facts.is_late) => Text::PaidLate,
        Reason::Paid => Text::PaidHint,
        Reason::Closed if payment_is(driver, is_transaction_known) => Text::ClosedSent,
        Reason::Closed | Reason::Cancelled => Text::ClosedHint,
    }
}

/// Whether the buyer may pay the order with a new payment.
fn may_start_again(reason: Reason, driver: Driver) -> bool {
    match reason {
        Reason::Closed => payment_is(driver, CheckoutPayment::may_start_again),
        Reason::Cancelled => true,
        Reason::Pending
        | Reason::Underpaid
        | Reason::Unknown
        | Reason::OrderPaid
        | Reason::OrderSeen
        | Reason::Paid => false,
    }
}

/// Whether the hint asks the buyer to contact the shop.
fn names_shop(reason: Reason, driver: Driver) -> bool {
    match reason {
        Reason::Pending => false,
        Reason::Paid => hint(reason, driver) != Text::PaidHint,
        Reason::Underpaid
        | Reason::Unknown
        | Reason::OrderPaid
        | Reason::OrderSeen
        | Reason::Closed
        | Reason::Cancelled => true,
    }
}

#[component]
pub(super) fn NotPayable(reason: Reason) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let icon = match reason {
        Reason::Paid | Reason::Pending | Reason::OrderPaid => view! { <CheckIcon/> }.into_any(),
        Reason::Closed | Reason::Cancelled => view! { <ClosedIcon/> }.into_any(),
        Reason::Underpaid | Reason::Unknown | Reason::OrderSeen => {
            view! { <WarningIcon/> }.into_any()
        }
    };
    let number = driver.invoice();
    let is_unclear = payment_memo(driver, is_wallet_unclear);
    let may_start_again = Memo::new(move |_| may_start_again(reason, driver));
    let names_shop = Memo::new(move |_| names_shop(reason, driver));
    view! {
        <section class="notice" role="region" aria-label=move || i18n.t(Text::Payment) part="notice">
            <div class="ended" class:paid=reason == Reason::Paid>
                {icon}
                <h2 tabindex="-1" use:restore_focus>{move || i18n.t(title(reason))}</h2>
                {(reason == Reason::Paid).then(|| view! { <PaidAmount/> })}
                <p class="hint">
                    <DynamicText text=Signal::derive(move || i18n.format(hint(reason, driver), &[("invoice", &number)]))/>
                </p>
                <NotUpdated/>
            </div>
            {move || is_unclear.get().then(|| view! {
                <Caution text=i18n.signal(Text::WalletUnclear)/>
            })}
            <EndedDetails reason/>
            {move || names_shop.get().then(|| view! { <ShopContact/> })}
            {(reason == Reason::Unknown).then(|| view! { <CancelAgain/> })}
            {move || may_start_again.get().then(|| view! {
                <ActionButton class="quiet" text=Text::StartAgain press=Press::StartAgain/>
            })}
        </section>
    }
    .into_any()
}

/// The proxy finds out what became of a payment when the buyer cancels it again.
#[component]
fn CancelAgain() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let cancelling = payment_memo(driver, |it| it.may_cancel().then(|| it.cancelling.clone()));
    view! {
        <form class="cancel" part="cancel" method="post">
            {move || match cancelling.get()? {
                Cancelling::Requested => Some(view! { <CancelProgress/> }.into_any()),
                cancelling => Some(view! {
                    {matches!(cancelling, Cancelling::Failed(_)).then(|| view! {
                        <Caution text=i18n.signal(Text::CancelUnclear) role="alert"/>
                    })}
                    <ActionButton class="quiet" text=Text::Cancel press=Press::ConfirmCancel takes_focus=true/>
                }.into_any()),
            }}
        </form>
    }
    .into_any()
}

/// The amount of the paid payment, unless the buyer chose it while sending.
#[component]
fn PaidAmount() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let paid = untrack(|| {
        with_payment(driver, |ended| {
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
fn EndedDetails(reason: Reason) -> AnyView {
    let driver = use_driver();
    let invoice = untrack(|| with_payment(driver, |ended| ended.record.invoice_number.clone()));
    let is_sent = payment_memo(driver, is_transaction_known);
    view! {
        <dl class="details">
            {invoice.flatten().map(|invoice| view! {
                <Detail label=Text::Invoice part="invoice"><bdi translate="no">{invoice}</bdi></Detail>
            })}
            {(reason != Reason::Cancelled).then(|| view! { <StatusDetail/> })}
        </dl>
        {move || is_sent.get().then(|| view! { <ExplorerLink/> })}
    }
    .into_any()
}

/// Whether a wallet may have sent the money without reporting it.
fn is_wallet_unclear(ended: &CheckoutPayment) -> bool {
    !is_transaction_known(ended) && ended.wallet.is_unclear()
}
