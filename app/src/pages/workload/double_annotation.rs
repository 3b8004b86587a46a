//! Which document to have annotated a second time.

use domain::{Measured, NoPrecision, Precision, ProjectId, SecondRow, SecondView};

use crate::{pages::components::prelude::*, query::read_page};

#[component]
pub(crate) fn SecondPage() -> impl IntoView {
    let project = use_project_id();
    let page = read_page(in_query);
    let list = load_with(move |services, actor| async move {
        services::workload::double_annotation::list(&services, &actor, project, page).await
    });
    view! {
        <PageBody title="Next best double annotation" class="page" back=(format!("/projects/{project}/work/people"), "← People")>
            <Lead line="Documents with one labeler, most useful for a second one first." about="next best double annotation">
                <p>"Most useful means: a second annotation is expected to make the agreement of all labelers (α) more certain than any other would."</p>
                <p><small>"By the variance of a ratio estimate from clusters of unequal size (Cochran 1977) with the design effect of a document (Kish 1965): half-width = z √V / D_e. What a second labeler marks, and how often otherwise, is expected from what usually happens to spans with the same labels. As this is a formula, the width is near but not equal to that of the resampled interval beside the matrix."</small></p>
            </Lead>
            <Loaded resource=list titled=true view=move |list| view! { <Second project list/> }/>
        </PageBody>
    }
}

#[component]
fn Second(project: ProjectId, list: SecondView) -> impl IntoView {
    let SecondView { alpha, documents, ratings, now, page } = list;
    let state = state(alpha, now, documents, ratings);
    let count = counted_rows(&page, "document");
    let content = if page.rows.is_empty() {
        view! { <p class="empty">"No candidates: every document with spans is assigned to others, too."</p> }
    } else {
        let rows: Vec<_> = page.rows.iter().map(|one| row(project, one, now.ok())).collect();
        view! {
            <Table label="Candidates for a second labeler" class="rows documents">
                <caption class="visually-hidden">"Candidates for a second labeler, most useful first"</caption>
                {heads([
                    Text("Document"), Text("Done by"), Number("Spans"),
                    Number("Half-width now"), Number("After"), Text("Why"), Hidden("Assign"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    let address =
        move |page: u64| format!("/projects/{project}/work/second?page={}", page.saturating_add(1));
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
                {format!("α = {value} ± {} (95 %), from {of}; {} of ratings disagree; within a document, they {}.", display::decimals(half_width, 3), percent(disagreement), together(correlation))}
            </p>
        },
        Err(reason) => view! {
            <p class="notice">
                {format!("α = {value}, from {of}. No interval yet: {}. Documents with the most to compare come first.", no_precision(reason))}
            </p>
        },
    }
}

fn no_precision(reason: NoPrecision) -> &'static str {
    match reason {
        NoPrecision::NoValue(_) => "the coefficient has no value",
        NoPrecision::TooFewDocuments => "two documents with two labelers are needed",
        NoPrecision::NoVariance => "all double-annotated documents disagree equally",
    }
}

fn together(correlation: f64) -> String {
    if correlation < 0.005 {
        "do not cluster".to_owned()
    } else {
        format!("cluster (intraclass correlation {})", display::decimals(correlation, 2))
    }
}

fn percent(share: f64) -> String {
    format!("{}\u{a0}%", display::decimals(100.0 * share, 0))
}

fn row(project: ProjectId, row: &SecondRow, now: Option<Precision>) -> AnyView {
    let SecondRow { name, place, labeler_name, submitted, spans, half_width, .. } = row;
    let width = |width: Option<f64>| {
        width.map_or_else(|| "–".to_owned(), |width| format!("± {}", display::decimals(width, 3)))
    };
    let assign = format!(
        "/projects/{project}/work/people?kind=overlap&overlap=2&first={place}&last={place}#preview"
    );
    let label = format!("Assign {name} to a second labeler");
    let state = if *submitted { "submitted" } else { "in progress" };
    view! {
        <tr>
            <th scope="row" dir="auto">{name.clone()}</th>
            <td><bdi>{labeler_name.clone()}</bdi>", "{state}</td>
            <td class="number">{display::thousands(*spans)}</td>
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
            format!("{much}: more than the usual {}", percent(now.disagreement))
        }
        Some(now) if share < now.disagreement - 0.1 => {
            format!("{much}: less than the usual {}", percent(now.disagreement))
        }
        Some(now) if row.half_width.is_some_and(|width| width >= now.half_width) => {
            format!("{much}; would widen the interval, as disagreements cluster")
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
            spans: 30,
            compared: 20.0,
            disagreeing,
            half_width: Some(0.1),
        };
        let now = Some(Precision { half_width: 0.2, disagreement: 0.2, correlation: 0.0 });
        assert_eq!(
            why(&row(4.0), now),
            "about 20 positions to compare, 20\u{a0}% of them expected to differ"
        );
        assert!(why(&row(10.0), now).ends_with("more than the usual 20\u{a0}%"));
    }
}
