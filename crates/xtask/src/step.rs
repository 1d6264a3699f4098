//! The steps of a test run.

use lexopt::prelude::*;
use serde::Deserialize;

use crate::error::Result;

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub(crate) enum Step {
    Newcomer,
    Fmt,
    Clippy,
    Deny,
    Native,
    Browser,
    Dist,
    E2e,
}

impl Step {
    /// In the order of a full run: first what needs a new clone, then the fastest.
    pub(crate) const ALL: [Self; 8] = [
        Self::Newcomer,
        Self::Fmt,
        Self::Clippy,
        Self::Deny,
        Self::Native,
        Self::Browser,
        Self::Dist,
        Self::E2e,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Newcomer => "newcomer",
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Deny => "deny",
            Self::Native => "native",
            Self::Browser => "browser",
            Self::Dist => "dist",
            Self::E2e => "e2e",
        }
    }
}

impl TryFrom<String> for Step {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let step = Self::ALL.into_iter().find(|step| step.name() == name);
        step.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no step `{name}`; the steps are {names}")
        })
    }
}

/// The steps on the command line, in the order of a full run; all if there are none.
pub(crate) fn from_args(mut args: lexopt::Parser) -> Result<Vec<Step>> {
    let mut named = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Value(name) => named.push(name.parse_with(|name| Step::try_from(name.to_owned()))?),
            other => return Err(other.unexpected().into()),
        }
    }
    Ok(selection(&named))
}

/// The end-to-end tests use the output of `dist`, which has to be up to date.
fn selection(named: &[Step]) -> Vec<Step> {
    let chosen = |step: Step| {
        named.is_empty()
            || named.contains(&step)
            || (step == Step::Dist && named.contains(&Step::E2e))
    };
    Step::ALL.into_iter().filter(|step| chosen(*step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_found_by_its_name() {
        for step in Step::ALL {
            assert_eq!(Step::try_from(step.name().to_owned()), Ok(step));
        }
        let error = Step::try_from("nativ".to_owned()).unwrap_err();
        assert!(error.contains("native"), "{error}");
    }

    #[test]
    fn no_name_means_all_and_names_keep_the_order_of_a_run() {
        assert_eq!(selection(&[]), Step::ALL);
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
