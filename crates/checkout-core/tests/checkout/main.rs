//! The checkout through its public interface: attributes, records and responses in, states and effects out.
//!
//! `config` to `send` test the data types, `paying` to `sequences` the state machine.

#[cfg(test)]
mod abandoned;
#[cfg(test)]
mod address;
#[cfg(test)]
mod attempts;
#[cfg(test)]
mod cancelling;
#[cfg(test)]
mod changing;
#[cfg(test)]
mod choice;
#[cfg(test)]
mod config;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod contradictions;
#[cfg(test)]
mod ended;
#[cfg(test)]
mod failure;
#[cfg(test)]
mod finding;
#[cfg(test)]
mod form;
#[cfg(test)]
mod link;
#[cfg(test)]
mod marks;
#[cfg(test)]
mod mismatch;
#[cfg(test)]
mod order;
#[cfg(test)]
mod paying;
#[cfg(test)]
mod payment_uri;
#[cfg(test)]
mod polling;
#[cfg(test)]
mod proofs;
#[cfg(test)]
mod qr;
#[cfg(test)]
mod responses;
#[cfg(test)]
mod returning;
#[cfg(test)]
mod saved;
#[cfg(test)]
mod send;
#[cfg(test)]
mod sequences;
#[cfg(test)]
mod states;
#[cfg(test)]
mod streaming;
#[cfg(test)]
mod support;
#[cfg(test)]
mod test_mode;
#[cfg(test)]
mod transaction;
#[cfg(test)]
mod wallet_apps;
#[cfg(test)]
mod wallets;
