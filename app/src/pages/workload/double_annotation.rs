//! Which document to have annotated a second time.

use domain::{Measured, NoPrecision, Precision, ProjectId, SecondRow, SecondView};
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    ApiError,
    context::{answer, request},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            loaded::Loaded,
            pager::{Pager, counted_rows},
            table::{Hidden, Number, Table, Text, heads},
        },
        project::use_project_id,
    },
    query::read_page,
    view::view,
};

#[component]
pub(crate) fn SecondPage() -> impl IntoView {
    let project = use_project_id();
    let list = load(load_list(project, read_page(in_query)));
    view! {
        <Title text="Next best double annotation"/>
        <div class="page wide">
            <p><a href=format!("/projects/{project}/documents/workload")>"← Workload"</a></p>
            <h1>"Next best double annotation"</h1>
            <p class="how">
                "Documents that one labeler alone has worked on, those first whose second annotation is expected to make the agreement of all labelers (α) more certain than any other would."
                <small>"By the variance of a ratio estimate from clusters of unequal size (Cochran 1977) with the design effect of a document (Kish 1965): half-width = z √V / D_e. What a second labeler marks, and how often otherwise, is expected from what usually happens to marks with the same labels. It is a formula, so the width is near, not equal to that of the resampled interval beside the matrix."</small>
            </p>
            <Loaded resource=list titled=true view=move |list| view! { <Second project list/> }/>
        </div>
    }
}

async fn load_list(project: ProjectId, page: u64) -> Result<SecondView, ApiError> {
    let (services, actor) = request()?;
    answer(services::workload::double_annotation::list(&services, &actor, project, page).await)
}

#[component]
fn Second(project: ProjectId, list: SecondView) -> impl IntoView {
    let SecondView { alpha, documents, ratings, now, page } = list;
    let state = state(alpha, now, documents, ratings);
    let count = counted_rows(&page, "document");
    let content = if page.rows.is_empty() {
        view! { <p class="empty">"No document waits for a second labeler: each that somebody has worked on was given to others, too, or nothing is marked in it."</p> }
    } else {
        let rows: Vec<_> = page.rows.iter().map(|one| row(project, one, now.ok())).collect();
        view! {
            <Table label="Documents that wait for a second labeler" class="rows documents">
                <caption class="visually-hidden">"Documents that wait for a second labeler, the most useful first"</caption>
                {heads([
                    Text("Document"), Text("Done by"), Number("Marks"),
                    Number("Half-width now"), Number("With it"), Text("Why"), Hidden("Assign"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    let address = move |page: u64| {
        format!("/projects/{project}/documents/second?page={}", page.saturating_add(1))
    };
    view! {
        {state}
        <p class="soft number" role="status">{count}</p>
        {content}
        <Pager page address/>
    }
}

/// The coefficient as it is, and how certain.
fn state(
    alpha: Measured,
    now: Result<Precision, NoPrecision>,
    documents: u64,
    ratings: u64,
) -> AnyView {
    let value = display::coefficient(alpha);
    let of = format!(
        "{} on {}",
        display::count(ratings, "rating"),
        display::count(documents, "document")
    );
    match now {
        Ok(Precision { half_width, disagreement, correlation }) => view! {
            <p>
                {format!("α = {value} ± {} (95 %), from {of}; {} of the ratings disagree, and those of one document {}.", display::decimals(half_width, 3), percent(disagreement), together(correlation))}
            </p>
        },
        Err(reason) => view! {
            <p class="notice">
                {format!("α = {value}, from {of}. Nothing can be said of its interval yet: {}. Documents with most to compare come first.", no_precision(reason))}
            </p>
        },
    }
}

fn no_precision(reason: NoPrecision) -> &'static str {
    match reason {
        NoPrecision::NoValue(_) => "the coefficient has no value",
        NoPrecision::TooFewDocuments => "it takes two documents that two labelers have worked on",
        NoPrecision::NoVariance => "all documents that were done twice disagree alike",
    }
}

fn together(correlation: f64) -> String {
    if correlation < 0.005 {
        "do not do so together".to_owned()
    } else {
        format!("do so together (intraclass correlation {})", display::decimals(correlation, 2))
    }
}

fn percent(share: f64) -> String {
    format!("{} %", display::decimals(100.0 * share, 0))
}

fn row(project: ProjectId, row: &SecondRow, now: Option<Precision>) -> AnyView {
    let SecondRow { name, place, labeler_name, submitted, marks, half_width, .. } = row;
    let width = |width: Option<f64>| {
        width.map_or_else(|| "–".to_owned(), |width| format!("± {}", display::decimals(width, 3)))
    };
    let assign = format!(
        "/projects/{project}/documents/workload?kind=overlap&copies=2&first={place}&last={place}#preview"
    );
    let label = format!("Give {name} to a second labeler");
    let state = if *submitted { "submitted" } else { "in work" };
    view! {
        <tr>
            <th scope="row" dir="auto">{name.clone()}</th>
            <td><bdi>{labeler_name.clone()}</bdi>", "{state}</td>
            <td class="number">{display::thousands(*marks)}</td>
            <td class="number">{width(now.map(|now| now.half_width))}</td>
            <td class="number">{width(*half_width)}</td>
            <td class="soft">{why(row, now)}</td>
            <td class="tools"><a class="button small" href=assign aria-label=label>"Assign…"</a></td>
        </tr>
    }
}

/// The reason in words: how much there is to compare, and how much of it is in dispute.
fn why(row: &SecondRow, now: Option<Precision>) -> String {
    let compared = display::decimals(row.compared, 0);
    let share = if row.compared > 0.0 { row.disagreeing / row.compared } else { 0.0 };
    let much = format!(
        "about {compared} positions to compare, {} of them expected to differ",
        percent(share)
    );
    match now {
        Some(now) if share > now.disagreement + 0.1 => {
            format!(
                "{much}: more than the usual {}, so it is less like the others",
                percent(now.disagreement)
            )
        }
        Some(now) if share < now.disagreement - 0.1 => {
            format!(
                "{much}: less than the usual {}, so it is less like the others",
                percent(now.disagreement)
            )
        }
        Some(now) if row.half_width.is_some_and(|width| width >= now.half_width) => {
            format!(
                "{much}; it would widen the interval: positions of one document disagree together"
            )
        }
        _ => much,
    }
}

#[cfg(test)]
mod tests {
    use domain::{DocumentId, MemberId};

    use super::*;

    #[test]
    fn the_reason_says_how_much_there_is_and_whether_it_is_unlike_the_rest() {
        let row = |disagreeing| SecondRow {
            document: DocumentId(1),
            name: "one".to_owned(),
            place: 1,
            labeler: MemberId(1),
            labeler_name: String::new(),
            submitted: true,
            marks: 30,
            compared: 20.0,
            disagreeing,
            half_width: Some(0.1),
        };
        let now = Some(Precision { half_width: 0.2, disagreement: 0.2, correlation: 0.0 });
        assert_eq!(
            why(&row(4.0), now),
            "about 20 positions to compare, 20 % of them expected to differ"
        );
        assert!(
            why(&row(10.0), now)
                .ends_with("more than the usual 20 %, so it is less like the others")
        );
    }
}
