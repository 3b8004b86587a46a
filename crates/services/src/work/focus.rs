//! Time on task: browsers report the minutes in which somebody worked, and everybody is told their
//! own, managers those of all.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Error as Refusal, MOST_MINUTES, Medians, NoTime, OwnTime, PersonTime,
    ProjectId, Task, TimeBoard, TimeSpent, base::policy::Action, saturating, to_f64,
};
use serde_json::json;
use store::work::focus::{Report, Spent, Subject};

use crate::{
    Result, Services,
    base::{
        access::{permit, permit_own},
        change::ProjectChange,
        names::Names,
    },
};

/// Takes minutes in: no more than have passed since the person's last report, none where the
/// project does not measure time.
pub async fn report(
    services: &Arc<Services>,
    actor: &Actor,
    task: Task,
    minutes: u32,
) -> Result<u64> {
    let store = &services.store;
    actor.person()?;
    let (access, project, subject) = match task {
        Task::Assignment(assignment) => {
            let found = store::work::assignments::find(store, assignment)
                .await?
                .ok_or(Refusal::NotFound)?;
            let access = permit_own(store, actor, found.project, found.user).await?;
            (access, found.project, Some(Subject::Assignment(assignment, found.repeat)))
        }
        Task::Review(document) => {
            let found = store::document::find(store, document).await?.ok_or(Refusal::NotFound)?;
            let access = permit(store, actor, found.project, Action::Review).await?;
            let review = store::review::find(store, document, access.member.id).await?;
            // Whoever has not decided on anything has no pass yet.
            (access, found.project, review.map(|review| Subject::Review(review.id)))
        }
    };
    let Some(subject) = subject else { return Ok(0) };
    if store::work::focus::is_measured(store, project).await? != Some(true) {
        return Ok(0);
    }
    // In minutes of the clock: two pages of one person at work in the same minute are one minute.
    let now = services.clock.now().timestamp().div_euclid(60);
    let minutes = minutes.min(MOST_MINUTES);
    let tx = store.begin().await?;
    store::project::removal::refuse_archived(&tx, project).await?;
    let report = Report { member: access.member.id, subject, minutes, now };
    let taken = store::work::focus::add(&tx, report).await?;
    tx.commit().await?;
    Ok(taken)
}

/// Whether a project measures time, for any of its members.
pub async fn is_measured(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<bool> {
    permit(&services.store, actor, project, Action::ViewProject).await?;
    Ok(store::work::focus::is_measured(&services.store, project).await?.unwrap_or_default())
}

/// Has a project measure time, or not. What was measured stays.
pub async fn set_measured(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    measured: bool,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    store::work::focus::set_measured(&change.tx, project, measured).await?;
    let detail = json!({ "measured": measured });
    change.end_unseen(AuditEvent::MeasureTime, format!("project {project}"), detail).await
}

/// Everybody's time, labelers first.
pub async fn board(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<TimeBoard> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ManageDocuments).await?;
    let names = Names::load(store, project, &access.member).await?;
    let spent = store::work::focus::list(store, project).await?;
    let is_measured = store::work::focus::is_measured(store, project).await?.unwrap_or_default();
    let people = names
        .raters()
        .iter()
        .map(|rater| PersonTime {
            member: rater.id,
            name: rater.name.clone(),
            role: rater.role,
            time: time_spent(spent.iter().filter(|spent| spent.member == rater.id)),
        })
        .collect();
    Ok(TimeBoard { is_measured, people })
}

/// The viewer's own time.
pub async fn own(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<OwnTime> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewProject).await?;
    let is_measured = store::work::focus::is_measured(store, project).await?.unwrap_or_default();
    let spent = store::work::focus::list_of_member(store, access.member.id).await?;
    Ok(OwnTime { is_measured, time: time_spent(&spent) })
}

/// What is told of the times of somebody's passes.
fn time_spent<'a>(spent: impl IntoIterator<Item = &'a Spent>) -> TimeSpent {
    let spent: Vec<_> = spent.into_iter().collect();
    let minutes = spent.iter().map(|spent| spent.minutes).sum();
    let finished: Vec<_> = spent.iter().filter(|spent| spent.is_finished).collect();
    let per_document = median(finished.iter().map(|spent| to_f64(spent.minutes)).collect());
    let per_thousand = median(
        finished
            .iter()
            .map(|spent| 1000.0 * to_f64(spent.minutes) / to_f64(spent.characters.max(1)))
            .collect(),
    );
    let documents = saturating::<u64>(finished.len());
    let medians = match (per_document, per_thousand) {
        (Some(per_document), Some(per_thousand)) => {
            Ok(Medians { documents, per_document, per_thousand })
        }
        _ if spent.is_empty() => Err(NoTime::NothingMeasured),
        _ => Err(NoTime::NothingFinished),
    };
    TimeSpent { minutes, medians }
}

/// The middle value, or the mean of the two in the middle; none of none.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let upper = *values.get(values.len() / 2)?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    let lower = *values.get(values.len() / 2 - 1)?;
    Some(f64::midpoint(lower, upper))
}

#[cfg(test)]
mod tests {
    use domain::MemberId;

    use super::*;

    fn spent(minutes: u64, characters: u64, is_finished: bool) -> Spent {
        Spent { member: MemberId(1), minutes, characters, is_finished }
    }

    #[test]
    fn medians_are_of_finished_documents_and_say_of_how_many() {
        let all = [
            spent(10, 2000, true),
            spent(4, 1000, true),
            spent(90, 100, false),
            spent(3, 3000, true),
            spent(5, 500, true),
        ];
        let spent = time_spent(&all);
        assert_eq!(spent.minutes, 112);
        let medians = spent.medians.unwrap();
        assert_eq!(medians.documents, 4);
        assert!((medians.per_document - 4.5).abs() < 1e-12);
        assert!((medians.per_thousand - 4.5).abs() < 1e-12);
    }

    #[test]
    fn without_a_finished_document_there_is_a_reason_and_no_number() {
        assert_eq!(time_spent(&[]).medians, Err(NoTime::NothingMeasured));
        let begun = time_spent(&[spent(7, 100, false)]);
        assert_eq!((begun.minutes, begun.medians), (7, Err(NoTime::NothingFinished)));
        assert_eq!(
            time_spent(&[spent(7, 0, true)]).medians.map(|medians| medians.documents),
            Ok(1)
        );
    }
}
