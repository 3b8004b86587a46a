//! Text as HTML holds it.

/// Escapes for the content of an element. A parser would turn a bare CR into LF and drop NUL,
/// and every offset after it would be wrong.
pub(crate) fn escape_text(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '\r' => html.push_str("&#13;"),
            '\0' => html.push('\u{FFFD}'),
            c => html.push(c),
        }
    }
}

/// Escapes for an attribute between quotes.
pub(crate) fn escape_attribute(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => escape_text(html, c.encode_utf8(&mut [0; 4])),
        }
    }
}
