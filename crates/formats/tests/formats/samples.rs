//! Files of other tools, of which `expected.json` says what those tools count in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use formats::{
    Bundle, BundleLimits, BundleProblem, ConlluProblem, ExchangeProblem, ImportError, ImportFormat,
    ImportedDocument, ImportedSpan, Layout, Problem, ReadOptions, read,
};
use serde::Deserialize;

use crate::support::quotes;

/// Samples with a folder for each rater. Whether that is so, whoever reads all files tells by what is in
/// them; a zip by itself says nothing of it.
const BY_FOLDER: &[&str] = &["brat/folders.zip"];

/// What the spans of each label quote, sorted.
type Spans = BTreeMap<String, Vec<String>>;

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
        Problem::Exchange(ExchangeProblem::NotPlainText(_) | ExchangeProblem::Media(_)) => "media",
        Problem::Exchange(ExchangeProblem::DocBin) => "binary",
        Problem::Exchange(ExchangeProblem::OtherTool { .. }) => "other tool",
        Problem::Bundle(BundleProblem::Serialized) => "serialized",
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
    fn add(&mut self, outcome: Result<ImportedDocument, ImportError>) {
        match outcome {
            Ok(document) => {
                count(&mut self.spans, &document, &document.spans);
                for work in &document.work {
                    let (judged, spans) = self.raters.entry(work.rater.clone()).or_default();
                    judged.insert(document.text.clone());
                    count(spans, &document, &work.spans);
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

fn count(counted: &mut Spans, document: &ImportedDocument, spans: &[ImportedSpan]) {
    let marked = ImportedDocument { spans: spans.to_vec(), ..document.clone() };
    for (quote, label) in quotes(&marked) {
        let known = counted.entry(label.to_owned()).or_default();
        known.insert(known.partition_point(|other| *other < quote), quote);
    }
}

/// Reads a sample as the product does: a zip as a bundle, else what its content and name tell.
fn counted(path: &str) -> Counts {
    let bytes = fs::read(samples().join(path)).unwrap();
    let mut found = Found::default();
    if bytes.starts_with(b"PK") {
        match Bundle::from_zip(path, Cursor::new(bytes), &BundleLimits::default()) {
            Ok(mut bundle) => {
                if BY_FOLDER.contains(&path) {
                    bundle.set_layout(Layout::FolderPerRater);
                }
                bundle.read(&ReadOptions::default(), |outcome| {
                    found.add(outcome.map(|read| read.document));
                    ControlFlow::Continue(())
                });
            }
            Err(error) => found.add(Err(error)),
        }
    } else if let Some(format) = ImportFormat::detect(path, &bytes) {
        read(format, path, &bytes).for_each(|outcome| found.add(outcome));
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
    let mut wrong: Vec<String> = Vec::new();
    for (path, expected) in expected {
        let counted = counted(&path);
        if counted != expected {
            wrong.push(format!("{path}: {counted:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
