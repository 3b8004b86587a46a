//! Spans in CSV and TSV: what is read, and what is told of what is not.

use formats::{AnnotatedDocument, AnnotatedSpan, ImportFormat, Problem, SpanTableWriter, read};

use crate::round_trips::as_annotated;

const HEAD: &str = "document,rater,start,end,label,quote,text\n";

fn problems(rows: &str) -> Vec<String> {
    let file = format!("{HEAD}{rows}");
    let outcomes = read(ImportFormat::SpanCsv, "a.csv", file.as_bytes());
    outcomes.filter_map(Result::err).map(|error| error.to_string()).collect()
}

#[test]
fn columns_are_found_by_their_names() {
    let file = "\u{FEFF}Covered_Text\tlabel\tEND\tBegin\tannotator\tcolour\ttext\tdoc\n\
        🥳\tEMOJI\t1\t0\tanna\tred\t🥳 EU\tone\n\
        EU\tORG\t4\t2\tben\tred\t\tone\n\
        EU\tORG\t4\t2\tben\tred\t\tone\n\
        \t\t\t\tanna\tred\t\"a\r\n\"\"b\"\"\"\ttwo\n";
    let mut documents = read(ImportFormat::SpanTsv, "a.tsv", file.as_bytes());
    let one = documents.next().unwrap().unwrap();
    let two = documents.next().unwrap().unwrap();
    assert!(documents.next().is_none());
    assert_eq!((one.name.as_str(), one.text.as_str(), one.line), ("one", "🥳 EU", 2));
    let of = |place: usize| {
        let work = &one.work[place];
        let span = &work.spans[0];
        assert_eq!(work.spans.len(), 1);
        (work.rater.as_str(), span.start, span.end, span.label.as_str(), span.line)
    };
    assert_eq!(of(0), ("anna", 0, 1, "EMOJI", 2));
    assert_eq!(of(1), ("ben", 2, 4, "ORG", 3));
    assert_eq!((two.text.as_str(), two.line), ("a\r\n\"b\"", 5));
    assert_eq!(as_annotated(&two).work[0].spans, []);
    let notes: Vec<_> = documents.notes().iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        ["a.tsv, line 1: ignored: the column \"colour\"", "a.tsv: duplicate spans, read once: 1"]
    );
}

#[test]
fn problems_name_line_and_column_and_spoil_their_document_only() {
    let rows = "one,,0,2,ORG,UE,EU rejects\n\
        one,,0,99,ORG,,\n\
        two,,x,2,ORG,,EU\n\
        three,,0,,ORG,,EU\n\
        four,,0,2,ORG,,\n\
        five,,0,2,ORG,,EU\n\
        five,,0,2,LOC,,EU!\n\
        six,,0,2\n\
        one,,,,,,a\n";
    let start = "a.csv, line ";
    let told: Vec<_> =
        problems(rows).iter().map(|problem| problem.trim_start_matches(start).to_owned()).collect();
    assert_eq!(
        told,
        [
            "2, field quote: the text at the span's place is \"EU\", the file quotes \"UE\"; its \
             offsets may be of another unit or another version of the text",
            "3, field end: the span ends at 99, but the text has 10 characters; offsets count \
             Unicode code points, not bytes and not UTF-16 units",
            "4, field start: \"x\" is not an offset; expected a whole number from 0",
            "5, field end: the field is missing; expected a whole number; a row without a span \
             has start, end, label and quote all empty",
            "6, field text: the field is missing; expected the document's text in one of its rows",
            "8, field text: this is another text than on line 7; expected the same, or an empty \
             cell",
            "9: the row has 4 cells, the first row has 7; expected the same",
            "10, field document: the document was on line 2 before, and others are between; sort \
             the rows by document",
        ]
        .map(str::to_owned)
    );
}

#[test]
fn quotes_and_places_are_held_against_the_text() {
    assert_eq!(
        problems("one,,0,2,ORG,UE,EU rejects\none,,0,99,ORG,,\none,,1,1,ORG,,\n"),
        [
            "a.csv, line 2, field quote: the text at the span's place is \"EU\", the file quotes \
             \"UE\"; its offsets may be of another unit or another version of the text",
            "a.csv, line 3, field end: the span ends at 99, but the text has 10 characters; \
             offsets count Unicode code points, not bytes and not UTF-16 units",
        ]
    );
}

#[test]
fn rows_of_a_document_stand_together() {
    assert_eq!(
        problems("one,,,,,,a\ntwo,,,,,,b\none,,,,,,a\n"),
        ["a.csv, line 4, field document: the document was on line 2 before, and others are \
          between; sort the rows by document"]
    );
}

#[test]
fn a_first_row_without_the_columns_ends_the_file() {
    let told = |file: &str| {
        let mut outcomes = read(ImportFormat::SpanCsv, "a.csv", file.as_bytes());
        let error = outcomes.next().unwrap().unwrap_err();
        assert!(outcomes.next().is_none());
        error.problem
    };
    assert_eq!(
        told("document,start,stop,label\na,0,1,b\n"),
        Problem::TableColumnsMissing("end, text".to_owned())
    );
    assert_eq!(told("document,start,end,label,text,Begin\n"), Problem::TableColumnTwice);
    assert_eq!(told("\u{FEFF}"), Problem::EmptyFile);
    assert_eq!(told(HEAD), Problem::EmptyFile);
}

#[test]
fn hostile_tables_are_refused() {
    let only = |bytes: &[u8]| {
        let problems: Vec<_> = read(ImportFormat::SpanCsv, "a.csv", bytes)
            .filter_map(Result::err)
            .map(|error| (error.line, error.problem))
            .collect();
        assert_eq!(problems.len(), 1, "{problems:?}");
        problems.into_iter().next().unwrap()
    };
    let open = format!("{HEAD}one,,,,,,\"{}", "a\n".repeat(10_000_000));
    assert_eq!(only(open.as_bytes()), (Some(2), Problem::RecordTooLong));
    let long = format!("{HEAD}one,,,,,,{}\n", "a".repeat(10_000_000));
    assert_eq!(only(long.as_bytes()), (Some(2), Problem::DocumentTooLarge));
    let bytes = [HEAD.as_bytes(), b"one,,,,,,\xFF\n"].concat();
    assert_eq!(only(&bytes), (Some(2), Problem::CellNotUtf8));
    let bytes = [HEAD.as_bytes(), b"one,,,,,,a\0\n"].concat();
    assert_eq!(only(&bytes), (Some(2), Problem::ContainsNul));
    assert_eq!(only(b"\xFF\xFEd\0").1, Problem::Utf16);
    let wide = format!("{}{}", ",".repeat(1_000), HEAD);
    let too_many = formats::ExchangeProblem::TooMany("columns", 1000);
    assert_eq!(only(wide.as_bytes()), (Some(1), too_many.into()));
}

#[test]
fn columns_without_a_meaning_are_named_up_to_twenty() {
    let names: Vec<String> = (0..30).map(|number| format!("c{number}")).collect();
    let file = format!("{},{HEAD}", names.join(","));
    let mut documents = read(ImportFormat::SpanCsv, "a.csv", file.as_bytes());
    assert_eq!(documents.by_ref().count(), 1);
    let notes: Vec<_> = documents.notes().iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 21);
    assert_eq!(notes[19], "a.csv, line 1: ignored: the column \"c19\"");
    assert_eq!(notes[20], "a.csv, line 1: ignored: columns after these, 10 times");
}

#[test]
fn documents_of_one_name_are_numbered() {
    let document = |id: Option<&str>, text: &str| AnnotatedDocument {
        id: id.map(str::to_owned),
        name: "news".to_owned(),
        text: text.to_owned(),
        spans: Vec::new(),
        answers: Vec::new(),
        work: Vec::new(),
    };
    let written = [
        document(None, "same"),
        document(None, "same"),
        document(Some("7"), "other"),
        document(None, "third"),
    ];
    let mut table = Vec::new();
    let mut writer = SpanTableWriter::csv(&mut table).unwrap();
    let losses: Vec<_> = written
        .iter()
        .flat_map(|document| writer.write(document).unwrap())
        .map(|loss| loss.to_string())
        .collect();
    drop(writer);
    assert_eq!(
        losses,
        ["news: the name was written as news-2", "news: the name was written as news-3"]
    );
    let read: Vec<_> = read(ImportFormat::SpanCsv, "a.csv", &table)
        .map(|outcome| outcome.unwrap())
        .map(|document| (document.name, document.text))
        .collect();
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(
        read,
        [
            pair("news", "same"),
            pair("news-2", "same"),
            pair("news", "other"),
            pair("news-3", "third")
        ]
    );
}

/// A document all of whose texts are formulas to a spreadsheet.
fn formulas() -> AnnotatedDocument {
    let text = "=1+1 \t@SUM(A1) '=x".to_owned();
    let span = AnnotatedSpan { start: 0, end: 4, label: "-LABEL".to_owned() };
    let tab = AnnotatedSpan { start: 5, end: 7, label: "'=L".to_owned() };
    let work = vec![formats::AnnotatedWork {
        rater: "@anna".to_owned(),
        spans: vec![tab],
        answers: Vec::new(),
    }];
    let (id, name) = (Some("+7".to_owned()), "=cmd|' /C calc'!A0".to_owned());
    AnnotatedDocument { id, name, text, spans: vec![span], answers: Vec::new(), work }
}

#[test]
fn no_cell_is_a_formula_and_all_of_them_are_read_back_byte_for_byte() {
    for (format, delimiter) in [(ImportFormat::SpanCsv, b','), (ImportFormat::SpanTsv, b'\t')] {
        let mut table = match format {
            ImportFormat::SpanTsv => SpanTableWriter::tsv(Vec::new()),
            _ => SpanTableWriter::csv(Vec::new()),
        }
        .unwrap();
        assert!(table.write(&formulas()).unwrap().is_empty());
        let bytes = table.finish().unwrap();
        let mut rows = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(&*bytes);
        for row in rows.records() {
            for cell in &row.unwrap() {
                assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']), "{cell:?}");
            }
        }
        let document = read(format, "a.csv", &bytes).next().unwrap().unwrap();
        assert_eq!(as_annotated(&document), formulas());
    }
}

#[test]
fn an_apostrophe_of_somebody_elses_table_is_theirs() {
    let file = format!("{HEAD}'=one,'@anna,0,2,'-L,'=,'=1\n");
    let document = read(ImportFormat::SpanCsv, "a.csv", file.as_bytes()).next().unwrap().unwrap();
    assert_eq!((document.name.as_str(), document.text.as_str()), ("'=one", "'=1"));
    assert_eq!(document.work[0].rater, "'@anna");
    assert_eq!(document.work[0].spans[0].label, "'-L");
}
