//! Archiving, restoring and deleting a project, for its managers and for administrators.

use chrono::{DateTime, Utc};
use domain::{Error, ProjectId};
use leptos::prelude::*;

use crate::{
    ApiError, display,
    pages::components::{
        field::{Field, Problem, Refusal},
        plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
    },
    view::view,
};

/// Where the forms are sent.
#[derive(Clone, Copy)]
pub(crate) struct Ways {
    pub(crate) archive: &'static str,
    pub(crate) restore: &'static str,
    pub(crate) delete: &'static str,
}

#[component]
pub(crate) fn Keeping(
    project: ProjectId,
    name: String,
    archived_at: Option<DateTime<Utc>>,
    ways: Ways,
    refused: Refusal,
) -> impl IntoView {
    let id = project.to_string();
    let (says, verb, way) = match archived_at {
        Some(since) => (
            format!(
                "Archived since {}: members read it, and nobody changes it.",
                display::time(since)
            ),
            "Restore project",
            ways.restore,
        ),
        None => (
            "An archived project leaves the lists. Its members can still read it, and nobody changes it."
                .to_owned(),
            "Archive project",
            ways.archive,
        ),
    };
    view! {
        <section class="card" id="keeping" aria-labelledby="keeping-title">
            <h2 id="keeping-title">"Archive or delete"</h2>
            <p>{says}</p>
            <form method="post" action=way>
                <input type="hidden" name="project" value=id.clone()/>
                <button>{verb}</button>
            </form>
            <p>"Deleting takes away documents, marks, decisions, agreement and everything else of this project, for good."</p>
            <Problem refusal=refused.clone() fields=&["name"]/>
            <div>
                <OpenDialog dialog=DELETE.to_owned() class="danger">"Delete project …"</OpenDialog>
            </div>
            <Deletion id name way=ways.delete refused/>
        </section>
    }
}

/// The dialog that deletes the project.
const DELETE: &str = "delete-project";

/// Asks for the project's name, so that nobody deletes another by mistake.
#[component]
fn Deletion(id: String, name: String, way: &'static str, refused: Refusal) -> impl IntoView {
    let open = matches!(refused, Some(ApiError::App(Error::Invalid { .. })));
    view! {
        <PlainDialog id=DELETE.to_owned() title="Delete this project?" open>
            <p><strong dir="auto">{name}</strong></p>
            <p>"It cannot be brought back, except from a backup of the whole server."</p>
            <form method="post" action=way class="stack">
                <input type="hidden" name="project" value=id/>
                <Field form="delete-project" name="name" label="Type the name of the project" autocomplete="off" refusal=refused/>
                <div class="row dialog-actions">
                    <CloseDialog dialog=DELETE.to_owned()/>
                    <button class="danger">"Delete project"</button>
                </div>
            </form>
        </PlainDialog>
    }
}

/// Says once what has been done with a project.
#[component]
pub(crate) fn Kept(
    /// The note that the act has left.
    note: Option<String>,
) -> impl IntoView {
    let said = note.and_then(|note| match note.as_str() {
        "archived" => Some("The project is archived."),
        "restored" => Some("The project is restored."),
        "project-deleted" => Some("The project is deleted."),
        _ => None,
    });
    view! { <p role="status" class="done">{said}</p> }
}
