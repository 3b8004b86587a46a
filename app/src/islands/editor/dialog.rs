//! Modal dialogs on the `dialog` element: the browser keeps the focus inside, closes on Escape and
//! gives the focus back to where it was.

use leptos::html;

use crate::islands::prelude::*;

/// A modal dialog. Its content exists only while it is open, so that forms start afresh.
#[component]
pub(crate) fn Dialog(
    /// Unique on the page.
    id: &'static str,
    #[prop(into)] title: Signal<String>,
    #[prop(into)] open: Signal<bool>,
    /// Called when the person closes it, with Escape too; has to end `open`.
    on_close: Callback<()>,
    children: ChildrenFn,
) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    let heading = StoredValue::new(format!("{id}-title"));
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match (open.get(), dialog.open()) {
            // It fails only for a dialog that is open already, or not in the page.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let closed = move |_| {
        if open.get_untracked() {
            on_close.run(());
        }
    };
    view! {
        <dialog id=id node_ref=dialog aria-labelledby=heading.get_value() on:close=closed>
            {move || {
                open.get().then(|| {
                    view! {
                        <div class="stack">
                            <h2 id=heading.get_value()>{title}</h2>
                            {children()}
                        </div>
                    }
                })
            }}
        </dialog>
    }
}
