//! The labeler's own page: progress and own agreement. Nothing here tells of another person.

use std::sync::Arc;

use domain::{
    Actor, AssignmentCard, AssignmentId, CopyMarks, DocumentId, Documents, Error as Refusal,
    Filter, Measure, MemberId, OwnAgreement, OwnValue, OwnWork, PolicyChoice, ProjectId,
    ReleaseLevel, Role, ScaleChoice, StateCounts, Switches, WorkState, policy::Action,
};
use serde::{Deserialize, Serialize};

use crate::{
    Error, Result, Services,
    access::permit,
    agreement::{by_role, coverage, told},
    live::{Counted, Tallies},
    names::Names,
    repeats, workload,
};

/// Own agreement is counted over documents that both submitted, cleaned.
const SWITCHES: Switches = Switches {
    measure: Measure::Kappa,
    policy: PolicyChoice::Cleaned,
    scale: ScaleChoice::LandisKoch,
    documents: Documents::Submitted,
    filter: Filter::NONE,
};

/// What a labeler is shown of their agreement, as it is frozen at a release.
#[derive(Serialize, Deserialize)]
struct Frozen {
    peers: OwnValue,
    reviewers: OwnValue,
}

/// The labeler's documents and own agreement.
pub async fn load(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<OwnWork> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewOwnWork).await?;
    let settings = store::projects::find(store, project).await?.ok_or(Refusal::NotFound)?.settings;
    let member = access.member.id;
    let marks = store::flags::of_member(store, member).await?;
    let is_skipped = |card: &AssignmentCard| marks.get(&card.id).is_some_and(CopyMarks::is_skipped);
    let cards = store::assignments::list_of_member(store, member).await?;
    let (skipped, assignments): (Vec<_>, Vec<_>) = cards.into_iter().partition(is_skipped);
    let mut counts = StateCounts::default();
    for assignment in &assignments {
        counts.add(assignment.state, 1);
    }
    counts.skipped = u64::try_from(skipped.len()).unwrap_or(u64::MAX);
    let (comments, _) =
        store::comments::count_of_member(store, member, DocumentId::default()).await?;
    let agreement =
        own_agreement(services, project, access.member.id, settings.release_level).await?;
    let consistency = repeats::of_labeler(services, project, access.member.id).await?;
    let paused = store::workloads::is_paused(store, access.member.id).await?;
    let pool = workload::own_pool(store, project, access.member.id, paused).await?;
    let now = services.clock.now();
    let is_late = |card: &&AssignmentCard| {
        card.state != WorkState::Submitted && card.due_at.is_some_and(|due| due < now)
    };
    let overdue = assignments.iter().filter(is_late).map(|card| card.id).collect();
    Ok(OwnWork {
        project_name: settings.name,
        counts,
        assignments,
        skipped,
        marks: marks.into_iter().collect(),
        comments,
        paused,
        pool,
        overdue,
        agreement,
        consistency,
    })
}

/// The labeler's copies after this one in the order of their ids, those that were put aside included;
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
    let mut cards = store::assignments::list_of_member(store, access.member.id).await?;
    cards.retain(|card| card.id > after);
    cards.sort_by_key(|card| card.id);
    cards.truncate(limit);
    Ok(cards)
}

async fn own_agreement(
    services: &Services,
    project: ProjectId,
    labeler: MemberId,
    level: ReleaseLevel,
) -> Result<OwnAgreement> {
    let store = &services.store;
    match level {
        ReleaseLevel::None => Ok(OwnAgreement::Never),
        // What was frozen is all that is read: nothing that moves with the work of others.
        ReleaseLevel::AfterRelease => {
            let Some((payload, released_at)) = store::own_releases::find(store, labeler).await?
            else {
                return Ok(OwnAgreement::NotReleased);
            };
            let Frozen { peers, reviewers } =
                serde_json::from_str(&payload).map_err(Error::broken)?;
            Ok(OwnAgreement::Shown { peers, reviewers, as_of: Some(released_at) })
        }
        ReleaseLevel::GoldOnly => {
            let (names, tallies) = read(services, project).await?;
            let reviewers = against(&tallies, labeler, &names, Role::Reviewer);
            Ok(OwnAgreement::GoldOnly { reviewers })
        }
        ReleaseLevel::Open => {
            let (names, tallies) = read(services, project).await?;
            let peers = against(&tallies, labeler, &names, Role::Labeler);
            let reviewers = against(&tallies, labeler, &names, Role::Reviewer);
            Ok(OwnAgreement::Shown { peers, reviewers, as_of: None })
        }
    }
}

/// What each labeler of the project is shown if agreement is released now, as JSON.
pub(crate) async fn frozen(
    services: &Services,
    project: ProjectId,
) -> Result<Vec<(MemberId, String)>> {
    let (names, tallies) = read(services, project).await?;
    by_role(names.raters(), Role::Labeler)
        .map(|labeler| {
            let frozen = Frozen {
                peers: against(&tallies, labeler, &names, Role::Labeler),
                reviewers: against(&tallies, labeler, &names, Role::Reviewer),
            };
            Ok((labeler, serde_json::to_string(&frozen).map_err(Error::broken)?))
        })
        .collect()
}

async fn read(services: &Services, project: ProjectId) -> Result<(Names, Arc<Tallies>)> {
    let members = store::members::list_all_raters(&services.store, project).await?;
    let tallies = services.live.read(&services.store, project).await?;
    Ok((Names::of(members, true), tallies))
}

/// A labeler against everybody else of a role, pooled.
fn against(tallies: &Tallies, labeler: MemberId, names: &Names, role: Role) -> OwnValue {
    let others = by_role(names.raters(), role).filter(|other| *other != labeler);
    let pooled: Counted = tallies.pooled(labeler, others, SWITCHES);
    let table = &pooled.tally.table;
    OwnValue {
        kappa: told(&pooled, Measure::Kappa, agreement::cohen_kappa(table)),
        alpha: told(&pooled, Measure::Alpha, agreement::krippendorff_alpha_nominal(table)),
        n: table.total(),
        coverage: coverage(&pooled),
    }
}
