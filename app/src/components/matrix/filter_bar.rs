//! What the numbers are narrowed down to: a form whose state is the page's address. On pages that
//! are only read it is sent; where the front end runs, a choice takes effect at once.

use domain::{Filter, ProjectView, Switches};
use leptos::{ev::Event, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;

use crate::view::{dynamic, view};

/// Round and label to choose; a document that was chosen elsewhere can be let go of.
#[component]
pub(crate) fn FilterBar<F>(
    switches: Signal<Switches>,
    /// What there is to choose from.
    project: ProjectView,
    /// The page's address under other switches.
    address: F,
    /// Follows a choice; without it the form is sent.
    #[prop(optional)]
    on_choice: Option<Callback<Switches>>,
) -> impl IntoView
where
    F: Fn(Switches) -> String + Clone + Send + Sync + 'static,
{
    let ProjectView { rounds, labels, .. } = project;
    let filter = move || switches.get().filter;
    let on_change = move |event: Event| {
        let Some(on_choice) = on_choice else { return };
        let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        if let Some(select) = select {
            let switches = switches.get_untracked();
            let filter = with_field(switches.filter, &select.name(), &select.value());
            on_choice.run(Switches { filter, ..switches });
        }
    };
    let has_rounds = rounds.len() > 1;
    let rounds = rounds.into_iter().map(|round| {
        let (id, name) = (round.id, round.name);
        let is_chosen = move || filter().round == Some(id);
        view! { <option value=id.to_string() selected=is_chosen prop:selected=is_chosen>{name}</option> }
    });
    let rounds = has_rounds.then(|| {
        view! {
            <div class="field">
                <label for="filter-round">"Round"</label>
                <select id="filter-round" name="only_round">
                    <option value="">"all rounds"</option>
                    {rounds.collect_view()}
                </select>
            </div>
        }
    });
    let labels = labels.into_iter().map(|label| {
        let (id, name) = (label.id, label.name);
        let is_chosen = move || filter().label == Some(id);
        view! { <option value=id.to_string() selected=is_chosen prop:selected=is_chosen>{name}" against the rest"</option> }
    });
    let action = {
        let address = address.clone();
        move || path_of(&address(switches.get())).to_owned()
    };
    let kept = dynamic(move || {
        let Switches { measure, policy, documents, scale, filter } = switches.get();
        let kept = [
            ("measure", measure.to_string()),
            ("policy", policy.to_string()),
            ("documents", documents.to_string()),
            ("scale", scale.to_string()),
            ("only_document", filter.document.map(|id| id.to_string()).unwrap_or_default()),
        ];
        let kept = kept.into_iter().filter(|(_, value)| !value.is_empty());
        kept.map(|(name, value)| view! { <input type="hidden" name=name value=value/> })
            .collect_view()
    });
    let one_document = dynamic(move || {
        let switches = switches.get();
        switches.filter.document.map(|_| {
            let filter = Filter { document: None, ..switches.filter };
            let all = address(Switches { filter, ..switches });
            view! { <a class="button small" href=all data-noscroll="">"One document only · all documents"</a> }
        })
    });
    let note = dynamic(move || {
        filter().label.map(|_| {
            view! {
                <p class="hint">
                    "One label against everything else: whatever is not this label, nothing included, counts as the same. The positions stay those of all labels."
                </p>
            }
        })
    });
    view! {
        <form class="filters" method="get" action=action aria-label="What the numbers are of" data-instant="" on:change=on_change>
            {rounds}
            <div class="field">
                <label for="filter-label">"Label"</label>
                <select id="filter-label" name="only_label">
                    <option value="">"all labels"</option>
                    {labels.collect_view()}
                </select>
            </div>
            {kept}
            <div class="actions">
                {one_document}
                <button class="small send">"Apply"</button>
            </div>
            {note}
        </form>
    }
}

/// The filter with one field of the form changed; the empty value asks for everything.
fn with_field(filter: Filter, name: &str, value: &str) -> Filter {
    match name {
        "only_label" => Filter { label: value.parse().ok(), ..filter },
        "only_round" => Filter { round: value.parse().ok(), ..filter },
        _ => filter,
    }
}

fn path_of(address: &str) -> &str {
    address.split_once('?').map_or(address, |(path, _)| path)
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, RoundId};

    use super::*;

    #[test]
    fn a_field_changes_its_own_part_and_the_empty_choice_takes_it_back() {
        let label = with_field(Filter::NONE, "only_label", "3");
        assert_eq!(label.label, Some(LabelId(3)));
        let both = with_field(label, "only_round", "2");
        assert_eq!((both.label, both.round), (Some(LabelId(3)), Some(RoundId(2))));
        assert_eq!(with_field(both, "only_label", "").label, None);
        assert_eq!(with_field(both, "other", "9"), both);
    }
}
