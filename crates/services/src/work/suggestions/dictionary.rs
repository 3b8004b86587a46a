//! The strings on which labelers agree, and where else they stand. Pure.
//!
//! **The rule.** An *occurrence* of a string is a position in a document that at least two labelers have
//! submitted, marked by at least one of them; the string is its text as it stands there, capitals
//! included, of at most [`LONGEST`] characters and with a letter or digit in it. An occurrence *agrees*
//! on a label if everybody who submitted the document marked the position, each with that label and no
//! other. A string is offered with a label, in a document, if among its occurrences in *other* documents
//! at least two agree on the label, and at most one in ten does not. It is offered where it stands as
//! whole tokens; of strings that begin at the same token the longest, and never two that overlap.
//!
//! To a labeler, documents whose submission they have ever taken back tell nothing: else they could try
//! marks there and read here whether others have made them, too.
//!
//! Places where nobody has marked the string are no occurrences: as everywhere in this product, what
//! nobody has judged says nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{DocumentId, LabelId, MemberId, Range, Span, base::text};
use store::work::suggestions::SubmittedSpan;

/// The longest string that is offered, in Unicode scalar values.
pub(super) const LONGEST: u32 = 80;

/// How many occurrences have to agree.
const AGREEING: usize = 2;

/// One in so many may disagree.
const ONE_IN: usize = 10;

/// A string in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub(super) document: DocumentId,
    pub(super) words: String,
    /// The label on which everybody agrees there.
    pub(super) agreed: Option<LabelId>,
}

/// The occurrences among these spans.
pub(super) fn occurrences(spans: Vec<SubmittedSpan>) -> Vec<Occurrence> {
    struct Position {
        words: String,
        raters: u32,
        given: BTreeMap<MemberId, BTreeSet<LabelId>>,
    }
    let mut positions: BTreeMap<(DocumentId, Range), Position> = BTreeMap::new();
    for SubmittedSpan { document, range, label, member, raters, words } in spans {
        if !words.contains(char::is_alphanumeric) {
            continue;
        }
        let new = || Position { words, raters, given: BTreeMap::new() };
        let position = positions.entry((document, range)).or_insert_with(new);
        position.given.entry(member).or_default().insert(label);
    }
    let occurrence = |((document, _), position): ((DocumentId, Range), Position)| {
        let Position { words, raters, given } = position;
        let everybody = u32::try_from(given.len()).is_ok_and(|given| given == raters && raters > 1);
        let mut sets = given.values();
        let first = sets.next().filter(|first| first.len() == 1 && sets.all(|set| set == *first));
        let agreed = first.filter(|_| everybody).and_then(|labels| labels.first().copied());
        Occurrence { document, words, agreed }
    };
    positions.into_iter().map(occurrence).collect()
}

/// The strings that are agreed on outside of some documents, each with its label.
pub(super) fn agreed_outside<'a>(
    occurrences: &'a [Occurrence],
    documents: &[DocumentId],
) -> BTreeMap<&'a str, LabelId> {
    let mut counts: BTreeMap<&str, (usize, BTreeMap<LabelId, usize>)> = BTreeMap::new();
    for occurrence in occurrences.iter().filter(|it| !documents.contains(&it.document)) {
        let (all, agreed) = counts.entry(&occurrence.words).or_default();
        *all += 1;
        if let Some(label) = occurrence.agreed {
            *agreed.entry(label).or_default() += 1;
        }
    }
    let is_agreed = |all: usize, n: usize| n >= AGREEING && (all - n) * ONE_IN <= all;
    counts
        .into_iter()
        .filter_map(|(words, (all, agreed))| {
            let (label, _) = agreed.into_iter().find(|(_, n)| is_agreed(all, *n))?;
            Some((words, label))
        })
        .collect()
}

/// Where these strings stand in a text, in order.
pub(super) fn offered(text: &str, strings: &BTreeMap<&str, LabelId>) -> Vec<Span> {
    let mut by_first: HashMap<&str, Vec<(&str, LabelId)>> = HashMap::new();
    for (words, label) in strings {
        if let Some(first) = text::tokens(words).first() {
            by_first.entry(text::slice(words, *first)).or_default().push((words, *label));
        }
    }
    if by_first.is_empty() {
        return Vec::new();
    }
    for candidates in by_first.values_mut() {
        candidates.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    }
    let bytes: Vec<usize> = text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect();
    let byte = |offset: u32| bytes.get(usize::try_from(offset).ok()?).copied();
    let tokens = text::tokens(text);
    let (mut found, mut free) = (Vec::new(), 0);
    for token in tokens.iter().filter(|token| !token.is_empty()) {
        if token.start < free {
            continue;
        }
        let Some((start, end)) = byte(token.start).zip(byte(token.end)) else { continue };
        let first = text.get(start..end).unwrap_or_default();
        let rest = text.get(start..).unwrap_or_default();
        let Some(candidates) = by_first.get(first) else { continue };
        let place = candidates.iter().find_map(|(words, label)| {
            let end = token.start + text::length(words);
            let is_whole = tokens.binary_search_by_key(&end, |token| token.end).is_ok();
            (rest.starts_with(words) && is_whole).then(|| Span::new(token.start, end, *label))
        });
        if let Some(span) = place {
            free = span.range.end;
            found.push(span);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(document: i64, start: u32, words: &str, label: i64, member: i64) -> SubmittedSpan {
        SubmittedSpan {
            document: DocumentId(document),
            range: Range::new(start, start + text::length(words)),
            label: LabelId(label),
            member: MemberId(member),
            raters: 2,
            words: words.to_owned(),
        }
    }

    fn both(document: i64, start: u32, words: &str, label: i64) -> [SubmittedSpan; 2] {
        [span(document, start, words, label, 1), span(document, start, words, label, 2)]
    }

    fn strings(spans: &[SubmittedSpan], document: i64) -> Vec<(String, i64)> {
        let occurrences = occurrences(spans.to_vec());
        let agreed = agreed_outside(&occurrences, &[DocumentId(document)]);
        agreed.into_iter().map(|(words, label)| (words.to_owned(), label.0)).collect()
    }

    #[test]
    fn two_occurrences_on_which_two_agree_make_a_string() {
        let spans = [both(1, 0, "Ur", 1), both(2, 5, "Ur", 1)].concat();
        assert_eq!(strings(&spans, 9), [("Ur".to_owned(), 1)]);
        assert_eq!(strings(&both(1, 0, "Ur", 1), 9), [], "one is not enough");
    }

    #[test]
    fn what_is_agreed_in_the_document_itself_does_not_count() {
        let spans = [both(1, 0, "Ur", 1), both(2, 5, "Ur", 1)].concat();
        assert_eq!(strings(&spans, 1), []);
    }

    #[test]
    fn a_mark_of_one_alone_and_another_label_disagree() {
        let agreed = [both(1, 0, "Ur", 1), both(2, 5, "Ur", 1)].concat();
        let alone = [agreed.clone(), vec![span(3, 0, "Ur", 1, 1)]].concat();
        assert_eq!(strings(&alone, 9), [], "one in three disagrees");
        let other = [agreed.clone(), vec![span(3, 0, "Ur", 1, 1), span(3, 0, "Ur", 2, 2)]].concat();
        assert_eq!(strings(&other, 9), []);
        let mut twice = agreed;
        twice.extend([span(3, 0, "Ur", 1, 1), span(3, 0, "Ur", 2, 1), span(3, 0, "Ur", 1, 2)]);
        assert_eq!(strings(&twice, 9), [], "two labels of one are another answer");
    }

    #[test]
    fn one_in_ten_may_disagree_and_one_in_nine_may_not() {
        let agreeing = |n: u32| (0..n).flat_map(|start| both(1, start * 10, "Ur", 1));
        let odd = span(2, 0, "Ur", 1, 1);
        let spans: Vec<_> = agreeing(9).chain([odd.clone()]).collect();
        assert_eq!(strings(&spans, 9).len(), 1);
        let spans: Vec<_> = agreeing(8).chain([odd]).collect();
        assert_eq!(strings(&spans, 9), []);
    }

    #[test]
    fn marks_without_a_word_are_no_strings() {
        let spans = [both(1, 0, ", ", 1), both(2, 5, ", ", 1)].concat();
        assert_eq!(strings(&spans, 9), []);
    }

    #[test]
    fn strings_are_offered_as_whole_tokens_the_longest_first_and_never_overlapping() {
        let strings = BTreeMap::from([
            ("art", LabelId(1)),
            ("New York", LabelId(2)),
            ("New York Times", LabelId(3)),
            ("Times Square", LabelId(4)),
            ("好", LabelId(5)),
        ]);
        let text = "part of art: New York Times Square in New York. 你好 👍 art";
        let found = offered(text, &strings);
        let words: Vec<_> =
            found.iter().map(|it| (text::slice(text, it.range), it.label.0)).collect();
        assert_eq!(
            words,
            [("art", 1), ("New York Times", 3), ("New York", 2), ("好", 5), ("art", 1)]
        );
        assert_eq!(offered(text, &BTreeMap::new()), []);
    }
}
