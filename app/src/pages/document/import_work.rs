//! Whose work the marks in files are: suggestions or people's, and whose; what labels become.

use domain::{
    ImportAs, ImportChanges, LabelChoice, LabelPreview, MemberId, PersonChoice, PersonPreview,
    RatersFrom, WorkPreview,
};
use leptos::prelude::*;
use services::document::import::ImportOptions;

use crate::{
    display,
    pages::components::table::{Number, Table, Text, heads},
    view::view,
};

/// Whether marks become suggestions or people's work.
#[component]
pub(super) fn WhoseWork(options: ImportOptions) -> impl IntoView {
    let choice = |marks: ImportAs, value: &'static str, label: &'static str| {
        view! {
            <label class="check">
                <input type="radio" name="as" value=value checked=options.marks == marks/>
                {label}
            </label>
        }
    };
    view! {
        <fieldset class="stack tight">
            <legend>"Whose work is this?"</legend>
            {choice(ImportAs::Suggestions, "suggestions", "Nobody's: marks are offered to labelers as suggestions and never counted")}
            {choice(ImportAs::Work, "work", "People's: marks become the saved work of those who made them")}
        </fieldset>
    }
}

/// Who made the marks, and what that would change.
#[component]
pub(super) fn WorkChoices(work: WorkPreview, options: ImportOptions) -> impl IntoView {
    let WorkPreview { people, labelers, changes, notes } = work;
    let notes = notes.into_iter().map(|note| view! { <li class="soft" dir="auto">{note}</li> });
    let notes = notes.collect_view();
    let rows = people.into_iter().map(|person| person_row(person, &labelers)).collect_view();
    let raters = [
        (RatersFrom::Auto, "auto", "as the files say, or else their folders or names"),
        (RatersFrom::File, "file", "by the names of the files"),
        (RatersFrom::Folder, "folder", "by the folders"),
    ];
    let raters = raters.map(|(from, value, label)| {
        view! { <option value=value selected=options.raters_from == from>{label}</option> }
    });
    view! {
        <fieldset class="stack">
            <legend>"People"</legend>
            <label class="row">
                "Who they are: "
                <select name="raters">{raters.into_iter().collect_view()}</select>
            </label>
            <Table label="People">
                {heads([Text("In the files"), Number("Documents"), Number("Spans"), Text("In this project")])}
                <tbody>{rows}</tbody>
            </Table>
            <p class="soft">
                "A new labeler is a place for this work: nobody can sign in as one before you invite somebody to claim it."
            </p>
            <label class="check">
                <input type="checkbox" name="state" value="saved" checked=options.in_progress/>
                "This work goes on: do not count it as submitted"
            </label>
            <label class="check">
                <input type="checkbox" name="differing" value="keep" checked=options.keep_differing/>
                "Where somebody has other marks in a document already, keep those"
            </label>
        </fieldset>
        <Changes changes/>
        <ul class="plain-list">{notes}</ul>
    }
}

fn person_row(person: PersonPreview, labelers: &[(MemberId, String)]) -> impl IntoView + use<> {
    let PersonPreview { name, documents, spans, choice } = person;
    let members = labelers.iter().map(|(id, labeler)| {
        let chosen = choice == PersonChoice::Member(*id);
        view! { <option value=format!("member:{id}") selected=chosen>{labeler.clone()}</option> }
    });
    let members = members.collect_view();
    let is_new = choice == PersonChoice::Placeholder;
    let is_out = choice == PersonChoice::LeaveOut;
    view! {
        <tr>
            <th scope="row" dir="auto">{name.clone()}</th>
            <td class="number">{display::thousands(documents)}</td>
            <td class="number">{display::thousands(spans)}</td>
            <td>
                <select data-person=name.clone() aria-label=format!("In this project: {name}")>
                    <option value="placeholder" selected=is_new>"A new labeler of this name"</option>
                    {members}
                    <option value="leave_out" selected=is_out>"Leave out"</option>
                </select>
            </td>
        </tr>
    }
}

/// What the work is against what is there.
#[component]
fn Changes(changes: ImportChanges) -> impl IntoView {
    let ImportChanges { new_documents, known_documents, new, same, kept, refused } = changes;
    let rows = [
        ("New documents", new_documents),
        ("Documents that are here already", known_documents),
        ("Copies that would get work", new),
        ("Copies with the same marks already", same),
        ("Copies with other marks, which stay", kept),
        ("Copies with other marks, refused", refused),
    ];
    let rows = rows.map(|(what, n)| {
        view! {
            <div>
                <dt>{what}</dt>
                <dd class="number">{display::thousands(n)}</dd>
            </div>
        }
    });
    view! {
        <section class="stack tight" aria-label="What would change">
            <h3>"What would change"</h3>
            <dl class="facts">{rows.into_iter().collect_view()}</dl>
        </section>
    }
}

/// What becomes of each label of the files.
#[component]
pub(super) fn LabelChoices(labels: Vec<LabelPreview>) -> impl IntoView {
    let names: Vec<String> = labels
        .iter()
        .filter_map(|label| match &label.choice {
            Some(LabelChoice::Label(name)) => Some(name.clone()),
            _ => None,
        })
        .collect();
    let rows = labels.into_iter().map(|label| label_row(label, &names)).collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <details>
                <summary>"What labels become"</summary>
                <Table label="Labels">
                    {heads([Text("In the files"), Number("Spans"), Text("In this project")])}
                    <tbody>{rows}</tbody>
                </Table>
            </details>
        }
    })
}

fn label_row(label: LabelPreview, names: &[String]) -> impl IntoView + use<> {
    let LabelPreview { name, spans, choice } = label;
    let labels = names.iter().map(|known| {
        let chosen = choice == Some(LabelChoice::Label(known.clone()));
        view! { <option value=format!("label:{known}") selected=chosen>{known.clone()}</option> }
    });
    let labels = labels.collect_view();
    let nothing =
        choice.is_none().then(|| view! { <option value="" selected>"Not said yet"</option> });
    let creates = choice == Some(LabelChoice::Create);
    let is_out = choice == Some(LabelChoice::LeaveOut);
    view! {
        <tr>
            <th scope="row" dir="auto">{name.clone()}</th>
            <td class="number">{display::thousands(spans)}</td>
            <td>
                <select data-label=name.clone() aria-label=format!("In this project: {name}")>
                    {nothing}
                    {labels}
                    <option value="create" selected=creates>"A new label of this name"</option>
                    <option value="leave_out" selected=is_out>"Leave out"</option>
                </select>
            </td>
        </tr>
    }
}
