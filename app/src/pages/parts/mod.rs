//! Agreement in its parts: which label is unreliable, which document is hard, who drifts.

mod documents;
mod labels;
mod people;
mod small;

pub(crate) use documents::DocumentPartsPage;
pub(crate) use labels::LabelPartsPage;
pub(crate) use people::PersonPartsPage;

use domain::{ProjectId, Sorting, Switches};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::query;
use crate::{
    loading::{Loading, load},
    pages::{agreement::use_switches, project::use_project_id},
};

/// What a page of parts was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked<O> {
    project: ProjectId,
    switches: Switches,
    sorting: Sorting<O>,
}

/// Project, switches and order that the page's address names.
fn use_asked<O>() -> Memo<Asked<O>>
where
    O: std::str::FromStr + Default + PartialEq + Copy + Send + Sync + 'static,
{
    let (project, switches, parameters) = (use_project_id(), use_switches(), use_query_map());
    Memo::new(move |_| Asked {
        project: project.get(),
        switches: switches.get(),
        sorting: query::read_sorting(|name| parameters.read().get(name)),
    })
}

/// Loads a part from the services, for whoever asks.
fn load_part<O, T, F>(
    asked: Memo<Asked<O>>,
    fetch: impl Fn(std::sync::Arc<services::Services>, domain::Actor, Asked<O>) -> F
    + Copy
    + Send
    + Sync
    + 'static,
) -> Loading<T>
where
    O: PartialEq + Copy + Send + Sync + 'static,
    T: serde::Serialize + serde::de::DeserializeOwned + Send + Sync + 'static,
    F: Future<Output = Result<T, services::Error>> + Send + 'static,
{
    load(
        move || asked.get(),
        move |asked| {
            let request = crate::context::request();
            async move {
                let (services, actor) = request?;
                let part = fetch(services, actor, asked).await;
                crate::context::answer(part)
            }
        },
    )
}
