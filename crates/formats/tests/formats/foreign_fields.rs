//! Lines that have fields of our own and of other tools, or only empty ones.

use formats::ImportFormat;

use crate::other_tools::read_as;

#[test]
fn fields_of_other_tools_in_our_own_lines_are_told() {
    // A long text in front hides from detection what comes after it.
    let long = "EU ".repeat(30_000);
    let doccano = format!("{{\"text\": \"{long}\", \"label\": [[0, 2, \"ORG\"]]}}\n");
    let prodigy = format!(
        "{{\"text\": \"{long}\", \"spans\": [], \"answer\": \"reject\", \"_annotator_id\": \"a\", \
         \"_session_id\": null}}\n"
    );
    let beginning = doccano.as_bytes().get(..65_536).unwrap();
    assert_eq!(ImportFormat::detect("a.jsonl", beginning), Some(ImportFormat::JsonLines));
    let spacy = "{\"text\": \"EU\", \"ents\": [{\"start\": 0, \"end\": 2, \"label\": \"ORG\"}]}\n";
    let (documents, problems, _) =
        read_as(ImportFormat::JsonLines, &format!("{doccano}{prodigy}{spacy}"));
    assert_eq!(documents, []);
    let told = |line, field| {
        format!(
            "export.json, line {line}, field {field}: this is not JSON Lines: expected spans in \
             \"spans\" and raters in \"work\"; in a file of another tool a short text on the first \
             line lets its beginning tell the format"
        )
    };
    assert_eq!(problems, [told(1, "label"), told(2, "_annotator_id"), told(3, "ents")]);

    let lines = "{\"text\": \"EU\", \"label\": [], \"entities\": {}, \"ents\": null, \"labels\": \"\"}\n\
                 {\"text\": \"EU\", \"label\": \"news\", \"labels\": [\"a\", \"b\"], \"answer\": 1}\n\
                 {\"text\": \"EU\", \"label\": true, \"_session_id\": 7, \"work\": []}\n";
    let (documents, problems, notes) = read_as(ImportFormat::JsonLines, lines);
    assert_eq!((documents.len(), problems), (3, vec![]));
    assert_eq!(
        notes,
        [
            "the field \"label\", which says nothing here: 2",
            "the field \"labels\", which says nothing here: 1",
            "the field \"answer\", which says nothing here: 1",
            "the field \"_session_id\", which says nothing here: 1",
        ]
    );
}

#[test]
fn lists_that_are_empty_on_the_first_line_mislead_nobody() {
    for (line, format) in [
        (
            "{\"id\": 1, \"text\": \"x\", \"entities\": [], \"relations\": []}",
            ImportFormat::Doccano,
        ),
        ("{\"text\": \"x\", \"entities\": []}", ImportFormat::Spacy),
        ("{\"text\": \"x\", \"spans\": [], \"labels\": []}", ImportFormat::JsonLines),
        ("{\"text\": \"x\", \"ents\": [], \"work\": [{\"rater\": 1}]}", ImportFormat::JsonLines),
        (
            "{\"labels\": [], \"text\": \"x\", \"spans\": [{\"start\": 0, \"end\": 1, \
             \"label\": \"A\"}]}",
            ImportFormat::JsonLines,
        ),
        ("{\"text\": \"x\", \"spans\": [], \"label\": [[0, 1, \"A\"]]}", ImportFormat::Doccano),
        ("{\"text\": \"x\", \"ents\": [], \"spans\": {\"g\": []}}", ImportFormat::Spacy),
    ] {
        assert_eq!(ImportFormat::detect("a.jsonl", line.as_bytes()), Some(format), "{line}");
    }
    let span = "{\"start\": 0, \"end\": 1, \"label\": \"A\"}";
    let line = format!(
        "{{\"text\": \"x\", \"spans\": [{span}], \"work\": [{{\"rater\": 1, \"spans\": [{span}]}}]}}"
    );
    for (format, name) in
        [(ImportFormat::Doccano, "doccano JSONL"), (ImportFormat::Spacy, "spaCy JSON")]
    {
        let (documents, problems, _) = read_as(format, &line);
        assert_eq!(documents, []);
        let told = |field| {
            format!(
                "export.json, line 1, field {field}: this is not {name}: expected no list of spans \
                 or work, which are of JSON Lines"
            )
        };
        assert_eq!(problems, [told("spans"), told("work")]);
    }
}

#[test]
fn work_of_nobody_is_refused_and_not_lost() {
    let line = "{\"text\": \"x\", \"spans\": [], \"work\": [{\"rater\": null, \"spans\": []}]}";
    let (documents, problems, _) = read_as(ImportFormat::JsonLines, line);
    assert_eq!(documents, []);
    let expected = "a string or a whole number that names the rater";
    assert_eq!(problems.len(), 1);
    assert!(
        problems[0].contains("work[0].rater") && problems[0].contains(expected),
        "{problems:?}"
    );
}
