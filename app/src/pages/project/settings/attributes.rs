//! The attributes of a label: a form for each, and one for the next.

use domain::{Attribute, LabelId, ProjectId};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::project::labels::{CreateAttribute, SaveAttribute},
    pages::components::{
        field::{Problem, refusal},
        text_area::TextArea,
    },
    view::view,
};

#[component]
pub(super) fn Attributes(
    project: ProjectId,
    label: LabelId,
    attributes: Vec<Attribute>,
) -> impl IntoView {
    let save = ServerAction::<SaveAttribute>::new();
    let create = ServerAction::<CreateAttribute>::new();
    let empty = attributes.is_empty().then(|| {
        view! { <p class="empty">"There are none. Labelers give this label to spans, and nothing more is asked."</p> }
    });
    let forms = attributes
        .into_iter()
        .map(|attribute| {
            let id = attribute.id;
            view! {
                <li id=format!("attribute-{id}")>
                    <ActionForm action=save attr:class="stack">
                        <input type="hidden" name="project" value=project.to_string()/>
                        <input type="hidden" name="label" value=label.to_string()/>
                        <input type="hidden" name="id" value=id.to_string()/>
                        <Fields form=format!("attribute-{id}") attribute=Some(attribute)/>
                        <div class="row"><button>"Save attribute"</button></div>
                    </ActionForm>
                </li>
            }
        })
        .collect_view();
    view! {
        <section class="card" id="attributes" aria-labelledby="attributes-title">
            <h2 id="attributes-title">"Attributes"</h2>
            <p class="soft">
                "What labelers choose on every span of this label. A choice that you take off its list, and an attribute that you do not ask any more, stay where they were chosen. A choice is known by its name: under another name it is another one."
            </p>
            <Problem refusal=refusal(save.into())/>
            {empty}
            <ul class="plain-list attributes">{forms}</ul>
            <h3>"Add an attribute"</h3>
            <ActionForm action=create attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <input type="hidden" name="label" value=label.to_string()/>
                <Fields form="new-attribute".to_owned() attribute=None/>
                <Problem refusal=refusal(create.into())/>
                <div class="row"><button class="primary">"Add attribute"</button></div>
            </ActionForm>
        </section>
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
            <label class="check">
                <input type="checkbox" name="offered" value="true" checked=offered/>
                "Labelers are asked"
            </label>
        }
    });
    view! {
        <div class="field">
            <label for=name_id.clone()>"Name"</label>
            <input id=name_id name="name" value=name required maxlength="64" dir="auto" autocomplete="off"/>
        </div>
        <div class="field">
            <label for=choices_id.clone()>"Choices, one on each line"</label>
            <TextArea id=choices_id class="small" name="choices" required=true text=choices/>
        </div>
        <label class="check">
            <input type="checkbox" name="required" value="true" checked=required/>
            "Required: without a choice on every span a document cannot be submitted"
        </label>
        {asked}
    }
}
