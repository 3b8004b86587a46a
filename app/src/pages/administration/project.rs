//! One project from outside: archive, restore, delete.

use domain::{KeptProject, ProjectId};
use leptos::prelude::*;
use leptos_meta::Title;
use server_fn::ServerFn;

use crate::{
    ApiError,
    api::administration::{ArchiveProject, DeleteProject, RestoreProject},
    context::{answer, request, take_note_at},
    display,
    loading::load,
    pages::{
        address::in_path,
        components::{
            field::refusal,
            keeping::{Keeping, Kept, Ways},
            loaded::Loaded,
        },
    },
    view::view,
};

#[component]
pub(crate) fn KeptProjectPage() -> impl IntoView {
    let project = load(load_project(in_path("project")));
    view! {
        <Title text="Project"/>
        <div class="page narrow settings">
            <p><a href="/admin/projects">"← All projects"</a></p>
            <h1>"Project"</h1>
            <Loaded resource=project titled=true view=|(project, note): (KeptProject, Option<String>)| {
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
                let KeptProject { id, name, created_at, archived_at, members, documents } = project;
                view! {
                    <Kept note/>
                    <section class="card" aria-labelledby="facts-title">
                        <h2 id="facts-title" dir="auto">{name.clone()}</h2>
                        <dl class="kept-facts">
                            <dt>"Made"</dt>
                            <dd>{display::time(created_at)}</dd>
                            <dt>"Members"</dt>
                            <dd>{display::thousands(members)}</dd>
                            <dt>"Documents"</dt>
                            <dd>{display::thousands(documents)}</dd>
                        </dl>
                    </section>
                    <Keeping project=id name archived_at ways refused/>
                }
            }/>
        </div>
    }
}

async fn load_project(id: ProjectId) -> Result<(KeptProject, Option<String>), ApiError> {
    let (services, actor) = request()?;
    let found = services::administration::load_project(&services, &actor, id).await;
    Ok((answer(found)?, take_note_at(&format!("/admin/projects/{id}"))))
}
