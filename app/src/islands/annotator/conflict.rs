//! When somebody has saved elsewhere first: what differs, and what becomes of it.

use crate::islands::prelude::*;
use domain::{Attribute, AttributeId, Fact, LabelId, count};

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
    let (quote, nothing) = match subject.question {
        None => (editor.quote(subject.range, SHOWN), "no label"),
        Some(question) => (editor.question_name(question), "not chosen"),
    };
    let said = |facts: &[Fact]| {
        let words: Vec<_> = facts.iter().map(|fact| editor.fact_name(fact)).collect();
        if words.is_empty() { nothing.to_owned() } else { words.join(", ") }
    };
    let (here, there) = (said(&it.here), said(&it.there));
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
        self.attribute(LabelId::DOCUMENT, question).map(|it| it.name).unwrap_or_default()
    }

    /// A label by name, or an answer in words: of a span with what it answers.
    fn fact_name(self, fact: &Fact) -> String {
        let label = fact.span.label;
        let Some(chosen) = fact.choice else { return self.label_name(label) };
        let asked = self.attribute(label, chosen.attribute);
        let words = asked.as_ref().and_then(|asked| asked.words(chosen.answer));
        let words = words.unwrap_or_default();
        match asked {
            Some(asked) if label != LabelId::DOCUMENT => format!("{}: {words}", asked.name),
            _ => words,
        }
    }

    fn attribute(self, label: LabelId, attribute: AttributeId) -> Option<Attribute> {
        self.detail(label)?.attributes.into_iter().find(|it| it.id == attribute)
    }
}
