//! Decisions on the walk: one act is one transaction, through the same change as the review screen,
//! and can be undone as a whole.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    ActId, Actor, AttributeId, AuditEvent, Choice, Code, Decision, DocumentId, Error as Refusal,
    Fact, LabelId, MemberId, Position, ProjectId, Range, Revision, SeenPosition, Stand,
    WalkDecision, Walked, WorkState, base::policy::Action, saturating,
};
use formats::TextIndex;
use live::DocumentWork;
use store::{
    Tx,
    agreement::ratings::RatedReview,
    review::decision_batches::{Act, DecidedPosition},
};

use super::{
    about::About,
    changes::{MOVED_ON, changes},
    list,
    same_text::likeness,
};
use crate::{
    Result, Services,
    base::{access::permit, change::undone_already, names::Names},
    review::{
        Answered, DocumentChange, ReviewChange, Validate, apply_decisions, decide_at_once,
        own_answer,
    },
    work::saving::{self, Saved, to_the_end},
};

/// Decides on positions that are alike, all of them or none, and says where the walk goes on.
pub async fn decide(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    command: WalkDecision,
) -> Result<Walked> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let store = &services.store;
        let access = permit(store, &actor, project, Action::Review).await?;
        let command = command.checked()?;
        let names = Names::load(store, project, &access.member).await?;
        let question = command.list.question();
        let before = About::load(&services, project, question).await?;
        let reviewer = access.member.id;
        let progress =
            list::load(&services, project, &names, &command.list, &before, Some(reviewer)).await?;
        let now = services.clock.now();

        let turn = services.live.lock_project(project).await;
        let about = About::load(&services, project, question).await?;
        let group = about.groups.decided_with(command.from);
        if is_group(&command, &group) {
            about.tallies.round(command.from.document).ok_or(Refusal::NotFound)?;
        } else {
            check_alike(&services, &about, reviewer, &command).await?;
        }
        let change = ReviewChange {
            project,
            event: AuditEvent::SaveDecisions,
            transition: WorkState::saved,
            documents: changes(&about, reviewer, &command, now)?,
            validate: Validate::AgainstSpans,
            now,
        };
        let decided: Vec<_> = change.documents.iter().flat_map(DocumentChange::positions).collect();
        let positions = decided.into_iter();
        let act = decide_at_once(&services, turn, &access, change, positions, MOVED_ON).await?;

        let about = about.moved(&services, project).await?;
        let from = about.groups.decision(command.from);
        let wanted = |position| about.is_undecided(reviewer, position);
        let to = progress.listed.next_wanted(from, wanted).unwrap_or(command.from);
        Ok(Walked { act, to })
    })
    .await
}

/// Puts back what stood before an act wherever nobody has changed it since, and leads to the first
/// of its positions.
pub async fn undo(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    act: ActId,
) -> Result<Walked> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let store = &services.store;
        let access = permit(store, &actor, project, Action::Review).await?;
        let now = services.clock.now();
        let turn = services.live.lock_project(project).await;
        let write = async |tx: &Tx| {
            let act = find_own(tx, project, access.member.id, act).await?;
            if act.undone_at.is_some() {
                return Err(undone_already().into());
            }
            let to = act.positions.first().ok_or(Refusal::NotFound)?.position;
            let (documents, left_alone) = put_back(tx, &act).await?;
            if documents.is_empty() {
                let why = "nothing to undo: all these decisions have changed since, or their \
                            reviews are finished";
                return Err(Code::NothingToUndo.because(why).into());
            }
            let change = ReviewChange {
                project,
                event: AuditEvent::UndoDecisions,
                transition: WorkState::saved,
                documents,
                validate: Validate::Skip,
                now,
            };
            let applied = apply_decisions(tx, &access, &change).await?.or_moved_on(MOVED_ON)?;
            if !store::review::decision_batches::undo(tx, act.id, &left_alone, now).await? {
                return Err(undone_already().into());
            }
            Ok(Saved::Done(Walked { act: act.id, to }, Some(applied.change)))
        };
        saving::save(&services, (project, turn), None, now, write).await
    })
    .await
}

/// An act of one's own in the project; others' are not found.
pub(super) async fn find_own(
    db: &impl store::Db,
    project: ProjectId,
    member: MemberId,
    act: ActId,
) -> Result<Act> {
    let found = store::review::decision_batches::find(db, act).await?;
    let own = found.filter(|act| act.project == project && act.member == member);
    Ok(own.ok_or(Refusal::NotFound)?)
}

/// Whether the command is about a group, all of it as it is now and nothing else.
fn is_group(command: &WalkDecision, group: &[Range]) -> bool {
    let seen = command.seen.iter().map(|seen| (seen.position.document, seen.position.range));
    let document = command.from.document;
    let is_all = group.len() > 1 && seen.eq(group.iter().map(|range| (document, *range)));
    is_all
        && match &command.choice {
            Choice::Give(_) | Choice::Write(_) => false,
            Choice::TakeBack => true,
            Choice::Choose(chosen) => chosen.answer.0.keys().all(|range| group.contains(range)),
        }
}

/// Refuses positions outside their texts, and such as are not like the one that it is about.
async fn check_alike(
    services: &Services,
    about: &About,
    reviewer: MemberId,
    command: &WalkDecision,
) -> Result<()> {
    let tallies = &about.tallies;
    let documents: BTreeSet<DocumentId> = command
        .seen
        .iter()
        .map(|seen| seen.position.document)
        .chain([command.from.document])
        .collect();
    if documents.iter().any(|document| tallies.round(*document).is_none()) {
        return Err(Refusal::NotFound.into());
    }
    let documents: Vec<_> = documents.into_iter().collect();
    let texts = store::document::texts(&services.store, &documents).await?;
    let indices: BTreeMap<_, _> =
        texts.iter().map(|(id, (_, text))| (*id, TextIndex::new(text))).collect();
    let none = DocumentWork::new();
    let like = |position: Position| {
        let index = indices.get(&position.document).ok_or(Refusal::NotFound)?;
        about.check(position, saturating::<u32>(index.scalar_count()))?;
        let work = tallies.document(position.document).unwrap_or(&none);
        Ok::<_, Refusal>(likeness(work, index, position.range))
    };
    if matches!(command.choice, Choice::Choose(_)) {
        return Err(Code::ChangedMeanwhile
            .of(
                "seen",
                "labelers have changed these boundaries meanwhile, so nothing was decided; check \
                 them again",
            )
            .into());
    }
    let wanted = (like(command.from)?, about.comes_with(reviewer, command.from));
    for SeenPosition { position, .. } in command.seen.iter().copied() {
        let is_like = || Ok::<_, Refusal>((like(position)?, about.comes_with(reviewer, position)));
        // A document is like no other.
        if position != command.from && (about.is_of_documents() || is_like()? != wanted) {
            return Err(Code::ChangedMeanwhile
                .of(
                    "seen",
                    "labelers have changed one of these positions meanwhile, so nothing was decided; \
                 check them again",
                )
                .into());
        }
    }
    Ok(())
}

/// What is to be put back, and the positions that are left alone: changed since, in a review that
/// has ended, or given a label then that is gone.
async fn put_back(tx: &Tx, act: &Act) -> Result<(Vec<DocumentChange>, Vec<Position>)> {
    let documents: BTreeSet<_> = act.positions.iter().map(|one| one.position.document).collect();
    let documents: Vec<_> = documents.into_iter().collect();
    let labels = store::project::labels::list(tx, act.project).await?;
    let known: BTreeSet<LabelId> = labels.iter().map(|label| label.id).collect();
    let reviews: BTreeMap<DocumentId, RatedReview> =
        store::agreement::ratings::load_documents(tx, &documents)
            .await?
            .into_iter()
            .filter_map(|ratings| {
                let own = ratings.reviews.into_iter().find(|review| review.member == act.member)?;
                Some((ratings.document, own))
            })
            .collect();
    let revisions: BTreeMap<DocumentId, Revision> =
        store::review::find_or_create_many(tx, &documents, act.member)
            .await?
            .into_iter()
            .map(|(document, review)| (document, review.revision))
            .collect();
    let mut back: BTreeMap<DocumentId, DocumentChange> = BTreeMap::new();
    let mut left_alone = Vec::new();
    for decided in &act.positions {
        let Position { document, range } = decided.position;
        let review = reviews.get(&document);
        let question = question_of(decided);
        let now = if let Some(question) = question {
            review.and_then(|own| own_answer(own, question)).map(Stand::Document)
        } else {
            let own = review.and_then(|own| own.decisions.iter().find(|it| it.range == range));
            own.cloned().map(Stand::Position)
        };
        let is_open = review.is_none_or(|review| review.state != WorkState::Submitted);
        let before = decided.before.as_ref();
        let mut labels =
            before.and_then(Stand::decision).into_iter().flat_map(|it| it.labels.iter());
        let is_known = labels.all(|label| known.contains(&label));
        let stands = now == decided.after;
        // What else was answered on a span meanwhile stays.
        let now = now.as_ref().and_then(Stand::decision);
        let without = now.and_then(|now| answer_alone(decided, now)).filter(|_| !stands);
        if !is_open || !is_known || !(stands || without.is_some()) {
            left_alone.push(decided.position);
            continue;
        }
        let base = revisions.get(&document).copied();
        let back = back.entry(document).or_insert_with(|| DocumentChange::new(document, base));
        if let Some(question) = question {
            let answer = before.and_then(Stand::document);
            back.answers.insert(range, Answered::One(question, answer));
        } else {
            let decision = without.or_else(|| before.and_then(Stand::decision).cloned());
            back.changes.push((range, decision));
        }
    }
    Ok((back.into_values().collect(), left_alone))
}

/// What stands on a span once an answer is taken back that was decided there alone, and stands as it was decided.
fn answer_alone(decided: &DecidedPosition, now: &Decision) -> Option<Decision> {
    let [before, after] = [&decided.before, &decided.after].map(Option::as_ref);
    let (before, after) = (before?.decision()?, after?.decision()?);
    let is_alone = [before, now]
        .iter()
        .all(|other| (&other.labels, &other.note) == (&after.labels, &after.note));
    let added = after.answers.difference(&before.answers);
    let removed = before.answers.difference(&after.answers);
    let stands = added.clone().all(|fact| now.answers.contains(fact));
    let is_open = removed.clone().all(|fact| {
        let question = fact.choice.map(|choice| choice.attribute);
        let of_it = |other: &&Fact| other.choice.map(|choice| choice.attribute) == question;
        now.answers.iter().filter(of_it).all(|other| after.answers.contains(other))
    });
    (is_alone && stands && is_open).then(|| {
        let mut now = now.clone();
        for fact in added {
            now.answers.remove(fact);
        }
        now.answers.extend(removed.copied());
        now
    })
}

/// The question about the document whose answer was decided, if one was.
fn question_of(decided: &DecidedPosition) -> Option<AttributeId> {
    let stands = decided.before.iter().chain(&decided.after);
    let mut answers = stands.filter_map(Stand::document);
    answers.find_map(|it| it.answer.choice).map(|chosen| chosen.attribute)
}
