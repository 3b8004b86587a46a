//! What came of the files: how they were understood, and everything that follows from them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{Comparison, Confidence, ImportProblem, Label, RaterFiles};
use services::document::comparison::ComparingOptions;

use super::{differing::Differing, labels::Labels, matrix::Matrix, pairs::Pairs};
use crate::pages::{
    components::{
        agreement::matrix::{legend::Legend, table::several::SeveralTable},
        prelude::*,
    },
    document::{
        ProblemTable,
        raters::{rater_cells, rater_words},
    },
};

/// What came of files that were sent to be compared; the server puts it into the page's context.
#[derive(Clone)]
pub struct FilesCompared {
    /// How they were to be compared.
    pub options: ComparingOptions,
    /// What came of it.
    pub outcome: Arc<ComparisonOutcome>,
}

/// What came of it.
pub enum ComparisonOutcome {
    /// They were compared.
    Compared(Box<Comparison>),
    /// They cannot be compared.
    Wrong(Vec<ImportProblem>),
    /// They were not looked at.
    Failed(ApiError),
}

#[component]
pub(super) fn Results(compared: FilesCompared) -> impl IntoView {
    match &*compared.outcome {
        ComparisonOutcome::Compared(comparison) => {
            let comparison = Comparison::clone(comparison);
            let options = compared.options.clone();
            view! { <Understood comparison=comparison.clone() options/> <Numbers comparison/> }
        }
        ComparisonOutcome::Wrong(problems) => view! { <Wrong problems=problems.clone()/> },
        ComparisonOutcome::Failed(error) => view! { <Problem refusal=Some(error.clone())/> },
    }
}

/// Why nothing was compared.
#[component]
fn Wrong(problems: Vec<ImportProblem>) -> impl IntoView {
    let one = match problems.as_slice() {
        [only] if only.line.is_none() => Some(only.clone()),
        _ => None,
    };
    let words = match &one {
        Some(problem) if problem.file.is_empty() => capital(&problem.message),
        Some(problem) => format!("{}: {}.", problem.file, problem.message),
        None => format!(
            "Nothing compared: {} in the files.",
            display::count(u64::try_from(problems.len()).unwrap_or(u64::MAX), "error")
        ),
    };
    let table = one.is_none().then(|| view! { <ProblemTable problems/> });
    view! {
        <div class="problem" role="alert"><p class="notice danger">{words}</p></div>
        {table}
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| {
        format!("{}{}.", first.to_uppercase(), characters.as_str())
    })
}

/// Whose the files are and what else was understood; raters can be left out and labels be mapped.
#[component]
fn Understood(comparison: Comparison, options: ComparingOptions) -> impl IntoView {
    let Comparison { files, raters_from, understood, documents, shared, notes, labels, .. } =
        comparison;
    let rows = understood.into_iter().map(|rater| rater_row(rater, &options));
    let rows = rows.collect::<Vec<_>>();
    let notes = notes.into_iter().map(|note| view! { <li dir="auto">{note}</li> });
    let notes = notes.collect::<Vec<_>>();
    let notes = (!notes.is_empty()).then(|| view! { <ul class="notice warn">{notes}</ul> });
    let formats: BTreeSet<String> = files.into_iter().map(|file| file.format).collect();
    let words = format!(
        "{}, {} with two or more people. Formats: {}. Names: {}.",
        display::count(documents, "different document"),
        display::thousands(shared),
        Vec::from_iter(formats).join(", "),
        rater_words(&raters_from).to_lowercase()
    );
    view! {
        <Section title_id="understood-title" title="People and their files">
            {notes}
            <Table labelled_by="understood-title">
                {heads([
                    Text("Person"), Text("Files"), Number("Documents"), Number("Spans"),
                    Text("Leave out"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            <p class="soft">{words}</p>
            <LabelMapping labels options/>
        </Section>
    }
}

fn rater_row(rater: RaterFiles, options: &ComparingOptions) -> impl IntoView + use<> {
    let (cells, name) = (rater_cells(&rater), rater.name);
    let is_out = options.leave_out.contains(&name);
    view! {
        <tr>
            {cells}
            <td>
                <input type="checkbox" form="compare" name="leave_out" value=name.clone()
                    checked=is_out aria-label=format!("Leave out {name}")/>
            </td>
        </tr>
    }
}

/// What each label counts as.
#[component]
fn LabelMapping(labels: Vec<Label>, options: ComparingOptions) -> impl IntoView {
    let mut mapped: BTreeMap<String, String> =
        labels.into_iter().map(|label| (label.name.clone(), label.name)).collect();
    mapped.extend(options.labels.into_iter().map(|(from, to)| (from, to.unwrap_or_default())));
    let rows = mapped.into_iter().map(|(from, to)| {
        view! {
            <tr>
                <th scope="row" dir="auto">{from.clone()}</th>
                <td>
                    <input type="text" form="compare" name=format!("label:{from}") value=to
                        aria-label=format!("{from} counts as") placeholder="left out"/>
                </td>
            </tr>
        }
    });
    view! {
        <details>
            <summary>"Label mapping"</summary>
            <Table label="Labels">
                {heads([Text("In the files"), Text("Counts as")])}
                <tbody>{rows.collect::<Vec<_>>()}</tbody>
            </Table>
        </details>
    }
}

/// Matrix, labels, pairs and the list of differences.
#[component]
fn Numbers(comparison: Comparison) -> impl IntoView {
    let Comparison { labels, matrix, label_parts, pairs, disagreements, .. } = comparison;
    let switches = matrix.switches;
    let labels: Arc<[_]> = labels.into();
    let has_labels = switches.policy.check_common().is_ok();
    let left_out = matrix.cells.iter().any(|cell| cell.confidence == Confidence::Pending)
        || (has_labels && label_parts.is_empty() && !labels.is_empty());
    let left_out = left_out.then(|| {
        view! {
            <p class="notice warn">
                "Some intervals or the table of labels would take too long here. On the command line, "
                <code>"concord compare"</code>" computes them all."
            </p>
        }
    });
    let several = matrix.several.clone().map(|several| {
        let units = several.unitizing.is_some();
        view! { <SeveralTable several switches units/> }
    });
    let has_pairs = !pairs.is_empty();
    view! {
        <section class="stack" aria-labelledby="matrix-title">
            <div class="row spread">
                <h2 id="matrix-title">"Agreement by pair"</h2>
                <TakeAway/>
            </div>
            {left_out}
            <Matrix matrix has_pairs/>
        </section>
        {several}
        <Labels parts=label_parts labels=labels.clone()/>
        <Differing list=disagreements labels/>
        {has_pairs.then(|| view! { <Pairs pairs/> })}
        <Legend scale=switches.scale/>
    }
}

/// The files to take away: the form is sent once more, since nothing is stored.
#[component]
fn TakeAway() -> impl IntoView {
    let buttons = [
        ("report", "Report (HTML)"),
        ("csv", "Differences (CSV)"),
        ("jsonl", "Differences (JSON Lines)"),
        ("json", "Numbers (JSON)"),
    ];
    let buttons = buttons.map(|(form, words)| {
        let address = format!("/compare?as={form}");
        view! { <button class="small" form="compare" formaction=address>{words}</button> }
    });
    view! {
        <div class="row" role="group" aria-label="Export">{buttons.into_iter().collect_view()}</div>
        <noscript><p class="soft">"Choose the files again for these: nothing is stored."</p></noscript>
    }
}
