//! The public interface of the crate, tested against a simulated list that grows and changes while it
//! is read.

#[cfg(test)]
mod cancelling;
#[cfg(test)]
mod config;
#[cfg(test)]
mod deliveries;
#[cfg(test)]
mod export;
#[cfg(test)]
mod filtering;
#[cfg(test)]
mod key;
#[cfg(test)]
mod links;
#[cfg(test)]
mod live;
#[cfg(test)]
mod order_action;
#[cfg(test)]
mod paging;
#[cfg(test)]
mod search;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod timeline;
#[cfg(test)]
mod totals;
