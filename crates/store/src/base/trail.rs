//! What every way into the database knows of the audit trail.

use std::{fmt, sync::Arc};

use crate::{Error, base::refusals::Refusals};

/// A signature: HMAC-SHA-256, by a key that the database does not hold.
pub type Mac = [u8; 32];

/// What signs rows. The key is somebody else's to keep.
#[derive(Clone)]
pub struct Signer(Arc<Sign>);

type Sign = dyn Fn(&[u8]) -> Mac + Send + Sync;

impl Signer {
    /// Signs by this function of a key.
    pub fn new(sign: impl Fn(&[u8]) -> Mac + Send + Sync + 'static) -> Self {
        Self(Arc::new(sign))
    }

    pub(crate) fn sign(&self, bytes: &[u8]) -> Mac {
        (self.0)(bytes)
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer(..)")
    }
}

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
