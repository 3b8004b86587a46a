//! What the label of the active span asks, or the document.

use domain::{Answer, AttributeId, Fact, Span, chosen_on};

use crate::islands::{
    annotator::{editor::Editor, saving::change::Change},
    answering::{Answering, Question, focus_answers},
    prelude::*,
};

impl Editor {
    /// Goes to the first attribute of the active span, or of the document where it has none.
    pub(crate) fn focus_attributes(self) {
        if !focus_answers() {
            self.said.set("No attributes here.".to_owned());
        }
    }

    /// What was answered on a span; reactive.
    fn answered(self, span: Span, attribute: AttributeId) -> Option<Fact> {
        self.history.with(|history| {
            let chosen = chosen_on(history.spans(), span);
            chosen.into_iter().find(|it| it.choice.is_some_and(|it| it.attribute == attribute))
        })
    }

    fn answer(self, span: Span, attribute: AttributeId, answer: Option<Answer>) {
        let added = answer.map(|answer| Fact::chosen(span, attribute, answer));
        let removed = untrack(|| self.answered(span, attribute));
        if added != removed {
            self.carry_out(&Change {
                added: added.into_iter().collect(),
                removed: removed.into_iter().collect(),
            });
        }
    }
}

/// The attributes of a span's label, or what is asked of the document.
#[component]
pub(crate) fn Attributes(editor: Editor, span: Span) -> impl IntoView {
    let asked = editor.detail(span.label).map(|detail| detail.attributes).unwrap_or_default();
    let of = format!("{}-{}-{}", span.range.start, span.range.end, span.label);
    asked
        .into_iter()
        .filter(|it| it.offered || untrack(|| editor.answered(span, it.id)).is_some())
        .map(|attribute| {
            let id = attribute.id;
            let answer = move || Some(editor.answered(span, id)?.choice?.answer);
            let answering = Answering {
                answer: Signal::derive(answer),
                give: Callback::new(move |answer| editor.answer(span, id, answer)),
                is_read_only: editor.is_read_only.into(),
            };
            view! { <Question attribute of=of.clone() answering/> }
        })
        .collect_view()
}
