//! The elements' attributes.

use super::{
    CHECKOUT, EXAMPLE, Names, PAYMENTS, PLAYGROUND, REACT, assert_same, documented, marked, names,
    openapi, part, read,
};

/// Where attributes of both elements are read.
const READERS: &[&str] = &[
    "crates/element/src/locale.rs",
    "crates/element/style/element.css",
];

const HEADER: &str = "| attribute | required | meaning |";

/// `paymentToken`: `payment-token`
fn with_hyphens(property: &str) -> String {
    let letters = property.chars().flat_map(|letter| {
        let hyphen = letter.is_ascii_uppercase().then_some('-');
        hyphen.into_iter().chain([letter.to_ascii_lowercase()])
    });
    letters.collect()
}

/// The properties of the lines that begin and go on like this, by the names of their attributes.
fn properties(text: &str, start: &str, separator: &str) -> Names {
    let lines = text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix(start)?;
        line.split_once(separator)
    });
    lines.map(|(property, _)| with_hyphens(property)).collect()
}

#[test]
fn each_list_has_the_documented_attributes() {
    for element in [PAYMENTS, CHECKOUT] {
        let documented = documented(element.guide, HEADER);
        let loaded = marked(&part(element.loader, "static attributes = [", "]"), '"');
        let assigned = properties(&read(EXAMPLE), &format!("{}.", element.variable), " = ");
        let types: String = element.types.iter().map(|types| read(types)).collect();
        let declared = properties(&types, "", ": ");
        // They have other names, too.
        let of = |list: Names| documented.intersection(&list).cloned().collect();
        let mut lists = vec![
            (element.loader.to_owned(), loaded),
            (element.types.join(", "), of(declared)),
            (EXAMPLE.to_owned(), of(assigned)),
        ];
        if element.tag == CHECKOUT.tag {
            lists.push((format!("{PLAYGROUND}.html"), playground_attributes()));
            let mut react = marked(&part(REACT, "const attributes = {", "}"), '"');
            react.remove("class");
            let same = documented.iter().filter(|name| !name.contains('-'));
            react.extend(same.cloned());
            lists.push((REACT.to_owned(), react));
        }
        assert_same(&documented, lists);
    }
}

/// `the_manifest_has_boolean_attributes` reads the same words.
#[test]
fn each_list_has_the_documented_boolean_attributes() {
    for element in [PAYMENTS, CHECKOUT] {
        let documented = documented(element.guide, HEADER);
        let table = part(element.guide, HEADER, "\n\n");
        let rows = table.lines().filter(|row| row.contains("| boolean: "));
        let boolean = rows.filter_map(|row| row.split('|').nth(1));
        let boolean = boolean.flat_map(|cell| marked(cell, '`')).collect();
        let loader = read(element.loader);
        let list = loader.split_once("static booleans = [");
        let list = list.map_or("", |(_, rest)| rest.split_once(']').unwrap().0);
        let types: String = element.types.iter().map(|types| read(types)).collect();
        let mut declared = properties(&types, "", ": boolean;");
        declared.retain(|name| documented.contains(name));
        let lists = [
            (element.loader.to_owned(), marked(list, '"')),
            (element.types.join(", "), declared),
        ];
        assert_same(&boolean, lists);
    }
}

/// An attribute that is only listed would do nothing.
#[test]
fn each_documented_attribute_is_read() {
    for element in [PAYMENTS, CHECKOUT] {
        let places = [element.config, READERS].concat();
        let code: String = places.iter().map(|path| read(path)).collect();
        // `filled("theme")`, or `:host([theme="dark"])` in a style sheet.
        let is_read = |name: &String| {
            [format!("\"{name}\")"), format!("host([{name}")]
                .iter()
                .any(|form| code.contains(form))
        };
        let documented = documented(element.guide, HEADER).into_iter();
        let unread: Vec<_> = documented.filter(|name| !is_read(name)).collect();
        assert!(unread.is_empty(), "nothing in {places:?} reads {unread:?}");
    }
}

fn playground_attributes() -> Names {
    let file = format!("{PLAYGROUND}.html");
    let form = part(
        &file,
        "<legend>Attributes</legend>",
        "<legend>Custom properties</legend>",
    );
    let labels = form.split("<code>").skip(1);
    let fields = form.split("name=\"").skip(1);
    let listed = labels
        .chain(fields)
        .map(|rest| rest.split(['<', '"']).next());
    names(listed.flatten())
}

#[test]
fn each_list_has_the_attributes_that_change_the_form() {
    let config = "crates/checkout-core/src/config.rs";
    let offered = marked(&part(config, "pub const OFFERED", ";\n"), '"');
    assert!(offered.contains("accept"), "{offered:?}");
    let loader = marked(&part("src/first-paint.js", "PASSED_ON = [", "]"), '"');
    let server = part("npm/server.js", "const known = {", "}");
    let server = server
        .split([',', ':'])
        .map(|word| word.trim().trim_matches('"'));
    let types = marked(&part("npm/server.d.ts", "Pick<", ">"), '"');
    let openapi = openapi();
    let route = openapi["paths"]["/v1/checkout.html"]["get"]["parameters"].as_array();
    let route = route
        .unwrap()
        .iter()
        .map(|parameter| parameter["name"].as_str().unwrap());
    // `accept`, `ask`: in the sentences about the query.
    let said = |page, from, to| marked(&part(page, from, to), '`');
    let lists = [
        (
            "the query to preload",
            said(CHECKOUT.guide, "what the loader requests: ", "(else"),
        ),
        (
            "`fields` in the guide",
            said(CHECKOUT.guide, "and the element's ", ", or the page"),
        ),
        (
            "`attributes` in docs/frameworks.md",
            said("docs/frameworks.md", "are those of the element: ", "."),
        ),
        ("src/first-paint.js", loader),
        ("npm/server.js", names(server)),
        ("npm/server.d.ts", types),
        ("the route in the proxy", names(route)),
    ];
    let of_the_price_and_the_page = [
        "...price",
        "token",
        "quantity",
        "item-number",
        "paymentToken",
        "locale",
        "inline",
        "style",
        "texts",
    ];
    let lists = lists.map(|(place, mut list)| {
        list.retain(|name| !of_the_price_and_the_page.contains(&&**name));
        (place.to_owned(), list)
    });
    assert_same(&offered, lists);
}
