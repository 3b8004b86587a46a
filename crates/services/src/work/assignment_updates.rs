//! The pass over a document that its labeler has before them: the first, or the repeat that stands
//! in its place.

use std::collections::BTreeSet;

use domain::{Delta, Fact, Revision, Span};
use store::{
    Db, Tx,
    work::{
        assignments::Assignment,
        versions::{NewVersion, Pass},
    },
};

use crate::{Error, Result};

/// Everything that is so in the pass.
pub(crate) async fn facts(db: &impl Db, assignment: &Assignment) -> Result<BTreeSet<Fact>> {
    Ok(store::work::choices::facts(db, pass(assignment)).await?)
}

/// The pass that its labeler has before them, by its ids.
pub(crate) const fn pass(assignment: &Assignment) -> Pass {
    Pass { assignment: assignment.id, repeat: assignment.repeat }
}

/// Moves the pass on to its next version, and keeps what that changed; the other pass, if there is one, stays as it is.
/// Says which revision of the project that makes: none for a repeat, which is no part of what is
/// counted.
pub(crate) async fn save(
    tx: &Tx,
    assignment: &Assignment,
    version: NewVersion,
) -> Result<Option<Revision>> {
    let (base, state, now) = (assignment.revision, version.state, version.at);
    let moved = match assignment.repeat {
        None => store::work::assignments::save(tx, assignment.id, base, state, now).await?,
        Some(repeat) => store::work::repeats::save(tx, repeat, base, state, now).await?,
    };
    if !moved {
        return Err(Error::broken("the assignment moved under a held lock"));
    }
    let version = [version];
    store::work::versions::append(tx, &version).await?;
    let [NewVersion { pass, delta: Delta { removed, added }, .. }] = version;
    let (gone, new) = (spans_of(&removed), spans_of(&added));
    if let Some(repeat) = assignment.repeat {
        store::work::repeats::delete_spans(tx, repeat, &gone).await?;
        store::work::repeats::insert_spans(tx, repeat, &new).await?;
    } else {
        store::work::spans::delete_many(tx, assignment.id, &gone).await?;
        store::work::spans::insert_many(tx, assignment.id, &new).await?;
    }
    store::work::choices::delete_many(tx, pass, &removed).await?;
    store::work::choices::insert_many(tx, pass, &added).await?;
    if assignment.repeat.is_some() {
        return Ok(None);
    }
    let Assignment { project, member, document, .. } = assignment;
    Ok(Some(store::agreement::feed::advance(tx, *project, *member, &[*document]).await?))
}

/// The spans among facts.
pub(crate) fn spans_of<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Vec<Span> {
    facts.into_iter().filter(|fact| fact.choice.is_none()).map(|fact| fact.span).collect()
}
