//! `cargo xtask size`: the size of each file that a buyer downloads, and its budget.
//!
//! A file over its budget fails the tests. To let it grow, raise its line in the budget file in the same change, and
//! write there why.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use fs_err as fs;

use crate::bundle::compress;
use crate::workspace::Workspace;

/// A line for each kind of file: its path in `dist/v1`, with a `*` for the part of a name that differs, and its maximum size in
/// bytes, compressed with brotli.
const BUDGET: &str = "size-budget.txt";

/// The endings of files that no browser downloads.
const NOT_DOWNLOADED: [&str; 3] = [".d.ts", ".preload.json", ".integrity.json"];

/// A line of the budget, and the size of the largest file of its kind.
#[derive(Debug)]
struct Kind<'a> {
    path: &'a str,
    most: u64,
    size: u64,
}

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let folder = workspace.root().join("dist/v1");
    let mut sizes = Vec::new();
    for file in compress::files(&folder)? {
        let path = file.strip_prefix(&folder).unwrap_or(&file);
        let size = fs::metadata(&file)?.len();
        sizes.push((path.to_string_lossy().into_owned(), size));
    }
    let budget = fs::read_to_string(workspace.root().join(BUDGET))?;
    let (table, over) = compare(&budget, &sizes).context(BUDGET)?;
    print!("{table}");
    ensure!(
        over.is_empty(),
        "over budget: {}; make it smaller, or raise its line in {BUDGET} in the same change and write there why",
        over.join("; ")
    );
    Ok(())
}

/// The sizes of the brotli files, which browsers request, as a table, and those that are over their budget.
fn compare(budget: &str, sizes: &[(impl AsRef<str>, u64)]) -> Result<(String, Vec<String>)> {
    let lines = budget.lines();
    let lines = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines = lines.filter(|line| !line.is_empty());
    let mut kinds = lines.map(read).collect::<Result<Vec<_>>>()?;
    for (path, size) in sizes {
        let Some(path) = path.as_ref().strip_suffix(".br") else {
            continue;
        };
        if NOT_DOWNLOADED.iter().any(|end| path.ends_with(end)) {
            continue;
        }
        let kind = kinds.iter_mut().find(|kind| kind.has(path));
        let kind = kind.with_context(|| format!("no line is for `{path}`: give it one"))?;
        kind.size = kind.size.max(*size);
    }
    let mut table = format!("    {:<28} {:>9} {:>9}\n", "", "brotli", "budget");
    let mut over = Vec::new();
    for Kind { path, most, size } in kinds {
        ensure!(
            size > 0,
            "dist/v1 has no `{path}`: build it with `cargo xtask dist`, or remove its line"
        );
        // Writing to a string does not fail.
        let _ = writeln!(table, "    {path:<28} {size:>9} {most:>9}");
        if size > most {
            over.push(format!("{path}, {size} bytes of {most}"));
        }
    }
    Ok((table, over))
}

fn read(line: &str) -> Result<Kind<'_>> {
    let (path, bytes) = line.split_once(' ').unwrap_or((line, ""));
    let most = bytes.trim().parse();
    let most = most.with_context(|| format!("`{line}` is not a path and a number of bytes"))?;
    let size = 0;
    Ok(Kind { path, most, size })
}

impl Kind<'_> {
    fn has(&self, path: &str) -> bool {
        let Some((start, end)) = self.path.split_once('*') else {
            return path == self.path;
        };
        let name = path.strip_prefix(start);
        let name = name.and_then(|name| name.strip_suffix(end));
        name.is_some_and(|name| !name.contains('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files over this budget, or the error.
    fn over(budget: &str, sizes: &[(&str, u64)]) -> Result<Vec<String>, String> {
        let compared = compare(budget, sizes).map_err(|error| error.to_string());
        compared.map(|(_, over)| over)
    }

    #[test]
    fn the_largest_file_of_a_kind_is_compared_with_its_line() {
        let budget = "# brotli bytes\na-*.js 100\n*.json  2000 # and why\n\nde/*.json 20\n";
        let sizes = |script, german, french| {
            [
                ("a-1f.js.br", script),
                ("a-1f.js.gz", 9999),
                ("a.d.ts.br", 9999),
                ("de/a-1f.json.br", german),
                ("de/b-1f.json.br", 1),
                ("fr-1f.json.br", french),
            ]
        };
        assert_eq!(over(budget, &sizes(100, 20, 2000)), Ok(vec![]));
        assert_eq!(
            over(budget, &sizes(101, 19, 2001)).unwrap(),
            ["a-*.js, 101 bytes of 100", "*.json, 2001 bytes of 2000"]
        );
        assert_eq!(
            over(budget, &sizes(1, 21, 1)).unwrap(),
            ["de/*.json, 21 bytes of 20"]
        );
    }

    #[test]
    fn every_file_has_a_line_and_every_line_a_file() {
        for (budget, error) in [
            ("a.js 1", "no line is for `b.js`: give it one"),
            (
                "a.js 1\nb.js 1\nc.js 1",
                "dist/v1 has no `c.js`: build it with `cargo xtask dist`, or remove its line",
            ),
            ("a.js", "`a.js` is not a path and a number of bytes"),
            (
                "a.js many",
                "`a.js many` is not a path and a number of bytes",
            ),
            ("a.js -1", "`a.js -1` is not a path and a number of bytes"),
        ] {
            assert_eq!(
                over(budget, &[("a.js.br", 1), ("b.js.br", 1)]),
                Err(error.to_owned())
            );
        }
    }
}
