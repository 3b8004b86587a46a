//! How files are read: the choices of it, folded away until something is chosen.

use std::iter;

use services::document::{Answer, Discontinuous, FileOptions, ImportFormat, SecondAnnotation};

use crate::pages::components::prelude::*;

/// The choices, as [`FileOptions::set`] takes them.
#[component]
pub(super) fn ReadingChoices(chosen: FileOptions) -> impl IntoView {
    let is_chosen = chosen != FileOptions::default();
    let FileOptions { read, strict, leave_out_wrong } = chosen;
    let named = ImportFormat::ALL
        .map(|it| (it.code().to_owned(), it.name().to_owned(), read.format == Some(it)));
    let formats =
        iter::once((String::new(), "Detect".to_owned(), read.format.is_none())).chain(named);
    let seconds = SecondAnnotation::ALL
        .map(|it| (it.name().to_owned(), second_words(it).to_owned(), read.second == it));
    let states = Answer::ALL.map(|answer| {
        let counts = read.counts(answer);
        view! {
            // What an empty box says: a form does not send it.
            <input type="hidden" name="count_state" value=format!("{answer}=no")/>
            <Check name="count_state" value=format!("{answer}=yes") checked=counts>{answer_words(answer)}</Check>
        }
    });
    view! {
        <details class="guide reading-choices" open=is_chosen>
            <summary>"Options"</summary>
            <div class="stack tight">
                <div class="row">
                    {select_field("reading-format".to_owned(), "format", "Format", formats)}
                    <div class="field">
                        <label for="reading-layer">"Layers, columns or keys"</label>
                        <input type="text" id="reading-layer" name="layer" value=read.layers.join(", ")
                            maxlength="1000" placeholder="Default" spellcheck="false" autocapitalize="none"/>
                    </div>
                    <div class="field">
                        <label for="reading-feature">"Label features"</label>
                        <input type="text" id="reading-feature" name="feature" value=read.features.join(", ")
                            maxlength="1000" placeholder="Default" spellcheck="false" autocapitalize="none"/>
                    </div>
                    <div class="field">
                        <label for="reading-text">"Text field (Label Studio)"</label>
                        <input type="text" id="reading-text" name="text_field" value=read.text_field.clone()
                            maxlength="200" placeholder="Default" spellcheck="false" autocapitalize="none"/>
                    </div>
                    {select_field("reading-second".to_owned(), "second_annotation", "Annotated twice by one person", seconds)}
                </div>
                <fieldset class="row">
                    <legend>"Counts as finished work"</legend>
                    {states.collect_view()}
                </fieldset>
                <Check name="join_parts" value="true" checked={read.discontinuous == Discontinuous::Join}>"Join spans with gaps"</Check>
                <Check name="leave_out_wrong" value="true" checked=leave_out_wrong>"Leave out documents with errors"</Check>
                <Check name="strict" value="true" checked=strict>"Refuse files that need repairs"</Check>
            </div>
        </details>
    }
}

const fn second_words(second: SecondAnnotation) -> &'static str {
    match second {
        SecondAnnotation::Last => "Last one counts",
        SecondAnnotation::First => "First one counts",
        SecondAnnotation::Each => "Each counts as a person",
    }
}

const fn answer_words(answer: Answer) -> &'static str {
    match answer {
        Answer::Rejected => "Rejected",
        Answer::Skipped => "Skipped",
        Answer::Prediction => "Predictions",
        Answer::Unapproved => "Unapproved",
        Answer::InProgress => "In progress",
    }
}

#[cfg(test)]
mod tests {
    use services::document::ReadOptions;

    use super::*;

    #[test]
    fn what_is_chosen_is_shown_and_unfolds() {
        let html = |chosen| Owner::new().with(|| view! { <ReadingChoices chosen/> }.to_html());
        let usual = html(FileOptions::default());
        assert!(!usual.contains("<details open"), "{usual}");
        assert!(usual.contains("value=\"unapproved=yes\" checked"), "{usual}");
        let answers = vec![(Answer::Unapproved, false)];
        let read =
            ReadOptions { answers, layers: vec!["POS".to_owned()], ..ReadOptions::default() };
        let chosen = html(FileOptions { read, ..FileOptions::default() });
        assert!(chosen.contains("<details open"), "{chosen}");
        assert!(!chosen.contains("value=\"unapproved=yes\" checked"), "{chosen}");
        assert!(chosen.contains("value=\"POS\""), "{chosen}");
    }
}
