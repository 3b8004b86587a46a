//! Archiving, restoring and deleting a project, for its managers and for administrators.

use chrono::{DateTime, Utc};
use domain::{Error, ProjectId};
use leptos::prelude::*;
use server_fn::ServerFn;

use crate::{
    ApiError, display,
    pages::components::{
        field::{Field, Problem, Refusal, refusal},
        plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
    },
    view::view,
};

/// Where the forms are sent, and what came of the one that was sent last.
pub(crate) struct Ways {
    archive: &'static str,
    restore: &'static str,
    delete: &'static str,
    refused: Refusal,
}

impl Ways {
    /// By these three server functions.
    pub(crate) fn of<A: Keeps, R: Keeps, D: Keeps>() -> Self {
        Self {
            archive: A::url(),
            restore: R::url(),
            delete: D::url(),
            refused: refused::<A>().or_else(refused::<R>).or_else(refused::<D>),
        }
    }
}

/// A server function that does something with a project as a whole.
pub(crate) trait Keeps:
    ServerFn<Output = (), Error = ApiError> + Clone + Send + Sync + 'static
{
}

impl<F: ServerFn<Output = (), Error = ApiError> + Clone + Send + Sync + 'static> Keeps for F {}

fn refused<F: Keeps>() -> Refusal {
    refusal(ServerAction::<F>::new().into())
}

#[component]
pub(crate) fn Keeping(
    project: ProjectId,
    name: String,
    archived_at: Option<DateTime<Utc>>,
    ways: Ways,
) -> impl IntoView {
    let refused = ways.refused;
    let id = project.to_string();
    let (says, verb, way) = match archived_at {
        Some(since) => (
            format!(
                "Archived since {}: read by its members, changed by nobody.",
                display::time(since)
            ),
            "Restore project",
            ways.restore,
        ),
        None => (
            "Archived, it is read by its members and changed by nobody.".to_owned(),
            "Archive project",
            ways.archive,
        ),
    };
    view! {
        <section class="card" id="keeping" aria-labelledby="keeping-title">
            <h2 id="keeping-title">"Archive or delete"</h2>
            <form method="post" action=way class="act row spread">
                <input type="hidden" name="project" value=id.clone()/>
                <span>{says}</span>
                <button>{verb}</button>
            </form>
            <Problem refusal=refused.clone() fields=&["name"]/>
            <div class="act row spread">
                <span>"Deleted, everything in it is gone for good."</span>
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
