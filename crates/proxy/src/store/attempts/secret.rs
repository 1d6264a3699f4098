//! Secrets that all instances share.

use crate::store::database::{Error, Result, query};
use crate::store::{Store, random};

const INSERT: &str = "
    INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";

const FIND: &str = "SELECT value FROM secrets WHERE name = $1";

impl Store {
    /// Whether there is a secret of this name.
    pub(crate) async fn has_secret(&self, name: &str) -> Result<bool> {
        Ok(self.find_secret(name).await?.is_some())
    }

    /// Returns a random secret that all instances share. The first call creates it.
    pub(crate) async fn secret(&self, name: &str) -> Result<String> {
        let insert = query!(INSERT, name, random::<32>()?);
        self.database.write(insert).await?;
        let secret = self.find_secret(name).await?;
        secret.ok_or_else(|| Error::unreadable("a secret that was just stored is missing"))
    }

    async fn find_secret(&self, name: &str) -> Result<Option<String>> {
        let found = self.database.row::<(String,)>(query!(FIND, name)).await?;
        Ok(found.map(|(secret,)| secret))
    }
}
