//! Cutting a text into tokens, as formats need that know tokens only.

use domain::base::text;

use crate::TextIndex;

/// A token, never empty and without whitespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'text> {
    pub(crate) text: &'text str,
    /// Where the token starts, in Unicode scalar values.
    pub(crate) start: usize,
    /// Where the token ends, exclusive, in Unicode scalar values.
    pub(crate) end: usize,
    /// Whether a line ends between the token before and this one.
    pub(crate) starts_line: bool,
}

/// The tokens that people select by on screen, with where lines begin.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let index = TextIndex::new(text);
    let mut tokens: Vec<Token<'_>> = Vec::new();
    for range in text::tokens(text) {
        let (Ok(start), Ok(end)) = (usize::try_from(range.start), usize::try_from(range.end))
        else {
            continue;
        };
        let starts_line = tokens.last().is_some_and(|before| {
            index.slice(before.end, start).is_some_and(|between| between.contains(LINE_ENDS))
        });
        let text = index.slice(start, end).unwrap_or_default();
        tokens.push(Token { text, start, end, starts_line });
    }
    tokens
}

/// The characters that end a line.
const LINE_ENDS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

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
                ("can", 2, 5),
                ("'t", 5, 7),
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
    fn only_a_token_after_a_line_end_and_another_token_starts_a_line() {
        let starts: Vec<bool> =
            tokens("\r\na\r\n\r\n b c").iter().map(|token| token.starts_line).collect();
        assert_eq!(starts, [false, true, false]);
    }
}
