//! What else can be taken away: lists, the matrix and the report.

use domain::ProjectId;

use crate::pages::components::prelude::*;

/// What it is, and its files: name and path.
const LISTS: [(&str, &[(&str, &str)]); 6] = [
    (
        "Adjudication list",
        &[
            ("CSV", "disagreements.csv"),
            ("JSON Lines", "disagreements.jsonl"),
            ("XLSX", "disagreements.xlsx"),
        ],
    ),
    (
        "Agreement with counts of every pair",
        &[("JSON", "agreement.json"), ("CSV", "agreement.csv")],
    ),
    (
        "Agreement report",
        &[("HTML", "agreement.html"), ("Keep minority judgements", "agreement.html?minority=true")],
    ),
    ("Agreement study", &[("Ratings as CSV", "study.csv"), ("Units as CSV", "units.csv")]),
    ("Attribute choices", &[("JSON Lines", "choices.jsonl")]),
    (
        "Soft labels",
        &[
            ("JSON Lines", "soft-labels.jsonl"),
            ("People as JSON Lines", "soft-labels-people.jsonl"),
        ],
    ),
];

/// What managers alone take away.
const OF_MANAGERS: [(&str, &[(&str, &str)]); 1] =
    [("Quality statement", &[("HTML", "quality.html")])];

/// Links to the files.
#[component]
pub(super) fn Lists(project: ProjectId, is_manager: bool) -> impl IntoView {
    let of_managers = OF_MANAGERS.iter().filter(|_| is_manager);
    let rows: Vec<_> = LISTS
        .iter()
        .chain(of_managers)
        .map(|(title, files)| {
            let links: Vec<_> = files
                .iter()
                .map(|(name, path)| {
                    let href = format!("/api/v1/projects/{project}/{path}");
                    view! { <a download="" href=href aria-label=format!("{title}: {name}")>{*name}</a> }
                })
                .collect();
            view! { <li class="row"><span class="soft">{format!("{title}: ")}</span>{links}</li> }
        })
        .collect();
    view! {
        <Section title_id="export-lists" title="Lists and reports">
            <ul class="plain-list">{rows}</ul>
        </Section>
    }
}
