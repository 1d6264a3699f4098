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
//! | [`proxy`] | the proxy compared with its alternatives |
//! | [`memory`] | the proxy's memory in a burst of requests |
//! | [`following`] | the proxy's event streams |
//! | [`server`] | server processes |
//! | [`orders`] | signed orders |
//! | [`figures`] | medians and their spread, and goals |

mod figures;
mod following;
mod memory;
mod orders;
mod proxy;
mod server;
mod widget;

use std::path::PathBuf;

use anyhow::Result;
use clap::builder::RangedI64ValueParser;
use clap::{Parser, ValueEnum};

/// Runs benchmarks that compare programs side by side. `cargo xtask bench` builds the programs first.
#[derive(Parser)]
enum Bench {
    /// Compares the proxy with nginx, and with a proxy on Node.js.
    Proxy {
        #[arg(default_value_t = 3, value_parser = above_zero())]
        rounds: u32,
        #[arg(default_value_t = 4, value_parser = above_zero())]
        seconds: u32,
        /// Another build of the proxy, such as that of an earlier commit: compares only the two.
        other: Option<PathBuf>,
    },
    /// Measures the proxy's memory in a burst of forms.
    Memory {
        #[arg(default_value_t = 3, value_parser = above_zero())]
        rounds: u32,
        /// Another build of the proxy, such as that of an earlier commit.
        other: Option<PathBuf>,
    },
    /// Measures the proxy while buyers watch their payments: memory, delay, upstream requests.
    Following {
        #[arg(default_value_t = 10_000, value_parser = above_zero())]
        watchers: u32,
        #[arg(default_value_t = 100, value_parser = above_zero())]
        payments: u32,
    },
    /// Compares the widget with other checkouts.
    Widget(widget::Arguments),
}

fn above_zero() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..)
}

/// The name of a value in options and files.
fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

fn main() -> Result<()> {
    match Bench::parse() {
        Bench::Proxy {
            rounds,
            seconds,
            other,
        } => proxy::run(rounds, seconds, other),
        Bench::Memory { rounds, other } => memory::run(rounds, other),
        Bench::Following { watchers, payments } => following::run(watchers, payments),
        Bench::Widget(arguments) => widget::run(arguments),
    }
}
