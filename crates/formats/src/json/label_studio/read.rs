//! Label Studio's JSON: a list of tasks, each with the annotations of several people.

use std::collections::HashSet;

use crate::TextIndex;
use crate::import::document::{ImportedDocument, ImportedSpan, ImportedWork};
use crate::import::findings::Findings;
use crate::import::spans::{Unit, once};
use crate::json::label_studio::regions::{agrees, regions, unit};
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::{Kept, Node};
use crate::problem::exchange::ExchangeProblem;

pub(crate) const SHAPE: Shape = Shape {
    read,
    cut: Cut::Values,
    kept: Kept::AllBut(&["history", "drafts_history", "prediction"]),
};

const DATA_EXPECTED: &str = "an object with the task's data, as in Label Studio's JSON export";
const ANNOTATIONS_EXPECTED: &str = "a list of annotations";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let data = root.get("data");
    if !data.is_object() {
        data.refuse::<()>(DATA_EXPECTED, findings);
        return Vec::new();
    }
    let Some(text) = only_text(&data, &[], findings) else { return Vec::new() };
    let index = TextIndex::new(text);
    // Before version 1.0 annotations were called completions.
    let annotations = root.get("annotations");
    let completions = root.get("completions");
    let annotations = if annotations.is_absent() { completions } else { annotations };
    let predictions = root.get("predictions");
    let lists = [&annotations, &predictions];
    let unit = unit(&index, |unit| all_agree(&index, lists, unit));
    if unit == Unit::Utf16 {
        let count = count_regions(&annotations) + count_regions(&predictions);
        findings.utf16_offsets(count);
    }

    let mut spans: Vec<ImportedSpan> = Vec::new();
    let mut work: Vec<ImportedWork> = Vec::new();
    let mut raters = HashSet::new();
    for annotation in annotations.items(ANNOTATIONS_EXPECTED, findings) {
        let completed_by = annotation.get("completed_by");
        let rater = rater(&completed_by);
        if matches!(annotation.get("was_cancelled").node, Node::Bool(true)) {
            findings.pass_over("annotations of raters who skipped the task", 1);
            continue;
        }
        let found = regions(&index, unit, &annotation.get("result"), record.line, findings);
        match rater {
            None => spans.extend(found),
            Some(rater) if raters.insert(rater.clone()) => {
                work.push(ImportedWork { rater, spans: found });
            }
            Some(rater) => {
                let problem = ExchangeProblem::RepeatedRater(rater);
                completed_by.wrong::<()>(problem, findings);
            }
        }
    }
    for prediction in predictions.items("a list of predictions", findings) {
        spans.extend(regions(&index, unit, &prediction.get("result"), record.line, findings));
    }
    findings.pass_over("drafts", root.get("drafts").count());
    // A prediction often comes again as what somebody made of it.
    findings.repeated(once(&mut spans));
    // Our own export keeps id and name in the task's meta, and numbers the tasks.
    let meta = root.get("meta");
    let name = meta.get("name").identifier();
    let number = root.get("id").identifier().filter(|_| name.is_none());
    let id = meta.get("id").identifier().or(number);
    vec![record.document(id, name, text, spans, work)]
}

/// The text among these fields: the one called `text`, or the only one with a string that is none of
/// Label Studio's own.
pub(super) fn only_text<'node>(
    data: &'node At<'node>,
    own: &[&str],
    findings: &mut Findings,
) -> Option<&'node str> {
    if data.get("text").as_text().is_some() {
        return data.get("text").text(findings);
    }
    let strings: Vec<At<'node>> = data
        .fields()
        .filter(|(key, value)| !own.contains(key) && value.as_text().is_some())
        .map(|(_, value)| value)
        .collect();
    match strings.as_slice() {
        [only] => only.text(findings),
        several => {
            let found = several.iter().map(ToString::to_string).collect();
            data.wrong(ExchangeProblem::NoTextField(found), findings)
        }
    }
}

/// A rater as `completed_by` names them: the number of a user, an e-mail address, or an object
/// with these and their names.
pub(crate) fn rater(completed_by: &At<'_>) -> Option<String> {
    if let Some(rater) = completed_by.identifier() {
        return Some(rater);
    }
    let full_name = || {
        let names = ["first_name", "last_name"].iter();
        let names: Vec<String> =
            names.filter_map(|key| completed_by.get(key).identifier()).collect();
        (!names.is_empty()).then(|| names.join(" "))
    };
    let email = completed_by.get("email").identifier();
    let email = email.or_else(|| completed_by.get("username").identifier());
    email.or_else(full_name).or_else(|| completed_by.get("id").identifier())
}

fn all_agree(index: &TextIndex<'_>, lists: [&At<'_>; 2], unit: Unit) -> bool {
    let mut ignored = Findings::default();
    for list in lists {
        for annotation in list.items(ANNOTATIONS_EXPECTED, &mut ignored) {
            let result = annotation.get("result");
            for entry in 0..result.count() {
                if !agrees(index, unit, &result.entry(entry).get("value")) {
                    return false;
                }
            }
        }
    }
    true
}

fn count_regions(list: &At<'_>) -> usize {
    (0..list.count()).map(|entry| list.entry(entry).get("result").count()).sum()
}
