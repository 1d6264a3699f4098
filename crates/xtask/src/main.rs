//! Set-up and automation. `cargo xtask` lists the commands.
//!
//! - [`commands`]: one file per command;
//! - [`tools`]: the tools that are not crates: which version, what for, where found, how installed;
//! - [`bundle`]: from trunk's output to the files that a proxy serves under `/v1/`;
//! - [`step`]: the steps of a test run, and with them who needs which tool;
//! - [`workspace`], [`lockfile`], [`error`]: where we are, what is pinned, what can go wrong.

mod bundle;
mod commands;
mod error;
mod lockfile;
mod step;
mod tools;
mod workspace;

use std::process::ExitCode;

use lexopt::prelude::*;

use crate::commands::{bench, demo, dist, doctor, fuzz, gallery, loaders, setup, size, test};
use crate::error::{Error, Result};
use crate::workspace::Workspace;

const USAGE: &str = "\
Set-up and automation of Tender.

Usage: cargo xtask <command>

  demo [--shop ADDR] [--proxy ADDR] [--service ADDR] [--rates ADDR]
                  install what the demo needs, build, start a shop, the proxy and a sandbox
  test [step...]  install what the tests need and run them: all steps, or those named, of
                  fmt, clippy, deny, native, browser, dist, e2e
  fuzz [seconds]  feed every parser that reads the network with damaged examples, for so long each (60)
  dist            build the widget into dist/, and the release proxy with the widget inside
  gallery         pictures of every state of both elements, into target/gallery
  setup [step...] only install what all steps, or those named, need
  bench proxy [rounds [seconds]]
                  measure the proxy beside nginx and a proxy on Node.js, and print the table
  bench widget [--rounds N] [--only VARIANT]... [--profile slow|plain] [--no-tasks]
                  measure the widget beside other checkouts, and print the tables
  bench following [watchers [payments]]
                  measure buyers who watch their payments: memory, delay, requests to the service
  size            hold each file that a buyer downloads against its budget; the tests do so, too
  doctor          explain the state of the tools
  bundle          trunk's post-build hook: lay out the files that a proxy serves

Tools go to a folder per user, which TENDER_TOOLS overrides.";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    if std::env::args()
        .skip(1)
        .any(|arg| arg == "--help" || arg == "-h")
    {
        println!("{USAGE}");
        return Ok(());
    }
    let mut args = lexopt::Parser::from_env();
    let command = match args.next()? {
        Some(Value(command)) => command.string()?,
        Some(other) => return Err(other.unexpected().into()),
        None => {
            println!("{USAGE}");
            return Ok(());
        }
    };
    let workspace = Workspace::locate()?;
    match command.as_str() {
        "bench" => bench::run(&workspace, args),
        "bundle" => no_more(args).and_then(|()| bundle::run(&workspace)),
        "demo" => demo::run(&workspace, &demo::Addresses::from_args(args)?),
        "dist" => no_more(args).and_then(|()| dist::run(&workspace)),
        "doctor" => no_more(args).and_then(|()| doctor::run(&workspace)),
        "gallery" => no_more(args).and_then(|()| gallery::run(&workspace)),
        "fuzz" => fuzz::run(&workspace, args),
        "loaders" => no_more(args).and_then(|()| loaders::run(&workspace)),
        "setup" => setup::run(&workspace, &step::from_args(args)?),
        "size" => no_more(args).and_then(|()| size::run(&workspace)),
        "test" => test::run(&workspace, &step::from_args(args)?),
        _ => Err(Error::UnknownCommand { command }),
    }
}

fn no_more(mut args: lexopt::Parser) -> Result<()> {
    match args.next()? {
        None => Ok(()),
        Some(extra) => Err(extra.unexpected().into()),
    }
}
