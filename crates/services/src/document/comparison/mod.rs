//! Comparing files of several raters without any project: documents are matched, what each rater
//! marked is counted and measured as in a live matrix, and nothing is stored.

mod labels;
mod list;
mod measuring;
mod narrowing;
mod reading;
mod report;
mod slot;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

use domain::{
    ComparedFile, Comparison, DisagreementList, ImportProblem, MatchBy, Page, RaterFiles,
    RatersFrom, Switches, saturating,
};

use crate::{
    base::secrets::checksum::checksum_of,
    document::reading::{
        FileOptions, ReadFile, Reading, ReadingOptions, Source, TimeLimit, UNKNOWN_FORMAT,
        problems::Problems,
        raters::{Rated, rated, told_first, understood},
        same_documents::match_documents,
        second_annotations::settle,
    },
};
use measuring::Measured;
use reading::{Matched, read, together};

pub use crate::document::reading::{check_raters, known_formats};
pub(crate) use slot::{AT_ONCE, MAX_WAIT};
pub use slot::{ComparisonSlot, run, wait_for_slot};

/// The most bytes of the files of a comparison on a server, all together: 64 MiB.
pub const MAX_COMPARED_BYTES: usize = 64 * 1024 * 1024;

/// The most raters of a comparison, where nobody asks for more: pairs grow with their square.
pub const MAX_RATERS: usize = 30;

/// The most labels of a comparison, as of a project, and of different sets of them on positions.
const MAX_LABELS: usize = 500;
const MAX_CATEGORIES: usize = 2_000;

/// Rows of the adjudication list that a comparison shows; the files have all.
const ROWS: usize = 100;

/// How files are to be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComparingOptions {
    pub files: FileOptions,
    /// Measure and policy. Whoever has a document has judged it, so that the documents that count
    /// are the same under both choices; there is nothing to narrow down to.
    pub switches: Switches,
    pub raters_from: RatersFrom,
    pub match_by: MatchBy,
    /// Raters who do not count.
    pub leave_out: BTreeSet<String>,
    /// What labels count as; none for those that do not count.
    pub labels: BTreeMap<String, Option<String>>,
    /// The most raters; none for [`MAX_RATERS`].
    pub most_raters: Option<usize>,
    /// To how many bytes a zip may unpack; none for a gibibyte.
    pub most_unpacked: Option<u64>,
}

impl ComparingOptions {
    fn reading(&self) -> ReadingOptions {
        ReadingOptions::new(&self.files, &self.raters_from, self.most_unpacked)
    }
}

/// Files that were compared, with everything to take away.
pub struct Compared {
    measured: Measured,
    files: Vec<ComparedFile>,
    raters_from: RatersFrom,
    understood: Vec<RaterFiles>,
    notes: Vec<String>,
    switches: Switches,
    /// The SHA-256 of each file, by its name.
    hashes: BTreeMap<String, String>,
    limit: TimeLimit,
}

/// Compares files: reads them, matches their documents, counts what the raters marked. An error is
/// what is wrong with the files; nothing of them is compared then.
///
/// This is pure and takes as long as it takes: on a server, [`run`] does it.
pub fn compare(
    files: Vec<impl Source>,
    options: ComparingOptions,
) -> Result<Compared, Vec<ImportProblem>> {
    compare_within(files, options, TimeLimit::default())
}

/// The same in limited time. Running out of it is a problem, too.
fn compare_within(
    files: Vec<impl Source>,
    options: ComparingOptions,
    limit: TimeLimit,
) -> Result<Compared, Vec<ImportProblem>> {
    let mut problems = Problems::within(limit.clone());
    let mut hashes = BTreeMap::new();
    for file in &files {
        match file.open().and_then(|content| checksum_of(limit.limited(content))) {
            Ok(hash) => drop(hashes.insert(file.name().to_owned(), hash)),
            Err(_) if problems.are_over() => return Err(problems.into_first()),
            Err(error) => problems.add_of_file(file.name(), error.to_string()),
        }
    }
    let switches = Switches { filter: domain::Filter::NONE, ..options.switches };
    let how = options.reading();
    let (mut reading, mut held) = read(files, &how, &mut problems);
    let mut rated = match rated(&reading, &options.raters_from) {
        // Files that could not be read tell nobody.
        _ if problems.count() > 0 => return Err(problems.into_first()),
        Ok(rated) => rated,
        Err(problem) => return Err(vec![problem]),
    };
    let by = (options.match_by, &how);
    settle(&mut reading, &mut rated, by, &mut problems);
    let understood = understood(&reading, &rated);
    narrowing::leave_out(&mut rated, &options.leave_out, &mut problems);
    narrowing::map_labels(&mut held, &options.labels, &mut problems);
    let raters = &rated.raters;
    let files = compared_files(&reading, &rated);
    if raters.len() < 2 {
        for name in &reading.left_out {
            problems.add_of_file(name, UNKNOWN_FORMAT);
        }
    }
    check_count(&files, raters, options.most_raters.unwrap_or(MAX_RATERS), &mut problems);
    if let Some(problems) = problems.into_found() {
        return Err(problems);
    }
    let mut problems = Problems::within(limit.clone());
    let differ = |one, other| reading::common_prefix(&held, one, other);
    let matching = match_documents(&mut reading, &rated, by, &differ, &mut problems);
    let mut notes = told_first(&reading, &understood);
    notes.extend(rated.notes.iter().cloned());
    notes.extend(narrowing::remarks(&options));
    notes.extend(notes_of(&reading));
    notes.extend(told_left_out(&reading.left_out));
    let by_text_alone = matching.by_text_alone;
    let documents = together(&reading, &rated, &matching.groups, held);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    check_labels(&names, &documents, &mut problems);
    if let Some(problems) = problems.into_found() {
        return Err(problems);
    }
    let measured = Measured::of(raters, documents, switches, &limit);
    if let Some(problems) = Problems::within(limit.clone()).into_found() {
        return Err(problems);
    }
    notes.extend(what_to_know(&measured, by_text_alone));
    let raters_from = rated.from;
    Ok(Compared { measured, files, raters_from, understood, notes, switches, hashes, limit })
}

impl Compared {
    /// What is shown of it; intervals that are not there by `until` are left out.
    pub fn view(&self, until: Option<Instant>) -> Comparison {
        let Self { measured, limit, .. } = self;
        let numbers = measured.numbers(until, limit);
        let found = measured.differing();
        let rows = list::rows(measured, found.get(..ROWS).unwrap_or(&found));
        Comparison {
            files: self.files.clone(),
            raters_from: self.raters_from.clone(),
            understood: self.understood.clone(),
            documents: saturating::<u64>(measured.documents.len()),
            shared: saturating::<u64>(measured.shared),
            notes: self.notes.clone(),
            labels: measured.labels.clone(),
            pairs: measured.pair_views(&numbers.pairs),
            label_parts: numbers.label_parts,
            disagreements: DisagreementList {
                raters: numbers.matrix.raters.clone(),
                page: Page {
                    rows,
                    total: saturating::<u64>(found.len()),
                    number: 0,
                    size: saturating::<u64>(ROWS),
                },
            },
            matrix: numbers.matrix,
        }
    }
}

/// A note on the files of folders that are of no known format.
fn told_left_out(names: &[String]) -> Option<String> {
    const NAMED: usize = 5;
    let (first, others) = names.split_at_checked(NAMED).unwrap_or((names, &[]));
    let more =
        if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
    (!names.is_empty()).then(|| format!("Unknown format, left out: {}{more}.", first.join(", ")))
}

/// Remarks on whose spans are whose, and on the files.
fn notes_of(reading: &Reading) -> Vec<String> {
    reading.notes.iter().cloned().chain(reading.remarks()).collect()
}

/// The files with their raters by name.
fn compared_files(reading: &Reading, rated: &Rated) -> Vec<ComparedFile> {
    let mut places: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); reading.files.len()];
    for (entry, who) in reading.entries.iter().zip(&rated.entries) {
        if let Some(places) =
            reading.parts.get(entry.part).and_then(|part| places.get_mut(part.file))
        {
            places.extend(who.raters());
        }
    }
    let file = |(file, places): (&ReadFile, BTreeSet<usize>)| ComparedFile {
        name: file.name.clone(),
        format: file.format.to_owned(),
        raters: places.into_iter().filter_map(|place| rated.raters.get(place).cloned()).collect(),
        documents: file.documents,
        spans: file.spans,
    };
    reading.files.iter().zip(places).map(file).collect()
}

/// It takes two to agree.
fn check_count(files: &[ComparedFile], raters: &[String], most: usize, problems: &mut Problems) {
    let file = files.first().map_or("", |file| file.name.as_str());
    match raters {
        [] if files.is_empty() => problems.add_of_file(file, "choose at least two files"),
        [] => problems.add_of_file(file, "no spans in these files"),
        [rater] => problems.add_of_file(
            file,
            format!(
                "all spans are by one rater, {rater}: add another person's file, or choose rater \
                 names in another way (--raters)"
            ),
        ),
        more if more.len() > most => problems.add_of_file(
            "",
            format!(
                "{n} raters found, at most {most} are compared: leave some out, choose rater names \
                 in another way, or raise the limit on the command line (--max-raters {n})",
                n = more.len()
            ),
        ),
        _ => {}
    }
}

/// What is measured takes room and time for each label and each set of them.
fn check_labels(files: &[&str], documents: &[Matched], problems: &mut Problems) {
    let (mut labels, mut categories) = (BTreeSet::new(), BTreeSet::new());
    for spans in documents.iter().flat_map(|document| document.work.values()) {
        let mut positions: BTreeMap<(usize, usize), BTreeSet<&str>> = BTreeMap::new();
        for span in spans {
            labels.insert(span.label.as_str());
            positions.entry((span.start, span.end)).or_default().insert(&span.label);
        }
        categories.extend(positions.into_values());
        if labels.len() > MAX_LABELS || categories.len() > MAX_CATEGORIES {
            let file = files.first().copied().unwrap_or_default();
            let why = format!(
                "more than {MAX_LABELS} labels, or {MAX_CATEGORIES} label sets on positions: is \
                 text read as labels?"
            );
            problems.add_of_file(file, why);
            return;
        }
    }
}

/// What somebody may want to know of how the files were understood.
fn what_to_know(measured: &Measured, by_text_alone: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let count = |n, noun| domain::count(n, noun);
    if measured.shared == 0 {
        notes.push(
            "Nothing to compare: no document occurs in the files of two raters. Documents match \
             by id, name or text."
                .to_owned(),
        );
    }
    let single = measured.documents.len() - measured.shared;
    if measured.shared > 0 && single > 0 {
        notes.push(format!("{} by one rater only: left out.", count(single, "document")));
    }
    if by_text_alone > 0 {
        notes.push(format!(
            "{} matched by text only: ids or names differ between the files.",
            count(by_text_alone, "document")
        ));
    }
    notes.extend(labels::notes_on_similar_names(&measured.labels));
    notes
}

#[cfg(test)]
mod tests {
    use std::{
        io::{self, BufReader, Cursor, Read, Seek, SeekFrom},
        time::Duration,
    };

    use crate::document::reading::{Content, UploadedFile};

    use super::*;

    const DOCUMENTS: usize = 200;

    fn lines() -> String {
        let line = |number: usize| {
            format!(
                r#"{{"id": {number}, "text": "Gil met Hal {number}.", "spans": [{{"start": 0, "end": 3, "label": "PER"}}]}}"#
            )
        };
        (0..DOCUMENTS).map(|number| line(number) + "\n").collect()
    }

    /// A file during whose reading everybody leaves.
    struct LeftFile {
        lines: String,
        at: u64,
        limit: TimeLimit,
    }

    struct LeftContent<'a>(&'a LeftFile, Cursor<&'a [u8]>);

    impl Read for LeftContent<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.1.position() >= self.0.at {
                drop(self.0.limit.cancel_on_drop());
            }
            let some = buffer.len().min(64);
            self.1.read(&mut buffer[..some])
        }
    }

    impl Seek for LeftContent<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.1.seek(to)
        }
    }

    impl Source for LeftFile {
        fn name(&self) -> &'static str {
            "left.jsonl"
        }

        fn length(&self) -> u64 {
            self.lines.len().try_into().unwrap()
        }

        fn open(&self) -> io::Result<Box<dyn Content + '_>> {
            Ok(Box::new(BufReader::with_capacity(
                64,
                LeftContent(self, Cursor::new(self.lines.as_bytes())),
            )))
        }
    }

    fn late(outcome: Result<Compared, Vec<ImportProblem>>) -> String {
        let [problem] = outcome.map(drop).unwrap_err().try_into().unwrap();
        problem.message
    }

    #[test]
    fn a_comparison_that_takes_too_long_ends_and_says_what_to_do() {
        let file = |name: &str| UploadedFile { name: name.to_owned(), bytes: lines().into_bytes() };
        let files = || vec![file("ana.jsonl"), file("bo.jsonl")];
        let compared = compare_within(files(), ComparingOptions::default(), TimeLimit::default());
        assert_eq!(compared.unwrap().view(None).shared, 200);
        let limit = TimeLimit::of(Duration::ZERO);
        let why = late(compare_within(files(), ComparingOptions::default(), limit));
        assert!(why.contains("takes too long") && why.contains("command line"), "{why}");
    }

    #[test]
    fn a_comparison_ends_whenever_nobody_waits_for_it_any_more() {
        let length = u64::try_from(lines().len()).unwrap();
        for at in (0..length).step_by(1_000) {
            let limit = TimeLimit::default();
            let file = |lines| LeftFile { lines, at, limit: limit.clone() };
            let files = vec![file(lines()), file(lines())];
            late(compare_within(files, ComparingOptions::default(), limit.clone()));
        }
    }

    #[test]
    fn no_step_of_a_comparison_goes_on_when_time_is_up() {
        let file = |name: &str| UploadedFile { name: name.to_owned(), bytes: lines().into_bytes() };
        let (how, limit) = (ComparingOptions::default().reading(), TimeLimit::of(Duration::ZERO));
        let mut problems = Problems::default();
        let (mut reading, held) =
            read(vec![file("ana.jsonl"), file("bo.jsonl")], &how, &mut problems);
        let rated = rated(&reading, &RatersFrom::Auto).unwrap();
        let mut problems = Problems::within(limit.clone());
        for by in [MatchBy::Auto, MatchBy::Text] {
            let by = (by, &how);
            let found = match_documents(&mut reading, &rated, by, &|_, _| None, &mut problems);
            assert!(found.groups.len() < DOCUMENTS);
        }
        assert!(problems.into_found().is_some());
        let groups: Vec<_> = (0..DOCUMENTS).map(|place| vec![place, DOCUMENTS + place]).collect();
        let documents = together(&reading, &rated, &groups, held);
        let switches = Switches::default();
        let measured = Measured::of(&rated.raters, documents, switches, &limit);
        assert_eq!(measured.tallies.documents().count(), 0);
    }
}
