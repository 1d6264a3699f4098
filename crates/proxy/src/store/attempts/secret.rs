//! Secrets that all instances share.

use super::AttemptStore;
use crate::store::database::{Error, Result, query};
use crate::store::random::random;

const INSERT: &str = "
    INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";

const FIND: &str = "SELECT value FROM secrets WHERE name = $1";

impl AttemptStore {
    /// Whether there is a secret of this name.
    pub(crate) async fn has_secret(&self, name: &str) -> Result<bool> {
        let found = self.database.row::<(String,)>(query!(FIND, name));
        Ok(found.await?.is_some())
    }

    /// Returns a random secret that all instances share. The first call creates it.
    pub(crate) async fn secret(&self, name: &str) -> Result<String> {
        let name = name.to_owned();
        let secret = self.database.transaction(async move |session| {
            let new = random::<32>()?;
            session.execute(query!(INSERT, name.clone(), new)).await?;
            session.row::<(String,)>(query!(FIND, name)).await
        });
        let secret = secret.await?.map(|(secret,)| secret);
        secret.ok_or_else(|| Error::unreadable("a secret that was just stored is missing"))
    }
}
