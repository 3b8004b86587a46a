//! The pass over a document that its labeler has before them: the first, or the repeat that stands
//! in its place.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use domain::{AssignmentContent, Delta, Fact, ProjectId, Revision, Span, WorkState};
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
    let mut facts = store::work::choices::facts(db, &[pass(assignment)]).await?;
    Ok(facts.pop().unwrap_or_default())
}

/// The same of several passes.
pub(crate) async fn facts_of_many(
    db: &impl Db,
    assignments: &[Assignment],
) -> Result<Vec<BTreeSet<Fact>>> {
    let passes: Vec<_> = assignments.iter().map(pass).collect();
    Ok(store::work::choices::facts(db, &passes).await?)
}

/// The pass that its labeler has before them, by its ids.
pub(crate) const fn pass(assignment: &Assignment) -> Pass {
    Pass { assignment: assignment.id, repeat: assignment.repeat }
}

/// What the assignment's labeler has before them, with these facts.
pub(crate) fn content(assignment: &Assignment, facts: &BTreeSet<Fact>) -> AssignmentContent {
    AssignmentContent {
        revision: assignment.revision,
        state: assignment.state,
        saved_at: assignment.saved_at,
        spans: spans_of(facts),
        choices: facts.iter().filter(|fact| fact.choice.is_some()).copied().collect(),
    }
}

/// Moves passes over documents of a project on to their next versions, no two of the same one, and keeps what
/// that changed; the other pass over a document, if there is one, stays as it is. Says which revision of the
/// project each makes: none for a repeat, which is no part of what is counted.
pub(crate) async fn save(
    tx: &Tx,
    project: ProjectId,
    saves: &[(&Assignment, &NewVersion)],
    now: DateTime<Utc>,
) -> Result<Vec<Option<Revision>>> {
    let mut by_state: BTreeMap<WorkState, Vec<_>> = BTreeMap::new();
    let mut counted = Vec::new();
    for (assignment, version) in saves {
        let (base, state) = (assignment.revision, version.state);
        if let Some(repeat) = assignment.repeat {
            check_moved(store::work::repeats::save(tx, repeat, base, state, now).await?)?;
        } else {
            by_state.entry(state).or_default().push((assignment.id, base));
            counted.push((assignment.member, vec![assignment.document]));
        }
    }
    for (state, bases) in by_state {
        check_moved(store::work::assignments::save(tx, &bases, state, now).await?)?;
    }
    store::work::versions::append(tx, saves.iter().map(|(_, version)| *version)).await?;
    keep_facts(tx, saves).await?;
    if counted.is_empty() {
        return Ok(vec![None; saves.len()]);
    }
    let mut revisions = store::agreement::feed::advance(tx, project, &counted).await?.into_iter();
    let is_counted = |(assignment, _): &(&Assignment, _)| assignment.repeat.is_none();
    Ok(saves.iter().map(|save| is_counted(save).then(|| revisions.next()).flatten()).collect())
}

fn check_moved(was_moved: bool) -> Result<()> {
    if was_moved { Ok(()) } else { Err(Error::broken("an assignment moved under a held lock")) }
}

/// Takes off and adds what versions have changed.
async fn keep_facts(tx: &Tx, saves: &[(&Assignment, &NewVersion)]) -> Result<()> {
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    let (mut gone_choices, mut new_choices) = (Vec::new(), Vec::new());
    for (assignment, NewVersion { pass, delta: Delta { removed, added }, .. }) in saves {
        let (off, on) = (spans_of(removed), spans_of(added));
        if let Some(repeat) = assignment.repeat {
            store::work::repeats::delete_spans(tx, repeat, &off).await?;
            store::work::repeats::insert_spans(tx, repeat, &on).await?;
        } else {
            gone.extend(off.into_iter().map(|span| (assignment.id, span)));
            new.extend(on.into_iter().map(|span| (assignment.id, span)));
        }
        gone_choices.extend(removed.iter().map(|fact| (*pass, *fact)));
        new_choices.extend(added.iter().map(|fact| (*pass, *fact)));
    }
    store::work::spans::delete_many(tx, &gone).await?;
    store::work::spans::insert_many(tx, &new).await?;
    store::work::choices::delete_many(tx, &gone_choices).await?;
    Ok(store::work::choices::insert_many(tx, &new_choices).await?)
}

/// The spans among facts.
pub(crate) fn spans_of<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> Vec<Span> {
    facts.into_iter().filter(|fact| fact.choice.is_none()).map(|fact| fact.span).collect()
}
