//! The present values, in tables that the page's script completes with the predicted ones.

use domain::{
    AgreementSnapshot, Confidence, CoverageView, Measure, Measured, Page, PairCell, PooledCell,
    ProjectId, Role, SeveralMeasure, SeveralView, Switches,
};

use crate::pages::components::prelude::*;

/// As many pairs are on a page: those of twenty raters.
const PAIRS: usize = 200;

/// Decimals of a value; one more than the matrix has, since changes can be small.
const PLACES: usize = 3;

/// A table of values, present and predicted.
fn table(id: &'static str, title: &'static str, subject: &'static str, rows: AnyView) -> AnyView {
    let id_of_title = || format!("{id}-title");
    view! {
        <section class="stack" aria-labelledby=id_of_title()>
            <h2 id=id_of_title()>{title}</h2>
            <div class="scroll-x" role="region" aria-labelledby=id_of_title() tabindex="0">
                <table class="rows what-if" id=id>
                    <caption class="visually-hidden">{format!("{title}: present and predicted values")}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{subject}</th>
                            <th scope="col" class="number">"Present"</th>
                            <th scope="col" class="number">"Predicted"</th>
                            <th scope="col">"Difference"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </section>
    }
}

/// A row: what it is of, its key for the script, and the present value.
fn row(head: AnyView, key: String, present: AnyView) -> AnyView {
    view! {
        <tr data-row=key>
            <th scope="row">{head}</th>
            <td class="number">{present}</td>
            <td class="number" data-own="" data-predicted=""><span class="soft">"…"</span></td>
            <td data-own="" data-difference=""></td>
        </tr>
    }
}

/// A present value with its interval and what it rests on; the script shows predicted ones alike.
fn value(measured: Measured, interval: Option<(f64, f64)>, basis: String) -> AnyView {
    let number = match measured {
        Measured::Value { value, .. } => {
            view! { <strong class="value">{display::decimals(value, PLACES)}</strong> }
        }
        Measured::Undefined(reason) => {
            view! { <span class="value">"–"</span><span class="why soft">{reason.sentence()}</span> }
        }
    };
    let interval = interval.map(|(lower, upper)| {
        let words = format!(
            "{} to {}",
            display::decimals(lower, PLACES),
            display::decimals(upper.min(1.0), PLACES)
        );
        view! { <span class="interval soft">{words}</span> }
    });
    view! { {number}{interval}<span class="interval soft">{basis}</span> }
}

/// "n = 6 of 8".
fn basis(n: u64, coverage: CoverageView) -> String {
    format!("n = {} of {}", display::thousands(n), display::thousands(coverage.positions()))
}

/// So many raters have a matrix of differences; more are in the table of pairs.
const RATERS: usize = 24;

/// By how much each pair would differ; the script fills it in.
#[component]
pub(super) fn Differences(snapshot: AgreementSnapshot) -> impl IntoView {
    let raters = &snapshot.raters;
    if raters.len() > RATERS {
        return None;
    }
    let heads = raters.iter().map(|rater| {
        let (name, title) = (rater.name.clone(), rater.name.clone());
        view! { <th scope="col" dir="auto" title=title><span class="name">{name}</span></th> }
    });
    let heads = heads.collect_view();
    let rows = raters.iter().enumerate().map(|(place, row)| {
        let cells = raters.iter().enumerate().map(|(other, column)| {
            if place == other {
                return view! { <td class="cell same">"—"</td> };
            }
            let (first, second) = if place < other { (row, column) } else { (column, row) };
            view! { <td class="cell difference" data-own="" data-of=format!("0-{}-{}", first.id, second.id)></td> }
        });
        let (name, title) = (row.name.clone(), row.name.clone());
        view! {
            <tr>
                <th scope="row" dir="auto" title=title><span class="name">{name}</span></th>
                {cells.collect_view()}
            </tr>
        }
    });
    Some(view! {
        <div class="matrix-region" role="region" aria-labelledby="differences-caption" tabindex="0">
            <table class="matrix differences">
                <caption id="differences-caption" class="visually-hidden">"Predicted change of every two raters"</caption>
                <thead><tr><th scope="col" class="corner">"Change"</th>{heads}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    })
}

/// All labelers at once.
#[component]
pub(super) fn LabelersTable(several: Option<SeveralView>) -> impl IntoView {
    several.map(|several| {
        let n = several.n;
        let rows = several.rows.into_iter().map(|of| {
            let (place, name) = match of.measure {
                SeveralMeasure::FleissKappa => (0, "Fleiss’ κ"),
                SeveralMeasure::Alpha => (1, "Krippendorff’s α"),
                SeveralMeasure::Percent => (2, "Percentage"),
            };
            let basis = format!("n = {}", display::thousands(n));
            row(name.into_any(), format!("3-{place}-0"), value(of.measured, None, basis))
        });
        table(
            "what-if-labelers",
            "All labelers together",
            "Measure",
            rows.collect_view().into_any(),
        )
    })
}

/// Each rater against all labelers, and against all reviewers.
#[component]
pub(super) fn PooledTable(snapshot: AgreementSnapshot) -> impl IntoView {
    let rows = snapshot.pooled.iter().map(|cell| {
        let &PooledCell { rater, with, measured, n, coverage } = cell;
        let (kind, others) = match with {
            Role::Reviewer => (2, "all reviewers"),
            Role::Labeler | Role::Manager => (1, "all labelers"),
        };
        let name = naming::rater(rater, &snapshot.raters);
        let head = view! { <bdi>{name}</bdi>" and "{others} };
        row(head, format!("{kind}-{rater}-0"), value(measured, None, basis(n, coverage)))
    });
    let rows = rows.collect_view().into_any();
    (!snapshot.pooled.is_empty())
        .then(|| table("what-if-pooled", "Each person against all others", "Person", rows))
}

/// Every pair, a page at a time.
#[component]
pub(super) fn PairsTable<F>(
    snapshot: AgreementSnapshot,
    /// From 0.
    page: u64,
    /// The address of a page by its number.
    to_page: F,
) -> impl IntoView
where
    F: Fn(u64) -> String,
{
    let AgreementSnapshot { project, switches, ref cells, ref raters, .. } = snapshot;
    let skipped = usize::try_from(page).unwrap_or(usize::MAX).saturating_mul(PAIRS);
    let count = |size: usize| u64::try_from(size).unwrap_or(u64::MAX);
    let shown = Page {
        rows: cells.iter().skip(skipped).take(PAIRS).collect::<Vec<_>>(),
        total: count(cells.len()),
        number: page,
        size: count(PAIRS),
    };
    let rows = shown.rows.iter().map(|cell| {
        let names = [cell.first, cell.second].map(|rater| naming::rater(rater, raters));
        pair(project, switches, cell, names)
    });
    let rows = table("what-if-pairs", "Pairs", "Pair", rows.collect_view().into_any());
    let words = counted_rows(&shown, "pair");
    view! {
        {rows}
        <p class="soft number">{words}</p>
        <Pager page=shown address=to_page/>
    }
}

fn pair(project: ProjectId, switches: Switches, cell: &PairCell, names: [String; 2]) -> AnyView {
    let [first, second] = names;
    let address = query::pair_address(project, cell.first, cell.second, switches);
    let head = view! { <a href=address><bdi>{first}</bdi>" and "<bdi>{second}</bdi></a> };
    let interval = match (switches.measure, cell.confidence) {
        (Measure::Kappa, Confidence::Interval { lower, upper }) => Some((lower, upper)),
        _ => None,
    };
    let present = value(cell.measured, interval, basis(cell.n, cell.coverage));
    row(head, format!("0-{}-{}", cell.first, cell.second), present)
}
