//! What was written for another tool is read again as it was, but for what the writer lists.

use formats::{
    AnnotatedDocument, AnnotatedSpan, AnswerFeatures, ImportFormat, JsonList, Loss, LossReason,
    read, write_cas_json, write_cas_xmi, write_datasaur, write_doccano_line,
    write_document_json_line, write_prodigy_lines,
};
use proptest::prelude::*;

use crate::answers::{accounted, answers_of, left_out};
use crate::round_trips::{annotated_document, as_annotated, unanswered};

fn read_back(format: ImportFormat, bytes: &[u8]) -> Vec<AnnotatedDocument> {
    assert_eq!(
        ImportFormat::detect("x.json", bytes),
        Some(format),
        "{}",
        String::from_utf8_lossy(bytes)
    );
    let outcomes = read(format, "file.json", bytes);
    outcomes.map(|outcome| as_annotated(&outcome.expect("what we write can be read"))).collect()
}

/// The document without what its losses say.
fn without(document: AnnotatedDocument, losses: &[Loss]) -> AnnotatedDocument {
    let mut document = unanswered(document);
    for loss in losses.iter().filter(|loss| !loss.reason.is_of_answers()) {
        match &loss.reason {
            LossReason::RaterLeftOut { spans } => {
                let rater = loss.rater.as_ref().unwrap();
                let place = document.work.iter().position(|work| work.rater == *rater).unwrap();
                assert_eq!(document.work.remove(place).spans.len(), *spans);
            }
            LossReason::IdLeftOut => document.id = None,
            LossReason::NameLeftOut => document.name = "file-1".to_owned(),
            LossReason::NotOnTokenBoundary => {
                let span = loss.span.as_ref().unwrap();
                let edges =
                    [span.start, span.end - 1].map(|at| document.text.chars().nth(at).unwrap());
                assert!(edges.iter().any(|edge| edge.is_whitespace()), "{span:?}");
                document.spans.retain(|kept| kept != span);
            }
            LossReason::NotInXml(character) => {
                let span = loss.span.as_ref().unwrap();
                assert!(span.label.contains(*character) && !matches!(character, '\t' | ' '..='~'));
                document.spans.retain(|kept| kept != span);
            }
            LossReason::NameRewritten(name) => document.name.clone_from(name),
            other => panic!("no loss was expected, but {other:?}"),
        }
    }
    document
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn json_lines_hold_everything(documents in prop::collection::vec(annotated_document(), 1..4)) {
        let mut out = Vec::new();
        for document in &documents {
            let losses = write_document_json_line(&mut out, document).unwrap();
            prop_assert!(losses.iter().all(|loss| loss.reason.is_of_answers()));
            prop_assert_eq!(left_out(&losses), answers_of(document));
        }
        let expected: Vec<_> = documents.into_iter().map(unanswered).collect();
        prop_assert_eq!(read_back(ImportFormat::JsonLines, &out), expected);
    }

    #[test]
    fn label_studio_holds_everything(documents in prop::collection::vec(annotated_document(), 1..4)) {
        let mut list = JsonList::new(Vec::new());
        let mut losses = Vec::new();
        for document in &documents {
            losses.push(list.write_label_studio(document).unwrap());
        }
        let is_renamed = |loss: &Loss| matches!(loss.reason, LossReason::QuestionRewritten { .. });
        prop_assert!(losses.iter().flatten().all(is_renamed));
        let read = read_back(ImportFormat::LabelStudio, &list.finish().unwrap());
        for ((read, document), losses) in read.iter().zip(&documents).zip(&losses) {
            accounted((read, None), (document, None), losses);
            for work in &document.work {
                let rater = Some(work.rater.as_str());
                accounted((read, rater), (document, rater), losses);
            }
        }
        let bare = |all: Vec<_>| all.into_iter().map(unanswered).collect::<Vec<_>>();
        prop_assert_eq!(bare(read), bare(documents));
    }

    #[test]
    fn prodigy_holds_everything_in_pieces(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_prodigy_lines(&mut out, &document).unwrap();
        prop_assert!(losses.iter().all(|loss| loss.reason.is_of_answers()));
        prop_assert_eq!(left_out(&losses), answers_of(&document));
        let mut pieces = read(ImportFormat::Prodigy, "file.jsonl", &out).map(Result::unwrap);
        let mut whole = pieces.next().unwrap();
        for piece in pieces {
            whole.merge(piece).unwrap();
        }
        prop_assert_eq!(as_annotated(&whole), unanswered(document));
    }

    #[test]
    fn doccano_holds_spans_of_nobody(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_doccano_line(&mut out, &document).unwrap();
        prop_assert_eq!(read_back(ImportFormat::Doccano, &out), [without(document, &losses)]);
    }

    #[test]
    fn spacy_holds_spans_of_nobody(document in annotated_document()) {
        let mut list = JsonList::new(Vec::new());
        let losses = list.write_spacy(&document).unwrap();
        let out = list.finish().unwrap();
        prop_assert_eq!(read_back(ImportFormat::Spacy, &out), [without(document, &losses)]);
    }

    #[test]
    fn datasaur_holds_what_starts_and_ends_at_something_visible(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_datasaur(&mut out, &document).unwrap();
        prop_assert_eq!(read_back(ImportFormat::Datasaur, &out), [without(document, &losses)]);
    }

    #[test]
    fn xmi_holds_spans_of_nobody(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_cas_xmi(&mut out, &document, &mut AnswerFeatures::default()).unwrap();
        let whole = |loss: &&Loss| loss.span.is_none();
        let unheld = losses.iter().find(whole).map(|loss| &loss.reason);
        if let Some(LossReason::NotInXml(character)) = unheld {
            prop_assert!(document.text.contains(*character) && character.is_control());
            prop_assert!(out.is_empty());
        } else {
            let read = read_back(ImportFormat::CasXmi, &out).remove(0);
            accounted((&read, None), (&document, None), &losses);
            prop_assert_eq!(unanswered(read), without(document, &losses));
        }
    }

    #[test]
    fn json_cas_holds_spans_of_nobody(document in annotated_document()) {
        let mut out = Vec::new();
        let losses = write_cas_json(&mut out, &document, &mut AnswerFeatures::default()).unwrap();
        let read = read_back(ImportFormat::CasJson, &out).remove(0);
        accounted((&read, None), (&document, None), &losses);
        prop_assert_eq!(unanswered(read), without(document, &losses));
    }

    #[test]
    fn broken_files_are_told_and_never_panic(
        document in annotated_document(),
        cut in any::<prop::sample::Index>(),
        changed in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        chosen in any::<prop::sample::Index>(),
    ) {
        let files = everything(&document);
        let (format, whole) = &files[chosen.index(files.len())];
        let mut bytes = whole.clone();
        bytes.truncate(cut.index(whole.len()) + 1);
        let place = changed.index(bytes.len());
        bytes[place] = byte;
        let mut outcomes = read(*format, "x", &bytes);
        for document in outcomes.by_ref().flatten() {
            let length = document.text.chars().count();
            let of_raters = document.work.iter().flat_map(|work| &work.spans);
            for span in document.spans.iter().chain(of_raters) {
                prop_assert!(span.start < span.end && span.end <= length);
            }
        }
        prop_assert!(outcomes.next().is_none());
    }
}

/// The document in every format.
pub(crate) fn everything(document: &AnnotatedDocument) -> Vec<(ImportFormat, Vec<u8>)> {
    let mut files = Vec::new();
    let mut add = |format, write: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        write(&mut out);
        files.push((format, out));
    };
    let list = |write: &dyn Fn(&mut JsonList<Vec<u8>>)| {
        let mut list = JsonList::new(Vec::new());
        write(&mut list);
        list.finish().unwrap()
    };
    add(ImportFormat::JsonLines, &|out| {
        write_document_json_line(out, document).unwrap();
    });
    add(ImportFormat::Doccano, &|out| {
        write_doccano_line(out, document).unwrap();
    });
    add(ImportFormat::Prodigy, &|out| {
        write_prodigy_lines(out, document).unwrap();
    });
    add(ImportFormat::Datasaur, &|out| {
        write_datasaur(out, document).unwrap();
    });
    add(ImportFormat::CasXmi, &|out| {
        write_cas_xmi(out, document, &mut AnswerFeatures::default()).unwrap();
    });
    add(ImportFormat::CasJson, &|out| {
        write_cas_json(out, document, &mut AnswerFeatures::default()).unwrap();
    });
    add(ImportFormat::LabelStudio, &|out| {
        *out = list(&|list| {
            list.write_label_studio(document).unwrap();
        });
    });
    add(ImportFormat::Spacy, &|out| {
        *out = list(&|list| {
            list.write_spacy(document).unwrap();
        });
    });
    files.retain(|(_, file)| !file.is_empty());
    files
}

#[test]
fn lines_of_long_texts_tell_their_format_at_their_beginning() {
    let span = AnnotatedSpan { start: 0, end: 2, label: "ORG".to_owned() };
    let many = (0..4_000).map(|start| AnnotatedSpan { start, end: start + 1, ..span.clone() });
    for spans in [Vec::new(), vec![span.clone()], many.collect()] {
        let document = AnnotatedDocument {
            id: None,
            name: "long".to_owned(),
            text: "EU ".repeat(30_000),
            spans,
            answers: Vec::new(),
            work: Vec::new(),
        };
        let (mut doccano, mut prodigy) = (Vec::new(), Vec::new());
        write_doccano_line(&mut doccano, &document).unwrap();
        write_prodigy_lines(&mut prodigy, &document).unwrap();
        for (line, format) in [(doccano, ImportFormat::Doccano), (prodigy, ImportFormat::Prodigy)] {
            let beginning = line.get(..65_536).unwrap();
            assert_eq!(ImportFormat::detect("a.jsonl", beginning), Some(format));
        }
    }
}
