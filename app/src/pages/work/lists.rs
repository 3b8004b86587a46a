//! A labeler's documents: what is to be done, what came back, what was put aside, what is done.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    AssignmentCard, AssignmentId, AssignmentNotes, FlagKind, OwnWork, ProjectId, WorkState,
};

use super::comments::{flag_words, note};
use crate::{api::work::flags::LowerFlag, pages::components::prelude::*, query::OwnList};

/// The documents as they stand in the lists.
#[derive(Clone)]
pub(super) struct Lists {
    to_do: Vec<AssignmentCard>,
    returned: Vec<AssignmentCard>,
    aside: Vec<AssignmentCard>,
    done: Vec<AssignmentCard>,
    overdue: BTreeSet<AssignmentId>,
    notes: BTreeMap<AssignmentId, AssignmentNotes>,
}

impl Lists {
    /// What is due first comes first.
    pub(super) fn of(work: &OwnWork) -> Self {
        let notes: BTreeMap<_, _> = work.notes.iter().cloned().collect();
        let (done, mut to_do): (Vec<_>, Vec<_>) =
            work.assignments.iter().cloned().partition(|card| card.state == WorkState::Submitted);
        to_do.sort_by_key(|card| (card.due_at.is_none(), card.due_at));
        let is_back =
            |card: &&AssignmentCard| notes.get(&card.id).is_some_and(|notes| notes.note.is_some());
        let returned = to_do.iter().filter(is_back).cloned().collect();
        let aside = work.skipped.clone();
        let overdue = work.overdue.iter().copied().collect();
        Self { to_do, returned, aside, done, overdue, notes }
    }

    /// The document to go on with.
    pub(super) fn next(&self) -> Option<&AssignmentCard> {
        self.to_do.first()
    }

    const fn cards(&self, list: OwnList) -> &Vec<AssignmentCard> {
        match list {
            OwnList::ToDo => &self.to_do,
            OwnList::Returned => &self.returned,
            OwnList::Aside => &self.aside,
            OwnList::Done => &self.done,
        }
    }
}

/// What a list is called, and what it says when it is empty.
const fn words(list: OwnList) -> (&'static str, &'static str) {
    match list {
        OwnList::ToDo => ("To do", "Nothing left to do."),
        OwnList::Returned => ("Returned", "Nothing was sent back to you."),
        OwnList::Aside => ("Aside", "No skipped documents."),
        OwnList::Done => ("Done", "Nothing submitted yet."),
    }
}

/// The tabs, and the list of one.
#[component]
pub(super) fn ListsView(project: ProjectId, lists: Lists, shown: OwnList) -> impl IntoView {
    let tabs: Vec<_> = OwnList::ALL
        .into_iter()
        .map(|list| {
            let current = (list == shown).then_some("page");
            let n = lists.cards(list).len();
            view! {
                <li>
                    <a href=list.address(project) aria-current=current data-noscroll="">
                        {words(list).0}" "<span class="badge number">{n}</span>
                    </a>
                </li>
            }
        })
        .collect();
    let (title, empty) = words(shown);
    let content = match lists.cards(shown).as_slice() {
        [] => view! { <p class="empty">{empty}</p> },
        _ if shown == OwnList::Aside => aside(&lists),
        cards => table(&lists, cards),
    };
    view! {
        <section class="stack" aria-labelledby="list-title">
            <h2 id="list-title" class="visually-hidden">{title}</h2>
            <nav aria-label="Documents"><ul class="tabs">{tabs}</ul></nav>
            {content}
        </section>
    }
}

fn table(lists: &Lists, cards: &[AssignmentCard]) -> AnyView {
    let is_due = cards.iter().any(|card| card.due_at.is_some());
    let due_head = is_due.then(|| view! { <th scope="col">"Due"</th> });
    let rows: Vec<_> = cards.iter().map(|card| row(lists, card, is_due)).collect();
    view! {
        <Table labelled_by="list-title">
            <thead>
                <tr>
                    <th scope="col">"Document"</th>
                    {due_head}
                    <th scope="col">"State"</th>
                    <th scope="col" class="number">"Spans"</th>
                    <th scope="col" class="number minor">"Characters"</th>
                    <th scope="col" class="minor">"Last saved"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </Table>
    }
}

fn row(lists: &Lists, card: &AssignmentCard, is_due: bool) -> AnyView {
    let AssignmentCard { id, document_name, characters, spans, state, saved_at, due_at } =
        card.clone();
    let notes = lists.notes.get(&id);
    let due = is_due.then(|| {
        let late = lists.overdue.contains(&id).then(|| {
            view! { " "<span class="badge danger"><span aria-hidden="true">"△"</span>"overdue"</span> }
        });
        view! { <td class="when"><MomentIfAny at=due_at/>{late}</td> }
    });
    let (icon, word, class) = state_words(state);
    let flagged = notes.and_then(|notes| notes.find(FlagKind::Flag)).map(|_| {
        view! { " "<span class="badge warn"><span aria-hidden="true">"⚑"</span>"flagged"</span> }
    });
    let back = notes.and_then(|notes| notes.note.as_ref()).map(note);
    view! {
        <tr>
            <th scope="row"><a dir="auto" href=format!("/assignments/{id}")>{document_name}</a>{flagged}{back}</th>
            {due}
            <td><span class=format!("badge {class}")><span aria-hidden="true">{icon}</span>{word}</span></td>
            <td class="number">{display::thousands(spans)}</td>
            <td class="number minor">{display::thousands(characters.into())}</td>
            <td class="when minor"><MomentIfAny at=saved_at/></td>
        </tr>
    }
}

/// What the labeler has put aside, and the way to take it up again.
fn aside(lists: &Lists) -> AnyView {
    let lower = ServerAction::<LowerFlag>::new();
    let rows: Vec<_> = lists
        .aside
        .iter()
        .map(|AssignmentCard { id, document_name, .. }| {
            let id = *id;
            let flag =
                lists.notes.get(&id).and_then(|notes| notes.find(FlagKind::Skip)).map(flag_words);
            let label = format!("Resume {document_name}");
            view! {
                <tr>
                    <th scope="row"><a dir="auto" href=format!("/assignments/{id}")>{document_name.clone()}</a></th>
                    <td>{flag}</td>
                    <td class="tools">
                        <ActionForm action=lower>
                            {hidden_fields([("assignment", &id), ("kind", &FlagKind::Skip.name())])}
                            <button class="small" aria-label=label>"Resume"</button>
                        </ActionForm>
                    </td>
                </tr>
            }
        })
        .collect();
    view! {
        <Problem refusal=refusal(lower.into())/>
        <Table labelled_by="list-title">
            {heads([Text("Document"), Text("Why"), Hidden("Actions")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

/// The icon, the word and the class of a state.
const fn state_words(state: WorkState) -> (&'static str, &'static str, &'static str) {
    match state {
        WorkState::Open => ("○", "open", ""),
        WorkState::Saved => ("◐", "saved", "accent"),
        WorkState::Submitted => ("●", "submitted", "good"),
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};
    use domain::{OwnAgreement, OwnPace, StateCounts};

    use super::*;

    fn card(id: i64, state: WorkState, due: Option<i64>) -> AssignmentCard {
        AssignmentCard {
            id: AssignmentId(id),
            document_name: id.to_string(),
            characters: 10,
            spans: 0,
            state,
            saved_at: None,
            due_at: due.map(|days| DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(days)),
        }
    }

    #[test]
    fn what_is_due_first_is_next_and_what_is_submitted_is_done() {
        let work = OwnWork {
            project_name: String::new(),
            counts: StateCounts::default(),
            assignments: vec![
                card(1, WorkState::Submitted, Some(1)),
                card(2, WorkState::Open, None),
                card(3, WorkState::Saved, Some(9)),
                card(4, WorkState::Open, Some(2)),
            ],
            skipped: vec![card(5, WorkState::Open, None)],
            notes: Vec::new(),
            comments: 0,
            paused: false,
            pool: None,
            overdue: Vec::new(),
            pace: OwnPace::default(),
            agreement: OwnAgreement::Never,
            labels: Vec::new(),
            consistency: None,
        };
        let lists = Lists::of(&work);
        let ids = |list| lists.cards(list).iter().map(|card| card.id.0).collect::<Vec<_>>();
        assert_eq!(ids(OwnList::ToDo), [4, 3, 2]);
        assert_eq!(lists.next().map(|card| card.id.0), Some(4));
        assert_eq!((ids(OwnList::Done), ids(OwnList::Aside)), (vec![1], vec![5]));
        assert!(ids(OwnList::Returned).is_empty());
    }
}
