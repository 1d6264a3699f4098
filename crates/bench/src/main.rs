//! Measurements side by side: `cargo xtask bench proxy` builds what is measured, installs what it is
//! measured with, and runs this.
//!
//! Every figure of a table comes from one run on one machine, with the contenders taking turns. A
//! table holds medians with their spread, and ratios: those survive a noisy machine.
//!
//! | module | what it holds |
//! |---|---|
//! | [`widget`] | the widget beside other checkouts |
//! | [`proxy`] | the proxy beside what one would use in its place |
//! | [`contender`] | the proxy, and what one would use in its place |
//! | [`server`] | a program that runs while it is measured |
//! | [`load`] | the load generator |
//! | [`orders`] | the requests that the load is made of |
//! | [`figures`] | medians and their spread |

mod contender;
mod error;
mod figures;
mod load;
mod orders;
mod proxy;
mod server;
mod widget;

use std::process::ExitCode;

use lexopt::prelude::*;

use crate::error::Error;

const USAGE: &str = "\
Measures side by side. The programs that are measured must be built: `cargo xtask bench` does that.

Usage: tender-bench proxy [ROUNDS [SECONDS]]
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
    match args.next()? {
        Some(Value(what)) if what == "widget" => widget::run(args),
        Some(Value(what)) if what == "proxy" => {
            let mut numbers = args
                .raw_args()?
                .map(|text| text.to_string_lossy().into_owned());
            let rounds = number(numbers.next(), 3)?;
            let seconds = number(numbers.next(), 4)?;
            proxy::run(rounds, seconds)
        }
        _ => {
            println!("{USAGE}");
            Ok(())
        }
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
