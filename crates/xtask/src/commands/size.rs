//! `cargo xtask size`: the size of each file that a buyer downloads, and its budget.
//!
//! A file over its budget fails the tests. To let it grow, raise its line in the budget file in the same change, and
//! write there why.

use std::collections::BTreeMap;
use std::path::Path;

use fs_err as fs;

use crate::error::{Result, SizeError};
use crate::workspace::Workspace;

/// A line for each kind of file: its name, and its maximum size in bytes, compressed with brotli.
const BUDGET: &str = "size-budget.txt";

/// The size of one kind of file, and its maximum.
#[derive(Debug, PartialEq, Eq)]
struct Size {
    kind: String,
    bytes: u64,
    budget: u64,
}

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let path = workspace.root().join(BUDGET);
    let budget = fs::read_to_string(&path)?;
    let folder = workspace.root().join("dist/v1");
    let measured = compare(&sizes(&folder)?, &read(&budget)?)?;
    print!("{}", table(&measured));
    Ok(check(&measured)?)
}

/// The brotli files of the bundle, which browsers request.
fn sizes(folder: &Path) -> Result<BTreeMap<String, u64>> {
    let mut sizes = BTreeMap::new();
    let locales = folder.join("locales");
    for (folder, language) in [
        (folder.to_owned(), None),
        (locales.join("payments"), Some("payments-language")),
        (locales, Some("language")),
    ] {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(kind) = kind(&name, language) else {
                continue;
            };
            let size = entry.metadata()?.len();
            // Of several files of a kind (locale files) the largest counts: a buyer downloads one.
            let largest = sizes.entry(kind.to_owned()).or_default();
            *largest = size.max(*largest);
        }
    }
    Ok(sizes)
}

/// The kind of a compressed file; `None` if no browser downloads it. `language` is the kind of the locale files, if the
/// file is in their folder.
fn kind(name: &str, language: Option<&'static str>) -> Option<&'static str> {
    let name = name.strip_suffix(".br")?;
    let extension = name.rsplit('.').next()?;
    let is_of_merchant = name.starts_with("tender-payments-");
    Some(match (name, extension) {
        _ if language.is_some() => return language,
        ("checkout.js", _) => "loader",
        ("pay.js", _) => "payment-page",
        ("payments.js", _) => "payments-loader",
        (_, "js") if name.starts_with("checkout-") => "pinned-loader",
        (_, "js") if name.starts_with("payments-") => "payments-pinned-loader",
        (_, "wasm") if is_of_merchant => "payments-module",
        (_, "js") if is_of_merchant => "payments-glue",
        (_, "wasm") => "module",
        (_, "js") => "glue",
        _ => return None,
    })
}

fn read(text: &str) -> Result<BTreeMap<String, u64>, SizeError> {
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    let lines = lines.filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let wrong = || SizeError::Line(line.trim().to_owned());
            let (kind, bytes) = line.trim().split_once(' ').ok_or_else(wrong)?;
            let bytes = bytes.trim().parse().map_err(|_| wrong())?;
            Ok((kind.to_owned(), bytes))
        })
        .collect()
}

fn compare(
    sizes: &BTreeMap<String, u64>,
    budget: &BTreeMap<String, u64>,
) -> Result<Vec<Size>, SizeError> {
    if let Some(kind) = budget.keys().find(|kind| !sizes.contains_key(*kind)) {
        return Err(SizeError::NoFile(kind.clone()));
    }
    sizes
        .iter()
        .map(|(kind, bytes)| match budget.get(kind) {
            Some(budget) => Ok(Size {
                kind: kind.clone(),
                bytes: *bytes,
                budget: *budget,
            }),
            None => Err(SizeError::NoBudget(kind.clone())),
        })
        .collect()
}

fn table(measured: &[Size]) -> String {
    let line =
        |kind: &str, bytes: &str, budget: &str| format!("    {kind:<17} {bytes:>9} {budget:>9}\n");
    let lines = measured.iter().map(|size| {
        line(
            &size.kind,
            &size.bytes.to_string(),
            &size.budget.to_string(),
        )
    });
    let head = line("", "brotli", "budget");
    std::iter::once(head).chain(lines).collect()
}

fn check(measured: &[Size]) -> Result<(), SizeError> {
    let over: Vec<_> = measured
        .iter()
        .filter(|size| size.bytes > size.budget)
        .map(
            |Size {
                 kind,
                 bytes,
                 budget,
             }| format!("{kind}, {bytes} bytes of {budget}"),
        )
        .collect();
    if over.is_empty() {
        Ok(())
    } else {
        Err(SizeError::OverBudget(over.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# brotli bytes\nloader 100\nmodule  2000 # and why\n\n";

    fn budget() -> BTreeMap<String, u64> {
        read(TEXT).unwrap()
    }

    fn sizes(loader: u64, module: u64) -> BTreeMap<String, u64> {
        BTreeMap::from([("loader".to_owned(), loader), ("module".to_owned(), module)])
    }

    #[test]
    fn a_file_over_its_budget_fails() {
        let measured = compare(&sizes(100, 1999), &budget()).unwrap();
        assert_eq!(check(&measured), Ok(()));
        let measured = compare(&sizes(101, 2001), &budget()).unwrap();
        let over = "loader, 101 bytes of 100; module, 2001 bytes of 2000";
        assert_eq!(
            check(&measured),
            Err(SizeError::OverBudget(over.to_owned()))
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
        assert_eq!(kind("checkout.js.br", None), Some("loader"));
        assert_eq!(kind("pay.js.br", None), Some("payment-page"));
        assert_eq!(kind("tender-checkout-1f.js.br", None), Some("glue"));
        assert_eq!(kind("tender-checkout-1f_bg.wasm.br", None), Some("module"));
        assert_eq!(kind("payments.js.br", None), Some("payments-loader"));
        let module = kind("tender-payments-1f_bg.wasm.br", None);
        assert_eq!(module, Some("payments-module"));
        assert_eq!(kind("de-1f.json.br", Some("language")), Some("language"));
        for other in ["checkout.js", "checkout.js.gz", "checkout.d.ts.br"] {
            assert_eq!(kind(other, None), None);
        }
    }
}
