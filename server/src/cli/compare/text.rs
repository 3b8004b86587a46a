//! A comparison as text: what was understood, who agrees with whom, on what they differ.

use std::{collections::BTreeSet, fmt::Write};

use domain::{
    Comparison, Confidence, Disagreement, Judgement, Label, LabelSet, Measured, MemberId,
    RaterFiles,
};

use crate::cli::base::output::table;

/// How many positions are shown; `--list` has all.
const SHOWN: usize = 20;

/// How much of a position's text is shown, in characters.
const QUOTE: usize = 40;

/// The comparison, without a line end after it.
pub(super) fn written(view: &Comparison) -> String {
    let mut out = String::new();
    // What somebody has to know before they believe a number.
    for note in &view.notes {
        line(&mut out, format_args!("! {note}"));
    }
    section(&mut out, &format!("Raters, names: {}", view.raters_from), &raters(view));
    let switches = view.matrix.switches;
    let title = format!("Pairs: {}, {}", switches.measure, switches.policy);
    section(&mut out, &title, &pairs(view));
    if let Some(several) = several(view) {
        section(&mut out, "All raters at once", &several);
    }
    section(&mut out, "Labels, each against everything else", &labels(view));
    let total = view.disagreements.page.total;
    section(&mut out, &format!("Differences: {total}"), &differences(view));
    out.trim_end().to_owned()
}

fn section(out: &mut String, title: &str, body: &str) {
    if !body.is_empty() {
        line(out, format_args!("{title}\n{body}\n"));
    }
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn raters(view: &Comparison) -> String {
    let row = |rater: &RaterFiles| {
        let (documents, spans) = (count(rater.documents, "document"), count(rater.spans, "span"));
        [rater.name.clone(), documents, spans, format!("← {}", rater.in_words())]
    };
    let rows: Vec<[String; 4]> = view.understood.iter().map(row).collect();
    let formats: BTreeSet<&str> = view.files.iter().map(|file| file.format.as_str()).collect();
    format!(
        "{}\n  {} different documents, {} of two raters or more; {}: {}",
        columns(&rows),
        view.documents,
        view.shared,
        domain::count(view.files.len(), "file"),
        Vec::from_iter(formats).join(", ")
    )
}

fn count(n: u64, noun: &str) -> String {
    domain::count(usize::try_from(n).unwrap_or(usize::MAX), noun)
}

fn pairs(view: &Comparison) -> String {
    let name = |id: MemberId| {
        let rater = view.matrix.raters.iter().find(|rater| rater.id == id);
        rater.map_or("", |rater| rater.name.as_str())
    };
    let mut rows =
        vec![["pair", "value", "95 %", "n", "both judged", "documents"].map(str::to_owned)];
    rows.extend(view.matrix.cells.iter().map(|cell| {
        [
            format!("{} × {}", name(cell.first), name(cell.second)),
            value(cell.measured),
            interval(cell.confidence),
            cell.n.to_string(),
            format!("{} of {}", cell.coverage.both, cell.coverage.positions()),
            cell.documents.to_string(),
        ]
    }));
    columns(&rows)
}

fn several(view: &Comparison) -> Option<String> {
    let several = view.matrix.several.as_ref()?;
    let mut rows = vec![["measure", "value", "95 %", "n"].map(str::to_owned)];
    rows.extend(several.rows.iter().map(|row| {
        let n = several.n.to_string();
        [row.measure.to_string(), value(row.measured), interval(row.confidence), n]
    }));
    if let Some(units) = several.unitizing {
        let n = format!("{} spans", units.spans);
        rows.push(["alpha-u".to_owned(), value(units.measured), interval(units.confidence), n]);
    }
    Some(columns(&rows))
}

fn labels(view: &Comparison) -> String {
    if view.label_parts.is_empty() {
        return String::new();
    }
    let mut rows = vec![["label", "alpha", "95 %", "positions", "in dispute"].map(str::to_owned)];
    rows.extend(view.label_parts.iter().map(|part| {
        [
            names(&LabelSet::one(part.label), &view.labels),
            value(part.alpha),
            interval(part.confidence),
            part.positions.to_string(),
            part.disputed.to_string(),
        ]
    }));
    columns(&rows)
}

fn differences(view: &Comparison) -> String {
    let page = &view.disagreements.page;
    let shown = page.rows.iter().take(SHOWN);
    let rows: Vec<[String; 5]> = shown.map(|row| difference(view, row)).collect();
    let more = page.total.saturating_sub(u64::try_from(rows.len()).unwrap_or(0));
    let list = columns(&rows);
    if more > 0 { format!("{list}\n  … and {more} more: --list FILE has them all") } else { list }
}

fn difference(view: &Comparison, row: &Disagreement) -> [String; 5] {
    let raters = view.disagreements.raters.iter().zip(&row.judgements);
    let said = raters.filter_map(|(rater, judgement)| {
        let said = match judgement {
            Judgement::NotJudged => return None,
            Judgement::Nothing => "nothing".to_owned(),
            Judgement::Labels(set) => names(set, &view.labels),
        };
        Some(format!("{}: {said}", rater.name))
    });
    [
        row.document_name.clone(),
        format!("{}–{}", row.range.start, row.range.end),
        row.kind.to_string(),
        format!("“{}”", shortened(&row.quote)),
        said.collect::<Vec<_>>().join(", "),
    ]
}

/// The beginning of a text, on one line.
fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(QUOTE).collect();
    if text.chars().nth(QUOTE).is_some() {
        shown.push('…');
    }
    shown.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn names(set: &LabelSet, labels: &[Label]) -> String {
    let named = labels.iter().filter(|label| set.contains(label.id));
    named.map(|label| label.name.as_str()).collect::<Vec<_>>().join(" + ")
}

fn value(measured: Measured) -> String {
    match measured {
        Measured::Value { value, .. } => format!("{value:.4}"),
        Measured::Undefined(reason) => format!("– ({})", reason.sentence()),
    }
}

fn interval(confidence: Confidence) -> String {
    match confidence {
        Confidence::Interval { lower, upper } => format!("{lower:.4} to {upper:.4}"),
        Confidence::Pending => "–".to_owned(),
        Confidence::None(reason) => format!("– ({})", reason.words()),
    }
}

fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let rows: Vec<[&str; N]> = rows.iter().map(|row| row.each_ref().map(String::as_str)).collect();
    table(&rows)
}
