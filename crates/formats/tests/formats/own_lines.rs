//! JSON Lines of ours as people have them: who a line names, where its spans are, what they quote.

use formats::{ImportFormat, ImportedDocument, ReadOptions, read_from};

use crate::other_tools::said;
use crate::support::quotes;

type Read = Result<(ImportedDocument, Vec<String>), String>;

/// The document of a line and the notes, or the first problem.
fn read(line: &str, layers: &[&str]) -> Read {
    let layers = layers.iter().map(|layer| (*layer).to_owned()).collect();
    let options = ReadOptions { layers, ..ReadOptions::default() };
    let mut outcomes = read_from(ImportFormat::JsonLines, "a.jsonl", line.as_bytes(), &options);
    let document = outcomes.next().unwrap().map_err(|error| error.to_string())?;
    Ok((document, outcomes.notes().iter().map(said).collect()))
}

const SPANS: &str = r#""spans": [{"start": 0, "end": 4, "label": "PER"}]"#;

#[test]
fn a_line_names_its_rater_by_a_field_of_its_own() {
    for (fields, rater) in [
        (r#""rater": "ana""#, "ana"),
        (r#""annotator": "bo""#, "bo"),
        (r#""annotator_id": 7"#, "7"),
        (r#""labeler": "ana", "annotator": "ana""#, "ana"),
        (r#""coder": "C 1", "user": null"#, "C 1"),
    ] {
        let (document, _) =
            read(&format!(r#"{{"text": "Mira came", {SPANS}, {fields}}}"#), &[]).unwrap();
        let work: Vec<_> = document.work.iter().map(|it| (&*it.rater, it.spans.len())).collect();
        assert_eq!(
            (work, document.spans.len(), document.judged),
            (vec![(rater, 1)], 0, false),
            "{fields}"
        );
        // Who has marked nothing has judged it, too.
        let (document, _) = read(&format!(r#"{{"text": "Mira came", {fields}}}"#), &[]).unwrap();
        assert_eq!((document.work.len(), document.judged), (1, false), "{fields}");
    }
    for fields in [r#""rater": null"#, r#""annotator": """#, r#""title": "ana""#] {
        let (document, _) =
            read(&format!(r#"{{"text": "Mira came", {SPANS}, {fields}}}"#), &[]).unwrap();
        assert_eq!((document.work.len(), document.spans.len()), (0, 1), "{fields}");
    }
}

#[test]
fn a_field_that_may_name_somebody_else_is_refused_where_there_are_spans() {
    for (fields, expected) in [
        (r#""user": "ana""#, "field user: it is not clear whether \"user\" marked"),
        (r#""username": "ana""#, "field username: it is not clear"),
        (r#""author": 7"#, "field author: it is not clear"),
        (r#""rater": "ana", "coder": "bo""#, "expected one rater a line"),
        (r#""rater": ["ana"]"#, "field rater: this is a list"),
        (r#""rater": "ana", "work": [{"rater": "bo"}]"#, "raters in \"work\" only"),
    ] {
        let refused =
            read(&format!(r#"{{"text": "Mira came", {SPANS}, {fields}}}"#), &[]).unwrap_err();
        assert!(refused.contains(expected), "{refused}");
    }
    let (document, notes) =
        read(r#"{"text": "Mira came", "user": "ana", "author": {"id": 1}}"#, &[]).unwrap();
    assert!(document.judged && document.work.is_empty());
    assert_eq!(notes, ["the field \"user\", which names nobody here: 1"]);
    let with_work =
        r#"{"text": "Mira came", "user": "ana", "work": [{"rater": "bo", "spans": []}]}"#;
    assert_eq!(read(with_work, &[]).unwrap().0.work.len(), 1);
}

#[test]
fn a_quote_is_held_against_the_text_and_tells_the_unit() {
    for (text, span, expected, note) in [
        ("🎉 Mira met Nils", r#""start": 3, "end": 7, "text": "Mira""#, Ok("Mira"), 1),
        ("🎉 Mira met Nils", r#""start": 2, "end": 6, "text": "Mira""#, Ok("Mira"), 0),
        ("🎉 Mira met Nils", r#""start": 3, "end": 8, "quote": "Mira ""#, Ok("Mira "), 1),
        ("Mira met Nils", r#""start": 0, "end": 4, "text": " Mira""#, Ok("Mira"), 1),
        ("Mira met Nils", r#""start": 0, "end": 4, "text": "Nils""#, Err("spans[0].text"), 0),
        ("Mira met Nils", r#""start": 1, "end": 5, "text": "Mira""#, Err("spans[0].text"), 0),
        ("Mira met Nils", r#""start": 5, "end": 8, "quote": "Met""#, Err("spans[0].quote"), 0),
    ] {
        let spans = format!(r#"[{{{span}, "label": "PER"}}]"#);
        for line in [
            format!(r#"{{"text": "{text}", "spans": {spans}}}"#),
            format!(r#"{{"text": "{text}", "spans": {spans}, "rater": "ana"}}"#),
            format!(r#"{{"text": "{text}", "work": [{{"rater": "ana", "spans": {spans}}}]}}"#),
        ] {
            match (read(&line, &[]), expected) {
                (Ok((mut document, notes)), Ok(expected)) => {
                    if let Some(work) = document.work.pop() {
                        document.spans = work.spans;
                    }
                    assert_eq!(quotes(&document), [(expected.to_owned(), "PER")], "{line}");
                    assert_eq!(notes.len(), note, "{notes:?}");
                }
                (Err(refused), Err(field)) => assert!(refused.contains(field), "{refused}"),
                (read, expected) => panic!("{line}: {read:?} instead of {expected:?}"),
            }
        }
    }
}

#[test]
fn spans_under_an_unknown_field_are_read_and_told() {
    let mentions = |field: &str, start: &str, end: &str, label: &str| {
        format!(
            r#"{{"id": 1, "text": "Flood in Lundby.", "{field}": [{{"{start}": 9, "{end}": 15, "{label}": "CITY"}}]}}"#
        )
    };
    for (field, start, end, label) in [
        ("location_mentions", "start_offset", "end_offset", "type"),
        ("mentions", "begin", "end", "label"),
        ("places", "start", "end", "category"),
        ("ner", "start_char", "end_char", "entity_group"),
    ] {
        let (document, notes) = read(&mentions(field, start, end, label), &[]).unwrap();
        assert_eq!(quotes(&document), [("Lundby".to_owned(), "CITY")], "{field}");
        assert_eq!(notes, [format!("spans are read from the field {field}: 1")]);
    }
    let token = r#"{"start": 0, "end": 5, "text": "Flood", "id": 0}"#;
    let tokens = format!(r#"{{"text": "Flood in Lundby.", "tokens": [{token}]}}"#);
    assert_eq!(read(&tokens, &[]).unwrap().0.spans, []);
}

#[test]
fn of_several_fields_with_spans_one_is_chosen() {
    let span = |label: &str| format!(r#"[{{"start": 9, "end": 15, "label": "{label}"}}]"#);
    let two = format!(r#"{{"text": "Flood in Lundby.", "a": {}, "b": {}}}"#, span("A"), span("B"));
    let refused = read(&two, &[]).unwrap_err();
    assert!(refused.contains("several fields hold spans (a, b); choose with --layer"), "{refused}");
    assert_eq!(quotes(&read(&two, &["b"]).unwrap().0), [("Lundby".to_owned(), "B")]);
    assert_eq!(read(&two, &["a", "b"]).unwrap().0.spans.len(), 2);
    let beside =
        format!(r#"{{"text": "Flood in Lundby.", "spans": {}, "b": {}}}"#, span("A"), span("B"));
    let (document, notes) = read(&beside, &[]).unwrap();
    assert_eq!(quotes(&document), [("Lundby".to_owned(), "A")]);
    assert_eq!(notes, ["spans of the field b, which --layer b reads: 1"]);
    assert_eq!(quotes(&read(&beside, &["b"]).unwrap().0), [("Lundby".to_owned(), "B")]);
    let missing = read(&beside, &["c"]).unwrap_err();
    assert!(missing.contains("there is no layer, column or key c; found spans, b"), "{missing}");
    assert_eq!(read(r#"{"text": "Nothing here."}"#, &["c"]).unwrap().0.spans, []);
    let same = two.replace("\"B\"", "\"A\"");
    assert_eq!(read(&same, &["a", "b"]).unwrap().0.spans.len(), 1);
}
