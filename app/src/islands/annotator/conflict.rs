//! When somebody has saved elsewhere first: what differs, and what becomes of it.

use crate::islands::prelude::*;
use domain::{Attribute, AttributeId, LabelId, count};

use super::{
    editor::Editor,
    saving::merging::{Difference, Subject},
};

/// How much of a position's text is shown.
const SHOWN: u32 = 40;

/// How many positions are shown; what is decided holds for all.
const ROWS: usize = 100;

#[component]
pub(crate) fn Conflict(editor: Editor) -> impl IntoView {
    let dropped = RwSignal::new(Vec::<Subject>::new());
    let found = Memo::new(move |_| editor.sync.read().differences(editor.history.read().spans()));
    let here = move || found.read().iter().filter(|it| it.is_changed_here).count();
    let there = move || found.read().iter().filter(|it| it.is_changed_there).count();
    let words = dynamic(move || {
        format!(
            "Also saved in another tab or on another device: {} there, {} unsaved here. Nothing \
             is lost until you decide.",
            count(there(), "change"),
            count(here(), "change"),
        )
    });
    let taken = move || here().saturating_sub(dropped.read().len());
    let mine = dynamic(move || format!("Apply my {} on top", count(taken(), "change")));
    let more = dynamic(move || {
        let more = found.read().len().saturating_sub(ROWS);
        (more > 0).then(|| format!("and {} more", count(more, "position")))
    });
    let rows = move || found.get().into_iter().take(ROWS).collect::<Vec<_>>();
    view! {
        <div class="notice danger conflict" role="alert">
            <p>{words}</p>
            <div class="scrolls">
                <table class="rows">
                    <caption class="visually-hidden">"Differences"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Text"</th>
                            <th scope="col">"Here"</th>
                            <th scope="col">"Saved elsewhere"</th>
                            <th scope="col">"Apply mine"</th>
                        </tr>
                    </thead>
                    <tbody>
                        {move || rows().into_iter().map(|it| row(editor, it, dropped)).collect_view()}
                    </tbody>
                </table>
                <p class="soft">{more}</p>
            </div>
            <div class="row">
                <button type="button" on:click=move |_| editor.use_theirs()>
                    "Use the saved version"
                </button>
                <button
                    type="button"
                    class="primary"
                    disabled=move || taken() == 0
                    on:click=move |_| editor.use_mine(&dropped.get_untracked())
                >
                    {mine}
                </button>
            </div>
        </div>
    }
}

fn row(editor: Editor, it: Difference, dropped: RwSignal<Vec<Subject>>) -> AnyView {
    let subject = it.subject;
    let named = |labels: &[LabelId]| {
        let names: Vec<_> = labels.iter().map(|label| editor.label_name(*label)).collect();
        if names.is_empty() { "no label".to_owned() } else { names.join(", ") }
    };
    let (quote, here, there) = match subject.question {
        None => (editor.quote(subject.range, SHOWN), named(&it.here), named(&it.there)),
        Some(question) => {
            let said = |choices: &[LabelId]| editor.answer_name(question, choices.first().copied());
            (editor.question_name(question), said(&it.here), said(&it.there))
        }
    };
    let called = format!("Apply mine on \"{quote}\"");
    let turn = move |_| {
        dropped.update(|dropped| match dropped.iter().position(|other| *other == subject) {
            Some(place) => drop(dropped.swap_remove(place)),
            None => dropped.push(subject),
        });
    };
    let choice = it.is_changed_here.then(|| {
        view! {
            <input
                type="checkbox"
                aria-label=called
                prop:checked=move || !dropped.read().contains(&subject)
                on:change=turn
            />
        }
    });
    view! {
        <tr>
            <th scope="row" dir="auto">{quote}</th>
            <td dir="auto">{here}</td>
            <td dir="auto">{there}</td>
            <td>{choice}</td>
        </tr>
    }
}

impl Editor {
    fn question_name(self, question: AttributeId) -> String {
        self.question(question).map(|it| it.name).unwrap_or_default()
    }

    /// The choice that an answer is, by name.
    fn answer_name(self, question: AttributeId, category: Option<LabelId>) -> String {
        let number = category.and_then(|category| u16::try_from(category.0).ok());
        let asked = self.question(question);
        let choice = asked.as_ref().zip(number).and_then(|(asked, number)| asked.choice(number));
        choice.unwrap_or("not chosen").to_owned()
    }

    fn question(self, question: AttributeId) -> Option<Attribute> {
        let mut asked = self.detail(LabelId::DOCUMENT)?.attributes.into_iter();
        asked.find(|attribute| attribute.id == question)
    }
}
