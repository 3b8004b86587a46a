//! Adjudication lists and gold standards, byte for byte.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use formats::{
    AnnotatedSpan, DisagreementCsv, DisagreementRow, DisagreementXlsx, ExportError, GoldDocument,
    GoldId, GoldSpan, Loss, LossReason, LossRow, RaterCell, SheetRow, write_disagreement_json_line,
    write_gold_json_line, write_loss_line, write_loss_list, write_loss_table,
};

use crate::support::{quotes, read_all, write_gold_conll};

fn labels(labels: &[&str]) -> RaterCell {
    RaterCell::Labels(labels.iter().map(|label| (*label).to_owned()).collect())
}

fn rows() -> Vec<DisagreementRow> {
    let party = DisagreementRow {
        document_id: 7,
        document: "=HYPERLINK(\"http://evil\")".to_owned(),
        start: 2,
        end: 6,
        start_utf16: 3,
        end_utf16: 7,
        quote: "This".to_owned(),
        left: "🥳 ".to_owned(),
        right: ", he said,\r\n\"so\"".to_owned(),
        kind: "label".to_owned(),
        raters: vec![
            ("Ana".to_owned(), labels(&["ORG", "a|b\\c"])),
            ("=Bo, Jr.".to_owned(), RaterCell::NothingMarked),
            ("عمر".to_owned(), RaterCell::NotJudged),
        ],
        decision: Some("relabel".to_owned()),
        decided_labels: vec!["@PER".to_owned()],
        decided_by: Some("Rae".to_owned()),
        decided_at: Some("2024-05-06T07:08:09Z".to_owned()),
        decided_because: Some("=a title, not a name".to_owned()),
        decided_code: Some("=a title".to_owned()),
        text_sha256: "0".repeat(64),
    };
    let open = DisagreementRow {
        document_id: 8,
        document: "plain".to_owned(),
        quote: "\tx".to_owned(),
        left: "＝1".to_owned(),
        right: String::new(),
        kind: "one-sided".to_owned(),
        raters: vec![
            ("Ana".to_owned(), labels(&["(nothing)"])),
            ("=Bo, Jr.".to_owned(), RaterCell::Rejected),
            ("عمر".to_owned(), labels(&["-LOC"])),
        ],
        decision: None,
        decided_labels: Vec::new(),
        decided_by: None,
        decided_at: None,
        decided_because: None,
        decided_code: None,
        ..party.clone()
    };
    vec![party, open]
}

fn span(start: usize, end: usize, label: &str) -> GoldSpan {
    GoldSpan { start, end, label: label.to_owned(), origin: "reviewer".to_owned() }
}

fn gold(text: &str, spans: Vec<GoldSpan>) -> GoldDocument {
    GoldDocument {
        id: Some(GoldId::Own("7".to_owned())),
        name: "a \"b\"".to_owned(),
        text: text.to_owned(),
        spans,
        answers: Vec::new(),
    }
}

/// The files of a workbook.
fn unpacked(workbook: Vec<u8>) -> BTreeMap<String, String> {
    let mut zip = zip::ZipArchive::new(Cursor::new(workbook)).unwrap();
    let mut files = BTreeMap::new();
    for place in 0..zip.len() {
        let mut file = zip.by_index(place).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        let name = file.name().unwrap().into_owned();
        files.insert(name, text);
    }
    files
}

#[test]
fn adjudication_list_as_a_workbook_has_numbers_filters_and_no_formula() {
    let raters: Vec<String> = rows()[0].raters.iter().map(|rater| rater.0.clone()).collect();
    let mut sheet = DisagreementXlsx::new(raters).unwrap();
    for row in rows() {
        assert_eq!(sheet.write_row(&row).unwrap(), SheetRow::Whole);
    }
    let long = DisagreementRow { quote: "x".repeat(40_000), ..rows().remove(0) };
    assert_eq!(sheet.write_row(&long).unwrap(), SheetRow::Shortened);
    let files = unpacked(sheet.finish().unwrap());
    let sheet = &files["xl/worksheets/sheet1.xml"];
    // The header stays, every column has a filter over all rows, and offsets are numbers.
    assert!(sheet.contains(r#"topLeftCell="A2" activePane="bottomLeft" state="frozen""#));
    assert!(sheet.contains(r#"<autoFilter ref="A1:T4"/>"#), "{sheet}");
    assert!(sheet.contains(r#"<c r="C2"><v>2</v></c><c r="D2"><v>6</v></c>"#), "{sheet}");
    // What looks like a formula is text, as it was.
    let texts = files.values().map(String::as_str).collect::<String>();
    assert!(!texts.contains("<f>"));
    assert!(texts.contains("=HYPERLINK(\"http://evil\")") && !texts.contains("'=HYPERLINK"));
    assert!(texts.contains("=Bo, Jr.") && texts.contains("عمر"));
}

#[test]
fn a_list_of_losses_is_one_list_and_one_table_however_many_there_are() {
    let losses = [
        Loss {
            document: "=a".to_owned(),
            rater: Some("Ana, B.".to_owned()),
            span: Some(AnnotatedSpan { start: 3, end: 5, label: "PER".to_owned() }),
            reason: LossReason::NotOnTokenBoundary,
        },
        Loss { document: "b".to_owned(), rater: None, span: None, reason: LossReason::IdLeftOut },
    ];
    for count in 0..=losses.len() {
        let mut lines = Vec::new();
        for loss in &losses[..count] {
            write_loss_line(&mut lines, loss).unwrap();
        }
        let (mut list, mut table) = (Vec::new(), Vec::new());
        write_loss_list(&mut list, &*lines).unwrap();
        write_loss_table(&mut table, &*lines).unwrap();
        let rows: Vec<LossRow> = serde_json::from_slice(&list).unwrap();
        assert_eq!(rows, losses[..count].iter().map(LossRow::from).collect::<Vec<_>>());
        assert_eq!(String::from_utf8(table).unwrap().lines().count(), count + 1);
    }
    let (mut lines, mut table) = (Vec::new(), Vec::new());
    write_loss_line(&mut lines, &losses[0]).unwrap();
    write_loss_table(&mut table, &*lines).unwrap();
    assert!(String::from_utf8(table).unwrap().ends_with(
        "'=a,\"Ana, B.\",3,5,PER,not-on-token-boundary,true,\
         was left out: it starts or ends within a token or on whitespace\r\n"
    ));
}

#[test]
fn adjudication_list_as_csv_is_golden() {
    let list = DisagreementCsv::new(rows()[0].raters.iter().map(|rater| rater.0.clone()).collect());
    let mut out = Vec::new();
    list.write_header(&mut out).unwrap();
    for row in rows() {
        list.write_row(&mut out, &row).unwrap();
    }
    let expected = include_str!("../golden/disagreements.csv");
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn adjudication_list_as_json_lines_is_golden() {
    let mut out = Vec::new();
    for row in rows() {
        write_disagreement_json_line(&mut out, &row).unwrap();
    }
    let expected = include_str!("../golden/disagreements.jsonl");
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn a_row_with_other_raters_than_the_header_is_refused_and_nothing_written() {
    let row = &rows()[0];
    let mut reversed: Vec<String> = row.raters.iter().map(|rater| rater.0.clone()).collect();
    reversed.reverse();
    for raters in [reversed, vec!["Ana".to_owned()]] {
        let mut out = Vec::new();
        let error = DisagreementCsv::new(raters).write_row(&mut out, row).unwrap_err();
        assert!(matches!(error, ExportError::OtherRaters { document_id: 7, .. }), "{error}");
        assert!(out.is_empty());
    }
}

#[test]
fn gold_as_json_lines_is_golden_and_importable() {
    let document = gold(
        "EU rejects\r\n\u{1F469}\u{200D}\u{1F467}",
        vec![span(0, 2, "ORG"), span(0, 10, "EVENT"), span(12, 15, "EMOJI")],
    );
    let mut out = Vec::new();
    write_gold_json_line(&mut out, &document).unwrap();
    assert_eq!(std::str::from_utf8(&out).unwrap(), include_str!("../golden/gold.jsonl"));
    let (documents, problems) = read_all("gold.jsonl", &out);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!(documents[0].name, "a \"b\"");
    assert_eq!(documents[0].spans.len(), 3);
}

#[test]
fn gold_as_conll_is_golden_and_importable() {
    let texts = [
        gold(
            "EU rejects Danish kite.\r\nMirja\nLindqvist won't go",
            vec![span(0, 2, "ORG"), span(11, 17, "MISC"), span(25, 40, "PER")],
        ),
        gold("# 🥳 שלום עולם", vec![span(4, 13, "MISC")]),
    ];
    let mut out = Vec::new();
    for document in &texts {
        assert_eq!(write_gold_conll(&mut out, document).unwrap(), []);
    }
    assert_eq!(std::str::from_utf8(&out).unwrap(), include_str!("../golden/gold.conll"));
    let (documents, problems) = read_all("gold.conll", &out);
    assert_eq!(problems, Vec::<String>::new());
    let labelled = |quote: &str, label| (quote.to_owned(), label);
    assert_eq!(
        quotes(&documents[0]),
        [labelled("EU", "ORG"), labelled("Danish", "MISC"), labelled("Mirja Lindqvist", "PER")]
    );
    assert_eq!(quotes(&documents[1]), [labelled("שלום עולם", "MISC")]);
}

#[test]
fn conll_accounts_for_every_span_it_cannot_hold() {
    let document = gold(
        "New York Times wrote",
        vec![
            span(0, 8, "LOC"),
            span(0, 14, "ORG"),
            span(0, 14, "WORK"),
            span(15, 19, "VERB"),
            span(15, 21, "PAST"),
            span(3, 3, "NONE"),
            span(14, 20, "SPACE"),
            span(15, 20, "Main Verb"),
        ],
    );
    let mut out = Vec::new();
    let losses = write_gold_conll(&mut out, &document).unwrap();
    let told: Vec<_> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "a \"b\": LOC at 0–8 was left out: it overlaps ORG at 0–14, which was kept",
            "a \"b\": WORK at 0–14 was left out: it overlaps ORG at 0–14, which was kept",
            "a \"b\": NONE at 3–3 was left out: it does not lie within the text",
            "a \"b\": SPACE at 14–20 was left out: \
             it starts or ends within a token or on whitespace",
            "a \"b\": VERB at 15–19 was left out: \
             it starts or ends within a token or on whitespace",
            "a \"b\": Main Verb at 15–20 was written as Main_Verb",
            "a \"b\": PAST at 15–21 was left out: it does not lie within the text",
        ]
    );
    assert_eq!(losses.iter().filter(|loss| loss.reason.left_out()).count(), 6);
    assert_eq!(losses[5].reason, LossReason::LabelRewritten("Main_Verb".to_owned()));
    assert_eq!(
        String::from_utf8(out).unwrap(),
        "-DOCSTART- -X- O O\n\nNew _ _ B-ORG\nYork _ _ I-ORG\nTimes _ _ I-ORG\n\
         wrote _ _ B-Main_Verb\n\n"
    );
}

#[test]
fn a_failing_receiver_is_an_error() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let document = gold("a", Vec::new());
    assert!(matches!(write_gold_conll(&mut Full, &document), Err(ExportError::Write(_))));
    assert!(matches!(write_gold_json_line(&mut Full, &document), Err(ExportError::Write(_))));
    let list = DisagreementCsv::new(Vec::new());
    assert!(matches!(list.write_header(&mut Full), Err(ExportError::Write(_))));
}
