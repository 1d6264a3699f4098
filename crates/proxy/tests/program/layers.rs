//! Tests that the modules are layers, as `src/lib.rs` lists them.

use std::fs;
use std::path::Path;

const LIBRARY: &str = include_str!("../../src/lib.rs");

/// The modules of each layer, from the top.
fn layers() -> Vec<Vec<&'static str>> {
    let rows = LIBRARY
        .lines()
        .filter_map(|line| line.strip_prefix("//! | "));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let names = cells.map(|cell| cell.split('`').skip(1).step_by(2).collect());
    names.filter(|names: &Vec<_>| !names.is_empty()).collect()
}

/// The code of the program, without its tests.
fn code(path: &Path, files: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            code(&entry.unwrap().path(), files);
        }
        return;
    }
    let name = path.to_string_lossy();
    let is_test = name.contains("/tests") || name.ends_with("/testing.rs");
    if name.ends_with(".rs") && !is_test {
        let text = fs::read_to_string(path).unwrap();
        let tests = text.find("#[cfg(test)]\nmod tests {");
        files.push(text[..tests.unwrap_or(text.len())].to_owned());
    }
}

/// The modules that this code names.
fn used(code: &str) -> impl Iterator<Item = &str> {
    assert!(!code.contains("crate::{"), "name the modules one by one");
    let named = code.split("crate::").skip(1);
    named.filter_map(|rest| {
        rest.split(|letter| !matches!(letter, 'a'..='z' | '_'))
            .next()
    })
}

#[test]
fn a_layer_uses_only_layers_below_it() {
    let layers = layers();
    let level = |module: &str| layers.iter().position(|names| names.contains(&module));
    let modules = LIBRARY.lines().filter_map(|line| {
        let name = line.strip_prefix("pub ").unwrap_or(line);
        name.strip_prefix("mod ")?.strip_suffix(';')
    });
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for module in modules.filter(|module| !matches!(*module, "fuzz" | "simulation")) {
        let own = level(module);
        assert!(own.is_some(), "`{module}` is in no layer");
        let (mut files, directory) = (Vec::new(), source.join(module));
        for path in [directory.with_extension("rs"), directory] {
            if path.exists() {
                code(&path, &mut files);
            }
        }
        assert!(!files.is_empty(), "{module}");
        let higher = files.iter().flat_map(|code| used(code));
        let higher = higher.filter(|used| level(used).is_some_and(|level| Some(level) < own));
        wrong.extend(higher.map(|used| format!("`{module}` uses `{used}`, which is above it")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
