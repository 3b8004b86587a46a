//! How many forms with files may be on their way.

use std::sync::Arc;

use domain::UserId;
use tokio::sync::Semaphore;

use super::cap::Cap;

/// How many forms a person may be sending at the same time.
const OWN: usize = 2;

/// How many forms are received at the same time.
const ALL: usize = 16;

/// The forms that are being received.
pub(crate) struct Uploads {
    pub(crate) own: Arc<Cap<UserId>>,
    pub(crate) all: Arc<Semaphore>,
}

impl Default for Uploads {
    fn default() -> Self {
        Self { own: Cap::of(OWN), all: Arc::new(Semaphore::new(ALL)) }
    }
}
