//! The attributes of a label, or the questions about documents: a form for each, and one for the next.

use domain::{Attribute, LabelId, ProjectId};

use crate::{
    api::project::labels::{CreateAttribute, SaveAttribute},
    pages::components::prelude::*,
};

#[component]
pub(super) fn Attributes(
    project: ProjectId,
    label: LabelId,
    attributes: Vec<Attribute>,
) -> impl IntoView {
    let save = ServerAction::<SaveAttribute>::new();
    let create = ServerAction::<CreateAttribute>::new();
    let Words { title, about, none, new, add, save: save_words } = words(label);
    let empty = attributes.is_empty().then(|| view! { <p class="empty">{none}</p> });
    let forms = attributes
        .into_iter()
        .map(|attribute| {
            let id = attribute.id;
            view! {
                <li id=format!("attribute-{id}")>
                    <ActionForm action=save attr:class="stack">
                        {hidden_fields([("project", &project), ("label", &label), ("id", &id)])}
                        <Fields form=format!("attribute-{id}") attribute=Some(attribute)/>
                        <div class="row"><button>{save_words}</button></div>
                    </ActionForm>
                </li>
            }
        })
        .collect_view();
    view! {
        <Section title_id="attributes-title" title class="card" id="attributes">
            <p class="soft">
                {about}" Removed choices stay where they were chosen. Renaming creates a new choice."
            </p>
            <Problem refusal=refusal(save.into())/>
            {empty}
            <ul class="plain-list attributes">{forms}</ul>
            <h3>{new}</h3>
            <ActionForm action=create attr:class="stack">
                {hidden_fields([("project", &project), ("label", &label)])}
                <Fields form="new-attribute".to_owned() attribute=None/>
                <Problem refusal=refusal(create.into())/>
                <div class="row"><button class="primary">{add}</button></div>
            </ActionForm>
        </Section>
    }
}

/// What a list of attributes says.
struct Words {
    title: &'static str,
    about: &'static str,
    none: &'static str,
    new: &'static str,
    add: &'static str,
    save: &'static str,
}

const fn words(label: LabelId) -> Words {
    match label {
        LabelId::DOCUMENT => Words {
            title: "Document questions",
            about: "Labelers answer these once per document.",
            none: "No questions.",
            new: "New question",
            add: "Add question",
            save: "Save question",
        },
        _ => Words {
            title: "Attributes",
            about: "Labelers choose these for every span of this label.",
            none: "No attributes.",
            new: "New attribute",
            add: "Add attribute",
            save: "Save attribute",
        },
    }
}

/// The fields of an attribute, present or new.
#[component]
fn Fields(form: String, attribute: Option<Attribute>) -> impl IntoView {
    let is_new = attribute.is_none();
    let (name, required, offered, choices) = attribute.map_or_else(Default::default, |it| {
        let choices = it.choices.into_iter().filter(|choice| choice.offered);
        let lines: Vec<String> = choices.map(|choice| choice.name).collect();
        (it.name, it.required, it.offered, lines.join("\n"))
    });
    let (name_id, choices_id) = (format!("{form}-name"), format!("{form}-choices"));
    let asked = (!is_new).then(|| {
        view! {
            <Check name="offered" value="true" checked=offered>"Ask labelers"</Check>
        }
    });
    view! {
        <div class="field">
            <label for=name_id.clone()>"Name"</label>
            <input id=name_id name="name" value=name required maxlength="64" dir="auto" autocomplete="off"/>
        </div>
        <div class="field">
            <label for=choices_id.clone()>"Choices, one per line"</label>
            <TextArea id=choices_id class="small" name="choices" required=true text=choices/>
        </div>
        <label class="check">
            <input type="checkbox" name="required" value="true" checked=required/>
            "Required before a document can be submitted"
        </label>
        {asked}
    }
}
