//! Which label is unreliable.

use std::sync::Arc;

use domain::{
    LabelBar, LabelOrder, LabelPart, LabelParts, Measured, PositionOutcome, PositionQuery, Sorting,
    Switches, Whose,
};

use super::{Asked, PartPage, Questions, part_page};
use crate::pages::components::{
    agreement::{
        counted::Counted,
        matrix::{
            band::Band,
            controls::{switch_bar::SwitchBar, unoffered::COMMON},
        },
        pictures::Bar,
        shares::percent,
    },
    list::sort_head::SortHead,
    prelude::*,
};

/// Confusions shown of a label; the rest is in the positions.
const CONFUSIONS: usize = 3;

/// Every label over all labelers, the least reliable first.
#[component]
pub(crate) fn LabelPartsPage() -> impl IntoView {
    part_page(
        PartPage { title: "Labels", heading: "Labels", part: "labels", offered: COMMON },
        |services, actor, Asked { project, switches, sorting }| async move {
            services::agreement::breakdowns::labels(&services, &actor, project, switches, sorting)
                .await
        },
        |parts, asked| view! { <Labels parts asked/> },
    )
}

#[component]
fn Labels(parts: LabelParts, asked: Asked<LabelOrder>) -> impl IntoView {
    let Asked { project, switches, sorting } = asked;
    let (revision, positions, documents) = (parts.revision, parts.positions, parts.documents);
    let parts = Arc::new(parts);
    let address = move |sorting: &Sorting<LabelOrder>| {
        query::parts_address(project, "labels", switches, sorting)
    };
    let content = if positions == 0 {
        view! { <p class="empty">"No position judged by two labelers yet. Numbers appear once two have saved work on the same document."</p> }
    } else {
        let rows: Vec<_> = parts
            .rows
            .iter()
            .map(|row| view! { <Row parts=parts.clone() row=row.clone() asked/> })
            .collect();
        view! {
            <Table label="Labels" class="rows parts">
                <caption class="visually-hidden">"Agreement of all labelers by label"</caption>
                <thead>
                    <tr>
                        <SortHead text="Label" order=LabelOrder::Label sorting address/>
                        <SortHead text="α" order=LabelOrder::Value sorting address number=true/>
                        <th scope="col">"Meaning"</th>
                        <th scope="col" class="number">"Fleiss’ κ"</th>
                        <SortHead text="Positions" order=LabelOrder::Positions sorting address number=true/>
                        <SortHead text="In dispute" order=LabelOrder::Disagreements sorting address number=true/>
                        <th scope="col" class="number">"Share"</th>
                        <th scope="col">"Others said"</th>
                        <th scope="col">"F1 by pair"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    let by_label =
        move |switches: Switches| query::parts_address(project, "labels", switches, &sorting);
    view! {
        <SwitchBar switches address=by_label any_measure=true positions=COMMON.positions>
            <Questions switches address=by_label/>
        </SwitchBar>
        <LiveLine project switches revision/>
        <Lead line="Lowest α first: labels that people understand differently, so explain these first." about="labels by agreement">
            <p>"Each row asks all labelers one question: “is it this label?” In the small bars, all short means everybody is unsure; one short bar per partner means one person has a habit of their own."</p>
            <p><small>"Krippendorff’s α of one label (2011), 95 % by leaving out one document after the other (Efron and Tibshirani 1993, chapter 11); Fleiss’ κ of one category (1971)."</small></p>
        </Lead>
        <p class="soft">{format!(
            "{} judged by two or more labelers, in {}.",
            display::count(positions, naming::position(switches.policy.positions())),
            display::count(documents, "document"),
        )}</p>
        {content}
    }
}

#[component]
fn Row(parts: Arc<LabelParts>, row: LabelPart, asked: Asked<LabelOrder>) -> impl IntoView {
    let Asked { project, switches, .. } = asked;
    let name = naming::label(row.label, &parts.labels);
    let of_label = PositionQuery {
        label: Some(row.label),
        ..PositionQuery::of(Whose::Labelers, parts.switches)
    };
    let counted = |outcome, count, what: &str| {
        let query = PositionQuery { outcome, ..of_label.clone() };
        view! { <td class="number"><Counted project count query of=format!("positions: {name}, {what}")/></td> }
    };
    let (positions, disputed) = (
        counted(PositionOutcome::Any, row.positions, "by anybody"),
        counted(PositionOutcome::Differ, row.disputed, "in dispute"),
    );
    let word = match row.alpha {
        _ if row.positions == 0 => "unused".into_any(),
        Measured::Value { .. } => {
            Band::claimed(row.confidence, switches.scale).map(Band::badge).into_any()
        }
        Measured::Undefined(reason) => reason.sentence().into_any(),
    };
    let interval = row.alpha.value().map(|_| {
        view! { <span class="soft interval">{display::confidence(row.confidence)}</span> }
    });
    let confusions: Vec<_> = row
        .confusions
        .iter()
        .take(CONFUSIONS)
        .map(|(set, count)| {
            let other = naming::category(set, &parts.labels);
            let query = PositionQuery { said: Some(set.clone()), ..of_label.clone() };
            let of = format!("positions: {name} and {other}");
            let count = *count;
            view! { <li><bdi>{other}</bdi>" "<Counted project count query of/></li> }
        })
        .collect();
    let bars: Vec<_> = row
        .small
        .iter()
        .map(|bar| {
            let (whose, title) = bar_words(&parts, bar);
            let query = PositionQuery { whose, ..of_label.clone() };
            let address = query::positions_address(project, &query);
            let positive = bar.positive;
            view! { <li><a href=address title=title.clone() aria-label=title><Bar share=positive/></a></li> }
        })
        .collect();
    view! {
        <tr>
            <th scope="row" dir="auto">{name.clone()}</th>
            <td class="number">{display::coefficient(row.alpha)}{interval}</td>
            <td>{word}</td>
            <td class="number">{display::coefficient(row.fleiss)}</td>
            {positions}
            {disputed}
            <td class="number">{percent(row.share)}</td>
            <td><ul class="plain-list">{confusions}</ul></td>
            <td><ul class="bars">{bars}</ul></td>
        </tr>
    }
}

/// Whose bar it is, and what it says.
fn bar_words(parts: &LabelParts, bar: &LabelBar) -> (Whose, String) {
    let first = naming::rater(bar.first, &parts.raters);
    let (whose, who) = match bar.second {
        Some(second) => {
            let name = naming::rater(second, &parts.raters);
            (Whose::Pair(bar.first, second), format!("{first} × {name}"))
        }
        None => (Whose::Pooled(bar.first, domain::Role::Labeler), format!("{first} × the others")),
    };
    let value = match bar.positive {
        Some(f1) => format!("F1 {}", display::decimals(f1, 2)),
        None => "given by neither".to_owned(),
    };
    (whose, format!("{who}: {value}, {}", display::count(bar.positions, "position")))
}
