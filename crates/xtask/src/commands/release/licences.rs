//! The licences of all packages of others in a release, as one text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use fs_err as fs;

use super::packages::{self, Package};
use crate::bundle::compress;

/// How the names of files with licences begin, in lower case.
const BEGINNINGS: [&str; 6] = [
    "license",
    "licence",
    "copying",
    "copyright",
    "notice",
    "unlicense",
];

/// Endings of code, which may have such a name too.
const CODE: [&str; 6] = ["rs", "c", "h", "py", "sh", "json"];

const RULE: &str =
    "--------------------------------------------------------------------------------";

/// The C library in static programs, which no package contains.
const MUSL: &str = "musl";

/// The packages, then each text of a licence once, with the packages that it belongs to.
pub(super) fn of(packages: &[Package], target: &str) -> Result<String> {
    let mut list = String::from(
        "Tender contains this software of others. The licences follow below. The licences of Rust's standard\n\
         library, which is part of every program, are in RUST-STANDARD-LIBRARY.html.\n\n",
    );
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages::third_party(packages) {
        let title = package.reference();
        let source = package.repository.as_deref().unwrap_or_default();
        let line = format!("{title}: {} {source}", package.license());
        // Writing to a string does not fail.
        let _ = writeln!(list, "{}", line.trim_end());
        for text in texts(package)? {
            users.entry(text).or_default().insert(title.clone());
        }
    }
    if target.ends_with(MUSL) {
        list.push_str("musl: MIT https://musl.libc.org\n");
        let text = standard("MIT", "Rich Felker and others");
        users.extend(
            text.into_iter()
                .map(|text| (text, [MUSL.to_owned()].into())),
        );
    }
    let mut texts: Vec<_> = users.into_iter().collect();
    texts.sort_by(|(_, one), (_, other)| one.cmp(other));
    for (text, users) in texts {
        let users = users.into_iter().collect::<Vec<_>>().join("\n");
        let _ = write!(list, "\n{RULE}\n{users}\n{RULE}\n\n{text}\n");
    }
    Ok(list)
}

/// The texts that the package contains, also of code that it includes; otherwise the standard texts of its licences.
fn texts(package: &Package) -> Result<BTreeSet<String>> {
    let mut texts = BTreeSet::new();
    for file in compress::files(package.folder())? {
        if is_licence(&file) {
            let text = fs::read(&file)?;
            let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
            texts.insert(text.trim_end().to_owned());
        }
    }
    texts.retain(|text| !text.is_empty());
    if texts.is_empty() {
        texts.extend(standard(package.license(), &package.authors.join(", ")));
    }
    Ok(texts)
}

/// The standard texts of the licences in this expression.
fn standard(expression: &str, authors: &str) -> Vec<String> {
    let expression = spdx::Expression::parse(expression).ok();
    let requirements = expression.iter().flat_map(spdx::Expression::requirements);
    let licences = requirements.filter_map(|requirement| requirement.req.license.id());
    let text = |licence: spdx::LicenseId| {
        let text = licence.text().trim_end();
        format!(
            "The package contains no text of its licence. This is the standard text of {}.\n\
             Authors: {authors}\n\n{text}",
            licence.name
        )
    };
    licences.map(text).collect()
}

/// Whether a file with this path has the text of a licence.
fn is_licence(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_lowercase();
    let end = path.extension().and_then(|end| end.to_str());
    BEGINNINGS.iter().any(|start| name.starts_with(start))
        && !end.is_some_and(|end| CODE.contains(&end))
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn package(name: &str, license: &str, files: &[(&str, &str)]) -> (TempDir, Package) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let package = Package::test(name, "1.0.0", license, folder.path());
        (folder, package)
    }

    #[test]
    fn equal_texts_are_printed_once_and_those_of_included_code_too() {
        let files = [
            ("LICENSE-MIT", "one\r\ntext\n"),
            ("src/licenses.rs", "code"),
        ];
        let (_one, one) = package("one", "MIT", &files);
        let files = [("license.md", "one\ntext"), ("vendor/COPYING", "of C")];
        let (_other, other) = package("other", "MIT", &files);
        let text = of(&[one, other], "linux-gnu").unwrap();
        let shared = format!("{RULE}\none 1.0.0\nother 1.0.0\n{RULE}\n\none\ntext\n");
        assert!(text.contains(&shared), "{text}");
        assert!(
            text.contains("\nother 1.0.0\n") && text.contains("\n\nof C\n"),
            "{text}"
        );
        assert!(!text.contains("code"), "{text}");
    }

    #[test]
    fn a_package_without_a_text_gets_the_standard_texts_and_its_authors() {
        let (_folder, package) = package("bare", "MIT OR Zlib", &[("src/lib.rs", "")]);
        let text = of(&[package], "linux-musl").unwrap();
        for part in [
            "A. Author",
            "MIT License",
            "zlib License",
            "Authors: Rich Felker",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
