//! The disagreement walk: one position of a list at a time, with the decision on it.

mod boundaries;
mod choices;
mod deciding;
mod latest_decision;
mod note;
mod position;
mod rows;
mod same_text;
mod side_matrix;
mod side_panel;

use std::sync::Arc;

use domain::{AgreementSnapshot, ProjectId, ProjectView, WalkList, WalkQuery, WalkView};

use crate::{
    api::agreement::load_agreement,
    context::loading::Loading,
    pages::{components::prelude::*, project::ProjectContext},
};

use self::latest_decision::Acted;
use self::side_panel::Beside;
use choices::Subject;
use deciding::DecideHere;
use position::PositionCard;
pub(crate) use same_text::SameTextPage;
use side_matrix::side_matrix;

/// The step of the walk that the page's address asks for.
#[component]
pub(crate) fn WalkPage() -> impl IntoView {
    let project = use_project_id();
    let query = query::read_walk(in_query);
    let asked = query.clone();
    let walk = load_with(move |services, actor| async move {
        services::review::walk::load(&services, &actor, project, asked).await
    });
    let matrix = load(load_agreement(project, query.list.switches()));
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="One by one"/>
        <div class="page walk" data-walk="">
            <Loaded resource=context view=move |project: ProjectView| view! {
                <Loaded resource=walk view=move |walk| view! {
                    <Walk project walk query matrix/>
                }/>
            }/>
        </div>
    }
}

#[component]
fn Walk(
    project: ProjectView,
    walk: WalkView,
    query: WalkQuery,
    matrix: Loading<AgreementSnapshot>,
) -> impl IntoView {
    let WalkQuery { list, .. } = query;
    let id = project.id;
    let subject = Subject::of(&project, list.question());
    let raters: Arc<[_]> = walk.raters.clone().into();
    let switches = list.switches();
    let (back, back_address) = (back_words(&list), query::list_address(id, &list));
    let place = place_words(&walk);
    let act = walk.act.clone();
    let acted =
        view! { <Acted project=id list=list.clone() act labels=Arc::clone(&subject.categories)/> };
    let steps = view! { <Steps project=id list=list.clone() walk=walk.clone()/> };
    let step = match walk.step {
        None => view! {
            <p class="empty">
                "No positions left in this list."
            </p>
        },
        Some(step) => {
            let (list, step_here) = (list.clone(), step.clone());
            let (raters_here, subject_here) = (raters.clone(), subject.clone());
            let deciding = view! {
                <DecideHere project=id list step=step_here raters=raters_here subject=subject_here/>
            };
            let left_the_list = (walk.place.is_none()).then(|| {
                view! {
                    <p class="notice" role="status">
                        "No longer in the list; it stays here until you continue."
                    </p>
                }
            });
            view! {
                <div class="stack">
                    {left_the_list}
                    <PositionCard step raters subject=subject.clone()/>
                </div>
                {deciding}
            }
        }
    };
    let question = subject.question();
    let agreement = walk.agreement;
    let guidelines = walk.guidelines_html;
    view! {
        <p class="row spread">
            <a href=back_address data-key="Escape">{back}" "<kbd aria-hidden="true">"Esc"</kbd></a>
        </p>
        <PageHead heading="One by one">
            {question.map(|question| view! { <p dir="auto">{question}</p> })}
            <p class="number place">{place}</p>
            {steps}
        </PageHead>
        {acted}
        <div class="walk-columns">
            {step}
            <Beside project=id switches revision=walk.revision agreement guidelines>
                <Loaded resource=matrix quiet=true view=side_matrix/>
            </Beside>
        </div>
    }
}

/// The ways to the positions before and after.
#[component]
fn Steps(project: ProjectId, list: WalkList, walk: WalkView) -> impl IntoView {
    let way = |to: Option<domain::Position>, name: &'static str, keys: &'static str, sign| {
        let key = view! { <kbd aria-hidden="true">{sign}</kbd> };
        match to {
            Some(to) => {
                let address = query::walk_address(project, &list, Some(to), None);
                let rel = if name == "Next" { "next" } else { "prev" };
                view! { <a class="button" rel=rel href=address data-key=keys data-step="">{name}" "{key}</a> }
            }
            None => view! { <span class="button off" aria-disabled="true">{name}" "{key}</span> },
        }
    };
    let previous = way(walk.previous, "Previous", "ArrowLeft k", "←");
    let next = way(walk.next, "Next", "ArrowRight j", "→");
    view! { <nav class="row" aria-label="Positions">{previous}{next}</nav> }
}

/// What the list is called that leads back.
const fn back_words(list: &WalkList) -> &'static str {
    match list {
        WalkList::Disagreements(_) => "← Disagreements",
        WalkList::Positions(_) => "← Positions",
        WalkList::Label(_) => "← Labels",
    }
}

/// "3 of 27 · 12 to decide".
fn place_words(walk: &WalkView) -> String {
    let total = display::thousands(walk.total);
    let place = match walk.place {
        Some(place) => format!("{} of {total}", display::thousands(place)),
        None => display::count(walk.total, "decision"),
    };
    match walk.undecided {
        None => place,
        Some(0) => format!("{place} · none left to decide"),
        Some(n) => format!("{place} · {} to decide", display::thousands(n)),
    }
}

#[cfg(test)]
mod tests {
    use domain::Revision;

    use super::*;

    #[test]
    fn the_place_on_the_walk_is_told_with_what_is_left_to_decide() {
        let walk = |place, undecided| WalkView {
            revision: Revision(1),
            raters: Vec::new(),
            total: 1234,
            undecided,
            place,
            previous: None,
            next: None,
            step: None,
            agreement: Vec::new(),
            act: None,
            guidelines_html: String::new(),
        };
        assert_eq!(place_words(&walk(Some(3), None)), "3 of 1,234");
        assert_eq!(place_words(&walk(Some(3), Some(12))), "3 of 1,234 · 12 to decide");
        assert_eq!(place_words(&walk(None, Some(0))), "1,234 decisions · none left to decide");
    }
}
