//! Exports of Label Studio, Prodigy and doccano that can be read in more than one way.

use formats::{ImportFormat, ImportedDocument, ReadOptions};

use crate::other_tools::read_with as read;

/// What everybody marked in a document, as `rater: quote/LABEL`; `-` is nobody named.
fn marked(document: &ImportedDocument) -> Vec<String> {
    let named = document.work.iter().map(|work| (&*work.rater, &work.spans));
    let nobody =
        Some(("-", &document.spans)).filter(|(_, spans)| document.judged || !spans.is_empty());
    let quote = |start: usize, end: usize| {
        document.text.chars().skip(start).take(end - start).collect::<String>()
    };
    let words = |(rater, spans): (&str, &Vec<formats::ImportedSpan>)| {
        let spans: Vec<_> = spans
            .iter()
            .map(|span| format!("{}/{}", quote(span.start, span.end), span.label))
            .collect();
        format!("{rater}: {}", spans.join(" "))
    };
    named.chain(nobody).map(words).collect()
}

fn region(start: usize, end: usize, label: &str, to: &str, quote: &str) -> String {
    let quote = if quote.is_empty() { String::new() } else { format!(r#", "text": "{quote}""#) };
    format!(
        r#"{{"value": {{"start": {start}, "end": {end}, "labels": ["{label}"]{quote}}}, "from_name": "l{to}", "to_name": "{to}", "type": "labels"}}"#
    )
}

fn task(data: &str, annotations: &[&str]) -> String {
    format!(r#"[{{"id": 1, "data": {data}, "annotations": [{}]}}]"#, annotations.join(","))
}

fn by(rater: &str, regions: &[String]) -> String {
    format!(r#"{{{rater} "result": [{}]}}"#, regions.join(","))
}

#[test]
fn regions_on_another_text_or_a_recording_are_left_out() {
    let texts = r#"{"title": "Lund wins again today", "text": "Mira Holt moved to Lund in May."}"#;
    let audio = r#"{"audio": "s3://a/b.wav", "text": "Mira came."}"#;
    let body = r#"{"body": "Mira came.", "url": "https://x.example/a"}"#;
    let both = [region(0, 4, "LOC", "title", "Lund"), region(0, 9, "PER", "text", "Mira Holt")];
    let unquoted = [region(0, 4, "LOC", "title", ""), region(0, 9, "PER", "text", "")];
    let seconds = [region(3, 9, "Speech", "audio", ""), region(0, 4, "PER", "text", "Mira")];
    let title = [region(0, 4, "LOC", "title", "")];
    let other_name = [region(0, 4, "PER", "txt", "Mira")];
    let named_else = [region(3, 9, "Speech", "sound", ""), region(0, 4, "PER", "shown", "Mira")];
    for (data, regions, field, expected, notes) in [
        (
            texts,
            &both[..],
            None,
            "1: Mira Holt/PER",
            vec!["regions on title, which is not the text text: 1"],
        ),
        (
            texts,
            &both,
            Some("title"),
            "1: Lund/LOC",
            vec!["regions on text, which is not the text title: 1"],
        ),
        (
            texts,
            &unquoted,
            None,
            "1: Mira Holt/PER",
            vec!["regions on title, which is not the text text: 1"],
        ),
        (texts, &title, None, "1: Lund/LOC", vec![]),
        (
            audio,
            &seconds,
            None,
            "1: Mira/PER",
            vec!["regions on audio, which is not the text text: 1"],
        ),
        (
            audio,
            &seconds[..1],
            None,
            "1: ",
            vec!["regions on audio, which is not the text text: 1"],
        ),
        (body, &other_name, None, "1: Mira/PER", vec![]),
        (
            audio,
            &named_else,
            None,
            "1: Mira/PER",
            vec!["regions on sound, which is not the text text: 1"],
        ),
    ] {
        let options =
            ReadOptions { text_field: field.map(str::to_owned), ..ReadOptions::default() };
        let file = task(data, &[&by(r#""completed_by": 1,"#, regions)]);
        let (documents, problems, told) =
            read(ImportFormat::LabelStudio, "e.json", &file, &options);
        assert_eq!(problems, Vec::<String>::new(), "{file}");
        assert_eq!(marked(&documents[0]), [expected], "{file}");
        assert_eq!(told, notes, "{file}");
    }
}

#[test]
fn regions_on_objects_that_nothing_tells_apart_are_refused() {
    let regions = [region(0, 4, "A", "x", ""), region(0, 4, "B", "y", "")];
    let file = task(r#"{"text": "Mira came."}"#, &[&by("", &regions)]);
    let (_, problems, _) =
        read(ImportFormat::LabelStudio, "e.json", &file, &ReadOptions::default());
    assert!(
        problems[0].contains("several fields hold spans (x, y); choose with --layer"),
        "{problems:?}"
    );
    for (layer, expected) in [("x", "-: Mira/A"), ("ly", "-: Mira/B")] {
        let options = ReadOptions { layers: vec![layer.to_owned()], ..ReadOptions::default() };
        let (documents, _, _) = read(ImportFormat::LabelStudio, "e.json", &file, &options);
        assert_eq!(marked(&documents[0]), [expected]);
    }
}

#[test]
fn lists_of_json_min_are_of_the_text_that_they_fit() {
    let row =
        |fields: &str| format!(r#"[{{"id": 1, {fields}, "annotator": 1, "annotation_id": 1}}]"#);
    let texts = r#""title": "Lund wins", "text": "Mira Holt moved to Lund in May.""#;
    let list = |name: &str, start: usize, end: usize, quote: &str| {
        let quote =
            if quote.is_empty() { String::new() } else { format!(r#", "text": "{quote}""#) };
        format!(r#""{name}": [{{"start": {start}, "end": {end}, "labels": ["{name}"]{quote}}}]"#)
    };
    let read_row = |fields: &str, layers: &[&str]| {
        let layers = layers.iter().map(|it| (*it).to_owned()).collect();
        let options = ReadOptions { layers, ..ReadOptions::default() };
        read(ImportFormat::LabelStudioMin, "e.json", &row(fields), &options)
    };
    let unclear = format!("{texts}, {}, {}", list("tlabel", 0, 4, ""), list("label", 0, 9, ""));
    let (_, problems, _) = read_row(&unclear, &[]);
    let expected = "nothing tells on which text the regions of tlabel, label are; choose a text with --text-field";
    assert!(problems[0].contains(expected), "{problems:?}");
    assert_eq!(read_row(&unclear, &["tlabel"]).1.len(), 1, "the text is still unclear");
    for (layer, field, expected) in
        [("label", "text", "1: Mira Holt/label"), ("tlabel", "title", "1: Lund/tlabel")]
    {
        let (layers, text_field) = (vec![layer.to_owned()], Some(field.to_owned()));
        let options = ReadOptions { layers, text_field, ..ReadOptions::default() };
        let (documents, _, notes) =
            read(ImportFormat::LabelStudioMin, "e.json", &row(&unclear), &options);
        assert_eq!(
            (marked(&documents[0]), notes.len()),
            (vec![expected.to_owned()], 1),
            "{notes:?}"
        );
    }
    for (fields, layers, expected, left) in [
        (
            format!("{texts}, {}, {}", list("a", 0, 4, "Lund"), list("b", 0, 4, "Mira")),
            &[][..],
            "1: Mira/b",
            1,
        ),
        (
            format!("{texts}, {}, {}", list("a", 19, 23, ""), list("b", 0, 4, "Mira")),
            &[],
            "1: Lund/a Mira/b",
            0,
        ),
        (format!("{texts}, {}", list("a", 0, 4, "")), &[], "1: Mira/a", 0),
        (
            format!(r#""text": "Mira came.", {}, {}"#, list("a", 0, 4, ""), list("b", 5, 9, "")),
            &[],
            "1: Mira/a came/b",
            0,
        ),
    ] {
        let (documents, problems, notes) = read_row(&fields, layers);
        assert_eq!(problems, Vec::<String>::new(), "{fields}");
        assert_eq!(
            (marked(&documents[0]), notes.len()),
            (vec![expected.to_owned()], left),
            "{notes:?}"
        );
    }
}

#[test]
fn the_newest_annotation_of_a_person_counts() {
    let dated = |rater: u8, date: &str, label: &str| {
        by(&format!(r#""completed_by": {rater}, {date}"#), &[region(0, 4, label, "text", "Mira")])
    };
    let (old, new) =
        (r#""created_at": "2024-01-01T10:00:00Z","#, r#""created_at": "2024-03-02T10:00:00Z","#);
    let updated = r#""created_at": "2023-01-01T10:00:00Z", "updated_at": "2024-05-01T00:00:00Z","#;
    for (annotations, expected) in [
        (
            [dated(1, new, "NEW"), dated(1, old, "OLD"), dated(2, old, "B")],
            ["1: Mira/NEW", "2: Mira/B"],
        ),
        (
            [dated(1, old, "OLD"), dated(2, old, "B"), dated(1, new, "NEW")],
            ["1: Mira/NEW", "2: Mira/B"],
        ),
        (
            [dated(1, updated, "UP"), dated(1, new, "NEW"), dated(2, old, "B")],
            ["1: Mira/UP", "2: Mira/B"],
        ),
        (
            [dated(1, "", "X"), dated(1, "", "LAST"), dated(2, "", "B")],
            ["1: Mira/LAST", "2: Mira/B"],
        ),
    ] {
        let annotations: Vec<&str> = annotations.iter().map(String::as_str).collect();
        let file = task(r#"{"text": "Mira came."}"#, &annotations);
        let (documents, _, notes) =
            read(ImportFormat::LabelStudio, "e.json", &file, &ReadOptions::default());
        assert_eq!(marked(&documents[0]), expected, "{file}");
        assert_eq!(notes.len(), 1, "{notes:?}");
    }
}

#[test]
fn annotations_of_nobody_are_not_one_persons() {
    let one = by("", &[region(0, 4, "A", "text", "")]);
    let two = by("", &[region(5, 9, "B", "text", "")]);
    let named = by(r#""completed_by": 7,"#, &[region(0, 4, "C", "text", "")]);
    for (annotations, expected) in [
        (vec![&*one, &two], vec!["export (2): came/B", "-: Mira/A"]),
        (vec![&*one, &two, &one], vec!["export (2): came/B", "export (3): Mira/A", "-: Mira/A"]),
        (vec![&*one, &named], vec!["7: Mira/C", "-: Mira/A"]),
        (vec![&*one], vec!["-: Mira/A"]),
    ] {
        let unnamed = annotations.iter().filter(|it| **it != named).count();
        for key in ["annotations", "completions"] {
            let file = task(r#"{"text": "Mira came."}"#, &annotations).replace("annotations", key);
            let (documents, _, notes) =
                read(ImportFormat::LabelStudio, "export.json", &file, &ReadOptions::default());
            assert_eq!(marked(&documents[0]), expected, "{file}");
            assert_eq!(notes.len(), usize::from(unnamed > 1), "{notes:?}");
        }
    }
}

#[test]
fn quotes_of_a_part_of_their_span_leave_the_offsets_as_they_are() {
    for (start, end, quote, expected) in [
        (0, 11, "ple tex", Some("simple text")),
        (0, 11, "simple", Some("simple text")),
        (7, 11, "ex", Some("text")),
        (0, 11, "imple t", Some("simple text")),
        (1, 6, "simple", None),
        (0, 11, "here", None),
        (0, 16, "text", None),
    ] {
        let file = task(
            r#"{"text": "simple text here"}"#,
            &[&by("", &[region(start, end, "A", "text", quote)])],
        );
        let prodigy = format!(
            r#"{{"text": "simple text here", "spans": [{{"start": {start}, "end": {end}, "label": "A", "text": "{quote}"}}], "answer": "accept"}}"#
        );
        for (format, file) in
            [(ImportFormat::LabelStudio, &file), (ImportFormat::Prodigy, &prodigy)]
        {
            let (documents, problems, notes) =
                read(format, "e.json", file, &ReadOptions::default());
            match expected {
                Some(expected) => {
                    assert_eq!(marked(&documents[0]), [format!("-: {expected}/A")]);
                    assert_eq!(notes, ["quotes of a part of their spans, whose offsets count: 1"]);
                }
                None => assert!(problems[0].contains("the file quotes"), "{quote}: {problems:?}"),
            }
        }
    }
}

#[test]
fn dialogues_are_called_by_their_name() {
    let file = r#"[{"id": 1, "data": {"dialogue": [{"author": "A", "text": "Mira came."}]}, "annotations": []}]"#;
    let (_, problems, _) = read(ImportFormat::LabelStudio, "e.json", file, &ReadOptions::default());
    assert!(problems[0].contains("paragraphlabels"), "{problems:?}");
}

fn prodigy(fields: &str) -> String {
    format!(
        r#"{{"text": "Mira met Nils", "_input_hash": 5, "spans": [{{"start": 0, "end": 4, "label": "PER"}}], "answer": "accept", {fields}}}"#
    )
}

#[test]
fn decisions_on_one_suggestion_are_no_judgement_of_a_text() {
    for (fields, refused) in [
        (r#""_view_id": "ner", "_is_binary": true, "_annotator_id": "d-ana""#, true),
        (r#""_is_binary": true"#, true),
        (r#""_view_id": "ner_manual", "_is_binary": false, "_annotator_id": "d-bo""#, false),
        (r#""_view_id": "ner_manual""#, false),
    ] {
        let (documents, problems, _) =
            read(ImportFormat::Prodigy, "db.jsonl", &prodigy(fields), &ReadOptions::default());
        assert_eq!(
            (documents.len(), problems.len()),
            (usize::from(!refused), usize::from(refused))
        );
        assert!(problems.iter().all(|it| it.contains("ner.silver-to-gold")), "{problems:?}");
    }
    let rejected = prodigy(r#""_is_binary": true"#).replace("accept", "reject");
    let (documents, problems, _) =
        read(ImportFormat::Prodigy, "db.jsonl", &rejected, &ReadOptions::default());
    assert_eq!((problems.len(), marked(&documents[0]).len()), (0, 0));
}

#[test]
fn sessions_that_are_times_name_nobody() {
    for (session, expected) in [
        ("2023-02-01_10-11-12", "-"),
        ("news-2023-02-01_10-11-12", "-"),
        ("news-ana", "news-ana"),
        ("ana2023-02-01_10-11-12", "ana2023-02-01_10-11-12"),
        ("2023-02-01", "2023-02-01"),
    ] {
        let line = prodigy(&format!(r#""_session_id": "{session}", "_annotator_id": "{session}""#));
        let (documents, _, notes) =
            read(ImportFormat::Prodigy, "db.jsonl", &line, &ReadOptions::default());
        assert_eq!(marked(&documents[0]), [format!("{expected}: Mira/PER")]);
        assert_eq!(notes.len(), usize::from(expected == "-"), "{notes:?}");
    }
}

#[test]
fn parts_of_one_document_get_ids_of_their_own() {
    let line = |text: &str, rater: &str, id: &str| {
        format!(
            r#"{{"text": "{text}", "spans": [], "answer": "accept", "meta": {{"id": "{id}"}}, "_annotator_id": "{rater}"}}"#
        )
    };
    let file = [
        line("One.", "ana", "d"),
        line("Two.", "ana", "d"),
        line("Two.", "bo", "d"),
        line("One.", "bo", "d"),
        line("Three.", "bo", "d"),
        line("One.", "bo", "e"),
    ];
    let (documents, problems, notes) =
        read(ImportFormat::Prodigy, "db.jsonl", &file.join("\n"), &ReadOptions::default());
    assert_eq!(problems, Vec::<String>::new());
    let ids: Vec<_> = documents.iter().map(|it| it.id.as_deref().unwrap()).collect();
    assert_eq!(ids, ["d", "d (2)", "d (2)", "d", "d (3)", "e"]);
    assert_eq!(notes, ["texts with the id of another text, numbered: 3"]);
}

#[test]
fn words_tell_what_offsets_of_doccano_count() {
    let line = |spans: &str| {
        format!(r#"{{"id": 1, "text": "🎉 Mira met Nils in Lund", "label": [{spans}]}}"#)
    };
    let entity = r#"{"id": 1, "text": "🎉 Mira met Nils", "entities": [{"start_offset": 2, "end_offset": 6, "label": "PER"}], "relations": []}"#;
    let code_points = "spans with offsets read as code points, in which they are of whole words, not UTF-16 units";
    let utf16 = "spans with offsets read as UTF-16 units, not code points";
    for (line, expected, note) in [
        (
            line(r#"[2, 6, "PER"], [11, 15, "PER"]"#),
            "-: Mira/PER Nils/PER",
            format!("{code_points}: 2"),
        ),
        (entity.to_owned(), "-: Mira/PER", format!("{code_points}: 1")),
        (line(r#"[3, 7, "PER"], [12, 16, "PER"]"#), "-: Mira/PER Nils/PER", format!("{utf16}: 2")),
        // Parts of words in both: the unit of the tool.
        (line(r#"[3, 6, "PER"]"#), "-: Mir/PER", format!("{utf16}: 1")),
        (line(r#"[3, 7, "PER"], [2, 6, "PER"]"#), "-: Mira/PER  Mir/PER", format!("{utf16}: 2")),
    ] {
        let (documents, problems, notes) =
            read(ImportFormat::Doccano, "ana.jsonl", &line, &ReadOptions::default());
        assert_eq!(problems, Vec::<String>::new(), "{line}");
        assert_eq!(
            (marked(&documents[0]), notes),
            (vec![expected.to_owned()], vec![note]),
            "{line}"
        );
    }
}

#[test]
fn unlabelled_examples_of_doccano_are_of_nobody() {
    for (name, spans, raters) in [
        ("unknown.jsonl", "", 0),
        ("m1.jsonl", "", 1),
        ("unknown.jsonl", r#"[0, 4, "PER"]"#, 1),
        ("p/unknown.jsonl", "", 0),
    ] {
        let line = format!(r#"{{"id": 1, "text": "Mira", "label": [{spans}]}}"#);
        let (documents, _, _) = read(ImportFormat::Doccano, name, &line, &ReadOptions::default());
        assert_eq!(marked(&documents[0]).len(), raters, "{name}");
    }
}
