//! Files of tools that are not read, and what is said of them; files that look like those of other tools.

use formats::{ImportFormat, NamedBytes, ReadOptions, is_office_file, read, read_brat, read_from};

/// What is said of a file whose format nobody names.
fn refusal(name: &str, file: &str) -> String {
    let options = ReadOptions::default();
    let format = options.format_of(name, file.as_bytes()).expect("a format whose reader says it");
    let mut outcomes = read_from(format, name, file.as_bytes(), &options);
    let error = outcomes.next().unwrap().unwrap_err().to_string();
    assert!(outcomes.next().is_none(), "one error says it");
    error
}

#[test]
fn tools_that_are_not_read_are_named_with_what_to_export() {
    for (name, file, tool) in [
        ("a.bdocjs", "{\n \"text\": \"Mira came\",\n \"annotation_sets\": {}\n}", "GATE"),
        (
            "a.json",
            r#"{"text": "Mira", "offset_type": "p", "features": {}, "annotation_sets": {"": {}}}"#,
            "GATE",
        ),
        ("a.xml", "<?xml version='1.0'?>\n<GateDocument version=\"3\">", "GATE"),
        ("a.eaf", "<ANNOTATION_DOCUMENT AUTHOR=\"\">", "ELAN"),
        ("a.json", r#"{"examples": [{"content": "Mira", "annotations": []}]}"#, "LightTag"),
        (
            "a.json",
            r#"[{"documentName": "a", "document": "Mira", "annotation": [{"start": 0, "end": 4, "label": "PER", "text": "Mira"}]}]"#,
            "UBIAI",
        ),
        (
            "a.json",
            r#"{"annotatable": {"parts": ["s1p1"]}, "anncomplete": true, "entities": [{"classId": "e_1"}]}"#,
            "tagtog",
        ),
        (
            "a.json",
            r#"[{"text": "Mira", "tokens": ["Mira"], "annotation": [], "annotation_agent": "a", "prediction_agent": null}]"#,
            "Argilla",
        ),
        (
            "a.jsonl",
            r#"{"id": 1, "fields": {"text": "Mira"}, "responses": [], "suggestions": []}"#,
            "Argilla",
        ),
        ("a.jsonl", r#"{"id": "1", "displayed_text": "Mira", "span_annotations": {}}"#, "Potato"),
        (
            "a.json",
            r#"[{"tokens": ["Mira"], "entities": [{"type": "PER", "start": 0, "end": 1}], "relations": []}]"#,
            "SpERT",
        ),
        ("1.a1", "T1\tPER 0 4\tMira\n", "BioNLP"),
        ("1.a2", "E1\tX:T2\n", "BioNLP"),
    ] {
        let told = refusal(name, file);
        assert!(told.contains(tool) && told.contains("which is not read; take"), "{told}");
    }
    let csv = "annotation_id,annotator,created_at,id,label,lead_time,text,updated_at\n1,1,x,1,\"[]\",3.2,Mira,x\n";
    assert!(
        refusal("export.csv", csv).contains("Label Studio's CSV, which is not read; take its JSON")
    );
    let text = NamedBytes { name: "1.txt", bytes: b"Mira" };
    let refused = read_brat(
        text,
        NamedBytes { name: "1.a1", bytes: b"T1\tPER 0 4\tMira\n" },
        &ReadOptions::default(),
    );
    assert!(refused.is_ok(), "whoever says that it is brat has it read");
}

#[test]
fn what_only_resembles_them_is_read() {
    for (file, format) in [
        (r#"{"text": "Mira", "fields": ["a"], "spans": []}"#, ImportFormat::JsonLines),
        (
            r#"{"text": "Mira", "annotation": "x", "document": 1, "spans": []}"#,
            ImportFormat::JsonLines,
        ),
        (
            r#"{"id": 1, "text": "Mira", "entities": [], "relations": [], "tokens": 3}"#,
            ImportFormat::Doccano,
        ),
    ] {
        assert_eq!(ImportFormat::detect("a.jsonl", file.as_bytes()), Some(format), "{file}");
    }
}

#[test]
fn annotators_for_spacy_are_read() {
    for (file, expected) in [
        (
            r#"{"classes": ["PER"], "annotations": [["Mira came to Lund.\r", {"entities": [[0, 4, "PER"], [13, 17, "LOC"]]}], ["Nils left.", {"entities": [[0, 4, "PER"]]}], null]}"#,
            vec![2, 1],
        ),
        (r#"{"annotations": [null, ["Mira", {"entities": []}]]}"#, vec![0]),
        (r#"[["Mira came", {"entities": [{"start": 0, "end": 4, "label": "PER"}]}]]"#, vec![1]),
        (
            r#"{"classes": [], "annotations": [["Mira", {"entities": [[0, 4, "PER", "Q1"]]}]]}"#,
            vec![1],
        ),
    ] {
        assert_eq!(
            ImportFormat::detect("ann.json", file.as_bytes()),
            Some(ImportFormat::Spacy),
            "{file}"
        );
        let documents: Vec<_> =
            read(ImportFormat::Spacy, "ann.json", file.as_bytes()).map(Result::unwrap).collect();
        assert_eq!(
            documents.iter().map(|it| it.spans.len()).collect::<Vec<_>>(),
            expected,
            "{file}"
        );
        let names: std::collections::HashSet<_> = documents.iter().map(|it| &it.name).collect();
        assert_eq!(names.len(), documents.len());
    }
}

#[test]
fn data_frames_have_fractions_and_gaps() {
    let head = "document,rater,start,end,label,quote,text\n";
    for (rows, expected) in [
        ("d1,ana,0.0,4.0,PER,Mira,Mira came.\nd1,bo,,,,,Mira came.\n", vec![("ana", 1), ("bo", 0)]),
        ("d1,ana,0.0,10.00,PER,,Mira came.\nd1,bo,NaN,nan,NaN,NaN,\n", vec![("ana", 1), ("bo", 0)]),
        ("d1,ana,0,4,NA,Mira,Mira came.\nd1,bo,5,9,None,came,\n", vec![("ana", 1), ("bo", 1)]),
        ("d1,ana,<NA>,<NA>,,,Mira came.\nd1,bo,null,NULL,null,,\n", vec![("ana", 0), ("bo", 0)]),
    ] {
        let file = format!("{head}{rows}");
        let document =
            read(ImportFormat::SpanCsv, "a.csv", file.as_bytes()).next().unwrap().unwrap();
        let work: Vec<_> =
            document.work.iter().map(|it| (it.rater.as_str(), it.spans.len())).collect();
        assert_eq!(work, expected, "{rows}");
    }
    for rows in [
        "d1,ana,0.5,4.0,PER,,Mira\n",
        "d1,ana,NaN,4,PER,,Mira\n",
        "d1,ana,0.0.0,4,PER,,Mira\n",
        "d1,ana,.0,4,PER,,Mira\n",
    ] {
        let file = format!("{head}{rows}");
        assert!(
            read(ImportFormat::SpanCsv, "a.csv", file.as_bytes()).next().unwrap().is_err(),
            "{rows}"
        );
    }
}

#[test]
fn rows_may_be_sorted_by_rater() {
    let head = "document,rater,start,end,label,quote,text\n";
    let read_rows = |rows: &str| {
        let file = format!("{head}{rows}");
        let mut outcomes = read(ImportFormat::SpanCsv, "a.csv", file.as_bytes());
        let mut found = Vec::new();
        for outcome in outcomes.by_ref() {
            let document = outcome.map_err(|error| error.to_string())?;
            let raters = document.work.iter().map(|it| format!("{}{}", it.rater, it.spans.len()));
            found.push(format!(
                "{} {} {}",
                document.name,
                document.text,
                raters.collect::<Vec<_>>().join(" ")
            ));
        }
        Ok::<_, String>((found, outcomes.notes().len()))
    };
    let by_rater = "d1,ana,0,1,A,,ab\nd2,ana,0,1,A,,cd\nd1,bo,1,2,B,,\nd2,bo,,,,,cd\n";
    assert_eq!(
        read_rows(by_rater).unwrap(),
        (["d1 ab ana1", "d2 cd ana1", "d1 ab bo1", "d2 cd bo0"].map(str::to_owned).to_vec(), 1)
    );
    let three = "d1,ana,0,1,A,,ab\nd2,ana,0,1,A,,cd\nd1,bo,1,2,B,,ab\nd2,bo,,,,,\nd1,cy,0,2,B,,\n";
    assert_eq!(read_rows(three).unwrap().0.len(), 5);
    for (rows, expected) in [
        (
            "d1,ana,0,1,A,,ab\nd2,ana,0,1,A,,cd\nd1,ana,1,2,B,,\n",
            "the document was on line 2 before",
        ),
        ("d1,,0,1,A,,ab\nd2,,0,1,A,,cd\nd1,bo,1,2,B,,\n", "the document was on line 2 before"),
        ("d1,ana,0,1,A,,ab\nd2,ana,0,1,A,,cd\nd1,bo,1,2,B,,xy\n", "another text than on line 2"),
    ] {
        let refused = read_rows(rows).unwrap_err();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn spreadsheets_are_no_zips_of_exports() {
    let zip = |name: &str, content: &str| {
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend(length);
        bytes.extend([0; 2]);
        bytes.extend(name.bytes().chain(content.bytes()));
        bytes
    };
    for (name, content, expected) in [
        ("[Content_Types].xml", "", true),
        ("xl/workbook.xml", "", true),
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet", true),
        ("mimetype", "application/epub+zip", false),
        ("annotation/d1.txt/ana.tsv", "", false),
    ] {
        assert_eq!(is_office_file(&zip(name, content)), expected, "{name}");
    }
    assert!(!is_office_file(b"PK\x03\x04"));
}
