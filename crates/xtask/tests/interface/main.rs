//! Tests that all lists of the elements' attributes, events, custom properties and languages have the same names. The tables in
//! the documentation declare them: the npm package's manifest is made of these.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

mod attributes;
mod heights;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

type Names = BTreeSet<String>;

/// An element, and the files with its lists.
struct Element {
    tag: &'static str,
    guide: &'static str,
    loader: &'static str,
    /// Where its attributes are read, besides what both elements share.
    config: &'static [&'static str],
    /// The dashboard's types extend those of the checkout.
    types: &'static [&'static str],
    host: &'static str,
    /// Its name in the example in TypeScript.
    variable: &'static str,
}

const CHECKOUT: Element = Element {
    tag: "tender-checkout",
    guide: "docs/embedding.md",
    loader: "src/checkout.js",
    config: &[
        "crates/checkout-core/src/config.rs",
        "crates/checkout-core/src/config/order.rs",
        "style/checkout.css",
        "style/payment.css",
    ],
    types: &["src/checkout.d.ts"],
    host: "src/host.rs",
    variable: "checkout",
};

const PAYMENTS: Element = Element {
    tag: "tender-payments",
    guide: "docs/merchant.md",
    loader: "crates/payments/src/payments.js",
    config: &["crates/payments-core/src/config.rs"],
    types: &["src/checkout.d.ts", "crates/payments/src/payments.d.ts"],
    host: "crates/payments/src/host.rs",
    variable: "payments",
};

/// It uses everything that the types declare, and is compiled.
const EXAMPLE: &str = "crates/e2e/tests/e2e/types/shop.ts";
const REACT: &str = "npm/react.js";
const PLAYGROUND: &str = "crates/shop/src/playground";
const BUDGET: &str = "size-budget.txt";

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).unwrap()
}

/// The part of a file between two texts.
fn part(path: &str, from: &str, to: &str) -> String {
    let text = read(path);
    let (_, part) = text.split_once(from).unwrap();
    part.split_once(to).unwrap().0.to_owned()
}

/// The words between these marks that have only letters and hyphens.
fn marked(text: &str, mark: char) -> Names {
    let words = text.split(mark).skip(1).step_by(2);
    names(words.filter(|word| word.chars().all(|c| c.is_ascii_alphabetic() || c == '-')))
}

fn names<'a>(words: impl Iterator<Item = &'a str>) -> Names {
    words.map(str::to_owned).collect()
}

fn of_events(words: Names) -> Names {
    let tags = [CHECKOUT.tag, PAYMENTS.tag];
    let words = words.into_iter();
    words
        .filter(|word| word.starts_with("tender-") && !tags.contains(&&**word))
        .collect()
}

fn openapi() -> Value {
    serde_json::from_str(&read("docs/openapi.json")).unwrap()
}

/// The names in the first column of the table with this header.
fn documented(guide: &str, header: &str) -> Names {
    let table = part(guide, header, "\n\n");
    let cells = table.lines().filter_map(|row| row.split('|').nth(1));
    cells.flat_map(|cell| marked(cell, '`')).collect()
}

/// Stops unless each list has these names.
fn assert_same(names: &Names, lists: impl IntoIterator<Item = (String, Names)>) {
    let different = lists.into_iter().filter(|(_, list)| list != names);
    let different: Vec<_> = different
        .map(|(place, list)| {
            let lacks: Vec<_> = names.difference(&list).collect();
            let others: Vec<_> = list.difference(names).collect();
            format!("{place} lacks {lacks:?}, and has {others:?} besides")
        })
        .collect();
    assert!(different.is_empty(), "\n{}", different.join("\n"));
}

#[test]
fn each_list_has_the_documented_events() {
    let recorded: Value = serde_json::from_str(&read("contract/events.json")).unwrap();
    let example = of_events(marked(&read(EXAMPLE), '"'));
    for element in [PAYMENTS, CHECKOUT] {
        let documented = documented(element.guide, "| event | detail |");
        let recorded = recorded[element.tag].as_array().unwrap().iter();
        let recorded = names(recorded.map(|event| event["type"].as_str().unwrap()));
        let mut emitted = of_events(marked(&read(element.host), '"'));
        emitted.extend(of_events(marked(&read("crates/element/src/host.rs"), '"')));
        let types: String = element.types.iter().map(|types| read(types)).collect();
        let declared = of_events(marked(&types, '"'));
        // They have the other element's events, too.
        let of = |list: &Names| documented.intersection(list).cloned().collect();
        let mut lists = vec![
            ("contract/events.json".to_owned(), recorded),
            (element.host.to_owned(), emitted),
            (element.types.join(", "), of(&declared)),
            (EXAMPLE.to_owned(), of(&example)),
        ];
        if element.tag == CHECKOUT.tag {
            let react = marked(&part(REACT, "const names = [", "]"), '"');
            let react = react.iter().map(|name| format!("tender-{name}"));
            lists.push((REACT.to_owned(), react.collect()));
        }
        assert_same(&documented, lists);
    }
}

#[test]
fn each_list_has_the_documented_custom_properties() {
    let documented = documented(
        CHECKOUT.guide,
        "| property | default (light, dark) | used for |",
    );
    let file = format!("{PLAYGROUND}.rs");
    let mut offered = marked(&read(&file), '"');
    offered.retain(|name| name.starts_with("--tender-"));
    let named = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_lowercase() && c != '-');
        names(words.filter(|word| word.starts_with("--tender-") && *word != "--tender-"))
    };
    let sheets = [
        "crates/element/style/element.css",
        "crates/element/style/controls.css",
        "style/checkout.css",
        "style/payment.css",
    ];
    let lists = [
        (file, offered),
        (CHECKOUT.guide.to_owned(), named(&read(CHECKOUT.guide))),
        (
            "the style sheets".to_owned(),
            named(&sheets.map(read).concat()),
        ),
    ];
    assert_same(&documented, lists);
}

#[test]
fn each_list_has_all_languages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let offered = part(&format!("{PLAYGROUND}.rs"), "pub const LANGUAGES", "];");
    let offered = offered.split("(\"").skip(1);
    let offered = names(offered.map(|tag| tag.split_once('"').unwrap().0));
    let lists = ["locales", "crates/payments/locales"].map(|folder| {
        let files = fs::read_dir(root.join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let tags = files.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned());
        (folder.to_owned(), tags.collect())
    });
    let budget = read(BUDGET);
    let budgets = ["locales/", "locales/payments/"].map(|folder| {
        let paths = budget.lines().filter_map(|line| line.strip_prefix(folder));
        let tags = paths.filter_map(|path| Some(path.split_once("-*.json ")?.0));
        // English is in the module.
        let tags = tags.filter(|tag| !tag.contains('/')).chain(["en"]);
        (format!("{BUDGET}, {folder}"), names(tags))
    });
    assert_same(&offered, lists.into_iter().chain(budgets));
    let named = part(CHECKOUT.guide, "The checkout speaks ", ".").replace(" and ", ", ");
    assert_eq!(
        named.split(',').count(),
        offered.len(),
        "{}",
        CHECKOUT.guide
    );
}

#[test]
fn each_list_has_the_accepted_tokens() {
    let rows = part("crates/protocol/src/code.rs", "pub const ACCEPTED", "];");
    let rows = rows.split("accepted(").skip(1);
    let codes = names(rows.map(|row| row.split('"').nth(1).unwrap()));
    let lists = [
        ("docs/agents.md", "**Token codes**", "\n"),
        ("docs/orders.md", "currency of the price", "|"),
        ("docs/embedding.md", "The QR code has", "On touch screens"),
    ]
    .map(|(page, begin, end)| {
        let list = part(page, begin, end);
        let quoted = list.split('`').skip(1).step_by(2);
        let is_code = |it: &&str| it.bytes().all(|byte| byte.is_ascii_lowercase());
        (page.to_owned(), names(quoted.filter(is_code)))
    });
    assert_same(&codes, lists);
}

#[test]
fn the_reference_explains_each_problem_code() {
    let openapi = openapi();
    let codes = openapi["components"]["schemas"]["ProblemCode"]["enum"].as_array();
    let codes = names(codes.unwrap().iter().map(|code| code.as_str().unwrap()));
    let page = "docs/api.md".to_owned();
    let listed = documented(&page, "| code | status | when |");
    assert_same(&codes, [(page, listed)]);
}
