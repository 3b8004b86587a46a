//! What keeps the front end small. A browser loads code for each type of view and of closure that
//! exists; here they become a few types, whatever they hold.

use leptos::tachys::reactive_graph::SharedReactiveFunction;
use std::sync::{Arc, Mutex};

/// Leptos's `view!`, as the one type that all views share.
macro_rules! view {
    ($($tokens:tt)*) => {
        ::leptos::prelude::IntoAny::into_any(::leptos::prelude::view! { $($tokens)* }.into_inner())
    };
}

pub(crate) use view;

/// A part of a view that changes with the signals it reads, when it has a name. (`view!` sees to
/// the closures that are written inside it.)
pub(crate) fn dynamic<T>(compute: impl FnMut() -> T + Send + 'static) -> SharedReactiveFunction<T> {
    Arc::new(Mutex::new(compute))
}
