// A durable ledger in SQLite. Writes of the same turn of the event loop share a commit.

import Database from "libsql";

/** Opens the ledger at `path`. Its functions resolve after the commit reached the disk. */
export const openLedger = (path) => {
  const database = new Database(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE attempt (key TEXT PRIMARY KEY, response TEXT)");
  const begin = database.prepare("INSERT INTO attempt (key) VALUES (?)");
  const finish = database.prepare("UPDATE attempt SET response = ? WHERE key = ?");
  const commit = database.transaction((writes) => {
    for (const { statement, values } of writes) statement.run(...values);
  });

  let waiting = [];
  const flush = () => {
    const writes = waiting;
    waiting = [];
    try {
      commit(writes);
      for (const { resolve } of writes) resolve();
    } catch (error) {
      for (const { reject } of writes) reject(error);
    }
  };
  const write = (statement, values) => new Promise((resolve, reject) => {
    if (waiting.length === 0) setImmediate(flush);
    waiting.push({ statement, values, resolve, reject });
  });
  return {
    begin: (key) => write(begin, [key]),
    finish: (key, response) => write(finish, [response, key]),
  };
};
