//! `cargo xtask test`: every check that a change must pass, in order, and the number of tests at the end.

mod deny;
mod engines;
mod newcomer;
mod tally;

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum as _;
use xshell::{Cmd, cmd};

use self::engines::Engine;
use self::tally::Tally;
use super::{dist, docs, loaders, npm, release, size};
use crate::step::Step;
use crate::workspace::Workspace;
use crate::{compile, tools};

/// Timeouts in seconds, of a file of browser tests and of starting the driver: the defaults, 20 and 5, are too short on a
/// busy machine.
const BROWSER_TIMEOUT: &str = "600";
const DRIVER_TIMEOUT: &str = "60";

/// The packages that are only built for WebAssembly: the elements, and what they share.
const DOM_PACKAGES: [&str; 4] = [
    "tender-checkout",
    "tender-element",
    "tender-element-testing",
    "tender-payments",
];

pub(crate) fn run(workspace: &Workspace, steps: &[Step]) -> Result<()> {
    let is_full = steps == Step::value_variants();
    let first = usize::from(is_full && !newcomer::is_new_clone(workspace));
    let steps = steps.get(first..).unwrap_or_default();
    let mut tally = Tally::default();
    let mut summary = Vec::new();
    // The demo installs its tools itself, so the tools of the other steps come after it.
    for steps in steps.chunk_by(|step, _| *step != Step::Newcomer) {
        tools::ensure(workspace, steps)?;
        let mut run = Run {
            workspace,
            tally: &mut tally,
        };
        for &step in steps {
            println!("\n==> {step}: {}", step.about());
            let start = Instant::now();
            let left_out = run.step(step).with_context(|| {
                format!(
                    "the step `{step}` failed (run it again alone with `cargo xtask test {step}`)"
                )
            })?;
            summary.push((step, start.elapsed(), left_out.unwrap_or_default()));
        }
    }
    println!("\n==> All passed");
    for (step, time, left_out) in summary {
        let line = format!("    {step:<8} {:>9}  {left_out}", minutes(time));
        println!("{}", line.trim_end());
    }
    println!("{tally}");
    Ok(())
}

/// `1 m 05 s`
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{seconds} s")
    } else {
        format!("{} m {:02} s", seconds / 60, seconds % 60)
    }
}

/// The [`DOM_PACKAGES`], each after this flag.
fn packages(flag: &str) -> String {
    let flags = DOM_PACKAGES.map(|package| format!("{flag} {package}"));
    flags.join(" ")
}

struct Run<'a> {
    workspace: &'a Workspace,
    tally: &'a mut Tally,
}

impl<'a> Run<'a> {
    /// Runs a step. Returns what it had to skip.
    fn step(&mut self, step: Step) -> Result<Option<&'static str>> {
        match step {
            Step::Newcomer => newcomer::run(self)?,
            Step::Fmt => self.cargo("fmt --all --check").run()?,
            Step::Clippy => self.clippy()?,
            Step::Deny => return deny::run(self.workspace),
            Step::Native => {
                docs::build(self.workspace)?;
                self.tests(self.cargo("test --workspace --no-fail-fast"))?;
            }
            Step::Browser => self.browser()?,
            Step::Dist => {
                dist::build(self.workspace)?;
                size::run(self.workspace)?;
            }
            Step::E2e => self.end_to_end()?,
        }
        Ok(None)
    }

    /// `cargo` with these arguments.
    fn cargo(&self, words: &str) -> Cmd<'a> {
        cmd!(self.workspace.sh, "cargo").args(words.split_whitespace())
    }

    /// The packages that touch the DOM are only built for WebAssembly.
    fn clippy(&self) -> Result<()> {
        loaders::bundle(self.workspace)?;
        let [dom, others] = [packages("--package"), packages("--exclude")];
        for words in [
            format!("clippy --workspace {others} --all-targets --all-features -- -D warnings"),
            format!("clippy --target wasm32-unknown-unknown {dom} --all-targets -- -D warnings"),
        ] {
            self.cargo(&words).run()?;
        }
        Ok(())
    }

    /// The tests of the elements, which need a page: wasm-bindgen's runner serves one, and controls the browser.
    fn browser(&mut self) -> Result<()> {
        loaders::bundle(self.workspace)?;
        for engine in Engine::ALL {
            self.in_page(engine)?;
        }
        Ok(())
    }

    /// The tests of the elements in this browser.
    fn in_page(&mut self, engine: Engine) -> Result<()> {
        let packages = packages("--package");
        let command = self.cargo(&format!(
            "test --target wasm32-unknown-unknown {packages} --no-fail-fast --"
        ));
        let command = command
            .args(engine.left_out().iter().flat_map(|test| ["--skip", test]))
            .env(
                "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
                engine.runner(),
            )
            // The runner takes the first driver that has a variable.
            .env_remove("CHROMEDRIVER")
            .env_remove("GECKODRIVER")
            .envs(engine.variables().iter().copied())
            .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TIMEOUT)
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", DRIVER_TIMEOUT);
        self.tests(command)
    }

    fn end_to_end(&mut self) -> Result<()> {
        let npm = npm::pack(self.workspace)?;
        let host = compile::host(self.workspace)?;
        let release = release::make(self.workspace, &[&host], &npm)?;
        let command = self.cargo("test --package tender-e2e --features browser --no-fail-fast");
        self.tests(
            command
                .env("TENDER_RELEASE", release)
                .env("TENDER_NPM", npm),
        )
    }

    /// Runs end-to-end tests that need the running demo, whose shop is at this address.
    fn end_to_end_on_request(&mut self, name: &str, shop: &str) -> Result<()> {
        let command = self.cargo(&format!(
            "test --package tender-e2e --features browser -- --ignored --exact {name}"
        ));
        self.tests(command.env("TENDER_DEMO", shop))
    }

    /// Runs tests, prints their output, and counts them.
    fn tests(&mut self, command: Cmd) -> Result<()> {
        let line = command.to_string();
        println!("    $ {line}");
        let mut command = Command::from(command);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut output = BufReader::new(child.stdout.take().context("the tests have no output")?);
        let mut bytes = Vec::new();
        while output.read_until(b'\n', &mut bytes)? > 0 {
            let mut shown = io::stdout().lock();
            shown.write_all(&bytes)?;
            shown.flush()?;
            self.tally.read(&String::from_utf8_lossy(&bytes));
            bytes.clear();
        }
        let status = child.wait()?;
        ensure!(status.success(), "`{line}` failed ({status})");
        Ok(())
    }
}
