//! A project's models: add, see, remove, and make the tokens that they come with.

use domain::{Model, ModelId, ProjectId};

use crate::{
    api::project::models::{AddModel, CreateModelToken, RemoveModel},
    context::take_note,
    pages::components::{form::shown_once::ShownOnce, prelude::*},
};

/// How long a model's token may last, in days, with the usual choice first.
const DAYS: [u16; 4] = [30, 7, 90, 365];

/// Raters who are no people.
#[component]
pub(crate) fn ModelsPage() -> impl IntoView {
    let project = use_project_id();
    let secret = take_note(project, "settings/models");
    let models = load_with(move |services, actor| async move {
        services::work::models::load_all(&services, &actor, project).await
    });
    view! {
        <PageBody title="Models" class="page settings">
            <Lead line="Models are compared with people on the agreement page, and count in none of their numbers." about="models">
                <p>"Labelers are not told of models. A model's spans and answers come by import or by the REST interface, with a token of its own."</p>
            </Lead>
            <Loaded resource=models titled=true view=move |models| {
                let secret = secret.clone().map(|secret| view! { <MadeToken project secret/> });
                view! {
                    {secret}
                    <Models project models=models.clone()/>
                    <NewModelForm project/>
                    <NewTokenForm project models/>
                }
            }/>
        </PageBody>
    }
}

#[component]
fn MadeToken(project: ProjectId, secret: String) -> impl IntoView {
    view! {
        <Section title_id="made-title" title="Token" class="card">
            <ShownOnce
                id="made-token"
                label="Token"
                secret
                advice="Store this token where only your program can read it."
                terms="Shown only once. Anyone who has it can read the project's documents and save the model's work."
                on=(format!("/projects/{project}/settings/models"), "Done")
            />
        </Section>
    }
}

#[component]
fn Models(project: ProjectId, models: Vec<Model>) -> impl IntoView {
    if models.is_empty() {
        return view! { <p class="empty">"No models."</p> };
    }
    let remove = ServerAction::<RemoveModel>::new();
    let dialogs = models.iter().map(|model| {
        let (id, title) = (model.id, model.title());
        view! { <Removal project model=id title remove/> }
    });
    let dialogs = dialogs.collect_view();
    let rows = models.into_iter().map(row).collect_view();
    view! {
        <Table label="Models">
            {heads([
                Text("Model"), Text("Version"), Text("Prompt"), Text("Made"), Number("Documents"),
                Hidden("Actions"),
            ])}
            <tbody>{rows}</tbody>
        </Table>
        <Problem refusal=refusal(remove.into())/>
        {dialogs}
    }
}

fn row(model: Model) -> AnyView {
    let label = format!("Remove {}", model.title());
    let Model { id, name, version, prompt_hash, made_on, documents, .. } = model;
    let prompt = match prompt_hash.as_str() {
        "" => "–".into_any(),
        hash => view! { <code class="secret">{hash.to_owned()}</code> },
    };
    let made = made_on.map_or_else(|| "–".to_owned(), |day| day.to_string());
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            <td dir="auto">{version}</td>
            <td>{prompt}</td>
            <td class="time">{made}</td>
            <td class="number">{display::thousands(documents)}</td>
            <td class="tools">
                <OpenDialog dialog=dialog_of(id) class="quiet small" label>"Remove…"</OpenDialog>
            </td>
        </tr>
    }
}

/// The dialog that removes this model.
fn dialog_of(model: ModelId) -> String {
    format!("remove-model-{model}")
}

/// Asks whether a model is to be removed.
#[component]
fn Removal(
    project: ProjectId,
    model: ModelId,
    title: String,
    remove: ServerAction<RemoveModel>,
) -> impl IntoView {
    let dialog = dialog_of(model);
    view! {
        <PlainDialog id=dialog.clone() title="Remove this model?">
            <p>
                <strong dir="auto">{title}</strong>
                " and all its work will be deleted, and its tokens revoked. This cannot be undone."
            </p>
            <ActionForm action=remove attr:class="row dialog-actions">
                {hidden_fields([("project", &project), ("model", &model)])}
                <CloseDialog dialog/>
                <button class="danger">"Remove model"</button>
            </ActionForm>
        </PlainDialog>
    }
}

#[component]
fn NewModelForm(project: ProjectId) -> impl IntoView {
    let (add, refused) = form_action::<AddModel>();
    view! {
        <Section title_id="new-model-title" title="New model" class="card">
            <ActionForm action=add attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <div class="fields">
                    <Field form="model" name="name" label="Name" autocomplete="off" longest=100 refusal=refused.clone()/>
                    <Field form="model" name="version" label="Version" autocomplete="off" longest=100 refusal=refused.clone()/>
                    <Field form="model" name="prompt_hash" label="Hash of the prompt" required=false autocomplete="off" longest=256 hint="Another prompt needs another version." refusal=refused.clone()/>
                    <Field form="model" name="made_on" label="Made on" kind="date" required=false refusal=refused.clone()/>
                </div>
                <Problem refusal=refused fields=&["name", "version", "prompt_hash", "made_on"]/>
                <div class="actions"><button class="primary">"Add model"</button></div>
            </ActionForm>
        </Section>
    }
}

#[component]
fn NewTokenForm(project: ProjectId, models: Vec<Model>) -> impl IntoView {
    if models.is_empty() {
        return ().into_any();
    }
    let (create, refused) = form_action::<CreateModelToken>();
    let choices = models.into_iter().map(|model| (model.id.to_string(), model.title(), false));
    let days = DAYS.map(|days| (days.to_string(), format!("{days} days"), false));
    view! {
        <Section title_id="new-token-title" title="New token" class="card">
            <p>"A program with it reads the project's documents and saves the work of this model. Nothing else."</p>
            <ActionForm action=create attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <div class="fields">
                    {select_field("token-model".to_owned(), "model", "Model", choices)}
                    {select_field("token-days".to_owned(), "days", "Expires after", days)}
                </div>
                <Problem refusal=refused/>
                <div class="actions"><button class="primary">"Create token"</button></div>
            </ActionForm>
        </Section>
    }
    .into_any()
}
