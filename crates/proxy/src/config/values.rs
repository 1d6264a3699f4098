//! The values in the text of a setting, and in the files that it names.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use tender_protocol::secret_lines::{Fault, SecretLineError, is_quoted, secret_lines};

use super::invalid;
use super::orders::with_kid;

/// One value of a setting.
pub(super) struct Value {
    /// The setting that it was read from.
    pub(super) from: String,
    /// Where in it; empty if that is clear.
    pub(super) place: String,
    pub(super) text: String,
}

/// The values of a setting that is not secret: the lines that are not blank.
pub(super) fn lines(name: &str, text: &str) -> Result<Vec<Value>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let value = |line: &str| {
        if is_quoted(line) {
            return Err(invalid(name, Fault::Quotes));
        }
        Ok(Value {
            from: name.to_owned(),
            place: String::new(),
            text: line.to_owned(),
        })
    };
    lines.map(value).collect()
}

/// The values of a secret setting.
pub(super) fn secrets(name: &str, text: &str) -> Result<Vec<Value>, String> {
    let has_lines = text.trim().contains('\n');
    let place = |number| {
        if has_lines {
            format!("line {number}: ")
        } else {
            String::new()
        }
    };
    let secrets = secret_lines(text).map_err(|SecretLineError { number, fault }| {
        invalid(name, place(number) + &fault.to_string())
    })?;
    let value = |number, text: &str| Value {
        from: name.to_owned(),
        place: place(number),
        text: text.to_owned(),
    };
    let secrets = secrets.into_iter();
    Ok(secrets.map(|line| value(line.number, line.text)).collect())
}

/// The values in a file that the setting `from` names. `kid` is given to order keys that have none.
pub(super) fn secrets_in_file(
    from: &str,
    kid: Option<&str>,
    path: &str,
) -> Result<Vec<Value>, String> {
    let content = fs::read_to_string(path).map_err(|error| {
        let file = shown(path);
        let reason = unreadable(&error);
        format!("`{from}` names {file}, which can't be read: {reason}")
    })?;
    let lines =
        secret_lines(&content).map_err(|error| invalid(from, format!("{path}, {error}")))?;
    // It may have been read while it was rewritten.
    if lines.is_empty() {
        let reason = format!("{path} is empty; write the value into it");
        return Err(invalid(from, reason));
    }
    let values = lines.into_iter().map(|line| Value {
        from: from.to_owned(),
        place: format!("{path}, line {}: ", line.number),
        text: match (kid, with_kid(line.text)) {
            (Some(kid), (None, key)) => format!("{kid}={key}"),
            _ => line.text.to_owned(),
        },
    });
    Ok(values.collect())
}

/// Whether this is a path in a folder that exists, other than the root. A random secret is none, also if it begins with `/`.
pub(super) fn is_in_folder(text: &str) -> bool {
    let folder = Path::new(text).parent();
    folder.is_some_and(|folder| folder.parent().is_some() && folder.is_dir())
}

/// Why a file can't be read. For which user is not obvious: a service has another one than its operator.
pub(super) fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidData => "it is not UTF-8; save it as UTF-8 text".to_owned(),
        ErrorKind::PermissionDenied => {
            format!(
                "{error} for the user with the id {}",
                nix::unistd::geteuid()
            )
        }
        _ => error.to_string(),
    }
}

/// The path of a file that can't be read, for a message. It may be the secret itself, so it is shown only if its folder
/// exists.
fn shown(path: &str) -> &str {
    if path.starts_with('~') {
        return "a file below `~` (which only a shell replaces; write the whole path)";
    }
    if is_in_folder(path) {
        return path;
    }
    "a file (its name is not shown, because it may be the secret itself, which belongs into the file)"
}
