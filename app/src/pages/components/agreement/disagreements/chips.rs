//! Labels as chips, each in its colour and with its name.

use std::sync::Arc;

use domain::{Label, LabelId, LabelSet};

use crate::pages::components::prelude::*;

/// A set of labels in the order of the label set.
#[component]
pub(crate) fn LabelChips(set: LabelSet, labels: Arc<[Label]>) -> impl IntoView {
    let known = labels.iter().filter(|label| set.contains(label.id)).map(|label| {
        let class = format!("chip colour-{}", label.colour.index());
        view! { <span class=class dir="auto">{label.name.clone()}</span> }
    });
    let unknown = unknown(&set, &labels)
        .into_iter()
        .map(|id| view! { <span class="chip">{format!("label {id}")}</span> });
    view! { <span class="chips">{known.collect_view()}{unknown.collect_view()}</span> }
}

/// Labels that came into use after the page learnt of the label set.
fn unknown(set: &LabelSet, labels: &[Label]) -> Vec<LabelId> {
    set.iter().filter(|id| labels.iter().all(|label| label.id != *id)).collect()
}

#[cfg(test)]
mod tests {
    use domain::NewLabel;

    use super::*;

    #[test]
    fn a_label_newer_than_the_page_is_not_lost() {
        let NewLabel { name, colour, hotkey } = NewLabel::numbered("PER", 0);
        let labels = [Label { id: LabelId(1), name, colour, hotkey }];
        let set = [LabelId(1), LabelId(8)].into_iter().collect();
        assert_eq!(unknown(&set, &labels), [LabelId(8)]);
    }
}
