//! The limits that are set, and the form that sets another one.

use std::fmt::Display;

use domain::{AlertRule, AlertSubject, Documents, Measure, PolicyChoice, ProjectId};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::agreement::alerts::{AddLimit, RemoveLimit},
    display,
    pages::components::{
        alert_notices::symbol,
        field::{Field, Problem, refusal},
        table::{Hidden, Number, Table, Text, heads},
    },
    view::view,
};

/// The limits as a table, each with a button that removes it.
#[component]
pub(super) fn Limits(project: ProjectId, rules: Vec<AlertRule>) -> impl IntoView {
    let remove = ServerAction::<RemoveLimit>::new();
    let refused = refusal(remove.into());
    let table = if rules.is_empty() {
        view! { <p class="empty">"No limit is set."</p> }
    } else {
        let rows = rules
            .into_iter()
            .map(|AlertRule { id, rule, created_at }| {
                let what = symbol(rule.measure, rule.subject);
                let limit = display::decimals(rule.limit, 2);
                let label = format!("Remove the limit {limit} on {what}");
                view! {
                    <tr>
                        <th scope="row">{subject_name(rule.subject)}</th>
                        <td>{what}</td>
                        <td>{policy_name(rule.policy)}</td>
                        <td>{documents_name(rule.documents)}</td>
                        <td class="number">{limit}</td>
                        <td class="number">{display::thousands(rule.minimum_n)}</td>
                        <td class="time">{display::time(created_at)}</td>
                        <td class="tools">
                            <ActionForm action=remove>
                                <input type="hidden" name="project" value=project.to_string()/>
                                <input type="hidden" name="limit" value=id.to_string()/>
                                <button class="small" aria-label=label>"Remove"</button>
                            </ActionForm>
                        </td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <Table label="Limits">
                <caption class="visually-hidden">"Limits on agreement"</caption>
                {heads([
                    Text("Of"), Text("Measure"), Text("One-sided positions"),
                    Text("Documents"), Number("Limit"), Number("From positions"), Text("Set"),
                    Hidden("Remove"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <section class="stack" aria-labelledby="limits">
            <h2 id="limits">"Limits"</h2>
            {table}
            <Problem refusal=refused/>
            <NewLimit project/>
        </section>
    }
}

/// Sets a limit.
#[component]
fn NewLimit(project: ProjectId) -> impl IntoView {
    let add = ServerAction::<AddLimit>::new();
    let refused = refusal(add.into());
    let subjects = AlertSubject::ALL.iter().map(|&subject| (subject, subject_name(subject)));
    let measures = Measure::ALL.iter().map(|&measure| (measure, measure_name(measure)));
    let policies = PolicyChoice::ALL.iter().map(|&policy| (policy, policy_name(policy)));
    let documents = Documents::ALL.iter().map(|&documents| (documents, documents_name(documents)));
    view! {
        <ActionForm action=add attr:class="card stack">
            <h3>"Set a limit"</h3>
            <input type="hidden" name="project" value=project.to_string()/>
            <div class="fields">
                {choice("subject", "Of", subjects)}
                {choice("measure", "Measure", measures)}
                {choice("policy", "One-sided positions", policies)}
                {choice("documents", "Documents", documents)}
                <Field form="limit" name="limit" label="Limit" initial="0.6" hint="Between −1 and 1, as in 0.6." refusal=refused.clone()/>
                <Field form="limit" name="minimum_n" label="From positions" initial="50" hint="Fewer raise no alert." refusal=refused.clone()/>
            </div>
            <p class="soft">"Of all labelers at once there are κ (Fleiss), α and the percentage."</p>
            <Problem refusal=refused fields=&["limit", "minimum_n"]/>
            <div class="actions"><button class="primary">"Set limit"</button></div>
        </ActionForm>
    }
}

fn choice<T: Display>(
    name: &'static str,
    text: &'static str,
    choices: impl Iterator<Item = (T, &'static str)>,
) -> AnyView {
    let id = format!("limit-{name}");
    let options = choices
        .map(|(value, text)| view! { <option value=value.to_string()>{text}</option> })
        .collect_view();
    view! {
        <div class="field">
            <label for=id.clone()>{text}</label>
            <select id=id name=name>{options}</select>
        </div>
    }
}

const fn subject_name(subject: AlertSubject) -> &'static str {
    match subject {
        AlertSubject::AllLabelers => "all labelers at once",
        AlertSubject::LabelerPair => "any two labelers",
        AlertSubject::ReviewerPair => "any labeler with any reviewer",
    }
}

const fn measure_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Kappa => "κ",
        Measure::Alpha => "Krippendorff’s α",
        Measure::Pi => "Scott’s π",
        Measure::S => "Bennett’s S",
        Measure::Ac1 => "Gwet’s AC1",
        Measure::Percent => "Percentage, as a share of 1",
        Measure::F1 => "F1 (exact spans)",
    }
}

const fn policy_name(policy: PolicyChoice) -> &'static str {
    match policy {
        PolicyChoice::Cleaned => "cleaned",
        PolicyChoice::EmptyLabel => "empty label",
    }
}

const fn documents_name(documents: Documents) -> &'static str {
    match documents {
        Documents::Saved => "saved",
        Documents::Submitted => "submitted",
    }
}
