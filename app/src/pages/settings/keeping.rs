//! The end of the settings: archiving and deleting the project.

use chrono::{DateTime, Utc};
use domain::ProjectId;
use leptos::prelude::*;
use server_fn::ServerFn;

use crate::{
    api::projects::{ArchiveProject, DeleteProject, RestoreProject},
    pages::components::{
        field::refusal,
        keeping::{Keeping, Ways},
    },
    view::view,
};

#[component]
pub(super) fn ProjectKeeping(
    project: ProjectId,
    name: String,
    archived_at: Option<DateTime<Utc>>,
) -> impl IntoView {
    let archive = ServerAction::<ArchiveProject>::new();
    let restore = ServerAction::<RestoreProject>::new();
    let delete = ServerAction::<DeleteProject>::new();
    let ways = Ways {
        archive: ArchiveProject::url(),
        restore: RestoreProject::url(),
        delete: DeleteProject::url(),
    };
    let refused = refusal(archive.into())
        .or_else(|| refusal(restore.into()))
        .or_else(|| refusal(delete.into()));
    view! { <Keeping project name archived_at ways refused/> }
}
