//! Files of other tools, of which `expected.json` says what those tools count in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use formats::{
    Bundle, BundleLimits, BundleOptions, ConlluProblem, ExchangeProblem, ImportError, ImportFormat,
    ImportedDocument, ImportedSpan, Problem, read,
};
use serde::Deserialize;

/// Samples that are read in another way than their tools read them, and how.
const NOT_YET: &[(&str, &str)] = &[
    ("brat/discontinuous.zip", "refused whole for one span of two parts"),
    ("cas_json/inheriting.json", "parts of speech are spans"),
    ("conll/chunks_in_text.txt", "a text without spans"),
    ("conll/names", "refused as of no known format"),
    ("conll/names.tsv", "refused as a table of spans"),
    ("conll/names.txt", "a text without spans"),
    ("conll/orphans_first.conll", "refused: its I- makes it IOB1"),
    ("conll/orphans_last.conll", "refused: its I- continues nothing"),
    ("conll/tagger.conll", "refused: its I- makes it IOB1"),
    ("conll/trailing_start.conll", "refused: a blank text at the end"),
    ("conllu/name.conllu", "a text without spans"),
    ("conllu/ner.txt", "a text without spans"),
    ("doccano/users.jsonl", "texts without spans and raters"),
    ("inception/backup.zip", "a text that somebody has finished"),
    ("inception/locked.zip", "what is locked is judged"),
    ("inception/nobody.zip", "refused as of no known format"),
    ("inception/xmi_in_zips.zip", "refused for the archives in it"),
    ("label_studio/images.json", "addresses are texts"),
    ("label_studio/unmarked_images.json", "addresses are texts"),
    ("prodigy/images.jsonl", "refused for a missing text"),
    ("spacy/docs.spacy", "refused as of no known format"),
    ("tables/semicolons.csv", "refused for missing columns"),
    ("webanno/empty_slots.tsv", "the span is lost"),
    ("webanno/tsv-1.tsv", "refused as a table of spans"),
    ("webanno/tsv-2.tsv", "refused as a table of spans"),
    ("webanno/tsv-3.1.tsv", "refused for its version"),
    ("webanno/tsv-3.tsv", "refused for its version"),
    ("webanno/zero_width.tsv", "refused whole for one span without width"),
    ("xmi/inheriting.zip", "parts of speech are spans"),
    ("xmi/words.xmi", "parts of speech are spans"),
];

/// How many spans each label has.
type Spans = BTreeMap<String, usize>;

/// What is counted in a sample: by its own tool, or by us.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
struct Counts {
    /// Documents of different texts.
    documents: usize,
    /// Nobody's.
    spans: Spans,
    raters: BTreeMap<String, Work>,
    /// The kind of reason for which the file, or a line of it, is refused.
    refused: Option<String>,
}

/// What one rater has done.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
struct Work {
    documents: usize,
    spans: Spans,
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

fn expected() -> BTreeMap<String, Counts> {
    let file = fs::read_to_string(samples().join("expected.json")).unwrap();
    serde_json::from_str(&file).unwrap()
}

/// The kind of a reason, as `expected.json` calls it.
fn kind(problem: &Problem) -> String {
    let known = match problem {
        Problem::MissingField(_) => "line",
        Problem::WrongType { .. } => "type",
        Problem::ConllColumns { .. } | Problem::ConllOneColumn => "columns",
        Problem::ConllTag(_) => "tag",
        Problem::TableColumnsMissing(_) => "table",
        Problem::Conllu(ConlluProblem::Brackets(_)) => "brackets",
        Problem::Exchange(ExchangeProblem::NotPlainText(_)) => "media",
        other => return other.to_string(),
    };
    known.to_owned()
}

/// What is read of a sample.
#[derive(Default)]
struct Found {
    texts: BTreeSet<String>,
    spans: Spans,
    raters: BTreeMap<String, (BTreeSet<String>, Spans)>,
    refused: Option<String>,
}

impl Found {
    fn take(&mut self, outcome: Result<ImportedDocument, ImportError>) {
        match outcome {
            Ok(document) => {
                count(&mut self.spans, &document.spans);
                for work in document.work {
                    let (judged, spans) = self.raters.entry(work.rater).or_default();
                    judged.insert(document.text.clone());
                    count(spans, &work.spans);
                }
                self.texts.insert(document.text);
            }
            Err(error) => {
                self.refused.get_or_insert_with(|| kind(&error.problem));
            }
        }
    }

    fn counts(self) -> Counts {
        let work =
            |(judged, spans): (BTreeSet<String>, Spans)| Work { documents: judged.len(), spans };
        Counts {
            documents: self.texts.len(),
            spans: self.spans,
            raters: self.raters.into_iter().map(|(rater, done)| (rater, work(done))).collect(),
            refused: self.refused,
        }
    }
}

fn count(counted: &mut Spans, spans: &[ImportedSpan]) {
    for span in spans {
        *counted.entry(span.label.clone()).or_default() += 1;
    }
}

/// Reads a sample as the product does: a zip as a bundle, else what its content and name tell.
fn counted(path: &str) -> Counts {
    let bytes = fs::read(samples().join(path)).unwrap();
    let mut found = Found::default();
    if bytes.starts_with(b"PK") {
        match Bundle::from_zip(path, Cursor::new(bytes), &BundleLimits::default()) {
            Ok(mut bundle) => {
                bundle.read(BundleOptions::default(), |outcome| {
                    found.take(outcome);
                    ControlFlow::Continue(())
                });
            }
            Err(error) => found.take(Err(error)),
        }
    } else if let Some(format) = ImportFormat::detect(path, &bytes) {
        read(format, path, &bytes).for_each(|outcome| found.take(outcome));
    } else {
        found.refused = Some("no known format".to_owned());
    }
    found.counts()
}

#[test]
fn there_are_samples_of_many_formats() {
    let expected = expected();
    let formats: BTreeSet<_> = expected.keys().filter_map(|path| path.split('/').next()).collect();
    assert!(expected.len() >= 40 && formats.len() >= 12, "{} of {formats:?}", expected.len());
}

#[test]
fn what_is_read_is_what_the_tool_itself_reads() {
    let expected = expected();
    let mut wrong: Vec<String> = NOT_YET
        .iter()
        .filter(|(path, _)| !expected.contains_key(*path))
        .map(|(path, _)| format!("{path}: no such sample"))
        .collect();
    for (path, expected) in expected {
        let counted = counted(&path);
        let known = NOT_YET.iter().find(|(sample, _)| *sample == path);
        wrong.extend(match known {
            None if counted != expected => Some(format!("{path}: {counted:?}, not {expected:?}")),
            Some((_, how)) if counted == expected => Some(format!("{path}: no longer {how}")),
            _ => None,
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
