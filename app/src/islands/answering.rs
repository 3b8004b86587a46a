//! What is asked, with the control that answers it: a list of choices, a box for each of several, or numbers.

use domain::{Answer, AnswerKind, Attribute, AttributeChoice, Scale};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlElement, HtmlInputElement, HtmlSelectElement, KeyboardEvent};

use crate::islands::{editor::text_view::focus_text, prelude::*};

/// Scales of at most so many steps have a button for each number.
const FEW_STEPS: u16 = 10;

/// The answer to a question, and what gives another.
#[derive(Clone, Copy)]
pub(crate) struct Answering {
    pub answer: Signal<Option<Answer>>,
    pub give: Callback<Option<Answer>>,
    pub is_read_only: Signal<bool>,
}

/// The control of the first question: of what is active, or else of the document.
const FIRST: [&str; 2] = [
    ":is(.inspector, .current-position) .attribute :is(select, input)",
    ".attribute :is(select, input)",
];

/// Goes to the first question of what is active, or else of the document; false if there is none.
pub(crate) fn focus_answers() -> bool {
    let find = |control| document().query_selector(control).ok().flatten();
    let first = FIRST.into_iter().find_map(find);
    let first = first.and_then(|first| first.dyn_into::<HtmlElement>().ok());
    first.is_some_and(|first| first.focus().is_ok())
}

/// An attribute with its control. `of` names what it is asked of, apart from all else on the page.
#[component]
pub(crate) fn Question(attribute: Attribute, of: String, answering: Answering) -> impl IntoView {
    let id = format!("answer-{}-{of}", attribute.id);
    let Attribute { name, required, offered, answers, choices, .. } = attribute;
    let is_group = match &answers {
        AnswerKind::One => false,
        AnswerKind::Several => true,
        AnswerKind::Number(scale) => scale.steps <= FEW_STEPS,
    };
    let control = match answers {
        AnswerKind::One => list(choices, answering),
        AnswerKind::Several => {
            let boxes = choices.into_iter().map(|choice| one_of_several(choice, answering));
            boxes.collect_view().into_any()
        }
        AnswerKind::Number(scale) if is_group => points(&scale, &id, answering),
        AnswerKind::Number(scale) => number_field(scale, answering),
    };
    let asked = view! {
        <span id=id.clone() dir="auto">
            {name}
            {(required && offered).then(|| view! { <span class="soft">" (required)"</span> })}
        </span>
    };
    if is_group {
        view! {
            <div class="attribute group" role="group" aria-labelledby=id on:keydown=go_back>
                {asked}
                <div class="row">{control}</div>
            </div>
        }
        .into_any()
    } else {
        view! { <label class="attribute" on:keydown=go_back>{asked}{control}</label> }.into_any()
    }
}

/// Enter and Escape lead back to the text; what was typed is an answer then.
fn go_back(event: KeyboardEvent) {
    if matches!(event.key().as_str(), "Enter" | "Escape") {
        event.prevent_default();
        focus_text();
    }
}

/// By mouse one is done with a choice; by keyboard every arrow key makes one.
fn go_back_by_mouse(control: &Element) {
    if !control.matches(":focus-visible").unwrap_or(true) {
        focus_text();
    }
}

fn target<T: JsCast>(event: &Event) -> Option<T> {
    event.target()?.dyn_into().ok()
}

/// A list of choices.
fn list(choices: Vec<AttributeChoice>, answering: Answering) -> AnyView {
    let Answering { answer, give, is_read_only } = answering;
    let single = move || answer.get().and_then(Answer::single);
    let present = untrack(single);
    let chosen = move || single().map(|number| number.to_string()).unwrap_or_default();
    let options = choices.into_iter().map(|AttributeChoice { number: n, name, offered }| {
        view! {
            <option
                value=n.to_string()
                selected=present == Some(n)
                hidden=move || !offered && single() != Some(n)
            >
                {name}
                {(!offered).then_some(NO_LONGER_OFFERED)}
            </option>
        }
    });
    let changed = move |event: Event| {
        if let Some(list) = target::<HtmlSelectElement>(&event) {
            give.run(list.value().parse().ok().map(u16::into));
            go_back_by_mouse(&list);
        }
    };
    view! {
        <select prop:value=chosen disabled=move || is_read_only.get() on:change=changed>
            <option value="">"not chosen"</option>
            {options.collect_view()}
        </select>
    }
    .into_any()
}

/// A box for one of several choices.
fn one_of_several(choice: AttributeChoice, answering: Answering) -> AnyView {
    let Answering { answer, give, is_read_only } = answering;
    let number = choice.number;
    let numbers = move || answer.get().into_iter().flat_map(Answer::numbers);
    let is_chosen = move || numbers().any(|it| it == number);
    let changed = move |event: Event| {
        let is_chosen = target::<HtmlInputElement>(&event).is_some_and(|it| it.checked());
        let others = untrack(numbers).filter(|it| *it != number);
        give.run(Answer::several(others.chain(is_chosen.then_some(number))));
    };
    view! {
        <label class="check" hidden=move || !choice.offered && !is_chosen()>
            <input
                type="checkbox"
                prop:checked=is_chosen
                disabled=move || is_read_only.get()
                on:change=changed
            />
            <span dir="auto">{choice.name}{(!choice.offered).then_some(NO_LONGER_OFFERED)}</span>
        </label>
    }
    .into_any()
}

/// A button for each number of a short scale, the ends with what they mean; the last takes the answer back.
fn points(scale: &Scale, id: &str, answering: Answering) -> AnyView {
    let Answering { answer, give, is_read_only } = answering;
    let [least, greatest] = &scale.ends;
    let point = |place: Option<u16>| {
        let words = match place.map(|place| (place, scale.text(place).unwrap_or_default())) {
            None => "none".to_owned(),
            Some((0, number)) => meaning(&number, least),
            Some((place, number)) if place == scale.steps => meaning(&number, greatest),
            Some((_, number)) => number,
        };
        let given = place.map(Answer::from);
        let changed = move |event: Event| {
            give.run(given);
            if let Some(point) = target::<Element>(&event) {
                go_back_by_mouse(&point);
            }
        };
        view! {
            <label class="check">
                <input
                    type="radio"
                    name=id.to_owned()
                    prop:checked=move || answer.get() == given
                    disabled=move || is_read_only.get()
                    on:change=changed
                />
                <span dir="auto">{words}</span>
            </label>
        }
    };
    view! {
        {(0..=scale.steps).map(|place| point(Some(place))).collect_view()}
        {point(None)}
    }
    .into_any()
}

/// What is said of a choice that was withdrawn, where it stands.
const NO_LONGER_OFFERED: &str = " (no longer offered)";

/// A number with what it means, if that is said.
fn meaning(number: &str, means: &str) -> String {
    format!("{number} {means}").trim_end().to_owned()
}

/// A number of a long scale.
fn number_field(scale: Scale, answering: Answering) -> AnyView {
    let Answering { answer, give, is_read_only } = answering;
    let [least, greatest] = [0, scale.steps].map(|place| scale.text(place).unwrap_or_default());
    let step = scale.step();
    let ends =
        format!("{} – {}", meaning(&least, &scale.ends[0]), meaning(&greatest, &scale.ends[1]));
    let scale = StoredValue::new(scale);
    let shown = move || {
        let place = answer.get().and_then(Answer::single);
        place.and_then(|place| scale.with_value(|scale| scale.text(place))).unwrap_or_default()
    };
    // What is no answer is not kept in sight: somebody might hand it in.
    let refused = RwSignal::new(String::new());
    let changed = move |event: Event| {
        let Some(field) = target::<HtmlInputElement>(&event) else { return };
        let place = scale.with_value(|scale| scale.place(&field.value()));
        if place.is_some() || field.check_validity() {
            refused.set(String::new());
            give.run(place.map(Answer::from));
        } else {
            refused.set(format!("Not saved: {} is not on the scale.", field.value()));
            field.set_value(&untrack(shown));
        }
    };
    let pressed = move |event: KeyboardEvent| {
        if event.key() == "Escape"
            && let Some(field) = target::<HtmlInputElement>(event.as_ref())
        {
            field.set_value(&untrack(shown));
        }
    };
    view! {
        <span class="soft" dir="auto">{ends}</span>
        <input
            type="number"
            min=least
            max=greatest
            step=step
            prop:value=shown
            disabled=move || is_read_only.get()
            on:change=changed
            on:keydown=pressed
        />
        <span class="error" role="alert">{move || refused.get()}</span>
    }
    .into_any()
}
