//! A field of several lines, whatever text stands in it.

use leptos::prelude::*;

use crate::{display::escape::escape_text, view::view};

/// A box for text. Leptos writes what stands in a `textarea` as it is, so it is escaped here, and
/// nowhere else is there one *(tested)*.
#[component]
pub(crate) fn TextArea(
    /// Unique on the page.
    #[prop(into)]
    id: String,
    /// What the field is called when it is sent.
    name: &'static str,
    /// What stands in it.
    #[prop(optional, into)]
    text: String,
    #[prop(optional)] class: Option<&'static str>,
    #[prop(optional, into)] rows: Option<String>,
    /// The most characters that may be typed.
    #[prop(optional)]
    longest: Option<usize>,
    #[prop(optional)] required: bool,
    #[prop(optional)] spellcheck: Option<&'static str>,
    #[prop(optional)] autocomplete: Option<&'static str>,
    /// The id of what explains it.
    #[prop(optional)]
    described_by: Option<&'static str>,
) -> impl IntoView {
    let dir = (spellcheck != Some("false")).then_some("auto");
    view! {
        <textarea
            id=id
            class=class
            name=name
            dir=dir
            rows=rows
            maxlength=longest.map(|n| n.to_string())
            required=required
            spellcheck=spellcheck
            autocomplete=autocomplete
            aria-describedby=described_by
        >{written(&text)}</textarea>
    }
}

/// The text as HTML. Of a line end at the very beginning browsers take no notice: one more keeps it.
fn written(text: &str) -> String {
    let mut html = "\n".to_owned();
    escape_text(&mut html, text);
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_box() {
        let text = "</textarea></form><dialog open>&lt;\r\n&amp;";
        assert_eq!(
            written(text),
            "\n&lt;/textarea&gt;&lt;/form&gt;&lt;dialog open&gt;&amp;lt;&#13;\n&amp;amp;"
        );
        assert_eq!(written("\n\na"), "\n\n\na");
        assert_eq!(written(""), "\n");
    }
}
