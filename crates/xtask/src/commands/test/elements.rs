//! The tests of the elements, which need a page: wasm-bindgen's runner serves one, and controls a browser.

use std::path::PathBuf;
use std::process;

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use serde_json::Value;
use xshell::{Cmd, cmd};

use super::loaders;
use crate::compile::WASM;
use crate::workspace::Workspace;

/// The packages that are only built for WebAssembly: the elements, and what they share.
pub(super) const PACKAGES: [&str; 4] = [
    "tender-checkout",
    "tender-element",
    "tender-element-testing",
    "tender-payments",
];

/// Timeouts in seconds, of a file of tests and of starting the driver: the defaults, 20 and 5, are too short on a busy machine.
const BROWSER_TIMEOUT: &str = "600";
const DRIVER_TIMEOUT: &str = "60";

/// How the runner starts browsers. It takes the file of the folder that it runs in, or that of a variable.
const CAPABILITIES: &str = "webdriver.json";
const CAPABILITIES_VARIABLE: &str = "WASM_BINDGEN_TEST_WEBDRIVER_JSON";

/// Builds the tests. They include the loaders.
pub(super) fn build(workspace: &Workspace) -> Result<()> {
    loaders::bundle(workspace)?;
    Ok(cargo_test(workspace, &PACKAGES).arg("--no-run").run()?)
}

/// Runs all tests in this browser.
pub(super) fn run_all(workspace: &Workspace, engine: Engine) -> Result<()> {
    run(workspace, engine, &PACKAGES, &[])
}

/// Runs the tests of these packages in this browser; `arguments` are for `cargo test`.
pub(super) fn run(
    workspace: &Workspace,
    engine: Engine,
    packages: &[&str],
    arguments: &[String],
) -> Result<()> {
    let left_out = engine.left_out().iter();
    let only = engine.only().filter(|_| arguments.is_empty());
    let command = cargo_test(workspace, packages)
        .arg("--no-fail-fast")
        .args(only)
        .args(arguments)
        .arg("--")
        .args(left_out.flat_map(|test| ["--skip", test]))
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
            engine.runner(),
        )
        // The runner takes the first driver that has a variable.
        .env_remove("CHROMEDRIVER")
        .env_remove("GECKODRIVER")
        .envs(engine.variables().iter().copied())
        .envs(
            engine
                .capabilities(workspace)?
                .map(|file| (CAPABILITIES_VARIABLE, file)),
        )
        .env("WASM_BINDGEN_TEST_TIMEOUT", BROWSER_TIMEOUT)
        .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", DRIVER_TIMEOUT);
    Ok(command.run()?)
}

fn cargo_test<'a>(workspace: &'a Workspace, packages: &[&str]) -> Cmd<'a> {
    let packages = packages.iter().flat_map(|package| ["--package", package]);
    cmd!(workspace.sh, "cargo test --target {WASM} {packages...}")
}

/// A browser for wasm-bindgen's test runner.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Engine {
    Chromium,
    /// Chromium that computes roles and names in a page. Tests take three times as long in it.
    ChromiumAccessibility,
    Firefox,
    Webkit,
}

impl Engine {
    /// The tests that don't run in it, by the beginning of each name: `module::`, or `module::function`.
    const fn left_out(self) -> &'static [&'static str] {
        match self {
            Self::ChromiumAccessibility => &[],
            Self::Chromium | Self::Firefox => &["accessibility::"],
            Self::Webkit => &[
                "accessibility::",
                // They need the garbage collector, which no page can call in WebKitGTK.
                "lifecycle::the_browser_can_collect_removed_elements",
                "lifecycle::the_table_of_what_is_held_does_not_grow_with_each_element",
                // It passes, but the stand-in for the stream may stay open in WebKitGTK, which later tests notice. Why is not known.
                "long_lived::",
            ],
        }
    }

    /// The tests that run in it if no others are named: those that compare the library that computes roles and names with the
    /// browser.
    const fn only(self) -> Option<&'static str> {
        match self {
            Self::ChromiumAccessibility => Some("accessibility::"),
            Self::Chromium | Self::Firefox | Self::Webkit => None,
        }
    }

    /// How it is started, if not as [`CAPABILITIES`] says.
    fn capabilities(self, workspace: &Workspace) -> Result<Option<PathBuf>> {
        if !matches!(self, Self::ChromiumAccessibility) {
            return Ok(None);
        }
        let sh = &workspace.sh;
        let mut capabilities: Value = serde_json::from_str(&sh.read_file(CAPABILITIES)?)?;
        let arguments = capabilities.pointer_mut("/goog:chromeOptions/args");
        let arguments = arguments.and_then(Value::as_array_mut);
        arguments
            .with_context(|| format!("{CAPABILITIES} has no arguments of Chromium"))?
            .push("--enable-blink-features=ComputedAccessibilityInfo".into());
        let file = workspace.target().join("webdriver-accessibility.json");
        sh.write_file(&file, capabilities.to_string())?;
        Ok(Some(file))
    }

    /// The command that runs tests.
    fn runner(self) -> String {
        match self {
            Self::Chromium | Self::ChromiumAccessibility | Self::Firefox => {
                "wasm-bindgen-test-runner".to_owned()
            }
            // This program: the tests may build it again, so that its file may be another one by now.
            Self::Webkit => format!("/proc/{}/exe webkit", process::id()),
        }
    }

    /// Environment variables of the runner, which knows the WebDriver of `WebKitGTK` by the name of Safari's.
    const fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Chromium | Self::ChromiumAccessibility => &[("CHROMEDRIVER", "chromedriver")],
            Self::Firefox => &[("GECKODRIVER", "geckodriver")],
            Self::Webkit => &[
                ("SAFARIDRIVER", "WebKitWebDriver"),
                // The language of its user, which the other browsers have without it. "C" is none.
                ("LANG", "en_US.UTF-8"),
                // It would look for other programs of a desktop.
                ("NO_AT_BRIDGE", "1"),
                // WebKit's sandbox needs rights that a container lacks.
                ("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1"),
                // Layers are drawn without OpenGL, which a third of the processor time would go into on a machine without a GPU.
                ("WEBKIT_DISABLE_COMPOSITING_MODE", "1"),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A test that was renamed would run where it can't.
    #[test]
    fn each_test_that_is_left_out_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folders = ["tests/element", "crates/payments/tests/element"];
        let engines = Engine::value_variants().iter();
        for name in
            engines.flat_map(|engine| engine.left_out().iter().copied().chain(engine.only()))
        {
            let (module, function) = name.split_once("::").unwrap();
            let exists = folders.iter().any(|folder| {
                let file = root.join(folder).join(module).with_extension("rs");
                fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("fn {function}")))
            });
            assert!(exists, "{name}");
        }
    }
}
