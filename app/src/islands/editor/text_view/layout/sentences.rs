//! Where sentences begin and end, as far as one can tell without knowing the language. Pure.

use domain::Range;

use super::{Layout, SENTENCE_ENDS, Unit};

/// Those after which no space stands.
const FULL_WIDTH: [char; 3] = ['。', '！', '？'];

/// What may stand between the end of a sentence and the space after it.
const CLOSING: [char; 8] = ['"', '\'', '”', '’', '»', ')', ']', '」'];

impl Layout {
    /// The sentences of a block, each from its first token to its last.
    pub(crate) fn sentences(&self, block: usize) -> Vec<Range> {
        let tokens = self.units(block, Unit::Token);
        let mut sentences = Vec::new();
        let mut first: Option<Range> = None;
        let mut has_ended = false;
        for (place, token) in tokens.iter().enumerate() {
            let start = *first.get_or_insert(*token);
            let word = self.slice(*token);
            let is_end = word.ends_with(SENTENCE_ENDS);
            has_ended = is_end || (has_ended && word.ends_with(CLOSING));
            let next = tokens.get(place + 1);
            let is_apart = next.is_none_or(|next| next.start > token.end);
            let is_wide = word.ends_with(FULL_WIDTH)
                && next.is_none_or(|next| !self.slice(*next).starts_with(CLOSING));
            let goes_on =
                next.is_some_and(|next| self.slice(*next).starts_with(char::is_lowercase));
            // "J. Smith": one capital before the full stop is a name.
            let before = place.checked_sub(1).and_then(|before| tokens.get(before));
            let is_initial = word == "."
                && before.is_some_and(|before| {
                    before.len() == 1 && self.slice(*before).starts_with(char::is_uppercase)
                });
            let cuts = has_ended && (is_apart || is_wide) && !goes_on && !is_initial;
            if cuts || next.is_none() {
                sentences.push(Range::new(start.start, token.end));
                (first, has_ended) = (None, false);
            }
        }
        sentences
    }

    /// The sentences that a range touches, as one range.
    pub(crate) fn sentences_around(&self, range: Range) -> Option<Range> {
        let last = range.end.saturating_sub(1);
        let at = |offset: u32| {
            let sentences = self.sentences(self.block_at(offset));
            sentences
                .iter()
                .rfind(|sentence| sentence.start <= offset)
                .or(sentences.first())
                .copied()
        };
        Some(Range::new(at(range.start)?.start.min(range.start), at(last)?.end.max(range.end)))
    }

    /// The blocks that a range touches, as one range.
    pub(crate) fn blocks_around(&self, range: Range) -> Range {
        let block = |offset| self.blocks().get(self.block_at(offset)).map(|block| block.range);
        let first = block(range.start).map_or(range.start, |block| block.start);
        let last = block(range.end.saturating_sub(1)).map_or(range.end, |block| block.end);
        Range::new(first, last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<String> {
        let layout = Layout::new(text.into());
        let found = (0..layout.blocks().len()).flat_map(|block| layout.sentences(block));
        found.map(|sentence| layout.slice(sentence).to_owned()).collect()
    }

    #[test]
    fn a_sentence_ends_with_its_mark_and_what_closes_after_it() {
        assert_eq!(
            sentences("To be, or not? That is it. \"Words!\" he said (so.) End"),
            ["To be, or not?", "That is it.", "\"Words!\" he said (so.)", "End"]
        );
        assert_eq!(sentences("你好。再见！"), ["你好。", "再见！"]);
        assert_eq!(sentences("ما هذا؟ كتاب."), ["ما هذا؟", "كتاب."]);
    }

    #[test]
    fn numbers_initials_and_what_goes_on_in_lower_case_end_none() {
        assert_eq!(
            sentences("J. S. Bach paid 3.50 e.g. to me."),
            ["J. S. Bach paid 3.50 e.g. to me."]
        );
    }

    #[test]
    fn a_line_break_ends_a_sentence_and_a_blank_line_has_none() {
        assert_eq!(sentences("A title\n\nIt begins."), ["A title", "It begins."]);
    }

    #[test]
    fn a_range_over_two_sentences_is_surrounded_by_both() {
        let layout = Layout::new("One two. Three four. Five.".into());
        let around = layout.sentences_around(Range::new(4, 14)).unwrap();
        assert_eq!(layout.slice(around), "One two. Three four.");
        assert_eq!(layout.blocks_around(Range::new(4, 5)), Range::new(0, 26));
    }
}
