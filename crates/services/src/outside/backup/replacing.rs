//! A database of PostgreSQL in the place of another: it is filled and checked beside it, and then they change names.

use std::path::Path;

use store::outside::backup::databases::{self, Found};

use super::{Failure, Postgres};

/// What the one is called that is being filled, and the one that was there.
const RESTORING: &str = "_restoring";
const REPLACED: &str = "_replaced";

/// The database of every server of PostgreSQL, from which others are renamed.
const MAINTENANCE: &str = "postgres";

/// A database that is filled for the place of another.
pub struct Replacement {
    target: Postgres,
    found: Found,
    filled: Postgres,
}

impl Replacement {
    /// Whether something is in a database.
    pub async fn is_needed(target: &Postgres) -> Result<bool, Failure> {
        Ok(!databases::find(target.url()).await?.is_empty)
    }

    /// Fills a database beside the one that it is to replace.
    ///
    /// # Errors
    /// Also if others are connected to that.
    pub async fn fill(target: Postgres, dump: &Path) -> Result<Self, Failure> {
        let found = databases::find(target.url()).await?;
        if found.others > 0 {
            return Err(Failure::InUse { name: found.name, others: found.others });
        }
        let name = format!("{}{RESTORING}", found.name);
        // One that broke off.
        target.drop_database(&name).await?;
        let (collate, ctype) =
            (format!("--lc-collate={}", found.collate), format!("--lc-ctype={}", found.ctype));
        let options = ["--encoding=UTF8", &collate, &ctype];
        let filled = target.create_with(&name, &options).await?;
        let replacement = Self { target, found, filled };
        match replacement.filled.fill(dump).await {
            Ok(()) => Ok(replacement),
            Err(error) => {
                replacement.give_up().await?;
                Err(error)
            }
        }
    }

    /// The address of the database that was filled.
    pub fn url(&self) -> &str {
        self.filled.url()
    }

    /// Takes what was filled away again.
    pub async fn give_up(self) -> Result<(), Failure> {
        self.target.drop_database(&format!("{}{RESTORING}", self.found.name)).await
    }

    /// Puts it in the place of the other; says what that is called now.
    pub async fn put_in_place(self) -> Result<String, Failure> {
        let name = &self.found.name;
        let (restoring, replaced) = (format!("{name}{RESTORING}"), format!("{name}{REPLACED}"));
        self.target.drop_database(&replaced).await?;
        let names = [(name.as_str(), replaced.as_str()), (restoring.as_str(), name.as_str())];
        databases::rename(self.target.beside(MAINTENANCE).url(), &names).await?;
        Ok(replaced)
    }
}
