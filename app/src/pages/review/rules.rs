//! Accepting by rule what labelers agree on: the rule, what it would decide, and its undo.

use domain::{
    AcceptPreview, AcceptRule, ActId, ActSummary, DocumentId, Label, LabelSet, Page, ProjectId,
    Switches,
};
use leptos::{form::ActionForm, prelude::*};
use leptos_meta::Title;

use crate::{
    ApiError,
    api::review::rules::{AcceptByRule, UndoRule},
    context::{answer, request},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            disagreements::chips::LabelChips,
            field::{Problem, refusal},
            live_line::LiveLine,
            loaded::Loaded,
            pager::{Pager, counted_rows},
            table::Table,
        },
        project::use_project_id,
    },
    query::{read, read_page, rule_address},
    view::view,
};

#[component]
pub(crate) fn RulesPage() -> impl IntoView {
    let project = use_project_id();
    let rule =
        AcceptRule { at_least: read(&in_query, "at_least"), label: read(&in_query, "label") };
    // Of fewer than two nothing is agreed: the usual rule then.
    let rule = rule.checked().unwrap_or(AcceptRule { at_least: None, ..rule });
    let asked = (rule, read_page(in_query), read(&in_query, "act"));
    let preview = load(load_preview(project, asked));
    view! {
        <Title text="Accept by rule"/>
        <div class="page wide">
            <p><a href=format!("/projects/{project}/reviews")>"← Reviews"</a></p>
            <h1>"Accept by rule"</h1>
            <p class="how">
                "Accepts at once what labelers agree on, wherever you have not decided and have not ended your review. Only labelers who have submitted the document count. Each decision says that it was made by rule; all of them are one act, with one undo."
            </p>
            <Loaded resource=preview titled=true view=move |preview| view! { <Rule project preview/> }/>
        </div>
    }
}

async fn load_preview(
    project: ProjectId,
    (rule, page, act): (AcceptRule, u64, Option<ActId>),
) -> Result<AcceptPreview, ApiError> {
    let (services, actor) = request()?;
    answer(services::review::preview_rule(&services, &actor, project, rule, page, act).await)
}

#[component]
fn Rule(project: ProjectId, preview: AcceptPreview) -> impl IntoView {
    let AcceptPreview {
        revision,
        rule,
        labels,
        positions,
        found,
        sets,
        documents,
        ended,
        seen,
        act,
    } = preview;
    let accept = ServerAction::<AcceptByRule>::new();
    let refused = refusal(accept.into());
    let acted = act.map(|act| view! { <Acted project rule act/> });
    let words = format!("Accept {}", display::count(positions, "position"));
    let capped = (found > positions).then(|| {
        let found = display::thousands(found);
        view! { <p class="notice">{format!("The rule finds {found} positions; one act decides the first {}. Run it again for the rest.", display::thousands(positions))}</p> }
    });
    let ended = (ended > 0).then(|| {
        let ended = display::count(ended, "document");
        view! { <p class="soft">{format!("{ended} with such positions left out: you have ended the review of them.")}</p> }
    });
    let content = if positions == 0 {
        view! { <p class="empty">"There is nothing to accept by this rule: you have decided wherever labelers agree like that, or they do not."</p> }
    } else {
        view! {
            {what(sets, labels.clone())}
            {whither(project, &documents)}
            <ActionForm action=accept attr:class="actions">
                <input type="hidden" name="project" value=project.to_string()/>
                {rule_fields(rule)}
                <input type="hidden" name="seen" value=seen/>
                <button class="primary">{words}</button>
            </ActionForm>
        }
    };
    let form = form(rule, &labels);
    view! {
        <LiveLine project switches=Switches::default() revision/>
        {acted}
        {form}
        <section class="stack" aria-labelledby="preview-title">
            <h2 id="preview-title">"What would be decided"</h2>
            <Problem refusal=refused/>
            {capped}
            {ended}
            {content}
            <Pager page=documents address=move |page| rule_address(project, rule, page, None)/>
        </section>
    }
}

/// The rule in a form that acts on it.
fn rule_fields(rule: AcceptRule) -> AnyView {
    view! {
        {rule.at_least.map(|least| view! { <input type="hidden" name="at_least" value=least.to_string()/> })}
        {rule.label.map(|label| view! { <input type="hidden" name="label" value=label.to_string()/> })}
    }
}

fn form(rule: AcceptRule, labels: &[Label]) -> AnyView {
    let options: Vec<_> = labels
        .iter()
        .map(|label| {
            let selected = rule.label == Some(label.id);
            view! { <option value=label.id.to_string() selected=selected>{label.name.clone()}</option> }
        })
        .collect();
    let least = [2_u32, 3, 4, 5, 6, 8, 10].map(|least| {
        let selected = rule.at_least == Some(least);
        view! { <option value=least.to_string() selected=selected>{format!("at least {least} labelers")}</option> }
    });
    let other = rule.at_least.filter(|least| ![2, 3, 4, 5, 6, 8, 10].contains(least)).map(|least| {
        view! { <option value=least.to_string() selected=true>{format!("at least {least} labelers")}</option> }
    });
    view! {
        <form method="get" class="filters">
            <div class="field">
                <label for="rule-least">"The same labels from"</label>
                <select id="rule-least" name="at_least">
                    <option value="" selected=rule.at_least.is_none()>"everybody who submitted (unanimous)"</option>
                    {least.into_iter().collect_view()}
                    {other}
                </select>
            </div>
            <div class="field">
                <label for="rule-label">"Label"</label>
                <select id="rule-label" name="label">
                    <option value="" selected=rule.label.is_none()>"any"</option>
                    {options}
                </select>
            </div>
            <button>"Preview"</button>
        </form>
    }
}

fn what(sets: Vec<(LabelSet, u64)>, labels: Vec<Label>) -> AnyView {
    let labels: std::sync::Arc<[Label]> = labels.into();
    let rows: Vec<_> = sets
        .into_iter()
        .map(|(set, n)| {
            let labels = labels.clone();
            view! {
                <tr>
                    <th scope="row"><LabelChips set labels/></th>
                    <td class="number">{display::thousands(n)}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <Table label="What would be accepted">
            <caption class="visually-hidden">"What would be accepted, on how many positions"</caption>
            <thead>
                <tr><th scope="col">"Labels"</th><th scope="col" class="number">"Positions"</th></tr>
            </thead>
            <tbody>{rows}</tbody>
        </Table>
    }
}

fn whither(project: ProjectId, documents: &Page<(DocumentId, String, u64)>) -> AnyView {
    let count = counted_rows(documents, "document");
    let rows: Vec<_> = documents
        .rows
        .iter()
        .map(|(document, name, n)| {
            let address = format!("/projects/{project}/gold/documents/{document}#open");
            view! {
                <tr>
                    <th scope="row"><a dir="auto" href=address>{name.clone()}</a></th>
                    <td class="number">{display::thousands(*n)}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <p class="soft number" role="status">{count}</p>
        <Table label="In which documents" class="rows documents">
            <caption class="visually-hidden">"Documents in which positions would be accepted"</caption>
            <thead>
                <tr><th scope="col">"Document"</th><th scope="col" class="number">"Positions"</th></tr>
            </thead>
            <tbody>{rows}</tbody>
        </Table>
    }
}

/// What was accepted just now, with its undo.
#[component]
fn Acted(project: ProjectId, rule: AcceptRule, act: ActSummary) -> impl IntoView {
    let undo = ServerAction::<UndoRule>::new();
    let refused = refusal(undo.into());
    let positions = display::count(act.positions, "position");
    let left = u64::try_from(act.left_alone.len()).unwrap_or(u64::MAX);
    let words = if !act.undone {
        format!("Accepted {positions}.")
    } else if left == 0 {
        format!("Undone: {positions}.")
    } else {
        format!(
            "Undone: {positions}, but for {} that were changed since or whose review has ended.",
            display::thousands(left)
        )
    };
    let button = (!act.undone).then(|| {
        view! {
            <ActionForm action=undo>
                <input type="hidden" name="project" value=project.to_string()/>
                {rule_fields(rule)}
                <input type="hidden" name="act" value=act.id.to_string()/>
                <button class="small" data-key="u">"Undo "<kbd aria-hidden="true">"U"</kbd></button>
            </ActionForm>
        }
    });
    view! {
        <div class="row acted notice good">
            <p role="status">{words}</p>
            {button}
            <Problem refusal=refused/>
        </div>
    }
}
