//! The steps of a test run.

use std::fmt;

use clap::ValueEnum;
use serde::Deserialize;

/// A step.
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
    /// The bundle, and its sizes
    Dist,
    /// The bundle in three browsers against the real proxy and sandbox
    E2e,
}

/// What the help of the command line says of it.
pub(crate) fn help(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    let help = value.as_ref().and_then(|value| value.get_help());
    help.map(ToString::to_string).unwrap_or_default()
}

/// Its name on the command line.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().ok_or(fmt::Error)?.get_name())
    }
}
