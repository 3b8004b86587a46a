//! A project's judgements under the switches of the matrix, as they travel from server to browser.

use agreement::PairMeasure;

use crate::varint::{self, Reader};

/// The first number of every study: what comes after it is as below.
const FORM: u64 = 1;

/// Where in a text: start and end, in Unicode scalar values, half-open.
pub type Position = (u64, u64);

/// Everything that a prediction needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Study {
    /// The project's revision that this is the state of.
    pub revision: u64,
    /// The measure of the pairs.
    pub measure: PairMeasure,
    /// What counts for two raters.
    pub pairs: Rules,
    /// What counts for all labelers at once. One-sided positions count there exactly under the
    /// policy `empty label`, of which ∅ is a choice that raters have.
    pub several: Rules,
    /// The label that stands against everything else, if the switches name one.
    pub only_label: Option<u64>,
    /// The label set, by id.
    pub labels: Vec<u64>,
    /// In the order of the matrix.
    pub raters: Vec<Rater>,
    /// The sets of labels that somebody gave to a position; the first is ∅.
    pub sets: Vec<Vec<u64>>,
    /// The documents that somebody has saved work on.
    pub documents: Vec<Document>,
}

/// Somebody who judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rater {
    /// Who it is.
    pub id: u64,
    /// A reviewer; otherwise a labeler.
    pub reviews: bool,
}

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Only work that was submitted counts; otherwise all that was saved.
    pub submitted: bool,
    /// A position that only one judged counts, with ∅ for whoever did not.
    pub one_sided: bool,
}

/// Everybody's work on a document, in the order of the raters.
pub type Document = Vec<Work>;

/// What one rater has on a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// The place among the raters.
    pub rater: usize,
    /// Whether it was submitted.
    pub submitted: bool,
    /// Each judged position with the place of its labels among the sets; sorted.
    pub judgements: Vec<(Position, usize)>,
    /// Of a reviewer's work, how many decisions on the same position were taken before each.
    pub turns: Vec<usize>,
}

impl Study {
    /// The study in bytes, most numbers of it in one or two.
    pub fn written(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut write = |number| varint::write(&mut bytes, number);
        for number in [FORM, self.revision, measure_number(self.measure), self.flags()] {
            write(number);
        }
        write(self.only_label.map_or(0, |label| label + 1));
        list(&mut write, &self.labels, |write, label| write(*label));
        list(&mut write, &self.raters, |write, rater| write(flagged(rater.id, rater.reviews)));
        list(&mut write, &self.sets, |write, set| list(write, set, |write, label| write(*label)));
        list(&mut write, &self.documents, |write, document| {
            list(write, document, |write, work| {
                write(flagged(count(work.rater), work.submitted));
                let mut before = 0;
                list(write, &work.judgements, |write, ((start, end), set)| {
                    write(start - before);
                    write(end - start);
                    write(count(*set));
                    before = *start;
                });
                list(write, &work.turns, |write, turn| write(count(*turn)));
            });
        });
        bytes
    }

    /// The study that was written; none if the bytes are something else.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::of(bytes);
        if reader.read_number()? != FORM {
            return None;
        }
        let revision = reader.read_number()?;
        let measure = *PairMeasure::ALL.get(reader.size()?)?;
        let flags = reader.read_number()?;
        let rules = |flags: u64| Rules { submitted: flags & 1 > 0, one_sided: flags & 2 > 0 };
        let study = Self {
            revision,
            measure,
            pairs: rules(flags),
            several: rules(flags >> 2),
            only_label: reader.read_number()?.checked_sub(1),
            labels: reader.list(Reader::read_number)?,
            raters: reader.list(|reader| {
                let number = reader.read_number()?;
                Some(Rater { id: number >> 1, reviews: number & 1 > 0 })
            })?,
            sets: reader.list(|reader| reader.list(Reader::read_number))?,
            documents: reader.list(|reader| reader.list(read_work))?,
        };
        reader.is_done().then_some(study)
    }

    fn flags(&self) -> u64 {
        let of = |rules: Rules| u64::from(rules.submitted) | u64::from(rules.one_sided) << 1;
        of(self.pairs) | of(self.several) << 2
    }
}

fn read_work(reader: &mut Reader<'_>) -> Option<Work> {
    let number = reader.size()?;
    let mut before = 0_u64;
    Some(Work {
        rater: number >> 1,
        submitted: number & 1 > 0,
        judgements: reader.list(|reader| {
            let start = before.checked_add(reader.read_number()?)?;
            before = start;
            Some(((start, start.checked_add(reader.read_number()?)?), reader.size()?))
        })?,
        turns: reader.list(Reader::size)?,
    })
}

fn list<T, W: FnMut(u64)>(write: &mut W, list: &[T], mut one: impl FnMut(&mut W, &T)) {
    write(count(list.len()));
    for item in list {
        one(write, item);
    }
}

/// A number and a flag in one.
const fn flagged(number: u64, flag: bool) -> u64 {
    number << 1 | if flag { 1 } else { 0 }
}

/// No machine counts beyond 64 bits.
pub(crate) fn count(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

fn measure_number(measure: PairMeasure) -> u64 {
    let place = PairMeasure::ALL.iter().position(|other| *other == measure);
    count(place.unwrap_or_default())
}
