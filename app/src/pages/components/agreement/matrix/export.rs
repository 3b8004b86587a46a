//! The matrix to take away: copied as text, or downloaded with every count behind it.

use domain::{ProjectId, Switches};
use services::agreement::TextFormat;

use crate::pages::components::prelude::*;

/// Buttons that copy the matrix, and links to the files.
pub(crate) fn export_buttons(project: ProjectId, switches: Switches) -> AnyView {
    let file = |extension| query::matrix_file(project, switches, extension);
    let buttons = TextFormat::ALL.map(|format| {
        view! {
            <button type="button" class="small" data-copy-file=file(format.extension())>
                {format!("Copy as {}", format.name())}
            </button>
        }
    });
    // Of spans that are paired by two raters, each pair's page has one.
    let study = switches.policy.check_common().is_ok().then(|| {
        view! { <a download="" href=query::study_file(project, switches, None)>"Download as a study"</a> }
    });
    view! {
        <section class="exports take-away" aria-label="Export">
            <div class="row">
                {buttons.into_iter().collect_view()}
                <a class="button small" download="" href=file("html")>"Report"</a>
                <a download="" href=file("csv")>"Download CSV"</a>
                <a download="" href=file("json")>"Download JSON"</a>
                <a download="" href=file("svg")>"Download picture (SVG)"</a>
                {study}
                <p role="status" data-own=""></p>
            </div>
            <Lead line="Files hold the counts of every pair." about="exports of the matrix">
                <p>"JSON adds every document and the seeds of the intervals, to recompute in R or Python. The study lists who said what at each position, for "<code>"concord measure"</code>" and other tools."</p>
            </Lead>
        </section>
    }
}
