//! The table of documents with everybody's progress.

use domain::{CopyProgress, DocumentCard, MemberId, Page, PersonProgress, WorkState};
use leptos::prelude::*;

use crate::{
    components::icon::{Glyph, Icon},
    display,
    view::view,
};

/// A state's mark: told apart by shape, not by colour.
const fn mark(state: WorkState) -> &'static str {
    match state {
        WorkState::Open => "○",
        WorkState::Saved => "◐",
        WorkState::Submitted => "●",
    }
}

#[component]
pub(super) fn DocumentTable(
    page: Page<DocumentCard>,
    /// Everybody whose copies and reviews the page may show.
    people: Vec<PersonProgress>,
    /// Asks to delete a document.
    on_delete: Callback<DocumentCard>,
) -> impl IntoView {
    if page.total == 0 {
        return view! {
            <div class="empty">
                <p>"There are no documents yet."</p>
                <p>"Add files above: every labeler gets a copy of each document to mark."</p>
            </div>
        };
    }
    let people = StoredValue::new(people);
    let pager =
        view! { <Pager total=page.total number=page.number size=page.size pages=page.pages()/> };
    let rows = page
        .rows
        .into_iter()
        .map(|document| view! { <Row document people on_delete/> })
        .collect_view();
    let legend = WorkState::ALL
        .map(|state| view! { <span><span aria-hidden="true">{mark(state)}</span> " " {state.name()}</span> })
        .collect_view();
    view! {
        <section class="stack" aria-label="All documents">
            <p class="row legend soft" aria-hidden="true">{legend}</p>
            <div class="scroll-x" tabindex="0" role="region" aria-label="Table of documents">
                <table class="rows documents">
                    <thead>
                        <tr>
                            <th scope="col">"Document"</th>
                            <th scope="col" class="number">"Characters"</th>
                            <th scope="col">"Copies"</th>
                            <th scope="col">"Reviews"</th>
                            <th scope="col">"Added"</th>
                            <th scope="col"><span class="visually-hidden">"Actions"</span></th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            {pager}
        </section>
    }
}

#[component]
fn Row(
    document: DocumentCard,
    people: StoredValue<Vec<PersonProgress>>,
    on_delete: Callback<DocumentCard>,
) -> impl IntoView {
    let doomed = document.clone();
    let DocumentCard { name, characters, created_at, copies, reviews, .. } = document;
    let verb = format!("Delete {name}");
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            <td class="number">{display::thousands(characters.into())}</td>
            <td><Copies copies people nobody="not assigned"/></td>
            <td><Copies copies=reviews people nobody="none yet"/></td>
            <td class="time">{display::time(created_at)}</td>
            <td class="tools">
                <button
                    type="button"
                    class="quiet small"
                    aria-label=verb.clone()
                    title=verb
                    on:click=move |_| on_delete.run(doomed.clone())
                >
                    <Icon glyph=Glyph::Delete/>
                </button>
            </td>
        </tr>
    }
}

/// Who has come how far: a mark and a name each.
#[component]
fn Copies(
    copies: Vec<CopyProgress>,
    people: StoredValue<Vec<PersonProgress>>,
    /// What is said where there are none.
    nobody: &'static str,
) -> impl IntoView {
    if copies.is_empty() {
        return view! { <span class="soft">{nobody}</span> };
    }
    let items = copies
        .into_iter()
        .map(|CopyProgress { member, state }| {
            let name = people.with_value(|people| name_of(people, member));
            view! {
                <li class=format!("copy {state}")>
                    <span class="copy-mark" aria-hidden="true">{mark(state)}</span>
                    <bdi>{name}</bdi>
                    <span class="visually-hidden">": " {state.name()}</span>
                </li>
            }
        })
        .collect_view();
    view! { <ul class="copies">{items}</ul> }
}

/// The member's name; somebody who has left the project is among the people no more.
fn name_of(people: &[PersonProgress], member: MemberId) -> String {
    people
        .iter()
        .find(|person| person.member == member)
        .map_or_else(|| "former member".to_owned(), |person| person.name.clone())
}

/// "51 to 100 of 1,234", and the ways to the pages before and after.
#[component]
fn Pager(total: u64, number: u64, size: u64, pages: u64) -> impl IntoView {
    let first = number.saturating_mul(size).saturating_add(1);
    let last = number.saturating_add(1).saturating_mul(size).min(total);
    let shown = if first > total {
        format!("page {} of {pages}", number.saturating_add(1))
    } else {
        format!(
            "{} to {} of {}",
            display::thousands(first),
            display::thousands(last),
            display::thousands(total)
        )
    };
    // The address counts pages from 1.
    let previous = (number > 0).then(|| {
        let page = number.min(pages);
        view! { <a class="button" rel="prev" href=format!("?page={page}")><Icon glyph=Glyph::Previous/> "Previous"</a> }
    });
    let next = (number.saturating_add(1) < pages).then(|| {
        let page = number.saturating_add(2);
        view! { <a class="button" rel="next" href=format!("?page={page}")>"Next" <Icon glyph=Glyph::Next/></a> }
    });
    view! {
        <nav class="pager" aria-label="Pages">
            <span class="number">{shown}</span>
            <span class="row">{previous} {next}</span>
        </nav>
    }
}

#[cfg(test)]
mod tests {
    use domain::{Role, StateCounts};

    use super::*;

    #[test]
    fn somebody_who_has_left_is_still_shown() {
        let ada = PersonProgress {
            member: MemberId(1),
            name: "Ada".to_owned(),
            role: Role::Labeler,
            counts: StateCounts::default(),
        };
        assert_eq!(name_of(std::slice::from_ref(&ada), MemberId(1)), "Ada");
        assert_eq!(name_of(&[ada], MemberId(2)), "former member");
    }
}
