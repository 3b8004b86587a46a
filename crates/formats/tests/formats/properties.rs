//! Laws that hold for every input.

use std::io::{Cursor, Write};
use std::ops::ControlFlow;

use formats::{
    AnnotatedSpan, Bundle, BundleLimits, DisagreementCsv, DisagreementRow, GoldDocument, GoldId,
    GoldSpan, ImportFormat, Loss, LossReason, NamedBytes, RaterCell, ReadOptions, TextIndex, read,
    read_brat, write_gold_json_line,
};
use proptest::prelude::*;

use crate::support::{quotes, read_all, write_gold_conll};

/// Pieces that have broken offsets elsewhere: clusters, directions, line ends, invisible ones.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-zA-Z0-9.,'\"\\\\-]{1,4}",
        3 => prop::sample::select(vec![
            "🥳", "👩\u{200D}👩\u{200D}👧", "👍🏽", "🇪🇺", "❤\u{FE0F}", "e\u{301}", "a\u{308}\u{323}",
            "שלום", "مرحبا", "\u{202E}x\u{202C}", "\u{200F}", "\r\n", "\n", "\r", "\t", " ",
            "\u{200B}", "\u{FEFF}", "\u{00A0}", "\u{3000}", "\u{2028}", "\u{85}", "\u{1}", "漢字",
            "한글", "ก็", "-DOCSTART-", "#", "# ", "=", "＝", "@", "+",
        ])
        .prop_map(str::to_owned),
        1 => any::<char>().prop_filter("NUL is refused", |scalar| *scalar != '\0')
            .prop_map(String::from),
    ]
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 1..24).prop_map(|pieces| pieces.concat())
}

pub(crate) fn visible_text() -> impl Strategy<Value = String> {
    text().prop_filter("blank texts are refused", |text| !text.trim().is_empty())
}

/// A document with distinct spans within its text.
fn gold_document() -> impl Strategy<Value = GoldDocument> {
    let places = prop::collection::vec((any::<prop::sample::Index>(), 1..12_usize), 0..8);
    let labels = prop::collection::vec("[A-Z]{1,2}( [a-z]{1,2}|\\|)?", 8);
    let id = prop::option::of(visible_text().prop_map(GoldId::Own));
    (id, visible_text(), visible_text(), places, labels).prop_map(
        |(id, name, text, places, labels)| {
            let length = text.chars().count();
            let mut spans: Vec<GoldSpan> = places
                .into_iter()
                .zip(labels)
                .map(|((index, width), label)| {
                    let start = index.index(length);
                    let end = (start + width).min(length);
                    GoldSpan { start, end, label, origin: "unanimous".to_owned() }
                })
                .collect();
            spans.sort_by(|a, b| (a.start, a.end, &a.label).cmp(&(b.start, b.end, &b.label)));
            spans.dedup();
            GoldDocument { id, name, text, spans, answers: Vec::new() }
        },
    )
}

/// Bytes that are likelier than chance to reach deep into the importers.
fn hostile_bytes() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..12),
        text().prop_map(String::into_bytes),
        prop::sample::select(vec![
            "{\"text\": \"a🥳b\", \"spans\": [",
            "{\"start\": 0, \"end\": 2, \"label\": \"A\"}",
            ",",
            "]}",
            "{",
            "}",
            "\"text\":",
            "\"spans\":",
            "null",
            "-1",
            "\n",
            "\r\n",
            "EU B-ORG\n",
            "EU I-ORG\n",
            "a b c O\n",
            "-DOCSTART- O\n",
            "# c\n",
            "document,start,end,label,text\n",
            "document\tstart\tend\tlabel\ttext\nd\t",
            "d,0,1,A,ab\n",
            "item,text,ana,ben\n",
            "d,ab,yes,\n",
            "\"",
            "#FORMAT=WebAnno TSV 3.3\n#T_SP=a.B|value\n\n\n",
            "#Text=a🥳b\n",
            "1-1\t0-1\ta\tX[1]|*\t\n1-2\t1-3\t🥳\tX[1]\t\n",
            "1-1.1\t1-2\t",
            "# text = a b\n",
            "# newdoc\n",
            "# global.columns = ID FORM NER\n",
            "1\ta\tB-X\n2-3\tb\tI-X\n",
            "1\ta\t_\t_\t_\t_\t_\t_\t_\tNER=S-X|SpacesAfter=\\n\n",
            "T1\tX 0 1;1 2\ta b\n",
            "T2\tX 1 2\t",
            "\u{FEFF}",
            "\\u0000",
            "\0",
        ])
        .prop_map(|fragment| fragment.as_bytes().to_vec()),
    ];
    prop::collection::vec(fragment, 0..16).prop_map(|fragments| fragments.concat())
}

/// Reads a cell of labels back.
fn split_labels(cell: &str) -> Vec<String> {
    let mut labels = vec![String::new()];
    let mut scalars = cell.chars();
    while let Some(scalar) = scalars.next() {
        match scalar {
            '|' => labels.push(String::new()),
            '\\' => labels.last_mut().unwrap().extend(scalars.next()),
            other => labels.last_mut().unwrap().push(other),
        }
    }
    labels
}

fn guarded(value: &str) -> String {
    let risky = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    if value.starts_with(risky) { format!("'{value}") } else { value.to_owned() }
}

proptest! {
    #[test]
    fn every_importer_ends_on_any_bytes_and_yields_sound_documents_only(
        bytes in hostile_bytes(),
    ) {
        for format in ImportFormat::ALL {
            let mut outcomes = read(format, "x", &bytes);
            let mut count = 0;
            for outcome in outcomes.by_ref() {
                count += 1;
                match outcome {
                    Ok(document) => {
                        let length = document.text.chars().count();
                        prop_assert!(!document.text.trim().is_empty());
                        prop_assert!(!document.text.contains('\0'));
                        for span in &document.spans {
                            prop_assert!(span.start < span.end && span.end <= length);
                            prop_assert!(!span.label.trim().is_empty());
                        }
                        let of_raters = document.work.iter().flat_map(|work| &work.answers);
                        for answer in document.answers.iter().chain(of_raters) {
                            prop_assert!(!answer.answer.words().is_empty());
                            for words in answer.answer.words() {
                                prop_assert!(!words.trim().is_empty());
                                prop_assert_eq!(words.trim(), words);
                            }
                        }
                    }
                    Err(error) => prop_assert!(error.to_string().starts_with('x')),
                }
            }
            let noted = !outcomes.notes().is_empty();
            prop_assert!(count > 0 || noted, "a file is a document, a problem or a note");
            prop_assert!(outcomes.next().is_none());
        }
    }

    #[test]
    fn gold_json_lines_come_back_as_they_went(documents in prop::collection::vec(gold_document(), 1..4)) {
        let mut out = Vec::new();
        for document in &documents {
            write_gold_json_line(&mut out, document).unwrap();
        }
        let (read, problems) = read_all("gold.jsonl", &out);
        prop_assert_eq!(problems, Vec::<String>::new());
        prop_assert_eq!(read.len(), documents.len());
        for (read, document) in read.iter().zip(&documents) {
            prop_assert_eq!(read.id.clone().map(GoldId::Own), document.id.clone());
            prop_assert_eq!(&read.name, &document.name);
            prop_assert_eq!(&read.text, &document.text);
            let spans: Vec<_> =
                read.spans.iter().map(|span| (span.start, span.end, &span.label)).collect();
            let expected: Vec<_> =
                document.spans.iter().map(|span| (span.start, span.end, &span.label)).collect();
            prop_assert_eq!(spans, expected);
        }
    }

    #[test]
    fn gold_conll_holds_every_span_that_is_not_told_as_left_out(document in gold_document()) {
        let mut out = Vec::new();
        let losses = write_gold_conll(&mut out, &document).unwrap();
        let (read, problems) = read_all("gold.conll", &out);
        prop_assert_eq!(problems, Vec::<String>::new());
        let without_whitespace =
            |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        prop_assert_eq!(without_whitespace(&read[0].text), without_whitespace(&document.text));

        let left_out = |span: &GoldSpan| {
            losses.iter().any(|loss| loss.reason.left_out() && loss.span == Some(AnnotatedSpan::from(span)))
        };
        let index = TextIndex::new(&document.text);
        let mut expected: Vec<_> = document
            .spans
            .iter()
            .filter(|span| !left_out(span))
            .map(|span| {
                let quote = without_whitespace(index.slice(span.start, span.end).unwrap());
                (span.start, quote, span.label.replace(' ', "_"))
            })
            .collect();
        expected.sort();
        let held: Vec<_> = quotes(&read[0])
            .into_iter()
            .map(|(quote, label)| (without_whitespace(&quote), label.to_owned()))
            .collect();
        let expected: Vec<_> =
            expected.into_iter().map(|(_, quote, label)| (quote, label)).collect();
        prop_assert_eq!(held, expected);
        for loss in &losses {
            if let LossReason::Overlaps(kept) = &loss.reason {
                let lost = loss.span.as_ref().unwrap();
                let told = |loss: &Loss| loss.reason.left_out() && loss.span.as_ref() == Some(kept);
                prop_assert!(!losses.iter().any(told));
                prop_assert!(kept.start < lost.end && lost.start < kept.end);
                prop_assert!(kept.end - kept.start >= lost.end - lost.start);
            }
        }
    }

    #[test]
    fn csv_cells_parse_back_and_start_no_formula(
        words in prop::collection::vec(text(), 8),
        labels in prop::collection::vec(text(), 1..4),
    ) {
        let row = DisagreementRow {
            document_id: 1,
            document: words[0].clone(),
            start: 0,
            end: 1,
            start_utf16: 0,
            end_utf16: 2,
            quote: words[1].clone(),
            left: words[2].clone(),
            right: words[3].clone(),
            kind: words[4].clone(),
            raters: vec![
                (words[5].clone(), RaterCell::Labels(labels.clone())),
                (words[6].clone(), RaterCell::Rejected),
            ],
            decision: Some(words[7].clone()),
            decided_labels: labels.clone(),
            decided_by: None,
            decided_at: None,
            decided_because: None,
            decided_code: None,
            text_sha256: "0".repeat(64),
        };
        let list = DisagreementCsv::new(vec![words[5].clone(), words[6].clone()]);
        let mut out = Vec::new();
        list.write_header(&mut out).unwrap();
        list.write_row(&mut out, &row).unwrap();

        let mut reader = csv::Reader::from_reader(out.as_slice());
        let header = reader.headers().unwrap().clone();
        prop_assert_eq!(header.get(10).unwrap(), format!("rater: {}", words[5]));
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(records.len(), 1);
        let cell = |column: &str| {
            let position = header.iter().position(|name| name == column).unwrap();
            records[0].get(position).unwrap().to_owned()
        };
        for (column, word) in [
            ("document", &words[0]),
            ("quote", &words[1]),
            ("left", &words[2]),
            ("right", &words[3]),
            ("kind", &words[4]),
            ("decision", &words[7]),
        ] {
            prop_assert_eq!(cell(column), guarded(word));
        }
        let joined = cell("decided_labels");
        prop_assert_eq!(records[0].get(10).unwrap(), joined.as_str());
        let unguarded = if guarded(&labels[0]) == labels[0] { &joined } else { &joined[1..] };
        prop_assert_eq!(split_labels(unguarded), labels);
        for cell in &records[0] {
            prop_assert_eq!(guarded(cell), cell);
        }
    }

    #[test]
    fn offsets_agree_with_the_standard_library(text in text(), repeats in 1..20_usize) {
        let text = text.repeat(repeats);
        let index = TextIndex::new(&text);
        let length = text.chars().count();
        prop_assert_eq!(index.scalar_count(), length);
        let ends = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
        let mut utf16 = 0;
        for (offset, byte) in ends.enumerate() {
            prop_assert_eq!(index.utf16(offset), Some(utf16));
            prop_assert_eq!(index.scalar_of_utf16(utf16), Some(offset));
            if text[byte..].chars().next().is_some_and(|scalar| scalar.len_utf16() == 2) {
                prop_assert_eq!(index.scalar_of_utf16(utf16 + 1), None);
            }
            prop_assert_eq!(index.slice(offset, length), Some(&text[byte..]));
            utf16 += text[byte..].chars().next().map_or(0, char::len_utf16);
        }
        prop_assert_eq!(utf16, text.encode_utf16().count());
        prop_assert_eq!(index.utf16(length + 1), None);
        prop_assert_eq!(index.scalar_of_utf16(utf16 + 1), None);
        prop_assert_eq!(index.slice(0, length + 1), None);
    }

    #[test]
    fn brat_ends_on_any_bytes_and_yields_sound_documents_only(
        text in hostile_bytes(),
        annotations in hostile_bytes(),
    ) {
        let text = NamedBytes { name: "x.txt", bytes: &text };
        let annotations = NamedBytes { name: "x.ann", bytes: &annotations };
        match read_brat(text, annotations, &ReadOptions::default()) {
            Ok((document, _)) => {
                let length = document.text.chars().count();
                prop_assert!(!document.text.trim().is_empty());
                for span in &document.spans {
                    prop_assert!(span.start < span.end && span.end <= length);
                    prop_assert!(!span.label.trim().is_empty());
                }
            }
            Err(errors) => prop_assert!(!errors.is_empty()),
        }
    }

    #[test]
    fn a_zip_with_broken_bytes_is_refused_or_read(
        files in prop::collection::vec(("[a-z]{1,3}(/[a-z]{1,3})?\\.(txt|ann|csv|tsv)", hostile_bytes()), 1..4),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in &files {
            if zip.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).is_ok() {
                zip.write_all(bytes).unwrap();
            }
        }
        let mut bytes = zip.finish().unwrap().into_inner();
        for (index, byte) in flips {
            let at = index.index(bytes.len());
            bytes[at] = byte;
        }
        match Bundle::from_zip("x.zip", Cursor::new(bytes), &BundleLimits::default()) {
            Err(error) => prop_assert!(error.to_string().starts_with("x.zip")),
            Ok(mut bundle) => {
                let mut outcomes = Vec::new();
                let notes = bundle.read(&ReadOptions::default(), |outcome| {
                    outcomes.push(outcome);
                    ControlFlow::Continue(())
                });
                prop_assert!(!outcomes.is_empty() || !notes.is_empty());
                for error in outcomes.into_iter().filter_map(Result::err) {
                    prop_assert!(error.to_string().starts_with("x.zip"));
                }
            }
        }
    }
}
