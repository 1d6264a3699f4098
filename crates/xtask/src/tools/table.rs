//! The tool table.

use super::examples;
use super::shops;
use super::tool::{Probe, Source, Tool};
use crate::compile::WASM as TARGET;
use crate::error::Result;
use crate::lockfile;
use crate::step::Step::{Browser, Clippy, Deny, Dist, E2e, Fmt, Native, Newcomer};
use crate::workspace::Workspace;

/// What the browser tests compute roles and names with.
pub(crate) const ACCESSIBILITY: &str = "dom-accessibility-api";

/// React 18. It brings `react` itself.
pub(crate) const REACT_18: &str = "react-dom";

/// The validator of the end-to-end tests.
pub(crate) const CYCLONEDX: &str = "cyclonedx";

/// The environment variables with the folders of the libraries in docs/orders.md, and the libraries' names.
pub(crate) const LIBRARIES: [(&str, &[&str]); 3] = [
    ("TENDER_JOSE", &["jose"]),
    ("TENDER_PYJWT", &["pyjwt"]),
    ("TENDER_SCHEMATHESIS", &["schemathesis"]),
];

const NODE_BY_HAND: &str =
    "install Node.js 20.19 or newer with npm: https://nodejs.org; 18 is enough without `test e2e`";

/// All tools; each comes after those that its installation needs.
pub(super) fn tools(workspace: &Workspace) -> Result<Vec<Tool>> {
    let mut tools = Vec::from(toolchain());
    tools.extend(node_tools());
    tools.extend(examples::tools(workspace)?);
    tools.extend(python());
    tools.extend(shops::tools(workspace)?);
    tools.extend(crates(workspace)?);
    tools.extend(browsers());
    tools.extend(programs());
    Ok(tools)
}

fn toolchain() -> [Tool; 3] {
    [
        Tool {
            name: "rustfmt",
            why: "formats the code",
            needed_by: &[Fmt],
            probe: Probe::Program(&["rustfmt"]),
            source: Source::Rustup("component", "rustfmt"),
        },
        Tool {
            name: "clippy",
            why: "the linter",
            needed_by: &[Clippy],
            probe: Probe::Program(&["cargo-clippy"]),
            source: Source::Rustup("component", "clippy"),
        },
        Tool {
            name: TARGET,
            why: "the standard library for WebAssembly",
            needed_by: &[Clippy, Browser, Dist, E2e],
            probe: Probe::RustTarget(TARGET),
            source: Source::Rustup("target", TARGET),
        },
    ]
}

fn node_tools() -> [Tool; 11] {
    [
        Tool {
            name: "node",
            why: "runs wasm-opt, esbuild and anvil, and programs of a shop",
            needed_by: &[Clippy, Native, Browser, Dist, E2e],
            probe: Probe::Program(&["node"]),
            source: Source::ByHand(NODE_BY_HAND),
        },
        Tool {
            name: "npm",
            why: "installs wasm-opt, esbuild, anvil, axe-core, TypeScript and libraries; packs the npm package",
            needed_by: &[Clippy, Native, Browser, Dist, E2e],
            probe: Probe::Program(&["npm"]),
            source: Source::ByHand(NODE_BY_HAND),
        },
        Tool {
            name: "binaryen",
            why: "its wasm-opt shrinks the widget",
            needed_by: &[Dist, E2e],
            probe: Probe::Program(&["wasm-opt"]),
            source: Source::Npm("binaryen", "132.0.0"),
        },
        Tool {
            name: "esbuild",
            why: "bundles and minifies the widget's JavaScript and CSS",
            needed_by: &[Clippy, Browser, Dist, E2e],
            probe: Probe::Program(&["esbuild"]),
            source: Source::Npm("esbuild", "0.28.2"),
        },
        Tool {
            name: "anvil",
            why: "a local Ethereum node, on which the tests pay from a wallet",
            needed_by: &[E2e],
            probe: Probe::Program(&["anvil"]),
            source: Source::Npm("@foundry-rs/anvil", "1.7.1"),
        },
        Tool {
            name: "axe-core",
            why: "accessibility rules that each state is tested with",
            needed_by: &[E2e],
            probe: Probe::Library("node_modules/axe-core"),
            source: Source::Npm("axe-core", "4.14.1"),
        },
        Tool {
            name: "typescript",
            why: "compiles a sample shop with the published types",
            needed_by: &[E2e],
            probe: Probe::Program(&["tsc"]),
            source: Source::Npm("typescript", "5.9.3"),
        },
        Tool {
            name: "jose",
            why: "the JWT library of docs/orders.md",
            needed_by: &[Native],
            probe: Probe::Library("node_modules/jose"),
            source: Source::Npm("jose", "6.2.17"),
        },
        Tool {
            name: ACCESSIBILITY,
            why: "computes roles and names for the browser tests where the browser doesn't",
            needed_by: &[Clippy, Browser],
            probe: Probe::Library("node_modules/dom-accessibility-api"),
            source: Source::Npm(ACCESSIBILITY, "0.7.1"),
        },
        // Small, and without other packages.
        Tool {
            name: "mermaid",
            why: "draws the diagrams of the documentation site",
            needed_by: &[Native],
            probe: Probe::Library("node_modules/@mermaid-js/tiny/dist"),
            source: Source::Npm("@mermaid-js/tiny", "11.17.2"),
        },
        Tool {
            name: REACT_18,
            why: "React 18, with which the tests build the example for React again",
            needed_by: &[E2e],
            probe: Probe::Library("node_modules"),
            source: Source::Npm(REACT_18, "18.3.1"),
        },
    ]
}

fn python() -> [Tool; 4] {
    [
        Tool {
            name: "python3",
            why: "runs programs of a shop",
            needed_by: &[Native, E2e],
            probe: Probe::Program(&["python3"]),
            source: Source::Debian("python3-pip"),
        },
        Tool {
            name: "pyjwt",
            why: "the JWT library of docs/orders.md",
            needed_by: &[Native],
            probe: Probe::Library("jwt"),
            source: Source::Pip("PyJWT[crypto]", "2.15.1"),
        },
        Tool {
            name: "schemathesis",
            why: "sends generated requests to the proxy, and checks its responses with the OpenAPI document",
            needed_by: &[Native],
            probe: Probe::Library("schemathesis"),
            source: Source::Pip("schemathesis", "4.32.5"),
        },
        Tool {
            name: CYCLONEDX,
            why: "validates the bill of materials of a release",
            needed_by: &[E2e],
            probe: Probe::Library("cyclonedx"),
            source: Source::Pip("cyclonedx-python-lib[json-validation]", "11.12.0"),
        },
    ]
}

fn crates(workspace: &Workspace) -> Result<[Tool; 3]> {
    Ok([
        Tool {
            name: "wasm-bindgen-cli",
            why: "writes the JavaScript glue, and runs the browser tests; must match the crate in Cargo.lock",
            needed_by: &[Browser, Dist, E2e],
            probe: Probe::Program(&["wasm-bindgen-test-runner"]),
            // TLS is for browser drivers on other machines. Unoptimised, it reads the modules of the browser tests three times
            // slower.
            source: Source::CratesIo(
                lockfile::version(workspace, "wasm-bindgen")?,
                &[
                    "--no-default-features",
                    "--config",
                    "profile.release.opt-level=1",
                ],
            ),
        },
        Tool {
            name: "trunk",
            why: "builds the page and the widget",
            needed_by: &[Dist, E2e],
            probe: Probe::Program(&["trunk"]),
            // TLS is for the tools that it would download, and for its check for updates.
            source: Source::CratesIo("0.21.14".to_owned(), &["--no-default-features"]),
        },
        Tool {
            name: "cargo-deny",
            why: "checks the licences, sources and advisories of all dependencies",
            needed_by: &[Deny],
            probe: Probe::Program(&["cargo-deny"]),
            source: Source::CratesIo("0.20.2".to_owned(), &[]),
        },
    ])
}

fn browsers() -> [Tool; 6] {
    [
        Tool {
            name: "chromium",
            why: "the browser that most tests control",
            needed_by: &[Newcomer, Browser, E2e],
            probe: Probe::Program(&[
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable",
            ]),
            source: Source::Debian("chromium"),
        },
        Tool {
            name: "chromedriver",
            why: "lets the tests control the browser; must have the browser's version",
            needed_by: &[Newcomer, Browser, E2e],
            probe: Probe::Program(&["chromedriver"]),
            source: Source::Debian("chromium-driver"),
        },
        Tool {
            name: "firefox",
            why: "another browser that the tests control",
            needed_by: &[Browser, E2e],
            probe: Probe::Program(&["firefox-esr", "firefox"]),
            source: Source::Debian("firefox-esr"),
        },
        Tool {
            name: "geckodriver",
            why: "lets the tests control Firefox",
            needed_by: &[Browser, E2e],
            probe: Probe::Program(&["geckodriver"]),
            source: Source::CratesIo("0.37.1".to_owned(), &[]),
        },
        Tool {
            name: "WebKitWebDriver",
            why: "lets the tests control WebKitGTK, the engine of Safari",
            needed_by: &[Browser, E2e],
            probe: Probe::Silent(&["WebKitWebDriver"]),
            source: Source::Debian("webkit2gtk-driver"),
        },
        Tool {
            name: "Xvfb",
            why: "a display in memory for WebKitGTK, which has no headless mode",
            needed_by: &[Browser, E2e],
            probe: Probe::Silent(&["Xvfb"]),
            source: Source::Debian("xvfb"),
        },
    ]
}

/// The programs of measurements, which no step needs, are among them.
fn programs() -> [Tool; 7] {
    [
        Tool {
            name: "postgresql",
            why: "the database of the example shops, the containers, and the tests with several proxy instances",
            needed_by: &[Native, E2e],
            // Debian has the server in a folder per version.
            probe: Probe::Succeeds(&[
                "sh",
                "-c",
                "PATH=$PATH:$(echo /usr/lib/postgresql/*/bin | tr ' ' :); postgres --version",
            ]),
            source: Source::Debian("postgresql"),
        },
        Tool {
            name: "nginx",
            why: "tests the configurations in the documentation; the proxy is compared with it",
            needed_by: &[Native, E2e],
            probe: Probe::Silent(&["nginx"]),
            source: Source::Debian("nginx-light"),
        },
        Tool {
            name: "wrk",
            why: "generates the load of the measurements",
            needed_by: &[],
            probe: Probe::Silent(&["wrk"]),
            source: Source::Debian("wrk"),
        },
        Tool {
            name: "caddy",
            why: "tests a configuration in the documentation",
            needed_by: &[Native],
            probe: Probe::Silent(&["caddy"]),
            source: Source::Debian("caddy"),
        },
        Tool {
            name: "lynx",
            why: "a text browser, in which a test pays on the payment page",
            needed_by: &[Native],
            probe: Probe::Silent(&["lynx"]),
            source: Source::Debian("lynx"),
        },
        Tool {
            name: "buildah",
            why: "builds the image of a release, and starts a program in it",
            needed_by: &[E2e],
            probe: Probe::Program(&["buildah"]),
            source: Source::Debian("buildah"),
        },
        // The demo makes the site in the background, so no step but the tests needs it.
        Tool {
            name: "mdbook",
            why: "makes the documentation site",
            needed_by: &[Native],
            probe: Probe::Program(&["mdbook"]),
            // Without its own web server.
            source: Source::CratesIo(
                "0.5.4".to_owned(),
                &["--no-default-features", "--features", "search"],
            ),
        },
    ]
}
