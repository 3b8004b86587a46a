//! Cutting a text into tokens, as formats need that know tokens only.

use unicode_segmentation::UnicodeSegmentation;

/// A token, never empty and without whitespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'text> {
    pub(super) text: &'text str,
    /// Where the token starts, in Unicode scalar values.
    pub(super) start: usize,
    /// Where the token ends, exclusive, in Unicode scalar values.
    pub(super) end: usize,
    /// Whether a line ends between the token before and this one.
    pub(super) starts_line: bool,
}

/// Cuts at whitespace, and within what is left at Unicode word boundaries (UAX 29).
///
/// Whitespace goes first because UAX 29 attaches combining marks to it.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut position = 0;
    let mut line_ended = false;
    for piece in text.split_inclusive(char::is_whitespace) {
        let chunk = piece.trim_end_matches(char::is_whitespace);
        for word in chunk.split_word_bounds() {
            let end = position + word.chars().count();
            let starts_line = line_ended && !tokens.is_empty();
            tokens.push(Token { text: word, start: position, end, starts_line });
            position = end;
            line_ended = false;
        }
        if chunk.len() < piece.len() {
            position += 1;
            line_ended |= piece.ends_with(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn cut(text: &str) -> Vec<(&str, usize, usize)> {
        tokens(text).iter().map(|token| (token.text, token.start, token.end)).collect()
    }

    #[test]
    fn punctuation_stands_alone_and_offsets_count_scalars() {
        assert_eq!(
            cut("\u{1F973} can't, «no»"),
            [
                ("🥳", 0, 1),
                ("can't", 2, 7),
                (",", 7, 8),
                ("«", 9, 10),
                ("no", 10, 12),
                ("»", 12, 13)
            ]
        );
    }

    #[test]
    fn clusters_stay_whole() {
        let family = "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467}";
        assert_eq!(cut(&format!("{family} e\u{301}t")), [(family, 0, 5), ("e\u{301}t", 6, 9)]);
    }

    #[test]
    fn a_mark_after_whitespace_does_not_pull_the_whitespace_in() {
        assert_eq!(cut("a \u{301}b"), [("a", 0, 1), ("\u{301}", 2, 3), ("b", 3, 4)]);
    }

    #[test]
    fn only_a_token_after_a_line_end_and_another_token_starts_a_line() {
        let starts: Vec<bool> =
            tokens("\r\na\r\n\r\n b c").iter().map(|token| token.starts_line).collect();
        assert_eq!(starts, [false, true, false]);
    }
}
