//! Labelers that work by themselves for a moment, through the same save as everybody else.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, AssignmentCard, AssignmentView, Code, Error as Refusal, Fact, LabelId, Member,
    ProjectId, Range, Revision, Role, SaveKey, SaveOutcome, SaveSpans, Span, WorkState, base::text,
};
use rand::Rng;
use services::{Error, Result, Services, project::permit_simulation, work::annotation};
use store::Store;

use super::{
    dice::Dice,
    habits::{HABITS, Habits},
    passages::passages,
};

/// How many labelers work, and how many spans each saves at most.
const LABELERS: usize = 2;
const HANDFUL: usize = 4;

/// Lets two labelers of the project each save a few spans; says how many. Those with documents
/// left come first; if nobody has any, two change their minds about one they had handed in.
pub async fn simulate_labelers(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<u32> {
    let store = &permit_simulation(services, actor, project).await?;
    let found = store::project::find(store, project).await?.ok_or(Refusal::NotFound)?;
    let mut labelers = labelers_with_work(store, project).await?;
    // Those with documents left first; among them, others than the last time.
    let turn = usize::try_from(found.revision.0).unwrap_or(0) / LABELERS;
    if let Some(shift) = turn.checked_rem(labelers.len()) {
        labelers.rotate_left(shift);
    }
    labelers.sort_by_key(|(_, assignments)| !assignments.iter().any(unfinished));
    if labelers.is_empty() {
        let why = "there is no labeler with a document; import documents and invite labelers";
        return Err(Code::NotOffered.because(why).into());
    }
    let mut saved = 0;
    for (member, assignments) in labelers.iter().take(LABELERS) {
        let mut dice = Dice::new([unsigned(found.revision.0), unsigned(member.id.0)]);
        saved += work((services, store), member, assignments, &mut dice).await?;
    }
    Ok(saved)
}

/// The labelers who have assignments, with these.
async fn labelers_with_work(
    store: &Store,
    project: ProjectId,
) -> Result<Vec<(Member, Vec<AssignmentCard>)>> {
    let members = store::project::members::list(store, project).await?;
    let mut labelers = Vec::new();
    for member in members.into_iter().filter(|member| member.role == Role::Labeler) {
        let assignments = store::work::assignments::list_of_member(store, member.id).await?;
        if !assignments.is_empty() {
            labelers.push((member, assignments));
        }
    }
    Ok(labelers)
}

fn unfinished(assignment: &AssignmentCard) -> bool {
    assignment.state != WorkState::Submitted
}

/// One labeler's moment of work; says how many spans were saved.
async fn work(
    (services, store): (&Arc<Services>, &Store),
    member: &Member,
    assignments: &[AssignmentCard],
    dice: &mut Dice,
) -> Result<u32> {
    let user = store::account::users::find(store, member.user).await?.ok_or(Refusal::NotFound)?;
    let labeler = Actor::Person(user);
    let under_way = assignments.iter().find(|assignment| assignment.state == WorkState::Saved);
    let next = under_way.or_else(|| assignments.iter().find(|assignment| unfinished(assignment)));
    let Some(assignment) = next.or_else(|| dice.pick(assignments)) else { return Ok(0) };
    let view = annotation::load(services, &labeler, assignment.id).await?;
    let mut base = view.content.revision;
    if view.content.state == WorkState::Submitted {
        let reopened = annotation::reopen(services, &labeler, assignment.id, base).await?;
        let Some(revision) = revision(&reopened) else { return Ok(0) };
        base = revision;
    }

    let present: BTreeSet<Span> = view.content.spans.iter().copied().collect();
    let mut missing = plausible(&view, habits(member), dice);
    missing.retain(|span| !present.contains(span));
    let finishes = missing.len() <= HANDFUL;
    missing.truncate(HANDFUL);
    let (removed, added) = if missing.is_empty() {
        second_thoughts(&view, &present, dice)
    } else {
        (Vec::new(), missing)
    };
    let saved = u32::try_from(added.len()).unwrap_or(u32::MAX);
    let key = SaveKey(format!("simulated-{:032x}", rand::rng().random::<u128>()));
    let facts = |spans: Vec<Span>| spans.into_iter().map(Fact::from).collect();
    let (removed, added) = (facts(removed), facts(added));
    let command = SaveSpans { assignment: assignment.id, base, key, removed, added };
    let outcome = annotation::save(services, &labeler, command).await?;
    let Some(revision) = revision(&outcome) else { return Ok(0) };
    if finishes {
        match annotation::submit(services, &labeler, assignment.id, revision).await {
            // A simulated labeler neither knows of limits nor chooses attributes.
            Err(Error::Refused(Refusal::Invalid { .. })) => {}
            submitted => drop(submitted?),
        }
    }
    Ok(saved)
}

/// The assignment's new revision; none if a person was faster than the simulation.
const fn revision(outcome: &SaveOutcome) -> Option<Revision> {
    match outcome {
        SaveOutcome::Saved { revision, .. } => Some(*revision),
        SaveOutcome::Conflict(_) => None,
    }
}

/// The same labeler keeps the same habits.
fn habits(member: &Member) -> Habits {
    let place = usize::try_from(member.id.0).unwrap_or(0) % HABITS.len();
    HABITS.get(place).copied().unwrap_or_default()
}

/// Spans that somebody might mark in this document: what the sample's gold standard has there, or
/// else names that stand out.
fn plausible(view: &AssignmentView, habits: Habits, dice: &mut Dice) -> Vec<Span> {
    let known = passages()
        .iter()
        .find(|passage| passage.name == view.document_name && passage.text == view.text);
    if let Some(passage) = known {
        let label = |name: &str| view.labels.iter().find(|label| label.name == name);
        let spans: Vec<Span> = habits
            .annotate(dice, passage)
            .into_iter()
            .filter_map(|(range, name)| Some(Span { range, label: label(name)?.id }))
            .collect();
        if !spans.is_empty() {
            return spans;
        }
    }
    let names = names(&view.text);
    names.into_iter().filter_map(|range| guess(view, range, dice)).collect()
}

/// Runs of one or two capitalised words; all words in a text without any.
fn names(text: &str) -> Vec<Range> {
    let tokens = text::tokens(text);
    let word = |token: &Range| text::slice(text, *token).starts_with(char::is_alphanumeric);
    let capital = |token: &Range| text::slice(text, *token).starts_with(char::is_uppercase);
    let mut names: Vec<Range> = Vec::new();
    for token in tokens.iter().filter(|token| capital(token)) {
        match names.last_mut() {
            Some(name) if name.end + 1 == token.start && name.len() < 20 => name.end = token.end,
            _ => names.push(*token),
        }
    }
    if names.is_empty() {
        names.extend(tokens.iter().filter(|token| word(token)));
    }
    names
}

/// A label for a name. Labelers mostly agree on it: it follows from the name itself.
fn guess(view: &AssignmentView, range: Range, dice: &mut Dice) -> Option<Span> {
    if dice.chance(200) {
        return None;
    }
    let letters = text::slice(&view.text, range).chars().map(|letter| u64::from(u32::from(letter)));
    let mut by_name = Dice::new(letters);
    let usual = by_name.pick(&view.labels)?.id;
    let label = if dice.chance(150) { dice.pick(&view.labels)?.id } else { usual };
    Some(Span { range, label })
}

/// Another label for a few of the spans that are there.
fn second_thoughts(
    view: &AssignmentView,
    present: &BTreeSet<Span>,
    dice: &mut Dice,
) -> (Vec<Span>, Vec<Span>) {
    let spans: Vec<Span> = present.iter().copied().collect();
    let changed: BTreeSet<Span> =
        std::iter::repeat_with(|| dice.pick(&spans).copied()).take(2).flatten().collect();
    let mut removed = Vec::new();
    let mut added = Vec::new();
    for span in changed {
        let others: Vec<LabelId> = view
            .labels
            .iter()
            .map(|label| label.id)
            .filter(|label| !present.contains(&Span { label: *label, ..span }))
            .collect();
        if let Some(label) = dice.pick(&others) {
            removed.push(span);
            added.push(Span { label: *label, ..span });
        }
    }
    (removed, added)
}

fn unsigned(id: i64) -> u64 {
    u64::try_from(id).unwrap_or(0)
}
