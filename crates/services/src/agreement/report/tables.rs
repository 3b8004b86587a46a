//! The tables of a report: heads and rows of text.

use std::collections::BTreeMap;

use domain::{
    AgreementSnapshot, Confidence, DocumentParts, Filter, Label, LabelParts, LabelSet, Measured,
    MemberId, PairCell, Rater, RoundPoint, TimeValue, TimeView,
};

use crate::agreement::{Pair, own::consistency::Themselves};

/// The heads of a table's columns, and its rows.
pub(crate) type Table = (Vec<String>, Vec<Vec<String>>);

pub(crate) fn heads<const N: usize>(heads: [&str; N]) -> Vec<String> {
    heads.map(str::to_owned).into()
}

pub(crate) fn value(measured: Measured) -> String {
    match measured {
        Measured::Value { value, .. } => format!("{value:.4}"),
        Measured::Undefined(reason) => format!("– ({})", reason.sentence()),
    }
}

pub(crate) fn interval(confidence: Confidence) -> String {
    match confidence {
        Confidence::Interval { lower, upper } => format!("{lower:.4} to {upper:.4}"),
        Confidence::Pending => "not computed yet".to_owned(),
        Confidence::None(reason) => format!("– ({})", reason.words()),
    }
}

fn name(raters: &[Rater], id: MemberId) -> String {
    let rater = raters.iter().find(|rater| rater.id == id);
    rater.map(|rater| rater.name.clone()).unwrap_or_default()
}

/// Every pair with value, interval and what it rests on, under these names.
pub(crate) fn pairs(snapshot: &AgreementSnapshot, raters: &[Rater]) -> Table {
    let row = |cell: &PairCell| {
        let coverage = cell.coverage;
        vec![
            format!("{} × {}", name(raters, cell.first), name(raters, cell.second)),
            value(cell.measured),
            interval(cell.confidence),
            cell.n.to_string(),
            format!("{} of {}", coverage.both, coverage.positions()),
            cell.documents.to_string(),
        ]
    };
    let head = ["Pair", "Value", "95 % interval", "n", "Both judged", "Documents"];
    (heads(head), snapshot.cells.iter().map(row).collect())
}

/// Each rater against all labelers and all reviewers, under these names.
pub(crate) fn pooled(snapshot: &AgreementSnapshot, raters: &[Rater]) -> Table {
    let row = |cell: &domain::PooledCell| {
        vec![
            name(raters, cell.rater),
            format!("all {}s", cell.with),
            value(cell.measured),
            cell.n.to_string(),
        ]
    };
    let head = ["Rater", "Against", "Value", "n"];
    (heads(head), snapshot.pooled.iter().map(row).collect())
}

/// Labelers against themselves, over documents that they submitted twice.
pub(crate) fn themselves(
    raters: &[Rater],
    repeats: &BTreeMap<MemberId, Themselves>,
) -> Option<Table> {
    let row = |rater: &Rater| {
        let part = repeats.get(&rater.id)?.part;
        Some(vec![
            rater.name.clone(),
            value(part.measured),
            interval(part.confidence),
            part.comparisons.to_string(),
            part.agreements.to_string(),
            part.coverage.positions().to_string(),
            part.documents.to_string(),
        ])
    };
    let rows: Vec<_> = raters.iter().filter_map(row).collect();
    let head = ["Labeler", "Value", "95 %", "n", "Same", "Labelled either time", "Documents"];
    (!rows.is_empty()).then(|| (heads(head), rows))
}

/// The measures of all labelers.
pub(crate) fn several(snapshot: &AgreementSnapshot) -> Table {
    let rows = snapshot.several.iter().flat_map(|several| {
        let line = |measure, (measured, confidence), n: u64, documents: u64| {
            let basis = [n.to_string(), documents.to_string()];
            [measure, value(measured), interval(confidence)].into_iter().chain(basis).collect()
        };
        let units = several
            .unitizing
            .map(|it| line("α_U".to_owned(), (it.measured, it.confidence), it.spans, it.documents));
        let rows = several.rows.iter().map(|it| {
            let value = (it.measured, it.confidence);
            line(it.measure.to_string(), value, several.n, several.documents)
        });
        let graded = several.graded.map(|it| {
            let value = (it.measured, it.confidence);
            line(it.measure.to_string(), value, it.n, several.documents)
        });
        rows.chain(graded).chain(units).collect::<Vec<_>>()
    });
    (heads(["Measure", "Value", "95 % interval", "n", "Documents"]), rows.collect())
}

/// Each label against everything else.
pub(crate) fn labels(parts: &LabelParts) -> Table {
    let rows = parts.rows.iter().map(|part| {
        let label = parts.labels.iter().find(|label| label.id == part.label);
        vec![
            label.map(|label| label.name.clone()).unwrap_or_default(),
            value(part.alpha),
            interval(part.confidence),
            value(part.fleiss),
            part.positive.map_or_else(|| "–".to_owned(), |positive| format!("{positive:.4}")),
            part.positions.to_string(),
            part.disputed.to_string(),
        ]
    });
    let head =
        ["Label", "α", "95 % interval", "Fleiss’ κ", "Given again", "Positions", "In dispute"];
    (heads(head), rows.collect())
}

/// The first page of the documents.
pub(crate) fn documents(parts: &DocumentParts) -> Table {
    let rows = parts.page.rows.iter().map(|part| {
        vec![
            part.name.clone(),
            value(part.percent),
            value(part.alpha),
            part.positions.to_string(),
            part.disputed.to_string(),
            part.decided.to_string(),
        ]
    });
    let head = ["Document", "Percentage", "α", "Positions", "In dispute", "Of these decided"];
    (heads(head), rows.collect())
}

fn at(time: TimeValue) -> [String; 4] {
    [
        value(time.measured),
        interval(time.confidence),
        time.n.to_string(),
        time.documents.to_string(),
    ]
}

/// Agreement by round.
pub(crate) fn rounds(view: &TimeView) -> Table {
    let rows = view.rounds.iter().map(|point| {
        let guidelines = point.round.guidelines_version.to_string();
        [point.round.name(), guidelines].into_iter().chain(at(point.value)).collect()
    });
    (heads(["Round", "Guidelines", "α", "95 % interval", "n", "Documents"]), rows.collect())
}

/// Agreement by day.
pub(crate) fn days(view: &TimeView) -> Table {
    let rows = view
        .days
        .iter()
        .map(|day| std::iter::once(day.day.to_string()).chain(at(day.of_day)).collect());
    (heads(["Day", "α", "95 % interval", "n", "Documents"]), rows.collect())
}

/// Every cell of every pair's table that counts something.
pub(crate) fn counts(pairs: &[Pair<'_>], name: impl Fn(&LabelSet) -> String) -> Table {
    let rows = pairs.iter().flat_map(|(first, second, counted, _)| {
        counted.tally.table.cells().map(|(one, other, count)| {
            vec![
                format!("{} × {}", first.name, second.name),
                name(one),
                name(other),
                count.to_string(),
            ]
        })
    });
    (heads(["Pair", "First said", "Second said", "Positions"]), rows.collect())
}

/// What the numbers are of.
pub(crate) fn filter(
    filter: Filter,
    question: Option<&str>,
    labels: &[Label],
    rounds: &[RoundPoint],
) -> String {
    let label = filter.label.and_then(|id| labels.iter().find(|label| label.id == id));
    let round = filter.round.and_then(|id| rounds.iter().find(|point| point.round.id == id));
    let parts = [
        question.map(|question| format!("what was chosen of {question}")),
        label.map(|label| format!("{} against everything else", label.name)),
        round.map(|point| point.round.name()),
        filter.document.map(|id| format!("document {id}")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "nothing: everything counts".to_owned() } else { parts.join(", ") }
}
