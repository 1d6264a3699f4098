//! What to pay, where, and where the payment stands.

use leptos::prelude::*;
use tender_core::{Awaiting, Cancelling, Event, Failure, FailureCode, Standing, State};

use super::copy::copy_button;
use super::focus::{self, Succession};
use super::{icon, scan, transaction, wallets};
use crate::driver::Driver;
use crate::number;
use crate::text::{Text, fill, say};

/// Digits behind the point in which US dollars are read, at the least.
const CENTS: usize = 2;

pub(super) fn awaiting(driver: Driver) -> impl IntoView {
    read(driver, |awaiting| {
        view! {
            <section class="payment" role="region" aria-labelledby="payment" part="payment">
                {heading(driver)}
                {amount(driver, awaiting)}
                {wallet(driver, awaiting)}
                {scan::scan(driver, awaiting)}
                {wallets::wallets(driver, awaiting)}
                {details(driver, awaiting)}
                {transaction::transaction(driver)}
                {ways_out(driver)}
            </section>
        }
    })
}

/// Reads the payment, for as long as there is one to wait for.
pub(super) fn read<T>(driver: Driver, read: impl FnOnce(&Awaiting) -> T) -> Option<T> {
    driver.with(|state| match state {
        State::Awaiting(awaiting) => Some(read(awaiting)),
        _ => None,
    })
}

/// Whether there is still something to pay. Only while it is open may anything ask for money.
pub(super) fn standing(driver: Driver) -> Memo<Standing> {
    Memo::new(move |_| read(driver, |awaiting| awaiting.standing.clone()).unwrap_or(Standing::Open))
}

/// See [`standing`].
pub(super) fn is_open(driver: Driver) -> Memo<bool> {
    let standing = standing(driver);
    Memo::new(move |_| standing.with(|standing| *standing == Standing::Open))
}

/// Whether the buyer decides in a wallet at this moment.
pub(super) fn is_wallet_asked(driver: Driver) -> bool {
    read(driver, Awaiting::is_wallet_asked).unwrap_or_default()
}

/// The name of the region, and the service's own word for the status. The focus comes here: the
/// button that had it is gone.
fn heading(driver: Driver) -> impl IntoView {
    let status = Memo::new(move |_| {
        read(driver, |awaiting| awaiting.payment.status.text().to_owned()).unwrap_or_default()
    });
    view! {
        <header class="heading">
            <h2 id="payment" tabindex="-1" node_ref=focus::successor()>{say(Text::Payment)}</h2>
            <p class="status" role="status">
                <span class="sr">{say(Text::Status)}": "</span>
                <span part="status">{status}</span>
            </p>
        </header>
    }
}

fn amount(driver: Driver, awaiting: &Awaiting) -> impl IntoView + use<> {
    let exact = awaiting.send.amount.to_string();
    let amount = awaiting.send.amount.clone();
    let shown = move || number::group(&amount, 0, &driver.locale());
    let choice = &awaiting.choice;
    let network = fill(Text::OnNetwork, &[("network", &choice.network)]);
    let rounded = awaiting.send.rounding.as_ref().map(|rounding| {
        let values = [
            ("asked", rounding.asked.to_string()),
            ("symbol", choice.symbol.clone()),
            ("decimals", rounding.decimals.to_string()),
        ];
        let values = values
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        view! { <p class="hint" part="rounding">{fill(Text::Rounded, &values)}</p> }
    });
    let standing = standing(driver);
    let copy = exact.clone();
    view! {
        <div class="send">
            {move || match standing.get() {
                Standing::Sent(_) => view! {
                    <p class="sent" role="status" tabindex="-1" node_ref=focus::successor()>
                        {icon::check()}{say(Text::YouSent)}
                    </p>
                }.into_any(),
                Standing::Moved => view! {
                    <p class="caution" role="status">{icon::warning()}{say(Text::StatusMoved)}</p>
                    <span class="label">{say(Text::Amount)}</span>
                }.into_any(),
                Standing::Open => {
                    view! { <span class="label">{say(Text::SendExactly)}</span> }.into_any()
                }
            }}
            <div class="line">
                <p class="amount" part="amount" data-value=exact>
                    <b dir="ltr">{shown}</b>" "<span class="unit">{choice.symbol.clone()}</span>
                </p>
                {copy_button(say(Text::CopyAmount), copy)}
            </div>
            <p class="network" part="network">{network}</p>
            {rounded}
        </div>
    }
}

fn wallet(driver: Driver, awaiting: &Awaiting) -> impl IntoView + use<> {
    let choice = &awaiting.choice;
    let network = [("network", choice.network.as_str())];
    let wallet = awaiting.payment.wallet.clone();
    let only = [
        ("symbol", choice.symbol.as_str()),
        ("network", choice.network.as_str()),
    ];
    let caution = fill(Text::OnlyThis, &only);
    let is_open = is_open(driver);
    view! {
        <div class="to">
            <span class="label">{fill(Text::ToWallet, &network)}</span>
            <div class="line">
                <code class="wallet" part="wallet" dir="ltr">{wallet.clone()}</code>
                {copy_button(fill(Text::CopyWallet, &network), wallet)}
            </div>
            {move || is_open.get().then(|| view! {
                <p class="caution">{icon::warning()}{caution.clone()}</p>
            })}
        </div>
    }
}

fn details(driver: Driver, awaiting: &Awaiting) -> impl IntoView + use<> {
    let payment = &awaiting.payment;
    let usd = payment.price_usd.clone().map(|usd| {
        move || {
            let amount = number::group(&usd, CENTS, &driver.locale());
            fill(Text::InUsDollars, &[("amount", &amount)])
        }
    });
    view! {
        <dl class="details">
            {detail(Text::Invoice, "invoice", payment.invoice_number.clone())}
            {detail(Text::Price, "price-usd", usd)}
            {detail(Text::Date, "date", payment.created_at.clone())}
        </dl>
    }
}

fn detail(label: Text, part: &'static str, value: Option<impl IntoView>) -> impl IntoView {
    value.map(|value| {
        view! {
            <div><dt>{say(label)}</dt><dd part=part>{value}</dd></div>
        }
    })
}

/// Only a refusal says that the payment stands. After any other failure nobody knows.
fn cancel_failed(failure: &Failure) -> Text {
    match failure.code {
        FailureCode::RequestRefused => Text::CancelRefused,
        _ => Text::CancelUnclear,
    }
}

/// The ways out: another token, or none.
fn ways_out(driver: Driver) -> impl IntoView {
    let cancelling = Memo::new(move |_| {
        // Not while the money is, or may be, on its way: from a wallet that the buyer decides in,
        // or in a transaction that is known.
        let is_on_its_way =
            |awaiting: &Awaiting| awaiting.is_wallet_asked() || awaiting.transaction().is_some();
        read(driver, |awaiting| {
            (!is_on_its_way(awaiting)).then(|| awaiting.cancelling.clone())
        })
        .flatten()
        .unwrap_or(Cancelling::Off)
    });
    let may_change = Memo::new(move |_| {
        let is_only = driver.with_config(|config| config.accept.len() == 1);
        !is_only && read(driver, Awaiting::may_change).unwrap_or_default()
    });
    let focus = Succession::new();
    let button = move |node, class, text, event: Event| {
        view! {
            <button type="button" class=class node_ref=node
                on:click=move |_| driver.dispatch(event.clone())>
                {say(text)}
            </button>
        }
    };
    let links = move || {
        view! {
            <div class="links">
                {move || may_change.get().then(|| view! {
                    <button type="button" class="link" part="change"
                        on:click=move |_| driver.dispatch(Event::ChangeAsked)>
                        {say(Text::UseAnother)}
                    </button>
                })}
                {button(focus.next(), "link", Text::Cancel, Event::CancelAsked)}
            </div>
        }
    };
    move || {
        let inside = match cancelling.get() {
            Cancelling::Off => return None,
            Cancelling::No => links().into_any(),
            Cancelling::Asked => view! {
                <p role="alert">{say(Text::CancelSure)}</p>
                <div class="buttons">
                    {button(focus.next(), "quiet", Text::CancelNo, Event::CancelDropped)}
                    {button(NodeRef::new(), "danger", Text::CancelYes, Event::CancelConfirmed)}
                </div>
            }
            .into_any(),
            Cancelling::Sent => view! {
                <p role="status" tabindex="-1" node_ref=focus.next()>{say(Text::CancelSending)}</p>
            }
            .into_any(),
            Cancelling::Failed(failure) => view! {
                <p class="problem" role="alert">{say(cancel_failed(&failure))}</p>
                {links()}
            }
            .into_any(),
        };
        Some(view! { <div class="cancel" part="cancel">{inside}</div> })
    }
}
