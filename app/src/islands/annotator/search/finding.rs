//! Finding places in the text: words that begin with a capital and are not marked yet, all places
//! where the same words stand, what is around a selection. Pure.

use domain::{LabelId, Range, base::text};

use crate::islands::{
    annotator::saving::change::{Spans, all_spans},
    editor::text_view::{Layout, Unit},
};

/// What is searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Search {
    pub is_open: bool,
    pub sought: String,
    /// Whether it is a regular expression.
    pub is_pattern: bool,
    /// Whether places with a span on them are passed over.
    pub is_unmarked: bool,
}

/// Places that may get a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SameWords {
    pub words: Range,
    pub label: LabelId,
    pub places: Vec<Range>,
}

/// The next (or previous) token with a capital at its beginning and no span on it; past the text's
/// end on from its beginning.
pub(crate) fn unmarked_capital(
    layout: &Layout,
    spans: &Spans,
    from: Range,
    forward: bool,
) -> Option<Range> {
    let is_sought = |token: &&Range| {
        layout.slice(**token).starts_with(char::is_uppercase)
            && !all_spans(spans).any(|span| span.range.overlaps(**token))
    };
    let tokens = || (0..layout.blocks().len()).flat_map(|block| layout.units(block, Unit::Token));
    if forward {
        let mut after = tokens().filter(|token| token.start >= from.end);
        after.find(is_sought).or_else(|| tokens().find(is_sought)).copied()
    } else {
        let mut before = tokens().filter(|token| token.end <= from.start);
        before.rfind(is_sought).or_else(|| tokens().rfind(is_sought)).copied()
    }
}

/// Every place where the words of a range stand, from the beginning of a token to the end of one.
pub(crate) fn same_words(layout: &Layout, range: Range) -> Vec<Range> {
    let words = layout.slice(range);
    if words.trim().is_empty() {
        return Vec::new();
    }
    let (mut found, mut byte, mut offset) = (Vec::new(), 0, 0);
    let all = layout.text();
    while let Some(at) = all.get(byte..).and_then(|rest| rest.find(words)) {
        let start = offset + text::length(all.get(byte..byte + at).unwrap_or_default());
        let place = Range::new(start, start + range.len());
        // "art" is not meant where "part" or "artist" stands.
        if layout.snap(place, Unit::Token) == Some(place) {
            found.push(place);
        }
        (byte, offset) = (byte + at + words.len(), place.end);
    }
    found
}

/// What is around a range: its tokens, the sentence, the paragraph, the text; the first that is
/// more.
pub(crate) fn grown(layout: &Layout, range: Range) -> Option<Range> {
    let levels = [
        layout.snap(range, Unit::Token),
        layout.sentences_around(range),
        layout.snap(layout.blocks_around(range), Unit::Token),
        layout.snap(Range::new(0, layout.length()), Unit::Token),
    ];
    let is_more =
        |more: &Range| more.start <= range.start && more.end >= range.end && *more != range;
    levels.into_iter().flatten().find(is_more)
}

/// What is inside a range, from its beginning: the paragraph, the sentence, the token; the first
/// that is less.
pub(crate) fn shrunk(layout: &Layout, range: Range) -> Option<Range> {
    let first = Range::new(range.start, range.start + 1);
    let levels = [
        layout.snap(layout.blocks_around(first), Unit::Token),
        layout.sentences_around(first),
        layout.snap(first, Unit::Token),
    ];
    let is_less =
        |less: &Range| less.start >= range.start && less.end <= range.end && *less != range;
    levels.into_iter().flatten().find(is_less)
}

/// The next (or previous) of these ranges; past the last on from the first.
pub(crate) fn next_of(ranges: &[Range], from: Range, forward: bool) -> Option<Range> {
    if forward {
        ranges.iter().find(|range| range.start >= from.end).or(ranges.first()).copied()
    } else {
        ranges.iter().rfind(|range| range.end <= from.start).or(ranges.last()).copied()
    }
}

/// Ranges from starts and ends by turns, in UTF-16 code units and in order.
pub(crate) fn ranges_of_utf16(text: &str, edges: &[u32]) -> Vec<Range> {
    let mut characters = text.chars();
    let (mut units, mut offset) = (0, 0);
    let mut offset_of = |edge: u32| {
        while units < edge
            && let Some(character) = characters.next()
        {
            units += if u32::from(character) > 0xFFFF { 2 } else { 1 };
            offset += 1;
        }
        offset
    };
    let (pairs, _) = edges.as_chunks::<2>();
    pairs.iter().map(|[start, end]| Range::new(offset_of(*start), offset_of(*end))).collect()
}

#[cfg(test)]
mod tests {
    use domain::Span;

    use super::*;

    const TEXT: &str = "Ada met Charles. Then Ada wrote: art, not part!\nAda's end.";

    fn layout() -> Layout {
        Layout::new(TEXT.into())
    }

    fn words(range: Option<Range>) -> Option<String> {
        range.map(|range| layout().slice(range).to_owned())
    }

    #[test]
    fn the_next_capital_is_one_that_nobody_has_marked() {
        let spans = Spans::from([Span::new(8, 15, LabelId(1)).into()]);
        let from = |start, end, forward| {
            words(unmarked_capital(&layout(), &spans, Range::new(start, end), forward))
        };
        assert_eq!(from(0, 3, true).as_deref(), Some("Then"));
        assert_eq!(from(17, 21, false).as_deref(), Some("Ada"));
        assert_eq!(
            unmarked_capital(&layout(), &spans, Range::new(17, 21), false),
            Some(Range::new(0, 3))
        );
        // Past the end, on from the beginning.
        assert_eq!(
            unmarked_capital(&layout(), &spans, Range::new(53, 56), true),
            Some(Range::new(0, 3))
        );
        let all = Spans::from([Span::new(0, 60, LabelId(1)).into()]);
        assert_eq!(unmarked_capital(&layout(), &all, Range::new(0, 0), true), None);
    }

    #[test]
    fn the_same_words_are_whole_tokens() {
        let starts = |start, end| {
            let found = same_words(&layout(), Range::new(start, end));
            found.into_iter().map(|range| range.start).collect::<Vec<_>>()
        };
        assert_eq!(starts(0, 3), [0, 22, 48]);
        assert_eq!(starts(33, 36), [33], "not in \"part\"");
        assert_eq!(starts(3, 4), [0; 0]);
        let umlauts = Layout::new("über 🥳 Über über".into());
        assert_eq!(same_words(&umlauts, Range::new(0, 4)), [Range::new(0, 4), Range::new(12, 16)]);
    }

    #[test]
    fn a_selection_grows_to_its_sentence_paragraph_and_text_and_shrinks_back() {
        let grow = |start, end| words(grown(&layout(), Range::new(start, end)));
        assert_eq!(grow(4, 5).as_deref(), Some("met"));
        assert_eq!(grow(4, 7).as_deref(), Some("Ada met Charles."));
        assert_eq!(grow(0, 16).as_deref(), Some("Ada met Charles. Then Ada wrote: art, not part!"));
        assert_eq!(grow(0, 47).as_deref(), Some(TEXT));
        assert_eq!(grow(0, 58), None);
        let shrink = |start, end| words(shrunk(&layout(), Range::new(start, end)));
        assert_eq!(
            shrink(0, 58).as_deref(),
            Some("Ada met Charles. Then Ada wrote: art, not part!")
        );
        assert_eq!(shrink(0, 47).as_deref(), Some("Ada met Charles."));
        assert_eq!(shrink(0, 16).as_deref(), Some("Ada"));
        assert_eq!(shrink(0, 3), None);
    }

    #[test]
    fn past_the_last_match_comes_the_first() {
        let ranges = [Range::new(0, 3), Range::new(22, 25)];
        assert_eq!(next_of(&ranges, Range::new(0, 3), true), Some(ranges[1]));
        assert_eq!(next_of(&ranges, Range::new(22, 25), true), Some(ranges[0]));
        assert_eq!(next_of(&ranges, Range::new(0, 3), false), Some(ranges[1]));
        assert_eq!(next_of(&[], Range::new(0, 3), true), None);
    }

    #[test]
    fn code_units_become_characters() {
        let found = ranges_of_utf16("🥳 Ada 🥳 Ada", &[3, 6, 10, 13]);
        assert_eq!(found, [Range::new(2, 5), Range::new(8, 11)]);
        assert_eq!(ranges_of_utf16("ab", &[]), []);
    }
}
