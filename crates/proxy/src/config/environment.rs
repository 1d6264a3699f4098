//! Environment variables that look like settings but are none, because their name is mistyped.

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
    let warning = |name: String| {
        let distance = |other: &&String| strsim::osa_distance(&name, other);
        let nearest = known.iter().min_by_key(distance);
        let nearest = nearest.map_or("", String::as_str);
        format!(
            "the variable `{name}` is not a setting; rename it, for example to `{nearest}`, or remove it"
        )
    };
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

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;
    use crate::config::Settings;

    #[test]
    fn the_nearest_setting_is_named() {
        let copy = Arg::new("to").long("to").env("TENDER_COPY_TO");
        let command = Command::new("tender-proxy")
            .args(Settings::flags())
            .subcommand(Command::new("copy").arg(copy));
        for (name, nearest) in [
            ("TENDER_MERCHNAT_KEY", Some("`TENDER_MERCHANT_KEY`")),
            ("TENDER_BASEURL", Some("`TENDER_BASE_URL`")),
            ("TENDER_ORDER_KEYS_FILE", Some("`TENDER_ORDER_KEY_FILE`")),
            ("TENDER_COPY_TOO", Some("`TENDER_COPY_TO`")),
            ("TENDER_ORDER_KEY", None),
            ("TENDER_COPY_TO", None),
            ("TENDERNESS", None),
            ("PATH", None),
        ] {
            let warnings = unknown_variables(&command, [name.to_owned()]);
            assert_eq!(warnings.len(), usize::from(nearest.is_some()), "{name}");
            for warning in warnings {
                assert!(warning.contains(name), "{warning}");
                assert!(warning.contains(nearest.unwrap()), "{warning}");
            }
        }
    }
}
