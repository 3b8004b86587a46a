//! What is asked for: a form that leads to the preview.

use domain::{MemberId, PersonLoad, WorkloadAsk, WorkloadKind};
use leptos::prelude::*;

use crate::view::view;

/// The ways to give work out, in words.
const KINDS: [(WorkloadKind, &str); 6] = [
    (WorkloadKind::Overlap, "Each document to so many labelers (overlap)"),
    (WorkloadKind::Double, "Each document to one labeler, a percentage of them to a second"),
    (WorkloadKind::Person, "All chosen documents to one person"),
    (WorkloadKind::HandOver, "Hand what one person has not begun to another"),
    (WorkloadKind::TakeBack, "Take back what one person has not begun"),
    (WorkloadKind::Due, "Set when work is due"),
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
                <label class="check">
                    <input type="radio" name="kind" value=kind.name() checked=(ask.kind == kind)/>
                    <span>{words}</span>
                </label>
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
                {number("copies", "Labelers each (overlap)", ask.copies.to_string(), "100")}
                {number("percent", "Percent twice", ask.percent.to_string(), "100")}
                {person("from", "From (hand over, take back)", "nobody", &people, ask.from)}
                {person("to", "To, or whose", "everybody", &people, ask.to)}
                <div class="field">
                    <label for="work-due">"Due on (UTC)"</label>
                    <input id="work-due" type="date" name="due" value=due/>
                </div>
            </div>
            <div class="row work-fields">
                {number("first", "Documents from", ask.first.to_string(), "1000000")}
                {number("last", "to", ask.last.map(|n| n.to_string()).unwrap_or_default(), "1000000")}
                <label class="check">
                    <input type="checkbox" name="unassigned" checked=ask.unassigned/>
                    <span>"only those that nobody has"</span>
                </label>
                <button>"Preview"</button>
            </div>
            <p class="soft hint">"Documents count from 1 in the order of import. Nothing is done before you have seen the preview."</p>
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
    let id = format!("work-{name}");
    let options: Vec<_> = people
        .iter()
        .map(|person| {
            let value = person.member.to_string();
            let selected = chosen == Some(person.member);
            view! { <option value=value selected=selected>{person.name.clone()}</option> }
        })
        .collect();
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <select id=id name=name>
                <option value="" selected=chosen.is_none()>{none}</option>
                {options}
            </select>
        </div>
    }
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
