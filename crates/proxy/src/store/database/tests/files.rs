//! Nothing is written once a file of a SQLite database is gone or truncated.

use rusqlite::Connection;

use super::*;

/// A file that is deleted or moved stays open, and what is written to it is lost with the process.
#[tokio::test]
async fn nothing_is_written_to_a_file_that_is_gone() {
    let folder = TempDir::new().unwrap();
    let [path, elsewhere] = ["tender.db", "moved.db"].map(|name| folder.path().join(name));
    let file = config::Database::File(path.clone());
    let database = Database::open(&file).await.unwrap();
    write(&database, "before", Ok(())).await.unwrap();
    let refused = async || {
        let refused = [
            write(&database, "after", Ok(())).await.unwrap_err(),
            database.check_write().await.unwrap_err(),
        ];
        for refused in refused {
            assert!(matches!(refused, Error::FileGone(_)), "{refused}");
            assert!(refused.is_unavailable() && refused.to_string().contains("tender.db"));
        }
    };
    std::fs::rename(&path, &elsewhere).unwrap();
    refused().await;
    // Another file took its place.
    std::fs::copy(&elsewhere, &path).unwrap();
    refused().await;
    // What was committed can be read, and the file can be put back.
    assert_eq!(count(&database).await, 1);
    std::fs::rename(&elsewhere, &path).unwrap();
    database.check_write().await.unwrap();
    write(&database, "after", Ok(())).await.unwrap();
    std::fs::remove_file(&path).unwrap();
    refused().await;
}

/// Checks that a database refuses writes, also to be ready, with an error that contains this text.
async fn refuses(database: &Database, name: &str, text: &str) {
    for refused in [
        write(database, "refused", Ok(())).await.unwrap_err(),
        database.check_write().await.unwrap_err(),
    ] {
        assert!(refused.is_unavailable(), "{refused}");
        let refused = refused.to_string();
        assert!(
            refused.contains(name) && refused.contains(text),
            "{refused}"
        );
    }
}

#[tokio::test]
async fn nothing_is_written_without_the_log_or_its_index() {
    for name in ["tender.db-wal", "tender.db-shm"] {
        let folder = TempDir::new().unwrap();
        // SQLite creates the log where the link leads.
        let [real, link] = ["real", "link.db"].map(|name| folder.path().join(name));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(real.join("tender.db"), &link).unwrap();
        let file = config::Database::File(link);
        let database = Database::open(&file).await.unwrap();
        write(&database, "before", Ok(())).await.unwrap();
        let [path, elsewhere] = [name, "moved"].map(|name| real.join(name));
        std::fs::rename(&path, &elsewhere).unwrap();
        refuses(&database, name, "put the file back").await;
        // Another file took its place.
        std::fs::copy(&elsewhere, &path).unwrap();
        refuses(&database, name, "put the file back").await;
        std::fs::rename(&elsewhere, &path).unwrap();
        database.check_write().await.unwrap();
        write(&database, "after", Ok(())).await.unwrap();
        std::fs::remove_file(&path).unwrap();
        refuses(&database, name, "start it again").await;
        // As after the process was killed, nothing is lost.
        let killed = folder.path().join("killed.db");
        std::fs::copy(real.join("tender.db"), &killed).unwrap();
        if let Ok(log) = std::fs::read(real.join("tender.db-wal")) {
            std::fs::write(folder.path().join("killed.db-wal"), log).unwrap();
        }
        let killed = Database::open(&config::Database::File(killed)).await;
        assert_eq!(count(&killed.unwrap()).await, 2);
    }
}

#[tokio::test]
async fn nothing_is_written_after_the_log_was_truncated() {
    let folder = TempDir::new().unwrap();
    let [path, log] = ["tender.db", "tender.db-wal"].map(|name| folder.path().join(name));
    let file = config::Database::File(path.clone());
    let database = Database::open(&file).await.unwrap();
    write(&database, "before", Ok(())).await.unwrap();
    // Checkpoints by another program may empty the log, or let it start again in its old length.
    let other = Connection::open(path).unwrap();
    for (sql, is_empty) in [
        ("PRAGMA wal_checkpoint(TRUNCATE)", true),
        ("PRAGMA wal_checkpoint(RESTART)", false),
    ] {
        let busy = other.query_row(sql, [], |row| row.get(0));
        assert_eq!(
            (busy, log.metadata().unwrap().len() == 0),
            (Ok(0), is_empty)
        );
        database.check_write().await.unwrap();
        write(&database, sql, Ok(())).await.unwrap();
    }
    other
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        .unwrap();
    write(&database, "after", Ok(())).await.unwrap();
    let open = std::fs::OpenOptions::new().write(true).open(&log).unwrap();
    for len in [log.metadata().unwrap().len() - 1, 0] {
        open.set_len(len).unwrap();
        refuses(&database, "tender.db-wal", "restore a backup").await;
    }
}
