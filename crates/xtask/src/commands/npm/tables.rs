//! Reads the tables of a page of the documentation.

use std::path::Path;

use anyhow::{Context as _, Result};
use fs_err as fs;

/// A page of the documentation, in Markdown.
pub(super) struct Page {
    name: &'static str,
    text: String,
}

impl Page {
    /// Reads the page at this path of the repository.
    pub(super) fn read(root: &Path, name: &'static str) -> Result<Self> {
        let path = root.join(name);
        let text = fs::read_to_string(&path)?;
        Ok(Self { name, text })
    }
}

/// What a row of a table lists.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) name: String,
    /// The cell after the name, such as a default.
    pub(super) second: String,
    pub(super) description: String,
}

impl Entry {
    /// Whether it is an attribute that is true if it is there.
    pub(super) fn is_boolean(&self) -> bool {
        self.description.starts_with("boolean: ")
    }
}

/// What the table with this header lists. The first cell of a row has names as code, and may have several.
pub(super) fn entries(page: &Page, header: &str) -> Result<Vec<Entry>> {
    let (_, table) = page.text.split_once(header).with_context(|| {
        format!(
            "{} has no table with the header `{header}`: the npm package's manifest is made of it",
            page.name
        )
    })?;
    let mut entries = Vec::new();
    for row in table.lines().skip(2).take_while(|row| row.starts_with('|')) {
        let cells = row.trim_matches('|').split('|');
        let cells: Vec<_> = cells.map(|cell| plain(cell.trim())).collect();
        let [names, second, ..] = cells.as_slice() else {
            continue;
        };
        for name in names.split('`').skip(1).step_by(2) {
            entries.push(Entry {
                name: name.trim_end_matches("()").to_owned(),
                second: second.clone(),
                description: cells.last().cloned().unwrap_or_default(),
            });
        }
    }
    Ok(entries)
}

/// Markdown without its links, which lead to other pages of the documentation.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut rest = markdown;
    while let Some((before, after)) = rest.split_once("](") {
        let (before, label) = before.rsplit_once('[').unwrap_or((before, ""));
        text.extend([before, label]);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Page {
        Page {
            name: "docs/page.md",
            text: text.to_owned(),
        }
    }

    #[test]
    fn each_name_of_a_row_gets_its_description() {
        let page = page(
            "Text.\n\n| part | what it is |\n|---|---|\n| `scan`, `qr` | the [code](#qr), and more |\n\
             | `copy` | `[1]`, or [a](a.md) [b](b.md) |\n\nMore | text.",
        );
        let entry = |name: &str, description: &str| Entry {
            name: name.to_owned(),
            second: description.to_owned(),
            description: description.to_owned(),
        };
        assert_eq!(
            entries(&page, "| part | what it is |").unwrap(),
            [
                entry("scan", "the code, and more"),
                entry("qr", "the code, and more"),
                entry("copy", "`[1]`, or a b"),
            ]
        );
    }

    #[test]
    fn a_missing_table_is_an_error() {
        let error = entries(&page("Text."), "| part | what it is |").unwrap_err();
        assert_eq!(
            error.to_string(),
            "docs/page.md has no table with the header `| part | what it is |`: the npm package's manifest is made of it"
        );
    }
}
