//! What is answered about spans and documents, in the formats that have a place for it.

use std::collections::BTreeSet;
use std::io::Cursor;

use formats::{
    AnnotatedAnswer, AnnotatedDocument, AnnotatedSpan, AnnotatedWork, AnswerFeatures, AnswerWords,
    BratConfig, BundleFormat, BundleWriter, FileFormat, FileWriter, JsonList, Loss, LossReason,
    write_brat_annotations, write_cas_json, write_cas_xmi, write_type_system, write_webanno_tsv,
};
use serde_json::{Value, json};

fn span(start: usize, end: usize, label: &str) -> AnnotatedSpan {
    AnnotatedSpan { start, end, label: label.to_owned() }
}

fn answer(span: Option<&AnnotatedSpan>, question: &str, answer: AnswerWords) -> AnnotatedAnswer {
    AnnotatedAnswer { span: span.cloned(), question: question.to_owned(), answer }
}

fn one(words: &str) -> AnswerWords {
    AnswerWords::One(words.to_owned())
}

fn several(words: &[&str]) -> AnswerWords {
    AnswerWords::Several(words.iter().map(|it| (*it).to_owned()).collect())
}

fn digits(written: &str) -> AnswerWords {
    AnswerWords::Number(written.to_owned())
}

/// Answers of every kind, of nobody.
fn answered() -> AnnotatedDocument {
    let (gil, hal, again) = (span(0, 3, "PER"), span(8, 11, "PER"), span(8, 11, "ORG"));
    let answers = vec![
        answer(Some(&gil), "How sure?", digits("2.5")),
        answer(Some(&gil), "Roles", several(&["king", "poet | <1>"])),
        answer(Some(&hal), "How sure?", one("very \u{1} sure")),
        answer(Some(&hal), "Roles", several(&["king"])),
        answer(Some(&again), "How_sure_", one("no")),
        answer(None, "Tone", one("calm")),
        answer(None, "Length", digits("-3")),
    ];
    AnnotatedDocument {
        id: None,
        name: "gil".to_owned(),
        text: "Gil met Hal.".to_owned(),
        spans: vec![gil, hal, again],
        answers,
        work: Vec::new(),
    }
}

fn messages(losses: &[Loss]) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

#[test]
fn label_studio_has_results_about_regions_and_tasks() {
    let mut document = answered();
    document.work.push(AnnotatedWork {
        rater: "ana".to_owned(),
        spans: Vec::new(),
        answers: vec![answer(None, "Tone", one("tense"))],
    });
    let mut list = JsonList::new(Vec::new());
    let losses = list.write_label_studio(&document).unwrap();
    // What is answered by a number and by a choice are two controls.
    assert_eq!(messages(&losses), ["gil: the question How sure? was written as How sure?_2"]);
    let tasks: Value = serde_json::from_slice(&list.finish().unwrap()).unwrap();
    let of_task = |id: &str, question: &str, kind: &str, value: Value| json!({ "id": id, "from_name": question, "to_name": "text", "type": kind, "value": value });
    let gil =
        |kind: &str, given: Value| json!({ "start": 0, "end": 3, "text": "Gil", kind: given });
    let result = tasks[0]["predictions"][0]["result"].as_array().unwrap();
    let roles = json!(["king", "poet | <1>"]);
    assert_eq!(
        result[..3],
        [
            of_task("s0", "label", "labels", gil("labels", json!(["PER"]))),
            of_task("s0", "How sure?", "number", gil("number", json!(2.5))),
            of_task("s0", "Roles", "choices", gil("choices", roles)),
        ]
    );
    assert_eq!(
        result[8..],
        [
            of_task("d0", "Tone", "choices", json!({ "choices": ["calm"] })),
            of_task("d1", "Length", "number", json!({ "number": -3 })),
        ]
    );
    let tense = of_task("d0", "Tone", "choices", json!({ "choices": ["tense"] }));
    assert_eq!(tasks[0]["annotations"][0]["result"], json!([tense]));
}

#[test]
fn a_control_of_label_studio_has_a_name_and_a_kind_of_its_own() {
    let mut document = answered();
    document.answers = vec![
        answer(Some(&document.spans[0]), "label", one("yes")),
        answer(None, "text", one("no")),
        answer(Some(&document.spans[0]), "Tone", several(&["calm"])),
        answer(None, "Tone", one("calm")),
    ];
    let mut list = JsonList::new(Vec::new());
    let losses = list.write_label_studio(&document).unwrap();
    assert_eq!(
        messages(&losses),
        [
            "gil: the question label was written as label_2",
            "gil: the question text was written as text_2",
            "gil: the question Tone was written as Tone_2",
        ]
    );
    document.answers = vec![answer(None, "Tone", one("calm"))];
    list.write_label_studio(&document).unwrap();
    let tasks: Value = serde_json::from_slice(&list.finish().unwrap()).unwrap();
    let controls = |task: usize| {
        let result = tasks[task]["predictions"][0]["result"].as_array().unwrap();
        let is_choice = |region: &&Value| region["type"] == "choices";
        let choices = result.iter().filter(is_choice);
        choices.map(|region| region["from_name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(controls(0), ["label_2", "Tone", "text_2", "Tone_2"]);
    assert_eq!(controls(1), ["Tone_2"], "as in the task before");
}

#[test]
fn brat_has_attributes_of_one_value() {
    let document = answered();
    let (mut config, mut out) = (BratConfig::default(), Vec::new());
    let losses = write_brat_annotations(&mut out, &document, &mut config).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "T1\tPER 0 3\tGil\nA1\tHow_sure_ T1 2.5\nT2\tPER 8 11\tHal\nA2\tHow_sure_ T2 very___sure\n\
         A3\tRoles T2 king\nT3\tORG 8 11\tHal\nA4\tHow_sure__2 T3 no\n"
    );
    assert_eq!(
        messages(&losses),
        [
            "gil: the question How sure? was written as How_sure_",
            "gil: the question How_sure_ was written as How_sure__2",
            "gil: 3 answers were left out: the format has no place for them",
            "gil: PER at 8–11 the answer to How sure? was written as very___sure",
        ]
    );
    let mut out = Vec::new();
    config.write(&mut out).unwrap();
    let config = String::from_utf8(out).unwrap();
    assert_eq!(
        config.split_once("[attributes]\n").unwrap().1,
        "How_sure_\tArg:PER, Value:2.5|very___sure\nHow_sure__2\tArg:ORG, Value:no\nRoles\tArg:PER, Value:king\n"
    );
}

#[test]
fn a_cas_has_features_with_lists_of_what_several_chose() {
    let document = answered();
    let (mut features, mut out) = (AnswerFeatures::default(), Vec::new());
    let losses = write_cas_xmi(&mut out, &document, &mut features).unwrap();
    let xmi = String::from_utf8(out).unwrap();
    let entities: Vec<&str> = xmi.lines().filter(|line| line.starts_with("<ner:")).collect();
    assert_eq!(
        entities,
        [
            "<ner:NamedEntity xmi:id=\"3\" sofa=\"1\" begin=\"0\" end=\"3\" value=\"PER\" \
             How_sure_=\"2.5\"><Roles>king</Roles><Roles>poet | &lt;1&gt;</Roles></ner:NamedEntity>",
            "<ner:NamedEntity xmi:id=\"4\" sofa=\"1\" begin=\"8\" end=\"11\" value=\"PER\" \
             How_sure_=\"very \u{FFFD} sure\"><Roles>king</Roles></ner:NamedEntity>",
            "<ner:NamedEntity xmi:id=\"5\" sofa=\"1\" begin=\"8\" end=\"11\" value=\"ORG\" \
             How_sure__2=\"no\"/>",
        ]
    );
    assert_eq!(
        messages(&losses),
        [
            "gil: the question How sure? was written as How_sure_",
            "gil: the question How_sure_ was written as How_sure__2",
            "gil: 2 answers were left out: the format has no place for them",
            "gil: PER at 8–11 the answer to How sure? was written as very \u{FFFD} sure",
        ]
    );
    let mut out = Vec::new();
    write_type_system(&mut out, &features).unwrap();
    let types = String::from_utf8(out).unwrap();
    for (name, range) in [
        ("How_sure_", "uima.cas.String</rangeTypeName>"),
        (
            "Roles",
            "uima.cas.StringArray</rangeTypeName>\
             <multipleReferencesAllowed>false</multipleReferencesAllowed>",
        ),
    ] {
        let described = format!("<name>{name}</name><description/><rangeTypeName>{range}");
        assert!(types.contains(&described), "{types}");
    }

    let mut out = Vec::new();
    write_cas_json(&mut out, &document, &mut AnswerFeatures::default()).unwrap();
    let cas: Value = serde_json::from_slice(&out).unwrap();
    let structures = cas["%FEATURE_STRUCTURES"].as_array().unwrap();
    let gil = structures.iter().find(|it| it["begin"] == 0 && it["value"] == "PER").unwrap();
    assert_eq!(gil["How_sure_"], "2.5");
    let roles = structures.iter().find(|it| it["%ID"] == gil["@Roles"]).unwrap();
    assert_eq!(roles["%ELEMENTS"], json!(["king", "poet | <1>"]));
    assert_eq!(roles["%TYPE"], "uima.cas.StringArray");
}

#[test]
fn webanno_tsv_has_columns_of_the_layer() {
    let (mut features, mut out) = (AnswerFeatures::default(), Vec::new());
    let losses = write_webanno_tsv(&mut out, &answered(), &mut features).unwrap();
    let tsv = String::from_utf8(out).unwrap();
    assert!(tsv.contains("NamedEntity|value|How_sure_|How_sure__2|Roles\n"), "{tsv}");
    assert!(tsv.contains("\tGil\tPER\t2.5\t*\tking, poet \\| <1>\t\n"), "{tsv}");
    assert!(tsv.contains("\tmet\t_\t_\t_\t_\t\n"), "{tsv}");
    let hal = "\tHal\tPER[1]|ORG[2]\tvery \u{1} sure[1]|*[2]\t*[1]|no[2]\tking[1]|*[2]\t\n";
    assert!(tsv.contains(hal), "{tsv}");
    assert_eq!(
        messages(&losses),
        [
            "gil: the question How sure? was written as How_sure_",
            "gil: the question How_sure_ was written as How_sure__2",
            "gil: 2 answers were left out: the format has no place for them",
            "gil: PER at 0–3 the answer to Roles was written as king, poet | <1>",
        ]
    );
}

#[test]
fn a_question_has_one_feature_in_all_files_of_an_export() {
    let (mut features, mut out) = (AnswerFeatures::default(), Vec::new());
    write_webanno_tsv(&mut out, &answered(), &mut features).unwrap();
    let mut document = answered();
    document.answers.retain(|answer| answer.question == "How_sure_");
    let mut out = Vec::new();
    write_webanno_tsv(&mut out, &document, &mut features).unwrap();
    let tsv = String::from_utf8(out).unwrap();
    assert!(tsv.contains("NamedEntity|value|How_sure__2\n"), "{tsv}");
}

#[test]
fn other_formats_say_how_many_answers_they_leave_out() {
    let mut document = answered();
    let answers = std::mem::take(&mut document.answers);
    let spans = std::mem::take(&mut document.spans);
    document.work.push(AnnotatedWork { rater: "ana".to_owned(), spans, answers });
    let left_out = LossReason::AnswersLeftOut { answers: 7 };
    let is_told = |losses: &[Loss], rater: Option<&str>| {
        losses.iter().any(|it| it.reason == left_out && it.rater.as_deref() == rater)
    };
    for format in
        [FileFormat::JsonLines, FileFormat::SpanCsv, FileFormat::SpanTsv, FileFormat::Prodigy]
    {
        let losses = FileWriter::new(Vec::new(), format).unwrap().write(&document).unwrap();
        assert!(is_told(&losses, Some("ana")), "{format:?}");
    }
    let of_ana = document.of_rater("ana").unwrap();
    for format in [FileFormat::Conll, FileFormat::Conllu, FileFormat::Doccano, FileFormat::Spacy] {
        let losses = FileWriter::new(Vec::new(), format).unwrap().write(&of_ana).unwrap();
        assert!(is_told(&losses, None), "{format:?}");
    }
    let mut zip = BundleWriter::new(Cursor::new(Vec::new()), BundleFormat::Datasaur);
    assert!(is_told(&zip.write(&document).unwrap(), Some("ana")));
}

#[test]
fn every_raters_losses_of_answers_are_told() {
    let document = answered();
    let work = |rater: &str| AnnotatedWork {
        rater: rater.to_owned(),
        spans: document.spans.clone(),
        answers: document.answers.clone(),
    };
    let of_raters = AnnotatedDocument {
        spans: Vec::new(),
        answers: Vec::new(),
        work: vec![work("ana"), work("bo")],
        ..document.clone()
    };
    for format in [BundleFormat::Brat, BundleFormat::CasXmi, BundleFormat::WebAnnoTsv] {
        let mut zip = BundleWriter::new(Cursor::new(Vec::new()), format);
        let losses = zip.write(&of_raters).unwrap();
        for rater in ["ana", "bo"] {
            let of_rater = losses.iter().filter(|it| it.rater.as_deref() == Some(rater));
            let left_out = of_rater.filter(|it| it.reason.left_out());
            assert_eq!(left_out.count(), 1, "{format:?}: {losses:?}");
        }
    }
}

/// How many answers a document has.
pub(crate) fn answers_of(document: &AnnotatedDocument) -> usize {
    document.work.iter().map(|work| work.answers.len()).sum::<usize>() + document.answers.len()
}

/// How many answers losses say that there are not in the file.
pub(crate) fn left_out<'a>(losses: impl IntoIterator<Item = &'a Loss>) -> usize {
    let count = |loss: &Loss| match loss.reason {
        LossReason::AnswersLeftOut { answers } => answers,
        _ => 0,
    };
    losses.into_iter().map(count).sum()
}

/// A document with whose work in it is meant; nobody's where there is none.
type Of<'a> = (&'a AnnotatedDocument, Option<&'a str>);

fn of_rater((document, rater): Of<'_>) -> (Vec<AnnotatedSpan>, Vec<AnnotatedAnswer>) {
    match rater {
        None => (document.spans.clone(), document.answers.clone()),
        Some(rater) => {
            let work = document.work.iter().find(|work| work.rater == rater);
            work.map(|work| (work.spans.clone(), work.answers.clone())).unwrap_or_default()
        }
    }
}

/// Holds the answers of one rater, or of nobody, that were read against those that were written: each is
/// one of them as the losses say, and as many are missing as they say.
pub(crate) fn accounted(read: Of<'_>, written: Of<'_>, losses: &[Loss]) {
    let own: Vec<&Loss> = losses.iter().filter(|it| it.rater.as_deref() == written.1).collect();
    let of_span = |span: &AnnotatedSpan| {
        let span = span.clone();
        own.iter().filter(move |loss| loss.span.as_ref() == Some(&span))
    };
    let is_gone = |span: &AnnotatedSpan| {
        of_span(span).any(|loss| loss.reason.left_out() && !loss.reason.is_of_answers())
    };
    let read_answers = of_rater(read).1;
    let mut kept: Vec<AnnotatedAnswer> = of_rater(written).1;
    kept.retain(|answer| answer.span.as_ref().is_none_or(|span| !is_gone(span)));
    let missing = left_out(own.iter().copied());
    assert_eq!(read_answers.len() + missing, kept.len(), "{read_answers:?} {kept:?} {losses:?}");
    for answer in &read_answers {
        let is_same = |other: &AnnotatedAnswer| {
            let span = other.span.clone().map(|span| {
                let label = of_span(&span).find_map(|loss| match &loss.reason {
                    LossReason::LabelRewritten(label) => Some(label.clone()),
                    _ => None,
                });
                AnnotatedSpan { label: label.unwrap_or_else(|| span.label.clone()), ..span }
            });
            let is_question = answer.question == other.question
                || losses.iter().any(|loss| {
                    matches!(&loss.reason, LossReason::QuestionRewritten { question, name }
                        if *question == other.question && *name == answer.question)
                });
            let is_rewritten = other.span.as_ref().is_some_and(|span| {
                of_span(span).any(|loss| {
                    matches!(&loss.reason, LossReason::AnswerRewritten { question, answer: words }
                        if *question == other.question && *words == answer.answer.to_string())
                })
            });
            span == answer.span
                && is_question
                && (is_rewritten || same_words(&answer.answer) == same_words(&other.answer))
        };
        let place = kept.iter().position(is_same);
        let place = place.unwrap_or_else(|| panic!("{answer:?} is none of {kept:?}\n{losses:?}"));
        kept.swap_remove(place);
    }
}

/// An answer as a set of words: what kind of answer it is is known in a project alone, and numbers are
/// written in more than one way.
fn same_words(answer: &AnswerWords) -> BTreeSet<String> {
    let same = |words: &String| match words.parse::<f64>() {
        Ok(number) if words.chars().all(|it| it.is_ascii_digit() || "-.".contains(it)) => {
            number.to_string()
        }
        _ => words.clone(),
    };
    answer.words().iter().map(same).collect()
}
