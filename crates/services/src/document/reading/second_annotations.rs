//! Annotations of a document that their rater has annotated before, on a line of its own in the same
//! file: which of them counts.

use std::collections::{BTreeMap, HashSet, btree_map::Entry};

use domain::MatchBy;
use formats::{Repair, SecondAnnotation};

use super::{Reading, ReadingOptions, problems::Problems, raters::Rated};

/// Where an annotation is: the places of its entry, and of the work in it.
type Place = (usize, usize);

/// Lets one of a rater's annotations of a document count, or gives each to a rater of its own, as the
/// options have it. That a rater has a text twice without anything that says that it is one document
/// is worth a note.
pub(crate) fn settle(
    reading: &mut Reading,
    everybody: &mut Rated,
    (by, options): (MatchBy, &ReadingOptions),
    problems: &mut Problems,
) {
    let (found, repeated) = second_annotations(reading, everybody, by);
    reading.notes.extend(told_repeated(reading, &repeated));
    let second = options.files.read.second;
    let mut others = BTreeMap::new();
    let mut taken: HashSet<String> = everybody.raters.iter().cloned().collect();
    for places in &found {
        let left_out = match second {
            SecondAnnotation::Last => places.get(..places.len() - 1),
            SecondAnnotation::First => places.get(1..),
            SecondAnnotation::Each => None,
        };
        for place in left_out.unwrap_or_default() {
            everybody.set_rater(*place, None);
        }
        if second == SecondAnnotation::Each {
            for (number, place) in (1..).zip(places).skip(1) {
                let Some(rater) = everybody.rater(*place) else { continue };
                let other = match others.entry((rater, number)) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        *new.insert(everybody.add_other((rater, number), &mut taken))
                    }
                };
                everybody.set_rater(*place, Some(other));
            }
        }
    }
    let mut places: Vec<usize> =
        found.iter().flat_map(|places| places.iter().skip(1)).map(|(entry, _)| *entry).collect();
    places.sort_unstable();
    reading.repair(Repair::SecondAnnotation(second), &places, options, problems);
}

/// The annotations that are of one rater, file and document each, where there are two or more; and
/// the entries whose text their rater has in another document of the file.
fn second_annotations(
    reading: &Reading,
    everybody: &Rated,
    by: MatchBy,
) -> (Vec<Vec<Place>>, Vec<usize>) {
    let mut all: Vec<Vec<Place>> = Vec::new();
    let (mut documents, mut texts) = (BTreeMap::new(), HashSet::new());
    let mut repeated = Vec::new();
    for (at, (entry, of)) in reading.entries.iter().zip(&everybody.entries).enumerate() {
        for (place, (work, rater)) in entry.work.iter().zip(&of.work).enumerate() {
            let Some(rater) = rater else { continue };
            // A name tells the document only on a line that is the annotation of one person, who is
            // named there.
            let is_annotation = entry.work.len() == 1 && work.rater.is_some();
            let name = of.known_as.as_deref().filter(|_| is_annotation);
            let called = entry.id.as_deref().or(name).filter(|_| by == MatchBy::Auto);
            if let Some(called) = called {
                let key = (entry.part, *rater, entry.comparable, called);
                let known = *documents.entry(key).or_insert(all.len());
                if let Some(places) = all.get_mut(known) {
                    places.push((at, place));
                    continue;
                }
                all.push(vec![(at, place)]);
            }
            if !texts.insert((entry.part, *rater, entry.comparable)) {
                repeated.push(at);
            }
        }
    }
    all.retain(|places| places.len() > 1);
    (all, repeated)
}

/// What is to be known of texts that a rater has twice in a file.
fn told_repeated(reading: &Reading, repeated: &[usize]) -> Option<String> {
    let first = reading.entries.get(*repeated.first()?)?;
    Some(format!(
        "{} twice for the same rater in the same file, first in {}, line {}: counted as a document \
         each time",
        domain::count(repeated.len(), "text"),
        reading.file_of(first),
        first.line
    ))
}

#[cfg(test)]
mod tests {
    use domain::RatersFrom;

    use super::{
        super::{raters::rated, tests::read_all},
        *,
    };

    const PRODIGY: [&str; 3] = [
        r#"{"text": "Gil sat.", "_input_hash": 7, "answer": "accept", "_annotator_id": "ana", "spans": []}"#,
        r#"{"text": "Gil sat.", "_input_hash": 7, "answer": "accept", "_annotator_id": "bo", "spans": []}"#,
        r#"{"text": "Gil sat.", "_input_hash": 7, "answer": "accept", "_annotator_id": "ana", "spans": [{"start": 0, "end": 3, "label": "PER"}]}"#,
    ];

    /// Who has judged each entry, and what is to be known.
    fn settled(lines: &[&str], second: SecondAnnotation) -> (Vec<Vec<String>>, Vec<String>) {
        let (mut reading, mut problems) = read_all(&[("all.jsonl", lines.join("\n"))]);
        let mut rated = rated(&reading, &RatersFrom::Auto).unwrap();
        let mut options = ReadingOptions::default();
        options.files.read.second = second;
        settle(&mut reading, &mut rated, (MatchBy::Auto, &options), &mut problems);
        assert_eq!(problems.count(), 0);
        let who = rated
            .entries
            .iter()
            .map(|entry| entry.raters().map(|rater| rated.raters[rater].clone()).collect());
        (who.collect(), [reading.notes.clone(), reading.remarks()].concat())
    }

    fn raters(raters: [&[&str]; 3]) -> Vec<Vec<String>> {
        raters.map(|raters| raters.iter().map(|rater| (*rater).to_owned()).collect()).to_vec()
    }

    #[test]
    fn one_of_two_annotations_counts_or_each_is_a_raters_of_its_own() {
        let (who, told) = settled(&PRODIGY, SecondAnnotation::Last);
        assert_eq!(who, raters([&[], &["bo"], &["ana"]]));
        let expected = "all.jsonl, line 3: second annotations of a rater on a document, the last of \
                        which counts: 1";
        assert_eq!(told, [expected]);
        let (who, _) = settled(&PRODIGY, SecondAnnotation::First);
        assert_eq!(who, raters([&["ana"], &["bo"], &[]]));
        let (who, _) = settled(&PRODIGY, SecondAnnotation::Each);
        assert_eq!(who, raters([&["ana"], &["bo"], &["ana (2)"]]));
    }

    #[test]
    fn a_text_that_a_rater_has_twice_is_told_and_stays_two_documents() {
        let line = r#"{"text": "Yes."}"#;
        let (who, told) = settled(&[line, line, line], SecondAnnotation::Last);
        assert_eq!(who, raters([&["all"], &["all"], &["all"]]));
        let expected = "2 texts twice for the same rater in the same file, first in all.jsonl, line \
                        2: counted as a document each time";
        assert_eq!(told, [expected]);
    }

    #[test]
    fn records_of_a_task_are_annotations_of_one_document() {
        let record = |id: u8, annotation: u8| {
            format!(
                r#"{{"id": {id}, "text": "Gil sat.", "annotator": 3, "annotation_id": {annotation}, "label": [{{"start": 0, "end": 3, "text": "Gil", "labels": ["PER"]}}]}}"#
            )
        };
        let records = [record(1, 1), record(1, 2), record(2, 3)];
        let records = format!("[{}]", records.join(","));
        let (who, told) = settled(&[&records], SecondAnnotation::Last);
        assert_eq!(who, raters([&[], &["3"], &["3"]]));
        assert_eq!(told.len(), 2, "{told:?}");
    }
}
