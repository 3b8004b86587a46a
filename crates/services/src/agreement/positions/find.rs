//! Finds the positions that a count on an agreement page counts. Pure.

use domain::{
    DocumentId, LabelSet, Measure, MemberId, PositionOutcome, PositionQuery, Range, Role, Whose,
    saturating,
};
use live::{
    Comparison, NOTHING, Tallies, comparisons, items, labelers_counted, pair_documents, unjudged,
};

use crate::agreement::diagnostics::boundaries::{Group, groups};

/// A row of the positions list, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundPosition {
    pub(crate) document: DocumentId,
    pub(crate) range: Range,
    pub(crate) of: Of,
}

/// What a row is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// A position as two raters judged it.
    Two(MemberId, MemberId),
    /// A position as all labelers who did judged it.
    Labelers,
    /// Spans of two raters that overlap and are one position, each where its rater has it.
    Apart([(MemberId, Range); 2]),
    /// Marks of two raters that overlap.
    Group(MemberId, MemberId, Box<Group>),
}

/// What a query finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundPositions {
    pub(crate) listed: Vec<FoundPosition>,
    /// Tokens that nobody judged: they are counted, and no rows.
    pub(crate) unlisted: u64,
}

impl FoundPositions {
    fn join(&mut self, other: Self) {
        self.listed.extend(other.listed);
        self.unlisted += other.unlisted;
    }
}

/// Everything that the query asks for, by document and position. `raters` are those of the
/// project, with their roles.
pub(crate) fn find(
    tallies: &Tallies,
    query: &PositionQuery,
    raters: &[(MemberId, Role)],
) -> FoundPositions {
    match (query.whose, query.boundary) {
        (Whose::Pair(first, second), Some(_)) => {
            FoundPositions { listed: of_groups(tallies, query, (first, second)), unlisted: 0 }
        }
        (_, Some(_)) => FoundPositions::default(),
        (Whose::Pair(first, second), None) => of_pair(tallies, query, (first, second)),
        (Whose::Pooled(rater, role), None) => {
            let others = raters.iter().filter(|(id, of)| *of == role && *id != rater);
            let mut found = FoundPositions::default();
            for (other, _) in others {
                found.join(of_pair(tallies, query, (rater, *other)));
            }
            found.listed.sort_by_key(|found| (found.document, found.range));
            found
        }
        (Whose::Labelers, None) => of_labelers(tallies, query),
    }
}

fn of_pair(
    tallies: &Tallies,
    query: &PositionQuery,
    (first, second): (MemberId, MemberId),
) -> FoundPositions {
    let mut found = FoundPositions::default();
    let documents = pair_documents(tallies, first, second, query.switches);
    for (document, ours, theirs) in documents.filter(|(document, ..)| wants(query, *document)) {
        let counting = tallies.counting(document);
        let judged = comparisons(ours, theirs, counting);
        let range = Range::default();
        let unjudged = Comparison { range, first: None, second: None, apart: None };
        if fits_two(query, unjudged) {
            found.unlisted += counting.unjudged(saturating(judged.len()));
        }
        let fitting = judged.into_iter().filter(|comparison| fits_two(query, *comparison));
        found.listed.extend(fitting.map(|Comparison { range, apart, .. }| {
            let of = match apart {
                None => Of::Two(first, second),
                Some((one, other)) => Of::Apart([(first, one), (second, other)]),
            };
            FoundPosition { document, range, of }
        }));
    }
    found
}

fn of_groups(
    tallies: &Tallies,
    query: &PositionQuery,
    (first, second): (MemberId, MemberId),
) -> Vec<FoundPosition> {
    pair_documents(tallies, first, second, query.switches)
        .filter(|(document, ..)| wants(query, *document))
        .flat_map(|(document, ours, theirs)| {
            groups(ours, theirs)
                .into_iter()
                .filter(|group| {
                    Some(group.boundary) == query.boundary
                        && match query.outcome {
                            PositionOutcome::Agree => group.same_labels,
                            PositionOutcome::Differ => !group.same_labels,
                            _ => true,
                        }
                })
                .map(move |group| FoundPosition {
                    document,
                    range: group.range(),
                    of: Of::Group(first, second, Box::new(group)),
                })
        })
        .collect()
}

fn of_labelers(tallies: &Tallies, query: &PositionQuery) -> FoundPositions {
    let mut found = FoundPositions::default();
    for (document, work) in tallies.documents().filter(|(document, _)| wants(query, *document)) {
        let labelers = labelers_counted(work, query.switches);
        if fits_labelers(query, &vec![&NOTHING; labelers.len()]) {
            found.unlisted += unjudged(&labelers, tallies.counting(document));
        }
        let fitting = items(&labelers, query.switches.policy).filter(|(_, judgements)| {
            let said: Vec<_> = judgements.iter().map(|(_, labels)| *labels).collect();
            fits_labelers(query, &said)
        });
        let position = |(range, _)| FoundPosition { document, range, of: Of::Labelers };
        found.listed.extend(fitting.map(position));
    }
    found
}

fn wants(query: &PositionQuery, document: DocumentId) -> bool {
    query.document.is_none_or(|wanted| wanted == document)
}

fn fits_two(query: &PositionQuery, comparison: Comparison<'_>) -> bool {
    let judged = (comparison.first.is_some(), comparison.second.is_some());
    // Who judged a position does not depend on the policy, which may leave it out of the table.
    let by_judging = match (query.label, query.outcome) {
        (None, PositionOutcome::Both) => Some((true, true)),
        (None, PositionOutcome::OnlyFirst) => Some((true, false)),
        (None, PositionOutcome::OnlySecond) => Some((false, true)),
        _ => None,
    };
    if let Some(wanted) = by_judging {
        return judged == wanted;
    }
    let Some((first, second)) = comparison.cell(query.switches) else { return false };
    let says = |wanted: &Option<LabelSet>, labels| wanted.as_ref().is_none_or(|w| w == labels);
    if !says(&query.said, first) || !says(&query.against, second) {
        return false;
    }
    if let Some(label) = query.label {
        let gave = (first.contains(label), second.contains(label));
        return match query.outcome {
            PositionOutcome::Any => gave != (false, false),
            PositionOutcome::Agree | PositionOutcome::Both => gave == (true, true),
            PositionOutcome::Differ => gave.0 != gave.1,
            PositionOutcome::OnlyFirst => gave == (true, false),
            PositionOutcome::OnlySecond => gave == (false, true),
            PositionOutcome::Neither => gave == (false, false),
        };
    }
    // F1 counts spans: that both have none is no agreement, unless it is asked for by name.
    let no_span = first.is_empty() && second.is_empty();
    if no_span
        && query.switches.measure == Measure::F1
        && query.said.is_none()
        && query.against.is_none()
    {
        return false;
    }
    match query.outcome {
        PositionOutcome::Agree => first == second,
        PositionOutcome::Differ => first != second,
        PositionOutcome::Neither => false,
        _ => true,
    }
}

fn fits_labelers(query: &PositionQuery, judgements: &[&LabelSet]) -> bool {
    let somebody = |wanted: &Option<LabelSet>| {
        wanted.as_ref().is_none_or(|wanted| judgements.contains(&wanted))
    };
    if !somebody(&query.said) || !somebody(&query.against) {
        return false;
    }
    let (all, any) = match query.label {
        Some(label) => (
            judgements.iter().all(|labels| labels.contains(label)),
            judgements.iter().any(|labels| labels.contains(label)),
        ),
        None => (judgements.windows(2).all(|two| two.first() == two.last()), true),
    };
    match query.outcome {
        PositionOutcome::Any | PositionOutcome::Both => any,
        PositionOutcome::Agree => all,
        PositionOutcome::Differ => any && !all,
        PositionOutcome::Neither => !any,
        PositionOutcome::OnlyFirst | PositionOutcome::OnlySecond => false,
    }
}
