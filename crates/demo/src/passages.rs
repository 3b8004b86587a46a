//! The passages of the second sample project, with what a careful reader marks in them.

use std::{collections::BTreeSet, sync::LazyLock};

use domain::{Range, base::text};

use super::sample::LabelledRange;

/// `=== Title — Author (year)` lines, each followed by its passage with spans as `[[words|LABEL]]`.
const SOURCE: &str = include_str!("../samples/passages.txt");

/// A passage of prose or verse.
#[derive(Debug)]
pub(super) struct Passage {
    pub(super) name: String,
    pub(super) text: String,
    /// The names, dates and quantities in it: in order, none twice.
    pub(super) gold: Vec<LabelledRange>,
    /// Capitalised words within sentences that belong to none of these: peoples, ships, nouns as
    /// older prose wrote them.
    pub(super) strangers: Vec<Range>,
}

impl Passage {
    /// A passage whose text has these spans.
    pub(super) fn new(name: &str, text: String, gold: Vec<LabelledRange>) -> Self {
        let strangers = strangers(&text, &gold);
        Self { name: name.to_owned(), text, gold, strangers }
    }
}

/// All passages in the order of the file.
pub(super) fn passages() -> &'static [Passage] {
    static PASSAGES: LazyLock<Vec<Passage>> = LazyLock::new(|| parse(SOURCE));
    &PASSAGES
}

fn parse(source: &'static str) -> Vec<Passage> {
    source
        .split("=== ")
        .filter_map(|part| part.split_once('\n'))
        .map(|(name, marked)| {
            let (text, gold) = without_markers(marked.trim_end());
            Passage::new(name.trim(), text, gold)
        })
        .collect()
}

/// Takes the spans out of a text, and says where they were.
fn without_markers(marked: &'static str) -> (String, Vec<LabelledRange>) {
    let mut text = String::with_capacity(marked.len());
    let mut gold = BTreeSet::new();
    let mut open = Vec::new();
    let (mut at, mut rest) = (0_u32, marked);
    while let Some(next) = rest.chars().next() {
        if let Some(inside) = rest.strip_prefix("[[") {
            open.push(at);
            rest = inside;
            continue;
        }
        if let Some((label, after)) = rest.strip_prefix('|').and_then(|end| end.split_once("]]"))
            && let Some(start) = open.pop()
        {
            gold.insert((Range::new(start, at), label));
            rest = after;
            continue;
        }
        text.push(next);
        at += 1;
        rest = rest.get(next.len_utf8()..).unwrap_or_default();
    }
    (text, gold.into_iter().collect())
}

fn strangers(text: &str, gold: &[LabelledRange]) -> Vec<Range> {
    let mut strangers = Vec::new();
    let mut continues = false;
    for token in text::tokens(text) {
        let word = text::slice(text, token);
        let named = gold.iter().any(|(range, _)| range.overlaps(token));
        if continues && word.starts_with(char::is_uppercase) && !named && token.len() > 2 {
            strangers.push(token);
        }
        // A sentence goes on after a word or a comma.
        continues = word == "," || word.ends_with(char::is_alphanumeric);
    }
    strangers
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn marks_are_taken_out_and_nested_ones_are_kept_apart() {
        let (plain, gold) =
            without_markers("“the [[Vicar of [[Wakefield|PLACE]]|WORK]], [[Jo|PERSON]]");
        assert_eq!(plain, "“the Vicar of Wakefield, Jo");
        let words: Vec<_> =
            gold.iter().map(|(range, label)| (text::slice(&plain, *range), *label)).collect();
        assert_eq!(
            words,
            [("Vicar of Wakefield", "WORK"), ("Wakefield", "PLACE"), ("Jo", "PERSON")]
        );
    }

    #[test]
    fn every_passage_has_its_own_name_clean_text_and_sound_marks() {
        let names: BTreeSet<_> = passages().iter().map(|passage| passage.name.as_str()).collect();
        assert_eq!(names.len(), passages().len());
        assert!(passages().len() >= 60, "{}", passages().len());
        for Passage { name, text, gold, .. } in passages() {
            assert!(!text.contains("[[") && !text.contains("]]") && !text.contains('|'), "{name}");
            assert!(!gold.is_empty(), "{name}");
            for (range, label) in gold {
                range.checked(text::length(text)).unwrap();
                assert!(super::super::classics::LABELS.contains(label), "{label} in {name}");
            }
        }
    }
}
