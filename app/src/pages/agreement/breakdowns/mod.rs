//! Agreement in its parts: which label is unreliable, which document is hard, who drifts.

mod documents;
mod labels;
mod people;

pub(crate) use documents::DocumentPartsPage;
pub(crate) use labels::LabelPartsPage;
pub(crate) use people::PersonPartsPage;

use std::{fmt::Display, str::FromStr, sync::Arc};

use domain::{Actor, ProjectId, ProjectView, Sorting, Switches};
use services::Services;

use crate::pages::{
    agreement::use_switches,
    components::{
        agreement::{
            headline::{TwoNumbers, load_headlines},
            matrix::controls::{
                question_menu::{QuestionMenu, asking},
                unoffered::{Offered, Unoffered},
            },
        },
        prelude::*,
    },
    project::ProjectContext,
};

/// What a page of parts was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked<O> {
    project: ProjectId,
    switches: Switches,
    sorting: Sorting<O>,
}

/// What a page of parts is called, the last piece of its address, and what it has numbers of.
struct PartPage {
    title: &'static str,
    heading: &'static str,
    part: &'static str,
    offered: Offered,
}

/// The menu of questions of a page of parts.
#[component]
pub(crate) fn Questions<F>(switches: Switches, address: F) -> impl IntoView
where
    F: Fn(Switches) -> String + Clone + Send + Sync + 'static,
{
    let ProjectContext(context) = expect_context();
    view! {
        <Loaded resource=context quiet=true view=move |project: ProjectView| {
            let (of, address) = (project.clone(), address.clone());
            let to_question = move |question| address(asking(switches, question, &of));
            view! { <QuestionMenu question=switches.filter.question project address=to_question/> }
        }/>
    }
}

/// A page of parts: loads what its address asks for, from the services and for whoever asks, and shows
/// it.
fn part_page<O, T, F>(
    PartPage { title, heading, part, offered }: PartPage,
    fetch: impl FnOnce(Arc<Services>, Actor, Asked<O>) -> F + Send + 'static,
    show: fn(T, Asked<O>) -> AnyView,
) -> AnyView
where
    O: FromStr + Display + Default + Copy + PartialEq + Send + Sync + 'static,
    T: Clone + Send + Sync + 'static,
    F: Future<Output = Result<T, services::Error>> + Send + 'static,
{
    let asked = Asked {
        project: use_project_id(),
        switches: use_switches(),
        sorting: query::read_sorting(in_query),
    };
    let Asked { project, switches, sorting } = asked;
    let content = if offered.has(switches) {
        let parts = load(async move {
            let (services, actor) = request()?;
            answer(fetch(services, actor, asked).await)
        });
        view! { <Loaded resource=parts titled=true view=move |parts| show(parts, asked)/> }
    } else {
        let address = move |switches| query::parts_address(project, part, switches, &sorting);
        view! { <Unoffered switches address offered/> }
    };
    let headlines = load(load_headlines(project, switches));
    view! {
        <Title text=title/>
        <div class="page agreement">
            <PageHead heading/>
            <Loaded resource=headlines quiet=true view=move |headlines| view! {
                <TwoNumbers headlines switches address={move |switches| query::matrix_address(project, switches)}/>
            }/>
            {content}
        </div>
    }
}
