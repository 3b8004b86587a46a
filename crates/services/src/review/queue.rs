//! The documents that a reviewer goes through: in the order of import for programs, and as a queue in
//! which what is in doubt comes first.

use std::{cmp::Reverse, sync::Arc};

use domain::{
    Actor, DecisionCounts, DocumentCard, DocumentId, FlagKind, MemberId, Page, ProjectId,
    ReviewCard, ReviewPosition, ReviewQueue, Sorting, WorkState, base::policy::Action,
};
use live::{Tallies, Work};

use super::{
    groups::{self, Groups},
    positions,
    quorum::Quorums,
};
use crate::{
    Result, Services,
    agreement::breakdowns::{ByDocument, Remembered},
    base::{
        access::permit,
        sorting::{PAGE_SIZE, page},
    },
};

/// A page of the documents to review, in the order of their import, with how far everybody is.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    number: u64,
) -> Result<Page<ReviewCard>> {
    let reviewer = Reviewer::load(services, actor, project).await?;
    let found = store::document::list(&services.store, project, number, PAGE_SIZE).await?;
    Ok(reviewer.page(found))
}

/// A page of the queue, and the document to go on with, on whichever page it is.
pub async fn queue(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    number: u64,
) -> Result<ReviewQueue> {
    let store = &services.store;
    let reviewer = Reviewer::load(services, actor, project).await?;
    let (tallies, of) = (Arc::clone(&reviewer.tallies), reviewer.clone());
    let question = (reviewer.member, Arc::clone(&reviewer.quorums));
    let sort = move |_: &Tallies, _: &(MemberId, Arc<Quorums>)| of.order();
    let order = services.queues.order.find_or_count(&tallies, question, sort).await?;
    let sorting = Sorting { order: (), descending: false, page: number };
    let Page { rows, total, number, size } = page(&order.documents, &sorting, PAGE_SIZE);
    let shown: Vec<_> = rows.into_iter().copied().collect();
    let rows = store::document::cards(store, &shown).await?;
    Ok(ReviewQueue { page: reviewer.page(Page { rows, total, number, size }), next: order.next })
}

/// What documents ask of a reviewer, remembered while nothing moves.
#[derive(Default)]
pub(crate) struct Known {
    all: Remembered<AllAsked, (MemberId, Arc<Quorums>)>,
    order: Remembered<Order, (MemberId, Arc<Quorums>)>,
    kept: Arc<Kept>,
}

/// All documents in the order of the queue, and the one to go on with.
struct Order {
    documents: Vec<DocumentId>,
    next: Option<DocumentId>,
}

/// What each document asks, in the order of documents, and how many have to finish it.
type AllAsked = Vec<(DocumentId, Arc<(u64, Asked)>)>;

type Kept = ByDocument<(u64, Asked), MemberId>;

/// What a document asks of a reviewer.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asked {
    positions: DecisionCounts,
    decisions: DecisionCounts,
}

/// A reviewer, and what is known of the documents before them.
#[derive(Clone)]
struct Reviewer {
    member: MemberId,
    tallies: Arc<Tallies>,
    quorums: Arc<Quorums>,
    asked: Arc<AllAsked>,
    second: Vec<DocumentId>,
}

impl Reviewer {
    async fn load(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<Self> {
        let store = &services.store;
        let member = permit(store, actor, project, Action::Review).await?.member.id;
        let tallies = services.live.read(project).await?;
        let quorums = Quorums::load(services, project).await?;
        let second = store::review::second_reviews::of_reviewer(store, member).await?;
        let groups = groups::counted(services, project, &tallies, &quorums).await?;
        let question = (member, Arc::clone(&quorums));
        let kept = Arc::clone(&services.queues.kept);
        let count = move |tallies: &Tallies, (member, quorums): &(MemberId, Arc<Quorums>)| {
            asked(&kept, tallies, &groups, quorums, *member)
        };
        let asked = services.queues.all.find_or_count(&tallies, question, count).await?;
        Ok(Self { member, tallies, quorums, asked, second })
    }

    fn asked(&self, document: DocumentId) -> Asked {
        let place = self.asked.binary_search_by_key(&document, |(document, _)| *document).ok();
        place.and_then(|place| self.asked.get(place)).map(|(_, asked)| asked.1).unwrap_or_default()
    }

    fn state(&self, document: DocumentId) -> WorkState {
        let own = self.tallies.document(document).and_then(|work| work.get(&self.member));
        own.map_or(WorkState::Open, |own| own.state)
    }

    fn order(&self) -> Order {
        let mut documents: Vec<_> = self.tallies.all_documents().collect();
        documents.sort_by_cached_key(|document| self.doubt(*document));
        let next = documents.iter().copied().find(|document| self.is_waiting(*document));
        Order { documents, next }
    }

    /// Whether there is something to decide and the review is not ended.
    fn is_waiting(&self, document: DocumentId) -> bool {
        self.state(document) != WorkState::Submitted && self.asked(document).decisions.total() > 0
    }

    /// What the queue is ordered by: what is finished comes last, before it the most conflicts first, of
    /// labels or of boundaries, then the largest share of decisions in dispute, in thousandths, then what
    /// labelers have not finished.
    fn doubt(&self, document: DocumentId) -> (bool, Reverse<u64>, Reverse<u64>, bool) {
        let decisions = self.asked(document).decisions;
        let conflicts = decisions.conflict + decisions.boundaries;
        let disputed = 1_000 * (conflicts + decisions.one_sided);
        let has_finished =
            |work: &&Work| work.is_of_labeler() && work.state == WorkState::Submitted;
        let finished =
            self.tallies.document(document).map_or(0, |work| count(work.values(), has_finished));
        (
            self.state(document) == WorkState::Submitted,
            Reverse(conflicts),
            Reverse(disputed.checked_div(decisions.total()).unwrap_or_default()),
            finished >= self.quorums.of(document),
        )
    }

    fn page(&self, found: Page<DocumentCard>) -> Page<ReviewCard> {
        let Page { rows, total, number, size } = found;
        let rows = rows.into_iter().map(|document| self.card(document)).collect();
        Page { rows, total, number, size }
    }

    fn card(&self, document: DocumentCard) -> ReviewCard {
        let DocumentCard { id, name, assignments, .. } = document;
        let Asked { positions, decisions } = self.asked(id);
        ReviewCard {
            document: id,
            document_name: name,
            submitted: count(&assignments, |one| one.state == WorkState::Submitted),
            saved: count(&assignments, |one| one.state.has_work()),
            assigned: count(&assignments, |one| {
                one.state.has_work() || !one.flags.contains(&FlagKind::Skip)
            }),
            unanimous: positions.unanimous,
            conflict: positions.conflict,
            one_sided: positions.one_sided,
            waiting: positions.waiting,
            decided: positions.decided,
            decisions,
            state: self.state(id),
            second: self.second.contains(&id),
        }
    }
}

fn count<T>(items: impl IntoIterator<Item = T>, wanted: impl Fn(&T) -> bool) -> u64 {
    items.into_iter().map(|item| u64::from(wanted(&item))).sum()
}

/// What all documents with work in them ask of a reviewer.
fn asked(
    kept: &Kept,
    tallies: &Tallies,
    groups: &Groups,
    quorums: &Quorums,
    reviewer: MemberId,
) -> AllAsked {
    // The groups of a document follow from the work on it and from how many have to finish it.
    let holds = |document, (quorum, _): &(u64, _)| *quorum == quorums.of(document);
    kept.each(tallies, &reviewer, holds, |document, work| {
        let quorum = quorums.of(document);
        let first = |range| groups.first(domain::Position { document, range });
        let positions = positions(work, reviewer, quorum, first);
        let positions_and_decisions =
            Asked { positions: by_position(&positions), decisions: by_decision(&positions) };
        (quorum, positions_and_decisions)
    })
}

/// Positions by their standing, and how many have a decision.
fn by_position(positions: &[ReviewPosition]) -> DecisionCounts {
    let mut counts = DecisionCounts::default();
    for position in positions {
        counts.add(position.standing);
        counts.decided += u64::from(position.decision.is_some());
    }
    counts
}

/// The decisions that positions ask for.
fn by_decision(positions: &[ReviewPosition]) -> DecisionCounts {
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
        match position.group {
            Some(_) => counts.boundaries += 1,
            None => counts.add(position.standing),
        }
    }
    counts
}
