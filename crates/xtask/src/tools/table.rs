//! The tool table.

use super::examples;
use super::libraries;
use super::shops;
use super::tool::{Probe, Source, Tool};
use crate::compile::WASM as TARGET;
use crate::error::Result;
use crate::lockfile;
use crate::step::Step::{Browser, Clippy, Deny, Dist, E2e, Fmt, Native, Newcomer};
use crate::workspace::Workspace;

const NODE_BY_HAND: &str =
    "install Node.js 20.19 or newer with npm: https://nodejs.org; 18 is enough without `test e2e`";

/// All tools; each comes after those that its installation needs.
pub(super) fn tools(workspace: &Workspace) -> Result<Vec<Tool>> {
    let mut tools = Vec::from(toolchain());
    tools.extend(node_tools());
    tools.extend(libraries::node());
    tools.extend(examples::tools(workspace)?);
    tools.push(python());
    tools.extend(libraries::python());
    tools.extend(shops::tools(workspace)?);
    tools.extend(crates(workspace)?);
    tools.extend(browsers());
    tools.push(database());
    tools.push(nginx());
    tools.push(caddy());
    tools.push(lynx());
    tools.push(buildah());
    tools.push(mdbook());
    Ok(tools)
}

fn toolchain() -> [Tool; 3] {
    [
        Tool {
            name: "rustfmt",
            why: "formats the code",
            needed_by: &[Fmt],
            probe: Probe::Program(&["rustfmt"]),
            source: Source::Rustup(&["component", "add", "rustfmt"]),
        },
        Tool {
            name: "clippy",
            why: "the linter",
            needed_by: &[Clippy],
            probe: Probe::Program(&["cargo-clippy"]),
            source: Source::Rustup(&["component", "add", "clippy"]),
        },
        Tool {
            name: TARGET,
            why: "the standard library for WebAssembly",
            needed_by: &[Clippy, Browser, Dist, E2e],
            probe: Probe::RustTarget(TARGET),
            source: Source::Rustup(&["target", "add", TARGET]),
        },
    ]
}

fn node_tools() -> [Tool; 7] {
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
            source: Source::Npm {
                package: "binaryen",
                version: "132.0.0",
                reports: "132",
            },
        },
        Tool {
            name: "esbuild",
            why: "bundles and minifies the widget's JavaScript and CSS",
            needed_by: &[Clippy, Browser, Dist, E2e],
            probe: Probe::Program(&["esbuild"]),
            source: Source::Npm {
                package: "esbuild",
                version: "0.28.2",
                reports: "0.28.2",
            },
        },
        Tool {
            name: "anvil",
            why: "a local Ethereum node, on which the tests pay from a wallet",
            needed_by: &[E2e],
            probe: Probe::Program(&["anvil"]),
            source: Source::Npm {
                package: "@foundry-rs/anvil",
                version: "1.7.1",
                reports: "1.7.1",
            },
        },
        Tool {
            name: "axe-core",
            why: "accessibility rules that each state is tested with",
            needed_by: &[E2e],
            probe: Probe::Library("node_modules/axe-core"),
            source: Source::Npm {
                package: "axe-core",
                version: "4.14.1",
                reports: "4.14.1",
            },
        },
        Tool {
            name: "typescript",
            why: "compiles a sample shop with the published types",
            needed_by: &[E2e],
            probe: Probe::Program(&["tsc"]),
            source: Source::Npm {
                package: "typescript",
                version: "5.9.3",
                reports: "5.9.3",
            },
        },
    ]
}

fn python() -> Tool {
    Tool {
        name: "python3",
        why: "runs programs of a shop",
        needed_by: &[Native, E2e],
        probe: Probe::Program(&["python3"]),
        source: Source::Debian("python3-pip"),
    }
}

fn crates(workspace: &Workspace) -> Result<[Tool; 3]> {
    Ok([
        Tool {
            name: "wasm-bindgen-cli",
            why: "writes the JavaScript glue, and runs the browser tests; must match the crate in Cargo.lock",
            needed_by: &[Browser, Dist, E2e],
            probe: Probe::Program(&["wasm-bindgen-test-runner"]),
            source: Source::CratesIo {
                package: "wasm-bindgen-cli",
                version: lockfile::version(workspace, "wasm-bindgen")?,
                // TLS is for browser drivers on other machines. Unoptimised, it reads the modules of the browser tests three
                // times slower.
                flags: &[
                    "--no-default-features",
                    "--config",
                    "profile.release.opt-level=1",
                ],
                takes: "about 2 minutes",
            },
        },
        Tool {
            name: "trunk",
            why: "builds the page and the widget",
            needed_by: &[Dist, E2e],
            probe: Probe::Program(&["trunk"]),
            source: Source::CratesIo {
                package: "trunk",
                version: "0.21.14".to_owned(),
                // TLS is for the tools that it would download, and for its check for updates.
                flags: &["--no-default-features"],
                takes: "about 2 minutes",
            },
        },
        Tool {
            name: "cargo-deny",
            why: "checks the licences, sources and advisories of all dependencies",
            needed_by: &[Deny],
            probe: Probe::Program(&["cargo-deny"]),
            source: Source::CratesIo {
                package: "cargo-deny",
                version: "0.20.2".to_owned(),
                flags: &[],
                takes: "about 2 minutes",
            },
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
            source: Source::CratesIo {
                package: "geckodriver",
                version: "0.37.1".to_owned(),
                flags: &[],
                takes: "about 2 minutes",
            },
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

fn database() -> Tool {
    Tool {
        name: "postgresql",
        why: "the database of the example shops, the containers, and the tests with several proxy instances",
        needed_by: &[Native, E2e],
        probe: Probe::ProgramIn("postgres", tender_postgres::folders),
        source: Source::Debian("postgresql"),
    }
}

/// The program that makes the documentation site. The demo makes it in the background, so it is needed by no step but the
/// tests.
pub(super) fn mdbook() -> Tool {
    Tool {
        name: "mdbook",
        why: "makes the documentation site",
        needed_by: &[Native],
        probe: Probe::Program(&["mdbook"]),
        source: Source::CratesIo {
            package: "mdbook",
            version: "0.5.4".to_owned(),
            // Without its own web server.
            flags: &["--no-default-features", "--features", "search"],
            takes: "about a minute",
        },
    }
}

/// The tools of measurements, besides those of [`Dist`].
pub(super) fn bench() -> [Tool; 2] {
    [
        Tool {
            name: "wrk",
            why: "generates the load of the measurements",
            needed_by: &[],
            probe: Probe::Silent(&["wrk"]),
            source: Source::Debian("wrk"),
        },
        nginx(),
    ]
}

fn nginx() -> Tool {
    Tool {
        name: "nginx",
        why: "tests the configurations in the documentation; the proxy is compared with it",
        needed_by: &[Native, E2e],
        probe: Probe::Silent(&["nginx"]),
        source: Source::Debian("nginx-light"),
    }
}

fn caddy() -> Tool {
    Tool {
        name: "caddy",
        why: "tests a configuration in the documentation",
        needed_by: &[Native],
        probe: Probe::Silent(&["caddy"]),
        source: Source::Debian("caddy"),
    }
}

fn lynx() -> Tool {
    Tool {
        name: "lynx",
        why: "a text browser, in which a test pays on the payment page",
        needed_by: &[Native],
        probe: Probe::Silent(&["lynx"]),
        source: Source::Debian("lynx"),
    }
}

fn buildah() -> Tool {
    Tool {
        name: "buildah",
        why: "builds the image of a release, and starts a program in it",
        needed_by: &[E2e],
        probe: Probe::Program(&["buildah"]),
        source: Source::Debian("buildah"),
    }
}
