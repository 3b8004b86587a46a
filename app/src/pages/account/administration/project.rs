//! One project from outside: archive, restore, delete.

use domain::{KeptProject, ProjectId};

use crate::{
    api::account::administration::{ArchiveProject, DeleteProject, RestoreProject},
    context::take_note_at,
    pages::components::{
        form::keeping::{Keeping, Kept, Ways},
        prelude::*,
    },
};

#[component]
pub(crate) fn KeptProjectPage() -> impl IntoView {
    let project = load(load_project(in_path("project")));
    view! {
        <Title text="Project"/>
        <div class="page narrow settings">
            <p><a href="/admin/projects">"← All projects"</a></p>
            <Loaded resource=project view=|(project, note): (KeptProject, Option<String>)| {
                let ways = Ways::of::<ArchiveProject, RestoreProject, DeleteProject>();
                let KeptProject { id, name, created_at, archived_at, members, documents } = project;
                view! {
                    <h1><bdi>{name.clone()}</bdi></h1>
                    <Kept note/>
                    <section class="card" aria-label="Project">
                        <dl class="kept-facts">
                            <dt>"Created"</dt>
                            <dd><Moment at=created_at/></dd>
                            <dt>"Members"</dt>
                            <dd>{display::thousands(members)}</dd>
                            <dt>"Documents"</dt>
                            <dd>{display::thousands(documents)}</dd>
                        </dl>
                    </section>
                    <Keeping project=id name archived_at ways/>
                }
            }/>
        </div>
    }
}

async fn load_project(id: ProjectId) -> Result<(KeptProject, Option<String>), ApiError> {
    let (services, actor) = request()?;
    let found = services::account::administration::load_project(&services, &actor, id).await;
    Ok((answer(found)?, take_note_at(&format!("/admin/projects/{id}"))))
}
