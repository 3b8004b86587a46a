//! What agreement fails on: the weakest people, the most confused labels, the hardest documents.

use std::sync::Arc;

use domain::{
    Confusion, DisagreementFilter, DisagreementQuery, DocumentOrder, DocumentPart, Documents,
    Funnel, Label, LabelOrder, LabelSet, PersonOrder, PersonPart, PositionOutcome, PositionQuery,
    ProjectId, Role, Sorting, WalkList, Whose,
};
use services::overview::SWITCHES;

use crate::pages::components::{
    agreement::{
        pictures::ShareBar,
        shares::{percent, share},
    },
    prelude::*,
};

#[component]
pub(super) fn Lists(
    project: ProjectId,
    labels: Arc<[Label]>,
    people: Vec<PersonPart>,
    confusions: Vec<Confusion>,
    documents: Vec<DocumentPart>,
    funnel: Funnel,
) -> impl IntoView {
    let people: Vec<_> = people.into_iter().map(|part| person(project, &part, &labels)).collect();
    let confusions: Vec<_> = confusions
        .into_iter()
        .map(|confusion| confused(project, confusion, &labels, funnel.disputed))
        .collect();
    let documents: Vec<_> = documents.into_iter().map(|part| document(project, part)).collect();
    view! {
        <div class="short-lists">
            <ShortList
                title="Weakest people" title_id="weakest-title" rows=people
                all=query::parts_address(project, "people", SWITCHES, &Sorting::<PersonOrder>::default())
            />
            <ShortList
                title="Most confused labels" title_id="confused-title" rows=confusions
                all=query::parts_address(project, "labels", SWITCHES, &Sorting::<LabelOrder>::default())
            />
            <ShortList
                title="Hardest open documents" title_id="hardest-title" rows=documents
                all=query::parts_address(project, "documents", SWITCHES, &Sorting::<DocumentOrder>::default())
            />
        </div>
    }
}

/// Some rows, and the way to all of them.
#[component]
fn ShortList(
    title: &'static str,
    title_id: &'static str,
    rows: Vec<AnyView>,
    all: String,
) -> impl IntoView {
    let content = if rows.is_empty() {
        view! { <p class="soft">"None"</p> }
    } else {
        view! { <ol class="plain-list short-list">{rows}</ol> }
    };
    let name = format!("All: {title}");
    view! {
        <Section title_id title class="card short">
            {content}
            <a class="more" href=all aria-label=name>"All"</a>
        </Section>
    }
}

/// A row: what it is, a bar of disagreement, and a number that leads to what it counts.
fn row(name: AnyView, bar: Option<f64>, number: String, href: String, note: String) -> AnyView {
    let bar = bar.map(|bar| view! { <ShareBar share=Some(bar)/> });
    view! {
        <li>
            <span class="short-name">{name}</span>
            <a class="number" href=href>{number}</a>
            {bar}
            <span class="soft">{note}</span>
        </li>
    }
}

fn person(project: ProjectId, part: &PersonPart, labels: &[Label]) -> AnyView {
    let name = part.rater.name.clone();
    let differing = PositionQuery {
        outcome: PositionOutcome::Differ,
        ..PositionQuery::of(Whose::Pooled(part.rater.id, Role::Labeler), SWITCHES)
    };
    let own = part.labelers;
    let differs = share(own.comparisons - own.agreements, own.comparisons);
    let note = differs.map(|differs| format!("differs on {}", percent(differs)));
    let weak =
        part.weak.first().map(|weak| format!("weakest on {}", naming::label(weak.label, labels)));
    let note: Vec<_> = note.into_iter().chain(weak).collect();
    row(
        view! { <bdi>{name}</bdi> },
        differs,
        format!("α {}", display::coefficient(part.labelers.measured)),
        query::walk_address(project, &WalkList::Positions(differing), None, None),
        note.join("; "),
    )
}

fn confused(project: ProjectId, confusion: Confusion, labels: &[Label], disputed: u64) -> AnyView {
    let of_all = share(confusion.positions, disputed);
    let note = of_all.map(|of_all| format!("{} of all disagreement", percent(of_all)));
    let said = |set: &LabelSet| {
        if set.is_empty() { "not marked".to_owned() } else { naming::category(set, labels) }
    };
    // Labels before nothing.
    let (one, other) = if confusion.one.is_empty() {
        (&confusion.other, &confusion.one)
    } else {
        (&confusion.one, &confusion.other)
    };
    let name = format!("{} ↔ {}", said(one), said(other));
    let href = confusion_address(project, &confusion);
    row(
        view! { <span>{name}</span> },
        of_all,
        display::count(confusion.positions, "position"),
        href,
        note.unwrap_or_default(),
    )
}

/// The walk through the positions of a confusion.
pub(super) fn confusion_address(project: ProjectId, confusion: &Confusion) -> String {
    let positions = PositionQuery {
        said: Some(confusion.one.clone()),
        against: Some(confusion.other.clone()),
        ..PositionQuery::of(Whose::Labelers, SWITCHES)
    };
    query::walk_address(project, &WalkList::Positions(positions), None, None)
}

/// The conflicts that no reviewer has decided, of one document or of all.
fn undecided(document: Option<domain::DocumentId>) -> WalkList {
    let filter = DisagreementFilter {
        documents: Documents::Submitted,
        decided: Some(false),
        document,
        ..DisagreementFilter::default()
    };
    WalkList::Disagreements(DisagreementQuery { filter, ..DisagreementQuery::default() })
}

/// The walk through all conflicts that no reviewer has decided.
pub(super) fn undecided_address(project: ProjectId) -> String {
    query::list_address(project, &undecided(None))
}

fn document(project: ProjectId, part: DocumentPart) -> AnyView {
    let DocumentPart { document, name, percent: agreeing, disputed, decided, .. } = part;
    row(
        view! { <bdi>{name}</bdi> },
        agreeing.value().map(|value| 1.0 - value),
        format!("{} to decide", display::thousands(disputed - decided)),
        query::walk_address(project, &undecided(Some(document)), None, None),
        agreeing
            .value()
            .map(|value| format!("differ on {}", percent(1.0 - value)))
            .unwrap_or_default(),
    )
}
