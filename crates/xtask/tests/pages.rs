//! Tests that no link between the pages of the documentation is dead, and that their code is that of the tested files.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a helper of a test may stop it too"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, iter};

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
    static ROOT: LazyLock<PathBuf> =
        LazyLock::new(|| fs::canonicalize(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap());
    &ROOT
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

/// Where a link to a file leads in the repository, if there is something, and its fragment; `None` for a link to another site.
fn target<'a>(from: &Path, link: &'a str) -> Option<(Option<PathBuf>, Option<&'a str>)> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, fragment) = match link.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (link, None),
    };
    let path = match path {
        "" => from.to_owned(),
        _ => from.parent().unwrap().join(path),
    };
    let path = fs::canonicalize(root().join(path)).ok();
    let path = path.and_then(|path| Some(path.strip_prefix(root()).ok()?.to_owned()));
    Some((path, fragment))
}

#[test]
fn every_link_leads_to_a_page_and_a_heading() {
    let mut pages = pages_in("");
    for folder in ["contract", "docs", "docs/performance", "examples"] {
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
            let there = path.is_some_and(|path| match fragment {
                None => true,
                Some(fragment) => {
                    let page = pages.get(&path);
                    page.is_some_and(|page| page.headings.contains(fragment))
                }
            });
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
    let mut pages = pages_in("docs");
    pages.extend(pages_in("docs/performance"));
    let summary = Path::new("docs/SUMMARY.md");
    let linked: BTreeSet<PathBuf> = pages
        .get(summary)
        .unwrap()
        .links
        .iter()
        .filter_map(|link| target(summary, link).unwrap().0)
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
                    path.is_some_and(|path| path.starts_with("docs")),
                    "{}: {link} is not part of the site",
                    from.display()
                );
            }
        }
    }
}

/// Programs read it at the site's root, where each page is an HTML file.
#[test]
fn the_list_for_programs_leads_to_pages_of_the_site() {
    let list = Page::parse(&fs::read_to_string(root().join("docs/llms.txt")).unwrap());
    assert!(list.links.len() > 10, "{:?}", list.links);
    for link in &list.links {
        // Files other than pages are copied as they are.
        let source = link.strip_suffix(".html").map(|page| format!("{page}.md"));
        let source = root().join("docs").join(source.as_ref().unwrap_or(link));
        assert!(source.exists(), "{link}");
    }
}

/// Above a code block that is a copy of a tested file, or of the part between its comments `ANCHOR` and `ANCHOR_END`:
/// `<!-- from FILE -->` or `<!-- from FILE:PART -->`.
const MARKER: &str = "<!-- from ";

fn source(name: &str) -> String {
    let (file, part) = name.split_once(':').unwrap_or((name, ""));
    let text = fs::read_to_string(root().join(file)).expect(name);
    if part.is_empty() {
        return text;
    }
    let (_, text) = text.split_once(&format!("ANCHOR: {part}\n")).expect(name);
    let (text, _) = text.split_once(&format!("ANCHOR_END: {part}")).expect(name);
    let (text, _comment_sign) = text.rsplit_once('\n').expect(name);
    format!("{text}\n")
}

/// The page with the code as it is in the files now.
fn with_current_code(page: &str) -> String {
    let mut blocks = page.split(MARKER);
    let before = blocks.next().unwrap().to_owned();
    let blocks = blocks.map(|block| {
        let (name, code) = block.split_once(" -->\n```").expect(block);
        let (language, code) = code.split_once('\n').expect(block);
        let (_, after) = code.split_once("```\n").expect(block);
        let code = source(name);
        format!("{MARKER}{name} -->\n```{language}\n{code}```\n{after}")
    });
    iter::once(before).chain(blocks).collect()
}

#[test]
fn code_in_the_pages_is_that_of_the_tested_files() {
    let is_update = env::var_os("UPDATE_DOCS").is_some();
    let mut copies = 0;
    for page in pages_in("docs").keys() {
        let path = root().join(page);
        let text = fs::read_to_string(&path).unwrap();
        let page = page.display();
        assert!(!text.contains("{{#"), "{page}: code hosts show it as it is");
        copies += text.matches(MARKER).count();
        let current = with_current_code(&text);
        if is_update {
            fs::write(&path, current).unwrap();
        } else {
            assert!(
                text == current,
                "{page} has old code; `UPDATE_DOCS=1 cargo test -p xtask --test pages` renews it"
            );
        }
    }
    assert!(copies > 10, "only {copies} copies found");
}
