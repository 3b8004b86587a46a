//! One label: its group, what it means, what its spans may do with others, and its attributes.

use domain::{Label, LabelDetail, LabelId, Limits, ProjectId, SettingsView};

use super::attributes::Attributes;
use crate::{api::project::labels::DescribeLabel, pages::components::prelude::*};

#[component]
pub(crate) fn LabelPage() -> impl IntoView {
    let project = use_project_id();
    let found = load(load_label(project, in_path("label")));
    view! {
        <Title text="Label"/>
        <div class="page settings">
            <Loaded resource=found view=move |found: Found| {
                let Found { label, detail, labels, groups } = found;
                let attributes = detail.attributes.clone();
                let id = label.id;
                view! {
                    <PageHead
                        heading=view! { "Label "<bdi>{label.name}</bdi> }
                        back=Some((format!("/projects/{project}/settings/labels"), "← Labels"))
                    />
                    <Meaning project detail labels groups/>
                    <Attributes project label=id attributes/>
                }
            }/>
        </div>
    }
}

/// A label among the others.
#[derive(Clone)]
struct Found {
    label: Label,
    detail: LabelDetail,
    labels: Vec<Label>,
    /// The names of all groups that there are.
    groups: Vec<String>,
}

async fn load_label(project: ProjectId, id: LabelId) -> Result<Found, ApiError> {
    let (services, actor) = request()?;
    let settings = answer(services::project::load_settings(&services, &actor, project).await)?;
    let SettingsView { labels, details, .. } = settings;
    let label = labels.iter().find(|label| label.id == id).cloned();
    let detail = details.iter().find(|detail| detail.id == id).cloned();
    let mut groups: Vec<String> = details.into_iter().map(|detail| detail.group).collect();
    groups.retain(|group| !group.is_empty());
    groups.sort();
    groups.dedup();
    let (label, detail) = label.zip(detail).ok_or(ApiError::App(domain::Error::NotFound))?;
    Ok(Found { label, detail, labels, groups })
}

/// The form for everything but the attributes.
#[component]
fn Meaning(
    project: ProjectId,
    detail: LabelDetail,
    labels: Vec<Label>,
    groups: Vec<String>,
) -> impl IntoView {
    let (save, refused) = form_action::<DescribeLabel>();
    let LabelDetail { id, group, description, limits, .. } = detail;
    view! {
        <ActionForm action=save attr:class="card">
            {hidden_fields([("project", &project), ("label", &id)])}
            <GroupField group groups refusal=refused.clone()/>
            <div class="field">
                <label for="label-description">"Description and examples"</label>
                <TextArea
                    id="label-description"
                    class="small"
                    name="description"
                    spellcheck="true"
                    described_by="label-description-hint"
                    text=description
                />
                <p class="hint" id="label-description-hint">
                    "Markdown, a few lines. Shown behind the label's “?”, and to reviewers below the guidelines."
                </p>
            </div>
            <LimitsFields own=id limits labels/>
            <Problem refusal=refused fields=&["group"]/>
            <div class="row"><button class="primary">"Save"</button></div>
        </ActionForm>
    }
}

#[component]
fn GroupField(group: String, groups: Vec<String>, refusal: Refusal) -> impl IntoView {
    let hint = (!groups.is_empty()).then(|| format!("Existing groups: {}.", groups.join(", ")));
    view! {
        <Field
            form="label"
            name="group"
            label="Group"
            hint="Heading above this label. Labels of a group stay together."
            autocomplete="off"
            longest=64
            required=false
            initial=group
            refusal
        />
        {hint.map(|hint| view! { <p class="soft" dir="auto">{hint}</p> })}
    }
}

/// What the label's spans may do with others.
#[component]
fn LimitsFields(own: LabelId, limits: Limits, labels: Vec<Label>) -> impl IntoView {
    let nests = match limits.within.as_deref() {
        None => "anywhere",
        Some([]) => "nowhere",
        Some(_) => "chosen",
    };
    let within = limits.within.unwrap_or_default();
    let boxes = labels
        .into_iter()
        .enumerate()
        .map(|(place, label)| {
            view! {
                <Check name=format!("limits[within][{place}]") value=label.id.to_string() checked=within.contains(&label.id)><span dir="auto">{label.name} {(label.id == own).then_some(" (itself)")}</span></Check>
            }
        })
        .collect_view();
    let may = |allowed: bool| if allowed { "allowed" } else { "forbidden" };
    view! {
        <fieldset class="stack">
            <legend>"Overlaps"</legend>
            <p class="soft">
                "Crossing: each span has text the other has not. Forbidden overlaps block new spans and submitting; existing spans stay."
            </p>
            <Choose
                name="limits[own]"
                label="Crossing spans with this label"
                options=&[("allowed", "allowed"), ("forbidden", "not allowed")]
                chosen=may(limits.crosses_own)
            />
            <Choose
                name="limits[others]"
                label="Crossing spans with other labels, or the same position"
                options=&[("allowed", "allowed"), ("forbidden", "not allowed")]
                chosen=may(limits.crosses_others)
            />
            <Choose
                name="limits[nests]"
                label="Inside a longer span"
                options=&[
                    ("anywhere", "with any label"),
                    ("nowhere", "never"),
                    ("chosen", "with the labels below"),
                ]
                chosen=nests
            />
            <fieldset class="label-choice">
                <legend>"Labels it may be inside"</legend>
                {boxes}
            </fieldset>
        </fieldset>
    }
}

#[component]
fn Choose(
    name: &'static str,
    label: &'static str,
    options: &'static [(&'static str, &'static str)],
    chosen: &'static str,
) -> impl IntoView {
    let option = |&(value, words): &(&str, &str)| (value.into(), words.into(), value == chosen);
    select_field(name.to_owned(), name, label, options.iter().map(option))
}
