//! The editor of a project's label set.

use domain::{Colour, Label, LabelDetail, LabelId, Limits, NewLabel, ProjectId, count};

use super::label_form::LabelFields;
use crate::{
    api::project::{CreateLabel, DeleteLabel, SaveLabel},
    islands::icon::{Glyph, Icon},
    pages::components::prelude::*,
};

/// The dialog that adds a label.
const NEW: &str = "new-label";

/// The dialog that changes this label.
fn change_of(label: LabelId) -> String {
    format!("change-label-{label}")
}

/// The dialog that deletes this label.
fn deletion_of(label: LabelId) -> String {
    format!("delete-label-{label}")
}

/// What the form for one more label begins with: the next colour, and the next number if no label
/// has it.
fn next_label(labels: &[Label]) -> NewLabel {
    let mut label = NewLabel::numbered("", labels.len());
    if labels.iter().any(|other| other.hotkey == label.hotkey) {
        label.hotkey = None;
    }
    label
}

#[component]
pub(super) fn Labels(
    project: ProjectId,
    /// Those of a group together.
    labels: Vec<Label>,
    details: Vec<LabelDetail>,
) -> impl IntoView {
    let create = ServerAction::<CreateLabel>::new();
    let save = ServerAction::<SaveLabel>::new();
    let delete = ServerAction::<DeleteLabel>::new();
    let dialogs = labels
        .iter()
        .map(|label| {
            view! {
                <Change project label=label.clone() save/>
                <Deletion project label=label.clone() delete/>
            }
        })
        .collect_view();
    let initial = next_label(&labels);
    view! {
        <section class="card" id="labels" aria-labelledby="labels-title">
            <div class="row spread">
                <h2 id="labels-title">"Labels"</h2>
                <OpenDialog dialog=NEW.to_owned()>
                    <Icon glyph=Glyph::Add/>
                    "Add label"
                </OpenDialog>
            </div>
            <Problem refusal=refusal(delete.into())/>
            <LabelTable project labels details/>
            <NewLabelDialog project initial create/>
            {dialogs}
        </section>
    }
}

#[component]
fn LabelTable(project: ProjectId, labels: Vec<Label>, details: Vec<LabelDetail>) -> impl IntoView {
    if labels.is_empty() {
        return view! {
            <p class="empty">"No labels yet. Add one to start labelling."</p>
        };
    }
    let mut present = String::new();
    let rows = labels
        .into_iter()
        .map(|label| {
            let detail = details.iter().find(|detail| detail.id == label.id).cloned();
            let detail = detail.unwrap_or_default();
            let heading = (detail.group != present).then(|| {
                present.clone_from(&detail.group);
                let group = match detail.group.as_str() {
                    "" => "No group".to_owned(),
                    group => group.to_owned(),
                };
                view! { <tr><th colspan="6" scope="colgroup" class="group" dir="auto">{group}</th></tr> }
            });
            view! {
                {heading}
                <Row project label detail/>
            }
        })
        .collect_view();
    view! {
        <Table labelled_by="labels-title">
            {heads([
                Text("Label"), Text("Colour"), Text("Hotkey"), Text("Overlaps"),
                Text("Description and attributes"), Hidden("Actions"),
            ])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

#[component]
fn Row(project: ProjectId, label: Label, detail: LabelDetail) -> impl IntoView {
    let Label { id, name, colour, hotkey } = label;
    let more = query::address::label_address(project, id);
    let asked = detail.attributes.iter().filter(|attribute| attribute.offered).count();
    let meaning = match (detail.description.is_empty(), asked) {
        (true, 0) => "Describe".to_owned(),
        (false, 0) => "Described".to_owned(),
        (true, n) => count(n, "attribute"),
        (false, n) => format!("Described, {}", count(n, "attribute")),
    };
    let (change, delete) = (format!("Change {name}"), format!("Delete {name}"));
    view! {
        <tr>
            <th scope="row"><span class=chip(colour)><bdi>{name.clone()}</bdi></span></th>
            <td>{colour.name()}</td>
            <td>
                {match hotkey {
                    Some(key) => view! { <kbd>{key.to_uppercase().to_string()}</kbd> },
                    None => view! { <span class="soft">"none"</span> },
                }}
            </td>
            <td>{overlaps(&detail.limits)}</td>
            <td>
                <a href=more>
                    {meaning} <span class="visually-hidden">": " <bdi>{name.clone()}</bdi></span>
                </a>
            </td>
            <td class="tools">
                <OpenDialog dialog=change_of(id) class="quiet small" label=change>
                    <Icon glyph=Glyph::Edit/>
                </OpenDialog>
                <OpenDialog dialog=deletion_of(id) class="quiet small" label=delete>
                    <Icon glyph=Glyph::Delete/>
                </OpenDialog>
            </td>
        </tr>
    }
}

/// What the label's spans may not do, in words.
fn overlaps(limits: &Limits) -> String {
    let crossing = match (limits.crosses_own, limits.crosses_others) {
        (true, true) => None,
        (false, true) => Some("no crossing with own label"),
        (true, false) => Some("no crossing with others"),
        (false, false) => Some("no crossing"),
    };
    let nesting = match limits.within.as_deref() {
        None => None,
        Some([]) => Some("not inside others".to_owned()),
        Some(labels) => Some(format!("inside {} only", count(labels.len(), "label"))),
    };
    let words: Vec<String> = crossing.map(str::to_owned).into_iter().chain(nesting).collect();
    if words.is_empty() { "free".to_owned() } else { words.join(", ") }
}

/// The classes of a chip in the label's colour.
fn chip(colour: Colour) -> String {
    format!("chip colour-{}", colour.index())
}

#[component]
fn NewLabelDialog(
    project: ProjectId,
    initial: NewLabel,
    create: ServerAction<CreateLabel>,
) -> impl IntoView {
    let refused = refusal(create.into());
    view! {
        <PlainDialog id=NEW.to_owned() title="New label" open=refused.is_some()>
            <ActionForm action=create attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <LabelFields dialog=NEW.to_owned() initial refusal=refused/>
            </ActionForm>
        </PlainDialog>
    }
}

#[component]
fn Change(project: ProjectId, label: Label, save: ServerAction<SaveLabel>) -> impl IntoView {
    let refused = refusal(save.into());
    let Label { id, name, colour, hotkey } = label;
    let dialog = change_of(id);
    view! {
        <PlainDialog id=dialog.clone() title="Change label" open=refused.is_some()>
            <ActionForm action=save attr:class="stack">
                {hidden_fields([("project", &project), ("id", &id)])}
                <LabelFields dialog initial=NewLabel { name, colour, hotkey } refusal=refused/>
            </ActionForm>
        </PlainDialog>
    }
}

#[component]
fn Deletion(project: ProjectId, label: Label, delete: ServerAction<DeleteLabel>) -> impl IntoView {
    let dialog = deletion_of(label.id);
    view! {
        <PlainDialog id=dialog.clone() title="Delete this label?">
            <p>
                <strong dir="auto">{label.name}</strong>
                " will be deleted. Labels in use cannot be deleted."
            </p>
            <ActionForm action=delete attr:class="row dialog-actions">
                {hidden_fields([("project", &project), ("id", &label.id)])}
                <CloseDialog dialog/>
                <button class="danger">"Delete label"</button>
            </ActionForm>
        </PlainDialog>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_said_in_words() {
        assert_eq!(overlaps(&Limits::default()), "free");
        let strict = Limits { crosses_own: false, crosses_others: false, within: Some(vec![]) };
        assert_eq!(overlaps(&strict), "no crossing, not inside others");
        let some = Limits { within: Some(vec![LabelId(1)]), ..Limits::default() };
        assert_eq!(overlaps(&some), "inside 1 label only");
    }

    #[test]
    fn a_new_label_takes_no_hotkey_that_another_has() {
        let label = |hotkey| Label {
            id: LabelId(1),
            name: "PER".to_owned(),
            colour: Colour::nth(0),
            hotkey: Some(hotkey),
        };
        assert_eq!(next_label(&[label('1')]).hotkey, Some('2'));
        assert_eq!(next_label(&[label('2')]).hotkey, None);
    }
}
