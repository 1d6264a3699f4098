//! The whole proxy in a simulation: the real routes, ledger, store on SQLite, poller, notifications and pruning, in one thread
//! under a paused clock, between actors that misbehave.
//!
//! A [`Step`](script::Step) is what one of them does, and a script is a list of steps. Random scripts are played, and one that
//! breaks a [promise](promises) is made as short as possible. The same script always has the same history.
//!
//! What it can't show: several instances and PostgreSQL, which `tests/chaos` has; connections and their limits; how much memory
//! is used; the payment page.
//!
//! | file | contents |
//! |---|---|
//! | `script` | what can happen, and random scripts |
//! | `promises`, `past` | what the proxy promises, as sentences with their checks, and what these read |
//! | `history` | what everybody has seen |
//! | `runner`, `world`, `steps` | play many scripts, one, and each step |
//! | `service`, `buyers`, `shop`, `operator` | the actors |
//! | `network` | requests and answers that are lost, late, cut or slow |
//! | `remains` | what the database has of a script in the end |
//! | `scene` | what outlives a run of the proxy |
//! | `doors` | clock, random numbers and SQLite's thread |

mod buyers;
pub(crate) mod doors;
mod history;
mod network;
mod operator;
mod past;
mod promises;
mod remains;
mod runner;
mod scene;
mod script;
mod service;
mod shop;
mod steps;
mod tests;
mod world;
