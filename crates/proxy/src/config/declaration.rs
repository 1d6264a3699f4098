//! What the fields of the sections declare: flags, environment variables and names in the file.

use clap::builder::StringValueParser;
use clap::{Arg, ArgAction, Args as _, Command};

use super::Config;

/// The beginning of the names of environment variables.
pub(super) const PREFIX: &str = "TENDER_";

/// The settings, with the types and defaults of the fields.
pub(super) fn settings() -> Command {
    let command = Command::new("settings").no_binary_name(true);
    // The id is the setting's name. A field may have a shorter name.
    Config::augment_args(command).mut_args(|arg| {
        let flag = flag(arg.get_id().as_str());
        arg.long(flag)
    })
}

/// The settings as flags and environment variables. All values are text, so that their errors can be
/// reported at once and together with those of the file.
pub fn flags() -> Vec<Arg> {
    let mut flags = Vec::new();
    for setting in settings().get_arguments() {
        let name = setting.get_id().to_string();
        let mut text = setting.clone().value_parser(StringValueParser::new());
        if is_switch(setting) {
            text = text.num_args(0..=1).require_equals(true);
            text = text.default_missing_value("true");
        }
        let text = text.env(variable(&name)).hide_env_values(true);
        flags.push(text.required(false));
        if is_secret(setting) {
            let name = in_file(&name);
            let file = Arg::new(&name).long(flag(&name)).env(variable(&name));
            let file = file.value_name("PATH").hide_env_values(true);
            let file = file.action(ArgAction::Append);
            let file = file.help(format!("File with `{}`, one per line", setting.get_id()));
            let heading = setting.get_help_heading().unwrap_or_default();
            flags.push(file.help_heading(heading.to_owned()));
        }
    }
    let in_order = flags.into_iter().enumerate();
    in_order
        .map(|(index, flag)| flag.display_order(index))
        .collect()
}

/// Whether a setting is secret: its value is never shown, and it can be read from a file, which the
/// setting `<name>_file` names.
pub(super) fn is_secret(setting: &Arg) -> bool {
    setting.is_hide_env_values_set()
}

/// Whether a reload applies the setting: the keys, the credentials, and what orders and statuses mean.
pub(super) fn is_reloaded(setting: &Arg) -> bool {
    let name = setting.get_id().as_str();
    match name {
        "order_max_days" => true,
        "database_url" => false,
        _ => is_secret(setting) || name.starts_with("status_"),
    }
}

pub(super) fn is_repeatable(setting: &Arg) -> bool {
    matches!(setting.get_action(), ArgAction::Append)
}

/// Whether a setting is true or false, and its flag needs no value.
fn is_switch(setting: &Arg) -> bool {
    let values = setting.get_possible_values();
    values.iter().any(|value| value.matches("true", false))
}

/// The setting that names a file with the values of a secret setting.
pub(super) fn in_file(name: &str) -> String {
    format!("{name}_file")
}

fn flag(name: &str) -> String {
    name.replace('_', "-")
}

pub(super) fn variable(name: &str) -> String {
    format!("{PREFIX}{}", name.to_uppercase())
}
