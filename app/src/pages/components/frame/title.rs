//! What stands in a page's title: the one place that all titles go through.

use crate::display::escape::escape_text;

/// The title of a page as HTML. Leptos puts it between `<title>` and `</title>` as it stands, and
/// it holds names that others have chosen.
pub(crate) fn written(title: String) -> String {
    if title.is_empty() {
        return "Concord".to_owned();
    }
    let mut html = String::new();
    escape_text(&mut html, &domain::readable_name(&title));
    html.push_str(" · Concord");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_does_not_end_the_title() {
        assert_eq!(written(String::new()), "Concord");
        assert_eq!(written("Ann & Bo".to_owned()), "Ann &amp; Bo · Concord");
        assert_eq!(written("</title><meta>".to_owned()), "&lt;/title&gt;&lt;meta&gt; · Concord");
        assert_eq!(written("a\u{202e}b".to_owned()), "a\u{fffd}b · Concord");
    }
}
