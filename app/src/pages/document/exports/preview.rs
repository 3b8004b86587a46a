//! How much a file would have, what it would not hold, and the way to take it away.

use domain::{Documents, ExportPreview, ExportQuery, LossCount, ProjectId};
use leptos::prelude::*;

use crate::{
    display,
    pages::components::table::{Number, Table, Text, heads},
    view::view,
};

#[component]
pub(super) fn Preview(
    project: ProjectId,
    query: ExportQuery,
    preview: ExportPreview,
) -> impl IntoView {
    let ExportPreview { documents, spans, losses, complete } = preview;
    let address = |path: &str, more: &str| {
        let ExportQuery { what, format, documents } = query;
        format!(
            "/api/v1/projects/{project}/exports{path}?what={what}&format={format}&documents={documents}{more}"
        )
    };
    if documents == 0 && complete {
        let state = match query.documents {
            Documents::Saved => "saved",
            Documents::Submitted => "submitted",
        };
        let text = format!("There is nothing to take away: no such work is {state} yet.");
        return view! { <p class="empty">{text}</p> };
    }
    let kind = if query.format.is_zip(query.what) { "a zip" } else { "one file" };
    let unit = (display::count(documents, "document"), display::count(spans, "span"));
    let amount = if complete {
        format!("{} with {}, as {kind}.", unit.0, unit.1)
    } else {
        format!(
            "More than {} with {}, as {kind}. What is lost is counted for these only; the list below counts all.",
            unit.0, unit.1
        )
    };
    let lost = if losses.is_empty() {
        let text = if complete {
            "Nothing is lost: the format holds all of it."
        } else {
            "Nothing is lost of these."
        };
        view! { <p class="notice good">{text}</p> }
    } else {
        let inside = query.format.is_zip(query.what).then_some(
            " The zip holds the complete list as concord-losses.json and concord-losses.csv.",
        );
        view! {
            <Losses losses/>
            <p class="row">
                <span class="soft">"The complete list: "</span>
                <a download="" href=address("/losses", "&form=csv")>"CSV"</a>
                <a download="" href=address("/losses", "&form=json")>"JSON"</a>
                <span class="soft">{inside}</span>
            </p>
        }
    };
    view! {
        <section class="card stack" aria-labelledby="export-preview">
            <h2 id="export-preview">{query.format.title()}</h2>
            <p class="number">{amount}</p>
            {lost}
            <p><a class="button primary" download="" href=address("", "")>"Download"</a></p>
        </section>
    }
}

/// What would not be in the file as it is, by reason.
#[component]
fn Losses(losses: Vec<LossCount>) -> impl IntoView {
    let rows: Vec<_> = losses
        .into_iter()
        .map(|LossCount { reason, left_out, count, example }| {
            let (sign, word, class) =
                if left_out { ("■", "missing", "danger") } else { ("○", "kept", "soft") };
            view! {
                <tr>
                    <th scope="row">{reason.replace('-', " ")}</th>
                    <td><span class=format!("badge {class}")><span aria-hidden="true">{sign}</span>{word}</span></td>
                    <td class="number">{display::thousands(count)}</td>
                    <td><bdi>{example}</bdi></td>
                </tr>
            }
        })
        .collect();
    view! {
        <Table label="What the format cannot hold">
            <caption>"What this format cannot hold as it is"</caption>
            {heads([Text("Reason"), Text("The spans are"), Number("How often"), Text("The first one")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}
