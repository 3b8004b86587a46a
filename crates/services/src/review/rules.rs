//! Accepting by rule: one previewed act over any number of documents, through the same change as
//! every other decision, undone as a whole.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    AcceptPreview, AcceptRule, ActId, Actor, AuditEvent, Decision, DocumentId, LabelSet,
    MOST_BY_RULE, MemberId, Position, ProjectId, Range, Sorting, Standing, Verdict, WorkState,
    base::policy::Action, saturating,
};
use live::{DocumentWork, Tallies};
use sha2::{Digest, Sha256};

use super::{
    DocumentChange, ReviewChange, Validate, decide_at_once,
    groups::DocumentGroups,
    quorum::{Quorums, standing},
};
use crate::{
    Error, Result, Services,
    base::{
        access::permit,
        change::check_seen,
        sorting::{PAGE_SIZE, page},
    },
    review::{gold::submitted, walk::summary},
    work::saving::to_the_end,
};

/// What a rule finds: positions with what would be decided, in order, and the documents that are
/// left out because their review has ended.
struct Found {
    accepted: Vec<(Position, LabelSet)>,
    ended: u64,
    /// Documents in which nothing is unanimous yet, since labelers are still to finish them.
    waiting: u64,
}

impl Found {
    fn of(tallies: &Tallies, quorums: &Quorums, reviewer: MemberId, rule: AcceptRule) -> Self {
        let mut found = Self { accepted: Vec::new(), ended: 0, waiting: 0 };
        for (document, work) in tallies.documents() {
            let own = work.get(&reviewer);
            let quorum = quorums.of(document);
            let is_waiting = rule.at_least.is_none() && count(submitted(work).len()) < quorum;
            found.waiting += u64::from(is_waiting);
            let accepted = accepted(work, rule, quorum)
                .filter(|(range, _)| own.is_none_or(|own| !own.verdicts.contains_key(range)));
            let accepted = accepted
                .map(|(range, labels)| (Position { document, range }, labels))
                .collect::<Vec<_>>();
            if own.is_some_and(|own| own.state == WorkState::Submitted) {
                found.ended += u64::from(!accepted.is_empty());
            } else {
                found.accepted.extend(accepted);
            }
        }
        found
    }

    /// As many as one act decides.
    fn decided(&self) -> &[(Position, LabelSet)] {
        self.accepted.get(..MOST_BY_RULE).unwrap_or(&self.accepted)
    }

    /// Stands for exactly these decisions.
    fn seen(&self) -> String {
        let mut hasher = Sha256::new();
        for (position, labels) in self.decided() {
            hasher.update(format!("{position}={labels};"));
        }
        format!("{:x}", hasher.finalize())
    }
}

/// The positions of a document that a rule accepts, whoever has decided on them. Of positions that differ
/// in their boundaries, one that as many labelers have as another is not accepted; what is not accepted is
/// left to a reviewer.
fn accepted(
    work: &DocumentWork,
    rule: AcceptRule,
    quorum: u64,
) -> impl Iterator<Item = (Range, LabelSet)> {
    let submitted = submitted(work);
    let mut given: BTreeMap<Range, BTreeMap<&LabelSet, u64>> = BTreeMap::new();
    for (_, labeler) in &submitted {
        for (range, labels) in &labeler.judgements {
            *given.entry(*range).or_default().entry(labels).or_default() += 1;
        }
    }
    let groups = DocumentGroups::of(work, quorum);
    let most_have =
        |range: &Range| given.get(range).and_then(|given| given.values().max().copied());
    let is_ahead = |range: Range, most: u64| {
        let others = groups.group(range).into_iter().flatten();
        let mut others = others.filter(|other| **other != range && other.overlaps(range));
        others.all(|other| most_have(other).is_none_or(|others| others < most))
    };
    let is_agreed = |range, most| match rule.at_least {
        None => {
            let labelers = submitted.iter().map(|(_, work)| *work);
            standing(labelers, range, quorum) == Standing::Unanimous
        }
        Some(least) => most >= u64::from(least) && is_ahead(range, most),
    };
    let chosen = |(range, given): (&Range, &BTreeMap<&LabelSet, u64>)| {
        let (labels, most) = given.iter().max_by_key(|(_, n)| **n)?;
        let is_alone = given.values().filter(|n| *n == most).count() == 1;
        let is_wanted = rule.label.is_none_or(|label| **labels == LabelSet::one(label));
        (is_agreed(*range, *most) && is_alone && is_wanted).then(|| (*range, (*labels).clone()))
    };
    given.iter().filter_map(chosen).collect::<Vec<_>>().into_iter()
}

/// Finds on a thread that may block.
async fn find(
    services: &Services,
    project: ProjectId,
    tallies: &Arc<Tallies>,
    reviewer: MemberId,
    rule: AcceptRule,
) -> Result<Found> {
    let quorums = Quorums::load(services, project).await?;
    let tallies = Arc::clone(tallies);
    let found = tokio::task::spawn_blocking(move || Found::of(&tallies, &quorums, reviewer, rule));
    found.await.map_err(Error::broken)
}

fn count(n: usize) -> u64 {
    saturating::<u64>(n)
}

/// What a rule would decide, a page of the documents in which it would.
pub async fn preview(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    rule: AcceptRule,
    number: u64,
    act: Option<ActId>,
) -> Result<AcceptPreview> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::Review).await?;
    let rule = rule.checked()?;
    let labels = store::project::labels::list(store, project).await?;
    let names: BTreeMap<_, _> = store::document::names(store, project).await?.into_iter().collect();
    let tallies = services.live.read(project).await?;
    let found = find(services, project, &tallies, access.member.id, rule).await?;
    let mut sets: BTreeMap<&LabelSet, u64> = BTreeMap::new();
    let mut documents: BTreeMap<DocumentId, u64> = BTreeMap::new();
    for (position, labels) in found.decided() {
        *sets.entry(labels).or_default() += 1;
        *documents.entry(position.document).or_default() += 1;
    }
    let mut sets: Vec<_> = sets.into_iter().map(|(set, n)| (set.clone(), n)).collect();
    sets.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let rows: Vec<_> = documents
        .into_iter()
        .map(|(document, n)| (document, names.get(&document).cloned().unwrap_or_default(), n))
        .collect();
    let act = match act {
        Some(act) => summary(services, project, &access, act, None).await?,
        None => None,
    };
    Ok(AcceptPreview {
        revision: tallies.revision,
        rule,
        labels,
        positions: count(found.decided().len()),
        found: count(found.accepted.len()),
        sets,
        documents: page(rows, &Sorting { order: (), descending: false, page: number }, PAGE_SIZE),
        ended: found.ended,
        waiting: found.waiting,
        seen: found.seen(),
        act,
    })
}

/// Accepts what was previewed, all of it or nothing; none if there was nothing.
pub async fn accept(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    rule: AcceptRule,
    seen: String,
) -> Result<Option<ActId>> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let store = &services.store;
        let access = permit(store, &actor, project, Action::Review).await?;
        let rule = rule.checked()?;
        let now = services.clock.now();
        let lock = services.live.lock_project(project).await;
        let tallies = services.live.read(project).await?;
        let found = find(&services, project, &tallies, access.member.id, rule).await?;
        check_seen(&found.seen(), &seen, MOVED_ON)?;
        if found.decided().is_empty() {
            return Ok(None);
        }
        let mut documents: BTreeMap<DocumentId, DocumentChange> = BTreeMap::new();
        for (Position { document, range }, labels) in found.decided() {
            let decision = Decision {
                range: *range,
                verdict: Verdict::Accept,
                labels: labels.clone(),
                decided_at: now,
                note: rule.reason(),
                answers: BTreeSet::new(),
            };
            documents
                .entry(*document)
                .or_insert_with(|| DocumentChange::new(*document, None))
                .changes
                .push((*range, Some(decision)));
        }
        let change = ReviewChange {
            project,
            event: AuditEvent::AcceptByRule,
            transition: WorkState::saved,
            documents: documents.into_values().collect(),
            validate: Validate::AgainstSpans,
            now,
        };
        let positions = found.decided().iter().map(|(position, _)| *position);
        decide_at_once(&services, lock, &access, change, positions, MOVED_ON).await.map(Some)
    })
    .await
}

const MOVED_ON: &str =
    "the work has changed since the preview, so nothing was decided; check it again";

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};
    use domain::{LabelId, Span};
    use live::Work;

    use super::*;

    const PER: LabelId = LabelId(1);
    const ORG: LabelId = LabelId(2);

    fn work(labelers: &[&[(u32, LabelId)]]) -> DocumentWork {
        let assignment = |labelled: &&[(u32, LabelId)]| {
            let spans = labelled.iter().map(|(at, label)| Span::new(*at, at + 1, *label));
            Work::of_labeler(WorkState::Submitted, DateTime::<Utc>::UNIX_EPOCH, spans)
        };
        (1..).map(MemberId).zip(labelers.iter().map(assignment)).collect()
    }

    fn starts(work: &DocumentWork, at_least: Option<u32>, label: Option<LabelId>) -> Vec<u32> {
        accepted(work, AcceptRule { at_least, label }, 2).map(|(range, _)| range.start).collect()
    }

    #[test]
    fn unanimous_is_everybody_who_is_to_finish_and_at_least_two() {
        let three =
            work(&[&[(0, PER), (2, PER), (4, ORG)], &[(0, PER), (2, PER)], &[(0, PER), (2, ORG)]]);
        assert_eq!(starts(&three, None, None), [0]);
        assert_eq!(starts(&three, Some(2), None), [0, 2]);
        assert_eq!(starts(&three, Some(3), None), [0]);
        assert!(starts(&work(&[&[(0, PER)]]), None, None).is_empty());
        assert_eq!(
            accepted(&three, AcceptRule::default(), 4).count(),
            0,
            "a fourth is still at it"
        );
    }

    #[test]
    fn of_two_that_as_many_say_neither_is_accepted() {
        let tied = work(&[&[(0, PER)], &[(0, PER)], &[(0, ORG)], &[(0, ORG)], &[]]);
        assert!(starts(&tied, Some(2), None).is_empty());
    }

    #[test]
    fn of_two_boundaries_only_the_one_that_more_have_is_accepted() {
        let spans = |ends: &[u32]| -> DocumentWork {
            let one = |end: &u32| {
                let span = Span::new(0, *end, PER);
                Work::of_labeler(WorkState::Submitted, DateTime::<Utc>::UNIX_EPOCH, [span])
            };
            (1..).map(MemberId).zip(ends.iter().map(one)).collect()
        };
        let rule = AcceptRule { at_least: Some(2), label: None };
        let ends = |work: &DocumentWork| -> Vec<u32> {
            let quorum = u64::try_from(work.len()).unwrap();
            accepted(work, rule, quorum).map(|(range, _)| range.end).collect()
        };
        assert!(ends(&spans(&[6, 6, 25, 25])).is_empty());
        assert_eq!(ends(&spans(&[6, 6, 6, 25, 25])), [6]);
        assert_eq!(ends(&spans(&[6, 6])), [6]);
    }

    #[test]
    fn a_rule_for_one_label_leaves_the_others_alone() {
        let both = work(&[
            &[(0, PER), (2, ORG), (4, PER), (4, ORG)],
            &[(0, PER), (2, ORG), (4, PER), (4, ORG)],
        ]);
        assert_eq!(starts(&both, None, Some(ORG)), [2]);
        assert_eq!(starts(&both, None, None), [0, 2, 4]);
    }
}
