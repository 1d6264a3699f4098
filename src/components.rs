//! The views of the checkout. Each component shows one thing and is named for it.
//!
//! Components read the state through [`use_driver`](crate::driver::use_driver) and dispatch events to it. They never
//! call the network, and they touch the DOM only in event handlers and effects.
//!
//! | module | what it shows |
//! |---|---|
//! | [`checkout`] | the root: one view for each kind of state |
//! | [`skeleton`], [`unavailable`] | while the tokens load, and when they cannot be loaded |
//! | [`form`] | the choice of a token, up to the submit |
//! | [`payment`] | what to pay, where, and the progress of the payment |
//! | [`contact`] | how to reach the shop |
//! | [`detail`] | a label with its value |
//! | [`exact_amount`] | an amount with all its digits |
//! | [`not_payable`] | a payment to which no money should be sent any more |
//! | [`explorer`] | the link to the block explorer |
//! | [`controls`] | buttons and warnings that several views use |

#![expect(
    unreachable_pub,
    reason = "`#[component]` generates public builders for the properties"
)]

mod ask_again;
mod checkout;
mod contact;
mod controls;
mod detail;
mod exact_amount;
mod explorer;
mod failure;
mod form;
mod not_payable;
mod not_updated;
mod payment;
mod unavailable;

use leptos::prelude::Memo;
use tender_checkout_core::{CheckoutPayment, State};

pub(crate) use self::checkout::Checkout;
use crate::driver::Driver;

/// Reads the payment, in every state that shows one.
fn with_payment<T>(driver: Driver, read: impl FnOnce(&CheckoutPayment) -> T) -> Option<T> {
    driver.with(|state| State::payment(state).map(read))
}

/// Whether this is so of the payment, in a state that shows one.
fn payment_is(driver: Driver, read: fn(&CheckoutPayment) -> bool) -> bool {
    with_payment(driver, read).unwrap_or_default()
}

/// A value that is derived from the payment, for effects that run only when the value changes; the default without a payment.
fn payment_memo<T: Default + PartialEq + Send + Sync + 'static>(
    driver: Driver,
    read: fn(&CheckoutPayment) -> T,
) -> Memo<T> {
    Memo::new(move |_| with_payment(driver, read).unwrap_or_default())
}

fn is_transaction_known(payment: &CheckoutPayment) -> bool {
    payment.transaction().is_some()
}
