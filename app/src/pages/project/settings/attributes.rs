//! The attributes of a label, or the questions about documents: a form for each, and one for the next.

use domain::{AnswerKind, Attribute, LabelId, ProjectId, Scale};

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
    let attribute = attribute.unwrap_or_else(|| Attribute {
        id: domain::AttributeId(0),
        label: LabelId::DOCUMENT,
        name: String::new(),
        required: false,
        offered: true,
        answers: AnswerKind::One,
        choices: Vec::new(),
    });
    let Attribute { name, required, offered, answers, choices, .. } = attribute;
    let choices = choices.into_iter().filter(|choice| choice.offered);
    let choices: Vec<String> = choices.map(|choice| choice.name).collect();
    let name_id = format!("{form}-name");
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
        {answer_fields(&form, is_new, &answers, &choices.join("\n"))}
        <label class="check">
            <input type="checkbox" name="required" value="true" checked=required/>
            "Required before a document can be submitted"
        </label>
        {asked}
    }
}

/// What answers are: of a new attribute to choose from, with the fields of what is chosen.
fn answer_fields(form: &str, is_new: bool, answers: &AnswerKind, choices: &str) -> AnyView {
    let kinds = [
        ("one", "One choice", *answers == AnswerKind::One),
        ("several", "Several choices", *answers == AnswerKind::Several),
        ("number", "Number", matches!(answers, AnswerKind::Number(_))),
    ];
    let scale = match answers {
        AnswerKind::Number(scale) => Some(scale),
        AnswerKind::One | AnswerKind::Several => None,
    };
    let kind = if is_new {
        let kinds = kinds.map(|(value, words, is)| (value.to_owned(), words.to_owned(), is));
        select_field(format!("{form}-answers"), "answers[are]", "Answer", kinds)
    } else {
        let is = kinds.into_iter().filter(|(.., is)| *is);
        let kind = |(value, words, _)| {
            view! {
                <p>"Answer: " {words}</p>
                <input type="hidden" name="answers[are]" value=value/>
            }
        };
        is.map(kind).collect_view().into_any()
    };
    let choices_id = format!("{form}-choices");
    let of_choices = (is_new || scale.is_none()).then(|| {
        view! {
            <div class="field of-choices">
                <label for=choices_id.clone()>"Choices, one per line"</label>
                <TextArea id=choices_id class="small" name="answers[choices]" text=choices.to_owned()/>
            </div>
        }
    });
    let of_numbers = (is_new || scale.is_some()).then(|| number_fields(form, scale));
    view! { <div class="stack answers">{kind}{of_choices}{of_numbers}</div> }.into_any()
}

/// The numbers of a scale. Where there may be answers on it, only its greatest number can move.
fn number_fields(form: &str, scale: Option<&Scale>) -> AnyView {
    let number = |place| scale.and_then(|scale| scale.text(place));
    let means = |end: usize| scale.and_then(|scale| scale.ends.get(end).cloned());
    let stays = scale.is_some();
    let greatest = scale.and_then(|scale| scale.text(scale.steps));
    let fields = [
        ("least", "From", number(0), stays),
        ("greatest", "To", greatest, false),
        ("step", "Step", Some(scale.map_or_else(|| "1".to_owned(), Scale::step)), stays),
        ("least_means", "From means (optional)", means(0), false),
        ("greatest_means", "To means (optional)", means(1), false),
    ];
    let field = |(name, label, value, readonly): (&str, &'static str, Option<String>, bool)| {
        let id = format!("{form}-{name}");
        let name = format!("answers[{name}]");
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <input id=id name=name value=value readonly=readonly dir="auto" autocomplete="off"/>
            </div>
        }
    };
    view! { <div class="fields of-numbers">{fields.map(field).collect_view()}</div> }.into_any()
}
