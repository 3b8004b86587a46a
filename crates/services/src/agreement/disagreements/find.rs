//! Finds the positions on which raters differ. Pure.

use std::{cmp::Reverse, collections::BTreeSet};

use chrono::{DateTime, Utc};
use domain::{
    DisagreementFilter, DisagreementKind, DisagreementOrder, DisagreementQuery, DocumentId,
    Documents, Judgement, LabelSet, MemberId, ProjectId, Range, Role, WorkState,
};
use live::{DocumentWork, Tallies, Work};

use crate::agreement::{breakdowns::ByDocument, latest_decision};

/// A position on which raters differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) document: DocumentId,
    pub(crate) range: Range,
    pub(crate) kind: DisagreementKind,
    pub(crate) decided_at: Option<DateTime<Utc>>,
}

/// What was found in each document of a project, for as long as the work on it stays the same.
pub(super) type Kept = ByDocument<Vec<Found>, (ProjectId, DisagreementFilter)>;

/// The same as [`find`], where most documents of the project are as they were.
pub(super) fn find_kept(
    kept: &Kept,
    (project, tallies): (ProjectId, &Tallies),
    query: DisagreementQuery,
) -> Vec<Found> {
    if query.filter.document.is_some() || query.filter.round.is_some() {
        return find(tallies, query);
    }
    let search = |id, work: &DocumentWork| find_in_document(id, work, &query.filter);
    let by_document = kept.each(tallies, &(project, query.filter), |_, _| true, search);
    let found = by_document.iter().flat_map(|(_, found)| found.iter().cloned());
    in_order(found.collect(), query)
}

/// All positions that the query asks for, in its order.
pub(crate) fn find(tallies: &Tallies, query: DisagreementQuery) -> Vec<Found> {
    let found = tallies
        .documents()
        .filter(|(id, _)| query.filter.document.is_none_or(|wanted| wanted == *id))
        .filter(|(id, _)| {
            query.filter.round.is_none_or(|wanted| tallies.round(*id) == Some(wanted))
        })
        .flat_map(|(id, work)| find_in_document(id, work, &query.filter));
    in_order(found.collect(), query)
}

fn in_order(mut found: Vec<Found>, query: DisagreementQuery) -> Vec<Found> {
    // Documents come in their order already, positions within them too, and sorting keeps it
    // among equals.
    match (query.order, query.descending) {
        (DisagreementOrder::Document, false) => {}
        (DisagreementOrder::Document, true) => found.reverse(),
        (DisagreementOrder::Kind, false) => found.sort_by_key(|found| found.kind),
        (DisagreementOrder::Kind, true) => found.sort_by_key(|found| Reverse(found.kind)),
        (DisagreementOrder::Decided, false) => found.sort_by_key(|found| found.decided_at),
        (DisagreementOrder::Decided, true) => {
            found.sort_by_key(|found| Reverse(found.decided_at));
        }
    }
    found
}

/// What a rater has on a position; `None` for somebody who does not take part in the document.
pub(crate) fn judgement(work: Option<&Work>, range: Range, documents: Documents) -> Judgement {
    match work.filter(|work| work.counts(documents)) {
        None => Judgement::NotJudged,
        Some(work) => match work.judgements.get(&range) {
            Some(labels) => Judgement::Labels(labels.clone()),
            None if absence_judges(work) => Judgement::Nothing,
            None => Judgement::NotJudged,
        },
    }
}

/// Whether having nothing on a position says something: a labeler reads the whole document, a
/// reviewer decides position by position until the review ends.
fn absence_judges(work: &Work) -> bool {
    work.role == Role::Labeler || work.state == WorkState::Submitted
}

fn find_in_document(
    document: DocumentId,
    work: &DocumentWork,
    filter: &DisagreementFilter,
) -> Vec<Found> {
    let wanted = |id: MemberId| match (filter.first, filter.second) {
        (None, None) => true,
        (first, second) => first == Some(id) || second == Some(id),
    };
    let raters: Vec<(MemberId, &Work)> = work
        .iter()
        .filter(|(id, work)| wanted(**id) && work.counts(filter.documents))
        .map(|(id, work)| (*id, work))
        .collect();
    let everybody_asked_for_is_here = [filter.first, filter.second]
        .into_iter()
        .flatten()
        .all(|id| raters.iter().any(|(here, _)| *here == id));
    if !everybody_asked_for_is_here {
        return Vec::new();
    }
    let ranges: BTreeSet<Range> =
        raters.iter().flat_map(|(_, work)| work.judgements.keys()).copied().collect();
    let reaches: Vec<Reach> = raters.iter().map(|(_, work)| Reach::of(work)).collect();
    ranges
        .into_iter()
        .filter_map(|range| {
            let kind = kind_of(&raters, range, |place, _| {
                reaches.get(place).is_some_and(|reach| reach.touches(range))
            })?;
            let decided_at = latest_decision(work, range).map(|decision| decision.at);
            let label_fits = filter.label.is_none_or(|label| {
                raters.iter().any(|(_, work)| {
                    work.judgements.get(&range).is_some_and(|labels| labels.contains(label))
                })
            });
            let fits = label_fits
                && filter.kind.is_none_or(|wanted| wanted == kind)
                && filter.decided.is_none_or(|wanted| wanted == decided_at.is_some());
            fits.then_some(Found { document, range, kind, decided_at })
        })
        .collect()
}

/// In what way all raters of a document differ on a position; `None` if they do not.
pub(crate) fn kind_among_all(
    work: &DocumentWork,
    range: Range,
    documents: Documents,
) -> Option<DisagreementKind> {
    let raters: Vec<_> = work
        .iter()
        .filter(|(_, work)| work.counts(documents))
        .map(|(id, work)| (*id, work))
        .collect();
    kind_of(&raters, range, |_, work| {
        work.judgements.iter().any(|(other, labels)| !labels.is_empty() && other.overlaps(range))
    })
}

/// How far a rater's marks reach: tells at once whether one of them overlaps a range, however many
/// there are.
struct Reach(Vec<(u32, u32)>);

impl Reach {
    /// Where each span starts, in order, and how far this one and all before it reach.
    fn of(work: &Work) -> Self {
        let labelled = work.judgements.iter().filter(|(_, labels)| !labels.is_empty());
        let reach = labelled.scan(0, |furthest, (range, _)| {
            *furthest = range.end.max(*furthest);
            Some((range.start, *furthest))
        });
        Self(reach.collect())
    }

    fn touches(&self, range: Range) -> bool {
        let before_its_end = self.0.partition_point(|(start, _)| *start < range.end);
        let last = before_its_end.checked_sub(1).and_then(|last| self.0.get(last));
        last.is_some_and(|(_, furthest)| *furthest > range.start)
    }
}

/// In what way the raters differ on a position; `None` if they do not. `near` says whether a rater,
/// given by their place and work, has marked something that overlaps it.
fn kind_of(
    raters: &[(MemberId, &Work)],
    range: Range,
    near: impl Fn(usize, &Work) -> bool,
) -> Option<DisagreementKind> {
    let judged: BTreeSet<&LabelSet> =
        raters.iter().filter_map(|(_, work)| work.judgements.get(&range)).collect();
    if judged.len() > 1 {
        return Some(DisagreementKind::Label);
    }
    let absent = || {
        raters
            .iter()
            .enumerate()
            .filter(|(_, (_, work))| !work.judgements.contains_key(&range) && absence_judges(work))
    };
    // A reject where nobody marks anything (any more) is no disagreement.
    let only_rejected = judged.first().is_none_or(|labels| labels.is_empty());
    if only_rejected || absent().next().is_none() {
        return None;
    }
    if absent().any(|(place, (_, work))| near(place, work)) {
        Some(DisagreementKind::Boundary)
    } else {
        Some(DisagreementKind::OneSided)
    }
}
