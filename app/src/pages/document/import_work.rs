//! Whose work the spans in files are: suggestions or people's, and whose; what labels become.

use domain::{
    ImportAs, ImportChanges, LabelChoice, LabelPreview, MemberId, PersonChoice, PersonPreview,
    RatersFrom, WorkPreview,
};
use serde_json::json;
use services::document::import::ImportOptions;

use super::raters::{rater_cells, rater_choices, rater_pattern, rater_words};
use crate::pages::components::prelude::*;

/// Whether marks become suggestions or people's work.
#[component]
pub(super) fn WhoseWork(options: ImportOptions) -> impl IntoView {
    let choice = |import_as: ImportAs, value: &'static str, label: &'static str| {
        view! {
            <Check kind="radio" name="as" value=value checked={options.import_as == import_as}>{label}</Check>
        }
    };
    view! {
        <fieldset class="stack tight">
            <legend>"Whose work is this?"</legend>
            {choice(ImportAs::Suggestions, "suggestions", "Nobody's: spans become suggestions and are never counted")}
            {choice(ImportAs::Work, "work", "People's: spans become the saved work of the people who made them")}
        </fieldset>
    }
}

/// Who made the spans, and what that would change.
#[component]
pub(super) fn WorkChoices(work: WorkPreview, options: ImportOptions) -> impl IntoView {
    let WorkPreview { raters_from, people, labelers, models, changes, notes } = work;
    let notes = notes.into_iter().map(|note| view! { <li class="soft" dir="auto">{note}</li> });
    let notes = notes.collect_view();
    let rows =
        people.into_iter().map(|person| person_row(person, &labelers, &models)).collect_view();
    let raters = rater_choices(&options.raters_from);
    let detected = (options.raters_from == RatersFrom::Auto && raters_from != RatersFrom::Inside)
        .then(|| view! { <p class="soft">"Names: " {rater_words(&raters_from)}</p> });
    view! {
        <ul class="plain-list">{notes}</ul>
        <fieldset class="stack">
            <legend>"People"</legend>
            <div class="row">
                {select_field("import-raters".to_owned(), "raters", "Names", raters)}
                {rater_pattern("import-pattern", &options.raters_from)}
            </div>
            {detected}
            <Table label="People">
                {heads([Text("In the files"), Text("Files"), Number("Documents"), Number("Spans"), Text("In this project")])}
                <tbody>{rows}</tbody>
            </Table>
            <p class="soft">
                "“New labeler” creates a placeholder; invite someone to claim it. Models are added under Settings."
            </p>
            <Check name="state" value="saved" checked=options.in_progress>"Unfinished: import as saved, not submitted"</Check>
            <Check name="differing" value="keep" checked=options.keep_differing>"Keep existing work where spans differ"</Check>
        </fieldset>
        <Changes changes/>
    }
}

fn person_row(
    person: PersonPreview,
    labelers: &[(MemberId, String)],
    models: &[(String, String)],
) -> impl IntoView + use<> {
    let PersonPreview { from, choice } = person;
    let (cells, name) = (rater_cells(&from), from.name);
    let members = labelers.iter().map(|(id, labeler)| {
        let chosen = choice == PersonChoice::Member(*id);
        view! { <option value=format!("member:{id}") selected=chosen>{labeler.clone()}</option> }
    });
    let members = members.collect_view();
    let models = models.iter().map(|(model, version)| {
        let is_it = matches!(
            &choice,
            PersonChoice::Model { name, version: of } if (name, of) == (model, version)
        );
        let value = format!("model:{}", json!({ "name": model, "version": version }));
        view! { <option value=value selected=is_it>{format!("Model {model} {version}")}</option> }
    });
    let models = models.collect_view();
    let is_new = choice == PersonChoice::Placeholder;
    let is_out = choice == PersonChoice::LeaveOut;
    view! {
        <tr>
            {cells}
            <td>
                <select data-person=name.clone() aria-label=format!("In this project: {name}")>
                    <option value="placeholder" selected=is_new>"New labeler"</option>
                    {members}
                    {models}
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
        ("Existing documents", known_documents),
        ("Assignments with new work", new),
        ("Assignments with the same spans", same),
        ("Assignments with other spans, kept", kept),
        ("Assignments with other spans, refused", refused),
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
        <section class="stack tight" aria-label="Changes">
            <h3>"Changes"</h3>
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
                <summary>"Label mapping"</summary>
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
    let nothing = choice.is_none().then(|| view! { <option value="" selected>"Choose …"</option> });
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
                    <option value="create" selected=creates>"New label"</option>
                    <option value="leave_out" selected=is_out>"Leave out"</option>
                </select>
            </td>
        </tr>
    }
}
