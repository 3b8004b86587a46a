//! The editor of a project's label set.

use domain::{Colour, Label, LabelId, NewLabel, ProjectId};
use leptos::prelude::*;

use crate::{
    ApiError,
    api::projects::{create_label, delete_label, save_label},
    components::{
        dialog::{Confirm, Dialog},
        field::refusal,
        icon::{Glyph, Icon},
    },
    pages::settings::label_form::LabelForm,
    view::{dynamic, view},
};

/// A label in the form: its id, none for a new one, and what it is to be.
type Draft = (Option<LabelId>, NewLabel);

/// What the form for one more label begins with: the next colour, and the next number if no label
/// has it.
fn next_label(labels: &[Label]) -> NewLabel {
    let mut label = NewLabel::numbered("", labels.len());
    if labels.iter().any(|other| other.hotkey == label.hotkey) {
        label.hotkey = None;
    }
    label
}

/// Puts a label in the place of the one with its id, or at the end.
fn put(labels: &mut Vec<Label>, label: Label) {
    match labels.iter_mut().find(|other| other.id == label.id) {
        Some(place) => *place = label,
        None => labels.push(label),
    }
}

/// Stores a label, new or changed; the answer is the label as it is stored.
async fn store(project: ProjectId, (id, label): Draft) -> Result<Label, ApiError> {
    let label = label.checked()?;
    let id = match id {
        Some(id) => save_label(project, id, label.clone()).await.map(|()| id)?,
        None => create_label(project, label.clone()).await?,
    };
    let NewLabel { name, colour, hotkey } = label;
    Ok(Label { id, name, colour, hotkey })
}

#[component]
pub(super) fn Labels(
    project: ProjectId,
    labels: Vec<Label>,
    /// Called when the label set has changed.
    on_change: Callback<()>,
) -> impl IntoView {
    let labels = RwSignal::new(labels);
    let draft = RwSignal::new(None::<Draft>);
    let doomed = RwSignal::new(None::<Label>);

    let save = Action::new(move |new: &Draft| {
        let new = new.clone();
        async move {
            let stored = store(project, new).await?;
            labels.update(|labels| put(labels, stored));
            draft.set(None);
            on_change.run(());
            Ok::<_, ApiError>(())
        }
    });
    let delete = Action::new(move |id: &LabelId| {
        let id = *id;
        async move {
            delete_label(project, id).await?;
            labels.update(|labels| labels.retain(|label| label.id != id));
            doomed.set(None);
            on_change.run(());
            Ok::<_, ApiError>(())
        }
    });
    let on_edit = Callback::new(move |new: Draft| {
        save.clear();
        draft.set(Some(new));
    });
    let on_delete = Callback::new(move |label| {
        delete.clear();
        doomed.set(Some(label));
    });
    let on_close = Callback::new(move |()| draft.set(None));
    let form = move || {
        draft.get().map(|(id, initial)| {
            let on_save = Callback::new(move |label| {
                save.dispatch((id, label));
            });
            let pending = save.pending().into();
            view! { <LabelForm initial refusal=refusal(save) pending on_save on_close/> }
        })
    };
    let title = Signal::derive(move || match *draft.read() {
        Some((Some(_), _)) => "Change label".to_owned(),
        _ => "New label".to_owned(),
    });
    let name = move || doomed.get().map(|label| label.name);
    view! {
        <section class="card" id="labels" aria-labelledby="labels-title">
            <div class="row spread">
                <h2 id="labels-title">"Labels"</h2>
                <button
                    type="button"
                    on:click=move |_| on_edit.run((None, labels.with_untracked(|labels| next_label(labels))))
                >
                    <Icon glyph=Glyph::Add/>
                    "Add label"
                </button>
            </div>
            <Table labels on_edit on_delete/>
            <Dialog
                id="label-form"
                title
                open=Signal::derive(move || draft.read().is_some())
                on_close
            >
                {dynamic(form)}
            </Dialog>
            <Confirm
                id="delete-label"
                title="Delete this label?"
                open=Signal::derive(move || doomed.read().is_some())
                on_close=Callback::new(move |()| doomed.set(None))
                verb="Delete label"
                on_confirm=Callback::new(move |()| {
                    if let Some(label) = doomed.get_untracked() {
                        delete.dispatch(label.id);
                    }
                })
                pending=delete.pending()
                refusal=refusal(delete)
            >
                <p>
                    <strong dir="auto">{dynamic(name)}</strong>
                    " will be gone. Only a label that nobody has used can be deleted."
                </p>
            </Confirm>
        </section>
    }
}

#[component]
fn Table(
    labels: RwSignal<Vec<Label>>,
    on_edit: Callback<Draft>,
    on_delete: Callback<Label>,
) -> impl IntoView {
    let rows = move || {
        labels
            .get()
            .into_iter()
            .map(|label| view! { <Row label on_edit on_delete/> })
            .collect_view()
    };
    move || {
        if labels.read().is_empty() {
            return view! {
                <p class="empty">"There are no labels yet. Without labels nothing can be marked."</p>
            };
        }
        view! {
            <div class="scroll-x" tabindex="0" role="region" aria-labelledby="labels-title">
                <table class="rows">
                    <thead>
                        <tr>
                            <th scope="col">"Label"</th>
                            <th scope="col">"Colour"</th>
                            <th scope="col">"Hotkey"</th>
                            <th scope="col"><span class="visually-hidden">"Actions"</span></th>
                        </tr>
                    </thead>
                    <tbody>{dynamic(rows)}</tbody>
                </table>
            </div>
        }
    }
}

#[component]
fn Row(label: Label, on_edit: Callback<Draft>, on_delete: Callback<Label>) -> impl IntoView {
    let doomed = label.clone();
    let Label { id, name, colour, hotkey } = label;
    let draft = NewLabel { name: name.clone(), colour, hotkey };
    let (change, delete) = (format!("Change {name}"), format!("Delete {name}"));
    view! {
        <tr>
            <th scope="row"><span class=chip(colour)><bdi>{name}</bdi></span></th>
            <td>{colour.name()}</td>
            <td>
                {match hotkey {
                    Some(key) => view! { <kbd>{key.to_uppercase().to_string()}</kbd> },
                    None => view! { <span class="soft">"none"</span> },
                }}
            </td>
            <td class="tools">
                <button
                    type="button"
                    class="quiet small"
                    title=change.clone()
                    aria-label=change
                    on:click=move |_| on_edit.run((Some(id), draft.clone()))
                >
                    <Icon glyph=Glyph::Edit/>
                </button>
                <button
                    type="button"
                    class="quiet small"
                    title=delete.clone()
                    aria-label=delete
                    on:click=move |_| on_delete.run(doomed.clone())
                >
                    <Icon glyph=Glyph::Delete/>
                </button>
            </td>
        </tr>
    }
}

/// The classes of a chip in the label's colour.
fn chip(colour: Colour) -> String {
    format!("chip colour-{}", colour.number())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(id: i64, hotkey: char) -> Label {
        Label {
            id: LabelId(id),
            name: format!("label {id}"),
            colour: Colour::nth(0),
            hotkey: Some(hotkey),
        }
    }

    #[test]
    fn a_new_label_takes_no_hotkey_that_another_has() {
        assert_eq!(next_label(&[label(1, '1')]).hotkey, Some('2'));
        assert_eq!(next_label(&[label(1, '2')]).hotkey, None);
    }

    #[test]
    fn a_changed_label_keeps_its_place() {
        let mut labels = vec![label(1, '1'), label(2, '2')];
        put(&mut labels, label(1, 'a'));
        put(&mut labels, label(3, '3'));
        assert_eq!(labels, [label(1, 'a'), label(2, '2'), label(3, '3')]);
    }
}
