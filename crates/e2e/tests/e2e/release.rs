//! The archive of a release, as `cargo xtask release` makes it.

mod containers;
mod definition;
mod image;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::{named, output, unpack};

/// The validator of the format's authors: prints the first error, if there is one.
const VALIDATE: &str = "
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()) or 'valid')
";

const PROGRAMS: [&str; 3] = ["tender-proxy", "tender-sandbox", "tender-shop"];

/// An unpacked archive, in a folder of its own.
struct Unpacked {
    folder: TempDir,
    root: PathBuf,
}

impl Unpacked {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().join("tender");
        unpack(file("tar.gz"), &root);
        Self { folder, root }
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }
}

/// The only file of the release with this ending.
fn file(ending: &str) -> PathBuf {
    let files = fs::read_dir(named("TENDER_RELEASE")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let found: Vec<_> = files
        .filter(|file| file.to_str().unwrap().ends_with(ending))
        .collect();
    let [file] = <[PathBuf; 1]>::try_from(found).unwrap();
    file
}

#[test]
fn the_checksums_are_those_of_all_files() {
    let checked = output(
        Command::new("sha256sum")
            .args(["--check", "--strict", "SHA256SUMS"])
            .current_dir(named("TENDER_RELEASE")),
    );
    let mut checked: BTreeSet<_> = checked
        .lines()
        .filter_map(|line| line.split(':').next())
        .collect();
    checked.insert("SHA256SUMS");
    let files = fs::read_dir(named("TENDER_RELEASE")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(
        files.collect::<BTreeSet<_>>(),
        checked.into_iter().map(str::to_owned).collect()
    );
}

/// The documentation contains code from there, and says how to run it.
#[test]
fn the_examples_are_there_as_git_tracks_them() {
    let archive = Unpacked::new();
    let tracked = output(
        Command::new("git")
            .args(["ls-files", "examples"])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")),
    );
    let there = output(
        Command::new("find")
            .args(["examples", "-type", "f"])
            .current_dir(&archive.root),
    );
    assert_eq!(
        there.lines().collect::<BTreeSet<_>>(),
        tracked.lines().collect()
    );
}

#[test]
fn no_module_contains_paths_of_this_machine() {
    let archive = Unpacked::new();
    let widget = fs::read_dir(archive.root.join("dist/v1")).unwrap();
    let widget = widget.map(|file| file.unwrap().path());
    contain_no_paths(widget.filter(|file| file.extension().is_some_and(|end| end == "wasm")));
}

#[test]
#[ignore = "only `cargo xtask release` builds the programs so"]
fn no_program_contains_paths_of_this_machine() {
    let archive = Unpacked::new();
    contain_no_paths(PROGRAMS.map(|name| archive.root.join(name)));
}

/// They would tell where the release was built, and two builds would differ.
fn contain_no_paths(programs: impl IntoIterator<Item = PathBuf>) {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap();
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.unwrap_or_else(|| std::env::home_dir().unwrap().join(".cargo"));
    let mut count = 0;
    for program in programs {
        count += 1;
        let mut grep = Command::new("grep");
        grep.args(["--text", "--only-matching", "--max-count=1"]);
        for path in [&repository, &home] {
            // With some of what follows it.
            let pattern = format!("{}.\\{{0,160\\}}", path.display());
            grep.arg("--regexp").arg(pattern);
        }
        let found = grep.arg(&program).output().unwrap();
        let text = String::from_utf8_lossy(&found.stdout);
        // It found nothing, and nothing went wrong.
        assert_eq!(
            found.status.code(),
            Some(1),
            "{}: {text}",
            program.display()
        );
    }
    assert_ne!(count, 0);
}

#[test]
fn the_bill_of_materials_is_valid_and_every_licence_is_there() {
    let archive = Unpacked::new();
    let path = archive.root.join("sbom.cdx.json");
    assert_eq!(
        fs::read(&path).unwrap(),
        fs::read(file("cdx.json")).unwrap()
    );
    let mut python = Command::new("python3");
    python.args(["-c", VALIDATE]).arg(&path);
    python.env("PYTHONPATH", named("TENDER_CYCLONEDX"));
    assert_eq!(output(&mut python), "valid\n");

    let bill: Value = serde_json::from_str(&archive.text("sbom.cdx.json")).unwrap();
    let components = bill["components"].as_array().unwrap();
    let text = |component: &Value, key: &str| component[key].as_str().unwrap().to_owned();
    let names: BTreeSet<_> = components
        .iter()
        .map(|component| text(component, "name"))
        .collect();
    // The programs, the widget's module, a library of each, and one that only the tests have.
    for name in [
        "tender-proxy",
        "tender-shop",
        "tender-checkout",
        "tender-payments",
        "sqlx-sqlite",
        "minijinja",
        "gloo-net",
    ] {
        assert!(names.contains(name), "{name}");
    }
    for name in ["thirtyfour", "trunk", "serde_derive"] {
        assert!(!names.contains(name), "{name}");
    }
    let third_party = archive.text("THIRD-PARTY.txt");
    for component in components {
        let (name, version) = (text(component, "name"), text(component, "version"));
        if name.starts_with("tender-") || name == "rust-std" {
            continue;
        }
        let title = format!("\n{name} {version}");
        // In the list, and above a text.
        assert!(third_party.contains(&format!("{title}: ")), "{title}");
        assert!(third_party.contains(&format!("{title}\n")), "{title}");
    }
}
