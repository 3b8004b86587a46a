//! How what is in memory of a project follows its rows: a state machine without I/O, so that all its
//! courses can be gone through (`protocol/model.rs`).
//!
//! A project has revisions without gaps. A server's own save brings a [`crate::Change`] from one
//! revision to the next; what other servers have saved comes from the feed, as a change from the
//! revision in memory to the newest. Both carry whole work, so the one may overtake the other: what
//! is older than the state in memory is known already, and what leaves a gap sends for the feed.

#[cfg(test)]
mod model;

use domain::Revision;

/// Where a change stands to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The state has it.
    Known,
    /// It brings the state on.
    Next,
    /// The state lacks something before it.
    Gap,
}

/// Where a change after `since` up to `revision` stands to the state of a revision.
pub(crate) fn place(now: Revision, since: Revision, revision: Revision) -> Place {
    if revision <= now {
        Place::Known
    } else if since <= now {
        Place::Next
    } else {
        Place::Gap
    }
}

/// Something that brings states from one revision up to another.
pub(crate) trait Carries {
    /// What it does not carry: everything up to this revision.
    fn since(&self) -> Revision;
    /// What it brings to.
    fn revision(&self) -> Revision;
}

/// What is counted from rows, and moved by changes.
pub(crate) trait Follows<C> {
    /// The revision that this is the state of.
    fn revision(&self) -> Revision;
    /// Takes in a change that stands [`Place::Next`]; false if it does not fit, and what is left is to be
    /// thrown away.
    fn advance(&mut self, change: &C) -> bool;
}

/// What is in memory of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum State<T, C> {
    /// Nothing.
    #[default]
    Cold,
    /// The rows are being counted; changes that come meanwhile wait here.
    Building(Vec<C>),
    /// The state of a revision.
    Ready(T),
}

impl<C: Carries, T: Follows<C> + Clone> State<T, C> {
    /// Where a change stands that has been committed. What nobody has in memory has no gap.
    pub(crate) fn place(&self, change: &C) -> Place {
        match self {
            Self::Cold | Self::Building(_) => Place::Next,
            Self::Ready(state) => place(state.revision(), change.since(), change.revision()),
        }
    }

    /// The rows are about to be read. Changes wait from here on: which of them the rows have is seen
    /// when they have been counted.
    pub(crate) fn begin_building(&mut self) {
        *self = Self::Building(Vec::new());
    }

    /// The rows have been counted: takes in what has waited, up to a gap, which the feed fills. None if
    /// a change did not fit, and everything is to be counted anew. What was let go meanwhile stays so,
    /// for these rows may be from before.
    pub(crate) fn end_building(&mut self, mut counted: T) -> Option<T> {
        let Self::Building(waiting) = std::mem::take(self) else { return Some(counted) };
        for change in waiting {
            match place(counted.revision(), change.since(), change.revision()) {
                Place::Known => {}
                Place::Next if counted.advance(&change) => {}
                Place::Next => return None,
                Place::Gap => break,
            }
        }
        *self = Self::Ready(counted.clone());
        Some(counted)
    }
}
