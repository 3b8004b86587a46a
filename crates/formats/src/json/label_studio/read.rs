//! Label Studio's JSON: a list of tasks, each with the annotations of several people.

use crate::TextIndex;
use crate::import::answer::Answer;
use crate::import::document::{ImportedDocument, add_answers};
use crate::import::findings::Findings;
use crate::import::findings::note::Note;
use crate::import::findings::repair::Repair;
use crate::import::spans::{Unit, once};
use crate::import::works::{Annotated, Works};
use crate::json::label_studio::offsets::{agrees, unit};
use crate::json::label_studio::regions::regions;
use crate::json::label_studio::target::Target;
use crate::json::label_studio::write::BY;
use crate::json::reading::{Cut, Record, Shape};
use crate::json::value::at::At;
use crate::json::value::node::{Kept, Node};

pub(crate) const SHAPE: Shape = Shape {
    read,
    cut: Cut::Values,
    kept: Kept::AllBut(&["history", "drafts_history", "prediction"]),
    cut_texts: false,
};

const DATA_EXPECTED: &str = "an object with the task's data, as in Label Studio's JSON export";
/// The rater of predictions that name no model.
const MODEL: &str = "prediction";

const ANNOTATIONS_EXPECTED: &str = "a list of annotations";

fn read(record: &Record<'_>, findings: &mut Findings) -> Vec<ImportedDocument> {
    let root = record.root;
    let data = root.get("data");
    if !data.is_object() {
        data.refuse::<()>(DATA_EXPECTED, findings);
        return Vec::new();
    }
    // Before version 1.0 annotations were called completions.
    let annotations = root.get("annotations");
    let completions = root.get("completions");
    let annotations = if annotations.is_absent() { completions } else { annotations };
    let predictions = root.get("predictions");
    let lists = [&annotations, &predictions];
    let Some(target) = Target::find(&data, lists, findings) else { return Vec::new() };
    let text = target.text;
    let index = TextIndex::new(text);
    let unit = unit(&index, |unit| all_agree(&index, (lists, &target), unit));
    if unit == Unit::Utf16 {
        let count = count_regions(&annotations) + count_regions(&predictions);
        findings.note(Note::Utf16Offsets, count);
    }

    let (mut spans, mut answers): Annotated = (Vec::new(), Vec::new());
    let (mut work, mut judged) = (Works::default(), false);
    let in_order = newest_last(annotations.items(ANNOTATIONS_EXPECTED, findings).collect());
    let mut unnamed = 0;
    for annotation in in_order {
        let was_cancelled = matches!(annotation.get("was_cancelled").node, Node::Bool(true));
        if was_cancelled && !findings.counts(Answer::Skipped, 1) {
            continue;
        }
        let result = annotation.get("result");
        let found = regions(&index, unit, (&result, &target), record.line, findings);
        match rater(&annotation.get("completed_by")) {
            // Nothing says that they are one person's.
            None if unnamed > 0 => {
                unnamed += 1;
                findings.repair(Repair::Unnamed, 1);
                work.add(format!("{} ({unnamed})", record.stem()), found, findings);
            }
            None => {
                unnamed = 1;
                judged = true;
                spans.extend(found.0);
                add_answers(&mut answers, found.1);
            }
            Some(rater) => work.add(rater, found, findings),
        }
    }
    // Our own export keeps id, name and whose it is in the task's meta, and numbers the tasks; there a
    // prediction is what has no rater.
    let meta = root.get("meta");
    let name = meta.get("name").identifier();
    let is_ours = meta.get("by").as_text() == Some(BY) || is_of_before(&root);
    let counted = is_ours || findings.counts(Answer::Prediction, predictions.count());
    for prediction in predictions.items("a list of predictions", findings) {
        let result = prediction.get("result");
        let found = regions(&index, unit, (&result, &target), record.line, findings);
        let model = || prediction.get("model_version").identifier();
        match counted.then(model).filter(|_| !is_ours) {
            Some(model) => work.add(model.unwrap_or_else(|| MODEL.to_owned()), found, findings),
            // What a model says is a suggestion, beside which no judgement of nobody can stand.
            None if is_ours || !judged => {
                spans.extend(found.0);
                add_answers(&mut answers, found.1);
            }
            None => {}
        }
    }
    judged |= is_ours;
    findings.pass_over("drafts", root.get("drafts").count());
    // A prediction often comes again as what somebody made of it.
    findings.repeated(once(&mut spans));
    let number = root.get("id").identifier().filter(|_| !is_ours);
    let id = meta.get("id").identifier().or(number);
    let document = record.document(id, name, text, (spans, judged), work.finish());
    vec![ImportedDocument { answers, ..document }]
}

/// Annotations in the order in which their raters turn up, and those of each by date, where all have one.
fn newest_last(mut annotations: Vec<At<'_>>) -> Vec<At<'_>> {
    let raters: Vec<_> = annotations.iter().map(|one| rater(&one.get("completed_by"))).collect();
    let first = |one: &Option<String>| raters.iter().position(|other| other == one);
    let date = |one: &At<'_>| {
        let dates =
            ["updated_at", "created_at"].map(|key| one.get(key).as_text().map(str::to_owned));
        dates.into_iter().flatten().next()
    };
    if annotations.iter().all(|one| date(one).is_some()) {
        annotations.sort_by_cached_key(|one| (first(&rater(&one.get("completed_by"))), date(one)));
    }
    annotations
}

/// Whether it has the very fields that our exports had before they said whose they are: Label Studio
/// writes more, and other ids.
fn is_of_before(root: &At<'_>) -> bool {
    let fields = |at: &At<'_>| at.fields().map(|(key, _)| key).collect::<Vec<_>>().join(" ");
    let is_region = |number: usize, region: &At<'_>| {
        region.get("id").as_text() == Some(&format!("s{number}"))
            && fields(region) == "id from_name to_name type value"
    };
    let all = |list: &str, expected: &str| {
        let list = root.get(list);
        (0..list.count()).all(|entry| {
            let one = list.entry(entry);
            let regions = one.get("result");
            fields(&one) == expected
                && (0..regions.count()).all(|number| is_region(number, &regions.entry(number)))
        })
    };
    let task = fields(root);
    (task == "id data meta annotations" || task == "id data meta annotations predictions")
        && ["id name", "name"].contains(&&*fields(&root.get("meta")))
        && all("annotations", "id completed_by was_cancelled result")
        && all("predictions", "result")
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

fn all_agree(
    index: &TextIndex<'_>,
    (lists, target): ([&At<'_>; 2], &Target<'_>),
    unit: Unit,
) -> bool {
    let mut ignored = Findings::default();
    for list in lists {
        for annotation in list.items(ANNOTATIONS_EXPECTED, &mut ignored) {
            let result = annotation.get("result");
            for entry in 0..result.count() {
                let region = result.entry(entry);
                if target.has(&region) && !agrees(index, unit, &region.get("value")) {
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
