//! Environment variables that look like settings but are none.

use std::collections::BTreeSet;

use clap::Command;

use super::declaration::PREFIX;

/// A warning for each of the variables `names` that begins with `TENDER_` and that neither `command` nor
/// one of its subcommands reads. Each text is a sentence without its full stop.
pub fn unknown_variables(
    command: &Command,
    names: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let known = variables(command);
    let ours = names.into_iter().filter(|name| name.starts_with(PREFIX));
    let unknown: BTreeSet<_> = ours.filter(|name| !known.contains(name)).collect();
    let warning =
        |name| format!("the variable `{name}` is not a setting; `--help` lists all settings");
    unknown.into_iter().map(warning).collect()
}

/// The variables that a command and its subcommands read.
fn variables(command: &Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(|argument| {
        let name = argument.get_env()?;
        name.to_str().map(str::to_owned)
    });
    let others = command.get_subcommands().flat_map(variables);
    own.chain(others).collect()
}
