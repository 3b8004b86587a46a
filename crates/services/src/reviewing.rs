//! What a reviewer does: list documents, open one with the labelers' spans, decide, end a review.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    Actor, Decision, DecisionChange, DocumentId, Error as Refusal, LabelSet, Page, ProjectId,
    ReviewCard, ReviewContent, ReviewOutcome, ReviewPosition, ReviewView, ReviewedCopy, Revision,
    Role, SaveDecisions, Standing, Verdict, WorkState, policy::Action,
};
use serde_json::json;
use store::{Tx, audit::Audit, documents::Document, ratings::DocumentRatings, reviews::Review};

use crate::{
    Result, Services,
    access::{Access, permit},
    guidelines,
    live::{Change, DocumentWork, Work, document_work},
    names::Names,
    saving::{Once, to_the_end},
};

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
    let tallies = services.live.read(store, project).await?;
    let documents = store::documents::list(store, project, page, PAGE_SIZE).await?;
    let empty = DocumentWork::new();
    let rows = documents.rows.into_iter().map(|document| {
        let work = tallies.document(document.id).unwrap_or(&empty);
        let mut card = ReviewCard {
            document: document.id,
            document_name: document.name,
            submitted: count(&document.copies, |copy| copy.state == WorkState::Submitted),
            saved: count(&document.copies, |copy| copy.state.has_work()),
            assigned: count(&document.copies, |_| true),
            unanimous: 0,
            conflict: 0,
            one_sided: 0,
            decided: 0,
            state: document
                .reviews
                .iter()
                .find(|review| review.member == access.member.id)
                .map_or(WorkState::Open, |review| review.state),
        };
        for position in positions(work, access.member.id) {
            match position.standing {
                Standing::Unanimous => card.unanimous += 1,
                Standing::Conflict => card.conflict += 1,
                Standing::OneSided => card.one_sided += 1,
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
    let project = store::projects::find(store, document.project).await?.ok_or(Refusal::NotFound)?;
    let labels = store::labels::list(store, document.project).await?;
    let names = Names::load(store, document.project, &access.member).await?;
    let ratings =
        store::ratings::load_document(store, document.id).await?.ok_or(Refusal::NotFound)?;
    let review = store::reviews::find(store, document.id, access.member.id).await?;
    let neighbours = store::documents::neighbours(store, document.project, document.id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let copies = ratings
        .copies
        .iter()
        .filter_map(|copy| {
            Some(ReviewedCopy { rater: names.rater(copy.member)?, state: copy.state })
        })
        .collect();
    Ok(ReviewView {
        document: document.id,
        project: document.project,
        project_name: project.settings.name,
        document_name: document.name,
        text: document.text,
        labels,
        copies,
        content: content(review.as_ref(), ratings, access.member.id),
        guidelines_html: guidelines::render(project.settings.guidelines).await?,
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
            return Err(Refusal::invalid("changes", "a save has at most 20,000 decisions").into());
        }
        let mut named = BTreeSet::new();
        for change in &command.changes {
            change.checked(document.characters)?;
            if !named.insert(change.range) {
                return Err(Refusal::invalid("changes", "a position is named twice").into());
            }
        }
        let step = Step {
            base: command.base,
            once: Some(once),
            action: "save decisions",
            transition: WorkState::saved,
            changes: command.changes,
        };
        take(&services, &document, &access, step).await
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
    change_state(services, actor, document, base, "submit review", WorkState::submitted).await
}

/// Takes the end of a review back.
pub async fn reopen(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
    base: Revision,
) -> Result<ReviewOutcome> {
    change_state(services, actor, document, base, "reopen review", WorkState::reopened).await
}

async fn change_state(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
    base: Revision,
    action: &'static str,
    transition: fn(WorkState) -> Result<WorkState, Refusal>,
) -> Result<ReviewOutcome> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (document, access) = find(&services, &actor, document).await?;
        let step = Step { base, once: None, action, transition, changes: Vec::new() };
        take(&services, &document, &access, step).await
    })
    .await
}

/// A change of a review, relative to `base`.
struct Step {
    base: Revision,
    once: Option<Once>,
    action: &'static str,
    transition: fn(WorkState) -> Result<WorkState, Refusal>,
    changes: Vec<DecisionChange>,
}

/// Takes a step in one transaction, then moves the tallies. The number of SQL statements does
/// not depend on the project's size.
async fn take(
    services: &Services,
    document: &Document,
    access: &Access,
    step: Step,
) -> Result<ReviewOutcome> {
    let now = services.clock.now();
    let reviewer = access.member.id;
    let _turn = services.live.turn(document.project).await;
    let tx = services.store.begin().await?;
    if let Some(once) = &step.once
        && let Some(answer) = once.answered(&tx).await?
    {
        return Ok(answer);
    }
    let review = store::reviews::find_or_create(&tx, document.id, reviewer).await?;
    let ratings =
        store::ratings::load_document(&tx, document.id).await?.ok_or(Refusal::NotFound)?;
    if review.revision != step.base {
        return Ok(ReviewOutcome::Conflict(content(Some(&review), ratings, reviewer)));
    }
    let state = (step.transition)(review.state)?;
    check_labels(&tx, document.project, &step.changes).await?;
    let (_, work) = document_work(ratings);
    check_verdicts(&work, &step.changes)?;

    if !store::reviews::save(&tx, review.id, step.base, state, now).await? {
        return Err(crate::Error::broken("the review moved under a held turn"));
    }
    store::decisions::replace(&tx, review.id, &step.changes, now).await?;
    let project_revision = store::projects::advance(&tx, document.project).await?;
    let audit = Audit {
        project: Some(document.project),
        user: Some(access.person.id),
        at: now,
        action: step.action,
        subject: format!("document {}", document.id),
        detail: json!({ "decisions": step.changes.len(), "state": state }),
        revision: Some(project_revision),
    };
    store::audit::append(&tx, audit).await?;
    let outcome = ReviewOutcome::Saved { revision: step.base.next(), saved_at: now };
    if let Some(once) = &step.once {
        once.remember(&tx, &outcome, now).await?;
    }
    let decisions = store::decisions::list(&tx, review.id).await?;
    tx.commit().await?;

    let change = Change {
        revision: project_revision,
        document: document.id,
        rater: reviewer,
        work: Work::of_reviewer(state, now, decisions),
        at: now,
    };
    services.live.apply(document.project, change);
    Ok(outcome)
}

/// Refuses labels of other projects.
async fn check_labels(tx: &Tx, project: ProjectId, changes: &[DecisionChange]) -> Result<()> {
    let used: BTreeSet<_> = changes
        .iter()
        .filter_map(|change| change.decision.as_ref())
        .flat_map(|(_, labels)| labels.iter())
        .collect();
    if used.is_empty() {
        return Ok(());
    }
    let labels = store::labels::list(tx, project).await?;
    let known: BTreeSet<_> = labels.iter().map(|label| label.id).collect();
    if used.is_subset(&known) {
        Ok(())
    } else {
        Err(Refusal::invalid("labels", "a label does not exist in the project").into())
    }
}

/// Refuses verdicts that do not describe what happens: accepting what nobody marked so, adding
/// what somebody marked.
fn check_verdicts(work: &DocumentWork, changes: &[DecisionChange]) -> Result<()> {
    let mut marked: BTreeMap<_, Vec<&LabelSet>> = BTreeMap::new();
    for labeler in work.values().filter(|work| work.role == Role::Labeler) {
        for (range, labels) in &labeler.judgements {
            marked.entry(*range).or_default().push(labels);
        }
    }
    for change in changes {
        let there = marked.get(&change.range).map_or(&[][..], Vec::as_slice);
        let fits = match &change.decision {
            None => true,
            Some((Verdict::Accept, labels)) => there.contains(&labels),
            Some((Verdict::Relabel, labels)) => !there.is_empty() && !there.contains(&labels),
            Some((Verdict::Reject, _)) => !there.is_empty(),
            Some((Verdict::Add, _)) => there.is_empty(),
        };
        if !fits {
            return Err(Refusal::invalid(
                "verdict",
                "the labelers have changed this position meanwhile; load the document again",
            )
            .into());
        }
    }
    Ok(())
}

/// The document, if the actor reviews in its project.
async fn find(
    services: &Services,
    actor: &Actor,
    document: DocumentId,
) -> Result<(Document, Access)> {
    actor.person()?;
    let document =
        store::documents::find(&services.store, document).await?.ok_or(Refusal::NotFound)?;
    let access = permit(&services.store, actor, document.project, Action::Review).await?;
    Ok((document, access))
}

fn content(
    review: Option<&Review>,
    ratings: DocumentRatings,
    reviewer: domain::MemberId,
) -> ReviewContent {
    let (_, work) = document_work(ratings);
    ReviewContent {
        review: review.map(|review| review.id).unwrap_or_default(),
        revision: review.map(|review| review.revision).unwrap_or_default(),
        state: review.map(|review| review.state).unwrap_or_default(),
        positions: positions(&work, reviewer),
    }
}

/// The positions of a document as one reviewer sees them: the labelers' marks and the reviewer's
/// own decisions, but not those of other reviewers, who work independently.
fn positions(work: &DocumentWork, reviewer: domain::MemberId) -> Vec<ReviewPosition> {
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
            let sets: Vec<_> = marked.iter().map(|(_, labels)| labels).collect();
            ReviewPosition {
                range,
                standing: Standing::of(&sets, labelers.len()),
                decision: own.and_then(|own| decision(own, range)),
                marked,
            }
        })
        .collect()
}

fn decision(work: &Work, range: domain::Range) -> Option<Decision> {
    let (verdict, decided_at) = *work.verdicts.get(&range)?;
    let labels = work.judgements.get(&range)?.clone();
    Some(Decision { range, verdict, labels, decided_at })
}
