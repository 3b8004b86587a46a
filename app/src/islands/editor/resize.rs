//! The buttons that move the ends of a span, for those who use no keys.

use web_sys::MouseEvent;

use super::text_view::End;
use crate::islands::prelude::*;

/// Two buttons for each end. The focus stays where it is: mostly in the text.
#[component]
pub(crate) fn ResizeButtons(
    disabled: Signal<bool>,
    /// Which end is moved, and whether forward in the text.
    on_move: Callback<(End, bool)>,
) -> impl IntoView {
    let button = move |name: &'static str, sign: &'static str, end, forward| {
        view! {
            <button
                type="button"
                class="small"
                aria-label=name
                title=name
                disabled=disabled
                on:mousedown=|event: MouseEvent| event.prevent_default()
                on:click=move |_| on_move.run((end, forward))
            >
                {sign}
            </button>
        }
    };
    view! {
        <div class="row ends" role="group" aria-label="Start">
            <span class="soft">"Start"</span>
            {button("Start earlier", "−", End::First, false)}
            {button("Start later", "+", End::First, true)}
        </div>
        <div class="row ends" role="group" aria-label="End">
            <span class="soft">"End"</span>
            {button("End earlier", "−", End::Last, false)}
            {button("End later", "+", End::Last, true)}
        </div>
    }
}
