//! From files to documents that are held with their texts and spans.

use std::{collections::BTreeMap, ops::ControlFlow};

use formats::{ImportError, ImportedSpan, Problem};

use crate::document::reading::{
    ReadDocument, Reading, ReadingOptions, Source, files_to_read, problems::Problems,
    raters::Rated, same_documents::name_of,
};

/// The most documents of one comparison, counted in each file.
const MAX_DOCUMENTS: usize = 200_000;

/// A document of the comparison.
#[derive(Debug)]
pub(super) struct Matched {
    pub(super) name: String,
    pub(super) text: String,
    /// The spans of each rater, by their place; nothing marked is a judgement, too.
    pub(super) work: BTreeMap<usize, Vec<ImportedSpan>>,
}

/// The text and the spans of a document of one file.
#[derive(Debug)]
pub(super) struct Held {
    text: String,
    pub(super) work: Vec<Vec<ImportedSpan>>,
}

/// Reads the files one after the other; the bytes of each are let go of before the next.
pub(super) fn read(
    files: Vec<impl Source>,
    options: &ReadingOptions,
    problems: &mut Problems,
) -> (Reading, Vec<Held>) {
    let sources: Vec<&dyn Source> = files.iter().map(|file| -> &dyn Source { file }).collect();
    let (parts, mut reading) = files_to_read(&sources, options);
    let mut held = Vec::new();
    let mut files: Vec<Option<_>> = files.into_iter().map(Some).collect();
    for part in &parts {
        let Some(file) = files.get_mut(part.file).and_then(Option::take) else { continue };
        let text = part.text.and_then(|text| files.get(text)?.as_ref());
        let text = text.map(|text| -> &dyn Source { text });
        let first = held.len();
        let mut answers = Answers::default();
        reading.read(part, (&file, text), options, problems, |name, document, problems| {
            answers.count(name, &document);
            hold(name, document, &mut held, problems)
        });
        let mut work = held.iter().skip(first).flat_map(|held| &held.work);
        let is_of_spans = work.any(|spans| !spans.is_empty());
        match answers.first {
            // What is said of spans is compared, and that there are answers beside it is told.
            Some((file, _)) if is_of_spans => {
                let answers = domain::count(answers.count, "answer");
                reading
                    .notes
                    .push(format!("{answers} in {file} left out: only spans are compared."));
            }
            Some((file, line)) => {
                let (line, problem) = (Some(line), Problem::AnswersUnread);
                problems.add_error(&ImportError { file, line, field: None, problem });
            }
            None => {}
        }
        if problems.are_over() {
            break;
        }
    }
    reading.refuse_repairs(options, problems);
    (reading, held)
}

/// Answers of a file, which nothing is compared of.
#[derive(Default)]
struct Answers {
    count: usize,
    /// The file and the line of the first.
    first: Option<(String, usize)>,
}

impl Answers {
    fn count(&mut self, name: &str, document: &ReadDocument) {
        let mut answers = document.work.iter().flat_map(|work| &work.answers);
        self.count += answers.clone().count();
        if let Some(answer) = answers.next() {
            self.first.get_or_insert_with(|| (name.to_owned(), answer.line));
        }
    }
}

fn hold(
    name: &str,
    document: ReadDocument,
    held: &mut Vec<Held>,
    problems: &mut Problems,
) -> ControlFlow<()> {
    let work = document.work.into_iter().map(|work| work.spans).collect();
    held.push(Held { text: document.text, work });
    if held.len() > MAX_DOCUMENTS {
        let why = format!("more than {MAX_DOCUMENTS} documents; compare fewer");
        problems.add_of_file(name, why);
        return ControlFlow::Break(());
    }
    ControlFlow::Continue(())
}

/// How many characters two texts have in common from their beginning.
pub(super) fn common_prefix(held: &[Held], one: usize, other: usize) -> Option<usize> {
    let (one, other) = (&held.get(one)?.text, &held.get(other)?.text);
    Some(one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count())
}

/// The documents of each group as one.
pub(super) fn together(
    reading: &Reading,
    rated: &Rated,
    groups: &[Vec<usize>],
    held: Vec<Held>,
) -> Vec<Matched> {
    let mut held: Vec<Option<Held>> = held.into_iter().map(Some).collect();
    let mut take = |place: usize| {
        let Held { text, work } = held.get_mut(place)?.take()?;
        let raters = &rated.entries.get(place)?.work;
        let work = raters.iter().zip(work).filter_map(|(rater, spans)| Some(((*rater)?, spans)));
        Some((text, work.collect::<Vec<_>>()))
    };
    let mut matched = Vec::with_capacity(groups.len());
    for group in groups {
        let mut members = group.iter().filter_map(|place| take(*place));
        let Some((text, work)) = members.next() else { continue };
        let mut all: BTreeMap<usize, Vec<ImportedSpan>> = work.into_iter().collect();
        all.extend(members.flat_map(|(_, work)| work));
        let name = name_of(reading, rated, group).to_owned();
        matched.push(Matched { name, text, work: all });
    }
    matched
}
