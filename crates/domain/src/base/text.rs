//! Offsets into text, in one unit: Unicode scalar values. Conversion to UTF-16 (the DOM, some
//! formats) and to bytes (Rust's `str`) happens here and nowhere else.

use unicode_segmentation::{UNICODE_VERSION, UnicodeSegmentation};

use crate::{Range, saturating};

/// The text's length in Unicode scalar values; texts beyond `u32::MAX` are refused at import.
pub fn length(text: &str) -> u32 {
    saturating::<u32>(text.chars().count())
}

/// The part of the text that a range covers; the empty string where it leaves the text.
pub fn slice(text: &str, range: Range) -> &str {
    let start = byte_offset(text, range.start);
    let end = byte_offset(text, range.end);
    start.zip(end).and_then(|(start, end)| text.get(start..end)).unwrap_or_default()
}

/// The byte offset of a character offset; `None` past the end.
pub fn byte_offset(text: &str, offset: u32) -> Option<usize> {
    let offset = usize::try_from(offset).ok()?;
    text.char_indices().map(|(byte, _)| byte).chain([text.len()]).nth(offset)
}

/// The UTF-16 offset of a character offset, clamped to the text's end.
pub fn utf16_offset(text: &str, offset: u32) -> u32 {
    text.chars().zip(0..offset).map(|(c, _)| units(c)).sum()
}

/// The character offset of a UTF-16 offset; an offset inside a surrogate pair counts as before it.
pub fn scalar_offset(text: &str, utf16: u32) -> u32 {
    let mut passed = 0;
    let mut offset = 0;
    for c in text.chars() {
        passed += units(c);
        if passed > utf16 {
            break;
        }
        offset += 1;
    }
    offset
}

/// UTF-16 code units of a character: 1 or 2.
fn units(c: char) -> u32 {
    if u32::from(c) > 0xFFFF { 2 } else { 1 }
}

/// The text's tokens: what white space leaves, cut at Unicode word boundaries (UAX #29) and at
/// apostrophes, so that "Shakespeare's" can be marked without its ending. An emoji sequence is
/// one token, each CJK ideograph is one. White space goes first because UAX #29 would attach a
/// combining mark to it.
pub fn tokens(text: &str) -> Vec<Range> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(char::is_whitespace) {
        let chunk = piece.trim_end_matches(char::is_whitespace);
        let words = chunk.split_word_bounds().flat_map(|word| {
            let (stem, ending) = word.split_at(apostrophe(word).unwrap_or(word.len()));
            [stem, ending].into_iter().filter(|part| !part.is_empty())
        });
        let mut position = start;
        for word in words {
            let end = position + length(word);
            tokens.push(Range::new(position, end));
            position = end;
        }
        start += length(piece);
    }
    tokens
}

/// By which rules [`tokens`] cuts: other rules, or those of another version of Unicode, find other tokens.
pub fn token_rules() -> String {
    let (major, minor, update) = UNICODE_VERSION;
    format!("words of UAX #29, Unicode {major}.{minor}.{update}, cut at apostrophes")
}

/// Where a word is cut in two at its last apostrophe, in bytes: before it if a short ending
/// follows ("Hamlet|'s", "they|'re"), after it otherwise ("l'|homme", "O'|Brien").
fn apostrophe(word: &str) -> Option<usize> {
    let at = word.rfind(['\'', '’'])?;
    let (before, rest) = word.split_at(at);
    let width = rest.chars().next().map_or(0, char::len_utf8);
    let ending = rest.get(width..).unwrap_or_default();
    if before.is_empty() || ending.is_empty() {
        None
    } else if ending.chars().count() <= 2 {
        Some(at)
    } else {
        Some(at + width)
    }
}

/// The tokens that have text in common with `range`. `tokens` must be in order.
pub fn touched(tokens: &[Range], range: Range) -> &[Range] {
    tokens.get(touched_places(tokens, range)).unwrap_or_default()
}

/// The places of the tokens that have text in common with `range`. `tokens` must be in order.
pub fn touched_places(tokens: &[Range], range: Range) -> std::ops::Range<usize> {
    let first = tokens.partition_point(|token| token.end <= range.start);
    let after = tokens.partition_point(|token| token.start < range.end);
    first..after
}

/// The smallest run of whole tokens that covers everything in `range` but white space at its
/// edges; `None` if there is nothing else in it. `tokens` must be in order.
pub fn snap(tokens: &[Range], range: Range) -> Option<Range> {
    let covered = touched(tokens, range);
    Some(Range::new(covered.first()?.start, covered.last()?.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emoji_with_skin_tone_is_one_token_and_two_characters() {
        let text = "a 👍🏽 b";
        assert_eq!(tokens(text), [Range::new(0, 1), Range::new(2, 4), Range::new(5, 6)]);
        assert_eq!(slice(text, Range::new(2, 4)), "👍🏽");
        assert_eq!(utf16_offset(text, 4), 6);
        assert_eq!(scalar_offset(text, 6), 4);
    }

    #[test]
    fn an_offset_inside_a_surrogate_pair_counts_as_before_it() {
        assert_eq!(scalar_offset("🥳 This", 1), 0);
        assert_eq!(scalar_offset("🥳 This", 2), 1);
    }

    #[test]
    fn snapping_grows_to_whole_tokens_and_drops_white_space() {
        let text = "The Tragedy of  Hamlet,";
        let tokens = tokens(text);
        assert_eq!(snap(&tokens, Range::new(5, 9)), Some(Range::new(4, 11)));
        assert_eq!(snap(&tokens, Range::new(14, 18)), Some(Range::new(16, 22)));
        assert_eq!(snap(&tokens, Range::new(14, 16)), None);
    }

    #[test]
    fn a_word_is_cut_at_its_apostrophe() {
        let cut = |text: &'static str| {
            tokens(text).into_iter().map(|range| slice(text, range)).collect::<Vec<_>>()
        };
        assert_eq!(cut("Shakespeare's"), ["Shakespeare", "'s"]);
        assert_eq!(cut("they’re l’homme"), ["they", "’re", "l’", "homme"]);
        assert_eq!(cut("'Tis the dogs'"), ["'", "Tis", "the", "dogs", "'"]);
    }

    #[test]
    fn a_mark_after_white_space_does_not_pull_the_white_space_in() {
        let text = "a \u{301}b";
        assert_eq!(tokens(text), [Range::new(0, 1), Range::new(2, 3), Range::new(3, 4)]);
    }

    #[test]
    fn punctuation_is_tokens_and_scripts_without_spaces_are_cut_into_ideographs_or_clusters() {
        let count = |text| tokens(text).len();
        assert_eq!(count("Well, no."), 4);
        assert_eq!(count("東京都"), 3);
        assert_eq!(count("ภาษาไทย"), 7, "no dictionary: by cluster");
        assert_eq!(count("かな"), 2);
        assert_eq!(count("カナ"), 1);
    }

    #[test]
    fn half_a_token_touches_it_and_white_space_touches_none() {
        let tokens = tokens("Ada  Lovelace");
        assert_eq!(touched(&tokens, Range::new(7, 9)), [Range::new(5, 13)]);
        assert_eq!(touched(&tokens, Range::new(3, 5)), []);
        assert_eq!(touched(&tokens, Range::new(2, 6)), tokens);
    }

    #[test]
    fn a_zwj_family_and_a_combining_mark_stay_whole() {
        let text = "👨‍👩‍👧 e\u{301}te\u{301} 你好";
        let tokens: Vec<_> = tokens(text).into_iter().map(|range| slice(text, range)).collect();
        assert_eq!(tokens, ["👨‍👩‍👧", "e\u{301}te\u{301}", "你", "好"]);
    }
}
