//! Secrets in a file or a variable, one per line. The proxy and its command line read them alike.
//!
//! A line that is blank is skipped, and so is a comment: a line that is `#` alone or begins with `# `. A public key in PEM
//! is one value. Everything else is a secret, exactly as it is written. What looks like a mistake is an error, because a
//! key that is not what its owner thinks is refused later, or, in a comment that is none, goes on signing.

use crate::sanitize::is_unsafe;

/// A secret, and the number of its line, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretLine<'a> {
    /// The number of the line, from 1.
    pub number: usize,
    /// The secret.
    pub text: &'a str,
}

/// Why a line can't be read. The message names the line and the reason, and nothing of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {number}: {fault}")]
pub struct SecretLineError {
    /// The number of the line, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a line. Each text is about the line, "it".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Perhaps a key that was to be turned off.
    #[error(
        "it begins with `#`; write a space after the `#` of a comment, and generate another secret if it is one"
    )]
    Comment,
    /// Some editors on Windows write one.
    #[error("it begins with a byte order mark; save the file as UTF-8 without one")]
    ByteOrderMark,
    /// Other programs would take it for a part of the secret.
    #[error("it begins or ends with white space; remove it")]
    WhiteSpace,
    /// They would be a part of the secret.
    #[error("it is in quotes; remove them")]
    Quotes,
    /// It can't be seen, and is easily copied.
    #[error("it contains an invisible or control character; type the secret again")]
    Invisible,
    /// A line of a shell script or of a file with variables.
    #[error("it begins with the name of a variable; write only the value")]
    Variable,
    /// A key in PEM without its last line.
    #[error(
        "a key in PEM begins here and does not end; write all its lines, from `-----BEGIN` to `-----END`"
    )]
    UnfinishedPem,
}

const PEM_BEGIN: &str = "-----BEGIN";
const PEM_END: &str = "-----END";

/// The secrets in a text.
///
/// # Errors
/// The first line that can't be read.
pub fn secret_lines(text: &str) -> Result<Vec<SecretLine<'_>>, SecretLineError> {
    let mut secrets = Vec::new();
    // The line and the place where a key in PEM begins.
    let mut pem = None;
    let mut end = 0;
    for (line, number) in text.split_inclusive('\n').zip(1..) {
        let start = end;
        end += line.len();
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        match pem {
            None if line.contains(PEM_BEGIN) && !line.starts_with('#') => {
                pem = Some((number, start));
            }
            None => {
                let secret = secret(line).map_err(|fault| SecretLineError { number, fault })?;
                secrets.extend(secret.map(|text| SecretLine { number, text }));
            }
            Some((number, start)) if line.contains(PEM_END) => {
                let key = text.get(start..end).map(str::trim);
                secrets.extend(key.map(|text| SecretLine { number, text }));
                pem = None;
            }
            Some(_) => {}
        }
    }
    match pem {
        None => Ok(secrets),
        Some((number, _)) => Err(SecretLineError {
            number,
            fault: Fault::UnfinishedPem,
        }),
    }
}

/// The secret in a line; `None` if it is blank or a comment.
fn secret(line: &str) -> Result<Option<&str>, Fault> {
    if line.starts_with('\u{feff}') {
        return Err(Fault::ByteOrderMark);
    }
    if line.trim().is_empty() || line == "#" || line.starts_with("# ") {
        return Ok(None);
    }
    if line.starts_with('#') {
        return Err(Fault::Comment);
    }
    check_secret(line)?;
    if line.starts_with("export ") || (line.starts_with("TENDER_") && line.contains('=')) {
        return Err(Fault::Variable);
    }
    Ok(Some(line))
}

/// Checks a secret that may stand after a name.
///
/// # Errors
/// What is wrong with it.
pub fn check_secret(text: &str) -> Result<(), Fault> {
    if text.trim() != text {
        return Err(Fault::WhiteSpace);
    }
    if text.contains(is_unsafe) {
        return Err(Fault::Invisible);
    }
    if is_quoted(text) {
        return Err(Fault::Quotes);
    }
    Ok(())
}

/// Whether a text is in quotes. Some programs keep those in files with variables.
pub fn is_quoted(text: &str) -> bool {
    let mut quotes = ['"', '\''].into_iter();
    text.len() > 1 && quotes.any(|quote| text.starts_with(quote) && text.ends_with(quote))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Result<Vec<&str>, SecretLineError> {
        let secrets = secret_lines(text)?.into_iter();
        Ok(secrets.map(|secret| secret.text).collect())
    }

    #[test]
    fn blank_lines_and_comments_are_skipped() {
        for (text, secrets) in [
            ("", &[][..]),
            ("\n \t\r\n", &[]),
            ("#\n# \n# k0=OLD\n", &[]),
            ("one", &["one"]),
            ("one\r\ntwo\r\n", &["one", "two"]),
            ("# new\nk1=one\n\n# old\nk0=two\n", &["k1=one", "k0=two"]),
            // Only at the beginning of a line.
            ("k1=#one # two\n", &["k1=#one # two"]),
        ] {
            assert_eq!(texts(text), Ok(secrets.to_vec()), "{text:?}");
        }
        let second = secret_lines("# comment\none").unwrap();
        assert_eq!(second[0].number, 2);
    }

    #[test]
    fn a_mistake_is_an_error_that_names_its_line() {
        for (text, number, fault) in [
            ("one\n#k0=OLD\n", 2, Fault::Comment),
            ("##", 1, Fault::Comment),
            ("#\tk0=OLD", 1, Fault::Comment),
            ("\u{feff}one\n", 1, Fault::ByteOrderMark),
            ("\u{feff}# comment\n", 1, Fault::ByteOrderMark),
            (" one\n", 1, Fault::WhiteSpace),
            ("one \n", 1, Fault::WhiteSpace),
            (" # comment\n", 1, Fault::WhiteSpace),
            ("one\u{a0}\n", 1, Fault::WhiteSpace),
            ("\"one\"", 1, Fault::Quotes),
            ("'one'", 1, Fault::Quotes),
            ("o\tne", 1, Fault::Invisible),
            ("one\rtwo", 1, Fault::Invisible),
            ("o\u{200b}ne", 1, Fault::Invisible),
            ("export ORDER_KEY=one", 1, Fault::Variable),
            ("TENDER_ORDER_KEY=one", 1, Fault::Variable),
            (
                "one\n-----BEGIN PUBLIC KEY-----\nabc\n",
                2,
                Fault::UnfinishedPem,
            ),
        ] {
            let error = texts(text).unwrap_err();
            assert_eq!(error, SecretLineError { number, fault }, "{text:?}");
        }
    }

    #[test]
    fn a_key_in_pem_is_one_value() {
        let pem = "-----BEGIN PUBLIC KEY-----\nabc=\n-----END PUBLIC KEY-----";
        assert_eq!(
            texts(&format!("# ours\n{pem}\n\n{pem}\r\none\n")),
            Ok(vec![pem, pem, "one"])
        );
        let named = format!("2026={pem}");
        assert_eq!(texts(&named), Ok(vec![&*named]));
    }
}
