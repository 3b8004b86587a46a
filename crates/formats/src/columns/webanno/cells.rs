//! Cells of WebAnno TSV: escapes, stacks of values, ids.

use crate::problem::quoted::shorten;
use crate::problem::webanno::WebAnnoProblem;

/// The most values that one cell may have.
const MAX_STACK: usize = 10_000;

/// One value of a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// The value; none for `*`, an annotation without a value.
    pub(super) text: Option<String>,
    /// The id that joins the rows of one annotation.
    pub(super) id: Option<u64>,
}

/// The values of a cell; none for `_`.
pub(super) fn values(cell: &str) -> Result<Vec<Value>, WebAnnoProblem> {
    if cell == "_" {
        return Ok(Vec::new());
    }
    let found = 1 + unescaped(cell).filter(|(_, scalar)| *scalar == '|').count();
    if found > MAX_STACK {
        return Err(WebAnnoProblem::Stack { found, most: MAX_STACK });
    }
    split_unescaped(cell, '|').into_iter().map(value).collect()
}

fn value(raw: &str) -> Result<Value, WebAnnoProblem> {
    let bracket = unescaped(raw).filter(|(_, scalar)| *scalar == '[').last();
    let (raw, id) = match bracket {
        Some((at, _)) => {
            let (value, id) = raw.split_at(at);
            let digits = id.strip_prefix('[').and_then(|id| id.strip_suffix(']'));
            let id = digits.and_then(|digits| digits.parse().ok());
            (value, Some(id.ok_or_else(|| WebAnnoProblem::Id(shorten(raw)))?))
        }
        None => (raw, None),
    };
    Ok(Value { text: (raw != "*").then(|| unescape_value(raw)), id })
}

/// The characters that no backslash stands before, with their bytes.
fn unescaped(raw: &str) -> impl Iterator<Item = (usize, char)> {
    let mut escaped = false;
    raw.char_indices().filter(move |(_, scalar)| {
        let counts = !escaped;
        escaped = !escaped && *scalar == '\\';
        counts
    })
}

fn split_unescaped(raw: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut begin = 0;
    for (at, scalar) in unescaped(raw) {
        if scalar == separator {
            parts.push(raw.get(begin..at).unwrap_or_default());
            begin = at + separator.len_utf8();
        }
    }
    parts.push(raw.get(begin..).unwrap_or_default());
    parts
}

/// Undoes the escapes of values. A backslash before anything else stands for itself, as the
/// format's own reader has it.
fn unescape_value(raw: &str) -> String {
    unescape(raw, |next, rest| match next {
        't' => Some('\t'),
        'n' => Some('\n'),
        '\\' | '[' | ']' | '|' | '_' | ';' | '*' => Some(next),
        '-' if rest.starts_with('>') => Some('-'),
        _ => None,
    })
}

/// Undoes the escapes of `#Text=`, which are those of control characters and the backslash.
pub(super) fn unescape_text(raw: &str) -> String {
    unescape(raw, |next, _| match next {
        't' => Some('\t'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        'f' => Some('\u{C}'),
        'b' => Some('\u{8}'),
        '\\' | '\0'..='\u{1F}' => Some(next),
        _ => None,
    })
}

/// The text with characters for their numbers of four digits (`\u00FC`), as Java's property files have
/// them; none where there is no such number, or one that is no character.
pub(super) fn written_out(raw: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::with_capacity(raw.len());
    let (mut rest, mut found) = (raw, false);
    while let Some((before, after)) = rest.split_once("\\u") {
        units.extend(before.encode_utf16());
        let digits = after.get(..4).filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        if let Some(unit) = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            found = true;
            units.push(unit);
            rest = after.get(4..).unwrap_or_default();
        } else {
            units.extend("\\u".encode_utf16());
            rest = after;
        }
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok().filter(|_| found)
}

fn unescape(raw: &str, meaning: impl Fn(char, &str) -> Option<char>) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut scalars = raw.chars();
    while let Some(scalar) = scalars.next() {
        let mut ahead = scalars.clone();
        let meant = match (scalar, ahead.next()) {
            ('\\', Some(next)) => meaning(next, ahead.as_str()),
            _ => None,
        };
        if meant.is_some() {
            scalars = ahead;
        }
        text.push(meant.unwrap_or(scalar));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Value, unescape_text, values};

    fn value(text: &str, id: Option<u64>) -> Value {
        Value { text: Some(text.to_owned()), id }
    }

    #[test]
    fn stacks_ids_and_escapes_are_told_apart() {
        assert_eq!(values("_"), Ok(vec![]));
        assert_eq!(values("*"), Ok(vec![Value { text: None, id: None }]));
        assert_eq!(values("\\*"), Ok(vec![value("*", None)]));
        assert_eq!(values("\\_"), Ok(vec![value("_", None)]));
        assert_eq!(
            values("PER[1]|*[22]"),
            Ok(vec![value("PER", Some(1)), Value { text: None, id: Some(22) }])
        );
        assert_eq!(
            values("a\\|b\\[1\\][3]|c\\\\[4]|\\->\\;\\t\\n"),
            Ok(vec![value("a|b[1]", Some(3)), value("c\\", Some(4)), value("->;\t\n", None)])
        );
        assert_eq!(values("\\x-\\-"), Ok(vec![value("\\x-\\-", None)]));
        assert!(values("PER[x]").is_err());
        assert!(values("PER[1]x").is_err());
    }

    #[test]
    fn texts_have_other_escapes_than_values() {
        assert_eq!(unescape_text("a\\tb\\rc\\\\n\\[\\\u{1}"), "a\tb\rc\\n\\[\u{1}");
    }
}
