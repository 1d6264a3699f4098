//! Every state of the checkout, each with its name and a function that reaches it.
//!
//! The accessibility tests and the gallery run through this list.

mod broken;
mod choosing;
mod ending;
mod paying;
mod wallet;

use std::pin::Pin;

use super::checkout::Checkout;
use super::stage::Stage;

const BITCOIN: &str = "Bitcoin, Bitcoin";
const BNB: &str = "BNB, BNB Smart Chain";
const USDT_ON_ETHEREUM: &str = "Tether USD, Ethereum";
const KXP: &str = "KXP, KXP";

/// One state.
pub(crate) struct State {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    reach: for<'a> fn(&'a Stage) -> Reaching<'a>,
}

type Reaching<'a> = Pin<Box<dyn Future<Output = Checkout<'a>> + 'a>>;

/// The phase of the checkout or the dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Choosing,
    Paying,
    Wallet,
    Ending,
    Broken,
    /// The dashboard, before the list is loaded.
    Login,
    /// The dashboard's list.
    Dashboard,
    /// Cancelling payments in the dashboard.
    Dialog,
}

impl Group {
    pub(crate) const ALL: [Self; 8] = [
        Self::Choosing,
        Self::Paying,
        Self::Wallet,
        Self::Ending,
        Self::Broken,
        Self::Login,
        Self::Dashboard,
        Self::Dialog,
    ];
}

impl State {
    /// Brings the stage's checkout into this state.
    pub(crate) async fn reach<'a>(&self, stage: &'a Stage) -> Checkout<'a> {
        stage.clear().await;
        (self.reach)(stage).await
    }

    /// The state with this name.
    pub(crate) fn named(name: &str) -> &'static Self {
        let mut states = STATES.iter();
        states
            .find(|state| state.name == name)
            .expect("it is in the list")
    }
}

/// An entry of the list.
macro_rules! state {
    ($group:ident, $name:literal, $reach:path) => {
        State {
            name: $name,
            group: Group::$group,
            reach: |stage| Box::pin($reach(stage)),
        }
    };
}

/// All states, in the order in which a buyer may meet them.
pub(crate) const STATES: &[State] = &[
    state!(Choosing, "skeleton", choosing::skeleton),
    state!(Choosing, "first paint", choosing::first_paint),
    state!(Choosing, "choosing", choosing::choosing),
    state!(Choosing, "chosen, with a conversion", choosing::chosen),
    state!(
        Choosing,
        "payer chooses the amount",
        choosing::payer_chooses
    ),
    state!(
        Choosing,
        "field with a problem",
        choosing::field_with_a_problem
    ),
    state!(Choosing, "submitting", choosing::submitting),
    state!(Choosing, "long names and numbers", choosing::long_names),
    state!(Paying, "awaiting bitcoin", paying::awaiting_bitcoin),
    state!(
        Paying,
        "awaiting a rounded amount",
        paying::awaiting_rounded
    ),
    state!(Paying, "awaiting, no address", paying::awaiting_no_address),
    state!(Paying, "code with the amount", paying::code_with_amount),
    state!(Paying, "copied", paying::copied),
    state!(Paying, "hash with a problem", paying::hash_with_a_problem),
    state!(Paying, "status moved", paying::status_moved),
    state!(Paying, "sent", paying::sent),
    state!(Paying, "contradicted", paying::contradicted),
    state!(Wallet, "wallet found", wallet::wallet_found),
    state!(Wallet, "wallet asked", wallet::wallet_asked),
    state!(Wallet, "wallet failed", wallet::wallet_failed),
    state!(Ending, "another token", ending::another_token),
    state!(Ending, "replacing failed", ending::replacing_failed),
    state!(Ending, "cancel?", ending::cancel_asked),
    state!(Ending, "cancelling", ending::cancelling),
    state!(Ending, "cancelling failed", ending::cancel_failed),
    state!(Ending, "cancelled", ending::cancelled),
    state!(Ending, "paid", ending::paid),
    state!(
        Ending,
        "paid, with a transaction",
        ending::paid_with_a_transaction
    ),
    state!(Ending, "closed", ending::closed),
    state!(Ending, "closed, but sent", ending::closed_but_sent),
    state!(Broken, "unavailable", broken::unavailable),
    state!(Broken, "no tokens", broken::no_tokens),
    state!(Broken, "failed", broken::failed),
    state!(Broken, "refused", broken::refused),
    state!(Broken, "not loaded", broken::not_loaded),
    state!(Broken, "unsupported", broken::unsupported),
    state!(Broken, "crashed", broken::crashed),
];
