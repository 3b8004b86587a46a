//! Agreement over time, from the rows as they are now: what each day, all days up to it, and each
//! round came to.

mod dated;
mod timelines;
mod values;

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::Arc,
};

use crate::{
    Result, Services,
    agreement::by_role,
    base::{
        access::{Access, permit},
        categories::Categories,
        names::Names,
    },
};
use chrono::NaiveDate;
use domain::{
    Actor, Confidence, Course, DayPoint, DocumentId, Error as Refusal, HeadlineChange, NextRound,
    PolicyChoice, ProjectId, Revision, Role, Round, RoundChange, RoundPoint, TimeSwitches,
    TimeView,
    base::policy::{Action, Standpoint, offers},
    saturating,
};
use timelines::Timeline;
pub(crate) use timelines::Timelines;
use values::{DayValues, NOTHING, RoundValue};

/// How many documents of a day are named: enough to look into it. An import may bring thousands in one.
const DAY_DOCUMENTS: usize = 50;

/// Agreement over time under the given switches, as of now.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: TimeSwitches,
) -> Result<TimeView> {
    let access = permitted(services, actor, project, switches).await?;
    let counted = services.timelines.read(services, project, switches).await?;
    view(services, &access, (project, switches), (counted, false)).await
}

/// The same for a page, which does not wait long: what takes longer is computed beside it, and who follows the
/// project is told when it is there.
pub async fn load_soon(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: TimeSwitches,
) -> Result<TimeView> {
    let access = permitted(services, actor, project, switches).await?;
    let counted = services.timelines.read_soon(services, project, switches).await?;
    view(services, &access, (project, switches), counted).await
}

/// Who asks may see agreement, and what they ask for can be followed.
async fn permitted(
    services: &Services,
    actor: &Actor,
    project: ProjectId,
    switches: TimeSwitches,
) -> Result<Access> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    switches.check()?;
    Categories::of(&services.store, project, switches.of_matrix()).await?;
    Ok(access)
}

async fn view(
    services: &Services,
    access: &Access,
    (project, switches): (ProjectId, TimeSwitches),
    (counted, pending): (Timeline, bool),
) -> Result<TimeView> {
    let store = &services.store;
    let names = Names::load(store, project, &access.member).await?;
    let rounds = store::project::rounds::list(store, project).await?;
    let days = &counted.values.days;
    let shown: Vec<_> = days.iter().flat_map(shown_of).copied().collect();
    let documents = store::document::names_of(store, &shown).await?;
    let count = |role| saturating::<u64>(by_role(names.raters(), role).count());
    Ok(TimeView {
        project,
        revision: counted.revision,
        pending,
        switches,
        labelers: count(Role::Labeler),
        reviewers: count(Role::Reviewer),
        days: days.iter().map(|day| day_point(day, &documents)).collect(),
        rounds: round_points(rounds, &counted.values.rounds),
        versions: store::project::guidelines::list(store, project).await?,
    })
}

/// The course under a policy in a project's rounds, as it was computed last.
pub(crate) fn course(
    services: &Arc<Services>,
    (project, revision): (ProjectId, Revision),
    policy: PolicyChoice,
    rounds: &[Round],
) -> Course {
    let switches = TimeSwitches { policy, ..TimeSwitches::default() };
    let Some(known) = services.timelines.latest(services, (project, revision), switches) else {
        return Course::default();
    };
    let points = round_points(rounds.to_vec(), &known.values.rounds);
    let change = points.into_iter().rev().find_map(|point| {
        let RoundChange { since, by, confidence } = point.change?;
        Some(HeadlineChange { rounds: (since, point.round.number), by, confidence })
    });
    Course { days: known.values.days.iter().map(|day| (day.day, day.up_to)).collect(), change }
}

/// How much higher the last round's value is than that of the round before, as it was computed last.
pub(crate) fn latest_change(
    services: &Arc<Services>,
    of: (ProjectId, Revision),
    policy: PolicyChoice,
) -> Option<(f64, Confidence)> {
    let switches = TimeSwitches { policy, ..TimeSwitches::default() };
    let known = services.timelines.latest(services, of, switches)?;
    let changes = known.values.rounds.iter().rev().filter_map(|round| round.change);
    changes.map(|change| (change.by, change.confidence)).next()
}

/// How agreement has moved within some days.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moved {
    /// Of all documents that were compared by the end of the last day; none without a value.
    pub(crate) now: Option<f64>,
    /// Of those that were compared before the first day.
    pub(crate) before: Option<f64>,
    /// Documents whose comparison was completed within the days.
    pub(crate) compared: u64,
}

/// How the agreement of all labelers has moved from a day to the one before another, by the work as it is now.
pub(crate) async fn moved_within(
    services: &Services,
    project: ProjectId,
    policy: PolicyChoice,
    within: &Range<NaiveDate>,
) -> Result<Moved> {
    let switches = TimeSwitches { policy, ..TimeSwitches::default() };
    let known = services.timelines.read(services, project, switches).await?;
    let days = &known.values.days;
    let before = |day: NaiveDate| {
        let last = days.iter().rev().find(|values| values.day < day);
        last.and_then(|last| last.up_to.measured.value())
    };
    let compared = days.iter().filter(|values| within.contains(&values.day));
    Ok(Moved {
        now: before(within.end),
        before: before(within.start),
        compared: saturating(compared.map(|values| values.documents.len()).sum::<usize>()),
    })
}

/// The documents of a day that are named.
fn shown_of(day: &DayValues) -> &[DocumentId] {
    day.documents.get(..DAY_DOCUMENTS).unwrap_or(&day.documents)
}

/// A document that was deleted while the page was being made has lost its name.
fn day_point(values: &DayValues, names: &HashMap<DocumentId, String>) -> DayPoint {
    let with_name = |id: &DocumentId| Some((*id, names.get(id)?.clone()));
    DayPoint {
        day: values.day,
        of_day: values.of_day,
        up_to: values.up_to,
        documents: shown_of(values).iter().filter_map(with_name).collect(),
        left: saturating(values.documents.len().saturating_sub(DAY_DOCUMENTS)),
    }
}

/// Every round, also those in which nothing can be compared yet.
fn round_points(rounds: Vec<Round>, values: &[RoundValue]) -> Vec<RoundPoint> {
    let numbers: BTreeMap<_, _> = rounds.iter().map(|round| (round.id, round.number)).collect();
    rounds
        .into_iter()
        .map(|round| {
            let found = values.iter().find(|value| value.round == round.id);
            let change = found.and_then(|found| found.change).and_then(|change| {
                let since = *numbers.get(&change.since)?;
                Some(RoundChange { since, by: change.by, confidence: change.confidence })
            });
            RoundPoint { round, value: found.map_or(NOTHING, |found| found.value), change }
        })
        .collect()
}

/// What a new round starts from; for managers only.
pub async fn next_round(
    services: &Services,
    actor: &Actor,
    project: ProjectId,
) -> Result<Option<NextRound>> {
    let db = &services.store;
    let access = permit(db, actor, project, Action::ViewAgreement).await?;
    let standpoint = Standpoint::Member { role: access.member.role, owns: false };
    if !offers(Action::ManageProject, standpoint) {
        return Ok(None);
    }
    let found = store::project::find(db, project).await?.ok_or(Refusal::NotFound)?;
    let untouched = store::project::rounds::count_untouched(db, project).await?;
    Ok(Some(NextRound { guidelines: found.settings.guidelines, untouched }))
}
