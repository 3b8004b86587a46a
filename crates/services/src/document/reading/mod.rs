//! Reading files of several people, document by document: what is in each file, who the raters are,
//! and which documents are the same. Comparing and importing both read by this; no more than one
//! document is held in memory unless its reader keeps it.

mod each;
mod file_options;
mod paths;
pub(crate) mod problems;
pub(crate) mod raters;
pub(crate) mod same_documents;
pub(crate) mod second_annotations;
mod sources;
mod time_limit;

use std::{collections::BTreeSet, ops::ControlFlow, sync::Arc};

use domain::{RatersFrom, saturating};
use formats::{ImportError, ImportFormat, ImportNote, Note, Notes, Repair, comparable_text};

use crate::base::secrets::checksum::{Digest, digest};
pub(crate) use each::{FileToRead, ReadDocument, ReadWork, files_to_read, read_part};
pub use file_options::{FileOptions, parse_counted};
use problems::Problems;
pub use raters::check_raters;
pub use sources::{Content, Source, SpooledFile, UploadedFile};
pub(crate) use time_limit::TimeLimit;

/// How files are to be read.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadingOptions {
    pub(crate) files: FileOptions,
    /// Whether somebody has chosen what tells the raters, so that the folders of a project's export
    /// do not.
    pub(crate) is_chosen: bool,
    /// To how many bytes a zip may unpack; none for a gibibyte.
    pub(crate) most_unpacked: Option<u64>,
}

impl ReadingOptions {
    pub(crate) fn new(
        files: &FileOptions,
        raters_from: &RatersFrom,
        most_unpacked: Option<u64>,
    ) -> Self {
        let is_chosen = *raters_from != RatersFrom::Auto;
        Self { files: files.clone(), is_chosen, most_unpacked }
    }
}

/// What the formats are called whose files hold marks.
pub fn known_formats() -> Vec<&'static str> {
    let hold_spans = ImportFormat::ALL.iter().filter(|format| each::holds_spans(**format));
    hold_spans.map(|format| format.name()).collect()
}

/// What somebody is told of a file that nothing can be made of.
pub(crate) const UNKNOWN_FORMAT: &str = "unknown format; expected plain text (.txt), JSON Lines (.jsonl), CoNLL (.conll, .conllu), a \
     table of spans (.csv, .tsv), a zip of such files, or an export of brat, WebAnno, doccano, \
     Label Studio, Prodigy, spaCy, Datasaur or UIMA";

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct ReadFile {
    pub(crate) name: String,
    pub(crate) format: &'static str,
    pub(crate) documents: u64,
    pub(crate) spans: u64,
    pub(crate) notes: Vec<String>,
}

/// A file as paths name it: one of those that were given, or one inside a zip.
#[derive(Debug)]
pub(crate) struct NamedFile {
    pub(crate) name: String,
    /// The place of the file that was given among all.
    pub(crate) file: usize,
    /// Whether its format can hold what somebody has marked.
    holds_spans: bool,
    /// Whether it says itself whose spans are whose. Then absence of nameless marks is nobody's
    /// judgement.
    names_raters: bool,
}

/// A document of one file, without its text and spans.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The place of its part among all.
    pub(crate) part: usize,
    pub(crate) line: usize,
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    /// What it is called by its path, where a project's export says whose that is.
    called: Option<String>,
    /// The SHA-256 of its text.
    pub(crate) text: Digest,
    /// That of [`comparable_text`], which all copies of the document have.
    comparable: Digest,
    /// How many characters the text has, and how many as far as its last span.
    pub(crate) length: usize,
    pub(crate) reach: usize,
    /// Who has marked it, in the order of the file.
    pub(crate) work: Vec<EntryWork>,
}

/// That somebody has judged a document.
#[derive(Debug)]
pub(crate) struct EntryWork {
    /// None is whom the file's name or folder stands for.
    pub(crate) rater: Option<Arc<str>>,
    pub(crate) spans: usize,
    /// How many answers there are, about spans and the document.
    pub(crate) answers: usize,
    /// The questions about the document that are answered.
    pub(crate) answered: Vec<Arc<str>>,
    /// Whether it is a judgement, rather than what a model says.
    judged: bool,
}

/// What the files hold.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) files: Vec<ReadFile>,
    pub(crate) parts: Vec<NamedFile>,
    pub(crate) entries: Vec<Entry>,
    /// What is worth telling of whose spans are whose.
    pub(crate) notes: Vec<String>,
    /// Files of folders that are of no known format, or no work.
    pub(crate) left_out: Vec<String>,
    /// The names of raters and questions, each held once.
    named: BTreeSet<Arc<str>>,
    /// What was detected, passed over and repaired in all files.
    found: Notes,
    /// What is left out for what is wrong in it.
    bad: Bad,
}

/// Files with documents that are left out, and the first reason.
#[derive(Debug, Default)]
struct Bad {
    files: BTreeSet<String>,
    first: Option<String>,
}

impl Bad {
    fn add(&mut self, error: &ImportError) {
        self.files.insert(error.file.clone());
        self.first.get_or_insert_with(|| error.to_string());
    }
}

/// As many remarks on a file are told.
const NOTES: usize = 20;

impl Reading {
    /// Reads a file, and the text that it annotates if that is another file. Each document is
    /// handed to `keep` after what is to be known of it was noted, until that says to stop. Says
    /// whether the file is of a known format.
    pub(crate) fn read(
        &mut self,
        part: &FileToRead,
        (file, text): (&dyn Source, Option<&dyn Source>),
        options: &ReadingOptions,
        problems: &mut Problems,
        mut keep: impl FnMut(&str, ReadDocument, &mut Problems) -> ControlFlow<()>,
    ) -> bool {
        let (first, first_part) = (self.entries.len(), self.parts.len());
        let mut take = |outcome: Result<ReadDocument, ImportError>| {
            match outcome {
                Ok(document) => {
                    let name = document.file.as_deref().unwrap_or(file.name()).to_owned();
                    let entry = self.entry(first_part, &name, &document);
                    self.entries.push(entry);
                    keep(&name, document, problems)?;
                }
                Err(error) if options.files.leave_out_wrong => self.bad.add(&error),
                Err(error) => problems.add_error(&error),
            }
            if problems.are_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Some(read) = read_part(part, (file, text), options, &mut take) else {
            // A folder has files beside; whoever names a file wants it.
            if file.name().contains(['/', '\\']) {
                self.left_out.push(file.name().to_owned());
            } else {
                problems.add_of_file(file.name(), UNKNOWN_FORMAT);
            }
            return false;
        };
        let entries = self.entries.get(first..).unwrap_or_default();
        let work = || entries.iter().flat_map(|entry| &entry.work);
        let file = ReadFile {
            name: file.name().to_owned(),
            format: read.format,
            documents: saturating::<u64>(entries.len()),
            spans: saturating::<u64>(work().map(|work| work.spans).sum::<usize>()),
            notes: read.notes.iter().take(NOTES).map(ToString::to_string).collect(),
        };
        self.found.extend(read.notes);
        self.files.push(file);
        // The documents of a file come one after the other.
        for entries in entries.chunk_by(|one, next| one.part == next.part) {
            let part = entries.first().and_then(|entry| self.parts.get(entry.part));
            self.notes.extend(part.and_then(|part| told_nameless(part, entries)));
        }
        true
    }

    /// What was found in all files, a line for each kind of it: what is left out comes first.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let left_out = self.bad.first.as_ref().map(|first| {
            let files = domain::count(self.bad.files.len(), "file");
            format!("Left out for what is wrong in them: documents of {files}; first {first}")
        });
        left_out.into_iter().chain(self.found.as_slice().iter().map(ToString::to_string)).collect()
    }

    /// Refuses what was repaired, each kind once, where files are read strictly.
    pub(crate) fn refuse_repairs(&self, options: &ReadingOptions, problems: &mut Problems) {
        let repairs = self.found.as_slice().iter().filter(|_| options.files.strict);
        repairs.filter_map(ImportNote::refusal).for_each(|error| problems.add_error(&error));
    }

    /// Notes what was repaired so that documents of several files belong together, and refuses it
    /// where files are read strictly.
    fn repair(
        &mut self,
        repair: Repair,
        entries: &[usize],
        options: &ReadingOptions,
        problems: &mut Problems,
    ) {
        let mut notes = Notes::default();
        for entry in entries.iter().filter_map(|place| self.entries.get(*place)) {
            let (file, line) = (self.file_of(entry), Some(entry.line));
            notes.add(ImportNote::new(file, line, 1, Note::Repaired(repair)));
        }
        let repaired = Self { found: notes, ..Self::default() };
        repaired.refuse_repairs(options, problems);
        self.found.extend(repaired.found.into_vec());
    }

    fn entry(&mut self, first_part: usize, name: &str, document: &ReadDocument) -> Entry {
        let names_raters = document.work.iter().any(|work| work.rater.is_some());
        let holds_spans = !document.work.is_empty();
        // The documents of a file come one after the other.
        let begun = self.parts.get_mut(first_part..).and_then(<[NamedFile]>::last_mut);
        if let Some(part) = begun.filter(|part| part.name == name) {
            part.names_raters |= names_raters;
            part.holds_spans |= holds_spans;
        } else {
            let (name, file) = (name.to_owned(), self.files.len());
            self.parts.push(NamedFile { name, file, holds_spans, names_raters });
        }
        let mut named = |name: &str| {
            if let Some(known) = self.named.get(name) {
                return Arc::clone(known);
            }
            let new: Arc<str> = name.into();
            self.named.insert(Arc::clone(&new));
            new
        };
        let work = document.work.iter().map(|work| EntryWork {
            rater: work.rater.as_deref().map(&mut named),
            spans: work.spans.len(),
            answers: work.answers.len(),
            answered: work
                .answers
                .iter()
                .filter(|answer| answer.span.is_none())
                .map(|answer| named(&answer.question))
                .collect(),
            judged: work.rater.is_some() || document.judged,
        });
        let work = work.collect();
        let ReadDocument { line, id, name, called, text, .. } = document;
        let (id, name, called) = (id.clone(), name.clone(), called.clone());
        let spans = document.work.iter().flat_map(|work| &work.spans);
        let reach = spans.map(|span| span.end).max().unwrap_or(0);
        let (part, length) = (self.parts.len().saturating_sub(1), text.chars().count());
        let (comparable, text) = (digest(comparable_text(text)), digest(text));
        Entry { part, line: *line, id, name, called, text, comparable, length, reach, work }
    }

    /// The file that a document is from, as its path names it.
    pub(crate) fn file_of(&self, entry: &Entry) -> &str {
        self.parts.get(entry.part).map_or("", |part| &part.name)
    }

    /// Whether a rater of a document has judged it: the nameless ones of a file that names raters
    /// only with spans.
    pub(crate) fn counts(&self, entry: &Entry, work: &EntryWork) -> bool {
        let names_raters = self.parts.get(entry.part).is_some_and(|part| part.names_raters);
        let says_something = work.spans > 0 || work.answers > 0;
        work.judged && (work.rater.is_some() || says_something || !names_raters)
    }
}

impl EntryWork {
    /// Whether it says nothing of spans, not even that there are none.
    pub(crate) fn has_only_answers(&self) -> bool {
        self.spans == 0 && !self.answered.is_empty()
    }
}

/// That a file names raters and leaves marks to nobody is worth a note.
fn told_nameless(part: &NamedFile, entries: &[Entry]) -> Option<String> {
    let is_nameless = |work: &EntryWork| work.rater.is_none() && work.spans > 0;
    let nameless = entries.iter().filter(|entry| entry.work.iter().any(is_nameless)).count();
    (part.names_raters && nameless > 0).then(|| {
        format!(
            "{} names raters, but not for the spans of {}: these count as a rater of their own",
            part.name,
            domain::count(nameless, "document")
        )
    })
}

#[cfg(test)]
mod tests {
    use domain::RatersFrom;

    use super::*;

    /// Reads files with these names and contents.
    pub(crate) fn read_all(files: &[(&str, String)]) -> (Reading, Problems) {
        let files: Vec<_> = files
            .iter()
            .map(|(name, content)| UploadedFile {
                name: (*name).to_owned(),
                bytes: content.clone().into_bytes(),
            })
            .collect();
        let options = &ReadingOptions::default();
        let sources: Vec<&dyn Source> = files.iter().map(|file| -> &dyn Source { file }).collect();
        let (parts, mut reading) = files_to_read(&sources, options);
        let mut problems = Problems::default();
        for part in parts {
            let text = part.text.map(|text| -> &dyn Source { &files[text] });
            reading.read(&part, (&files[part.file], text), options, &mut problems, |_, _, _| {
                ControlFlow::Continue(())
            });
        }
        (reading, problems)
    }

    #[test]
    fn folders_of_a_projects_export_say_whose_work_a_file_is() {
        let line = |label: &str| format!("Gil {label}\n");
        let files = [
            ("x/annotation/psalm.conll/ana.conll", line("B-PER")),
            ("x/annotation/psalm.conll/bo.conll", line("O")),
            ("x/annotation/psalm.conll/INITIAL_CAS.conll", line("O")),
            ("x/curation/psalm.conll/CURATION_USER.conll", line("O")),
        ];
        let (reading, problems) = read_all(&files);
        assert_eq!(problems.count(), 0);
        let who = |entry: &Entry| entry.work[0].rater.as_deref().map(str::to_owned);
        let told: Vec<_> =
            reading.entries.iter().map(|entry| (entry.name.as_str(), who(entry))).collect();
        let of = |rater: &str| ("psalm.conll", Some(rater.to_owned()));
        assert_eq!(told, [of("ana"), of("bo"), ("psalm.conll", None)]);
        let rated = raters::rated(&reading, &RatersFrom::Auto).unwrap();
        assert_eq!(rated.raters, ["ana", "bo", "gold"]);
    }

    #[test]
    fn a_projects_file_beside_its_folders_says_who_is_done() {
        let line = |label: &str| format!("Gil {label}\n");
        let state = |document: &str, user: &str, state: &str| {
            format!(r#"{{"name": "{document}", "user": "{user}", "state": "{state}"}}"#)
        };
        let states = [
            state("psalm.conll", "ana", "FINISHED"),
            state("psalm.conll", "bo", "IN_PROGRESS"),
            state("ode.conll", "bo", "NEW"),
        ];
        let project = format!(r#"{{"annotation_documents": [{}]}}"#, states.join(","));
        let files = [
            ("x/exportedproject.json", project),
            ("x/annotation/psalm.conll/INITIAL_CAS.conll", line("O")),
            ("x/annotation/psalm.conll/ana.conll", line("B-PER")),
            ("x/annotation/psalm.conll/bo.conll", line("B-PER")),
            ("x/annotation/ode.conll/INITIAL_CAS.conll", line("O")),
            ("x/annotation/ode.conll/bo.conll", line("O")),
        ];
        let (reading, problems) = read_all(&files);
        assert_eq!(problems.count(), 0);
        let told: Vec<_> =
            reading.entries.iter().map(|entry| (entry.name.as_str(), entry.work.len())).collect();
        assert_eq!(told, [("psalm.conll", 1), ("ode.conll", 0)]);
        assert_eq!(reading.left_out, ["x/exportedproject.json"]);
        let told = [
            "x/annotation/psalm.conll/bo.conll: in-progress annotations, not counted: 1",
            "x/annotation/ode.conll/bo.conll: ignored: work that is not begun",
        ];
        assert_eq!(reading.remarks()[..2], told);
    }

    #[test]
    fn one_state_that_is_missing_keeps_the_others_and_a_projects_file_that_is_none_is_told() {
        let read = |project: &str| {
            let files = [
                ("x/exportedproject.json", project.to_owned()),
                ("x/annotation/psalm.conll/INITIAL_CAS.conll", "Gil O\n".to_owned()),
                ("x/annotation/psalm.conll/ana.conll", "Gil B-PER\n".to_owned()),
                ("x/annotation/psalm.conll/bo.conll", "Gil B-PER\n".to_owned()),
            ];
            let (reading, problems) = read_all(&files);
            assert_eq!(problems.count(), 0);
            (reading.entries.iter().map(|entry| entry.work.len()).sum::<usize>(), reading.remarks())
        };
        let null = r#"{"annotation_documents": [
            {"name": "psalm.conll", "user": "ana", "state": null},
            {"name": "psalm.conll", "user": "bo", "state": "IN_PROGRESS"}]}"#;
        assert_eq!(read(null).0, 1);
        let (work, remarks) = read("{");
        assert_eq!(work, 2);
        let is_told = |remark: &String| remark.contains("all work counts as finished");
        assert!(remarks.iter().any(is_told), "{remarks:?}");
    }

    #[test]
    fn a_text_is_read_with_its_marks_and_by_itself_where_it_has_none() {
        let files = [
            ("ana/psalm.ann", "T1\tPER 0 3\tGil\n".to_owned()),
            ("ana/psalm.txt", "Gil sings.".to_owned()),
            ("ana/other.txt", "No one.".to_owned()),
        ];
        let (reading, problems) = read_all(&files);
        assert_eq!(problems.count(), 0);
        let told: Vec<_> = reading
            .files
            .iter()
            .map(|file| (file.name.as_str(), file.format, file.spans))
            .collect();
        assert_eq!(told, [("ana/psalm.ann", "brat", 1), ("ana/other.txt", "plain text", 0)]);
    }
}
