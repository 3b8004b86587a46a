//! Tables that scroll by themselves where the page is too narrow for them, and the heads of their
//! columns.

use leptos::prelude::*;

use crate::view::view;

pub(crate) use self::Head::{Hidden, Number, Text};

/// The rows of a table, in a region that can be scrolled with keys, too.
#[component]
pub(crate) fn Table(
    /// What it is called for people who do not see it.
    #[prop(optional, into)]
    label: Option<String>,
    /// The id of what it is called by, where that stands on the page.
    #[prop(optional, into)]
    labelled_by: Option<String>,
    #[prop(default = "rows")] class: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <div class="scroll-x" role="region" tabindex="0" aria-label=label aria-labelledby=labelled_by>
            <table class=class>{children()}</table>
        </div>
    }
}

/// The head of a column.
#[derive(Clone, Copy)]
pub(crate) enum Head {
    Text(&'static str),
    Number(&'static str),
    /// For those only who do not see the page.
    Hidden(&'static str),
}

/// The heads of all columns.
pub(crate) fn heads(columns: impl IntoIterator<Item = Head>) -> AnyView {
    let head = |column| match column {
        Text(words) => view! { <th scope="col">{words}</th> },
        Number(words) => view! { <th scope="col" class="number">{words}</th> },
        Hidden(words) => {
            view! { <th scope="col"><span class="visually-hidden">{words}</span></th> }
        }
    };
    view! { <thead><tr>{columns.into_iter().map(head).collect_view()}</tr></thead> }
}
