//! Tests of the sandbox over HTTP.
//!
//! `tokens`, `list`, `cancel` and `create` follow the endpoints of the service's document: each
//! test has the sentence that it checks above it. The other modules test what the sandbox adds:
//! refusals, faults and controls.

#[cfg(test)]
mod cancel;
#[cfg(test)]
mod controls;
#[cfg(test)]
mod create;
#[cfg(test)]
mod events;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod list;
#[cfg(test)]
mod page;
#[cfg(test)]
mod refusals;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tokens;
