//! The field of a task that is its text.

use crate::import::findings::Findings;
use crate::json::value::at::At;
use crate::problem::exchange::ExchangeProblem;

const PARAGRAPHS: &str = "paragraphlabels";

/// The text among these fields: the one that somebody names, the one that regions are on, the one called
/// `text`, or the only one with a string that is none of Label Studio's own.
pub(super) fn only_text<'node>(
    data: &'node At<'node>,
    own: &[&str],
    shown: Option<&str>,
    findings: &mut Findings,
) -> Option<At<'node>> {
    let named = findings.options.text_field.as_deref();
    let is_named = named.is_some();
    let wanted = named.or(shown).unwrap_or("text");
    let strings: Vec<(&str, At<'node>)> = data
        .fields()
        .filter(|(key, value)| !own.contains(key) && value.as_text().is_some())
        .collect();
    if let Some((_, text)) = strings.iter().find(|(key, _)| *key == wanted) {
        return Some(*text);
    }
    if strings.is_empty()
        && let Some(problem) = paragraphs(data)
    {
        return data.wrong(problem, findings);
    }
    let mut strings: Vec<At<'node>> = strings.into_iter().map(|(_, value)| value).collect();
    if strings.len() > 1 && !is_named {
        strings.retain(|value| !value.as_text().is_some_and(is_address));
    }
    match strings.as_slice() {
        [only] if !is_named && only.as_text().is_some_and(is_address) => {
            only.wrong(ExchangeProblem::Media(only.to_string()), findings)
        }
        [only] if !is_named => Some(*only),
        several => {
            let found = several.iter().map(ToString::to_string).collect();
            data.wrong(ExchangeProblem::NoTextField(found), findings)
        }
    }
}

/// Whether this leads to a file, as in tasks over pictures, recordings and pages, or is one.
pub(super) fn is_address(text: &str) -> bool {
    const BEGINNINGS: [&str; 7] =
        ["http://", "https://", "s3://", "gs://", "azure-blob://", "/data/", "data:"];
    let text = text.trim();
    !text.contains(char::is_whitespace) && BEGINNINGS.iter().any(|it| text.starts_with(it))
}

/// The field with the paragraphs of a dialogue, which a task has instead of a text.
pub(super) fn paragraphs(data: &At<'_>) -> Option<ExchangeProblem> {
    let is_dialogue = |field: &At<'_>| field.entry(0).get("text").as_text().is_some();
    let found = data.fields().find(|(_, value)| is_dialogue(value));
    found.map(|_| ExchangeProblem::NotPlainText(PARAGRAPHS.to_owned()))
}
