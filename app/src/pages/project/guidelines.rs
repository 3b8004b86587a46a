//! A project's guidelines: what every member reads before marking anything, as they are now or as
//! they were in an older version.

use domain::{
    GuidelinesVersion, GuidelinesView, ProjectId, ProjectView,
    base::policy::{Action as Act, Standpoint, offers},
};

use crate::{
    pages::{components::prelude::*, project::ProjectContext},
    query::address::in_path_if_there,
};

#[component]
pub(crate) fn GuidelinesPage() -> impl IntoView {
    let ProjectContext(context) = expect_context();
    let project = use_project_id();
    let version = in_path_if_there("version");
    let guidelines = load_with(move |services, actor| async move {
        services::project::guidelines::load(&services, &actor, project, version).await
    });
    view! {
        <Title text="Guidelines"/>
        <div class="page">
            <Loaded resource=guidelines view=move |guidelines: GuidelinesView| view! {
                <Loaded resource=context quiet=true view=move |project| view! {
                    <Guidelines project guidelines/>
                }/>
            }/>
        </div>
    }
}

#[component]
fn Guidelines(project: ProjectView, guidelines: GuidelinesView) -> impl IntoView {
    let standpoint = Standpoint::Member { role: project.role, owns: false };
    let edit = offers(Act::ManageProject, standpoint).then(|| {
        let settings = format!("/projects/{}/settings", project.id);
        view! { <a class="button" href=settings>"Edit in settings"</a> }
    });
    let labels = project
        .labels
        .into_iter()
        .map(|label| {
            let class = format!("chip colour-{}", label.colour.index());
            let key = label.hotkey.map(|key| view! { <kbd>{key.to_uppercase().to_string()}</kbd> });
            view! { <li class=class><bdi>{label.name}</bdi> {key}</li> }
        })
        .collect_view();
    let GuidelinesView { version, html, versions } = guidelines;
    let number = version.number;
    let is_old = versions.first().is_some_and(|newest| newest.number > number);
    let old = is_old.then(|| {
        let present = format!("/projects/{}/settings/guidelines", project.id);
        view! {
            <p class="notice warn">
                <span>
                    {format!("Version {number}, as it was. ")}
                    <a href=present>"Show current guidelines"</a>
                </span>
            </p>
        }
    });
    let text = if html.trim().is_empty() {
        view! { <p class="empty">"No guidelines yet."</p> }
    } else {
        view! { <div class="card prose" dir="auto" inner_html=html></div> }
    };
    view! {
        <PageHead heading="Guidelines">
            <span class="badge">"Version " {number}</span>
            {edit}
        </PageHead>
        {old}
        <ul class="plain-list row" aria-label="Labels">{labels}</ul>
        {text}
        <Versions project=project.id versions shown=number/>
    }
}

/// All versions, the newest first, each a link to its text.
#[component]
fn Versions(project: ProjectId, versions: Vec<GuidelinesVersion>, shown: i64) -> impl IntoView {
    let rows = versions
        .into_iter()
        .map(|version| {
            let number = version.number;
            let address = format!("/projects/{project}/settings/guidelines/{number}");
            let by = version.author.map(|author| view! { " by "<bdi>{author}</bdi> });
            let note = (!version.note.is_empty())
                .then(|| view! { <p class="soft" dir="auto">{version.note}</p> });
            view! {
                <li>
                    <p>
                        <a href=address aria-current=(number == shown).then_some("page")>
                            {format!("Version {number}")}
                        </a>
                        <span class="soft number">", "<Moment at=version.created_at/>{by}</span>
                    </p>
                    {note}
                </li>
            }
        })
        .collect_view();
    view! {
        <Section title_id="versions" title="Versions">
            <ol class="plain-list stack" reversed="">{rows}</ol>
        </Section>
    }
}
