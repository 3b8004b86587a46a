//! From documents with spans to tallies, and from these to everything that a comparison shows: by
//! the very functions that the live matrix is made by.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc, time::Instant};

use chrono::DateTime;
use domain::{
    AgreementSnapshot, DisagreementQuery, DocumentId, Label, LabelId, LabelPart, LabelSet, Member,
    MemberId, NewLabel, PairView, PositionKind, ProjectId, Revision, Role, RoundId, Span, Switches,
    UserId, WorkState, base::text::tokens, saturating,
};
use formats::ImportedSpan;
use live::{AtOnce, LabelChoices, Narrowing, Tallies};
use store::agreement::ratings::{DocumentRatings, RatedAssignment};

use super::reading::Matched;
use crate::{
    agreement::{
        Pair, Seen,
        breakdowns::labels_at_once,
        disagreements::{Found, find},
        pair_view, several,
    },
    base::names::Names,
    document::reading::TimeLimit,
};

/// With more pairs than this, nobody reads each pair's table.
const MOST_PAIRS: usize = 45;

/// With more judgements times labels than this, labels are not taken apart on a server.
const QUICK: usize = 1_000_000;

/// A table with more categories than this is not read, nor are tables of more cells together.
const MOST_CATEGORIES: usize = 60;
const MOST_CELLS: usize = 20_000;

/// What nobody has in a database.
const NO_PROJECT: ProjectId = ProjectId(0);
const REVISION: Revision = Revision(0);

/// Documents, raters and labels with ids, and what is counted of them.
pub(super) struct Measured {
    /// By exact position, and by those of the policy if they are others.
    pub(super) tallies: Tallies,
    by_others: Option<Tallies>,
    pub(super) names: Names,
    pub(super) labels: Vec<Label>,
    choices: LabelChoices,
    /// Name and text of each document; the first has the id 1.
    pub(super) documents: Vec<(String, String)>,
    /// Documents that at least two raters have judged.
    pub(super) shared: usize,
    switches: Switches,
}

/// The numbers of a comparison.
pub(super) struct Numbers<'a> {
    pub(super) matrix: AgreementSnapshot,
    pub(super) label_parts: Vec<LabelPart>,
    pub(super) pairs: Vec<Pair<'a>>,
}

impl Measured {
    /// Counts what the raters marked, of as many documents as there is time for. Whoever has a
    /// document has judged all of it.
    pub(super) fn of(
        raters: &[String],
        documents: Vec<Matched>,
        switches: Switches,
        limit: &TimeLimit,
    ) -> Self {
        let names = Names::of(members(raters), false);
        let labels = labels_of(&documents);
        let ids: BTreeMap<&str, LabelId> =
            labels.iter().map(|label| (label.name.as_str(), label.id)).collect();
        let in_time = documents.iter().zip(1..).take_while(|_| !limit.is_over());
        let ratings = in_time.map(|(document, id)| DocumentRatings {
            document: DocumentId(id),
            round: RoundId(1),
            characters: domain::base::text::length(&document.text),
            assignments: document
                .work
                .iter()
                .map(|(place, spans)| assignment(*place, spans, &ids))
                .collect(),
            reviews: Vec::new(),
        });
        let tallies = Tallies::rebuild(REVISION, ratings.collect());
        let tokens_of =
            |(document, id): (&Matched, i64)| (DocumentId(id), tokens(&document.text).into());
        let by_others = match switches.policy.positions() {
            PositionKind::Exact => None,
            PositionKind::Tokens => {
                let tokens = documents.iter().zip(1..).map(tokens_of).collect();
                tallies.narrowed(Narrowing::of(switches), &Arc::new(tokens))
            }
            PositionKind::Overlapping => tallies.narrowed(Narrowing::of(switches), &Arc::default()),
        };
        Self {
            by_others,
            shared: documents.iter().filter(|document| document.work.len() > 1).count(),
            choices: LabelChoices::of(&labels, switches.filter),
            documents: documents.into_iter().map(|it| (it.name, it.text)).collect(),
            tallies,
            names,
            labels,
            switches,
        }
    }

    /// Everything that is measured; intervals that take longer than `until`, or than the limit, are
    /// left out.
    pub(super) fn numbers(&self, until: Option<Instant>, limit: &TimeLimit) -> Numbers<'_> {
        let Self { tallies: exact, names, switches, .. } = self;
        let tallies = self.by_others.as_ref().unwrap_or(exact);
        let takes_apart = until.is_none() || self.is_quick();
        let labels = &self.choices;
        let is_time = || until.is_none_or(|until| Instant::now() < until) && !limit.is_over();
        let question = AtOnce { switches: *switches, labels, is_time: &is_time, takes_apart };
        let seen =
            Seen { tallies, labels: &self.choices, question: &question, switches: *switches };
        let raters = names.raters();
        let pairs: Vec<_> = seen.pairs(raters).collect();
        let matrix = AgreementSnapshot {
            project: NO_PROJECT,
            revision: REVISION,
            switches: *switches,
            raters: raters.to_vec(),
            cells: pairs.iter().map(|(.., cell)| cell.clone()).collect(),
            pooled: seen.pooled(raters),
            several: several((&question, tallies, exact), raters, (*switches, &self.choices)),
            last_change: None,
        };
        let mut label_parts = if takes_apart {
            labels_at_once(tallies, *switches, &self.labels, raters)
        } else {
            Vec::new()
        };
        label_parts.sort_by(|a, b| lowest(a).total_cmp(&lowest(b)));
        Numbers { matrix, label_parts, pairs }
    }

    /// Whether labels can be taken apart while somebody waits: that takes room for each label on
    /// each position.
    fn is_quick(&self) -> bool {
        let positions = self.tallies.documents().flat_map(|(_, work)| work.values());
        let positions: usize = positions.map(|work| work.judgements.len()).sum();
        (positions + self.documents.len()).saturating_mul(self.labels.len()) <= QUICK
    }

    /// Each pair's table and formula, unless there are too many to read.
    pub(super) fn pair_views(&self, pairs: &[Pair<'_>]) -> Vec<PairView> {
        let sizes = pairs.iter().map(|(_, _, counted, _)| counted.tally.table.categories().len());
        let cells: usize = sizes.clone().map(|size| size * size).sum();
        let largest = sizes.max().unwrap_or(0);
        if pairs.len() > MOST_PAIRS || largest > MOST_CATEGORIES || cells > MOST_CELLS {
            return Vec::new();
        }
        let of = (NO_PROJECT, REVISION, self.switches);
        let view = |(first, second, counted, cell): &Pair<'_>| {
            let of_pair = (*first, *second, Cow::Borrowed(&**counted), cell.clone());
            pair_view(of, of_pair, &self.choices, &self.labels)
        };
        pairs.iter().map(view).collect()
    }

    /// All positions on which raters differ, in the order of documents and positions.
    pub(super) fn differing(&self) -> Vec<Found> {
        find(&self.tallies, DisagreementQuery::default())
    }

    /// The name and the text of a document.
    pub(super) fn document(&self, id: DocumentId) -> Option<&(String, String)> {
        self.documents.get(usize::try_from(id.0).ok()?.checked_sub(1)?)
    }
}

/// The raters as members of no project.
fn members(raters: &[String]) -> Vec<Member> {
    let member = |(name, id): (&String, i64)| Member {
        id: MemberId(id),
        user: UserId(id),
        name: name.clone(),
        email: String::new(),
        role: Role::Labeler,
        is_placeholder: false,
    };
    raters.iter().zip(1..).map(member).collect()
}

/// All labels that occur, by name.
fn labels_of(documents: &[Matched]) -> Vec<Label> {
    let mut names: Vec<&str> = documents
        .iter()
        .flat_map(|document| document.work.values().flatten())
        .map(|span| span.label.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    let label = |((index, name), id): ((usize, &str), i64)| {
        let NewLabel { name, colour, .. } = NewLabel::numbered(name, index);
        Label { id: LabelId(id), name, colour, hotkey: None }
    };
    names.into_iter().enumerate().zip(1..).map(label).collect()
}

fn assignment(
    place: usize,
    spans: &[ImportedSpan],
    labels: &BTreeMap<&str, LabelId>,
) -> RatedAssignment {
    let span = |span: &ImportedSpan| {
        let label = *labels.get(span.label.as_str())?;
        let start = u32::try_from(span.start).ok()?;
        Some(Span::new(start, u32::try_from(span.end).ok()?, label))
    };
    RatedAssignment {
        member: MemberId(saturating::<i64>(place).saturating_add(1)),
        state: WorkState::Submitted,
        saved_at: DateTime::UNIX_EPOCH,
        spans: spans.iter().filter_map(span).collect(),
        choices: Vec::new(),
    }
}

/// What labels are sorted by: those without a value come last.
fn lowest(part: &LabelPart) -> f64 {
    part.alpha.value().unwrap_or(f64::INFINITY)
}

/// The categories of a table by name.
pub(super) fn category(labels: &[Label], switches: Switches) -> impl Fn(&LabelSet) -> String {
    move |of| crate::agreement::category_name(of, labels, switches.filter)
}
