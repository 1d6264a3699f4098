//! The tool table.

use std::path::{Path, PathBuf};

use super::examples;
use super::libraries;
use crate::compile::WASM as TARGET;
use crate::error::Result;
use crate::lockfile;
use crate::step::Step::{self, Browser, Clippy, Deny, Dist, E2e, Fmt, Native};
use crate::workspace::Workspace;

/// A tool.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) why: &'static str,
    /// The demo needs what [`Step::Dist`] needs.
    pub(crate) needed_by: &'static [Step],
    pub(super) probe: Probe,
    pub(super) source: Source,
}

/// How to find a tool.
pub(super) enum Probe {
    /// Any of these programs, asked with `--version`.
    Program(&'static [&'static str]),
    /// This program in one of these folders, asked with `--version`.
    ProgramIn(&'static str, fn() -> Vec<PathBuf>),
    /// Any of these programs, which don't print their version in a readable form.
    Silent(&'static [&'static str]),
    /// The standard library for a target, in the workspace's toolchain.
    RustTarget(&'static str),
    /// A library of another language: this folder, below that of its version.
    Library(&'static str),
}

/// How to install a tool. Only tools that this program downloads have a required version.
pub(super) enum Source {
    /// `rustup <these words>`
    Rustup(&'static [&'static str]),
    /// A crate with binaries, and how long it takes to compile.
    CratesIo {
        package: &'static str,
        version: String,
        /// Further flags of `cargo install`.
        flags: &'static [&'static str],
        takes: &'static str,
    },
    /// An npm package; `reports` is what its programs call this version.
    Npm {
        package: &'static str,
        version: &'static str,
        reports: &'static str,
    },
    /// The npm packages that a folder of the repository lists, in the versions of its lock file.
    NpmLock { folder: String, version: String },
    /// A package of the Python Package Index, with its extras in brackets.
    Pip {
        package: &'static str,
        version: &'static str,
    },
    /// A package of Debian and its relatives.
    Debian(&'static str),
    /// Not installed by this program: what to do instead.
    ByHand(&'static str),
}

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
            needed_by: &[Browser, E2e],
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
            needed_by: &[Browser, E2e],
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
        why: "the database of the tests with several proxy instances, and of the containers",
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

/// The tools of measurements, besides those of [`Step::Dist`].
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

impl Tool {
    /// `trunk 0.21.14`
    pub(crate) fn title(&self) -> String {
        match self.version() {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.to_owned(),
        }
    }

    /// The required version; `None` if any will do.
    pub(super) fn version(&self) -> Option<&str> {
        match &self.source {
            Source::CratesIo { version, .. } | Source::NpmLock { version, .. } => Some(version),
            Source::Npm { reports, .. } => Some(reports),
            Source::Pip { version, .. } => Some(version),
            Source::Rustup(_) | Source::Debian(_) | Source::ByHand(_) => None,
        }
    }

    /// The command that installs it.
    pub(crate) fn how_to_get(&self) -> String {
        match &self.source {
            Source::Rustup(words) => format!("rustup {}", words.join(" ")),
            Source::CratesIo {
                package,
                version,
                flags,
                ..
            } => {
                let words = ["cargo install --locked", package, "--version", version];
                [&words, *flags].concat().join(" ")
            }
            Source::Npm {
                package, version, ..
            } => {
                format!("npm install --global {package}@{version}")
            }
            Source::NpmLock { folder, .. } => format!("npm install --prefix {folder}"),
            Source::Pip { package, version } => {
                format!("python3 -m pip install '{package}=={version}'")
            }
            Source::Debian(package) => format!("apt-get install {package}"),
            Source::ByHand(advice) => (*advice).to_owned(),
        }
    }

    pub(super) fn needed_by_any(&self, steps: &[Step]) -> bool {
        self.needed_by.iter().any(|step| steps.contains(step))
    }

    /// The folder of this version, for tools that this program downloads.
    pub(super) fn home(&self, cache: &Path) -> Option<PathBuf> {
        match &self.source {
            Source::CratesIo { version, .. } | Source::NpmLock { version, .. } => {
                Some(version.as_str())
            }
            Source::Npm { version, .. } | Source::Pip { version, .. } => Some(*version),
            Source::Rustup(_) | Source::Debian(_) | Source::ByHand(_) => None,
        }
        .map(|version| cache.join(format!("{}-{version}", self.name)))
    }

    /// The folder of its programs.
    pub(super) fn programs(&self, cache: &Path) -> Option<PathBuf> {
        let inside = if matches!(self.source, Source::Npm { .. }) {
            "node_modules/.bin"
        } else {
            "bin"
        };
        Some(self.home(cache)?.join(inside))
    }
}
