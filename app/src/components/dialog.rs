//! Modal dialogs on the `dialog` element: the browser keeps the focus inside, closes on Escape and
//! gives the focus back to where it was.

use leptos::{html, prelude::*};

use crate::view::view;

use crate::components::field::{Problem, Refusal};

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

/// Asks whether something that cannot be undone is to be done.
#[component]
pub(crate) fn Confirm(
    /// Unique on the page.
    id: &'static str,
    /// The question.
    #[prop(into)]
    title: Signal<String>,
    #[prop(into)] open: Signal<bool>,
    on_close: Callback<()>,
    /// What the button that does it says.
    verb: &'static str,
    on_confirm: Callback<()>,
    #[prop(into)] pending: Signal<bool>,
    refusal: Refusal,
    /// What will happen.
    children: ChildrenFn,
) -> impl IntoView {
    view! {
        <Dialog id title open on_close>
            <div>{children()}</div>
            <Problem refusal/>
            <div class="row dialog-actions">
                <button type="button" on:click=move |_| on_close.run(())>"Cancel"</button>
                <button
                    type="button"
                    class="danger"
                    disabled=pending
                    on:click=move |_| on_confirm.run(())
                >
                    {verb}
                </button>
            </div>
        </Dialog>
    }
}
