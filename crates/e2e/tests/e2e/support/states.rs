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
use super::stage::{STATUS_CLOSED, STATUS_PENDING, STATUS_UNDERPAID, Stage};

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

/// The list: groups, the modules with their functions, and the name of each state. A function may have a status and a text.
macro_rules! states {
    ($($group:ident in $module:ident { $($name:literal: $reach:ident $(($status:expr, $text:literal))?,)* })*) => {
        &[$($(
            State {
                name: $name,
                group: Group::$group,
                reach: |stage| Box::pin($module::$reach(stage $(, $status, $text)?)),
            },
        )*)*]
    };
}

pub(super) use states;

/// All states, in the order in which a buyer may meet them.
pub(crate) const STATES: &[State] = states! {
    Choosing in choosing {
        "skeleton": skeleton,
        "first paint": first_paint,
        "choosing": choosing,
        "chosen, with a conversion": chosen,
        "payer chooses the amount": payer_chooses,
        "field with a problem": field_with_a_problem,
        "test mode": test_mode,
        "submitting": submitting,
        "long names and numbers": long_names,
    }
    Paying in paying {
        "awaiting bitcoin": awaiting_bitcoin,
        "awaiting a rounded amount": awaiting_rounded,
        "awaiting, no address": awaiting_no_address,
        "code with the amount": code_with_amount,
        "copied": copied,
        "hash with a problem": hash_with_a_problem,
        "status moved": moves("Confirming", "status-moved-title"),
        "sent": sent,
        "marked on another device": marked,
        "contradicted": contradicted,
    }
    Wallet in wallet {
        "wallet apps": wallet_apps,
        "wallet found": wallet_found,
        "wallet asked": wallet_asked,
        "wallet failed": wallet_failed,
    }
    Ending in ending {
        "another token": another_token,
        "another token, on another device": another_token_elsewhere,
        "replacing failed": replacing_failed,
        "cancel?": cancel_asked,
        "cancelling": cancelling,
        "cancelling failed": cancel_failed,
        "cancelled": cancelled,
        "unknown": unknown,
        "pending": moves(STATUS_PENDING, "pending"),
        "underpaid": moves(STATUS_UNDERPAID, "underpaid"),
        "order paid": order_paid,
        "paid": paid,
        "paid, with a transaction": paid_with_a_transaction,
        "paid late": paid_late,
        "closed": moves(STATUS_CLOSED, "closed"),
        "closed, but sent": closed_but_sent,
    }
    Broken in broken {
        "unavailable": unavailable,
        "no tokens": no_tokens,
        "failed": failed,
        "refused": refused,
        "not loaded": not_loaded,
        "unsupported": unsupported,
        "crashed": crashed,
    }
};
