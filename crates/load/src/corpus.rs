//! Documents that are made up, and what a labeler would make of them: the same in every run.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The labels of the project.
pub(crate) const LABELS: [&str; 4] = ["PER", "ORG", "LOC", "MISC"];

/// Characters from one name to the next: about the density of a newspaper.
const GAP: usize = 75;

const WORDS: [&str; 16] = [
    "the", "of", "and", "river", "council", "report", "market", "signal", "paper", "city",
    "treaty", "engine", "harvest", "museum", "border", "winter",
];
const NAMES: [&str; 8] = [
    "Ada Marlow",
    "Norvik Bank",
    "Brindle Bay",
    "Model Nine",
    "Otto Lind",
    "Helio Labs",
    "Port Alma",
    "Silver Cup",
];

/// A span with its label: by its name in a file, by its id on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Span<L> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) label: L,
}

/// A span by the place of its label in [`LABELS`].
pub(crate) type Drawn = Span<usize>;

/// A document: its text, and where its names stand.
pub(crate) struct Text {
    pub(crate) text: String,
    places: Vec<(usize, usize)>,
}

impl Text {
    /// The document of a number, with so many names.
    pub(crate) fn of(document: u64, names: usize) -> Self {
        let mut random = Random::of(document.wrapping_mul(2).wrapping_add(1));
        let (mut text, mut places) = (String::new(), Vec::with_capacity(names));
        for at in 0..names {
            while text.len() < at * GAP + GAP / 2 {
                text.push_str(random.one_of(&WORDS));
                text.push(' ');
            }
            let name = random.one_of(&NAMES);
            places.push((text.len(), text.len() + name.len()));
            text.push_str(name);
            text.push(' ');
        }
        text.push_str("end.");
        Self { text, places }
    }

    /// What a labeler marks at one time: nearly every name, mostly with the same label and boundary.
    pub(crate) fn annotated(&self, document: u64, labeler: u64, time: u64) -> BTreeSet<Drawn> {
        let seed = document ^ labeler.wrapping_mul(7919) ^ time.wrapping_mul(104_729 << 20);
        let mut random = Random::of(seed.wrapping_mul(2));
        let spans = self.places.iter().zip(0_u64..).filter_map(|(&(start, end), at)| {
            let usual = usize::try_from((document + at) % 4).unwrap_or(0);
            let is_left_out = random.below(100) < 8;
            let is_other = random.below(100) < 7;
            let is_shorter = random.below(100) < 10;
            let label = if is_other { (usual + 1) % LABELS.len() } else { usual };
            (!is_left_out).then_some(Span { start, end: end - usize::from(is_shorter), label })
        });
        spans.collect()
    }
}

/// Numbers as if by chance (`SplitMix64`).
pub(crate) struct Random(u64);

impl Random {
    /// The same numbers for the same seed.
    pub(crate) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(crate) const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another one, which is not zero.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound.max(1)
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let count = u64::try_from(words.len()).unwrap_or(1);
        let place = usize::try_from(self.below(count)).unwrap_or(0);
        words.get(place).copied().unwrap_or_default()
    }
}

/// The most people that one import may bring work of.
const TEAM: u64 = 200;

/// How many teams so many labelers are: an import brings the work of one.
pub(crate) fn teams(labelers: u64) -> u64 {
    labelers.div_ceil(TEAM).max(1)
}

/// The labelers of a document, `overlap` of a team of its own, all equally often: neighbours share
/// documents.
pub(crate) fn labelers_of(document: u64, labelers: u64, overlap: u64) -> impl Iterator<Item = u64> {
    let teams = teams(labelers);
    let team = document % teams;
    let (first, end) = (team * labelers / teams, (team + 1) * labelers / teams);
    let size = (end - first).max(1);
    (0..overlap.min(size)).map(move |at| first + (document / teams + at) % size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_where_they_are_said_to_and_two_times_differ() {
        let text = Text::of(7, 20);
        assert_eq!(text.places.len(), 20);
        for (start, end) in &text.places {
            assert!(NAMES.contains(&&text.text[*start..*end]));
        }
        let (first, second) = (text.annotated(7, 1, 0), text.annotated(7, 1, 1));
        assert!(first != second && first.len() > 10);
        assert_eq!(first, Text::of(7, 20).annotated(7, 1, 0));
    }

    #[test]
    fn each_labeler_has_equally_many_documents() {
        for (labelers, documents) in [(5, 50), (400, 1600)] {
            let mut counts = vec![0; usize::try_from(labelers).unwrap()];
            for document in 0..documents {
                for labeler in labelers_of(document, labelers, 3) {
                    counts[usize::try_from(labeler).unwrap()] += 1;
                }
            }
            let each = documents * 3 / labelers;
            assert!(counts.iter().all(|count| *count == each), "{counts:?}");
        }
        let team = |document| labelers_of(document, 400, 3).map(|labeler| labeler / 200).max();
        assert_eq!((team(0), team(1)), (Some(0), Some(1)));
    }
}
