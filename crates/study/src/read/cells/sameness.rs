//! Texts that mean the same, however they are written.

use unicode_normalization::UnicodeNormalization;

/// A decimal number without what does not change it: `1` for `1.0`, `01` and `+1`.
pub(in crate::read) fn plain_number(text: &str) -> Option<String> {
    let (negative, digits) = match text.strip_prefix(['-', '\u{2212}']) {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.contains(['e', 'E']) && digits.starts_with(|c: char| c.is_ascii_digit()) {
        let number: f64 = text.parse().ok()?;
        return number.is_finite().then(|| number.to_string());
    }
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && part.is_empty() || !are_digits(whole) || !are_digits(part) {
        return None;
    }
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    let point = if part.is_empty() { "" } else { "." };
    let sign = if negative && (whole, part) != ("0", "") { "-" } else { "" };
    Some(format!("{sign}{whole}{point}{part}"))
}

/// True if the text is a number, and not a name such as `Nan` or `Inf`.
pub(in crate::read) fn is_number(text: &str) -> bool {
    plain_number(text).is_some()
}

/// A key that a text has in common with all others that differ from it only by case, blanks, signs that
/// nobody sees, the form of Unicode or that of a number.
pub(in crate::read) fn key(text: &str) -> String {
    let is_seen =
        |c: &char| !matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}');
    let folded: String = text.nfc().filter(is_seen).flat_map(char::to_lowercase).collect();
    let words = folded.split_whitespace().collect::<Vec<_>>().join(" ");
    plain_number(&words).unwrap_or(words)
}

/// How two texts of one [`key`] differ.
pub(in crate::read) fn difference(one: &str, other: &str) -> &'static str {
    let composed = |text: &str| text.nfc().collect::<String>();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (first, second) = (composed(one), composed(other));
    if first == second {
        "in their Unicode form"
    } else if first.to_lowercase() == second.to_lowercase() {
        "in case"
    } else if words(&first) == words(&second) {
        "in blanks"
    } else if plain_number(one).is_some() {
        "in how a number is written"
    } else {
        "in case, blanks or signs that are not seen"
    }
}

#[cfg(test)]
mod tests {
    use super::{difference, key, plain_number};

    #[test]
    fn equal_numbers_are_one_text() {
        for (text, expected) in [
            ("1.0", Some("1")),
            ("01", Some("1")),
            ("+1", Some("1")),
            ("-0.50", Some("-0.5")),
            ("-0", Some("0")),
            (".5", Some("0.5")),
            ("2e0", Some("2")),
            ("9007199254740993", Some("9007199254740993")),
            ("nan", None),
            ("inf", None),
            ("1,5", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(plain_number(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_looks_the_same_has_one_key() {
        for (one, other) in
            [("Yes", "yes "), ("caf\u{e9}", "cafe\u{301}"), ("yes\u{200b}", "yes"), ("a  b", "a b")]
        {
            assert_eq!(key(one), key(other));
        }
        assert_ne!(key("yes"), key("no"));
        assert_eq!(difference("caf\u{e9}", "cafe\u{301}"), "in their Unicode form");
        assert_eq!(difference("Yes", "yes"), "in case");
        assert_eq!(difference("1.0", "1"), "in how a number is written");
    }
}
