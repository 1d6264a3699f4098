//! Tests that commands which select different packages compile the same dependencies: `crates/features` says why.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

const WASM: &str = "--target wasm32-unknown-unknown";

/// The packages of the browser. The others are those of this machine.
const DOM: [&str; 4] = [
    "tender-checkout",
    "tender-element",
    "tender-element-testing",
    "tender-payments",
];

/// Packages, and the sets of features that each is compiled with: another one for build scripts and macros.
type Features = BTreeMap<String, BTreeSet<String>>;

fn cargo(words: &str) -> String {
    let mut cargo = Command::new(env!("CARGO"));
    let output = cargo.args(words.split_whitespace()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {words}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// What cargo compiles for this selection. With tests, it adds the features that these need.
fn features(selection: &str, edges: &str) -> Features {
    let mut features = Features::new();
    let tree = cargo(&format!(
        "tree --locked --prefix none --edges {edges} {selection} --format {{p}}|{{f}}"
    ));
    for line in tree.lines() {
        if let Some((package, set)) = line.trim_end_matches(" (*)").split_once('|') {
            let sets = features.entry(package.to_owned()).or_default();
            sets.insert(set.to_owned());
        }
    }
    features
}

fn with_tests(selection: &str) -> Features {
    features(selection, "normal,build,dev")
}

fn packages(names: &[&str]) -> String {
    let flags = names.iter().map(|name| format!(" --package {name}"));
    flags.collect()
}

/// Stops if a package of the selection is compiled with features that the whole lacks.
fn assert_shared(selection: &str, part: &Features, whole: &Features) {
    let other: Vec<_> = part
        .iter()
        .filter(|(package, sets)| !sets.is_subset(&whole[*package]))
        .map(|(package, sets)| format!("{package}: {sets:?} is not in {:?}", whole[package]))
        .collect();
    assert!(
        other.is_empty(),
        "`{selection}` compiles these again:\n{}",
        other.join("\n")
    );
}

#[test]
fn the_demo_and_the_tests_of_each_package_share_what_is_compiled() {
    let whole = with_tests("--workspace");
    let demo = packages(&[
        "tender-shop",
        "tender-proxy",
        "tender-sandbox",
        "tender-features",
    ]);
    assert_shared(&demo, &features(&demo, "normal,build"), &whole);
    let members = cargo("tree --locked --workspace --depth 0 --prefix none --format {p}");
    let members = members.lines().filter_map(|line| line.split(' ').next());
    for member in members.filter(|member| !member.is_empty() && !DOM.contains(member)) {
        let tests = packages(&[member, "tender-features"]);
        assert_shared(&tests, &with_tests(&tests), &whole);
    }
}

#[test]
fn the_demos_widget_and_the_tests_of_the_elements_share_what_is_compiled() {
    let whole = with_tests(&format!("{WASM}{}", packages(&DOM)));
    for element in ["tender-checkout", "tender-payments"] {
        let element = format!("{WASM}{}", packages(&[element]));
        assert_shared(&element, &features(&element, "normal,build"), &whole);
    }
}
