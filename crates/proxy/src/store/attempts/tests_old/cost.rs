//! What the statements of a create cost in SQLite.

use sqlx::AssertSqlSafe;

use super::super::past::OF_ORDER;
use super::*;
use crate::store::database::{Query, Row};

/// The operations of a statement (<https://sqlite.org/opcode.html>).
async fn operations(statement: &str) -> Vec<String> {
    let store = store(&config::Database::Memory).await;
    let explain = Query::new(AssertSqlSafe(format!("EXPLAIN {statement}")), Vec::new());
    let operations = store.database.read(async move |session| {
        let opcode = |row: &Row<'_>| row.try_get("opcode");
        session.rows_of(explain, opcode).await
    });
    operations.await.unwrap()
}

#[tokio::test]
async fn a_create_builds_no_temporary_table() {
    for statement in [
        statements::OPEN_FOR_ORDER,
        OF_ORDER,
        statements::INSERT,
        statements::OTHER_OWNERS,
        statements::PAST_OWNERS,
        statements::WRITE,
    ] {
        let operations = operations(statement).await;
        assert!(operations.len() > 10, "{statement}: {operations:?}");
        let temporary = ["OpenEphemeral", "OpenAutoindex", "SorterOpen"];
        let is_temporary = |operation: &String| temporary.contains(&operation.as_str());
        assert!(
            !operations.iter().any(is_temporary),
            "{statement}: {operations:?}"
        );
    }
}
