//! The pass over a document that its labeler has before them: the first, or the repeat that stands
//! in its place.

use chrono::{DateTime, Utc};
use domain::{Revision, Span, WorkState};
use store::{Db, Tx, assignments::Assignment};

use crate::{Error, Result};

/// The spans of the pass, in order of position, then label.
pub(crate) async fn spans(db: &impl Db, assignment: &Assignment) -> Result<Vec<Span>> {
    Ok(match assignment.repeat {
        None => store::spans::list(db, assignment.id).await?,
        Some(repeat) => store::repeats::list_spans(db, repeat).await?,
    })
}

/// How a pass moves on from the revision `base`.
pub(crate) struct Step<'a> {
    pub(crate) base: Revision,
    pub(crate) state: WorkState,
    pub(crate) now: DateTime<Utc>,
    pub(crate) removed: &'a [Span],
    pub(crate) added: &'a [Span],
}

/// Moves the pass on; the other one, if there is one, stays as it is. Says which revision of the
/// project that makes: none for a repeat, which is no part of what is counted.
pub(crate) async fn save(
    tx: &Tx,
    assignment: &Assignment,
    step: Step<'_>,
) -> Result<Option<Revision>> {
    let Step { base, state, now, removed, added } = step;
    let moved = match assignment.repeat {
        None => store::assignments::save(tx, assignment.id, base, state, now).await?,
        Some(repeat) => store::repeats::save(tx, repeat, base, state, now).await?,
    };
    if !moved {
        return Err(Error::broken("the assignment moved under a held turn"));
    }
    if let Some(repeat) = assignment.repeat {
        store::repeats::delete_spans(tx, repeat, removed).await?;
        store::repeats::insert_spans(tx, repeat, added).await?;
        return Ok(None);
    }
    store::spans::delete_many(tx, assignment.id, removed).await?;
    store::spans::insert_many(tx, assignment.id, added).await?;
    Ok(Some(store::projects::advance(tx, assignment.project).await?))
}
