//! Set-up and automation. `cargo xtask` lists the commands.
//!
//! - [`commands`]: one file per command;
//! - [`tools`]: the tools that are not crates: their versions, how they are found and installed;
//! - [`bundle`]: turns trunk's output into the files that a proxy serves under `/v1/`;
//! - [`compile`]: builds of programs, without the paths of this machine;
//! - [`step`]: the steps of a test run;
//! - [`workspace`], [`error`]: the repository's folders, running programs, the errors.

mod bundle;
mod commands;
mod compile;
mod error;
mod step;
mod tools;
mod workspace;

use std::process::ExitCode;

use lexopt::prelude::*;

use crate::commands::{
    bench, demo, dist, docs, doctor, fuzz, gallery, loaders, npm, release, setup, size, test,
};
use crate::error::{Error, Result};
use crate::workspace::Workspace;

const USAGE: &str = "\
Set-up and automation of Tender.

Usage: cargo xtask <command>

  demo [--origin ORIGIN]... [--shop ADDR] [--proxy ADDR] [--service ADDR] [--rates ADDR]
                  build and start a shop, the proxy and a sandbox
  test [step...]  run all tests, or these steps: newcomer, fmt, clippy, deny, native, browser, dist, e2e
  fuzz [seconds]  run the fuzz and property tests with other inputs, for this long (default: 600)
  dist            build the widget into dist/, and the release proxy with the widget inside
  docs            make the documentation site, in target/book
  npm             assemble and pack the npm package, into target/npm
  release         make the archives of a release, with checksums and a bill of materials, in target/artifacts
  gallery         take screenshots of every state of both elements, into target/gallery
  size            compare the size of each file that a buyer downloads with size-budget.txt
  bench proxy [rounds [seconds]]
                  compare the proxy with nginx and with a proxy on Node.js
  bench widget [--rounds N] [--only VARIANT]... [--profile slow|plain] [--no-tasks]
                  compare the widget with other checkouts
  bench memory [rounds [other tender-proxy]]
                  measure the proxy's memory in a burst of forms, beside another build
  bench following [watchers [payments]]
                  measure the proxy while buyers watch their payments: memory, delay, upstream requests
  setup [step...] install the tools of all steps, or of these
  doctor          list the tools, and what needs them
  loaders         bundle the loaders that the browser tests include; `test` does this, too
  bundle          trunk's post-build hook; not for use by hand

Each command first installs the tools that it needs, into ~/.cache/tender or the folder in TENDER_TOOLS.";

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
        "docs" => no_more(args).and_then(|()| docs::run(&workspace)),
        "doctor" => no_more(args).and_then(|()| doctor::run(&workspace)),
        "gallery" => no_more(args).and_then(|()| gallery::run(&workspace)),
        "fuzz" => fuzz::run(&workspace, args),
        "loaders" => no_more(args).and_then(|()| loaders::run(&workspace)),
        "npm" => no_more(args).and_then(|()| npm::run(&workspace)),
        "release" => no_more(args).and_then(|()| release::run(&workspace)),
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
