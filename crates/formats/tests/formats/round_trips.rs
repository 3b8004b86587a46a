//! Reading what was written gives what was written, but for what the writer listed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::ops::ControlFlow;

use formats::{
    AnnotatedAnswer, AnnotatedDocument, AnnotatedSpan, AnnotatedWork, AnswerFeatures, AnswerWords,
    BratConfig, Bundle, BundleFormat, BundleLimits, BundleWriter, ImportFormat, ImportNote,
    ImportedAnswer, ImportedDocument, ImportedSpan, Loss, LossReason, NamedBytes, Note,
    ReadOptions, SpanTableWriter, read, read_brat, write_brat_annotations, write_brat_text,
    write_conll, write_conllu, write_webanno_tsv,
};
use proptest::prelude::*;

use crate::answers::{accounted, answers_of, left_out};
use crate::properties::visible_text;

/// Labels with what formats use for themselves.
fn label() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[A-Za-z0-9]{1,3}",
        2 => prop::sample::select(vec![
            "|", "[", "]", "_", "->", "-", ";", "*", "\\", "\t", "\n", "\r", "\r\n", " ", "=", ":",
            ",", "\"", "'", "#", "é", "🥳", "שלום", "\u{200B}", "\u{2028}", "[1]", "\\n", "\u{1}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..4)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("blank labels are refused", |label| !label.trim().is_empty())
}

/// Distinct spans within a text of this length.
fn spans(length: usize) -> impl Strategy<Value = Vec<AnnotatedSpan>> {
    let place = (any::<prop::sample::Index>(), 1..12_usize, label());
    prop::collection::vec(place, 0..7).prop_map(move |places| {
        let span = |(index, width, label): (prop::sample::Index, usize, String)| {
            let start = index.index(length);
            AnnotatedSpan { start, end: (start + width).min(length), label }
        };
        places.into_iter().map(span).collect::<BTreeSet<_>>().into_iter().collect()
    })
}

/// Something that is answered, without white space at its ends.
fn words() -> impl Strategy<Value = String> {
    label()
        .prop_map(|words| words.trim().to_owned())
        .prop_filter("blank words are none", |words| !words.is_empty())
}

fn answer_words() -> impl Strategy<Value = AnswerWords> {
    let several = prop::collection::btree_set(words(), 1..4);
    let digits = (-99..99_i32, 1..9_u8).prop_map(|(whole, part)| format!("{whole}.{part}"));
    prop_oneof![
        words().prop_map(AnswerWords::One),
        several.prop_map(|words| AnswerWords::Several(words.into_iter().collect())),
        (0..999_u32).prop_map(|digits| AnswerWords::Number(digits.to_string())),
        digits.prop_map(AnswerWords::Number),
    ]
}

/// What somebody has marked and answered.
type Given = (Vec<AnnotatedSpan>, Vec<AnnotatedAnswer>);

/// Distinct spans within a text of this length, and answers to questions about some of them and about
/// the document.
fn given(length: usize) -> impl Strategy<Value = Given> {
    let question = (any::<prop::sample::Index>(), words(), answer_words());
    (spans(length), prop::collection::vec(question, 0..6)).prop_map(|(spans, asked)| {
        let mut answers = BTreeMap::new();
        for (about, question, answer) in asked {
            let place = about.index(spans.len() + 1);
            answers.insert((spans.get(place).cloned(), question), answer);
        }
        let answer = |((span, question), answer)| AnnotatedAnswer { span, question, answer };
        (spans, answers.into_iter().map(answer).collect())
    })
}

/// A document with the work of nobody and of some raters.
pub(crate) fn annotated_document() -> impl Strategy<Value = AnnotatedDocument> {
    let head = (prop::option::of(visible_text()), visible_text(), visible_text());
    head.prop_flat_map(|(id, name, text)| {
        let length = text.chars().count();
        let raters = prop::collection::btree_map(visible_text(), given(length), 0..3);
        (Just((id, name, text)), given(length), raters)
    })
    .prop_map(|((id, name, text), (spans, answers), work)| AnnotatedDocument {
        id,
        name,
        text,
        spans,
        answers,
        work: work
            .into_iter()
            .map(|(rater, (spans, answers))| AnnotatedWork { rater, spans, answers })
            .collect(),
    })
}

fn unplaced(spans: &[ImportedSpan]) -> Vec<AnnotatedSpan> {
    let span = |span: &ImportedSpan| AnnotatedSpan {
        start: span.start,
        end: span.end,
        label: span.label.clone(),
    };
    let mut spans: Vec<_> = spans.iter().map(span).collect();
    spans.sort();
    spans
}

fn unlined(answers: &[ImportedAnswer]) -> Vec<AnnotatedAnswer> {
    let answers = answers.iter().map(|it| AnnotatedAnswer {
        span: it.span.clone(),
        question: it.question.clone(),
        answer: it.answer.clone(),
    });
    answers.collect()
}

/// A document without answers.
pub(crate) fn unanswered(mut document: AnnotatedDocument) -> AnnotatedDocument {
    document.answers.clear();
    document.work.iter_mut().for_each(|work| work.answers.clear());
    document
}

/// A document that was read, without lines and in the order of the text.
pub(crate) fn as_annotated(document: &ImportedDocument) -> AnnotatedDocument {
    let work = document.work.iter().map(|work| AnnotatedWork {
        rater: work.rater.clone(),
        spans: unplaced(&work.spans),
        answers: unlined(&work.answers),
    });
    AnnotatedDocument {
        id: document.id.clone(),
        name: document.name.clone(),
        text: document.text.clone(),
        spans: unplaced(&document.spans),
        answers: unlined(&document.answers),
        work: work.collect(),
    }
}

/// The spans of a document that are in the file, as they are written there.
pub(crate) fn written_spans(spans: &[AnnotatedSpan], losses: &[Loss]) -> Vec<AnnotatedSpan> {
    let mut written = Vec::new();
    for span in spans {
        let mut told = losses.iter().filter(|loss| loss.span.as_ref() == Some(span));
        if told.clone().any(|loss| loss.reason.left_out() && !loss.reason.is_of_answers()) {
            continue;
        }
        let rewritten = told.find_map(|loss| match &loss.reason {
            LossReason::LabelRewritten(label) => Some(label.clone()),
            _ => None,
        });
        let label = rewritten.unwrap_or_else(|| span.label.clone());
        written.push(AnnotatedSpan { label, ..span.clone() });
    }
    written.sort();
    written
}

/// What reading gives, if the losses account for everything.
pub(crate) fn expected(
    document: &AnnotatedDocument,
    losses: &[Loss],
    name_of_file: &str,
) -> AnnotatedDocument {
    let told = |wanted: &LossReason| losses.iter().any(|loss| loss.reason == *wanted);
    let mut expected = unanswered(document.clone());
    expected.spans = written_spans(&document.spans, losses);
    expected.work.retain(|work| {
        !told(&LossReason::RaterLeftOut { spans: work.spans.len() })
            || !losses.iter().any(|loss| {
                loss.rater.as_ref() == Some(&work.rater) && !loss.reason.is_of_answers()
            })
    });
    for loss in losses {
        match &loss.reason {
            LossReason::IdLeftOut => expected.id = None,
            LossReason::IdRewritten(id) => expected.id = Some(id.clone()),
            LossReason::NameLeftOut => name_of_file.clone_into(&mut expected.name),
            LossReason::NameRewritten(name) => expected.name.clone_from(name),
            _ => {}
        }
    }
    expected
}

/// The one document of a file, without problems.
pub(crate) fn read_one(format: ImportFormat, file: &str, bytes: &[u8]) -> AnnotatedDocument {
    let outcomes: Vec<_> = read(format, file, bytes).collect();
    assert_eq!(outcomes.len(), 1, "{outcomes:?}\n{}", String::from_utf8_lossy(bytes));
    let document = outcomes[0].as_ref();
    as_annotated(document.unwrap_or_else(|error| {
        panic!("{error}\n{}", String::from_utf8_lossy(bytes));
    }))
}

pub(crate) fn has(losses: &[Loss], reason: &LossReason) -> bool {
    losses.iter().any(|loss| loss.reason == *reason)
}

fn without_whitespace(text: &str) -> String {
    text.chars().filter(|scalar| !scalar.is_whitespace()).collect()
}

/// The spans as what they hold, where whitespace has moved everything.
fn held(document: &AnnotatedDocument) -> Vec<(String, String)> {
    let quote = |span: &AnnotatedSpan| {
        let quote: String =
            document.text.chars().skip(span.start).take(span.end - span.start).collect();
        (without_whitespace(&quote), span.label.clone())
    };
    document.spans.iter().map(quote).collect()
}

proptest! {
    #[test]
    fn conll(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_conll(&mut out, &document).unwrap();
        if has(&losses, &LossReason::NothingToWrite) {
            prop_assert!(out.is_empty());
            return Ok(());
        }
        let read = read_one(ImportFormat::Conll, "f.conll", &out);
        let expected = expected(&document, &losses, "f-1");
        if has(&losses, &LossReason::WhitespaceChanged) {
            prop_assert_ne!(&read.text, &document.text);
            prop_assert_eq!(without_whitespace(&read.text), without_whitespace(&expected.text));
            prop_assert_eq!(held(&read), held(&expected));
            prop_assert_eq!((read.id, read.name, read.work), (None, expected.name, expected.work));
        } else {
            prop_assert_eq!(read, expected);
        }
    }

    #[test]
    fn tables_of_spans_hold_everything(document in annotated_document()) {
        for format in [ImportFormat::SpanCsv, ImportFormat::SpanTsv] {
            let mut out = Vec::new();
            let table = match format {
                ImportFormat::SpanCsv => SpanTableWriter::csv(&mut out),
                _ => SpanTableWriter::tsv(&mut out),
            };
            let losses = table.unwrap().write(&document).unwrap();
            prop_assert!(losses.iter().all(|loss| loss.reason.is_of_answers()));
            let read = read_one(format, "f", &out);
            prop_assert_eq!(left_out(&losses), answers_of(&document));
            prop_assert_eq!(read, unanswered(document.clone()));
        }
    }

    #[test]
    fn webanno_tsv(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_webanno_tsv(&mut out, &document, &mut AnswerFeatures::default()).unwrap();
        if has(&losses, &LossReason::NothingToWrite) {
            prop_assert!(out.is_empty());
            return Ok(());
        }
        let read = read_one(ImportFormat::WebAnnoTsv, "file.tsv", &out);
        let mut expected = expected(&document, &losses, "");
        "file".clone_into(&mut expected.name);
        if has(&losses, &LossReason::WhitespaceChanged) {
            let spaced = with_leading_spaces(&expected.text);
            prop_assert_ne!(&expected.text, &spaced);
            expected.text = spaced;
        }
        accounted((&read, None), (&document, None), &losses);
        prop_assert_eq!(unanswered(read), expected);
    }

    #[test]
    fn conllu(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_conllu(&mut out, &document).unwrap();
        if has(&losses, &LossReason::NothingToWrite) {
            prop_assert!(out.is_empty());
            return Ok(());
        }
        let read = read_one(ImportFormat::Conllu, "f.conllu", &out);
        prop_assert_eq!(left_out(&losses), document.answers.len());
        prop_assert_eq!(read, expected(&document, &losses, ""));
    }

    #[test]
    fn brat(document in annotated_document()) {
        let (mut text, mut annotations, mut written) = (Vec::new(), Vec::new(), Vec::new());
        write_brat_text(&mut text, &document).unwrap();
        let mut config = BratConfig::default();
        let losses = write_brat_annotations(&mut annotations, &document, &mut config).unwrap();
        config.write(&mut written).unwrap();
        let text = NamedBytes { name: "file.txt", bytes: &text };
        let annotations = NamedBytes { name: "file.ann", bytes: &annotations };
        let (read, notes) = read_brat(text, annotations, &ReadOptions::default()).unwrap();
        prop_assert_eq!(notes, []);
        let mut expected = expected(&document, &losses, "");
        "file".clone_into(&mut expected.name);
        let config = String::from_utf8(written).unwrap();
        for span in &expected.spans {
            prop_assert!(config.lines().any(|line| line == span.label));
        }
        let read = as_annotated(&read);
        accounted((&read, None), (&document, None), &losses);
        prop_assert_eq!(unanswered(read), expected);
    }

    #[test]
    fn bundles_hold_every_rater(documents in prop::collection::vec(annotated_document(), 1..3)) {
        for format in [
            BundleFormat::Brat,
            BundleFormat::WebAnnoTsv,
            BundleFormat::CasXmi,
            BundleFormat::CasJson,
            BundleFormat::Datasaur,
        ] {
            if format == BundleFormat::CasXmi && !documents.iter().all(fits) {
                continue;
            }
            let mut bundle = BundleWriter::new(Cursor::new(Vec::new()), format);
            let (mut expected, mut losses) = (Vec::new(), Vec::new());
            for document in &documents {
                losses.push(bundle.write(document).unwrap());
                expected.push(in_bundle(document, losses.last().unwrap()));
            }
            let zip = bundle.finish().unwrap();
            let mut bundle = Bundle::from_zip("a.zip", zip, &BundleLimits::default()).unwrap();
            let mut read = Vec::new();
            let notes = bundle.read(&ReadOptions::default(), |outcome| {
                read.push(as_annotated(&outcome.unwrap().document));
                ControlFlow::Continue(())
            });
            let passed_over = |note: &ImportNote| matches!(note.note, Note::PassedOver(_));
            prop_assert_eq!(notes.iter().filter(|note| passed_over(note)).map(|note| note.count).sum::<usize>(), match format {
                BundleFormat::Brat | BundleFormat::CasXmi => 1,
                BundleFormat::WebAnnoTsv | BundleFormat::CasJson | BundleFormat::Datasaur => 0,
            });
            for ((read, document), losses) in read.iter().zip(&documents).zip(&losses) {
                if format == BundleFormat::Datasaur {
                    prop_assert_eq!(left_out(losses), answers_of(document));
                    continue;
                }
                accounted((read, None), (document, None), losses);
                for work in &document.work {
                    let name = renamed(&work.rater, losses);
                    accounted((read, Some(&name)), (document, Some(&work.rater)), losses);
                }
            }
            for document in read.iter_mut().chain(&mut expected) {
                document.work.sort_by(|a, b| a.rater.cmp(&b.rater));
            }
            let read: Vec<_> = read.into_iter().map(unanswered).collect();
            prop_assert_eq!(read, expected);
        }
    }
}

/// Whether XML can hold the text and the name.
fn fits(document: &AnnotatedDocument) -> bool {
    let is_xml = |scalar: char| matches!(scalar, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    document.text.chars().chain(document.name.chars()).all(is_xml)
}

/// What a bundle holds of a document, if the losses account for everything.
fn in_bundle(document: &AnnotatedDocument, losses: &[Loss]) -> AnnotatedDocument {
    let of = |rater: Option<&str>| -> Vec<Loss> {
        losses.iter().filter(|loss| loss.rater.as_deref() == rater).cloned().collect()
    };
    let mut held = AnnotatedDocument { work: Vec::new(), ..document.clone() };
    held = expected(&held, &of(None), "");
    if has(losses, &LossReason::WhitespaceChanged) {
        held.text = with_leading_spaces(&held.text);
    }
    for work in &document.work {
        let losses = of(Some(&work.rater));
        let rater = renamed(&work.rater, &losses);
        let spans = written_spans(&work.spans, &losses);
        held.work.push(AnnotatedWork { rater, spans, answers: Vec::new() });
    }
    held
}

/// What a rater is called in a file.
fn renamed(rater: &str, losses: &[Loss]) -> String {
    let mut own = losses.iter().filter(|loss| loss.rater.as_deref() == Some(rater));
    let name = own.find_map(|loss| match &loss.reason {
        LossReason::RaterRewritten(name) => Some(name.clone()),
        _ => None,
    });
    name.unwrap_or_else(|| rater.to_owned())
}

fn with_leading_spaces(text: &str) -> String {
    let rest = text.trim_start();
    let leading = text[..text.len() - rest.len()].chars().count();
    " ".repeat(leading) + rest
}
