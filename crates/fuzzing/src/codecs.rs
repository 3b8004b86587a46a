//! Files of one format.

use formats::{ImportFormat, ImportedAnswer, ImportedDocument, ImportedSpan, read};

use crate::round_trip::round_trip;

/// More outcomes than a file of this many bytes can have are an iteration without end.
const OUTCOMES_PER_BYTE: usize = 4;

/// Reads a file to its end, holds what came of it against what was promised, and writes it again.
fn check(format: ImportFormat, bytes: &[u8]) {
    let mut outcomes = read(format, "file.x", bytes);
    let mut documents = Vec::new();
    let most = OUTCOMES_PER_BYTE * (bytes.len() + 1);
    for (number, outcome) in outcomes.by_ref().enumerate() {
        assert!(number < most, "more than {most} outcomes of {} bytes", bytes.len());
        match outcome {
            Ok(document) => documents.push(document),
            Err(error) => assert!(error.to_string().len() < 2_000, "a message repeats the file"),
        }
    }
    for note in outcomes.notes() {
        assert!(note.to_string().len() < 2_000, "a note repeats the file");
    }
    let _format = ImportFormat::detect("file.x", bytes);
    for document in &documents {
        promised(document);
        round_trip(format, document);
    }
}

/// What every document holds that was read.
pub(crate) fn promised(document: &ImportedDocument) {
    let length = document.text.chars().count();
    assert!(!document.text.trim().is_empty() && !document.text.contains('\0'));
    assert!(!document.name.trim().is_empty());
    let all = document.work.iter().map(|work| &work.spans).chain([&document.spans]);
    for spans in all {
        let mut seen = std::collections::HashSet::new();
        for span in spans {
            assert!(span.start < span.end && span.end <= length, "a span outside of the text");
            assert!(!span.label.trim().is_empty(), "a label without a sign");
            assert!(seen.insert((span.start, span.end, &span.label)), "a span twice");
        }
    }
    let mut raters = std::collections::HashSet::new();
    for work in &document.work {
        assert!(raters.insert(&work.rater), "a rater twice");
        answers_promised(&work.spans, &work.answers);
    }
    answers_promised(&document.spans, &document.answers);
}

/// What is promised of answers beside spans.
fn answers_promised(spans: &[ImportedSpan], answers: &[ImportedAnswer]) {
    let spans: std::collections::HashSet<_> =
        spans.iter().map(|span| (span.start, span.end, &span.label)).collect();
    let mut questions = std::collections::HashSet::new();
    for answer in answers {
        let words = answer.answer.words();
        let is_said = |words: &String| !words.is_empty() && words.trim() == words;
        assert!(!words.is_empty() && words.iter().all(is_said), "an answer without words");
        assert!(!answer.question.trim().is_empty(), "a question without a name");
        assert!(questions.insert((&answer.span, &answer.question)), "a question twice");
        if let Some(span) = &answer.span {
            let is_there = spans.contains(&(span.start, span.end, &span.label));
            assert!(is_there, "an answer about a span that is not there");
        }
    }
}

macro_rules! targets {
    ($($name:ident = $format:ident),* $(,)?) => {
        $(pub(crate) fn $name(bytes: &[u8]) {
            check(ImportFormat::$format, bytes);
        })*
    };
}

targets! {
    plain_text = PlainText,
    json_lines = JsonLines,
    conll = Conll,
    conllu = Conllu,
    span_csv = SpanCsv,
    span_tsv = SpanTsv,
    ratings_csv = RatingsCsv,
    webanno_tsv = WebAnnoTsv,
    doccano = Doccano,
    label_studio = LabelStudio,
    label_studio_min = LabelStudioMin,
    prodigy = Prodigy,
    spacy = Spacy,
    hugging_face = HuggingFace,
    datasaur = Datasaur,
    cas_xmi = CasXmi,
    cas_json = CasJson,
}
