//! Checks that each layer uses only the layers below it. The table in `lib.rs` has their order.

use std::fs;
use std::path::{Path, PathBuf};

const LIB: &str = include_str!("lib.rs");

/// Test code that stands above all layers.
const TESTS: [&str; 2] = ["fuzz", "layers"];

/// The layers of the table with their rows, from the top. Layers in the same row must not use each
/// other.
fn layers() -> Vec<(usize, &'static str)> {
    let rows = LIB.lines().filter_map(|line| line.strip_prefix("//! | "));
    let names = |(row, text): (usize, &'static str)| {
        let first = text.split(" | ").next().unwrap_or_default();
        let names = first
            .split(", ")
            .map(|name| name.trim_matches(['[', ']', '`']));
        names.map(move |name| (row, name))
    };
    rows.skip(1).enumerate().flat_map(names).collect()
}

/// The top-level modules that a file names in `crate::…` paths.
fn used(source: &str) -> Vec<&str> {
    let code = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(|line| line.split("crate::").skip(1));
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    paths
        .map(|path| {
            path.split(|character| !is_name(character))
                .next()
                .unwrap_or_default()
        })
        .collect()
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_table_names_every_module() {
    let mut modules: Vec<_> = LIB
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "))
        .map(|name| name.trim_end_matches(';'))
        .filter(|name| !TESTS.contains(name))
        .collect();
    let mut layers: Vec<_> = layers().into_iter().map(|(_, name)| name).collect();
    modules.sort_unstable();
    layers.sort_unstable();
    assert_eq!(layers, modules);
}

#[test]
fn imports_run_downwards() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layers = layers();
    let row = |name: &str| {
        layers
            .iter()
            .find(|layer| layer.1 == name)
            .map(|layer| layer.0)
    };
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut checked = 0;
    let mut upwards = Vec::new();
    for file in files {
        let path = file.strip_prefix(&source).unwrap();
        let top = path.iter().next().unwrap().to_str().unwrap();
        let top = top.trim_end_matches(".rs");
        let Some(own) = row(top) else {
            assert!(
                TESTS.contains(&top)
                    || ["lib", "main", "health", "settle", "log", "order", "signals"]
                        .contains(&top),
                "{top}"
            );
            continue;
        };
        for name in used(&fs::read_to_string(&file).unwrap()) {
            checked += 1;
            let Some(other) = row(name) else {
                panic!("{}: `crate::{name}` is not a layer", path.display());
            };
            if name != top && other <= own {
                upwards.push(format!("{} uses {name}", path.display()));
            }
        }
    }
    assert!(checked > 100, "only {checked} paths found");
    assert_eq!(upwards, Vec::<String>::new());
}
