//! The filters of the adjudication list: a form whose state is the page's address. It is sent by
//! its button; where the page's script runs, every choice takes effect at once. Narrow screens fold it.

use std::fmt::Display;

use domain::{
    DisagreementFilter, DisagreementKind, DisagreementQuery, Documents, Label, ProjectId, Rater,
};

use super::kind::kind_words;
use crate::pages::components::{
    agreement::matrix::controls::switch_bar::documents_name, form::choice::Choice, prelude::*,
};

/// The form.
#[component]
pub(crate) fn Filters(
    project: ProjectId,
    query: DisagreementQuery,
    labels: Vec<Label>,
    raters: Vec<Rater>,
) -> impl IntoView {
    let filter = query.filter;
    let (text, any) = match filter.question {
        None => ("Label", "every label"),
        Some(_) => ("Choice", "every choice"),
    };
    let labels = labels.into_iter().map(|label| (label.id.to_string(), label.name));
    let people: Vec<_> =
        raters.into_iter().map(|rater| (rater.id.to_string(), rater.name)).collect();
    let kinds = DisagreementKind::ALL.iter().map(|&kind| {
        let (icon, word, _) = kind_words(kind);
        (kind.to_string(), format!("{icon} {word}"))
    });
    let documents = Documents::ALL
        .iter()
        .map(|&documents| (documents.to_string(), documents_name(documents).to_owned()));
    let decided = [(true, "decided"), (false, "not decided")];
    let decided = decided.map(|(decided, text)| (decided.to_string(), text.to_owned()));
    let how_many = match narrowings(&filter) {
        0 => String::new(),
        n => format!(": {n} chosen"),
    };
    view! {
        <details class="filter-fold">
            <summary>"Filters"{how_many}</summary>
            <form
                class="filters"
                method="get"
                action=format!("/projects/{project}/review/disagreements")
                aria-label="Filters"
                data-instant=""
            >
                <Choice name="label" text=text any=any choices=labels.collect()
                    chosen=named(filter.label)/>
                <Choice name="first" text="Rater" any="everybody" choices=people.clone()
                    chosen=named(filter.first)/>
                <Choice name="second" text="against" any="anybody" choices=people
                    chosen=named(filter.second)/>
                <Choice name="kind" text="Kind" any="every kind" choices=kinds.collect()
                    chosen=named(filter.kind)/>
                <Choice name="decided" text="Decision" any="with or without" choices=decided.into()
                    chosen=named(filter.decided)/>
                <Choice name="documents" text="Documents" choices=documents.collect()
                    chosen=named(Some(filter.documents))/>
                <Kept name="order" value=named(Some(query.order))/>
                <Kept name="descending" value=named(query.descending.then_some(true))/>
                <Kept name="question" value=named(filter.question)/>
                <Kept name="document" value=named(filter.document)/>
                <Kept name="round" value=named(filter.round)/>
                <div class="actions">
                    {filter.document.map(|_| view! {
                        <a class="button small" href=query::disagreements_address(project, &query::with_field(&query, "document", ""))>
                            "One document only · show all"
                        </a>
                    })}
                    <a class="button small quiet" href=format!("/projects/{project}/review/disagreements")>"Clear filters"</a>
                    <button class="small send">"Apply"</button>
                </div>
            </form>
        </details>
    }
}

/// How many of the fields ask for something.
fn narrowings(filter: &DisagreementFilter) -> usize {
    // The question has a menu of its own.
    let DisagreementFilter {
        label, first, second, kind, decided, documents, document, round, ..
    } = filter;
    [
        label.is_some(),
        first.is_some(),
        second.is_some(),
        kind.is_some(),
        decided.is_some(),
        *documents != Documents::default(),
        document.is_some(),
        round.is_some(),
    ]
    .into_iter()
    .filter(|is_chosen| *is_chosen)
    .count()
}

/// A part of the query that has no field but is not lost when the form is sent.
#[component]
fn Kept(name: &'static str, value: String) -> impl IntoView {
    (!value.is_empty()).then(|| view! { <input type="hidden" name=name value=value/> })
}

/// A part of the query as the form names it; the empty name asks for nothing.
fn named(part: Option<impl Display>) -> String {
    part.map(|part| part.to_string()).unwrap_or_default()
}
