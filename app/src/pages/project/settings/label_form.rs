//! The fields of one label, new or present: name, colour, hotkey.

use domain::{Colour, NewLabel};

use crate::pages::components::prelude::*;

/// What stands in the form of a label.
#[component]
pub(super) fn LabelFields(
    /// The dialog that the form stands in.
    dialog: String,
    initial: NewLabel,
    refusal: Refusal,
) -> impl IntoView {
    let NewLabel { name, colour: chosen, hotkey } = initial;
    let swatches = Colour::all()
        .map(|colour| view! { <Swatch colour is_chosen=colour == chosen/> })
        .collect_view();
    view! {
        <Field form=dialog.clone() name="name" label="Name" longest=64 initial=name refusal=refusal.clone()/>
        <fieldset class="swatches">
            <legend>"Colour"</legend>
            {swatches}
        </fieldset>
        <Field
            form=dialog.clone()
            name="hotkey"
            label="Hotkey"
            hint="One letter or digit."
            autocomplete="off"
            longest=1
            required=false
            initial=hotkey.map(String::from).unwrap_or_default()
            refusal=refusal.clone()
        />
        <Problem refusal fields=&["name", "hotkey"]/>
        <div class="actions">
            <CloseDialog dialog/>
            <button class="primary">"Save label"</button>
        </div>
    }
}

/// A colour of the palette with its name.
#[component]
fn Swatch(colour: Colour, is_chosen: bool) -> impl IntoView {
    view! {
        <label class=format!("swatch colour-{}", colour.index())>
            <input type="radio" name="colour" value=colour.index().to_string() checked=is_chosen/>
            <span class="swatch-colour" aria-hidden="true"></span>
            {colour.name()}
        </label>
    }
}
