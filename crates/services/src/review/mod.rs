//! What a reviewer does: go through documents, open one with the labelers' spans, decide, end a review.

pub mod consensus;
pub mod counted;
mod decisions;
pub mod disputes;
pub mod gold;
pub(crate) mod groups;
pub(crate) mod queue;
pub(crate) mod quorum;
mod rules;
pub mod second_reviews;
pub mod walk;

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use domain::{
    Actor, AuditEvent, Code, Decision, DecisionChange, DocumentId, Error as Refusal, ProjectId,
    Range, ReviewContent, ReviewOutcome, ReviewPosition, ReviewView, ReviewedAssignment, Revision,
    Role, SaveDecisions, Span, WebhookEvent, WorkState, base::policy::Action,
};
use live::{DocumentWork, document_work};
use serde_json::json;
use store::{
    Tx, agreement::ratings::DocumentRatings, document::Document, review::Review, workload::Holding,
};

use crate::{
    Result, Services,
    base::{
        access::{Access, permit},
        change::{
            events::{Event, about, announce},
            idempotency::Once,
        },
        names::Names,
    },
    project::label_views::{choices_in_words, guidelines_with_labels},
    work::saving::{self, Saved, to_the_end},
};

pub(crate) use decisions::{
    Answered, DocumentChange, ReviewChange, Validate, apply_decisions, decide_at_once, own_answer,
};
use decisions::{Decided, OfLabelers, Replaced};
use groups::DocumentGroups;
pub use queue::{list, queue};
use quorum::{Quorums, standing};
pub use rules::{accept, preview as preview_rule};

/// The most changes that one save may carry.
const MAX_CHANGES: usize = 20_000;

/// Opens a document for review: the labelers' saved spans and the reviewer's own decisions.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
) -> Result<ReviewView> {
    let store = &services.store;
    let (document, access) = find(services, actor, document).await?;
    let project = store::project::find(store, document.project).await?.ok_or(Refusal::NotFound)?;
    let labels = store::project::labels::list(store, document.project).await?;
    let details = store::project::label_details::list(store, document.project).await?;
    let chosen = store::work::choices::of_document(store, document.id).await?;
    let names = Names::load(store, document.project, &access.member).await?;
    let ratings = store::agreement::ratings::load_document(store, document.id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let review = store::review::find(store, document.id, access.member.id).await?;
    let neighbours = store::document::neighbours(store, document.project, document.id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let holdings = store::workload::holdings_of(store, document.id).await?;
    let assignments = holdings
        .into_iter()
        .filter(|holding| holding.state.has_work() || !holding.skipped)
        .filter_map(|Holding { member, state, .. }| {
            Some(ReviewedAssignment { rater: names.rater(member)?, state })
        })
        .collect();
    let quorum = Quorums::of_document(store, document.project, document.id).await?;
    let choices = choices_in_words(&chosen, &labels, &details);
    let guidelines = project.settings.guidelines;
    let guidelines_html =
        guidelines_with_labels(&services.markdown, guidelines, &labels, &details).await?;
    let reasons = store::project::reasons::list(store, document.project).await?;
    let comments = store::work::comments::open_places(store, document.id).await?;
    Ok(ReviewView {
        person: access.person.id,
        document: document.id,
        project: document.project,
        project_name: project.settings.name,
        document_name: document.name,
        text: document.text,
        labels,
        attributes: details.into_iter().flat_map(|detail| detail.attributes).collect(),
        assignments,
        quorum,
        comments,
        reasons,
        content: content(review.as_ref(), ratings, access.member.id, quorum),
        choices,
        guidelines_html,
        previous: neighbours.previous,
        next: neighbours.next,
        place: neighbours.place,
        places: neighbours.places,
    })
}

/// Saves decisions and moves the project's agreement with them.
pub async fn save(
    services: &Arc<Services>,
    actor: &Actor,
    command: SaveDecisions,
) -> Result<ReviewOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (document, access) = find(&services, &actor, command.document).await?;
        let once = Once::new(access.person.id, &command.key, &command)?;
        if command.changes.len() > MAX_CHANGES {
            return Err(Code::TooMany.of("changes", "a save has at most 20,000 decisions").into());
        }
        let mut named = BTreeSet::new();
        for change in &command.changes {
            change.checked(document.characters)?;
            if !named.insert(change.range) {
                return Err(Code::NamedTwice.of("changes", "a position is listed twice").into());
            }
        }
        let now = services.clock.now();
        let mut part = DocumentChange::new(document.id, Some(command.base));
        for change in command.changes {
            let answers = change.answers.clone().map(Answered::All);
            part.answers.extend(answers.map(|answers| (change.range, answers)));
            part.changes.extend((!change.is_of_document()).then(|| decided(change, now)));
        }
        let change = ReviewChange {
            event: AuditEvent::SaveDecisions,
            transition: WorkState::saved,
            ..on(document.project, part, now)
        };
        commit_change(&services, &access, Some(once), change, None).await
    })
    .await
}

/// Ends the review of a document.
pub async fn submit(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
    base: Revision,
) -> Result<ReviewOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (document, access) = find(&services, &actor, document).await?;
        let now = services.clock.now();
        let change = ReviewChange {
            event: AuditEvent::SubmitReview,
            transition: WorkState::submitted,
            ..on(document.project, DocumentChange::new(document.id, Some(base)), now)
        };
        let event = submission(&document, &access, now);
        commit_change(&services, &access, None, change, Some(event)).await
    })
    .await
}

/// Takes the end of a review back.
pub async fn reopen(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
    base: Revision,
) -> Result<ReviewOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (document, access) = find(&services, &actor, document).await?;
        let now = services.clock.now();
        let change = ReviewChange {
            event: AuditEvent::ReopenReview,
            transition: WorkState::reopened,
            ..on(document.project, DocumentChange::new(document.id, Some(base)), now)
        };
        commit_change(&services, &access, None, change, None).await
    })
    .await
}

/// A save of decisions on one document.
fn on(project: ProjectId, part: DocumentChange, now: DateTime<Utc>) -> ReviewChange {
    ReviewChange {
        project,
        event: AuditEvent::SaveDecisions,
        transition: WorkState::saved,
        documents: vec![part],
        validate: Validate::AgainstSpans,
        now,
    }
}

/// That a reviewer has ended the review of a document. What holds in it is a page that managers have,
/// too.
fn submission(document: &Document, access: &Access, at: DateTime<Utc>) -> Event {
    let Document { id, project, name, .. } = document;
    Event {
        kind: WebhookEvent::ReviewSubmitted,
        at,
        project: *project,
        about: about([
            ("document", json!({ "id": id, "name": name })),
            ("reviewer", json!({ "id": access.member.id, "name": access.person.name })),
        ]),
        path: format!("/projects/{project}/review/gold/documents/{id}"),
    }
}

/// Commits a change on one document in a transaction of its own, with the event that it is, then moves the
/// tallies.
async fn commit_change(
    services: &Services,
    access: &Access,
    once: Option<Once>,
    change: ReviewChange,
    event: Option<Event>,
) -> Result<ReviewOutcome> {
    let (project, now) = (change.project, change.now);
    let base = change.documents.first().and_then(|part| part.base).unwrap_or_default();
    let lock = services.live.lock_project(project).await;
    let write = async |tx: &Tx| {
        let applied = match apply_decisions(tx, access, &change).await? {
            Decided::Applied(applied) => applied,
            Decided::Moved(moved) => {
                let quorum = Quorums::of_document(tx, project, moved.1.document).await?;
                let there = content(Some(&moved.0), moved.1, access.member.id, quorum);
                return Ok(Saved::Conflict(ReviewOutcome::Conflict(there)));
            }
        };
        if let Some(event) = event {
            announce(tx, event).await?;
        }
        let outcome = ReviewOutcome::Saved { revision: base.next(), saved_at: now };
        Ok(Saved::Done(outcome, Some(applied.change)))
    };
    saving::save(services, (project, lock), once.as_ref(), now, write).await
}

/// The document, if the actor reviews in its project.
async fn find(
    services: &Services,
    actor: &Actor,
    document: DocumentId,
) -> Result<(Document, Access)> {
    actor.person()?;
    let document =
        store::document::find(&services.store, document).await?.ok_or(Refusal::NotFound)?;
    let access = permit(&services.store, actor, document.project, Action::Review).await?;
    Ok((document, access))
}

fn content(
    review: Option<&Review>,
    ratings: DocumentRatings,
    reviewer: domain::MemberId,
    quorum: u64,
) -> ReviewContent {
    let there = OfLabelers::of(&ratings);
    let own = ratings.reviews.iter().find(|review| review.member == reviewer);
    let answers = own.into_iter().flat_map(|own| &own.answers).map(|it| it.answer).collect();
    let (_, work) = document_work(ratings);
    let groups = DocumentGroups::of(&work, quorum);
    let mut positions = positions(&work, reviewer, quorum, |range| groups.first(range));
    for position in &mut positions {
        position.chosen = there.chosen(position.range).to_vec();
    }
    ReviewContent {
        chosen: there.chosen(Span::DOCUMENT.range).to_vec(),
        answers,
        review: review.map(|review| review.id).unwrap_or_default(),
        revision: review.map(|review| review.revision).unwrap_or_default(),
        state: review.map(|review| review.state).unwrap_or_default(),
        positions,
    }
}

/// The positions of a document as one reviewer sees them: the labelers' marks and the reviewer's
/// own decisions, but not those of other reviewers, who work independently; without what was chosen. `group` is the first position
/// of the group that a position is in.
fn positions(
    work: &DocumentWork,
    reviewer: domain::MemberId,
    quorum: u64,
    group: impl Fn(Range) -> Option<Range>,
) -> Vec<ReviewPosition> {
    let labelers: Vec<_> = work.iter().filter(|(_, work)| work.role == Role::Labeler).collect();
    let own = work.get(&reviewer);
    let ranges: BTreeSet<_> = labelers
        .iter()
        .flat_map(|(_, work)| work.judgements.keys())
        .chain(own.into_iter().flat_map(|work| work.judgements.keys()))
        .copied()
        .collect();
    ranges
        .into_iter()
        .map(|range| {
            let marked: Vec<_> = labelers
                .iter()
                .filter_map(|(id, work)| Some((**id, work.judgements.get(&range)?.clone())))
                .collect();
            ReviewPosition {
                range,
                standing: standing(labelers.iter().map(|(_, work)| *work), range, quorum),
                decision: own.and_then(|own| own.decision(range)),
                group: group(range),
                chosen: Vec::new(),
                marked,
            }
        })
        .collect()
}

/// The decision that a change asks for.
fn decided(change: DecisionChange, decided_at: DateTime<Utc>) -> Replaced {
    let DecisionChange { range, decision, note, .. } = change;
    let decision = decision.map(|(verdict, labels)| Decision {
        range,
        verdict,
        labels,
        decided_at,
        note: note.trim().to_owned(),
        answers: BTreeSet::new(),
    });
    (range, decision)
}
