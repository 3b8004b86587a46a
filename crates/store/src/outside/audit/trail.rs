//! What every way into the database knows of the audit trail.

use std::sync::Arc;

use super::{Refusals, Signer};
use crate::Error;

/// What signs the rows of a store's trail, and the refusals that are not noted in it yet. Clones
/// share the refusals.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    pub(crate) signer: Option<Signer>,
    refusals: Arc<Refusals>,
}

impl Trail {
    /// What signs its rows. Without a key nothing that is noted could be noted.
    pub fn signer(&self) -> Result<&Signer, Error> {
        let why = "nothing signs its audit trail";
        self.signer.as_ref().ok_or_else(|| Error::Refused(why.to_owned()))
    }

    /// Refusals that are not noted yet.
    pub fn refusals(&self) -> &Refusals {
        &self.refusals
    }
}
