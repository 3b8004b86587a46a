//! How much a file would have, what it would not hold, and the way to take it away.

use domain::{Documents, ExportPreview, ExportQuery, LossCount, ProjectId};

use crate::pages::components::prelude::*;

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
        let text = format!("Nothing to export: no {state} work yet.");
        return view! { <p class="empty">{text}</p> };
    }
    let kind = if query.format.is_zip(query.what) { "a zip" } else { "one file" };
    let unit = (display::count(documents, "document"), display::count(spans, "span"));
    let amount = if complete {
        format!("{} with {}, as {kind}.", unit.0, unit.1)
    } else {
        format!(
            "More than {} with {}, as {kind}. Losses here are for these only; the list below counts all.",
            unit.0, unit.1
        )
    };
    let lost = if losses.is_empty() {
        let text = if complete { "No losses." } else { "No losses in these." };
        view! { <p class="notice good">{text}</p> }
    } else {
        let inside = query
            .format
            .is_zip(query.what)
            .then_some(" Full list in the zip: concord-losses.json and concord-losses.csv.");
        view! {
            <Losses losses/>
            <p class="row">
                <span class="soft">"Full list: "</span>
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
        <Table label="Losses">
            <caption>"What this format cannot hold"</caption>
            {heads([Text("Reason"), Text("What happens"), Number("Count"), Text("Example")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}
