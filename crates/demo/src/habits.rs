//! How labelers differ: what each overlooks, where each cuts a span, what each takes for what.

use std::collections::BTreeSet;

use domain::{Range, base::text};

use super::{dice::Dice, passages::Passage, sample::LabelledRange};

/// A labeler's habits, each as how many times in a thousand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habits {
    /// Overlooks a name, a date or a quantity.
    pub(super) overlooks: u64,
    /// Leaves a name within a name unmarked.
    pub(super) skips_inner: u64,
    /// Takes the article before a name in.
    pub(super) takes_article: u64,
    /// Leaves Mr., Captain and the like out.
    pub(super) drops_title: u64,
    /// Takes the possessive after a name in.
    pub(super) takes_possessive: u64,
    /// Marks the number without what it counts.
    pub(super) bare_number: u64,
    /// Takes a label for another.
    pub(super) confuses: &'static [(&'static str, &'static str, u64)],
    /// Marks a capitalised word that names nothing of the kind.
    pub(super) invents: u64,
    /// Falls for what is hard for everybody.
    pub(super) falls: u64,
    /// Has handed in this part of the documents.
    pub(super) handed_in: u64,
}

/// The habits of the demo's labelers, A to F. F is the careless one.
pub(super) const HABITS: [Habits; 6] = [
    Habits {
        overlooks: 20,
        skips_inner: 60,
        takes_article: 20,
        drops_title: 10,
        takes_possessive: 10,
        bare_number: 30,
        confuses: &[("ORG", "PLACE", 60), ("WORK", "PERSON", 30)],
        invents: 2,
        falls: 820,
        handed_in: 1000,
    },
    Habits {
        overlooks: 50,
        skips_inner: 150,
        takes_article: 60,
        drops_title: 450,
        takes_possessive: 20,
        bare_number: 60,
        confuses: &[("PLACE", "ORG", 40), ("ORG", "PLACE", 80)],
        invents: 6,
        falls: 900,
        handed_in: 970,
    },
    Habits {
        overlooks: 40,
        skips_inner: 850,
        takes_article: 350,
        drops_title: 20,
        takes_possessive: 30,
        bare_number: 50,
        confuses: &[("PERSON", "PLACE", 20), ("WORK", "PERSON", 120)],
        invents: 8,
        falls: 930,
        handed_in: 900,
    },
    Habits {
        overlooks: 60,
        skips_inner: 120,
        takes_article: 40,
        drops_title: 40,
        takes_possessive: 300,
        bare_number: 550,
        confuses: &[("QUANTITY", "DATE", 70), ("DATE", "QUANTITY", 30)],
        invents: 4,
        falls: 930,
        handed_in: 860,
    },
    Habits {
        overlooks: 120,
        skips_inner: 300,
        takes_article: 30,
        drops_title: 60,
        takes_possessive: 20,
        bare_number: 100,
        confuses: &[("ORG", "PLACE", 300), ("PLACE", "ORG", 60), ("PLACE", "PERSON", 30)],
        invents: 10,
        falls: 950,
        handed_in: 600,
    },
    Habits {
        overlooks: 260,
        skips_inner: 700,
        takes_article: 180,
        drops_title: 220,
        takes_possessive: 140,
        bare_number: 240,
        confuses: &[
            ("PERSON", "PLACE", 90),
            ("PLACE", "PERSON", 110),
            ("ORG", "PERSON", 200),
            ("WORK", "PERSON", 250),
            ("DATE", "QUANTITY", 150),
            ("QUANTITY", "DATE", 120),
        ],
        invents: 60,
        falls: 950,
        handed_in: 820,
    },
];

const ARTICLES: [&str; 4] = ["the ", "The ", "a ", "an "];
const POSSESSIVES: [&str; 2] = ["’s", "'s"];
const TITLES: [&str; 17] = [
    "Mr. ",
    "Mrs. ",
    "Miss ",
    "Ms. ",
    "Dr. ",
    "Sir ",
    "Lady ",
    "Lord ",
    "Captain ",
    "General ",
    "Colonel ",
    "Madame ",
    "Mademoiselle ",
    "Monsieur ",
    "M. ",
    "Aunt ",
    "Widow ",
];

/// What hard places tempt to: a hero for the book, a town for its people, an age for a date.
const TEMPTING: [(&str, &str); 6] = [
    ("PERSON", "ORG"),
    ("PLACE", "ORG"),
    ("ORG", "PLACE"),
    ("WORK", "PERSON"),
    ("DATE", "QUANTITY"),
    ("QUANTITY", "DATE"),
];

impl Habits {
    /// What somebody with these habits marks in a passage.
    pub(super) fn annotate(&self, dice: &mut Dice, passage: &Passage) -> Vec<LabelledRange> {
        let text = passage.text.as_str();
        let mut spans = BTreeSet::new();
        for (range, label) in &passage.gold {
            let inner = passage.gold.iter().any(|(other, _)| {
                other != range && other.start <= range.start && range.end <= other.end
            });
            if dice.chance(self.overlooks) || (inner && dice.chance(self.skips_inner)) {
                continue;
            }
            match Temptation::at(*range, label).filter(|_| dice.chance(self.falls)) {
                Some(Temptation::PassOver) => {}
                Some(Temptation::Mistake(mistake)) => {
                    spans.insert((*range, mistake));
                }
                None => {
                    let cut = self.cut(dice, text, *range, label);
                    spans.insert((cut, self.name(dice, label)));
                }
            }
        }
        for range in &passage.strangers {
            if dice.chance(self.invents)
                && let Some(label) = dice.pick(&["PERSON", "PLACE", "ORG"])
            {
                spans.insert((*range, *label));
            }
        }
        spans.into_iter().collect()
    }

    fn name(&self, dice: &mut Dice, label: &'static str) -> &'static str {
        let confused = self
            .confuses
            .iter()
            .find(|(from, _, per_mille)| *from == label && dice.chance(*per_mille));
        confused.map_or(label, |(_, to, _)| to)
    }

    /// Where this labeler thinks the span begins and ends.
    fn cut(&self, dice: &mut Dice, text: &str, range: Range, label: &str) -> Range {
        let words = text::slice(text, range);
        let before = text::slice(text, Range::new(0, range.start));
        let after = text::byte_offset(text, range.end).and_then(|at| text.get(at..));
        let mut cut = range;
        if let Some(article) = ARTICLES.iter().find(|article| ends_with_word(before, article))
            && dice.chance(self.takes_article)
        {
            cut.start -= text::length(article);
        }
        if label == "PERSON"
            && let Some(title) = TITLES.iter().find(|title| words.starts_with(**title))
            && dice.chance(self.drops_title)
        {
            cut.start = range.start + text::length(title);
        }
        if let Some(possessive) =
            POSSESSIVES.iter().find(|ending| after.is_some_and(|after| after.starts_with(**ending)))
            && dice.chance(self.takes_possessive)
        {
            cut.end += text::length(possessive);
        }
        if label == "QUANTITY"
            && let Some((number, _)) = words.rsplit_once(' ')
            && dice.chance(self.bare_number)
        {
            cut.end = range.start + text::length(number);
        }
        cut
    }
}

/// Whether the text ends with this word and its space, not with the end of a longer word.
fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphabetic))
}

/// What most fall for at a hard place of a passage.
enum Temptation {
    /// The words look like no name at all.
    PassOver,
    /// Another label comes to mind first.
    Mistake(&'static str),
}

impl Temptation {
    /// The temptation at this place, the same for everybody; most places have none.
    fn at(range: Range, label: &str) -> Option<Self> {
        let mut dice = Dice::new([u64::from(range.start), u64::from(range.end)]);
        if dice.chance(40) {
            return Some(Self::PassOver);
        }
        let (_, mistake) = TEMPTING.iter().find(|(from, _)| *from == label && dice.chance(60))?;
        Some(Self::Mistake(mistake))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passage() -> Passage {
        let text = "Then the Reform Club met Mr. Fogg’s crew of five men and an English cook.";
        let gold = vec![
            (Range::new(9, 20), "ORG"),
            (Range::new(25, 33), "PERSON"),
            (Range::new(44, 52), "QUANTITY"),
        ];
        Passage::new("test", text.to_owned(), gold)
    }

    fn marked(habits: Habits) -> Vec<(String, &'static str)> {
        let passage = passage();
        let spans = habits.annotate(&mut Dice::new([1]), &passage);
        spans.into_iter().map(|(at, l)| (text::slice(&passage.text, at).to_owned(), l)).collect()
    }

    #[test]
    fn without_habits_exactly_the_gold_spans_are_marked() {
        assert_eq!(Habits::default().annotate(&mut Dice::new([1]), &passage()), passage().gold);
    }

    #[test]
    fn each_habit_does_what_it_says() {
        let always = Habits {
            takes_article: 1000,
            drops_title: 1000,
            takes_possessive: 1000,
            bare_number: 1000,
            confuses: &[("ORG", "PLACE", 1000)],
            ..Habits::default()
        };
        let expected = [("the Reform Club", "PLACE"), ("Fogg’s", "PERSON"), ("five", "QUANTITY")];
        assert_eq!(marked(always), expected.map(|(words, label)| (words.to_owned(), label)));
        assert_eq!(marked(Habits { overlooks: 1000, ..Habits::default() }), []);
        let invented = marked(Habits { overlooks: 1000, invents: 1000, ..Habits::default() });
        assert_eq!(
            invented.iter().map(|(words, _)| words.as_str()).collect::<Vec<_>>(),
            ["English"]
        );
    }
}
