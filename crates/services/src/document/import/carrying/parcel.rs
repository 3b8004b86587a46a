//! What an entry of the files brings, on its way from the files to the project.

use std::collections::BTreeSet;

use domain::{AssignTo, Code, DocumentId, Error as Refusal, ImportAs, base::text, saturating};
use formats::{ImportedAnswer, ImportedSpan};
use serde::{Deserialize, Serialize};
use store::document::{NewDocument, shelf::Shelved};

use super::super::{
    names::people::Who,
    order::Order,
    plan::{Plan, Todo},
    scan::Scan,
};
use crate::{
    base::secrets::checksum::{digest, in_digits},
    document::reading::{ReadDocument, ReadWork, same_documents},
};

/// How much a row of each kind is to write, in spans: an assignment comes with a version, a document with
/// what it is known by.
const ASSIGNMENT: usize = 3;
const DOCUMENT: usize = 5;
const CHARACTERS: usize = 400;

/// What an entry brings. It is kept as JSON, and may be that of a server of the version before: what is added
/// to it has a default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parcel {
    pub(super) to: Destination,
    pub(super) suggestions: Vec<Stretch>,
    /// Whose work it is, by the place of the rater.
    pub(super) works: Vec<(usize, Vec<Stretch>)>,
    /// What was answered about spans and the document by whose work it is.
    #[serde(default)]
    pub(super) answers: Vec<GivenAnswer>,
}

/// The document that it is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Destination {
    /// None once it has been stored.
    New(Option<NewDocument>),
    Known(DocumentId),
    /// That of the parcel before it, which has the same place.
    Same,
}

/// A span: where it begins and ends, and the place of its label among those of the files.
pub(super) type Stretch = (u32, u32, usize);

/// An answer: the places of the rater, of the question and of the answer among those to it in the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct GivenAnswer {
    pub(super) rater: usize,
    pub(super) question: usize,
    pub(super) answer: usize,
    /// Where the span that it is about begins and ends; none of the document.
    #[serde(default)]
    pub(super) about: Option<(u32, u32)>,
}

/// How much there is to write of all entries together.
pub(super) fn weight_of_all(scan: &Scan, assigned: usize) -> i64 {
    let entries = scan.reading.entries.iter();
    let weights = entries.map(|entry| {
        let rows = entry.work.iter().map(|work| work.spans + work.answers).sum();
        weight((entry.work.len(), rows), entry.length) + saturating::<i64>(assigned)
    });
    weights.sum()
}

fn weight((works, rows): (usize, usize), characters: usize) -> i64 {
    saturating(DOCUMENT + ASSIGNMENT * works + rows + characters / CHARACTERS)
}

/// Makes parcels of documents as they are read.
pub(super) struct Packing<'a> {
    order: &'a Order,
    scan: &'a Scan,
    plan: &'a Plan,
    labels: Vec<&'a str>,
    /// The answers to each question.
    answers: Vec<Vec<&'a [String]>>,
    /// The group of each entry, and the place of each group.
    groups: Vec<usize>,
    places: Vec<i64>,
    /// Groups that have been met, and whose new document is in a parcel.
    met: BTreeSet<usize>,
    /// How many assignments a new document gets beside those that come along.
    assigned: usize,
}

impl<'a> Packing<'a> {
    pub(super) fn new(order: &'a Order, scan: &'a Scan, plan: &'a Plan, assigned: usize) -> Self {
        let mut groups = vec![0; scan.reading.entries.len()];
        for (group, members) in scan.groups.iter().enumerate() {
            for member in members {
                if let Some(mine) = groups.get_mut(*member) {
                    *mine = group;
                }
            }
        }
        // What the project has comes first: somebody may be about to begin with it.
        let is_new = |group: &usize| plan.documents.get(*group).is_none_or(Option::is_none);
        let (new, known): (Vec<_>, Vec<_>) = (0..scan.groups.len()).partition(is_new);
        let mut places = vec![0; scan.groups.len()];
        for (place, group) in (0..).zip(known.into_iter().chain(new)) {
            if let Some(mine) = places.get_mut(group) {
                *mine = place;
            }
        }
        let labels = scan.labels.keys().map(String::as_str).collect();
        let (answers, met) = (scan.questions.answers(), BTreeSet::new());
        Self { order, scan, plan, labels, answers, groups, places, met, assigned }
    }

    /// Of how many documents something was packed.
    pub(super) fn documents(&self) -> u64 {
        saturating(self.met.len())
    }

    /// The parcel of the entry at a place; none if it brings nothing. Refuses what is not what it was when
    /// it was read first.
    pub(super) fn pack(
        &mut self,
        (entry, document): (usize, ReadDocument),
    ) -> Result<Option<Shelved<Parcel>>, Refusal> {
        let read = self.scan.reading.entries.get(entry).ok_or_else(changed)?;
        let group = *self.groups.get(entry).ok_or_else(changed)?;
        let place = *self.places.get(group).ok_or_else(changed)?;
        let ReadDocument { text, work, .. } = document;
        if digest(&text) != read.text || work.len() != read.work.len() {
            return Err(changed());
        }
        let mut characters = 0;
        let is_first = self.met.insert(group);
        let to = match self.plan.documents.get(group).copied().flatten() {
            Some(known) => Destination::Known(known),
            None if is_first => {
                characters = read.length;
                Destination::New(Some(self.new_document(group, text)))
            }
            None => Destination::Same,
        };
        let is_new = matches!(to, Destination::New(_));
        let mut parcel =
            Parcel { to, suggestions: Vec::new(), works: Vec::new(), answers: Vec::new() };
        match self.order.options.import_as {
            ImportAs::Suggestions => {
                let spans = work.iter().flat_map(|work| self.stretches(&work.spans));
                parcel.suggestions = spans.collect();
            }
            ImportAs::Work => {
                let todo = self.plan.todo.get(entry).map_or(&[][..], Vec::as_slice);
                for (ReadWork { spans, answers, .. }, todo) in work.iter().zip(todo) {
                    let Todo::Store(rater) = *todo else { continue };
                    parcel.works.push((rater, self.stretches(spans).collect()));
                    parcel.answers.extend(self.given(rater, answers));
                }
            }
        }
        let spans: usize = parcel.works.iter().map(|(_, spans)| spans.len()).sum();
        let of_works = spans + parcel.answers.len();
        let rows = (parcel.works.len(), parcel.suggestions.len() + of_works);
        if !is_new && rows == (0, 0) {
            return Ok(None);
        }
        let mut weight = weight(rows, characters);
        if is_new {
            weight += saturating::<i64>(ASSIGNMENT * self.assigned);
        }
        Ok(Some(Shelved { place, weight, content: parcel }))
    }

    fn stretches(&self, spans: &[ImportedSpan]) -> impl Iterator<Item = Stretch> {
        spans.iter().filter_map(|span| {
            let label = self.labels.binary_search(&span.label.as_str()).ok()?;
            Some((u32::try_from(span.start).ok()?, u32::try_from(span.end).ok()?, label))
        })
    }

    fn given(&self, rater: usize, answers: &[ImportedAnswer]) -> impl Iterator<Item = GivenAnswer> {
        let answers = self.scan.questions.read_all(answers).into_iter();
        answers.filter_map(move |(about, question, words)| {
            let answer = self.answers.get(question)?.binary_search(&words.as_slice()).ok()?;
            Some(GivenAnswer { rater, question, answer, about })
        })
    }

    fn new_document(&self, group: usize, body: String) -> NewDocument {
        let members = self.scan.groups.get(group).map_or(&[][..], Vec::as_slice);
        let (reading, rated) = (&self.scan.reading, &self.scan.rated);
        let entries = || members.iter().filter_map(|place| reading.entries.get(*place));
        let todo = members.iter().filter_map(|place| self.plan.todo.get(*place)).flatten();
        // Somebody may be there several times, with answers to a question each time.
        let person = |todo: &Todo| match todo {
            Todo::Store(place) => match self.plan.people.who.get(*place) {
                Some(Who::Model(..)) => None,
                _ => Some(*place),
            },
            Todo::Nothing => None,
        };
        let raters = todo.filter_map(person).collect::<BTreeSet<_>>().len();
        let name = match self.order.options.import_as {
            ImportAs::Suggestions => entries().next().map_or("", |entry| &entry.name),
            ImportAs::Work => same_documents::name_of(reading, rated, members),
        };
        NewDocument {
            external_id: same_documents::id_of(reading, members).map(str::to_owned),
            name: name.to_owned(),
            characters: text::length(&body),
            sha256: entries().next().map(|entry| in_digits(&entry.text)).unwrap_or_default(),
            text: body,
            overlap: match self.order.options.assign {
                AssignTo::Everyone => None,
                AssignTo::Some(overlap) => Some(overlap),
                AssignTo::Nobody => Some(saturating::<u32>(raters)),
            },
        }
    }
}

pub(super) fn changed() -> Refusal {
    Code::ChangedMeanwhile.of("files", "the files changed while being read; nothing imported")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_parcel_of_a_version_before_can_be_opened() {
        // As the first version that had a shelf wrote it. What is added later is not in it.
        let document = json!({
            "external_id": "1", "name": "a", "text": "Gil", "characters": 3, "sha256": "0",
            "overlap": null
        });
        for to in [json!({ "New": document }), json!({ "Known": 7 }), json!("Same")] {
            let kept = json!({ "to": to, "suggestions": [[0, 3, 0]], "works": [[1, [[0, 3, 0]]]] });
            let parcel: Parcel = serde_json::from_value(kept).unwrap();
            assert_eq!((parcel.suggestions, parcel.works.len()), (vec![(0, 3, 0)], 1));
            assert_eq!(parcel.answers, []);
            // Before there were answers about spans.
            let kept =
                json!({ "to": "Same", "suggestions": [], "works": [], "answers": [[1, 2, 3]] });
            let parcel: Parcel = serde_json::from_value(kept).unwrap();
            let answer = GivenAnswer { rater: 1, question: 2, answer: 3, about: None };
            assert_eq!(parcel.answers, [answer]);
        }
    }
}
