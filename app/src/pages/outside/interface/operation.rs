//! One operation of the interface: what is sent, and what may be answered.

use super::described::{Operation, Parameter, Response};
use crate::pages::components::prelude::*;

/// An operation, folded to its name, method and path.
#[component]
pub(super) fn OperationView(operation: Operation) -> impl IntoView {
    let Operation { method, path, summary, description, parameters, example, responses, .. } =
        operation;
    let example = example.map(|example| {
        view! {
            <h4>"Example request"</h4>
            <pre tabindex="0"><code>{example}</code></pre>
        }
    });
    view! {
        <details class="card operation">
            <summary>
                <h3>{summary}</h3>
                <code><strong>{method}</strong> " " {path}</code>
            </summary>
            <p>{description}</p>
            <Parameters parameters/>
            {example}
            <Responses responses/>
        </details>
    }
}

#[component]
fn Parameters(parameters: Vec<Parameter>) -> impl IntoView {
    let rows = parameters.into_iter().map(|Parameter { name, place, kind, description }| {
        view! {
            <tr>
                <th scope="row"><code>{name}</code></th>
                <td>{place}</td>
                <td>{kind}</td>
                <td>{description}</td>
            </tr>
        }
    });
    let rows = rows.collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <Table label="Request">
                {heads([Text("Parameter"), Text("In"), Text("Kind"), Text("Meaning")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    })
}

#[component]
fn Responses(responses: Vec<Response>) -> impl IntoView {
    let rows = responses.into_iter().map(|Response { status, description, content }| {
        view! {
            <tr>
                <th scope="row">{status}</th>
                <td>{content}</td>
                <td>{description}</td>
            </tr>
        }
    });
    view! {
        <Table label="Responses">
            {heads([Text("Status"), Text("Content"), Text("Meaning")])}
            <tbody>{rows.collect_view()}</tbody>
        </Table>
    }
}
