//! Every state of the checkout, each with its name and a function that reaches it.
//!
//! The accessibility tests and the gallery run through this list.

mod broken;
mod choosing;
mod ending;
mod paying;

use std::pin::Pin;

use super::checkout::Checkout;
use super::stage::{STATUS_CLOSED, STATUS_PENDING, STATUS_UNDERPAID, Stage};

const BITCOIN: &str = "Bitcoin, Bitcoin";
const BNB: &str = "BNB, BNB Smart Chain";
const USDT_ON_ETHEREUM: &str = "Tether USD, Ethereum";
const KXP: &str = "KXP, KXP";

/// One state of an element, which is reached on `S`: a [`Stage`] or an `Office`.
pub(crate) struct State<S> {
    pub(crate) name: &'static str,
    pub(super) reach: for<'a> fn(&'a S) -> Reaching<'a>,
}

pub(super) type Reaching<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

impl State<Stage> {
    /// Brings the stage's checkout into this state.
    pub(crate) async fn reach<'a>(&self, stage: &'a Stage) -> Checkout<'a> {
        stage.clear().await;
        (self.reach)(stage).await;
        stage.browser.checkout("tender-checkout").await
    }

    /// The state with this name.
    pub(crate) fn named(name: &str) -> &'static Self {
        let mut states = STATES.iter();
        states
            .find(|state| state.name == name)
            .expect("it is in the list")
    }
}

/// The list: the modules with their functions, and the name of each state. A function may have a status and a text.
macro_rules! states {
    ($($module:ident { $($name:literal: $reach:ident $(($status:expr, $text:literal))?,)* })*) => {
        &[$($(
            State {
                name: $name,
                reach: |on| Box::pin(async move {
                    $module::$reach(on $(, $status, $text)?).await;
                }),
            },
        )*)*]
    };
}

pub(super) use states;

/// All states, in the order in which a buyer may meet them.
pub(crate) const STATES: &[State<Stage>] = states! {
    choosing {
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
    paying {
        "awaiting bitcoin": awaiting_bitcoin,
        "awaiting a rounded amount": awaiting_rounded,
        "price differs": price_differs,
        "awaiting, no address": awaiting_no_address,
        "code with the amount": code_with_amount,
        "copied": copied,
        "hash with a problem": hash_with_a_problem,
        "status moved": moves("Confirming", "status-moved-title"),
        "sent": sent,
        "marked on another device": marked,
        "contradicted": contradicted,
        "wallet apps": wallet_apps,
        "wallet found": wallet_found,
        "wallet asked": wallet_asked,
        "wallet abandoned": wallet_abandoned,
        "wallet failed": wallet_failed,
    }
    ending {
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
        "order seen": order_seen,
        "paid": paid,
        "paid, with a transaction": paid_with_a_transaction,
        "paid late": paid_late,
        "closed": moves(STATUS_CLOSED, "closed"),
        "closed, but sent": closed_but_sent,
    }
    broken {
        "unavailable": unavailable,
        "no tokens": no_tokens,
        "failed": failed,
        "refused": refused,
        "not loaded": not_loaded,
        "unsupported": unsupported,
        "crashed": crashed,
    }
};
