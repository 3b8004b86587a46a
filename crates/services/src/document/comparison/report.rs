//! The report of a comparison: one file to keep, print and send.

use std::time::Instant;

use chrono::{DateTime, Utc};
use domain::{Judgement, LabelParts, Revision};
use formats::{Report, ReportBlock, ReportSection, report_html};

use super::{Compared, list, measuring::category};
use crate::{
    agreement::{methods, picture, tables},
    base::export::Export,
    review::gold::names_of,
};

/// Rows of the adjudication list that the report shows.
const ROWS: usize = 200;

impl Compared {
    /// The report; intervals that are not there by `until` are left out.
    pub fn report(&self, now: DateTime<Utc>, until: Option<Instant>) -> Export {
        let Self { measured, switches, limit, .. } = self;
        let numbers = measured.numbers(until, limit);
        let matrix = &numbers.matrix;
        let title = format!("Agreement of {}", names(matrix.raters.iter().map(|it| &it.name)));
        let picture = picture(title.clone(), &matrix.raters, &numbers.pairs, *switches);
        let several = matrix.several.as_ref();
        let labels = LabelParts {
            revision: Revision(0),
            switches: *switches,
            raters: matrix.raters.clone(),
            positions: several.map_or(0, |several| several.n),
            documents: several.map_or(0, |several| several.documents),
            labels: measured.labels.clone(),
            rows: numbers.label_parts,
        };
        let table = |caption: &str, (head, rows)| ReportBlock::Table {
            caption: caption.to_owned(),
            head,
            rows,
        };
        let notes = self.notes.iter().cloned().map(ReportBlock::Text);
        let files = [
            table("Raters and the files of each", self.rater_table()),
            table("Compared files", self.file_table()),
        ];
        let files = files.into_iter().chain(notes);
        let section = |title: &str, blocks| ReportSection { title: title.to_owned(), blocks };
        let name = category(&measured.labels, *switches);
        let of_labels = if switches.policy.check_common().is_ok() {
            let caption = "Each label against everything else, least reliable first";
            table(caption, tables::labels(&labels))
        } else {
            ReportBlock::Text("None: spans are paired by two raters at a time.".to_owned())
        };
        let sections = vec![
            section("Files", files.collect()),
            section(
                "Agreement by pair",
                vec![
                    ReportBlock::Picture(picture),
                    table("Every pair of raters", tables::pairs(matrix, &matrix.raters)),
                    table(
                        "Each rater against all others, counts pooled",
                        tables::pooled(matrix, &matrix.raters),
                    ),
                ],
            ),
            section(
                "All raters at once",
                vec![table("Measures of several raters", tables::several(matrix))],
            ),
            section("Labels", vec![of_labels]),
            section("Differences", self.differences()),
            section("Methods", methods::of(*switches)),
            section(
                "Counts",
                vec![table("Contingency tables", tables::counts(&numbers.pairs, name))],
            ),
        ];
        let fact = |name: &str, value: String| (name.to_owned(), value);
        let report = Report {
            title,
            facts: vec![
                fact("Made", now.format("%Y-%m-%d %H:%M UTC").to_string()),
                fact("Documents of two raters or more", measured.shared.to_string()),
                fact("Raters", matrix.raters.len().to_string()),
                fact("Labels", names(measured.labels.iter().map(|label| &label.name))),
                fact("Measure", switches.measure.to_string()),
                fact("Policy", switches.policy.to_string()),
                fact("Documents that count", "those in both raters’ files".to_owned()),
            ],
            sections,
        };
        Export {
            file_name: "comparison.html".to_owned(),
            content_type: "text/html; charset=utf-8",
            body: report_html(&report).into_bytes(),
            losses: Vec::new(),
        }
    }

    fn rater_table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let row = |rater: &domain::RaterFiles| {
            let counts = [rater.documents, rater.spans].map(|count| count.to_string());
            [rater.name.clone(), rater.in_words()].into_iter().chain(counts).collect()
        };
        let head = ["Rater", "Files", "Documents", "Spans"];
        (head.map(str::to_owned).into(), self.understood.iter().map(row).collect())
    }

    fn file_table(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let row = |file: &domain::ComparedFile| {
            vec![
                file.name.clone(),
                file.format.clone(),
                names(file.raters.iter()),
                file.documents.to_string(),
                file.spans.to_string(),
                self.hashes.get(&file.name).cloned().unwrap_or_default(),
            ]
        };
        let head = ["File", "Format", "Raters", "Documents", "Spans", "SHA-256"];
        (head.map(str::to_owned).into(), self.files.iter().map(row).collect())
    }

    /// The beginning of the adjudication list.
    fn differences(&self) -> Vec<ReportBlock> {
        let Self { measured, .. } = self;
        let found = measured.differing();
        let first = list::rows(measured, found.get(..ROWS).unwrap_or(&found));
        let raters = measured.names.raters();
        let words_for = |judgement: &Judgement| match judgement {
            Judgement::NotJudged => String::new(),
            Judgement::Nothing => "nothing".to_owned(),
            Judgement::Labels(set) => names_of(set, &measured.labels).join(" + "),
        };
        let row = |row: domain::Disagreement| {
            let place = format!("{}–{}", row.range.start, row.range.end);
            let own = vec![row.document_name, place, row.quote, row.kind.name().to_owned()];
            own.into_iter().chain(row.judgements.iter().map(words_for)).collect::<Vec<_>>()
        };
        let head = ["Document", "Characters", "Text", "Kind"].map(str::to_owned).into_iter();
        let caption = if found.len() > ROWS {
            format!("First {ROWS} of {} positions", found.len())
        } else {
            format!("All {}", domain::count(found.len(), "position"))
        };
        vec![ReportBlock::Table {
            caption,
            head: head.chain(raters.iter().map(|rater| rater.name.clone())).collect(),
            rows: first.into_iter().map(row).collect(),
        }]
    }
}

fn names<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}
