//! Labels as chips in their colours.

use domain::{Label, LabelSet};

use crate::islands::prelude::*;

/// The labels of a set, one chip each; "nothing" for the empty set.
#[component]
pub(crate) fn LabelChips<'a>(set: &'a LabelSet, labels: &'a [Label]) -> impl IntoView + use<> {
    if set.is_empty() {
        return view! { <span class="soft">"nothing"</span> };
    }
    labels
        .iter()
        .filter(|label| set.contains(label.id))
        .map(|label| {
            let class = format!("chip colour-{}", label.colour.index());
            view! { <span class=class dir="auto">{label.name.clone()}</span> }
        })
        .collect_view()
        .into_any()
}
