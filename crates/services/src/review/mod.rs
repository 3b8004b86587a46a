//! What a reviewer does: list documents, open one with the labelers' spans, decide, end a review.

mod decisions;
pub mod disputes;
pub mod gold;
pub(crate) mod groups;
pub(crate) mod quorum;
mod rules;
pub mod second_reviews;
pub mod walk;

use std::{collections::BTreeSet, sync::Arc};

use chrono::{DateTime, Utc};
use domain::{
    Actor, AuditEvent, Code, Decision, DecisionChange, DecisionCounts, DocumentId,
    Error as Refusal, FlagKind, Page, ProjectId, ReviewCard, ReviewContent, ReviewOutcome,
    ReviewPosition, ReviewView, ReviewedAssignment, Revision, Role, SaveDecisions, Standing,
    WebhookEvent, WorkState, base::policy::Action,
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

use decisions::{Decided, Replaced};
pub(crate) use decisions::{
    DocumentChange, ReviewChange, Validate, apply_decisions, decide_at_once,
};
use groups::DocumentGroups;
use quorum::{Quorums, standing};
pub use rules::{accept, preview as preview_rule};

/// Rows on a page of the list of reviews.
const PAGE_SIZE: u64 = 50;

/// The most changes that one save may carry.
const MAX_CHANGES: usize = 20_000;

/// A page of the documents to review, in their order, with how far everybody is.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    page: u64,
) -> Result<Page<ReviewCard>> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::Review).await?;
    let tallies = services.live.read(project).await?;
    let documents = store::document::list(store, project, page, PAGE_SIZE).await?;
    let second = store::review::second_reviews::of_reviewer(store, access.member.id).await?;
    let quorums = Quorums::load(store, project).await?;
    let empty = DocumentWork::new();
    let rows = documents.rows.into_iter().map(|document| {
        let work = tallies.document(document.id).unwrap_or(&empty);
        let mut card = ReviewCard {
            document: document.id,
            document_name: document.name,
            submitted: count(&document.assignments, |assignment| {
                assignment.state == WorkState::Submitted
            }),
            saved: count(&document.assignments, |assignment| assignment.state.has_work()),
            assigned: count(&document.assignments, |assignment| {
                assignment.state.has_work() || !assignment.flags.contains(&FlagKind::Skip)
            }),
            unanimous: 0,
            conflict: 0,
            one_sided: 0,
            waiting: 0,
            decided: 0,
            decisions: DecisionCounts::default(),
            state: document
                .reviews
                .iter()
                .find(|review| review.member == access.member.id)
                .map_or(WorkState::Open, |review| review.state),
            second: second.contains(&document.id),
        };
        let positions = positions(work, access.member.id, quorums.of(document.id));
        card.decisions = decisions(&positions);
        for position in positions {
            match position.standing {
                Standing::Unanimous => card.unanimous += 1,
                Standing::Conflict => card.conflict += 1,
                Standing::OneSided => card.one_sided += 1,
                Standing::Waiting => card.waiting += 1,
                Standing::Added => {}
            }
            card.decided += u64::from(position.decision.is_some());
        }
        card
    });
    Ok(Page {
        rows: rows.collect(),
        total: documents.total,
        number: documents.number,
        size: documents.size,
    })
}

/// The decisions that positions ask for.
fn decisions(positions: &[ReviewPosition]) -> DecisionCounts {
    let mut counts = DecisionCounts::default();
    for position in positions {
        let is_open = |other: &ReviewPosition| other.decision.is_none();
        let is_decided = match position.group {
            None => !is_open(position),
            group if group == Some(position.range) => {
                !positions.iter().any(|other| other.group == group && is_open(other))
            }
            Some(_) => continue,
        };
        counts.decided += u64::from(is_decided);
        match (position.group, position.standing) {
            (Some(_), _) => counts.boundaries += 1,
            (None, Standing::Conflict) => counts.conflict += 1,
            (None, Standing::OneSided) => counts.one_sided += 1,
            (None, Standing::Waiting) => counts.waiting += 1,
            (None, Standing::Unanimous) => counts.unanimous += 1,
            (None, Standing::Added) => counts.added += 1,
        }
    }
    counts
}

fn count<T>(items: &[T], wanted: impl Fn(&T) -> bool) -> u64 {
    items.iter().map(|item| u64::from(wanted(item))).sum()
}

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
    let quorum = Quorums::load(store, document.project).await?.of(document.id);
    let choices = choices_in_words(&chosen, &labels, &details);
    let guidelines_html =
        guidelines_with_labels(project.settings.guidelines, &labels, &details).await?;
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
        let changes = command.changes.into_iter().map(|change| decided(change, now)).collect();
        let change = ReviewChange {
            event: AuditEvent::SaveDecisions,
            transition: WorkState::saved,
            ..on(&document, command.base, changes, now)
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
            ..on(&document, base, Vec::new(), now)
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
            ..on(&document, base, Vec::new(), now)
        };
        commit_change(&services, &access, None, change, None).await
    })
    .await
}

/// A save of decisions on one document.
fn on(
    document: &Document,
    base: Revision,
    changes: Vec<Replaced>,
    now: DateTime<Utc>,
) -> ReviewChange {
    ReviewChange {
        project: document.project,
        event: AuditEvent::SaveDecisions,
        transition: WorkState::saved,
        documents: vec![DocumentChange { document: document.id, base: Some(base), changes }],
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
                let quorum = Quorums::load(tx, project).await?.of(moved.1.document);
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
    let (_, work) = document_work(ratings);
    ReviewContent {
        review: review.map(|review| review.id).unwrap_or_default(),
        revision: review.map(|review| review.revision).unwrap_or_default(),
        state: review.map(|review| review.state).unwrap_or_default(),
        positions: positions(&work, reviewer, quorum),
    }
}

/// The positions of a document as one reviewer sees them: the labelers' marks and the reviewer's
/// own decisions, but not those of other reviewers, who work independently.
fn positions(work: &DocumentWork, reviewer: domain::MemberId, quorum: u64) -> Vec<ReviewPosition> {
    let labelers: Vec<_> = work.iter().filter(|(_, work)| work.role == Role::Labeler).collect();
    let own = work.get(&reviewer);
    let groups = DocumentGroups::of(work, quorum);
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
                group: groups.first(range),
                marked,
            }
        })
        .collect()
}

/// The decision that a change asks for.
fn decided(change: DecisionChange, decided_at: DateTime<Utc>) -> Replaced {
    let DecisionChange { range, decision, note } = change;
    let decision = decision.map(|(verdict, labels)| Decision {
        range,
        verdict,
        labels,
        decided_at,
        note: note.trim().to_owned(),
    });
    (range, decision)
}
