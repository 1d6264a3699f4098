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
    metrics.unsent(1, 0, Duration::ZERO);
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

#[test]
fn the_alerts_name_documented_metrics() {
    let page = include_str!("../../../../docs/operations.md");
    let reference = include_str!("../../../../docs/api.md");
    let (_, rules) = page.split_once("```yaml\n").unwrap();
    let (rules, _) = rules.split_once("```").unwrap();
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
