//! What the label of the active span asks: a list of choices for each attribute.

use domain::{Attribute, AttributeId, Fact, Span, chosen_on};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlSelectElement, KeyboardEvent};

use crate::islands::{
    annotator::{editor::Editor, saving::change::Change},
    editor::text_view::focus_text,
    prelude::*,
};

/// The list of the first attribute: of the active span, or else of the document.
const FIRST: [&str; 2] = [".inspector .attribute select", ".attribute select"];

impl Editor {
    /// Goes to the first attribute of the active span, or of the document where it has none.
    pub(crate) fn focus_attributes(self) {
        let find = |list| document().query_selector(list).ok().flatten();
        let first = FIRST.into_iter().find_map(find);
        match first.and_then(|first| first.dyn_into::<HtmlElement>().ok()) {
            Some(first) => drop(first.focus()),
            None => self.said.set("No attributes here.".to_owned()),
        }
    }

    /// What was chosen on a span; reactive.
    fn chosen(self, span: Span, attribute: AttributeId) -> Option<Fact> {
        self.history.with(|history| {
            let chosen = chosen_on(history.spans(), span);
            chosen.into_iter().find(|it| it.choice.is_some_and(|it| it.attribute == attribute))
        })
    }

    fn choose(self, span: Span, attribute: AttributeId, number: Option<u16>) {
        let added = number.map(|number| Fact::chosen(span, attribute, number));
        let removed = untrack(|| self.chosen(span, attribute));
        self.carry_out(&Change {
            added: added.into_iter().collect(),
            removed: removed.into_iter().collect(),
        });
    }
}

/// The attributes of a span's label.
#[component]
pub(crate) fn Attributes(editor: Editor, span: Span) -> impl IntoView {
    let asked = editor.detail(span.label).map(|detail| detail.attributes).unwrap_or_default();
    asked
        .into_iter()
        .filter(|it| it.offered || untrack(|| editor.chosen(span, it.id)).is_some())
        .map(|attribute| view! { <List editor span attribute/> })
        .collect_view()
}

#[component]
fn List(editor: Editor, span: Span, attribute: Attribute) -> impl IntoView {
    let id = attribute.id;
    let number =
        move || editor.chosen(span, id).and_then(|it| it.choice).map(|choice| choice.number);
    let present = untrack(number);
    let chosen = move || number().map(|number| number.to_string()).unwrap_or_default();
    let options = attribute
        .choices
        .into_iter()
        .filter(|choice| choice.offered || present == Some(choice.number))
        .map(|choice| {
            let n = choice.number;
            view! {
                <option value=n.to_string() selected=present == Some(n)>{choice.name}</option>
            }
        })
        .collect_view();
    // By mouse one is done with a choice; by keyboard every arrow key makes one.
    let changed = move |event: Event| {
        let Some(list) = event.target().and_then(|it| it.dyn_into::<HtmlSelectElement>().ok())
        else {
            return;
        };
        editor.choose(span, id, list.value().parse().ok());
        if !Element::matches(&list, ":focus-visible").unwrap_or(true) {
            focus_text();
        }
    };
    let pressed = move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | "Escape") {
            event.prevent_default();
            focus_text();
        }
    };
    view! {
        <label class="attribute">
            <span dir="auto">
                {attribute.name}
                {(attribute.required && attribute.offered)
                    .then(|| view! { <span class="soft">" (required)"</span> })}
            </span>
            <select
                prop:value=chosen
                disabled=move || editor.is_read_only.get()
                on:change=changed
                on:keydown=pressed
            >
                <option value="">"not chosen"</option>
                {options}
            </select>
        </label>
    }
}
