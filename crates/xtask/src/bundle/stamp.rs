//! Writes values into the loader's source, where it has a placeholder for each.

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StampError {
    #[error("the string literal \"{0}\" is missing: the bundle step writes a value there")]
    Missing(String),

    #[error("the string literal \"{name}\" is there {count} times: keep one and share its value")]
    Repeated { name: String, count: usize },

    #[error("the shared part of the loaders has no comment at its head")]
    NoHead,
}

/// Where a loader takes in what all of them share.
const SHARED: &str = "\"__TENDER_LOADER__\";";

/// Puts the part that all loaders share into one of them, without the comment at its head.
pub(crate) fn include(source: &str, shared: &str) -> Result<String, StampError> {
    let (_, shared) = shared.split_once("*/\n").ok_or(StampError::NoHead)?;
    let count = source.matches(SHARED).count();
    if count == 1 {
        Ok(source.replacen(SHARED, shared.trim(), 1))
    } else {
        let name = SHARED.to_owned();
        Err(StampError::Repeated { name, count })
    }
}

/// Replaces each `"<name>"`, with its quotes, by the value as a JavaScript string literal. Every name must be
/// there exactly once: one that is missing or misspelt would show only in a shop's page.
pub(crate) fn stamp(source: &str, values: &[(&str, &str)]) -> Result<String, StampError> {
    let mut stamped = source.to_owned();
    for (name, value) in values {
        let placeholder = format!("\"{name}\"");
        match source.matches(&placeholder).count() {
            0 => return Err(StampError::Missing((*name).to_owned())),
            1 => stamped = stamped.replacen(&placeholder, &literal(value), 1),
            count => {
                return Err(StampError::Repeated {
                    name: (*name).to_owned(),
                    count,
                });
            }
        }
    }
    Ok(stamped)
}

/// A JSON string is a JavaScript string (ECMA-262 since 2019 allows U+2028 and U+2029 in both).
fn literal(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_values_as_string_literals() {
        let source = r#"load("__GLUE__"); const style = "__STYLE__";"#;
        assert_eq!(
            stamp(
                source,
                &[
                    ("__GLUE__", "glue-1.js"),
                    ("__STYLE__", "a{content:\"\\201C\"}\n")
                ]
            ),
            Ok(r#"load("glue-1.js"); const style = "a{content:\"\\201C\"}\n";"#.to_owned())
        );
    }

    #[test]
    fn what_loaders_share_stands_where_they_say() {
        let shared = "/* a head */\n\n  b;\n";
        let source = "a;\n  \"__TENDER_LOADER__\";\nc;";
        assert_eq!(include(source, shared), Ok("a;\n  b;\nc;".to_owned()));
        assert_eq!(include(source, "b;"), Err(StampError::NoHead));
        include("a;", shared).unwrap_err();
    }

    #[test]
    fn a_missing_placeholder_is_an_error() {
        assert_eq!(
            stamp("load('__GLUE__')", &[("__GLUE__", "glue.js")]),
            Err(StampError::Missing("__GLUE__".to_owned()))
        );
    }

    #[test]
    fn a_repeated_placeholder_is_an_error() {
        assert_eq!(
            stamp(r#"["__GLUE__", "__GLUE__"]"#, &[("__GLUE__", "glue.js")]),
            Err(StampError::Repeated {
                name: "__GLUE__".to_owned(),
                count: 2
            })
        );
    }
}
