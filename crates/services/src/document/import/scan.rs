//! The first look at files: everything that can be known of them without the database and without
//! keeping their texts and spans. This runs on a thread that may block.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
    sync::Arc,
};

use domain::{
    Code, Error as Refusal, FilePreview, ImportAs, ImportProblem, MatchBy, NewLabel, base::text,
    saturating,
};
use formats::{IdRegistry, ImportError, ImportedSpan, check_labels};
use sha2::{Digest as _, Sha256};

use super::{
    Job, Order,
    names::{
        labels::Labels,
        questions::{Questions, ReadAnswer},
    },
};
use crate::{
    base::secrets::checksum::Digest,
    document::reading::{
        FileToRead, ReadDocument, ReadWork, Reading, ReadingOptions, Source, files_to_read,
        problems::Problems,
        raters::{Rated, rated, told_first, understood},
        same_documents::match_documents,
        second_annotations::settle,
    },
};

/// The longest text of a document, in Unicode scalar values.
const MAX_CHARACTERS: u32 = 5_000_000;

/// The longest id and the longest name of a document, in characters. A database index holds the
/// ids, and that has its limits.
const MAX_ID: usize = 200;
const MAX_NAME: usize = 300;

/// The most people whose work one import brings: more are names that are none.
const MAX_PEOPLE: usize = 200;

/// How many documents of a file a preview shows, and how much of each.
const SAMPLES: usize = 3;
const SAMPLE_CHARACTERS: usize = 160;

/// What the files hold.
pub(super) struct Scan {
    pub(super) parts: Vec<FileToRead>,
    pub(super) previews: Vec<FilePreview>,
    pub(super) reading: Reading,
    pub(super) rated: Rated,
    /// The entries that are one document.
    pub(super) groups: Vec<Vec<usize>>,
    /// How documents and people were understood.
    pub(super) notes: Vec<String>,
    /// What is marked and answered in each work of each entry.
    pub(super) digests: Vec<Vec<WorkDigest>>,
    pub(super) questions: Questions,
    /// Each label with how often it stands.
    pub(super) labels: BTreeMap<String, u64>,
    /// Labels that are to be made, in the order they turned up.
    pub(super) new_labels: Vec<String>,
    pub(super) problems: Problems,
}

/// Looks at the files.
pub(super) fn scan(
    files: &[Box<dyn Source>],
    labels: &Labels,
    questions: Questions,
    (order, job): (&Order, &Job),
) -> Result<Scan, Refusal> {
    let mut scanner = Scanner {
        labels,
        questions,
        order,
        ids: IdRegistry::new(),
        seen: BTreeSet::new(),
        digests: Vec::new(),
        counts: BTreeMap::new(),
        new_labels: Vec::new(),
        samples: Vec::new(),
        characters: 0,
        unused_answers: 0,
        refused_answers: false,
        stopped: None,
    };
    let mut problems = Problems::counting_all();
    let mut previews = Vec::with_capacity(files.len());
    let options = order.reading();
    let sources: Vec<&dyn Source> = files.iter().map(Box::as_ref).collect();
    let (parts, mut reading) = files_to_read(&sources, &options);
    for part in &parts {
        let Some(file) = files.get(part.file) else { continue };
        let text = part.text.and_then(|text| files.get(text));
        let source = (file.as_ref(), text.map(Box::as_ref));
        let is_known = reading.read(part, source, &options, &mut problems, |name, it, problems| {
            job.count_read();
            if job.is_cancelled() {
                return ControlFlow::Break(());
            }
            scanner.scan_document(name, it, problems)
        });
        previews.push(scanner.end_file(file.name(), &reading, is_known));
        if let Some(refusal) = scanner.stopped.take() {
            return Err(refusal);
        }
        if job.is_cancelled() {
            return Err(Code::Cancelled.because("the import was cancelled"));
        }
    }
    reading.refuse_repairs(&options, &mut problems);
    let Scanner { digests, questions, counts, new_labels, .. } = scanner;
    let (rated, groups, notes) = match order.options.import_as {
        ImportAs::Suggestions => {
            let groups = (0..reading.entries.len()).map(|place| vec![place]).collect();
            (Rated::nobody(&reading), groups, Vec::new())
        }
        ImportAs::Work => together(&mut reading, order, &options, &mut problems),
    };
    let notes = notes.into_iter().chain(reading.remarks()).collect();
    if reading.entries.is_empty() {
        for name in &reading.left_out {
            problems.add_of_file(name, crate::document::reading::UNKNOWN_FORMAT);
        }
    }
    Ok(Scan {
        parts,
        previews,
        reading,
        rated,
        groups,
        notes,
        digests,
        questions,
        labels: counts,
        new_labels,
        problems,
    })
}

/// Which documents are the same, and what is to be known of that.
fn together(
    reading: &mut Reading,
    order: &Order,
    options: &ReadingOptions,
    problems: &mut Problems,
) -> (Rated, Vec<Vec<usize>>, Vec<String>) {
    let mut rated = match rated(reading, &order.options.raters_from) {
        Ok(rated) => rated,
        Err(problem) => {
            problems.add(problem);
            return (Rated::nobody(reading), Vec::new(), Vec::new());
        }
    };
    settle(reading, &mut rated, (MatchBy::Auto, options), problems);
    let mut notes = told_first(reading, &understood(reading, &rated));
    notes.append(&mut rated.notes);
    notes.extend(reading.notes.iter().cloned());
    let file = reading.files.first().map_or("", |file| &file.name);
    if rated.raters.is_empty() && !reading.entries.is_empty() {
        problems.add_of_file(file, "no spans in these files");
    } else if rated.raters.len() > MAX_PEOPLE {
        let why = format!(
            "{} people found, at most {MAX_PEOPLE} allowed: choose rater names in another way \
             (--raters)",
            rated.raters.len()
        );
        problems.add_of_file(file, why);
        // What is refused is not matched: that takes time for each of so many people.
        return (rated, Vec::new(), notes);
    }
    let matching =
        match_documents(reading, &rated, (MatchBy::Auto, options), &|_, _| None, problems);
    if matching.by_text_alone > 0 {
        notes.push(format!(
            "{} matched by text only: ids or names differ between the files.",
            domain::count(matching.by_text_alone, "document")
        ));
    }
    (rated, matching.groups, notes)
}

struct Scanner<'a> {
    labels: &'a Labels,
    questions: Questions,
    order: &'a Order,
    ids: IdRegistry,
    /// Labels that were looked at, good or bad.
    seen: BTreeSet<String>,
    digests: Vec<Vec<WorkDigest>>,
    counts: BTreeMap<String, u64>,
    new_labels: Vec<String>,
    /// Of the present file.
    samples: Vec<(String, String)>,
    characters: u64,
    unused_answers: usize,
    /// Whether the present file was refused for having answers.
    refused_answers: bool,
    /// Why no more is looked at.
    stopped: Option<Refusal>,
}

impl Scanner<'_> {
    /// Checks a document. One with a problem is counted, too, so that others with the same id are
    /// found.
    fn scan_document(
        &mut self,
        file: &str,
        document: ReadDocument,
        problems: &mut Problems,
    ) -> ControlFlow<()> {
        let most = self.order.most_documents;
        if self.digests.len() == most {
            let why = format!("more than {most} documents; import them in several steps");
            self.stopped = Some(Code::TooMany.of("files", why));
            return ControlFlow::Break(());
        }
        let characters = text::length(&document.text);
        let place = Place { file, line: saturating::<u64>(document.line), problems };
        self.check(place, &document, characters);
        self.characters += u64::from(characters);
        if self.samples.len() < SAMPLES {
            let beginning = document.text.chars().take(SAMPLE_CHARACTERS).collect();
            self.samples.push((document.name, beginning));
        }
        let digest = |work: &ReadWork| WorkDigest::of_files(work, self.labels, &self.questions);
        self.digests.push(document.work.iter().map(digest).collect());
        ControlFlow::Continue(())
    }

    fn check(&mut self, mut place: Place<'_>, document: &ReadDocument, characters: u32) {
        check_lengths(&mut place, document, characters);
        if self.order.options.import_as == ImportAs::Suggestions {
            let has_answers = document.work.iter().any(|work| !work.answers.is_empty());
            if !has_answers
                && let Some(id) = &document.id
                && let Err(error) = self.ids.register(id, place.file, document.line)
            {
                place.problems.add_error(&error);
            }
            // That a file is one of answers is said once.
            if !has_answers || !std::mem::replace(&mut self.refused_answers, true) {
                refuse_work(&mut place, document);
            }
        }
        for ReadWork { rater, spans, answers } in &document.work {
            self.check_labels(&mut place, rater.as_deref(), spans);
            if self.order.options.import_as == ImportAs::Suggestions {
                self.unused_answers += answers.len();
                continue;
            }
            let is_alone = spans.is_empty();
            for answer in answers {
                if let Err(error) = self.questions.add(answer, self.labels, is_alone) {
                    let line = saturating::<u64>(answer.line);
                    place.refuse(line, rater.as_deref(), error.to_string());
                }
            }
        }
    }

    fn check_labels(&mut self, place: &mut Place<'_>, rater: Option<&str>, spans: &[ImportedSpan]) {
        for span in spans {
            if let Some(count) = self.counts.get_mut(&span.label) {
                *count += 1;
            } else {
                self.counts.insert(span.label.clone(), 1);
            }
            if !self.labels.is_told(&span.label) && !self.seen.contains(&span.label) {
                self.seen.insert(span.label.clone());
                self.new_labels.push(span.label.clone());
                if self.labels.creates(&span.label) {
                    check_new_label(place, span);
                }
            }
        }
        let is_wrong = |label: &str| !self.labels.is_told(label) && !self.labels.creates(label);
        if !spans.iter().any(|span| is_wrong(&span.label)) {
            return;
        }
        for error in check_labels(spans, self.labels.known(), place.file) {
            let formats::Problem::UnknownLabel { label, .. } = &error.problem else { continue };
            if !is_wrong(label) {
                continue;
            }
            let field = error.field.map(|field| match rater {
                Some(rater) => format!("{field} of {rater}"),
                None => field,
            });
            place.problems.add_error(&ImportError { field, ..error });
        }
    }

    /// What a preview says of a file.
    fn end_file(&mut self, name: &str, reading: &Reading, is_known: bool) -> FilePreview {
        let samples = std::mem::take(&mut self.samples);
        let characters = std::mem::take(&mut self.characters);
        let read = reading.files.last().filter(|_| is_known);
        let unused = std::mem::take(&mut self.unused_answers);
        self.refused_answers = false;
        let unused = (unused > 0).then(|| {
            format!("{name}: {} left out: suggestions have none", domain::count(unused, "answer"))
        });
        FilePreview {
            name: name.to_owned(),
            format: read.map(|file| file.format.to_owned()),
            documents: read.map_or(0, |file| file.documents),
            characters,
            spans: read.map_or(0, |file| file.spans),
            samples,
            notes: read.iter().flat_map(|file| file.notes.clone()).chain(unused).collect(),
        }
    }
}

/// Where something is wrong.
struct Place<'a> {
    file: &'a str,
    line: u64,
    problems: &'a mut Problems,
}

impl Place<'_> {
    fn refuse(&mut self, line: u64, field: Option<&str>, message: String) {
        let (file, field) = (self.file.to_owned(), field.map(str::to_owned));
        self.problems.add(ImportProblem { file, line: Some(line), field, message });
    }
}

fn check_lengths(place: &mut Place<'_>, document: &ReadDocument, characters: u32) {
    let line = place.line;
    if characters > MAX_CHARACTERS {
        let why = format!("the text has {characters} characters; a document has at most 5,000,000");
        place.refuse(line, Some("text"), why);
    }
    let longer = |value: &str, most: usize| value.chars().nth(most).is_some();
    if document.id.as_deref().is_some_and(|id| longer(id, MAX_ID)) {
        place.refuse(line, Some("id"), format!("the id is longer than {MAX_ID} characters"));
    } else if longer(&document.name, MAX_NAME) {
        place.refuse(line, Some("name"), format!("the name is longer than {MAX_NAME} characters"));
    }
}

/// What raters whom a file names have marked is no suggestion of nobody: it is refused rather than
/// left out without a word.
fn refuse_work(place: &mut Place<'_>, document: &ReadDocument) {
    let mut raters = document.work.iter().filter_map(|work| work.rater.as_deref());
    let Some(rater) = raters.next() else { return };
    let answers = document.work.iter().any(|work| !work.answers.is_empty());
    let what = if answers { "answers" } else { "spans" };
    let who = match raters.count() {
        0 => format!("{what} of {rater}"),
        1 => format!("{what} of {rater} and one other"),
        others => format!("{what} of {rater} and {others} others"),
    };
    let why = format!(
        "the file holds {who}; import it as people's work, or remove these {what} from the file"
    );
    place.refuse(place.line, None, why);
}

/// A label that is to be added goes by the same rules as one that is typed in.
fn check_new_label(place: &mut Place<'_>, span: &ImportedSpan) {
    let why = match NewLabel::numbered(span.label.as_str(), 0).checked() {
        Ok(label) if label.name == span.label => return,
        Ok(_) => "a label's name neither begins nor ends with white space".to_owned(),
        Err(error) => error.to_string(),
    };
    place.refuse(saturating::<u64>(span.line), Some("label"), why);
}

/// What tells whether somebody has the same work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WorkDigest {
    digest: Digest,
    /// Whether it is of spans: a file of answers alone says nothing of these.
    is_of_spans: bool,
    /// The places of the questions of the project that it is of: of others the file says nothing.
    questions: Vec<usize>,
    /// The places of questions that are answered and that the project does not have yet.
    new: Vec<usize>,
}

/// Spans with the names of their labels.
pub(super) type NamedSpans<'a> = BTreeSet<(u64, u64, &'a str)>;

impl WorkDigest {
    /// That of work in files, under the project's labels and in its words.
    fn of_files(work: &ReadWork, labels: &Labels, questions: &Questions) -> Self {
        let spans = work.spans.iter().filter_map(|span| {
            Some((
                saturating::<u64>(span.start),
                saturating::<u64>(span.end),
                labels.becomes(&span.label)?,
            ))
        });
        let answers = questions.read_all(&work.answers);
        let (new, answers): (BTreeSet<_>, _) =
            answers.into_iter().partition(|(_, question, _)| questions.is_new(*question));
        let places = |answers: &BTreeSet<ReadAnswer>| {
            let places: BTreeSet<usize> =
                answers.iter().map(|(_, question, _)| *question).collect();
            places.into_iter().collect()
        };
        let is_of_spans = !work.has_only_answers();
        let digest = digest_of(&spans.collect(), &answers);
        Self { digest, is_of_spans, questions: places(&answers), new: places(&new) }
    }

    /// Whether it is of answers, too.
    pub(super) const fn has_answers(&self) -> bool {
        !self.questions.is_empty() || !self.new.is_empty()
    }

    /// Whether spans and answers that somebody has are the same, as far as the file says anything of them.
    pub(super) fn is_of(
        &self,
        spans: NamedSpans<'_>,
        answers: BTreeSet<ReadAnswer>,
        questions: &Questions,
    ) -> bool {
        let spans = if self.is_of_spans { spans } else { BTreeSet::new() };
        let is_asked = |(_, question, _): &ReadAnswer| self.questions.contains(question);
        let answers = answers.into_iter().filter(is_asked).collect();
        let is_new = |place: &usize| !questions.is_left_out(*place);
        digest_of(&spans, &answers) == self.digest && !self.new.iter().any(is_new)
    }
}

/// What tells whether sets of spans and of answers are the same.
fn digest_of(spans: &NamedSpans<'_>, answers: &BTreeSet<ReadAnswer>) -> Digest {
    let mut hasher = Sha256::new();
    let text = |hasher: &mut Sha256, text: &str| {
        hasher.update(saturating::<u64>(text.len()).to_le_bytes());
        hasher.update(text);
    };
    hasher.update(saturating::<u64>(spans.len()).to_le_bytes());
    for (start, end, label) in spans {
        hasher.update(start.to_le_bytes());
        hasher.update(end.to_le_bytes());
        text(&mut hasher, label);
    }
    for (range, question, words) in answers {
        let (start, end) = range.unwrap_or_default();
        hasher.update([start.to_le_bytes(), end.to_le_bytes()].concat());
        for number in [*question, words.len()] {
            hasher.update(saturating::<u64>(number).to_le_bytes());
        }
        for words in words {
            text(&mut hasher, words);
        }
    }
    hasher.finalize().into()
}

/// Files that can be looked at again by another thread.
pub(super) type Files = Arc<Vec<Box<dyn Source>>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_people_whom_a_file_names_are_refused_not_dropped() {
        let work = |rater: Option<&str>| ReadWork {
            rater: rater.map(str::to_owned),
            spans: Vec::new(),
            answers: Vec::new(),
        };
        let document = |work| ReadDocument {
            file: None,
            called: None,
            id: None,
            name: "psalm".to_owned(),
            text: "Gil met Hal.".to_owned(),
            work,
            judged: true,
            line: 4,
        };
        let mut problems = Problems::counting_all();
        let mut place = Place { file: "both.json", line: 4, problems: &mut problems };
        refuse_work(&mut place, &document(vec![work(None)]));
        assert_eq!(place.problems.count(), 0);
        refuse_work(&mut place, &document(vec![work(Some("Ada")), work(Some("Bo"))]));
        let problems = problems.into_first();
        assert_eq!((problems.len(), problems[0].line), (1, Some(4)));
        assert!(problems[0].message.contains("spans of Ada and one other"));
    }
}
