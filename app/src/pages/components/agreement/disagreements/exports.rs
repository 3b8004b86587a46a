//! The adjudication list, the gold standard and what was chosen of attributes as files.

use domain::{DisagreementQuery, ProjectId};

use crate::pages::components::prelude::*;

/// Links to the files; they are for the browser, not for the router.
#[component]
pub(crate) fn Exports(project: ProjectId, query: DisagreementQuery) -> impl IntoView {
    let list = move |extension| query::export_address(project, &query, extension);
    let choices = format!("/api/v1/projects/{project}/choices.jsonl");
    let gold = move |extension| format!("/api/v1/projects/{project}/gold.{extension}");
    view! {
        <section class="exports" aria-label="Download">
            <p>
                <span class="soft">"These disagreements: "</span>
                <a download="" rel="external" href=list("csv")>"CSV"</a>
                <a download="" rel="external" href=list("jsonl")>"JSON Lines"</a>
                <a download="" rel="external" href=list("xlsx")>"XLSX"</a>
            </p>
            <p>
                <span class="soft">"Gold standard: "</span>
                <a download="" rel="external" href=gold("jsonl")>"JSON Lines"</a>
                <a download="" rel="external" href=gold("conll")>"CoNLL"</a>
            </p>
            <p>
                <span class="soft">"Attribute choices: "</span>
                <a download="" rel="external" href=choices>"JSON Lines"</a>
            </p>
            <p><a href=format!("/projects/{project}/exports")>"All formats"</a></p>
        </section>
    }
}
