//! The secret key that a restored database needs, and whether it is at hand.

use serde::Serialize;
use services::{
    Clock, Store,
    base::secrets::server_key,
    outside::audit::{self, Known},
};

use crate::cli::{Error, database::Database};

/// The secret key that opens what is sealed in a database.
#[derive(Serialize)]
pub(super) struct NeededKey {
    /// Its fingerprint; none if nothing was ever sealed.
    fingerprint: Option<String>,
    /// Where it is looked for, and whether it is there.
    file: String,
    is_there: bool,
}

impl NeededKey {
    /// What is to be done about it, if it is missing.
    pub(super) fn words(&self) -> Option<String> {
        let fingerprint = self.fingerprint.as_ref().filter(|_| !self.is_there)?;
        Some(format!(
            "Its secret key ({fingerprint}) is not at {}: put it there, or start the server with \
             --new-secret-key and make webhook secrets and second factors anew.",
            self.file
        ))
    }
}

/// The store with its audit trail, where the key is at hand, and which key it needs.
pub(super) async fn open_trail(
    database: &Database,
    store: Store,
) -> Result<(Store, NeededKey), Error> {
    let fingerprint = server_key::fingerprint(&store).await?;
    let (key, file) = (database.key_if_there(&store).await, database.key_file());
    let needed =
        NeededKey { fingerprint, file: file.display().to_string(), is_there: key.is_some() };
    let store = match key {
        Some(key) => audit::open(store, &key, Clock::system().now(), Known::Nothing).await?,
        None => store,
    };
    Ok((store, needed))
}
