//! Files as other tools write them, typed after their documentation.

use formats::{
    Answer, ImportFormat, ImportNote, ImportedDocument, Note, ReadOptions, Repair,
    SecondAnnotation, read, read_from,
};

use crate::support::quotes;

/// Documents, messages and notes of a file.
pub(crate) type Read = (Vec<ImportedDocument>, Vec<String>, Vec<String>);

/// What is read of a file whose format its content tells.
fn open(format: ImportFormat, file: &str) -> Read {
    assert_eq!(ImportFormat::detect("export.json", file.as_bytes()), Some(format));
    read_as(format, file)
}

pub(crate) fn read_as(format: ImportFormat, file: &str) -> Read {
    read_with(format, "export.json", file, &ReadOptions::default())
}

pub(crate) fn read_with(
    format: ImportFormat,
    name: &str,
    file: &str,
    options: &ReadOptions,
) -> Read {
    let mut outcomes = read_from(format, name, file.as_bytes(), options);
    let (mut documents, mut problems) = (Vec::new(), Vec::new());
    for outcome in outcomes.by_ref() {
        match outcome {
            Ok(document) => documents.push(document),
            Err(error) => problems.push(error.to_string()),
        }
    }
    let notes = outcomes.notes().iter().map(said).collect();
    (documents, problems, notes)
}

/// A note with its count, in few words.
pub(crate) fn said(note: &ImportNote) -> String {
    match &note.note {
        Note::PassedOver(what) => format!("{what}: {}", note.count),
        other => format!("{other}: {}", note.count),
    }
}

/// What each rater marked, as quotes with labels.
fn work(document: &ImportedDocument) -> Vec<(&str, Vec<(String, &str)>)> {
    let of_rater = |work: &formats::ImportedWork| {
        let spans = ImportedDocument { spans: work.spans.clone(), ..document.clone() };
        let quotes = quotes(&spans).into_iter().map(|(quote, _)| quote);
        let labels: Vec<usize> = (0..work.spans.len()).collect();
        quotes.zip(labels).collect::<Vec<_>>()
    };
    let raters = document.work.iter();
    raters
        .map(|one| {
            let spans = of_rater(one).into_iter();
            (&*one.rater, spans.map(|(quote, at)| (quote, &*one.spans[at].label)).collect())
        })
        .collect()
}

fn pair<'label>(quote: &str, label: &'label str) -> (String, &'label str) {
    (quote.to_owned(), label)
}

#[test]
fn doccano_lists_triples_or_entities() {
    let file = "{\"id\":1,\"text\":\"EU rejects Danish\",\"label\":[[0,2,\"ORG\"],[11,18,\"MISC\"]],\
                \"Comments\":[]}\n\
                {\"id\":2,\"text\":\"EU rejects\",\"entities\":[{\"id\":7,\"label\":\"ORG\",\
                \"start_offset\":0,\"end_offset\":2}],\"relations\":[{\"id\":1,\"from_id\":7,\
                \"to_id\":8,\"type\":\"x\"}]}\n\
                {\"id\":3,\"data\":\"old EU\",\"label\":[[4,6,\"ORG\"]]}\n";
    let (documents, problems, notes) = open(ImportFormat::Doccano, file);
    assert_eq!(
        problems,
        ["export.json, line 1, field label[1][1]: the span ends at 18, but the \
                          text has 17 UTF-16 units, which is what this format counts"]
    );
    assert_eq!(documents.len(), 2);
    assert_eq!(quotes(&documents[0]), [pair("EU", "ORG")]);
    assert_eq!((documents[1].id.as_deref(), documents[1].line), (Some("3"), 3));
    assert_eq!(notes, ["relations: 1"]);
}

#[test]
fn doccano_counts_utf16_units_and_says_where_it_matters() {
    let file = "{\"text\":\"🥳 This\",\"labels\":[[0,2,\"A\"],[3,7,\"B\"]]}\n\
                {\"text\":\"🥳 This\",\"label\":[[0,1,\"A\"]]}\n";
    let (documents, problems, notes) = open(ImportFormat::Doccano, file);
    assert_eq!(quotes(&documents[0]), [pair("🥳", "A"), pair("This", "B")]);
    assert_eq!(
        problems,
        ["export.json, line 2, field label[0][1]: the UTF-16 offset 1 lies within \
                          a character; the file seems to count something else, such as Unicode \
                          code points"]
    );
    assert_eq!(notes, ["spans with offsets read as UTF-16 units, not code points: 2"]);
}

const TASKS: &str = r#"[
  {"id": 12, "data": {"text": "EU rejects Danish", "url": "x"}, "meta": {},
   "annotations": [
     {"id": 1, "completed_by": 3, "was_cancelled": false, "result": [
       {"id": "a", "from_name": "label", "to_name": "text", "type": "labels",
        "value": {"start": 0, "end": 2, "text": "EU", "labels": ["ORG", "GPE"]}},
       {"id": "c", "from_name": "mood", "to_name": "text", "type": "choices",
        "value": {"choices": ["good"]}},
       {"from_id": "a", "to_id": "b", "type": "relation", "direction": "right"}]},
     {"id": 2, "completed_by": {"id": 4, "email": "ben@example.org", "first_name": "Ben"},
      "result": []},
     {"id": 3, "completed_by": "eve@example.org", "was_cancelled": true, "result": []}],
   "drafts": [{"result": []}],
   "predictions": [{"model_version": "m", "result": [
       {"type": "labels", "value": {"start": 11, "end": 17, "text": "Danish", "labels": ["MISC"]}}
   ]}]},
  {"id": 13, "data": {"text": "🥳 This"}, "annotations": [{"completed_by": 3, "result": [
       {"type": "labels", "value": {"start": 2, "end": 6, "text": "This", "labels": ["A"]}}]}]}
]"#;

#[test]
fn label_studio_names_raters_and_keeps_predictions_apart() {
    let (documents, problems, notes) = open(ImportFormat::LabelStudio, TASKS);
    assert_eq!(problems, Vec::<String>::new());
    let first = &documents[0];
    assert_eq!((first.id.as_deref(), first.line), (Some("12"), 2));
    assert_eq!(
        work(first),
        [("3", vec![pair("EU", "ORG"), pair("EU", "GPE")]), ("ben@example.org", vec![])]
    );
    assert_eq!(quotes(first), [pair("Danish", "MISC")]);
    assert_eq!(work(&documents[1]), [("3", vec![pair("This", "A")])]);
    let answer = &first.work[0].answers[0];
    assert_eq!((&answer.span, &*answer.question, answer.line), (&None, "mood", 2));
    assert_eq!(answer.answer.words(), ["good"]);
    assert_eq!(
        notes,
        [
            "relations: 1",
            "skipped annotations, not counted: 1",
            "predicted annotations, not counted: 1",
            "drafts: 1",
        ]
    );
}

#[test]
fn of_several_texts_of_a_task_one_is_named() {
    let task = r#"[{"data": {"title": "Ana", "body": "Bo met Ana."}, "annotations": []}]"#;
    let text = |text_field: Option<&str>| {
        let text_field = text_field.map(str::to_owned);
        let options = ReadOptions { text_field, ..ReadOptions::default() };
        let mut outcomes =
            read_from(ImportFormat::LabelStudio, "export.json", task.as_bytes(), &options);
        let first = outcomes.next().unwrap();
        first.map(|document| document.text).map_err(|error| error.to_string())
    };
    assert_eq!(text(Some("body")).as_deref(), Ok("Bo met Ana."));
    assert_eq!(text(Some("title")).as_deref(), Ok("Ana"));
    for wrong in [None, Some("text")] {
        assert!(text(wrong).unwrap_err().contains("--text-field"), "{wrong:?}");
    }
}

#[test]
fn label_studio_quotes_tell_the_unit_and_are_verified() {
    let task = |value: &str| {
        format!(
            "[{{\"data\": {{\"text\": \"🥳 This that\"}}, \"annotations\": [{{\"result\": \
                 [{{\"type\": \"labels\", \"value\": {value}}}]}}]}}]"
        )
    };
    let old = task(r#"{"start": 3, "end": 7, "text": "This", "labels": ["A"]}"#);
    let (documents, problems, notes) = open(ImportFormat::LabelStudio, &old);
    assert_eq!((quotes(&documents[0]), problems), (vec![pair("This", "A")], vec![]));
    assert_eq!(notes, ["spans with offsets read as UTF-16 units, not code points: 1"]);

    let shifted = task(r#"{"start": 4, "end": 8, "text": "This", "labels": ["A"]}"#);
    let (documents, problems, _) = open(ImportFormat::LabelStudio, &shifted);
    assert!(documents.is_empty());
    assert_eq!(
        problems,
        ["export.json, line 1, field annotations[0].result[0].value.text: the \
                          text at the span's place is \"is t\", the file quotes \"This\"; its \
                          offsets may be of another unit or another version of the text"]
    );

    let unquoted = task(r#"{"start": 2, "end": 6, "labels": ["A"]}"#);
    assert_eq!(quotes(&open(ImportFormat::LabelStudio, &unquoted).0[0]), [pair("This", "A")]);
}

#[test]
fn label_studio_tasks_over_other_things_are_refused() {
    let hypertext = r#"[{"data": {"text": "<p>EU</p>"}, "annotations": [{"result": [
        {"type": "hypertextlabels", "value": {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]",
         "startOffset": 0, "endOffset": 2, "hypertextlabels": ["ORG"]}}]}]}]"#;
    let (_, problems, _) = open(ImportFormat::LabelStudio, hypertext);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("of the type \"hypertextlabels\""), "{problems:?}");

    let dialogue = r#"[{"data": {"dialogue": [{"text": "hi"}]}, "annotations": []},
                       {"data": {"a": "one", "b": "two"}, "annotations": []},
                       {"data": {"body": "only"}, "annotations": []}]"#;
    let (documents, problems, _) = open(ImportFormat::LabelStudio, dialogue);
    assert_eq!(problems.len(), 2);
    assert!(problems[1].contains("data.a, data.b"), "{problems:?}");
    assert_eq!(documents[0].text, "only");

    let twice = r#"[{"data": {"text": "EU"}, "annotations": [
        {"completed_by": 1, "result": []}, {"completed_by": 1, "result": []}]}]"#;
    assert_eq!(open(ImportFormat::LabelStudio, twice).1, Vec::<String>::new());
}

#[test]
fn of_two_annotations_of_one_rater_the_last_counts_or_the_first_or_each() {
    let twice = r#"[{"data": {"text": "EU rejects"}, "annotations": [
        {"completed_by": 1, "result": [
            {"type": "labels", "value": {"start": 0, "end": 2, "labels": ["A"]}}]},
        {"completed_by": 1, "result": [
            {"type": "labels", "value": {"start": 3, "end": 10, "labels": ["B"]}}]}]}]"#;
    let (first, last) = (vec![pair("EU", "A")], vec![pair("rejects", "B")]);
    for (second, expected) in [
        (SecondAnnotation::Last, vec![("1", last.clone())]),
        (SecondAnnotation::First, vec![("1", first.clone())]),
        (SecondAnnotation::Each, vec![("1", first), ("1 (2)", last)]),
    ] {
        let options = ReadOptions { second, ..ReadOptions::default() };
        let mut outcomes = read_from(ImportFormat::LabelStudio, "x", twice.as_bytes(), &options);
        assert_eq!(work(&outcomes.next().unwrap().unwrap()), expected);
        let notes = outcomes.notes();
        assert_eq!(notes[0].note, Note::Repaired(Repair::SecondAnnotation(second)));
    }
}

#[test]
fn answers_that_are_no_judgements_are_told_and_counted_if_somebody_says_so() {
    let prodigy = r#"{"text": "EU", "spans": [], "answer": "reject"}"#;
    let label_studio = r#"[{"data": {"text": "EU"}, "annotations": [
        {"completed_by": 1, "was_cancelled": true, "result": []}]}]"#;
    let predicted = r#"[{"data": {"text": "EU"}, "annotations": [], "predictions": [
        {"model_version": "m", "result": []}]}]"#;
    let doccano = r#"{"text": "EU", "label": [[0, 2, "A"]], "annotation_approver": null}"#;
    for (format, file, answer, counts, raters) in [
        (ImportFormat::Prodigy, prodigy, Answer::Rejected, false, 0),
        (ImportFormat::LabelStudio, label_studio, Answer::Skipped, false, 1),
        (ImportFormat::LabelStudio, predicted, Answer::Prediction, false, 1),
        (ImportFormat::Doccano, doccano, Answer::Unapproved, true, 0),
    ] {
        for said in [None, Some(true), Some(false)] {
            let counted = said.unwrap_or(counts);
            let answers = said.map(|said| (answer, said)).into_iter().collect();
            let options = ReadOptions { answers, ..ReadOptions::default() };
            let mut outcomes = read_from(format, "x", file.as_bytes(), &options);
            let document = outcomes.next().unwrap().unwrap();
            let judged = document.judged || !document.work.is_empty();
            assert_eq!(judged, counted, "{answer}, {said:?}");
            assert_eq!(document.work.len(), if counted { raters } else { 0 }, "{answer}");
            let notes = outcomes.notes();
            assert_eq!((&notes[0].note, notes[0].count), (&Note::Answer { answer, counted }, 1));
        }
    }
}

#[test]
fn label_studio_min_has_an_object_for_each_annotation() {
    let file = r#"[
      {"text": "EU rejects", "id": 1, "label": [{"start": 0, "end": 2, "text": "EU",
       "labels": ["ORG"]}], "annotator": 1, "annotation_id": 5, "created_at": "2024-01-01",
       "lead_time": 2.5},
      {"text": "EU rejects", "id": 1, "annotator": "ben@example.org", "annotation_id": 6}]"#;
    let (mut documents, problems, _) = open(ImportFormat::LabelStudioMin, file);
    assert_eq!(problems, Vec::<String>::new());
    let second = documents.pop().unwrap();
    let mut whole = documents.pop().unwrap();
    whole.merge(second).unwrap();
    assert_eq!(work(&whole), [("1", vec![pair("EU", "ORG")]), ("ben@example.org", vec![])]);
    let other = ImportedDocument { text: "else".to_owned(), ..whole.clone() };
    assert!(whole.merge(other).is_err());
    let mut same = whole.clone();
    same.work[0].spans[0].line = 99;
    whole.merge(same).unwrap();
    assert_eq!(work(&whole), [("1", vec![pair("EU", "ORG")]), ("ben@example.org", vec![])]);
    let mut other = whole.clone();
    other.work[0].spans[0].end = 1;
    assert_eq!(whole.merge(other.clone()), Err(Box::new(other)));
}

#[test]
fn prodigy_lines_are_answers_of_annotators() {
    let line = |rater: &str, answer: &str| {
        format!(
            "{{\"text\":\"EU rejects\",\"_input_hash\":-5,\"_task_hash\":2,\"tokens\":[{{\
                 \"text\":\"EU\",\"start\":0,\"end\":2,\"id\":0,\"ws\":true}}],\"spans\":[{{\
                 \"start\":0,\"end\":2,\"token_start\":0,\"token_end\":0,\"label\":\"ORG\"}}],\
                 \"_session_id\":\"ds-{rater}\",\"_view_id\":\"ner_manual\",\
                 \"answer\":\"{answer}\"}}\n"
        )
    };
    let file = line("ana", "accept") + &line("ben", "reject") + &line("eve", "ignore");
    let (documents, problems, notes) = open(ImportFormat::Prodigy, &file);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(documents.len(), 3);
    assert_eq!(documents[0].name, "input -5");
    assert_eq!(work(&documents[0]), [("ds-ana", vec![pair("EU", "ORG")])]);
    assert!(documents[1].work.is_empty() && documents[1].spans.is_empty());
    assert_eq!(
        notes,
        ["rejected annotations, not counted: 1", "skipped annotations, not counted: 1"]
    );
    let annotator = line("ana", "accept").replace("_view_id", "_annotator_id");
    assert_eq!(open(ImportFormat::Prodigy, &annotator).0[0].work[0].rater, "ner_manual");
}

#[test]
fn spacy_has_tuples_documents_and_training_data() {
    let tuples = r#"[["EU rejects Danish", {"entities": [[0, 2, "ORG"], [11, 17, "MISC"]]}],
                     ["plain", {"entities": [], "spans": {"sc": [[0, 5, "A"], [1, 3, "B"]]}}]]"#;
    let (documents, problems, _) = open(ImportFormat::Spacy, tuples);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(quotes(&documents[0]), [pair("EU", "ORG"), pair("Danish", "MISC")]);
    assert_eq!(quotes(&documents[1]), [pair("plain", "A"), pair("la", "B")]);
    assert_eq!(documents[1].name, "export-2");

    let line = r#"["EU rejects", {"entities": [[0, 2, "ORG"]]}]"#;
    assert_eq!(read_as(ImportFormat::Spacy, &format!("{line}\n{line}\n")).0.len(), 2);

    let doc = r#"{"text": "EU rejects", "ents": [{"start": 0, "end": 2, "label": "ORG"}],
        "sents": [{"start": 0, "end": 10}], "tokens": [{"id": 0, "start": 0, "end": 2}],
        "spans": {"sc": [{"start": 0, "end": 2, "label": "ORG", "kb_id": ""},
                         {"start": 3, "end": 10, "label": "VERB", "kb_id": ""}]}}"#;
    let (documents, _, notes) = open(ImportFormat::Spacy, doc);
    assert_eq!(quotes(&documents[0]), [pair("EU", "ORG"), pair("rejects", "VERB")]);
    assert!(notes.is_empty());

    let training = r#"[{"id": 4, "paragraphs": [{"raw": "The  Who\nplay", "sentences": [{"tokens": [
        {"id": 0, "orth": "The", "ner": "B-ORG"}, {"id": 1, "orth": " ", "ner": "I-ORG"},
        {"id": 2, "orth": "Who", "ner": "L-ORG"}, {"id": 3, "orth": "\n", "ner": "O"},
        {"id": 4, "orth": "play", "ner": "U-VERB"}], "brackets": []}]},
        {"sentences": [{"tokens": [{"orth": "no"}, {"orth": "raw", "ner": "U-A"}]}]}]}]"#;
    let (documents, problems, _) = open(ImportFormat::Spacy, training);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(quotes(&documents[0]), [pair("The  Who", "ORG"), pair("play", "VERB")]);
    assert_eq!((documents[1].text.as_str(), documents[1].id.as_deref()), ("no raw", Some("4-1")));
    let open_span = training.replace("L-ORG", "O");
    assert!(read_as(ImportFormat::Spacy, &open_span).1[0].contains("BILUO"));
    let elsewhere = training.replace("\"orth\": \"play\"", "\"orth\": \"plays\"");
    assert!(read_as(ImportFormat::Spacy, &elsewhere).1[0].contains("the token \"plays\" is not"));

    let of_tokens = |orth: &str, tag: &str| {
        let file = format!(
            "[{{\"paragraphs\": [{{\"sentences\": [{{\"tokens\": [{{\"orth\": \"{orth}\", \"ner\": \
             \"{tag}\"}}]}}]}}]}}]"
        );
        let (documents, problems, _) = read_as(ImportFormat::Spacy, &file);
        assert_eq!(documents.len() + problems.len(), 1, "{file}");
        problems.into_iter().next().unwrap_or_default()
    };
    assert_eq!(of_tokens("EU", "U-A"), "");
    assert!(of_tokens("EU", "U- ").contains("BILUO"));
    assert!(of_tokens("EU", "U-A\\u0000").contains("BILUO"));
    assert!(
        of_tokens("a\\u0000", "O").contains("paragraphs[0].sentences: the text contains a NUL")
    );
}

#[test]
fn datasaur_rows_are_lines_and_its_ends_are_inclusive() {
    let label = |name: &str, start: &str, end: &str| {
        format!(
            "{{\"id\": \"s\", \"labelItem\": {{\"labelName\": \"{name}\"}}, \"labeledBy\": \
                 \"LABELER\", \"textPosition\": {{\"start\": {{{start}}}, \"end\": {{{end}}}}}}}"
        )
    };
    let file = |labels: &[String]| {
        format!(
            "{{\"data\": {{\"rows\": [[{{\"content\": \"EU rejects\", \"tokens\": [\"EU\", \
                 \"rejects\"]}}], [{{\"content\": \"🥳 yes\", \"tokens\": [\"🥳\", \"yes\"]}}]], \
                 \"labelSets\": [{{\"labelItems\": [{{\"id\": \"i\", \"labelName\": \"SET\"}}]}}], \
                 \"spanLabels\": [{}], \"arrowLabels\": [{{}}]}}}}",
            labels.join(", ")
        )
    };
    let labels = [
        label("ORG", "\"row\": 0, \"tokenIndex\": 0", "\"row\": 0, \"tokenIndex\": 0"),
        label(
            "PART",
            "\"row\": 0, \"tokenIndex\": 1, \"charIndex\": 2",
            "\"row\": 1, \"tokenIndex\": 1, \"charIndex\": 0",
        ),
        label(
            "PARTY",
            "\"row\": 1, \"column\": 0, \"tokenIndex\": 0, \"charIndex\": 0",
            "\"row\": 1, \"column\": 0, \"tokenIndex\": 0, \"charIndex\": 1",
        ),
        label("X", "\"row\": 0, \"tokenIndex\": 0", "\"row\": 0, \"tokenIndex\": 0")
            .replace("LABELER", "CONFLICT"),
        label("SET", "\"row\": 0, \"tokenIndex\": 0", "\"row\": 0, \"tokenIndex\": 0")
            .replace("\"labelItem\": {\"labelName\": \"SET\"}", "\"labelSetItemId\": \"i\""),
    ];
    let (documents, problems, notes) = open(ImportFormat::Datasaur, &file(&labels));
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(documents[0].text, "EU rejects\n🥳 yes");
    assert_eq!(
        quotes(&documents[0]),
        [pair("EU", "ORG"), pair("jects\n🥳 y", "PART"), pair("🥳", "PARTY"), pair("EU", "SET")]
    );
    assert_eq!(notes, ["labels in conflict, which nobody has decided: 1", "relations: 1",]);

    let endless = label(
        "A",
        "\"row\": 0, \"tokenIndex\": 0",
        "\"row\": 0, \"tokenIndex\": 0, \"charIndex\": 18446744073709551615",
    );
    let (_, problems, _) = open(ImportFormat::Datasaur, &file(&[endless]));
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("the character 18446744073709551615 of the token \"EU\""));

    let beyond = label("A", "\"row\": 0, \"tokenIndex\": 0", "\"row\": 7, \"tokenIndex\": 0");
    let (_, problems, _) = open(ImportFormat::Datasaur, &file(&[beyond]));
    assert_eq!(
        problems,
        ["export.json, line 1, field \
                          data.spanLabels[0].textPosition.end.tokenIndex: there is no token \
                          \"7:0:0\""]
    );
}

#[test]
fn our_own_lines_name_raters() {
    let file = "{\"text\": \"EU rejects\", \"work\": [{\"rater\": \"ana\", \"spans\": [{\"start\": 0, \
                \"end\": 2, \"label\": \"ORG\"}]}, {\"rater\": 7}]}\n\
                {\"text\": \"EU\", \"work\": [{\"rater\": \"ana\"}, {\"rater\": \"ana\"}, \
                {\"spans\": []}, {\"rater\": \" \"}, 3]}\n\
                {\"text\": \"EU\", \"work\": [{\"rater\": \"a\", \"spans\": [{\"start\": 0, \"end\": \
                3, \"label\": \"A\"}]}]}\n";
    let (documents, problems, _) = open(ImportFormat::JsonLines, file);
    assert_eq!(work(&documents[0]), [("ana", vec![pair("EU", "ORG")]), ("7", vec![])]);
    let fields: Vec<_> =
        problems.iter().map(|problem| problem.split(": ").next().unwrap().to_owned()).collect();
    assert_eq!(
        fields,
        [
            "export.json, line 2, field work[2].rater",
            "export.json, line 2, field work[3].rater",
            "export.json, line 2, field work[4]",
            "export.json, line 3, field work[0].spans[0].end",
        ]
    );
}

#[test]
fn the_content_tells_more_than_the_name() {
    for (name, head, format) in [
        ("a.txt", "{\"text\": \"x\", \"spans\": []}", Some(ImportFormat::PlainText)),
        ("a.dat", "{\"text\": \"x\", \"spans\": []}", Some(ImportFormat::JsonLines)),
        ("a.jsonl", "{\"text\": \"x\", \"label\": []}", Some(ImportFormat::Doccano)),
        ("a.jsonl", "{\"text\": \"x\", \"answer\": \"accept\", \"to", Some(ImportFormat::Prodigy)),
        ("a.jsonl", "{\"te", Some(ImportFormat::JsonLines)),
        ("a.json", "{\"te", None),
        ("a.json", "[{\"text\": \"x\"}]", None),
        ("a.json", "\u{FEFF} {\"%TYPES\": {\"a", Some(ImportFormat::CasJson)),
        ("a.xmi", "<?xml version=\"1.0\"?>", Some(ImportFormat::CasXmi)),
        ("a.xml", "<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\"", Some(ImportFormat::CasXmi)),
        ("a.txt", "<p>no xmi</p>", Some(ImportFormat::PlainText)),
        ("a.conll", "[ O\n", Some(ImportFormat::Conll)),
    ] {
        assert_eq!(ImportFormat::detect(name, head.as_bytes()), format, "{name}: {head}");
    }
    assert!(ImportFormat::Prodigy.comes_in_pieces() && !ImportFormat::Doccano.comes_in_pieces());
}

#[test]
fn a_task_of_ours_from_before_it_said_so_is_read_as_one() {
    let region = r#"{"id":"s0","from_name":"label","to_name":"text","type":"labels","value":{"start":0,"end":4,"text":"Ulva","labels":["LOC"]}}"#;
    let file = format!(
        r#"[{{"id":3,"data":{{"text":"Ulva"}},"meta":{{"name":"n"}},"annotations":[{{"id":1,"completed_by":{{"email":"ana"}},"was_cancelled":false,"result":[]}}],"predictions":[{{"result":[{region}]}}]}}]"#
    );
    let document =
        read(ImportFormat::LabelStudio, "a.json", file.as_bytes()).next().unwrap().unwrap();
    assert_eq!((document.id, document.name.as_str(), document.judged), (None, "n", true));
    assert_eq!((document.spans.len(), document.work.len()), (1, 1));
}

#[test]
fn a_task_with_a_name_is_not_taken_for_our_own() {
    let file = r#"[{"id": 3, "data": {"text": "Ulva"}, "meta": {"name": "n"}, "annotations": [], "predictions": [
        {"result": [{"type": "labels", "value": {"start": 0, "end": 4, "labels": ["LOC"]}}]}]}]"#;
    let document =
        read(ImportFormat::LabelStudio, "a.json", file.as_bytes()).next().unwrap().unwrap();
    assert_eq!((document.id.as_deref(), document.judged), (Some("3"), false));
}
