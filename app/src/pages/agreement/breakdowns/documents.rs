//! Which document is hard.

use domain::{
    DocumentOrder, DocumentPart, DocumentParts, Measured, PositionKind, PositionOutcome,
    PositionQuery, Sorting, Switches, Whose,
};

use super::{Asked, PartPage, Questions, part_page};
use crate::pages::components::{
    agreement::{
        counted::Counted,
        matrix::controls::{switch_bar::SwitchBar, unoffered::COMMON},
        pictures::Bar,
        shares::percent,
    },
    list::sort_head::SortHead,
    prelude::*,
};

/// Every document over all labelers, the hardest first.
#[component]
pub(crate) fn DocumentPartsPage() -> impl IntoView {
    part_page(
        PartPage {
            title: "Documents by agreement",
            heading: "Documents",
            part: "documents",
            offered: COMMON,
        },
        |services, actor, Asked { project, switches, sorting }| async move {
            services::agreement::breakdowns::documents(
                &services, &actor, project, switches, sorting,
            )
            .await
        },
        |parts, asked| view! { <Documents parts asked/> },
    )
}

#[component]
fn Documents(parts: DocumentParts, asked: Asked<DocumentOrder>) -> impl IntoView {
    let Asked { project, switches, sorting } = asked;
    let DocumentParts { revision, switches: counted_under, positions, disputed, page } = parts;
    let address = move |sorting: &Sorting<DocumentOrder>| {
        query::parts_address(project, "documents", switches, sorting)
    };
    let (counted, each_has) = match counted_under.policy.positions() {
        PositionKind::Tokens => (" tokens, of which ", "Labeled tokens per labeler"),
        PositionKind::Exact | PositionKind::Overlapping => {
            (" positions, of which ", "Spans per labeler")
        }
    };
    let all = PositionQuery::of(Whose::Labelers, counted_under);
    let differ = PositionQuery { outcome: PositionOutcome::Differ, ..all.clone() };
    let content = if page.total == 0 {
        view! { <p class="empty">"No document has work by two labelers that counts here."</p> }
    } else {
        let rows: Vec<_> = page
            .rows
            .iter()
            .map(|row| view! { <Row project row=row.clone() all=all.clone()/> })
            .collect();
        let count = counted_rows(&page, "document");
        let to_page = move |page| address(&Sorting { page, ..sorting });
        view! {
            <p class="number" role="status">
                {count}": "<Counted project count=positions query=all of="positions judged by two"/>
                {counted}<Counted project count=disputed query=differ of="positions in dispute"/>" are in dispute."
            </p>
            <Table label="Documents" class="rows parts">
                <caption class="visually-hidden">"Agreement of all labelers by document"</caption>
                <thead>
                    <tr>
                        <SortHead text="Document" order=DocumentOrder::Document sorting address/>
                        <SortHead text="Agreement" order=DocumentOrder::Value sorting address number=true/>
                        <th scope="col" class="number">"α"</th>
                        <SortHead text="Positions" order=DocumentOrder::Positions sorting address number=true/>
                        <SortHead text="In dispute" order=DocumentOrder::Disagreements sorting address number=true/>
                        <SortHead text="Undecided" order=DocumentOrder::Undecided sorting address number=true/>
                        <th scope="col" class="number">"Labelers"</th>
                        <th scope="col" class="number">{each_has}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
            <Pager page address=to_page/>
        }
    };
    let same_order =
        move |switches: Switches| query::parts_address(project, "documents", switches, &sorting);
    view! {
        <SwitchBar switches address=same_order any_measure=true positions=COMMON.positions>
            <Questions switches address=same_order/>
        </SwitchBar>
        <LiveLine project switches revision/>
        <Lead line="Lowest agreement first: texts to discuss, decide, or use as examples." about="documents by agreement">
            <p>"Agreement is how often two labelers say the same in this document. A single document has few positions, so its α jumps: use it to find where to look, never as a grade. The last column shows whether somebody simply labels less."</p>
            <p><small>"Mean share of agreeing pairs by position (Fleiss 1971); Krippendorff’s α for nominal data (2011), of the document alone."</small></p>
        </Lead>
        {content}
    }
}

#[component]
fn Row(project: domain::ProjectId, row: DocumentPart, all: PositionQuery) -> impl IntoView {
    let in_document = PositionQuery { document: Some(row.document), ..all };
    let counted = |outcome, count, what: &str| {
        let query = PositionQuery { outcome, ..in_document.clone() };
        view! { <td class="number"><Counted project count query of=format!("{what} in {}", row.name)/></td> }
    };
    let agreement = match row.percent.value() {
        Some(value) => {
            view! { <span class="row bar-row"><Bar share=Some(value)/>{percent(value)}</span> }
        }
        None => view! { <span class="soft">"–"</span> },
    };
    let why = match row.alpha {
        Measured::Undefined(reason) => Some(reason.sentence()),
        Measured::Value { .. } => None,
    };
    let spans = if row.fewest == row.most {
        display::thousands(row.most)
    } else {
        format!("{} to {}", display::thousands(row.fewest), display::thousands(row.most))
    };
    view! {
        <tr>
            <th scope="row" dir="auto">{row.name.clone()}</th>
            <td class="number">{agreement}</td>
            <td class="number" title=why>{display::coefficient(row.alpha)}</td>
            {counted(PositionOutcome::Any, row.positions, "positions")}
            {counted(PositionOutcome::Differ, row.disputed, "positions in dispute")}
            <td class="number">{display::thousands(row.disputed - row.decided)}</td>
            <td class="number">{display::thousands(row.labelers)}</td>
            <td class="number">{spans}</td>
        </tr>
    }
}
