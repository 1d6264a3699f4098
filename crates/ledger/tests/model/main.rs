//! Walks through the states of a model: two instances of the proxy work on the orders of buyers and the merchant, with
//! [`tender_ledger::decide`] as the only rule, in front of a service that loses and delays requests and answers and whose payments are paid
//! and closed meanwhile. An instance may crash or be suspended between any two of its actions.
//!
//! The bound is `upstream_settle_seconds`: what an instance sends arrives before a search for it begins, and the list is read
//! when its page arrives. The check of a deadline and the sending are one step, because a body is written only before its
//! deadline. Beyond that, the documentation says what may happen.
//!
//! `cargo test -p tender-ledger --test model --release -- --ignored` goes deeper.

#[cfg(test)]
mod walk;
#[cfg(test)]
mod world;
