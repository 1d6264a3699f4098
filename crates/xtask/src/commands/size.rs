//! `cargo xtask size`: the size of each file that a buyer downloads, and its budget.
//!
//! A file over its budget fails the tests. To let it grow, raise its line in the budget file in the same change, and
//! write there why.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use fs_err as fs;

use crate::bundle::compress;
use crate::error::{Result, SizeError};
use crate::workspace::Workspace;

/// A line for each kind of file: its name, and its maximum size in bytes, compressed with brotli.
const BUDGET: &str = "size-budget.txt";

/// The kinds of files that a browser downloads: how their paths in `dist/v1` begin and end, first the special ones.
const KINDS: [(&str, &str, &str); 12] = [
    ("loader", "checkout.js", ""),
    ("pinned-loader", "checkout-", ".js"),
    ("style", "checkout-", ".css"),
    ("module", "tender-checkout-", ".wasm"),
    ("glue", "tender-checkout-", ".js"),
    ("payment-page", "pay.js", ""),
    ("payments-loader", "payments.js", ""),
    ("payments-pinned-loader", "payments-", ".js"),
    ("payments-module", "tender-payments-", ".wasm"),
    ("payments-glue", "tender-payments-", ".js"),
    ("payments-language", "locales/payments/", ".json"),
    ("language", "locales/", ".json"),
];

/// Bytes by the kind of file.
type Sizes = BTreeMap<String, u64>;

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let budget = read(&fs::read_to_string(workspace.root().join(BUDGET))?)?;
    let sizes = sizes(&workspace.root().join("dist/v1"))?;
    let (table, over) = compare(&sizes, &budget)?;
    print!("{table}");
    if over.is_empty() {
        Ok(())
    } else {
        Err(SizeError::OverBudget(over.join("; ")).into())
    }
}

/// The brotli files of the bundle, which browsers request.
fn sizes(folder: &Path) -> Result<Sizes> {
    let mut sizes = Sizes::new();
    for file in compress::files(folder)? {
        let path = file.strip_prefix(folder).unwrap_or(&file);
        if let Some(kind) = kind(&path.to_string_lossy()) {
            let size = fs::metadata(&file)?.len();
            // Of several files of a kind (locale files) the largest counts: a buyer downloads one.
            let largest = sizes.entry(kind.to_owned()).or_default();
            *largest = size.max(*largest);
        }
    }
    Ok(sizes)
}

/// The kind of a compressed file; `None` if no browser downloads it.
fn kind(path: &str) -> Option<&'static str> {
    let path = path.strip_suffix(".br")?;
    let mut kinds = KINDS.into_iter();
    let (kind, ..) =
        kinds.find(|(_, start, end)| path.starts_with(start) && path.ends_with(end))?;
    Some(kind)
}

fn read(text: &str) -> Result<Sizes, SizeError> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines = lines.filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let wrong = || SizeError::Line(line.to_owned());
            let (kind, bytes) = line.split_once(' ').ok_or_else(wrong)?;
            let bytes = bytes.trim().parse().map_err(|_| wrong())?;
            Ok((kind.to_owned(), bytes))
        })
        .collect()
}

/// The sizes as a table, and those that are over their budget.
fn compare(sizes: &Sizes, budget: &Sizes) -> Result<(String, Vec<String>), SizeError> {
    if let Some(kind) = budget.keys().find(|kind| !sizes.contains_key(*kind)) {
        return Err(SizeError::NoFile(kind.clone()));
    }
    let mut table = format!("    {:<17} {:>9} {:>9}\n", "", "brotli", "budget");
    let mut over = Vec::new();
    for (kind, bytes) in sizes {
        let most = budget.get(kind);
        let most = most.ok_or_else(|| SizeError::NoBudget(kind.clone()))?;
        // Writing to a string does not fail.
        let _ = writeln!(table, "    {kind:<17} {bytes:>9} {most:>9}");
        if bytes > most {
            over.push(format!("{kind}, {bytes} bytes of {most}"));
        }
    }
    Ok((table, over))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# brotli bytes\nloader 100\nmodule  2000 # and why\n\n";

    fn budget() -> Sizes {
        read(TEXT).unwrap()
    }

    fn sizes(loader: u64, module: u64) -> Sizes {
        BTreeMap::from([("loader".to_owned(), loader), ("module".to_owned(), module)])
    }

    #[test]
    fn a_file_over_its_budget_is_named() {
        let over = |loader, module| compare(&sizes(loader, module), &budget()).unwrap().1;
        assert_eq!(over(100, 1999), [""; 0]);
        assert_eq!(
            over(101, 2001),
            ["loader, 101 bytes of 100", "module, 2001 bytes of 2000"]
        );
    }

    #[test]
    fn every_kind_has_a_line_and_every_line_a_file() {
        let mut more = sizes(1, 1);
        more.insert("glue".to_owned(), 1);
        assert_eq!(
            compare(&more, &budget()),
            Err(SizeError::NoBudget("glue".to_owned()))
        );
        more.remove("module");
        assert_eq!(
            compare(&more, &budget()),
            Err(SizeError::NoFile("module".to_owned()))
        );
    }

    #[test]
    fn a_line_that_can_not_be_read_is_named() {
        for line in ["loader", "loader many", "loader -1"] {
            assert_eq!(read(line), Err(SizeError::Line(line.to_owned())));
        }
    }

    #[test]
    fn a_browser_asks_for_compressed_files() {
        for (path, expected) in [
            ("checkout.js.br", Some("loader")),
            ("checkout-0.1.0-1f.js.br", Some("pinned-loader")),
            ("checkout-0.1.0-1f.css.br", Some("style")),
            ("pay.js.br", Some("payment-page")),
            ("tender-checkout-1f.js.br", Some("glue")),
            ("tender-checkout-1f_bg.wasm.br", Some("module")),
            ("payments.js.br", Some("payments-loader")),
            ("payments-0.1.0-1f.js.br", Some("payments-pinned-loader")),
            ("tender-payments-1f.js.br", Some("payments-glue")),
            ("tender-payments-1f_bg.wasm.br", Some("payments-module")),
            ("locales/de-1f.json.br", Some("language")),
            ("locales/payments/de-1f.json.br", Some("payments-language")),
            ("checkout.js", None),
            ("checkout.js.gz", None),
            ("checkout.d.ts.br", None),
        ] {
            assert_eq!(kind(path), expected, "{path}");
        }
    }
}
