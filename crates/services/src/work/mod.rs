//! The labeler's own page: progress and own agreement. Nothing here tells of another person.

pub mod annotation;
pub(crate) mod assignment_updates;
pub mod comments;
pub mod flags;
pub mod focus;
pub mod history;
pub mod models;
pub mod repeats;
pub(crate) mod saving;
pub(crate) mod suggestions;
pub(crate) mod validation;

use std::{collections::BTreeMap, sync::Arc};

use chrono::NaiveDate;
use domain::{
    Actor, AssignmentCard, AssignmentId, AssignmentNotes, DocumentId, Error as Refusal, OwnPace,
    OwnWork, ProjectId, StateCounts, WorkState, base::policy::Action, saturating,
};

use crate::{
    Result, Services,
    agreement::own::{self, consistency},
    base::access::permit,
    workload,
};

/// The labeler's documents and own agreement.
pub async fn load(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<OwnWork> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewOwnWork).await?;
    let settings = store::project::find(store, project).await?.ok_or(Refusal::NotFound)?.settings;
    let member = access.member.id;
    let notes = store::work::flags::of_member(store, member).await?;
    let is_skipped =
        |card: &AssignmentCard| notes.get(&card.id).is_some_and(AssignmentNotes::is_skipped);
    let cards = store::work::assignments::list_of_member(store, member).await?;
    let (skipped, assignments): (Vec<_>, Vec<_>) = cards.into_iter().partition(is_skipped);
    let mut counts = StateCounts::default();
    for assignment in &assignments {
        counts.add(assignment.state, 1);
    }
    counts.skipped = saturating::<u64>(skipped.len());
    let (comments, _) =
        store::work::comments::count_of_member(store, member, DocumentId::default()).await?;
    let agreement = own::load(store, member, settings.release_level).await?;
    let consistency = consistency::of_labeler(services, project, access.member.id).await?;
    let paused = store::workload::is_paused(store, access.member.id).await?;
    let pool = workload::own_pool(store, project, access.member.id, paused).await?;
    let now = services.clock.now();
    let is_late = |card: &&AssignmentCard| {
        card.state != WorkState::Submitted && card.due_at.is_some_and(|due| due < now)
    };
    let pace = pace(&assignments, now.date_naive());
    let labels = store::project::labels::list(store, project).await?;
    let overdue = assignments.iter().filter(is_late).map(|card| card.id).collect();
    Ok(OwnWork {
        project_name: settings.name,
        counts,
        assignments,
        skipped,
        notes: notes.into_iter().collect(),
        comments,
        paused,
        pool,
        overdue,
        pace,
        agreement,
        labels,
        consistency,
    })
}

/// How many documents were handed in today, and usually are on a day.
fn pace(assignments: &[AssignmentCard], today: NaiveDate) -> OwnPace {
    let mut days: BTreeMap<NaiveDate, u64> = BTreeMap::new();
    for card in assignments.iter().filter(|card| card.state == WorkState::Submitted) {
        if let Some(at) = card.saved_at {
            *days.entry(at.date_naive()).or_default() += 1;
        }
    }
    let of_today = days.remove(&today).unwrap_or_default();
    let number = saturating::<u64>(days.len());
    let all: u64 = days.values().sum();
    let usual = (all + number / 2).checked_div(number);
    OwnPace { today: of_today, usual }
}

/// The labeler's assignments after this one in the order of their ids, those that were put aside included;
/// at most so many.
pub async fn list_assignments(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    after: AssignmentId,
    limit: usize,
) -> Result<Vec<AssignmentCard>> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewOwnWork).await?;
    let mut cards = store::work::assignments::list_of_member(store, access.member.id).await?;
    cards.retain(|card| card.id > after);
    cards.sort_by_key(|card| card.id);
    cards.truncate(limit);
    Ok(cards)
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};

    use super::*;

    #[test]
    fn the_usual_pace_is_that_of_the_days_on_which_something_was_handed_in() {
        let now = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(9);
        let card = |days, state| AssignmentCard {
            id: AssignmentId(1),
            document_name: String::new(),
            characters: 0,
            spans: 0,
            state,
            saved_at: Some(now - TimeDelta::days(days)),
            due_at: None,
        };
        let done = |days| card(days, WorkState::Submitted);
        let told = |cards: &[AssignmentCard]| {
            let OwnPace { today, usual } = pace(cards, now.date_naive());
            (today, usual)
        };
        assert_eq!(told(&[]), (0, None));
        assert_eq!(told(&[done(0), card(1, WorkState::Saved)]), (1, None));
        assert_eq!(told(&[done(0), done(1), done(1), done(1), done(5)]), (1, Some(2)));
    }
}
