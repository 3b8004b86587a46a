//! brat: the samples of its page on the format, and what is told of broken files.

use formats::{
    AnnotatedDocument, AnnotatedSpan, BratConfig, Discontinuous, NamedBytes, ReadOptions,
    read_brat, write_brat_annotations,
};

use crate::support::quotes;

const SONY: &str = "Sony formed a joint venture with Ericsson, a mobile phone company based in \
    Sweden.\nSony announced today that ...\n";

struct Found {
    spans: Vec<(String, String)>,
    notes: Vec<String>,
}

fn read(text: &str, annotations: &str, discontinuous: Discontinuous) -> Result<Found, Vec<String>> {
    let text = NamedBytes { name: "sony.txt", bytes: text.as_bytes() };
    let annotations = NamedBytes { name: "sony.ann", bytes: annotations.as_bytes() };
    let options = ReadOptions { discontinuous, ..ReadOptions::default() };
    match read_brat(text, annotations, &options) {
        Ok((document, notes)) => {
            assert_eq!(document.name, "sony");
            let spans = quotes(&document).into_iter();
            Ok(Found {
                spans: spans.map(|(quote, label)| (quote, label.to_owned())).collect(),
                notes: notes.iter().map(ToString::to_string).collect(),
            })
        }
        Err(errors) => Err(errors.iter().map(ToString::to_string).collect()),
    }
}

fn sound(text: &str, annotations: &str) -> Found {
    read(text, annotations, Discontinuous::PassOver).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn problems(text: &str, annotations: &str) -> Vec<String> {
    read(text, annotations, Discontinuous::PassOver).err().unwrap()
}

fn owned(spans: &[(&str, &str)]) -> Vec<(String, String)> {
    spans.iter().map(|(quote, label)| ((*quote).to_owned(), (*label).to_owned())).collect()
}

#[test]
fn spans_are_read_and_other_lines_are_counted() {
    let annotations = "T1\tOrganization 0 4\tSony\n\
        T2\tMERGE-ORG 14 27\tjoint venture\n\
        T3\tOrganization 33 41\tEricsson\n\
        E1\tMERGE-ORG:T2 Org1:T1 Org2:T3\n\
        T4\tCountry 75 81\tSweden\n\
        R1\tOrigin Arg1:T3 Arg2:T4\n\
        *\tEquiv T1 T3\n\
        A1\tNegation E1\nM2\tConfidence E1 L1\n\
        N1\tReference T1 Wikipedia:534366\tSony\n\
        #1\tAnnotatorNotes T1\tthis annotation is suspect\n\n\
        T5\tOrganization 0 4\tSony\nT6\tOrganization 83 87\n";
    let found = sound(SONY, annotations);
    assert_eq!(
        found.spans,
        owned(&[
            ("Sony", "Organization"),
            ("joint venture", "MERGE-ORG"),
            ("Ericsson", "Organization"),
            ("Sweden", "Country"),
            ("Sony", "Organization"),
        ])
    );
    assert_eq!(
        found.notes,
        [
            "sony.ann, line 4: ignored: events",
            "sony.ann, line 6: ignored: relations, 2 times",
            "sony.ann, line 10: ignored: normalisations",
            "sony.ann, line 11: ignored: notes of annotators",
            "sony.ann, line 8: ignored: attributes, 2 times",
            "sony.ann: duplicate spans, read once: 1",
            "sony.ann: spans without a quote, offsets not checked against the text: 1",
        ]
    );
}

#[test]
fn parts_with_text_between_are_left_out_or_joined_by_choice() {
    let text = "North and South America";
    let annotations = "T1\tLocation 0 5;16 23\tNorth America\nT2\tLocation 10 23\tSouth America\n";
    let passed_over = sound(text, annotations);
    assert_eq!(passed_over.spans, owned(&[("South America", "Location")]));
    assert_eq!(passed_over.notes, ["sony.ann: discontinuous spans, left out: 1"]);
    let joined = read(text, annotations, Discontinuous::Join).unwrap_or_else(|_| panic!());
    assert_eq!(
        joined.spans,
        owned(&[("North and South America", "Location"), ("South America", "Location")])
    );
    assert_eq!(joined.notes, ["sony.ann: discontinuous spans, read as one: 1"]);
}

#[test]
fn quotes_with_other_edges_and_spans_of_nothing_are_counted() {
    let found = sound(SONY, "T1\tOrg 0 4\tSony \nT2\tOrg 3 3\t\nT3\tOrg 0 5\tSony\n");
    assert_eq!(found.spans, owned(&[("Sony", "Org"), ("Sony ", "Org")]));
    assert_eq!(
        found.notes,
        [
            "sony.ann: spans that hold no character, left out: 1",
            "sony.ann: quotes with other white space at their edges: 2",
        ]
    );
}

#[test]
fn parts_with_line_ends_between_are_one_span_and_offsets_are_code_points() {
    let found = sound("\u{FEFF}🥳 a\r\nb", "T1\tX 1 4;6 7\t🥳 a b\nT2\tY 3 7\ta  b\n");
    assert_eq!(found.spans, owned(&[("🥳 a\r\nb", "X"), ("a\r\nb", "Y")]));
    assert_eq!(found.notes, Vec::<String>::new());
}

#[test]
fn the_writer_splits_spans_at_line_ends_where_nothing_is_lost() {
    let span = |start, end, label: &str| AnnotatedSpan { start, end, label: label.to_owned() };
    let document = AnnotatedDocument {
        id: Some("7".to_owned()),
        name: "sony".to_owned(),
        text: "🥳 a\r\nb\n".to_owned(),
        spans: vec![
            span(0, 6, "a b"),
            span(0, 6, "a_b"),
            span(5, 7, "Y"),
            span(4, 5, "Z"),
            span(6, 9, "O"),
        ],
        answers: Vec::new(),
        work: Vec::new(),
    };
    let mut out = Vec::new();
    let losses = write_brat_annotations(&mut out, &document, &mut BratConfig::default()).unwrap();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "T1\ta_b 0 3;5 6\t🥳 a b\nT2\tY 5 7\tb \nT3\tZ 4 5\t \n"
    );
    let told: Vec<_> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "sony: the id was left out",
            "sony: a b at 0–6 was written as a_b",
            "sony: a_b at 0–6 was left out: another span is written in the same way",
            "sony: O at 6–9 was left out: it does not lie within the text",
        ]
    );
}

#[test]
fn problems_name_line_and_field() {
    let annotations = "T1\tOrg 0 4\tSomy\nT2 Org 0 4 Sony\nT3\tOrg 0 4 5\tSony\nT4\tOrg 4 0\tSony\n\
        T5\tOrg 100 999\tx\nX1\tOrg 0 4\tSony\nT6\tOrg 3 9;0 4\ty form Sony\nT7\tOrg 0 -4\tSony\n";
    let told = problems(SONY, annotations);
    let starts = [
        "sony.ann, line 1, field text: the text at the span's place is \"Sony\", the file quotes \
         \"Somy\"",
        "sony.ann, line 2: \"T2 Org 0 4 Sony\" is not a brat annotation",
        "sony.ann, line 3: \"T3\tOrg 0 4 5\tSony\" is not a brat annotation",
        "sony.ann, line 4, field offsets: the span ends at 0, before its start at 4",
        "sony.ann, line 5, field offsets: the span ends at 999, but the text has",
        "sony.ann, line 6: \"X1\tOrg 0 4\tSony\" is not a brat annotation",
        "sony.ann, line 7, field offsets: the parts of the span overlap (\"3 9;0 4\")",
        "sony.ann, line 8: \"T7\tOrg 0 -4\tSony\" is not a brat annotation",
    ];
    assert_eq!(told.len(), starts.len(), "{told:#?}");
    for (told, start) in told.iter().zip(starts) {
        assert!(told.starts_with(start), "{told}\n{start}");
    }
}

#[test]
fn parts_may_stand_in_any_order() {
    for (line, joined) in [
        ("T1\tX 14 17;0 3\tmen old\n", 1),
        ("T1\tX 14 17;0 3\told men\n", 1),
        ("T1\tX 0 3;14 17\told men\n", 1),
        ("T1\tX 8 13;14 17;0 3\tyoung men old\n", 1),
        ("T1\tX 14 17;0 3\tmen young\n", 0),
        ("T1\tX 0 3;2 7\told d and\n", 0),
    ] {
        let options = ReadOptions { discontinuous: Discontinuous::Join, ..ReadOptions::default() };
        let text = NamedBytes { name: "1.txt", bytes: b"old and young men" };
        let read = read_brat(text, NamedBytes { name: "1.ann", bytes: line.as_bytes() }, &options);
        let spans = read.map(|(document, _)| document.spans).unwrap_or_default();
        assert_eq!(
            spans.iter().map(|it| (it.start, it.end)).collect::<Vec<_>>(),
            vec![(0, 17); joined],
            "{line}"
        );
    }
}

#[test]
fn hostile_files_are_refused() {
    let long = "a".repeat(10_000_000);
    assert!(problems(&long, "")[0].starts_with("sony.txt: the document is longer than 8 MiB"));
    assert!(problems("a", &long)[0].starts_with("sony.ann, line 1: the line is longer than 8 MiB"));
    assert!(problems("a\0", "")[0].starts_with("sony.txt, line 1: the text contains a NUL"));
    assert!(
        problems("a", "T1\tX 0 1\ta\0\n")[0]
            .starts_with("sony.ann, line 1: the text contains a NUL")
    );
    assert_eq!(problems("a", &"x\n".repeat(1_000_000)).len(), 100);
    let bytes = NamedBytes { name: "a.txt", bytes: b"\xFF" };
    assert!(read_brat(bytes, bytes, &ReadOptions::default()).is_err());
}
