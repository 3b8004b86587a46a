//! Accepting by rule what labelers agree on: the rule, what it would decide, and its undo.

use domain::{
    AcceptPreview, AcceptRule, ActSummary, DocumentId, Label, LabelSet, Page, ProjectId, Switches,
};

use crate::{
    api::review::rules::{AcceptByRule, UndoRule},
    pages::components::{agreement::disagreements::chips::LabelChips, prelude::*},
    query::{read, read_page, rule_address},
};

#[component]
pub(crate) fn RulesPage() -> impl IntoView {
    let project = use_project_id();
    let rule =
        AcceptRule { at_least: read(&in_query, "at_least"), label: read(&in_query, "label") };
    // Of fewer than two nothing is agreed: the usual rule then.
    let rule = rule.checked().unwrap_or(AcceptRule { at_least: None, ..rule });
    let (page, act) = (read_page(in_query), read(&in_query, "act"));
    let preview = load_with(move |services, actor| async move {
        services::review::preview_rule(&services, &actor, project, rule, page, act).await
    });
    view! {
        <PageBody title="Accept what labelers agree on" class="page" back=(format!("/projects/{project}/review"), "← Reviews")>
            <Lead line="Accept in one step what labelers agree on, wherever you have not decided." about="accepting agreed positions">
                <p>"Only submitted work counts; documents whose review you have finished are skipped. Each decision is recorded as made by rule, and one undo reverts them all."</p>
            </Lead>
            <Loaded resource=preview titled=true view=move |preview| view! { <Rule project preview/> }/>
        </PageBody>
    }
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
        waiting,
        seen,
        act,
    } = preview;
    let (accept, refused) = form_action::<AcceptByRule>();
    let acted = act.map(|act| view! { <Acted project rule act/> });
    let words = format!("Accept {}", display::count(positions, "position"));
    let capped = (found > positions).then(|| {
        let found = display::thousands(found);
        view! { <p class="notice">{format!("{found} positions found; this accepts the first {}. Run it again for the rest.", display::thousands(positions))}</p> }
    });
    let ended = (ended > 0).then(|| {
        let ended = display::count(ended, "document");
        view! { <p class="soft">{format!("{ended} skipped: you have finished their review.")}</p> }
    });
    let waiting = (waiting > 0).then(|| {
        let waiting = display::count(waiting, "document");
        view! { <p class="soft">{format!("{waiting} skipped: not all labelers have finished.")}</p> }
    });
    let content = if positions == 0 {
        view! { <p class="empty">"Nothing to accept: no undecided position with this agreement."</p> }
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
        <Section title_id="preview-title" title="Preview">
            <Problem refusal=refused/>
            {capped}
            {ended}
            {waiting}
            {content}
            <Pager page=documents address=move |page| rule_address(project, rule, page, None)/>
        </Section>
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
    const LEAST: [u32; 7] = [2, 3, 4, 5, 6, 8, 10];
    let other = rule.at_least.filter(|least| !LEAST.contains(least));
    let everybody = "all labelers".to_owned();
    let everybody = (String::new(), everybody, rule.at_least.is_none());
    let least = LEAST.into_iter().chain(other).map(|least| {
        let words = format!("at least {least} labelers");
        (least.to_string(), words, rule.at_least == Some(least))
    });
    let least = [everybody].into_iter().chain(least);
    let labels = labels
        .iter()
        .map(|label| (label.id.to_string(), label.name.clone(), rule.label == Some(label.id)));
    let labels =
        [(String::new(), "any".to_owned(), rule.label.is_none())].into_iter().chain(labels);
    view! {
        <form method="get" class="filters">
            {select_field("rule-least".to_owned(), "at_least", "Same labels from", least)}
            {select_field("rule-label".to_owned(), "label", "Label", labels)}
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
        <Table label="Positions to accept">
            <caption class="visually-hidden">"Positions to accept, by label"</caption>
            {heads([Text("Labels"), Number("Positions")])}
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
            let address = format!("/projects/{project}/review/gold/documents/{document}#open");
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
        <Table label="Documents" class="rows documents">
            <caption class="visually-hidden">"Positions to accept, by document"</caption>
            {heads([Text("Document"), Number("Positions")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

/// What was accepted just now, with its undo.
#[component]
fn Acted(project: ProjectId, rule: AcceptRule, act: ActSummary) -> impl IntoView {
    let (undo, refused) = form_action::<UndoRule>();
    let positions = display::count(act.positions, "position");
    let left = u64::try_from(act.left_alone.len()).unwrap_or(u64::MAX);
    let words = if !act.undone {
        format!("Accepted {positions}.")
    } else if left == 0 {
        format!("Undone: {positions}.")
    } else {
        format!(
            "Undone: {positions}, except {} changed since or in finished reviews.",
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
