//! From files to documents that can be stored. No database: this runs on a thread that may block.

use std::{collections::BTreeSet, sync::Arc};

use domain::{Error as Refusal, FilePreview, ImportProblem, NewLabel, Range, text};
use formats::{IdRegistry, ImportFormat, ImportedDocument, ImportedSpan, check_labels};
use store::documents::NewDocument;

use super::{UploadedFile, problems::Problems};
use crate::checksum::checksum;

/// The most documents of one import.
const MAX_DOCUMENTS: usize = 100_000;

/// The longest text of a document, in Unicode scalar values.
const MAX_CHARACTERS: u32 = 5_000_000;

/// The longest id and the longest name of a document, in characters. A database index holds the
/// ids, and that has its limits.
const MAX_ID: usize = 200;
const MAX_NAME: usize = 300;

/// As much of a file tells its format.
const BEGINNING: usize = 64 * 1024;

/// How many remarks on a file a preview shows.
const NOTES: usize = 20;

/// How many documents of a file a preview shows, and how much of each.
const SAMPLES: usize = 3;
const SAMPLE_CHARACTERS: usize = 160;

/// What the files hold.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) files: Vec<FilePreview>,
    pub(super) documents: Vec<Wanted>,
    pub(super) problems: Problems,
    /// Labels that the project does not have, in the order they turned up.
    pub(super) new_labels: Vec<String>,
}

/// A document that a file asks to be stored.
pub(super) struct Wanted {
    pub(super) file: Arc<str>,
    pub(super) line: u64,
    id: Option<String>,
    name: String,
    text: String,
    characters: u32,
    sha256: String,
    spans: Vec<(Range, String)>,
}

impl Wanted {
    /// The document's id in its file.
    pub(super) fn id(&self) -> Option<String> {
        self.id.clone()
    }

    /// The document as it is stored, and its spans with the names of their labels.
    pub(super) fn into_parts(self, copies: Option<u32>) -> (NewDocument, Vec<(Range, String)>) {
        let document = NewDocument {
            external_id: self.id,
            name: self.name,
            text: self.text,
            characters: self.characters,
            sha256: self.sha256,
            copies,
        };
        (document, self.spans)
    }
}

/// Reads the files. `known` are the labels of the project.
pub(super) fn read(
    files: Vec<UploadedFile>,
    known: &BTreeSet<String>,
    create_labels: bool,
) -> Result<Reading, Refusal> {
    let mut reader = Reader {
        known,
        create_labels,
        reading: Reading::default(),
        ids: IdRegistry::new(),
        seen: BTreeSet::new(),
    };
    for file in files {
        reader.read_file(&file)?;
    }
    Ok(reader.reading)
}

struct Reader<'known> {
    known: &'known BTreeSet<String>,
    create_labels: bool,
    reading: Reading,
    ids: IdRegistry,
    /// New labels that were looked at, good or bad.
    seen: BTreeSet<String>,
}

impl Reader<'_> {
    fn read_file(&mut self, file: &UploadedFile) -> Result<(), Refusal> {
        let beginning = file.bytes.get(..BEGINNING).unwrap_or(&file.bytes);
        let format = ImportFormat::detect(&file.name, beginning);
        let mut preview = FilePreview {
            name: file.name.clone(),
            format: format.map(|format| format.name().to_owned()),
            documents: 0,
            characters: 0,
            spans: 0,
            samples: Vec::new(),
            notes: Vec::new(),
        };
        if let Some(format) = format {
            let name: Arc<str> = file.name.as_str().into();
            let mut documents = formats::read(format, &file.name, &file.bytes);
            for document in documents.by_ref() {
                match document {
                    Ok(document) => self.take(&name, document, &mut preview)?,
                    Err(error) => self.reading.problems.add_error(&error),
                }
            }
            preview.notes = documents.notes().iter().take(NOTES).map(ToString::to_string).collect();
        } else {
            self.problem(&file.name, None, None, UNKNOWN_FORMAT.to_owned());
        }
        self.reading.files.push(preview);
        Ok(())
    }

    /// Checks a document and keeps it. One with a problem is kept, too, so that others with the
    /// same id are found.
    fn take(
        &mut self,
        file: &Arc<str>,
        document: ImportedDocument,
        preview: &mut FilePreview,
    ) -> Result<(), Refusal> {
        if self.reading.documents.len() == MAX_DOCUMENTS {
            let why = "these are more than 100,000 documents; import them in several steps";
            return Err(Refusal::invalid("files", why));
        }
        let line = u64::try_from(document.line).unwrap_or(u64::MAX);
        let characters = text::length(&document.text);
        self.check_lengths(file, line, &document, characters);
        if let Err(error) = self.ids.register(&document, file) {
            self.reading.problems.add_error(&error);
        }
        self.check_labels(file, &document);
        self.refuse_work(file, line, &document);

        preview.documents += 1;
        preview.characters += u64::from(characters);
        preview.spans += u64::try_from(document.spans.len()).unwrap_or(u64::MAX);
        if preview.samples.len() < SAMPLES {
            let beginning = document.text.chars().take(SAMPLE_CHARACTERS).collect();
            preview.samples.push((document.name.clone(), beginning));
        }
        self.reading.documents.push(Wanted {
            file: Arc::clone(file),
            line,
            id: document.id,
            name: document.name,
            characters,
            sha256: checksum(&document.text),
            text: document.text,
            spans: document.spans.into_iter().filter_map(positioned).collect(),
        });
        Ok(())
    }

    fn check_lengths(
        &mut self,
        file: &str,
        line: u64,
        document: &ImportedDocument,
        characters: u32,
    ) {
        if characters > MAX_CHARACTERS {
            let why =
                format!("the text has {characters} characters; a document has at most 5,000,000");
            self.problem(file, Some(line), Some("text"), why);
        }
        let longer = |value: &str, most: usize| value.chars().nth(most).is_some();
        if document.id.as_deref().is_some_and(|id| longer(id, MAX_ID)) {
            let why = format!("the id is longer than {MAX_ID} characters");
            self.problem(file, Some(line), Some("id"), why);
        } else if longer(&document.name, MAX_NAME) {
            let why = format!("the name is longer than {MAX_NAME} characters");
            self.problem(file, Some(line), Some("name"), why);
        }
    }

    fn check_labels(&mut self, file: &str, document: &ImportedDocument) {
        for span in &document.spans {
            if !self.known.contains(&span.label) && !self.seen.contains(&span.label) {
                self.seen.insert(span.label.clone());
                self.reading.new_labels.push(span.label.clone());
                if self.create_labels {
                    self.check_new_label(file, span);
                }
            }
        }
        if !self.create_labels {
            for error in check_labels(document, self.known, file) {
                self.reading.problems.add_error(&error);
            }
        }
    }

    /// What raters whom a file names have marked is nobody's here: it is refused rather than left
    /// out without a word.
    fn refuse_work(&mut self, file: &str, line: u64, document: &ImportedDocument) {
        let Some((first, others)) = document.work.split_first() else { return };
        let (rater, others) = (&first.rater, others.len());
        let who = match others {
            0 => format!("what {rater} marked"),
            1 => format!("what {rater} and one other marked"),
            _ => format!("what {rater} and {others} others marked"),
        };
        let why = format!(
            "the file holds {who}, and a project has no place for marks of people whom a file \
             names; compare such files without a project, or import them without these marks"
        );
        self.problem(file, Some(line), None, why);
    }

    /// A label that is to be added goes by the same rules as one that is typed in.
    fn check_new_label(&mut self, file: &str, span: &ImportedSpan) {
        let why = match NewLabel::numbered(span.label.as_str(), 0).checked() {
            Ok(label) if label.name == span.label => return,
            Ok(_) => "a label's name neither begins nor ends with white space".to_owned(),
            Err(error) => error.to_string(),
        };
        let line = u64::try_from(span.line).ok();
        self.problem(file, line, Some("label"), why);
    }

    fn problem(&mut self, file: &str, line: Option<u64>, field: Option<&str>, message: String) {
        let field = field.map(str::to_owned);
        self.reading.problems.add(ImportProblem { file: file.to_owned(), line, field, message });
    }
}

pub(crate) const UNKNOWN_FORMAT: &str = "neither the name nor the content tells a known format; \
    expected plain text (.txt), JSON Lines (.jsonl), CoNLL (.conll, .conllu), a table of spans (.csv, \
    .tsv), or an export of brat, WebAnno, doccano, Label Studio, Prodigy, spaCy, Datasaur or UIMA";

/// A span with offsets as they are stored; texts that these do not fit have a problem already.
fn positioned(span: ImportedSpan) -> Option<(Range, String)> {
    let start = u32::try_from(span.start).ok()?;
    let end = u32::try_from(span.end).ok()?;
    Some((Range::new(start, end), span.label))
}

#[cfg(test)]
mod tests {
    use formats::ImportedWork;

    use super::*;

    #[test]
    fn marks_of_people_whom_a_file_names_are_refused_not_dropped() {
        let known = BTreeSet::new();
        let mut reader = Reader {
            known: &known,
            create_labels: true,
            reading: Reading::default(),
            ids: IdRegistry::new(),
            seen: BTreeSet::new(),
        };
        let work = |rater: &str| ImportedWork { rater: rater.to_owned(), spans: Vec::new() };
        let document = |work| ImportedDocument {
            id: None,
            name: "psalm".to_owned(),
            text: "Gil met Hal.".to_owned(),
            spans: Vec::new(),
            work,
            line: 4,
        };
        let mut preview = FilePreview {
            name: "both.json".to_owned(),
            format: None,
            documents: 0,
            characters: 0,
            spans: 0,
            samples: Vec::new(),
            notes: Vec::new(),
        };
        let file: Arc<str> = "both.json".into();
        reader.take(&file, document(Vec::new()), &mut preview).unwrap();
        assert_eq!(reader.reading.problems.count(), 0);
        reader.take(&file, document(vec![work("Ada"), work("Bo")]), &mut preview).unwrap();
        let problems = reader.reading.problems.into_first();
        assert_eq!((problems.len(), problems[0].line), (1, Some(4)));
        assert!(problems[0].message.contains("what Ada and one other marked"));
    }
}
