//! The documented metrics are those of the code.

use super::*;

/// The table has a row with the name, the type and the help of each metric.
#[test]
fn the_table_of_metrics_is_current() {
    let page = include_str!("../../../../docs/api.md");
    let metrics = Metrics::new();
    // A family without samples is not encoded.
    metrics.request("a", 200, Duration::ZERO);
    metrics.upstream("tokens", "ok", Duration::ZERO);
    metrics.attempt("created");
    metrics.unresolved([("a", 1)]);
    metrics.poll_cycle("ok");
    metrics.misnumbered_page("repeated");
    metrics.webhook("ok");
    metrics.sent("delivered");
    metrics.unsent(&UnsentEvents::default());
    let operation = [("operation", "read")];
    drop(metrics.database_duration_seconds.get_or_create(&operation));
    let text = metrics.text().unwrap();
    let helps = text.lines().filter_map(|line| line.strip_prefix("# HELP "));
    let mut rows = Vec::new();
    for (name, help) in helps.filter_map(|line| line.split_once(' ')) {
        let kind = format!("# TYPE {name} ");
        let kind = text.lines().find_map(|line| line.strip_prefix(&*kind));
        let (kind, suffix) = match kind.unwrap() {
            "counter" => ("counter", "_total"),
            "info" => ("info", "_info"),
            other => (other, ""),
        };
        rows.push(format!(
            "| `{name}{suffix}` | {kind} | {} |",
            help.trim_end_matches('.')
        ));
    }
    assert!(rows.len() > 15, "{rows:?}");
    let rows = rows.join("\n");
    assert!(
        page.contains(&rows),
        "put these rows into docs/api.md:\n{rows}"
    );
}

/// The documented rules for Prometheus.
fn rules() -> &'static str {
    let page = include_str!("../../../../docs/operations.md");
    let (_, rules) = page.split_once("```yaml\n").unwrap();
    rules.split_once("```").unwrap().0
}

/// `increase` sees no rise of a counter that begins at 1, so the first event since the start would raise no alert.
#[test]
fn what_must_rise_for_an_alert_begins_at_0() {
    let metrics = Metrics::new();
    metrics.begin_endpoint("create");
    metrics.request("a", 200, Duration::ZERO);
    let text = metrics.text().unwrap();
    let mut checked = 0;
    for risen in rules().split("increase(").skip(1) {
        let (selector, _) = risen.split_once('[').unwrap();
        let (name, labels) = selector.split_once('{').unwrap_or((selector, ""));
        // The values of the one label, as they are written in a sample.
        let values = labels.split('"').nth(1).map(|values| values.split('|'));
        let values = values.map_or(vec![String::new()], |values| {
            values.map(|value| format!("\"{value}\"")).collect()
        });
        for value in values {
            let begins = |line: &str| {
                line.starts_with(name) && line.contains(&value) && line.ends_with(" 0")
            };
            assert!(text.lines().any(begins), "{selector} {value}: {text}");
            checked += 1;
        }
    }
    assert!(checked > 6, "only {checked} counters found");
}

#[test]
fn the_alerts_name_documented_metrics() {
    let reference = include_str!("../../../../docs/api.md");
    let rules = rules();
    let words = rules.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let mut named = 0;
    for word in words.filter(|word| word.starts_with("tender_")) {
        let name = word.trim_end_matches("_bucket");
        let row = format!("| `{name}` |");
        assert!(reference.contains(&row), "no metric is named {name}");
        named += 1;
    }
    assert!(named > 15, "only {named} metrics found");
}
