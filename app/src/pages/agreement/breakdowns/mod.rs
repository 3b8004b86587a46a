//! Agreement in its parts: which label is unreliable, which document is hard, who drifts.

mod documents;
mod labels;
mod people;
mod small;

pub(crate) use documents::DocumentPartsPage;
pub(crate) use labels::LabelPartsPage;
pub(crate) use people::PersonPartsPage;

use std::{str::FromStr, sync::Arc};

use domain::{Actor, ProjectId, Sorting, Switches};
use services::Services;

use crate::{
    context::{answer, request},
    loading::{Loading, load},
    pages::{agreement::use_switches, base::address::in_query, project::use_project_id},
    query,
};

/// What a page of parts was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked<O> {
    project: ProjectId,
    switches: Switches,
    sorting: Sorting<O>,
}

/// Project, switches and order that the page's address names.
fn use_asked<O: FromStr + Default>() -> Asked<O> {
    Asked {
        project: use_project_id(),
        switches: use_switches(),
        sorting: query::read_sorting(in_query),
    }
}

/// Loads a part from the services, for whoever asks.
fn load_part<O, T, F>(
    asked: Asked<O>,
    fetch: impl FnOnce(Arc<Services>, Actor, Asked<O>) -> F + Send + 'static,
) -> Loading<T>
where
    O: Send + 'static,
    T: Clone + Send + 'static,
    F: Future<Output = Result<T, services::Error>> + Send + 'static,
{
    load(async move {
        let (services, actor) = request()?;
        answer(fetch(services, actor, asked).await)
    })
}
