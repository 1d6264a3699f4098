-- How PostgreSQL notes the version of its tables: the rows that sqlx's migrator has written, up to version 8.
CREATE TABLE _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMPTZ NOT NULL DEFAULT now(),
    success BOOLEAN NOT NULL,
    checksum BYTEA NOT NULL,
    execution_time BIGINT NOT NULL
);
INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES
    (1, 'tables', TRUE, decode('e8761cbcbef403d8a621bf4a07abf3c85ec259875e02251387d4e654e0d4820b27e2b137bfde4a57ac16bb9f2766220d', 'hex'), 0),
    (2, 'outbox', TRUE, decode('08ac1b8956574d5ea52f44036f8b80c72cd4c1fac772f9a07761d4ca090e9a8e15a08ac296137884216468c5ac1c761b', 'hex'), 0),
    (3, 'stages', TRUE, decode('d3aa1618f6747af24d7d16be8e6eea9c16f689dd005d68be8f85ac17cc226e113bbfc206c2bb210fb282ea2751d55e87', 'hex'), 0),
    (4, 'signed order', TRUE, decode('3f93b1936af2f5f35723a8c936f25ccfdb7f5cc27b3c0bf6fc8ced2d3e6eb205016ba1f3be118dca0e3c9be01d15d332', 'hex'), 0),
    (5, 'follow', TRUE, decode('0c780b6806bd37d81ff7828784015ba7b3d38a0ef9bef440cc540ae37d61fb82eca14368d1f74b46f9d49b80781ffac2', 'hex'), 0),
    (6, 'ledger', TRUE, decode('4166c333a0f5f3ec5542943179ce3126e70b238c2342c2c60ddeaca4b753d1dbe256307d6cffec08e59e60540f4b331a', 'hex'), 0),
    (7, 'released', TRUE, decode('e061f16c2aa94107b2abcc2cbb5cc78aade12a782e8d27c593e45cb95fd92870a60f4aad8fdb18feda614aa01387feec', 'hex'), 0),
    (8, 'orders', TRUE, decode('8174f56046a08f605bb7701908ae4b317ab5dafdea99e9def1d4ffbc73be69d9f83078ba1e00f221b42806f33f78caec', 'hex'), 0);
