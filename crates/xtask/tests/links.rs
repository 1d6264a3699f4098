//! Tests that no link between the pages of the documentation is dead, and that the files which they include are there.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page, by its path in the repository.
struct Page {
    /// The fragments that its headings have, on the site and on GitHub.
    headings: BTreeSet<String>,
    /// Where its links and images lead to.
    links: Vec<String>,
}

impl Page {
    fn parse(text: &str) -> Self {
        let mut page = Self {
            headings: BTreeSet::new(),
            links: Vec::new(),
        };
        let mut heading = None;
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    page.headings.insert(fragment(&heading.take().unwrap()));
                }
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                _ => {}
            }
        }
        page
    }
}

/// The fragment of a heading: lower case, hyphens for spaces, no punctuation.
fn fragment(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        })
        .collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
}

/// The Markdown files of a folder.
fn pages_in(folder: &str) -> BTreeMap<PathBuf, Page> {
    fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| PathBuf::from(folder).join(entry.unwrap().file_name()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| {
            let text = fs::read_to_string(root().join(&path)).unwrap();
            (path, Page::parse(&text))
        })
        .collect()
}

/// `docs/../README.md` is `README.md`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            assert!(normal.pop(), "{} is outside the repository", path.display());
        } else {
            normal.push(part);
        }
    }
    normal
}

/// The target and the fragment of a link to a file; `None` for a link to another site.
fn target<'a>(from: &Path, link: &'a str) -> Option<(PathBuf, Option<&'a str>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, fragment) = match link.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (link, None),
    };
    let path = match path {
        "" => from.to_owned(),
        _ => normal(&from.parent().unwrap().join(path)),
    };
    Some((path, fragment))
}

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let mut pages = pages_in("");
    for folder in ["docs", "examples"] {
        pages.extend(pages_in(folder));
    }
    let mut dead = Vec::new();
    let mut checked = 0;
    for (from, page) in &pages {
        for link in &page.links {
            let Some((path, fragment)) = target(from, link) else {
                continue;
            };
            checked += 1;
            let there = match fragment {
                None => root().join(&path).exists(),
                Some(fragment) => {
                    let page = pages.get(&path);
                    page.is_some_and(|page| page.headings.contains(fragment))
                }
            };
            if !there {
                dead.push(format!("{}: {link}", from.display()));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
    assert!(checked > 100, "only {checked} links found");
}

/// The site has the pages of docs/ only.
#[test]
fn the_site_has_all_pages_and_links_to_no_others() {
    let pages = pages_in("docs");
    let summary = Path::new("docs/SUMMARY.md");
    let linked: BTreeSet<PathBuf> = pages
        .get(summary)
        .unwrap()
        .links
        .iter()
        .map(|link| target(summary, link).unwrap().0)
        .collect();
    let there: BTreeSet<PathBuf> = pages
        .keys()
        .filter(|path| *path != summary)
        .cloned()
        .collect();
    assert_eq!(linked, there);
    for (from, page) in &pages {
        for link in &page.links {
            if let Some((path, _)) = target(from, link) {
                assert!(
                    path.starts_with("docs"),
                    "{}: {link} is not part of the site",
                    from.display()
                );
            }
        }
    }
}

/// mdBook only warns of a missing file, and says nothing of a missing part.
#[test]
fn every_included_part_of_a_file_is_there() {
    let mut checked = 0;
    for page in pages_in("docs").keys() {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for include in text.split("{{#include ").skip(1) {
            let (include, _) = include.split_once("}}").unwrap();
            let (file, part) = include.split_once(':').unwrap_or((include, ""));
            let path = normal(&page.parent().unwrap().join(file));
            let content = fs::read_to_string(root().join(path)).unwrap_or_default();
            for anchor in ["ANCHOR", "ANCHOR_END"] {
                let is_there = match part {
                    "" => !content.is_empty(),
                    part => content.contains(&format!("{anchor}: {part}")),
                };
                assert!(is_there, "{}: {include}", page.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 10, "only {checked} includes found");
}
