//! What earlier pages have left in the log, and how far it has been taken up.

use super::{Chain, Writes};
use crate::islands::annotator::saving::change::Spans;

/// What earlier pages have left, the first of them first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resuming {
    /// Whether the log is still to be read.
    pub is_reading: bool,
    pub chains: Vec<Chain>,
    /// Whether the request under way is a save of the first of them.
    pub is_asking: bool,
    pub replay: Option<Replay>,
    /// What the log has to know before that save is sent.
    pub unwritten: Option<Writes>,
}

impl Resuming {
    /// On how many positions something was left that is not shown yet.
    pub(crate) fn len(&self) -> usize {
        self.chains.iter().map(|chain| chain.all.len()).sum()
    }

    pub(crate) const fn is_done(&self) -> bool {
        !self.is_reading && self.chains.is_empty() && self.replay.is_none()
    }
}

/// Edits of an earlier page, to be shown again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    /// What is here now.
    pub spans: Spans,
    /// On how many positions it was changed by that page.
    pub count: usize,
    /// The records in which they are kept, now for this page to remove.
    pub records: Vec<String>,
}
