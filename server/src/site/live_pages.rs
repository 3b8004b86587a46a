//! The pages that browsers have open and that follow what moves: what all who see the same of one are told.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::available_parallelism,
};

use bytes::Bytes;
use domain::{ProjectId, Revision, Role, Switches, UserId};
use http::Uri;
use tokio::sync::{Semaphore, watch};

/// The pages that somebody follows.
pub(crate) struct LivePages {
    followed: Mutex<HashMap<Subject, Channel>>,
    /// As many are rendered at once as there are processors.
    pub(crate) rendering: Semaphore,
}

impl Default for LivePages {
    fn default() -> Self {
        let at_once = available_parallelism().map_or(1, usize::from);
        Self { followed: Mutex::default(), rendering: Semaphore::new(at_once) }
    }
}

/// What brings the state of a page to its followers; none before it is known.
pub(crate) type Channel = Arc<watch::Sender<Option<Arc<State>>>>;

/// A page, and who sees the same of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Subject {
    pub(crate) address: Uri,
    pub(crate) project: ProjectId,
    pub(crate) switches: Switches,
    pub(crate) audience: Audience,
}

/// Who sees the same of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Audience {
    /// All who are this in its project.
    All(Role),
    One(UserId),
}

/// What a page shows.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) revision: Revision,
    /// None before anything has moved: whoever follows has the page already.
    pub(crate) shown: Option<Shown>,
}

/// A page's main part.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The same for the same text, on whichever server.
    pub(crate) version: String,
    pub(crate) html: Bytes,
    pub(crate) edits: Option<Edits>,
}

/// What leads from the version before to the one that is shown.
#[derive(Debug)]
pub(crate) struct Edits {
    pub(crate) from: String,
    /// A line of JSON.
    pub(crate) json: Bytes,
}

impl LivePages {
    /// No code panics while it holds this.
    pub(crate) fn followed(&self) -> MutexGuard<'_, HashMap<Subject, Channel>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
