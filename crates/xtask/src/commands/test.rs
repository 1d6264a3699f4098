//! `cargo xtask test`: every check that a change must pass, in order, and the number of tests at the end.

mod deny;
mod engines;
mod newcomer;
mod tally;

use std::io::{self, BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum as _;

use self::engines::Engine;
use self::tally::Tally;
use super::{dist, docs, loaders, npm, release, size};
use crate::compile;
use crate::error::{Error, Result};
use crate::step::Step;
use crate::tools::{self, Toolbox};
use crate::workspace::{self, Workspace};

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
        let mut run = Run {
            workspace,
            toolbox: tools::ensure(workspace, steps)?,
            tally: &mut tally,
        };
        for &step in steps {
            println!("\n==> {step}: {}", step.about());
            let start = Instant::now();
            let left_out = run.step(step).map_err(|cause| Error::Step {
                step,
                cause: cause.into(),
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
    toolbox: Toolbox,
    tally: &'a mut Tally,
}

impl Run<'_> {
    /// Runs a step. Returns what it had to skip.
    fn step(&mut self, step: Step) -> Result<Option<&'static str>> {
        match step {
            Step::Newcomer => newcomer::run(self),
            Step::Fmt => workspace::run(&mut self.cargo("fmt --all --check")),
            Step::Clippy => self.clippy(),
            Step::Deny => return deny::run(self.workspace, &self.toolbox),
            Step::Native => self.native(),
            Step::Browser => self.browser(),
            Step::Dist => {
                dist::build(self.workspace, &self.toolbox).and_then(|()| size::run(self.workspace))
            }
            Step::E2e => self.end_to_end(),
        }
        .map(|()| None)
    }

    /// `cargo` with these arguments, and the tools on its `PATH`.
    fn cargo(&self, words: &str) -> Command {
        let mut command = self.workspace.command("cargo");
        command
            .args(words.split_whitespace())
            .env("PATH", self.toolbox.path());
        command
    }

    /// The packages that touch the DOM are only built for WebAssembly.
    fn clippy(&self) -> Result<()> {
        loaders::bundle(self.workspace, &self.toolbox)?;
        let [dom, others] = [packages("--package"), packages("--exclude")];
        for words in [
            format!("clippy --workspace {others} --all-targets --all-features -- -D warnings"),
            format!("clippy --target wasm32-unknown-unknown {dom} --all-targets -- -D warnings"),
        ] {
            workspace::run(&mut self.cargo(&words))?;
        }
        Ok(())
    }

    fn native(&mut self) -> Result<()> {
        docs::build(self.workspace, &self.toolbox)?;
        let mut command = self.cargo("test --workspace --no-fail-fast");
        command.envs(self.toolbox.variables());
        self.tests(command)
    }

    /// The tests of the elements, which need a page: wasm-bindgen's runner serves one, and controls the browser.
    fn browser(&mut self) -> Result<()> {
        loaders::bundle(self.workspace, &self.toolbox)?;
        for engine in engines::all(&self.toolbox)? {
            self.in_page(&engine)?;
        }
        Ok(())
    }

    /// The tests of the elements in this browser.
    fn in_page(&mut self, engine: &Engine) -> Result<()> {
        let packages = packages("--package");
        let mut command = self.cargo(&format!(
            "test --target wasm32-unknown-unknown {packages} --no-fail-fast --"
        ));
        command
            .args(engine.left_out().flat_map(|test| ["--skip", test]))
            .env(
                "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
                self.toolbox.program("wasm-bindgen-cli"),
            )
            .envs(engine.variables.iter().cloned())
            .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TIMEOUT)
            .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", DRIVER_TIMEOUT);
        self.tests(command)
    }

    fn end_to_end(&mut self) -> Result<()> {
        let mut command = self.cargo("test --package tender-e2e --features browser --no-fail-fast");
        command.envs(self.toolbox.variables());
        let npm = npm::pack(self.workspace)?;
        let host = compile::host(self.workspace)?;
        command.env(
            "TENDER_RELEASE",
            release::make(self.workspace, &[&host], &npm)?,
        );
        command.env("TENDER_NPM", npm);
        self.tests(command)
    }

    /// Runs end-to-end tests that need the running demo, whose shop is at this address.
    fn end_to_end_on_request(&mut self, name: &str, shop: &str) -> Result<()> {
        let mut command = self.cargo(&format!(
            "test --package tender-e2e --features browser -- --ignored --exact {name}"
        ));
        command
            .envs(self.toolbox.variables())
            .env("TENDER_DEMO", shop);
        self.tests(command)
    }

    /// Runs tests, prints their output, and counts them.
    fn tests(&mut self, mut command: Command) -> Result<()> {
        workspace::announce(&command);
        let mut child = workspace::start(command.stdout(Stdio::piped()))?;
        if let Some(output) = child.stdout.take() {
            self.show_and_count(BufReader::new(output))?;
        }
        workspace::finish(&command, child)
    }

    fn show_and_count(&mut self, mut output: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line)? > 0 {
            let mut shown = io::stdout().lock();
            shown.write_all(&line)?;
            shown.flush()?;
            self.tally.read(&String::from_utf8_lossy(&line));
            line.clear();
        }
        Ok(())
    }
}
