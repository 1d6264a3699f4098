//! Benchmarks: `cargo xtask bench proxy` builds the programs to measure, installs the tools, and
//! runs this program.
//!
//! All figures of a table are measured in one run on one machine, with the contenders taking turns.
//! The tables show medians with their spread, and ratios, because a noisy machine affects ratios
//! least.
//!
//! | module | contents |
//! |---|---|
//! | [`widget`] | the widget compared with other checkouts |
//! | [`memory`] | the proxy's memory in a burst of requests |
//! | [`proxy`] | the proxy compared with its alternatives |
//! | [`contender`] | the proxy and its alternatives |
//! | [`server`] | a server process |
//! | [`load`] | the load generator |
//! | [`orders`] | the requests of the load |
//! | [`figures`] | medians and their spread |

mod contender;
mod error;
mod figures;
mod load;
mod memory;
mod orders;
mod proxy;
mod server;
mod widget;

use std::process::ExitCode;

use lexopt::prelude::*;

use crate::error::Error;

const USAGE: &str = "\
Runs benchmarks that compare programs side by side. `cargo xtask bench` builds the programs first.

Usage: tender-bench proxy [ROUNDS [SECONDS]]
       tender-bench memory [ROUNDS [OTHER_PROXY]]
       tender-bench widget [--rounds N] [--only VARIANT]... [--profile slow|plain] [--no-tasks]";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Error> {
    let mut args = lexopt::Parser::from_env();
    let Some(Value(what)) = args.next()? else {
        println!("{USAGE}");
        return Ok(());
    };
    if what == "widget" {
        return widget::run(args);
    }
    let words = args.raw_args()?;
    let mut words = words.map(|word| word.to_string_lossy().into_owned());
    match what.to_string_lossy().as_ref() {
        "proxy" => proxy::run(number(words.next(), 3)?, number(words.next(), 4)?),
        "memory" => memory::run(number(words.next(), 3)?, words.next()),
        other => Err(Error::Unknown(other.to_owned())),
    }
}

fn number(text: Option<String>, default: u32) -> Result<u32, Error> {
    match text {
        None => Ok(default),
        Some(text) => match text.parse() {
            Ok(number) if number > 0 => Ok(number),
            _ => Err(Error::NotANumber(text)),
        },
    }
}
