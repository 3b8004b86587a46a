//! The labelled regions of one annotation of Label Studio.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::TextIndex;
use crate::export::annotated::{AnnotatedSpan, AnswerWords};
use crate::import::findings::Findings;
use crate::import::spans::Unit;
use crate::import::works::{Annotated, AnswerSet};
use crate::json::label_studio::offsets::LABEL_KINDS;
use crate::json::label_studio::target::Target;
use crate::json::value::at::At;
use crate::json::value::spans::RecordSpans;
use crate::problem::exchange::ExchangeProblem;

const RESULTS_EXPECTED: &str = "a list of regions";
const LABELS_EXPECTED: &str = "a list of labels";

/// The types of results that answer a question, which are also the fields with what is answered.
const ANSWER_KINDS: [&str; 3] = ["choices", "rating", "number"];

/// The spans of a list of regions with their `value`, and what is answered about these and about the
/// text. A question is called as the tag that asks it; a region has the `id` of the span that it is
/// about.
pub(super) fn regions(
    index: &TextIndex<'_>,
    unit: Unit,
    (result, target): (&At<'_>, &Target<'_>),
    line: usize,
    findings: &mut Findings,
) -> Annotated {
    let mut by_id: HashMap<String, Vec<AnnotatedSpan>> = HashMap::new();
    let mut answers = AnswerSet::default();
    let mut spans = RecordSpans::new(index, unit, line);
    let mut tally = Tally::default();
    for region in result.items(RESULTS_EXPECTED, findings) {
        let kind = region.get("type").as_text();
        match kind {
            Some("relation") => tally.relations += 1,
            Some(kind) if ANSWER_KINDS.contains(&kind) => {}
            Some(kind) if !LABEL_KINDS.contains(&kind) => {
                *tally.others.entry(kind.to_owned()).or_default() += 1;
            }
            _ if !target.has(&region) => {}
            _ => {
                let added = tally.add(&region.get("value"), kind, &mut spans, findings);
                if let Some(id) = region.get("id").as_text() {
                    by_id.entry(id.to_owned()).or_default().extend(added);
                }
            }
        }
    }
    let mut ignored = Findings::default();
    for region in result.items(RESULTS_EXPECTED, &mut ignored) {
        let Some(kind) = region.get("type").as_text().filter(|it| ANSWER_KINDS.contains(it)) else {
            continue;
        };
        let (value, question) = (region.get("value"), region.get("from_name"));
        let Some((question, answer)) = question.as_text().zip(answer(&value, kind)) else {
            *tally.others.entry(kind.to_owned()).or_default() += 1;
            continue;
        };
        let about = region.get("id").as_text().and_then(|id| by_id.get(id));
        match about {
            Some(about) => {
                for span in about {
                    answers.add(Some(span), question, &answer, line);
                }
            }
            None if value.get("start").is_absent() => answers.add(None, question, &answer, line),
            None => tally.unlabelled += 1,
        }
    }
    tally.tell(findings);
    let answers = answers.finish().unwrap_or_else(|problem| {
        result.wrong::<()>(problem, findings);
        Vec::new()
    });
    (spans.finish(findings), answers)
}

/// What is answered by a value of this type.
fn answer(value: &At<'_>, kind: &str) -> Option<AnswerWords> {
    let given = value.get(kind);
    if kind == "choices" {
        let choices = (0..given.count()).map(|at| given.entry(at).words().map(Cow::into_owned));
        return choices.collect::<Option<Vec<_>>>().map(AnswerWords::Several);
    }
    given.words().map(|digits| AnswerWords::Number(digits.into_owned()))
}

/// What is left out of an annotation.
#[derive(Debug, Default)]
pub(super) struct Tally {
    relations: usize,
    unlabelled: usize,
    others: BTreeMap<String, usize>,
}

impl Tally {
    /// Adds the span or spans of one region, one for each of its labels, and gives them.
    pub(super) fn add(
        &mut self,
        value: &At<'_>,
        kind: Option<&str>,
        spans: &mut RecordSpans<'_>,
        findings: &mut Findings,
    ) -> Vec<AnnotatedSpan> {
        let mut added = Vec::new();
        let (start, end) = (value.get("start"), value.get("end"));
        let path = ["startOffset", "globalOffsets"].iter().any(|key| !value.get(key).is_absent());
        if path || start.as_text().is_some() {
            let kind = kind.unwrap_or("hypertextlabels").to_owned();
            value.wrong::<()>(ExchangeProblem::NotPlainText(kind), findings);
            return added;
        }
        if start.offset(findings).and(end.offset(findings)).is_none() {
            return added;
        }
        let labels = LABEL_KINDS.map(|kind| value.get(kind));
        let Some(labels) = labels.iter().find(|labels| labels.count() > 0) else {
            self.unlabelled += 1;
            return added;
        };
        for label in labels.items(LABELS_EXPECTED, findings) {
            let place = spans.add([&start, &end, &label], Some(&value.get("text")), findings);
            if let Some(((start, end), label)) = place.zip(label.identifier()) {
                added.push(AnnotatedSpan { start, end, label });
            }
        }
        added
    }

    pub(super) fn tell(self, findings: &mut Findings) {
        findings.pass_over("relations", self.relations);
        findings.pass_over("regions without a label", self.unlabelled);
        for (kind, count) in self.others {
            findings.pass_over(&format!("values of the kind {kind}"), count);
        }
    }
}
