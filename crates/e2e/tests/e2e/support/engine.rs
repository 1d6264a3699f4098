//! The browsers that the tests control, each with an engine of its own.

use std::env;

use serde_json::{Map, Value, json};

use super::driver::Driver;

/// How Chromium is started, the same for all tests of the workspace.
const CHROMIUM: &str = include_str!("../../../../../webdriver.json");

/// An engine. Only Chromium's driver can block requests, and emulate screens and preferences ([`Browser::devtools`]).
///
/// [`Browser::devtools`]: super::Browser::devtools
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Chromium,
    Firefox,
    /// The GTK port of `WebKit`, in the browser that comes with it.
    WebKit,
}

/// What the user has set in the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    DarkTheme,
    NoScripts,
}

impl Engine {
    /// Its WebDriver server.
    pub(super) fn driver(self) -> Driver {
        match self {
            Self::Chromium => Driver::chromedriver(),
            Self::Firefox => Driver::geckodriver(),
            Self::WebKit => Driver::webkit(),
        }
    }

    /// What a new session asks for.
    pub(super) fn capabilities(self, preferences: &[Preference]) -> Map<String, Value> {
        let wants = |preference| preferences.contains(&preference);
        let (dark, no_scripts) = (wants(Preference::DarkTheme), wants(Preference::NoScripts));
        let capabilities = match self {
            Self::Chromium => {
                assert!(
                    preferences.is_empty(),
                    "Chromium's preferences are set through its DevTools"
                );
                let mut capabilities: Value = serde_json::from_str(CHROMIUM).unwrap();
                // The browser, where there is no shell, runs the same tests, in twice the time.
                if let Ok(program) = env::var("HEADLESS_SHELL") {
                    capabilities["goog:chromeOptions"]["binary"] = program.into();
                }
                capabilities
            }
            Self::Firefox => {
                let mut options = json!({
                    "args": ["-headless"],
                    "prefs": {
                        "javascript.enabled": !no_scripts,
                        // 0 is dark, 1 is light.
                        "layout.css.prefers-color-scheme.content-override": i32::from(!dark),
                    },
                });
                if let Ok(program) = env::var("FIREFOX") {
                    options["binary"] = program.into();
                }
                json!({ "moz:firefoxOptions": options, "acceptInsecureCerts": true })
            }
            Self::WebKit => {
                let mut arguments = vec!["--automation".to_owned()];
                arguments.extend(dark.then(|| "--dark-mode".to_owned()));
                arguments.push(format!("--enable-javascript={}", !no_scripts));
                json!({ "webkitgtk:browserOptions": { "args": arguments }, "acceptInsecureCerts": true })
            }
        };
        match capabilities {
            Value::Object(capabilities) => capabilities,
            other => panic!("capabilities are an object, not {other}"),
        }
    }
}

/// Makes a test of each of these functions in each engine, or in each one except Chromium.
macro_rules! in_each_engine {
    (@engines $test:ident: $($name:ident $engine:ident),*) => {
        mod $test {
            use super::$test;
            use crate::support::Engine;

            tests_with! { $test: $($name = Engine::$engine),* }
        }
    };
    (except Chromium: $($test:ident)*) => {
        $(in_each_engine! { @engines $test: firefox Firefox, webkit WebKit })*
    };
    ($($test:ident)*) => {
        $(in_each_engine! { @engines $test: chromium Chromium, firefox Firefox, webkit WebKit })*
    };
}

pub(crate) use in_each_engine;
