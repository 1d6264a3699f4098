//! Tests of copying a database.

use tempfile::TempDir;

use super::*;
use crate::store::testing::postgres;

fn sqlite(directory: &TempDir, name: &str) -> config::Database {
    config::Database::File(directory.path().join(name))
}

/// Runs statements in one transaction.
async fn run(database: &config::Database, statements: Vec<String>) {
    let database = open(database).await.unwrap();
    let done = database.transaction(async move |session| {
        for sql in statements {
            let query = Query::new(AssertSqlSafe(sql), Vec::new());
            session.execute(query).await?;
        }
        Ok::<_, database::Error>(())
    });
    done.await.unwrap();
}

/// Fills every table with rows, with NULLs and without.
async fn fill(database: &config::Database) {
    let mut statements = Vec::new();
    for table in TABLES.iter().filter(|table| !table.is_single) {
        for number in 0..3 {
            let texts = table.texts.iter().map(|column| match *column {
                "failure" | "order_id" | "invoice_number" if number == 0 => "NULL".to_owned(),
                "attempt_id" | "id" => format!("'id{number}'"),
                _ => format!("'{column} ü {number}'"),
            });
            let integers = table.integers.iter();
            let integers = integers.map(|_| format!("{number}00000000000"));
            let values: Vec<_> = texts.chain(integers).collect();
            let (columns, values) = (table.columns().join(", "), values.join(", "));
            let insert = format!("INSERT INTO {} ({columns}) VALUES ({values})", table.name);
            statements.push(insert);
        }
    }
    statements.push("UPDATE polling SET last_event = 7".to_owned());
    run(database, statements).await;
}

/// All rows of all tables, as texts.
async fn content(database: &config::Database) -> Vec<String> {
    let tables = read(&open(database).await.unwrap()).await.unwrap();
    let rows = tables.into_iter().flat_map(|(table, rows)| {
        let rows = rows.into_iter();
        rows.map(move |values| format!("{} {values:?}", table.name))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    rows
}

/// A column that a migration adds must be copied, too.
#[tokio::test]
async fn every_column_is_copied() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("tender.db");
    open(&config::Database::File(path.clone())).await.unwrap();
    let file = rusqlite::Connection::open(path).unwrap();
    let names = |sql: &str| -> Vec<String> {
        let mut statement = file.prepare(sql).unwrap();
        let names = statement.query_map([], |row| row.get(0)).unwrap();
        names.map(Result::unwrap).collect()
    };
    let mut tables: Vec<_> = TABLES.iter().map(|table| table.name).collect();
    tables.sort_unstable();
    let all = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
        ORDER BY name";
    assert_eq!(names(all), tables);
    for table in &TABLES {
        let mut columns = table.columns();
        columns.sort_unstable();
        let sql = format!(
            "SELECT name FROM pragma_table_info('{}') ORDER BY name",
            table.name
        );
        assert_eq!(names(&sql), columns, "{}", table.name);
    }
}

#[tokio::test]
async fn a_database_is_copied_both_ways() {
    let directory = TempDir::new().unwrap();
    let (first, server) = (sqlite(&directory, "first.db"), postgres());
    let back = sqlite(&directory, "back.db");
    fill(&first).await;
    let counts = [3, 3, 3, 3, 3, 3, 3, 3, 3, 1, 1];
    for (from, to) in [(&first, &server), (&server, &back)] {
        let copied = copy_database(from, to).await.unwrap();
        assert_eq!(
            copied.iter().map(|(_, rows)| *rows).collect::<Vec<_>>(),
            counts
        );
        let copy = content(to).await;
        assert_eq!(copy, content(&first).await);
        assert!(
            copy.iter()
                .any(|row| row.starts_with("polling") && row.contains("Some(7)"))
        );
    }
}

#[tokio::test]
async fn a_database_with_data_is_not_overwritten() {
    let directory = TempDir::new().unwrap();
    let (from, to) = (sqlite(&directory, "from.db"), postgres());
    fill(&from).await;
    let secret = "INSERT INTO secrets (name, value) VALUES ('a', 'b')";
    run(&to, vec![secret.to_owned()]).await;
    let before = content(&to).await;
    let refused = copy_database(&from, &to).await.unwrap_err();
    assert!(
        matches!(refused, CopyError::NotEmpty("secrets")),
        "{refused}"
    );
    assert_eq!(content(&to).await, before);
}

#[tokio::test]
async fn only_an_existing_database_is_copied() {
    let directory = TempDir::new().unwrap();
    let (missing, to) = (
        sqlite(&directory, "missing.db"),
        sqlite(&directory, "to.db"),
    );
    let refused = copy_database(&missing, &to).await.unwrap_err();
    assert!(matches!(refused, CopyError::NoSource(_)), "{refused}");
    let refused = copy_database(&config::Database::Memory, &to)
        .await
        .unwrap_err();
    assert!(matches!(refused, CopyError::Memory), "{refused}");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}
