//! Tests that the API reference, the OpenAPI document and what else is made from the types are current.

mod asyncapi;
mod schemas;

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::current::is_current;

#[test]
fn the_document_is_current() {
    is_current("docs/openapi.json", &document(), PROGRAM);
}

#[test]
fn the_reference_is_current() {
    is_current("docs/api.md", &page(&parsed()), PROGRAM);
}

/// The test that updates these files.
const PROGRAM: &str = "program reference";

fn document() -> String {
    format!("{}\n", tender_proxy::openapi_document())
}

fn parsed() -> Value {
    serde_json::from_str(&document()).unwrap()
}

const WRITTEN: &str = include_str!("../../../../docs/api.md");

const MARK: &str = "<!-- routes -->\n";

/// The page: what is written above the mark, the routes by caller, then the records.
fn page(document: &Value) -> String {
    let (written, _) = WRITTEN.split_once(MARK).unwrap();
    let mut page = format!("{written}{MARK}");
    for tag in elements(&document["tags"]).map(|tag| &tag["name"]) {
        write!(page, "\n## {}\n", line(tag)).unwrap();
        for (path, item) in fields(&document["paths"]) {
            for (method, operation) in item.as_object().unwrap() {
                if operation["tags"][0] == *tag {
                    page += &route(&method.to_uppercase(), path, operation);
                }
            }
        }
    }
    page += "\n## Credentials\n\n| name | sent as | |\n|---|---|---|\n";
    for (name, scheme) in fields(&document["components"]["securitySchemes"]) {
        let place = match scheme["in"].as_str() {
            Some(place) => format!("`{}` in the {place}", line(&scheme["name"])),
            None => "`Authorization: Bearer`".to_owned(),
        };
        let description = line(&scheme["description"]);
        writeln!(page, "| `{name}` | {place} | {description} |").unwrap();
    }
    page += "\n## Records\n";
    for (name, schema) in fields(&document["components"]["schemas"]) {
        page += &record(name, schema);
    }
    page
}

fn route(method: &str, path: &str, operation: &Value) -> String {
    let summary = line(&operation["summary"]);
    let mut text = format!("\n### `{method} {path}`\n\n**{summary}.**");
    if operation["description"].is_string() {
        write!(text, " {}", line(&operation["description"])).unwrap();
    }
    text += "\n";
    let credentials: Vec<_> = elements(&operation["security"]).map(credential).collect();
    if !credentials.is_empty() {
        writeln!(text, "\nCredentials: {}.", credentials.join(" or ")).unwrap();
    }
    let body = &operation["requestBody"];
    for (media_type, content) in fields(&body["content"]) {
        let schema = kind(&content["schema"]);
        writeln!(text, "\nBody: {schema} (`{media_type}`).").unwrap();
    }
    let parameters: Vec<_> = elements(&operation["parameters"]).collect();
    if !parameters.is_empty() {
        text += "\n| parameter | in | type | |\n|---|---|---|---|\n";
    }
    for parameter in parameters {
        let [name, place] = ["name", "in"].map(|field| parameter[field].as_str().unwrap());
        let kind = kind(&parameter["schema"]);
        let description = line(&parameter["description"]);
        writeln!(text, "| `{name}` | {place} | {kind} | {description} |").unwrap();
    }
    text += "\n| status | body | |\n|---|---|---|\n";
    let mut problems = Vec::new();
    for (status, response) in fields(&operation["responses"]) {
        if let Some(content) = response["content"].get("application/problem+json") {
            let codes = fields(&content["examples"]).map(|(code, _)| format!("`{code}`"));
            problems.push(format!("{status} {}", codes.collect::<Vec<_>>().join(", ")));
            continue;
        }
        let body = fields(&response["content"]).map(|(_, content)| kind(&content["schema"]));
        let body = body.collect::<Vec<_>>().join(" or ");
        let description = line(&response["description"]);
        writeln!(text, "| {status} | {body} | {description} |").unwrap();
    }
    if !problems.is_empty() {
        let problems = problems.join("; ");
        writeln!(text, "\n[Problems](#errors): {problems}.").unwrap();
    }
    text
}

fn credential(requirement: &Value) -> String {
    match fields(requirement).next() {
        None => "none".to_owned(),
        Some((scheme, _)) => format!("`{scheme}`"),
    }
}

/// A table with the fields of a record. Those of the records that it is made of come first.
fn record(name: &str, schema: &Value) -> String {
    let mut text = format!("\n### {name}\n\n{}\n", line(&schema["description"]));
    let parts: Vec<_> = elements(&schema["allOf"]).chain([schema]).collect();
    let included: Vec<_> = parts
        .iter()
        .filter(|part| part.get("$ref").is_some())
        .map(|part| kind(part))
        .collect();
    if !included.is_empty() {
        writeln!(text, "\nIt has the fields of {}.", included.join(" and ")).unwrap();
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values
            .iter()
            .map(|value| format!("`{}`", value.as_str().unwrap()))
            .collect();
        writeln!(text, "\nOne of {}.", values.join(", ")).unwrap();
    }
    let alternatives: Vec<_> = elements(&schema["oneOf"]).map(kind).collect();
    if !alternatives.is_empty() {
        writeln!(text, "\nA {}.", alternatives.join(" or a ")).unwrap();
    }
    let mut has_head = false;
    for part in parts {
        let required: Vec<_> = elements(&part["required"]).collect();
        for (field, schema) in fields(&part["properties"]) {
            if !has_head {
                text += "\n| field | type | |\n|---|---|---|\n";
                has_head = true;
            }
            let optional = if required.iter().any(|name| *name == field) {
                ""
            } else {
                ", optional"
            };
            writeln!(
                text,
                "| `{field}` | {}{optional} | {} |",
                kind(schema),
                description(schema)
            )
            .unwrap();
        }
    }
    text
}

/// The type of a schema that may be absent, with a link to the record.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    let mut alternatives = elements(&schema["oneOf"]);
    if let Some(schema) = alternatives.find(|schema| schema["type"] != "null") {
        return kind(schema);
    }
    // An optional value has another type, null.
    let types = elements(&schema["type"]).chain([&schema["type"]]);
    let mut types = types.filter_map(Value::as_str);
    match types.find(|kind| *kind != "null").unwrap() {
        "array" => format!("array of {}", kind(&schema["items"])),
        kind => kind.to_owned(),
    }
}

/// A text in one line.
fn line(text: &Value) -> String {
    let words = text.as_str().unwrap_or_default().split_whitespace();
    words.collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// What a schema describes; that of an optional record is beside the reference.
fn description(schema: &Value) -> String {
    let mut all = [schema].into_iter().chain(elements(&schema["oneOf"]));
    let described = all.find(|schema| schema["description"].is_string());
    line(&described.unwrap_or(schema)["description"])
}

fn elements(array: &Value) -> impl Iterator<Item = &Value> {
    array.as_array().into_iter().flatten()
}

fn fields(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flat_map(Map::iter)
}
