//! Answers in files as other tools write them, and as nobody should.

use formats::{
    AnswerWords, ImportFormat, ImportedAnswer, ImportedDocument, NamedBytes, ReadOptions, read,
    read_brat,
};

/// What an answer is about, the question, and the answer in words; a list is in brackets.
fn in_words(answers: &[ImportedAnswer]) -> Vec<String> {
    let one = |it: &ImportedAnswer| {
        let about = match &it.span {
            Some(span) => format!("{} {}–{}", span.label, span.start, span.end),
            None => "document".to_owned(),
        };
        match &it.answer {
            AnswerWords::Several(_) => format!("{about}: {} [{}]", it.question, it.answer),
            _ => format!("{about}: {} {}", it.question, it.answer),
        }
    };
    answers.iter().map(one).collect()
}

fn sound(format: ImportFormat, file: &str) -> (ImportedDocument, Vec<String>) {
    let mut documents = read(format, "export.x", file.as_bytes());
    let document = documents.next().unwrap().unwrap_or_else(|error| panic!("{error}"));
    assert!(documents.next().is_none());
    let notes = documents.notes();
    (document, notes.iter().map(ToString::to_string).collect())
}

#[test]
fn results_of_label_studio_are_about_the_region_with_their_id_or_about_the_text() {
    let region = |id: &str, kind: &str, given: &str| {
        format!(
            r#"{{"id": "{id}", "from_name": "{kind}", "to_name": "t", "type": "{kind}", "origin": "manual",
               "value": {{"start": 0, "end": 2, "text": "EU", {given}}}}}"#
        )
    };
    let of_text = |name: &str, kind: &str, value: &str| {
        format!(
            r#"{{"id": "q", "from_name": "{name}", "to_name": "t", "type": "{kind}", "value": {value}}}"#
        )
    };
    let results = [
        // What is answered may come before what it is about.
        region("a", "choices", r#""choices": ["sure", " ", "quite", "sure"]"#),
        region("a", "labels", r#""labels": ["ORG", "GPE"]"#),
        region("a", "rating", r#""rating": 4"#),
        region("a", "number", r#""number": -0.25"#),
        region("b", "choices", r#""choices": ["about nothing"]"#),
        of_text("note", "textarea", r#"{"text": ["a note"]}"#),
        of_text("tone", "choices", r#"{"choices": ["calm"]}"#),
        of_text("empty", "choices", r#"{"choices": []}"#),
        of_text("deep", "choices", r#"{"choices": [["a", "b"]]}"#),
        of_text("none", "rating", r#"{"rating": null}"#),
        of_text("tree", "taxonomy", r#"{"taxonomy": [["a", "b"]]}"#),
    ];
    let task = format!(
        r#"[{{"id": 1, "data": {{"text": "EU rejects"}},
            "annotations": [{{"completed_by": 1, "result": [{}]}}]}}]"#,
        results.join(",")
    );
    let (document, notes) = sound(ImportFormat::LabelStudio, &task);
    assert_eq!(
        in_words(&document.work[0].answers),
        [
            "ORG 0–2: choices [sure, quite]",
            "GPE 0–2: choices [sure, quite]",
            "ORG 0–2: rating 4",
            "GPE 0–2: rating 4",
            "ORG 0–2: number -0.25",
            "GPE 0–2: number -0.25",
            "document: tone [calm]",
        ]
    );
    assert_eq!(
        notes,
        [
            "export.x, line 1: ignored: regions without a label",
            "export.x, line 1: ignored: values of the kind choices",
            "export.x, line 1: ignored: values of the kind rating",
            "export.x, line 1: ignored: values of the kind taxonomy",
            "export.x, line 1: ignored: values of the kind textarea",
        ]
    );
}

fn brat(annotations: &str) -> Result<(ImportedDocument, Vec<String>), Vec<String>> {
    let text = NamedBytes { name: "a.txt", bytes: b"EU rejects" };
    let annotations = NamedBytes { name: "a.ann", bytes: annotations.as_bytes() };
    match read_brat(text, annotations, &ReadOptions::default()) {
        Ok((document, notes)) => Ok((document, notes.iter().map(ToString::to_string).collect())),
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

#[test]
fn attributes_of_brat_are_answers_about_spans() {
    let (document, notes) = brat(
        "A1\tNegated T1\nT1\tORG 0 2\tEU\nM2\tSure T1 high and dry\nA3\tRole T1 a\nA4\tRole T1 b\n\
         A5\tRole T1 a\nA6\tSure E1 low\nA7\tSure T9 low\nA8\tSure T2\nT2\tACT 3 3\t\n",
    )
    .unwrap();
    assert_eq!(
        in_words(&document.answers),
        ["ORG 0–2: Negated true", "ORG 0–2: Sure high and dry", "ORG 0–2: Role [a, b]"]
    );
    assert_eq!(
        notes,
        [
            "a.ann, line 7: ignored: attributes, 3 times",
            "a.ann: spans that hold no character, left out: 1"
        ]
    );
    for line in ["A1\tNegated", "A1\t", "A1\t T1", "A1\tNegated  "] {
        let errors = brat(line).unwrap_err();
        assert!(errors[0].starts_with("a.ann, line 1: "), "{errors:?}");
    }
}

#[test]
fn features_of_a_cas_are_answers_unless_they_lead_elsewhere() {
    let xmi = r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///webanno/custom.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
<custom:Person xmi:id="3" sofa="1" begin="0" end="2" label="PER" sure="0" Rolle="Kaiser &amp; König" slots="7 8" blank=" "/>
<custom:Person xmi:id="4" sofa="1" begin="3" end="10" label="ACT" sure="7" slots="8" identifier="http://x"><topics>war</topics><topics>A &lt; B&#10;&#xE9;<inner/></topics><topics/></custom:Person>
<custom:Person xmi:id="5" sofa="1" begin="0" end="10"/>
<custom:Link xmi:id="7" role="x" target="3"/><custom:Link xmi:id="8" role="y" target="4"/>
<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="EU rejects"/>
<cas:View sofa="1" members="3 4 5"/>
</xmi:XMI>"#;
    let (document, _) = sound(ImportFormat::CasXmi, xmi);
    assert_eq!(
        in_words(&document.answers),
        [
            "PER 0–2: sure 0",
            "PER 0–2: Rolle Kaiser & König",
            "ACT 3–10: sure 7",
            "ACT 3–10: topics [war, A < B\né]",
        ]
    );

    let json = r#"{"%TYPES": {}, "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "EU rejects"},
        {"%ID": 3, "%TYPE": "custom.Person", "@sofa": 1, "begin": 0, "end": 2, "label": "PER",
         "sure": 2.5, "old": true, "@topics": 9, "@slots": 10, "@gone": 11, "text": null, "list": ["a"]},
        {"%ID": 9, "%TYPE": "uima.cas.StringArray", "%ELEMENTS": ["war", 5, "peace"]},
        {"%ID": 10, "%TYPE": "uima.cas.FSArray", "%ELEMENTS": [3]}],
        "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [3]}}}"#;
    let (document, _) = sound(ImportFormat::CasJson, json);
    assert_eq!(
        in_words(&document.answers),
        ["PER 0–2: sure 2.5", "PER 0–2: old true", "PER 0–2: topics [war, peace]"]
    );
}

#[test]
fn columns_of_webanno_tsv_are_answers_by_the_ids_of_their_stack() {
    let layer = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity";
    let tsv = format!(
        "#FORMAT=WebAnno TSV 3.3\n#T_SP={layer}|identifier|value|sure|Rolle\n\n\n#Text=EU rejects\n\
         1-1\t0-2\tEU\thttp://x[1]|*[2]\tORG[1]|GPE[2]\t*[1]|0[2]\tKaiser\\_1[1]|*[2]\t\n\
         1-2\t3-10\trejects\t*[1]\tORG[1]\tother[1]\t_\t\n"
    );
    let (document, notes) = sound(ImportFormat::WebAnnoTsv, &tsv);
    assert_eq!(in_words(&document.answers), ["ORG 0–10: Rolle Kaiser_1", "GPE 0–2: sure 0"]);
    assert!(notes[0].contains("the feature identifier of the layer NamedEntity"), "{notes:?}");
    let broken = tsv.replace("0[2]", "0[x]");
    let errors: Vec<_> = read(ImportFormat::WebAnnoTsv, "a.tsv", broken.as_bytes())
        .filter_map(Result::err)
        .map(|error| error.to_string())
        .collect();
    assert!(errors[0].starts_with("a.tsv, line 6, field sure: "), "{errors:?}");
}

#[test]
fn answers_that_would_fill_the_memory_are_refused() {
    // A label of half a mebibyte for each of many answers.
    let label = "x".repeat(512 * 1024);
    let attributes = (0..200).map(|number| format!("A{number}\tq{number} T1 a\n"));
    let annotations = format!("T1\t{label} 0 2\tEU\n{}", attributes.collect::<String>());
    let errors = brat(&annotations).unwrap_err();
    assert!(errors[0].contains("bytes of answers"), "{errors:?}");
}
