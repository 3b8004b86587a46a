//! Archiving, restoring and deleting a project, for its managers and for administrators.

use chrono::{DateTime, Utc};
use domain::{Error, ProjectId};
use server_fn::ServerFn;

use crate::pages::components::prelude::*;

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
            view! { "Archived since "<Moment at=since/>": read-only." },
            "Restore project",
            ways.restore,
        ),
        None => {
            ("Archiving makes the project read-only.".into_any(), "Archive project", ways.archive)
        }
    };
    view! {
        <Section title_id="keeping-title" title="Archive or delete" class="card" id="keeping">
            <form method="post" action=way class="act row spread">
                <input type="hidden" name="project" value=id.clone()/>
                <span>{says}</span>
                <button>{verb}</button>
            </form>
            <Problem refusal=refused.clone() fields=&["name"]/>
            <div class="act row spread">
                <span>"Deleting removes everything in it for good."</span>
                <OpenDialog dialog=DELETE.to_owned() class="danger">"Delete project …"</OpenDialog>
            </div>
            <Deletion id name way=ways.delete refused/>
        </Section>
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
            <p>"Only a backup of the whole server can restore it."</p>
            <form method="post" action=way class="stack">
                <input type="hidden" name="project" value=id/>
                <Field form="delete-project" name="name" label="Type the project’s name" autocomplete="off" refusal=refused/>
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
        "archived" => Some("Project archived."),
        "restored" => Some("Project restored."),
        "project-deleted" => Some("Project deleted."),
        _ => None,
    });
    view! { <p role="status" class="done">{said}</p> }
}
