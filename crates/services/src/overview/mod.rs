//! A project at a glance, for its managers: made of what the other rooms know.

mod advice;
mod pace;
mod sittings;

use std::{cmp::Ordering, sync::Arc};

use chrono::NaiveDate;
use domain::{
    Actor, Confidence, DocumentPart, Funnel, Headline, Measured, NoInterval, Overview, PersonPart,
    PolicyChoice, ProjectId, SeveralMeasure, SeveralRow, StateCounts, UndefinedReason, WorkState,
    base::policy::Action, saturating,
};

use self::advice::Facts;
pub use crate::agreement::target::{MEASURE, SWITCHES, headline_switches};
use crate::{
    Result, Services,
    agreement::{
        self,
        breakdowns::Glance,
        over_time::{self, Course},
    },
    base::access::permit,
    outside::audit,
    review::groups,
    workload::double_annotation,
};

/// Rows of each short list.
const SHOWN: usize = 3;

/// Sittings that are told of.
const SITTINGS: usize = 6;

/// The overview, as of now.
pub async fn load(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<Overview> {
    let store = &services.store;
    permit(store, actor, project, Action::ManageProject).await?;
    let glance = agreement::breakdowns::glance(services, actor, project, SWITCHES).await?;
    let mut headlines = Vec::new();
    for &policy in PolicyChoice::ALL {
        headlines.push(headline(services, actor, project, policy).await?);
    }
    let target = match store::agreement::target::find(store, project).await? {
        Some(target) => {
            let snapshot = agreement::snapshot(services, actor, project, target.switches()).await?;
            target.judge_snapshot(&snapshot).map(|verdict| (target, verdict))
        }
        None => None,
    };
    let now = services.clock.now();
    let loads = store::workload::people(store, project, now).await?;
    let names = store::document::names(store, project).await?;
    let (threads, _) = store::work::comments::count(store, project).await?;
    let unassigned = store::document::count_unassigned(store, project).await?;
    let second = if has_single(&glance) {
        double_annotation::list(services, actor, project, 0).await?.page.rows.into_iter().next()
    } else {
        None
    };
    let versions = store::project::guidelines::list(store, project).await?;
    let guidelines = versions
        .into_iter()
        .map(|version| (version.created_at.date_naive(), version.number))
        .collect();
    let mut sittings = sittings::fold(&audit::latest(services, actor, project).await?);
    sittings.truncate(SITTINGS);
    let disputes = &glance.disputes;
    let groups = groups::load(services, project, &glance.tallies).await?;
    let decisions = groups.decisions(disputes.undecided.iter().copied());
    let funnel = Funnel {
        documents: saturating::<u64>(names.len()),
        annotated: disputes.annotated,
        compared: disputes.compared,
        positions: disputes.positions,
        disputed: disputes.disputed,
        undecided: saturating::<u64>(disputes.undecided.len()),
        decisions: saturating::<u64>(decisions.len()),
    };
    let people = named(&glance);
    let confusions: Vec<_> = disputes.confusions.iter().take(SHOWN).cloned().collect();
    let advice = advice::rank(&Facts {
        funnel,
        confusions: &confusions,
        people: &people,
        loads: &loads,
        unassigned,
        threads,
        second,
    });
    let mut counts = StateCounts::default();
    for load in &loads {
        counts.open += load.counts.open;
        counts.saved += load.counts.saved;
        counts.submitted += load.counts.submitted;
        counts.skipped += load.counts.skipped;
    }
    let pace = pace::pace(counts, submitted_on(&glance), now.date_naive());
    let documents = hardest(&glance)
        .map(|part| DocumentPart {
            name: names
                .iter()
                .find(|(id, _)| *id == part.document)
                .map(|(_, name)| name.clone())
                .unwrap_or_default(),
            ..part.clone()
        })
        .collect();
    Ok(Overview {
        project,
        revision: glance.tallies.revision,
        headlines,
        target,
        guidelines,
        people: weakest(people),
        confusions,
        documents,
        funnel,
        pace,
        advice,
        sittings,
        labels: glance.labels,
    })
}

/// α of all labelers under a policy, and how it came there.
async fn headline(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    policy: PolicyChoice,
) -> Result<Headline> {
    let switches = headline_switches(policy);
    let snapshot = agreement::snapshot(services, actor, project, switches).await?;
    let Course { days, change } =
        over_time::course(services, (project, snapshot.revision), policy).await?;
    let several = snapshot.several.as_ref();
    let alpha = several.and_then(|several| {
        several.rows.iter().find(|row| row.measure == SeveralMeasure::Alpha).copied()
    });
    let alpha = alpha.unwrap_or(SeveralRow {
        measure: SeveralMeasure::Alpha,
        measured: Measured::Undefined(UndefinedReason::NoSharedDocuments),
        confidence: Confidence::None(NoInterval::NoValue),
    });
    Ok(Headline {
        policy,
        measured: alpha.measured,
        confidence: alpha.confidence,
        n: several.map_or(0, |several| several.n),
        documents: several.map_or(0, |several| several.documents),
        coverage: snapshot.coverage_of_labelers(),
        course: days,
        change,
    })
}

/// Everybody's row with their name.
fn named(glance: &Glance) -> Vec<PersonPart> {
    let with_name = |part: &PersonPart| {
        let rater = glance.raters.iter().find(|rater| rater.id == part.rater.id)?.clone();
        Some(PersonPart { rater, ..part.clone() })
    };
    glance.people.iter().filter_map(with_name).collect()
}

/// Those with the lowest values; who has none is not weak.
fn weakest(mut people: Vec<PersonPart>) -> Vec<PersonPart> {
    let value = |part: &PersonPart| part.labelers.measured.value();
    people.retain(|part| value(part).is_some());
    people.sort_by(|one, other| lowest_first(value(one), value(other)));
    people.truncate(SHOWN);
    people
}

/// The documents with open disputes on which labelers agree least.
fn hardest(glance: &Glance) -> impl Iterator<Item = &DocumentPart> {
    let mut open: Vec<_> =
        glance.documents.iter().filter(|part| part.disputed > part.decided).collect();
    open.sort_by(|one, other| lowest_first(one.percent.value(), other.percent.value()));
    open.into_iter().take(SHOWN)
}

fn lowest_first(one: Option<f64>, other: Option<f64>) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

/// The days on which submitted work was saved last.
fn submitted_on(glance: &Glance) -> impl Iterator<Item = NaiveDate> {
    let work = glance.tallies.documents().flat_map(|(_, work)| work.values());
    work.filter(|work| work.is_of_labeler() && work.state == WorkState::Submitted)
        .map(|work| work.saved_at.date_naive())
}

/// Whether there is a document that one labeler alone has worked on.
fn has_single(glance: &Glance) -> bool {
    let labelers =
        |work: &live::DocumentWork| work.values().filter(|work| work.is_of_labeler()).count();
    glance.tallies.documents().any(|(_, work)| labelers(work) == 1)
}
