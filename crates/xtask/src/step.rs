//! The steps of a test run.

use std::fmt;

use clap::ValueEnum;
use serde::Deserialize;

/// A step, in the order of a full run: first what needs a new clone, then the fastest.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Step {
    /// The README's first command, until the shop has sold something
    Newcomer,
    /// The formatting
    Fmt,
    /// The linter, for this machine and for WebAssembly
    Clippy,
    /// Licences, sources and advisories of all dependencies
    Deny,
    /// The documentation site; unit, property, integration and documentation tests
    Native,
    /// The elements in three browsers
    Browser,
    /// The bundle, its sizes, and the release proxy
    Dist,
    /// The bundle in three browsers against the real proxy and sandbox
    E2e,
}

impl Step {
    /// What it checks.
    pub(crate) fn about(self) -> String {
        let value = self.to_possible_value();
        let help = value.as_ref().and_then(|value| value.get_help());
        help.map(ToString::to_string).unwrap_or_default()
    }
}

/// Its name on the command line.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().ok_or(fmt::Error)?.get_name())
    }
}

/// These steps in the order of a full run; all if there are none. The end-to-end tests use the output of `dist`, which has to
/// be up to date.
pub(crate) fn selection(named: &[Step]) -> Vec<Step> {
    let is_selected = |step: &Step| {
        named.is_empty()
            || named.contains(step)
            || (*step == Step::Dist && named.contains(&Step::E2e))
    };
    let all = Step::value_variants().iter();
    all.copied().filter(is_selected).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_all_and_names_keep_the_order_of_a_run() {
        assert_eq!(selection(&[]), Step::value_variants());
        assert_eq!(
            selection(&[Step::Native, Step::Fmt]),
            [Step::Fmt, Step::Native]
        );
    }

    #[test]
    fn end_to_end_tests_bring_a_fresh_dist() {
        assert_eq!(selection(&[Step::E2e]), [Step::Dist, Step::E2e]);
    }
}
