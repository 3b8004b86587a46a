//! Each document's part of a pair's number.

use domain::{CauseOrder, DocumentCause, PositionOutcome, PositionQuery};

use super::behind::Behind;
use crate::{
    pages::components::{
        agreement::{counted::Counted, shares},
        list::sort_head::SortHead,
        prelude::*,
    },
    query::PairLook,
};

/// The documents that both have worked on, those that lower the number most first.
#[component]
pub(crate) fn Documents(behind: Behind) -> impl IntoView {
    let page = behind.causes.documents.clone();
    let (project, switches) = (behind.causes.project, behind.causes.switches);
    let two = (behind.first.id, behind.second.id);
    let look = behind.look;
    let address = move |documents: &domain::Sorting<CauseOrder>| {
        let look = PairLook { documents: *documents, ..look };
        look.address(project, two, switches)
    };
    let content = if page.rows.is_empty() {
        view! { <p class="empty">"No shared document counts here."</p> }
    } else {
        let rows: Vec<_> = page
            .rows
            .iter()
            .map(|row| view! { <Row behind=behind.clone() row=row.clone()/> })
            .collect();
        let sorting = look.documents;
        let to_page = move |page| address(&domain::Sorting { page, ..sorting });
        view! {
            <Table labelled_by="documents-title">
                <thead>
                    <tr>
                        <SortHead text="Document" order=CauseOrder::Document sorting address/>
                        <SortHead text="Differ" order=CauseOrder::Disagreements sorting address number=true/>
                        <th scope="col" class="number">"Of all"</th>
                        <th scope="col" class="number">"Agree"</th>
                        <SortHead text="n" order=CauseOrder::Positions sorting address number=true/>
                        <SortHead text="Value" order=CauseOrder::Value sorting address number=true/>
                        <th scope="col" class="number">"Judged by both"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
            <Pager page address=to_page/>
        }
    };
    view! {
        <Section title_id="documents-title" title="Documents" id="documents">
            <Lead line="Documents with the most disagreements first. If a few hold most of them, suspect the texts." about="documents">
                <p>"A single document has few positions, so its value jumps. The pair’s value is computed from the counts of all documents, not from these values."</p>
            </Lead>
            {content}
        </Section>
    }
}

#[component]
fn Row(behind: Behind, row: DocumentCause) -> impl IntoView {
    let project = behind.causes.project;
    let counted = |outcome, count, what: &str| {
        let query = PositionQuery { document: Some(row.document), outcome, ..behind.query() };
        let of = format!("{what} in {}", row.name);
        view! { <td class="number"><Counted project count query of/></td> }
    };
    let coverage = row.coverage;
    view! {
        <tr>
            <th scope="row" dir="auto">{row.name.clone()}</th>
            {counted(PositionOutcome::Differ, row.disagreements, "positions they differ on")}
            <td class="number">{shares::percent(row.share)}</td>
            {counted(PositionOutcome::Agree, row.agreements, "positions they agree on")}
            {counted(PositionOutcome::Any, row.positions, "positions")}
            <td class="number" title=row.measured.value().is_none().then(|| reason(&row))>{display::coefficient(row.measured)}</td>
            <td class="number">{display::coverage(coverage, coverage.both)}</td>
        </tr>
    }
}

fn reason(row: &DocumentCause) -> &'static str {
    match row.measured {
        domain::Measured::Undefined(reason) => reason.sentence(),
        domain::Measured::Value { .. } => "",
    }
}
