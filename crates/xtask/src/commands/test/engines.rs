//! The browsers of the elements' tests in a page, and which tests are left out in which.

/// A browser for wasm-bindgen's test runner.
#[derive(Clone, Copy)]
pub(super) enum Engine {
    Chromium,
    Firefox,
    WebKit,
}

impl Engine {
    pub(super) const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::WebKit];

    /// The tests that don't run in it, by the beginning of each name: `module::`, or `module::function`.
    pub(super) const fn left_out(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &[],
            // They compare the library that computes roles and names with the browser, and only Chromium computes them in a
            // page.
            Self::Firefox => &["accessibility::"],
            Self::WebKit => &[
                "accessibility::",
                // They need the garbage collector, which no page can call in WebKitGTK.
                "changes::ten_thousand_changed_statuses_leave_nothing_behind",
                "changes::two_thousand_new_rows_and_requests_leave_only_their_owners_behind",
                "lifecycle::the_browser_can_collect_removed_elements",
                "lifecycle::the_table_of_what_is_held_does_not_grow_with_each_element",
                // After ten thousand events, the stand-in for the stream stays open in WebKitGTK, which later tests notice. Why
                // is not known.
                "long_lived::",
            ],
        }
    }

    /// The command that runs tests.
    pub(super) const fn runner(self) -> &'static str {
        match self {
            Self::Chromium | Self::Firefox => "wasm-bindgen-test-runner",
            // The browser has no headless mode, so it gets a display in memory.
            Self::WebKit => "xvfb-run --auto-servernum wasm-bindgen-test-runner",
        }
    }

    /// Environment variables of the runner, which knows the WebDriver of `WebKitGTK` by the name of Safari's.
    pub(super) const fn variables(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Chromium => &[("CHROMEDRIVER", "chromedriver")],
            Self::Firefox => &[("GECKODRIVER", "geckodriver")],
            Self::WebKit => &[
                ("SAFARIDRIVER", "WebKitWebDriver"),
                // The language of its user, which the other browsers have without it. "C" is none.
                ("LANG", "en_US.UTF-8"),
                // WebKit's sandbox needs rights that a container lacks.
                ("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1"),
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
        for name in Engine::ALL.iter().flat_map(|engine| engine.left_out()) {
            let (module, function) = name.split_once("::").unwrap();
            let exists = folders.iter().any(|folder| {
                let file = root.join(folder).join(module).with_extension("rs");
                fs::read_to_string(file).is_ok_and(|text| text.contains(&format!("fn {function}")))
            });
            assert!(exists, "{name}");
        }
    }
}
