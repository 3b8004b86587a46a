//! Moving along a list of options while the keyboard is in the field above it.

use leptos::prelude::*;
use web_sys::KeyboardEvent;

/// Moves along so many options with the arrow keys; whether the key was one of them.
pub(crate) fn moves_along(event: &KeyboardEvent, at: RwSignal<usize>, count: usize) -> bool {
    match event.key().as_str() {
        "ArrowDown" => at.update(|at| *at = (*at + 1).min(count.saturating_sub(1))),
        "ArrowUp" => at.update(|at| *at = at.saturating_sub(1)),
        _ => return false,
    }
    true
}
