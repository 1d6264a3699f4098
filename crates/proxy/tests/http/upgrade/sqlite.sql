-- How SQLite notes that its tables have version 4.
PRAGMA user_version = 4;
