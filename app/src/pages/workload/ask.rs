//! What is asked for: a form that leads to the preview.

use domain::{MemberId, PersonLoad, WorkloadAsk, WorkloadKind};

use crate::pages::components::prelude::*;

/// The ways to give work out, in words.
const KINDS: [(WorkloadKind, &str); 6] = [
    (WorkloadKind::Overlap, "Each document to a number of labelers (overlap)"),
    (WorkloadKind::Double, "Each document to one labeler, a share of them to a second"),
    (WorkloadKind::Person, "All chosen documents to one person"),
    (WorkloadKind::HandOver, "Move unstarted documents to another person"),
    (WorkloadKind::TakeBack, "Withdraw unstarted documents from a person"),
    (WorkloadKind::Due, "Set due date"),
];

/// What a kind is called.
pub(super) fn kind_words(kind: WorkloadKind) -> &'static str {
    KINDS.into_iter().find(|(one, _)| *one == kind).map_or("", |(_, words)| words)
}

#[component]
pub(super) fn Ask(people: Vec<PersonLoad>, asked: Option<WorkloadAsk>) -> impl IntoView {
    let usual = WorkloadAsk::default();
    let ask = asked.unwrap_or(usual);
    let kinds: Vec<_> = KINDS
        .into_iter()
        .map(|(kind, words)| {
            view! {
                <Check kind="radio" name="kind" value=kind.name() checked={ask.kind == kind}><span>{words}</span></Check>
            }
        })
        .collect();
    let number = |name: &'static str, label: &'static str, value: String, most: &'static str| {
        let id = format!("work-{name}");
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <input id=id class="short" type="number" name=name min="1" max=most value=value/>
            </div>
        }
    };
    let due = ask.due.map(|day| day.to_string());
    view! {
        <form method="get" class="stack work-ask">
            <fieldset class="stack tight">
                <legend>"How"</legend>
                {kinds}
            </fieldset>
            <div class="row work-fields">
                {number("overlap", "Labelers per document (overlap)", ask.overlap.to_string(), "100")}
                {number("percent", "Share labelled twice (%)", ask.percent.to_string(), "100")}
                {person("from", "From (move, withdraw)", "nobody", &people, ask.from)}
                {person("to", "Person", "everybody", &people, ask.to)}
                <div class="field">
                    <label for="work-due">"Due on (UTC)"</label>
                    <input id="work-due" type="date" name="due" value=due/>
                </div>
            </div>
            <div class="row work-fields">
                {number("first", "Documents from", ask.first.to_string(), "1000000")}
                {number("last", "to", ask.last.map(|n| n.to_string()).unwrap_or_default(), "1000000")}
                <Check name="unassigned" checked=ask.unassigned><span>"unassigned only"</span></Check>
                <button>"Preview"</button>
            </div>
            <p class="soft hint">"Documents are numbered from 1 in import order. You see a preview first."</p>
        </form>
    }
}

fn person(
    name: &'static str,
    label: &'static str,
    none: &'static str,
    people: &[PersonLoad],
    chosen: Option<MemberId>,
) -> AnyView {
    let nobody = (String::new(), none.to_owned(), chosen.is_none());
    let people = people.iter().map(|person| {
        (person.member.to_string(), person.name.clone(), chosen == Some(person.member))
    });
    select_field(format!("work-{name}"), name, label, [nobody].into_iter().chain(people))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_give_work_out_can_be_asked_for() {
        for kind in WorkloadKind::ALL {
            assert!(!kind_words(kind).is_empty(), "{kind}");
        }
    }
}
