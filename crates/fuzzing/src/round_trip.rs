//! What was read is written and read again: it is the same, unless the writer has listed what its
//! format cannot hold.

use formats::{
    AnnotatedAnswer, AnnotatedDocument, AnnotatedSpan, AnnotatedWork, AnswerFeatures, AnswerWords,
    ExportError, ImportFormat, ImportedAnswer, ImportedDocument, ImportedSpan, JsonList, Loss,
    SpanTableWriter, read, write_cas_json, write_cas_xmi, write_conll, write_conllu,
    write_datasaur, write_doccano_line, write_document_json_line, write_prodigy_lines,
    write_webanno_tsv,
};

/// Writes a document in the format that it came in, and compares what is read again.
pub(crate) fn round_trip(format: ImportFormat, document: &ImportedDocument) {
    let written = annotated(document);
    let mut out = Vec::new();
    let losses = match write(format, &mut out, &written) {
        None => return,
        Some(Ok(losses)) => losses,
        Some(Err(error)) => panic!("{error}"),
    };
    let shown = || String::from_utf8_lossy(&out).into_owned();
    let mut again: Vec<ImportedDocument> = Vec::new();
    for outcome in read(format, "file.x", &out) {
        let document = match outcome {
            Ok(document) => document,
            // What has nothing to be written is no file.
            Err(_) if out.is_empty() => return,
            Err(error) => panic!("{error}\n{losses:?}\n{}", shown()),
        };
        match again.first_mut().filter(|_| format.comes_in_pieces()) {
            Some(first) => assert!(first.merge(document).is_ok(), "pieces differ\n{}", shown()),
            None => again.push(document),
        }
    }
    if losses.is_empty() {
        let [again] = again.as_slice() else { panic!("{} documents\n{}", again.len(), shown()) };
        let again = &annotated(again);
        // The name of a file of one document is the file's.
        let name = |document: &AnnotatedDocument| AnnotatedDocument {
            name: if format.is_one_document() { String::new() } else { document.name.clone() },
            ..document.clone()
        };
        assert!(name(again) == name(&written), "{again:?}\n{written:?}\n{}", shown());
    }
}

/// Writes a document in a format; nothing where a file of its own cannot be written.
fn write(
    format: ImportFormat,
    out: &mut Vec<u8>,
    document: &AnnotatedDocument,
) -> Option<Result<Vec<Loss>, ExportError>> {
    Some(match format {
        ImportFormat::JsonLines => write_document_json_line(out, document),
        ImportFormat::Conll => write_conll(out, document),
        ImportFormat::Conllu => write_conllu(out, document),
        ImportFormat::SpanCsv => SpanTableWriter::csv(out).and_then(|mut it| it.write(document)),
        ImportFormat::SpanTsv => SpanTableWriter::tsv(out).and_then(|mut it| it.write(document)),
        ImportFormat::WebAnnoTsv => {
            write_webanno_tsv(out, document, &mut AnswerFeatures::default())
        }
        ImportFormat::Doccano => write_doccano_line(out, document),
        ImportFormat::LabelStudio => list(out, |list| list.write_label_studio(document)),
        ImportFormat::Prodigy => write_prodigy_lines(out, document),
        ImportFormat::Spacy => list(out, |list| list.write_spacy(document)),
        ImportFormat::Datasaur => write_datasaur(out, document),
        ImportFormat::CasXmi => write_cas_xmi(out, document, &mut AnswerFeatures::default()),
        ImportFormat::CasJson => write_cas_json(out, document, &mut AnswerFeatures::default()),
        ImportFormat::PlainText
        | ImportFormat::LabelStudioMin
        | ImportFormat::HuggingFace
        | ImportFormat::RatingsCsv
        | ImportFormat::Brat => return None,
    })
}

/// A list of one document.
fn list<'out>(
    out: &'out mut Vec<u8>,
    write: impl FnOnce(&mut JsonList<&'out mut Vec<u8>>) -> Result<Vec<Loss>, ExportError>,
) -> Result<Vec<Loss>, ExportError> {
    let mut list = JsonList::new(out);
    let losses = write(&mut list)?;
    list.finish().map(|_| losses)
}

/// A document without lines and in the order of its text.
fn annotated(document: &ImportedDocument) -> AnnotatedDocument {
    let work = document.work.iter();
    AnnotatedDocument {
        id: document.id.clone(),
        name: document.name.clone(),
        text: document.text.clone(),
        spans: sorted(&document.spans),
        answers: answers(&document.answers),
        work: work
            .map(|work| AnnotatedWork {
                rater: work.rater.clone(),
                spans: sorted(&work.spans),
                answers: answers(&work.answers),
            })
            .collect(),
    }
}

/// Answers in their order, each as a list: what kind of answers they are is not in all files.
pub(crate) fn answers(answers: &[ImportedAnswer]) -> Vec<AnnotatedAnswer> {
    let answer = |it: &ImportedAnswer| {
        let mut words = it.answer.words().to_vec();
        words.sort();
        let answer = AnswerWords::Several(words);
        AnnotatedAnswer { span: it.span.clone(), question: it.question.clone(), answer }
    };
    let mut answers: Vec<_> = answers.iter().map(answer).collect();
    answers.sort();
    answers
}

pub(crate) fn sorted(spans: &[ImportedSpan]) -> Vec<AnnotatedSpan> {
    let span = |span: &ImportedSpan| AnnotatedSpan {
        start: span.start,
        end: span.end,
        label: span.label.clone(),
    };
    let mut spans: Vec<_> = spans.iter().map(span).collect();
    spans.sort();
    spans
}
