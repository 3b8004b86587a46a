//! A task of Label Studio's JSON.

use serde::Serialize;
use serde_json::{Number, Value, json};

use crate::TextIndex;
use crate::export::annotated::{
    AnnotatedAnswer, AnnotatedDocument, AnnotatedSpan, AnswerWords, AnswersBySpan,
};
use crate::export::answer_names::{AnswerNames, Naming};
use crate::export::held::{Meta, held, id_value};
use crate::export::loss::Losses;

/// What the labels and the text are called in the labelling configuration.
const LABELS: &str = "label";
const TEXT: &str = "text";

/// The controls under which questions are answered.
pub(crate) type Controls = AnswerNames<Control>;

/// How Label Studio calls questions.
#[derive(Debug)]
pub(crate) struct Control;

impl Naming for Control {
    const KNOWS_NUMBERS: bool = true;

    fn allowed(question: &str) -> String {
        question.to_owned()
    }

    fn is_reserved(name: &str) -> bool {
        [LABELS, TEXT].contains(&name)
    }
}

#[derive(Serialize)]
pub(crate) struct Task<'document> {
    id: usize,
    data: Data<'document>,
    meta: TaskMeta<'document>,
    annotations: Vec<Annotation<'document>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predictions: Vec<Prediction<'document>>,
}

/// What Label Studio keeps of a task as it came, and that it is from here: others have names, too.
#[derive(Serialize)]
struct TaskMeta<'document> {
    #[serde(flatten)]
    meta: Meta<'document>,
    by: &'static str,
}

/// Who wrote a task of ours.
pub(super) const BY: &str = "concord";

#[derive(Serialize)]
struct Data<'document> {
    text: &'document str,
}

#[derive(Serialize)]
struct Annotation<'document> {
    id: usize,
    completed_by: Value,
    was_cancelled: bool,
    result: Vec<Region<'document>>,
}

#[derive(Serialize)]
struct Prediction<'document> {
    result: Vec<Region<'document>>,
}

#[derive(Serialize)]
struct Region<'document> {
    id: String,
    from_name: &'document str,
    to_name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    value: RegionValue<'document>,
}

#[derive(Serialize)]
struct RegionValue<'document> {
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    place: Option<Place<'document>>,
    #[serde(flatten)]
    given: Given<'document>,
}

/// Where a region is; what is said of the whole text has none.
#[derive(Serialize, Clone, Copy)]
struct Place<'document> {
    start: usize,
    end: usize,
    text: &'document str,
}

/// What a region is given, in the field that is called as its type is.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Given<'document> {
    Labels([&'document str; 1]),
    Choices(Vec<&'document str>),
    Number(Number),
}

/// The task with this number, counted from 1, which is what Label Studio calls an id.
pub(crate) fn task<'document>(
    document: &'document AnnotatedDocument,
    id: usize,
    controls: &'document mut Controls,
    losses: &mut Losses<'_>,
) -> Task<'document> {
    let of_work = document.work.iter().flat_map(|work| &work.answers);
    controls.add(document.answers.iter().chain(of_work), losses);
    let controls = &*controls;
    let index = TextIndex::new(&document.text);
    let mut annotations = Vec::new();
    for (number, work) in (1..).zip(&document.work) {
        let spans = held(&work.spans, &index, Some(&work.rater), losses);
        // A user is known by number or by e-mail address.
        let completed_by = match id_value(&work.rater) {
            number @ Value::Number(_) => number,
            other => json!({ "email": other }),
        };
        let result = regions(spans, &work.answers, controls, &index);
        annotations.push(Annotation { id: number, completed_by, was_cancelled: false, result });
    }
    let spans = held(&document.spans, &index, None, losses);
    let result = regions(spans, &document.answers, controls, &index);
    let predictions = if result.is_empty() { Vec::new() } else { vec![Prediction { result }] };
    Task {
        id,
        data: Data { text: &document.text },
        meta: TaskMeta { meta: Meta::of(document), by: BY },
        annotations,
        predictions,
    }
}

/// The spans, each followed by what is answered about it, and what is answered about the text.
fn regions<'document>(
    spans: Vec<&'document AnnotatedSpan>,
    answers: &'document [AnnotatedAnswer],
    controls: &'document Controls,
    index: &TextIndex<'document>,
) -> Vec<Region<'document>> {
    let answers = AnswersBySpan::new(answers);
    let mut regions = Vec::with_capacity(spans.len());
    for (number, span) in spans.into_iter().enumerate() {
        let AnnotatedSpan { start, end, label } = span;
        let text = index.slice(*start, *end).unwrap_or_default();
        let (id, place) = (format!("s{number}"), Some(Place { start: *start, end: *end, text }));
        let of_span = answers.of(span).iter();
        let of_span = of_span.map(|it| answered(it, controls, id.clone(), place));
        let of_span: Vec<_> = of_span.collect();
        let value = RegionValue { place, given: Given::Labels([label]) };
        regions.push(Region { id, from_name: LABELS, to_name: TEXT, kind: "labels", value });
        regions.extend(of_span);
    }
    let of_document = answers.of_document.iter().enumerate();
    regions
        .extend(of_document.map(|(number, it)| answered(it, controls, format!("d{number}"), None)));
    regions
}

/// What is answered about the region with this id, or about the text.
fn answered<'document>(
    answer: &'document AnnotatedAnswer,
    controls: &'document Controls,
    id: String,
    place: Option<Place<'document>>,
) -> Region<'document> {
    let (kind, given) = match &answer.answer {
        AnswerWords::One(words) => ("choices", Given::Choices(vec![words])),
        AnswerWords::Several(words) => {
            ("choices", Given::Choices(words.iter().map(String::as_str).collect()))
        }
        AnswerWords::Number(digits) => match digits.parse() {
            Ok(number) => ("number", Given::Number(number)),
            // What is no number in JSON.
            Err(_) => ("choices", Given::Choices(vec![digits])),
        },
    };
    let value = RegionValue { place, given };
    let from_name = controls.of(answer).unwrap_or(&answer.question);
    Region { id, from_name, to_name: TEXT, kind, value }
}
