//! A project at a glance, for its managers: made of what the other rooms know.

mod advice;
mod pace;
mod quality;
mod sittings;

use std::{cmp::Ordering, sync::Arc};

use chrono::NaiveDate;
use domain::{
    Actor, DocumentPart, Funnel, Overview, PersonPart, PolicyChoice, ProjectId, StateCounts,
    WorkState, base::policy::Action, saturating,
};
use futures::TryFutureExt;

use self::advice::Facts;
pub use self::quality::quality;
pub use crate::agreement::target::{SWITCHES, headline_switches};
use crate::{
    Result, Services,
    agreement::{self, breakdowns::Glance, matrix::headlines, over_time},
    base::access::permit,
    outside::audit,
    review::{
        groups::{self, List},
        quorum::Quorums,
    },
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
    let asked = headlines::Asked::of(services, project, headline_switches(PolicyChoice::default()));
    let glance = agreement::breakdowns::glance(services, actor, project, SWITCHES).await?;
    let now = services.clock.now();
    // Together, but not more than half of the readers of a database in a file.
    let (target, loads, documents, unassigned) = tokio::try_join!(
        store::agreement::target::find(store, project),
        store::workload::people(store, project, now),
        store::document::count(store, project),
        store::document::count_unassigned(store, project),
    )?;
    let ((threads, _), versions, rounds) = tokio::try_join!(
        store::work::comments::count(store, project),
        store::project::guidelines::list(store, project),
        store::project::rounds::list(store, project),
    )?;
    let hardest: Vec<_> = hardest(&glance).cloned().collect();
    let hard: Vec<_> = hardest.iter().map(|part| part.document).collect();
    let second = async {
        if !has_single(&glance) {
            return Ok(None);
        }
        let list = double_annotation::list(services, actor, project, 0).await?;
        Ok(list.page.rows.into_iter().next())
    };
    let (trail, decisions, names, second) = tokio::try_join!(
        audit::latest(services, actor, project),
        decisions(services, project, &glance),
        store::document::names_of(store, &hard).err_into(),
        second,
    )?;
    let headlines = asked.answer(&glance.tallies, &glance.raters, &glance.labels, target);
    let course = |policy: &PolicyChoice| {
        over_time::course(services, (project, headlines.revision), *policy, &rounds)
    };
    let courses = PolicyChoice::HEADLINES.iter().map(course).collect();
    let guidelines = versions
        .into_iter()
        .map(|version| (version.created_at.date_naive(), version.number))
        .collect();
    let mut sittings = sittings::fold(&trail);
    sittings.truncate(SITTINGS);
    let disputes = &glance.disputes;
    let funnel = Funnel {
        documents,
        annotated: disputes.annotated,
        compared: disputes.compared,
        positions: disputes.positions,
        disputed: disputes.disputed,
        undecided: saturating::<u64>(disputes.undecided.len()),
        decisions,
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
    let with_name = |part: DocumentPart| DocumentPart {
        name: names.get(&part.document).cloned().unwrap_or_default(),
        ..part
    };
    Ok(Overview {
        project,
        revision: glance.tallies.revision,
        headlines,
        courses,
        guidelines,
        people: weakest(people),
        confusions,
        documents: hardest.into_iter().map(with_name).collect(),
        funnel,
        pace,
        advice,
        sittings,
        labels: glance.labels.to_vec(),
    })
}

/// How many decisions what is undecided asks for.
async fn decisions(services: &Services, project: ProjectId, glance: &Glance) -> Result<u64> {
    let quorums = Quorums::load(services, project).await?;
    let groups = groups::counted(services, project, &glance.tallies, &quorums).await?;
    let disputes = Arc::clone(&glance.disputes);
    let each = (disputes.undecided.len(), move |place| disputes.undecided.get(place).copied());
    let question = (List::Undecided(glance.question.clone()), quorums);
    let rows = groups::rows(services, (&glance.tallies, &groups), question, each).await?;
    Ok(saturating(rows.len()))
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
        glance.documents.parts().filter(|part| part.disputed > part.decided).collect();
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
