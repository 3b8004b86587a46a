//! The end of the settings: archiving and deleting the project.

use chrono::{DateTime, Utc};
use domain::ProjectId;

use crate::{
    api::project::{ArchiveProject, DeleteProject, RestoreProject},
    pages::components::{
        form::keeping::{Keeping, Ways},
        prelude::*,
    },
};

#[component]
pub(super) fn ProjectKeeping(
    project: ProjectId,
    name: String,
    archived_at: Option<DateTime<Utc>>,
) -> impl IntoView {
    let ways = Ways::of::<ArchiveProject, RestoreProject, DeleteProject>();
    view! { <Keeping project name archived_at ways/> }
}
