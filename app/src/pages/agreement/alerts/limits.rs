//! The limits that are set, and the form that sets another one.

use std::fmt::Display;

use domain::{AlertRule, AlertSubject, Documents, Measure, PolicyChoice, ProjectId};

use crate::{
    api::agreement::alerts::{AddLimit, RemoveLimit},
    pages::components::{
        agreement::matrix::controls::switch_bar::{
            POLICY, documents_name, measure_name, policy_name,
        },
        prelude::*,
    },
};

/// The limits as a table, each with a button that removes it.
#[component]
pub(super) fn Limits(project: ProjectId, rules: Vec<AlertRule>) -> impl IntoView {
    let (remove, refused) = form_action::<RemoveLimit>();
    let table = if rules.is_empty() {
        view! { <p class="empty">"No limits."</p> }
    } else {
        let rows = rules
            .into_iter()
            .map(|AlertRule { id, rule, created_at }| {
                let what = rule.measure.called(rule.subject);
                let limit = display::decimals(rule.limit, 2);
                let label = format!("Remove limit {limit} on {what}");
                view! {
                    <tr>
                        <th scope="row">{subject_name(rule.subject)}</th>
                        <td>{what}</td>
                        <td>{policy_name(rule.policy)}</td>
                        <td>{documents_name(rule.documents)}</td>
                        <td class="number">{limit}</td>
                        <td class="number">{display::thousands(rule.minimum_n)}</td>
                        <td class="time"><Moment at=created_at/></td>
                        <td class="tools">
                            <ActionForm action=remove>
                                {hidden_fields([("project", &project), ("limit", &id)])}
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
                    Text("Of"), Text("Measure"), Text(POLICY),
                    Text("Documents"), Number("Limit"), Number("Minimum positions"), Text("Set"),
                    Hidden("Remove"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <Section title_id="limits" title="Limits">
            <Lead line="An alert is raised when the lower bound of the 95 % interval falls below a limit." about="alerts">
                <p>"Agreement below the limit can then no longer be ruled out. The alert is cleared when the lower bound is back at the limit or above. Checked about ten seconds after a save."</p>
            </Lead>
            {table}
            <Problem refusal=refused/>
            <NewLimit project/>
        </Section>
    }
}

/// Sets a limit.
#[component]
fn NewLimit(project: ProjectId) -> impl IntoView {
    let (add, refused) = form_action::<AddLimit>();
    let subjects = AlertSubject::ALL.iter().map(|&subject| (subject, subject_name(subject)));
    let measures = Measure::OF_LABELS.map(|measure| (measure, limit_name(measure))).into_iter();
    let policies = PolicyChoice::HEADLINES.iter().map(|&policy| (policy, policy_name(policy)));
    let documents = Documents::ALL.iter().map(|&documents| (documents, documents_name(documents)));
    view! {
        <ActionForm action=add attr:class="card stack">
            <h3>"New limit"</h3>
            <input type="hidden" name="project" value=project.to_string()/>
            <div class="fields">
                {choice("subject", "Of", subjects)}
                {choice("measure", "Measure", measures)}
                {choice("policy", POLICY, policies)}
                {choice("documents", "Documents", documents)}
                <Field form="limit" name="limit" label="Limit" initial="0.6" hint="−1 to 1, such as 0.6." refusal=refused.clone()/>
                <Field form="limit" name="minimum_n" label="Minimum positions" initial="50" hint="Fewer: no alert." refusal=refused.clone()/>
            </div>
            <p class="soft">"For all labelers together: κ (Fleiss), α or percentage."</p>
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
    let options = choices.map(|(value, text)| (value.to_string(), text.to_owned(), false));
    select_field(format!("limit-{name}"), name, text, options)
}

const fn subject_name(subject: AlertSubject) -> &'static str {
    match subject {
        AlertSubject::AllLabelers => "all labelers together",
        AlertSubject::LabelerPair => "any two labelers",
        AlertSubject::ReviewerPair => "any labeler with any reviewer",
    }
}

const fn limit_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Kappa => "κ",
        Measure::Percent => "Percentage (0 to 1)",
        Measure::F1 => "F1 (exact spans)",
        measure => measure_name(measure),
    }
}
