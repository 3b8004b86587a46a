//! The form for one label: name, colour, hotkey.

use domain::{Colour, NewLabel};
use leptos::prelude::*;

use crate::view::view;

use crate::components::field::{Field, FormValues, Problem, Refusal};

/// The label that the form holds. A colour that the palette does not have cannot be chosen.
fn label_of(values: &FormValues) -> NewLabel {
    let colour = values.text("colour").parse().ok().and_then(Colour::new);
    NewLabel {
        name: values.text("name"),
        colour: colour.unwrap_or_default(),
        hotkey: values.text("hotkey").trim().chars().next(),
    }
}

#[component]
pub(super) fn LabelForm(
    initial: NewLabel,
    refusal: Refusal,
    pending: Signal<bool>,
    on_save: Callback<NewLabel>,
    on_close: Callback<()>,
) -> impl IntoView {
    let NewLabel { name, colour: chosen, hotkey } = initial;
    let swatches = Colour::all()
        .map(|colour| view! { <Swatch colour is_chosen=colour == chosen/> })
        .collect_view();
    view! {
        <form
            class="stack"
            on:submit=move |event| on_save.run(label_of(&FormValues::take(&event)))
        >
            <Field form="label" name="name" label="Name" longest=64 initial=name refusal/>
            <fieldset class="swatches">
                <legend>"Colour"</legend>
                {swatches}
            </fieldset>
            <Field
                form="label"
                name="hotkey"
                label="Hotkey"
                hint="One letter or digit: the key that gives this label."
                autocomplete="off"
                longest=1
                required=false
                initial=hotkey.map(String::from).unwrap_or_default()
                refusal
            />
            <Problem refusal fields=&["name", "hotkey"]/>
            <div class="actions">
                <button type="button" on:click=move |_| on_close.run(())>"Cancel"</button>
                <button class="primary" disabled=pending>"Save label"</button>
            </div>
        </form>
    }
}

/// A colour of the palette with its name.
#[component]
fn Swatch(colour: Colour, is_chosen: bool) -> impl IntoView {
    view! {
        <label class=format!("swatch colour-{}", colour.number())>
            <input type="radio" name="colour" value=colour.number().to_string() checked=is_chosen/>
            <span class="swatch-colour" aria-hidden="true"></span>
            {colour.name()}
        </label>
    }
}
