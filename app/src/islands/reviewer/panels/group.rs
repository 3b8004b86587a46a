//! Positions that differ in their boundaries, on one card: what there is to choose from, each answer in the
//! text that all of them cover, and who gave it.

use domain::{Alternative, GroupAnswer, Range};

use crate::{
    display,
    islands::{
        editor::keys::{KeyHint, table::Command},
        prelude::*,
        reviewer::{
            positions::{
                Position,
                groups::{alternatives_of, decided_with, most_given},
                wording::{act_words, names},
            },
            session::{Facts, Session},
        },
    },
};

use super::chips::LabelChips;

/// The most characters of the text of a group that are shown.
const QUOTE: u32 = 300;

/// Alternatives that have a digit as their key.
const DIGITS: usize = 9;

/// The alternatives of the group that a position is in.
#[component]
pub(crate) fn GroupChoices(
    session: Session,
    position: Position,
    on_command: Callback<Command>,
) -> impl IntoView {
    let (facts, keyboard) = (session.facts(), session.keyboard);
    let positions = session.positions_now();
    let members = decided_with(&positions, position.range);
    let ranges: Vec<Range> = members.iter().map(|member| member.range).collect();
    let whole = domain::covered(&ranges);
    let alternatives = alternatives_of(&positions, &position);
    let most = most_given(&alternatives).map(|most| most.answer.clone());
    let decided =
        act_words(members.iter().filter_map(|member| member.decision.as_ref()), &facts.labels);
    let open = members.iter().filter(|member| member.decision.is_none()).count();
    let decision = match (decided, open) {
        (None, _) => view! { <p class="decision soft">"Undecided"</p> },
        (Some(words), 0) => view! { <p class="decision"><strong>{words}</strong></p> },
        (Some(words), open) => view! {
            <p class="decision"><strong>{words}</strong>" "<span class="soft">{open}" undecided"</span></p>
        },
    };
    let stands = |answer: &GroupAnswer| {
        members.iter().all(|member| {
            let stands = member.decision.as_ref().map(|decided| &decided.labels);
            match answer.0.get(&member.range) {
                Some(labels) => stands == Some(labels),
                None => stands.is_none_or(domain::LabelSet::is_empty),
            }
        })
    };
    let current = position.range;
    let rows = alternatives
        .iter()
        .enumerate()
        .map(|(number, alternative)| {
            let Alternative { answer, by } = alternative;
            let is_most = most.as_ref() == Some(answer);
            let name = format!("Accept {}", spoken(&facts, alternative));
            let parts = answer
                .0
                .values()
                .map(|labels| view! { <LabelChips set=labels labels=&facts.labels/> })
                .collect_view();
            let given = display::count(u64::try_from(by.len()).unwrap_or(u64::MAX), "labeler");
            let is_current = answer.0.contains_key(&current).then_some("");
            view! {
                <li data-current=is_current>
                    <button
                        type="button"
                        aria-label=name
                        aria-current=stands(answer).then_some("true")
                        disabled=move || session.is_ended()
                        on:click=move |_| on_command.run(Command::Accept(number))
                    >
                        <bdi class="bounds">{text_of(&facts, whole, answer)}</bdi>
                        {parts}
                        <span class="soft number" title=people(&facts, alternative)>{given}</span>
                        <span class="keys" aria-hidden="true">
                            {is_most.then(|| view! { <KeyHint keyboard command=Command::AcceptMajority/> " " })}
                            {(number < DIGITS).then(|| view! { <kbd>{number + 1}</kbd> })}
                        </span>
                    </button>
                    <p class="soft names"><bdi>{people(&facts, alternative)}</bdi></p>
                </li>
            }
        })
        .collect_view();
    let silent: Vec<_> = facts
        .assignments
        .iter()
        .filter(|assignment| {
            let id = assignment.rater.id;
            let is_by = |alternative: &Alternative| alternative.by.contains(&id);
            assignment.state.has_work() && !alternatives.iter().any(is_by)
        })
        .map(|assignment| assignment.rater.name.clone())
        .collect();
    let silent = (!silent.is_empty()).then(|| {
        view! { <p class="soft">"No span here: " <bdi>{silent.join(", ")}</bdi></p> }
    });
    let kinds = format!("{} in question.", domain::count(members.len(), "span"));
    view! {
        <p>
            <span class="badge warn"><span aria-hidden="true">"↔"</span>"boundaries"</span>
            " "
            {kinds}
        </p>
        {decision}
        <ol class="plain-list alternatives" aria-label="Accept">{rows}</ol>
        <label class="check">
            <input
                type="checkbox"
                prop:checked=session.reject_others
                disabled=move || session.is_ended()
                on:change=move |event| session.reject_others.set(event_target_checked(&event))
            />
            "Reject the others"
        </label>
        {silent}
    }
}

/// The text that a group covers, with what an answer has of it marked.
fn text_of(facts: &Facts, whole: Range, answer: &GroupAnswer) -> AnyView {
    let mut parts = Vec::new();
    let mut at = whole.start;
    for range in answer.0.keys() {
        if range.start > at {
            parts.push(plain(facts, Range::new(at, range.start)));
        }
        // Of spans in each other, the outer one is marked.
        if range.end > at {
            let marked = Range::new(at.max(range.start), range.end);
            parts.push(view! { <mark>{facts.layout.quote(marked, QUOTE)}</mark> }.into_any());
            at = range.end;
        }
    }
    if whole.end > at {
        parts.push(plain(facts, Range::new(at, whole.end)));
    }
    parts.collect_view().into_any()
}

fn plain(facts: &Facts, range: Range) -> AnyView {
    view! { <span>{facts.layout.quote(range, QUOTE)}</span> }.into_any()
}

/// "“Hamlet” as PER, given by 2 labelers: Ada, Ben".
fn spoken(facts: &Facts, alternative: &Alternative) -> String {
    let parts: Vec<_> = alternative
        .answer
        .0
        .iter()
        .map(|(range, labels)| {
            let quote = facts.layout.quote(*range, QUOTE);
            format!("“{quote}” as {}", names(labels, &facts.labels))
        })
        .collect();
    let given = display::count(u64::try_from(alternative.by.len()).unwrap_or(u64::MAX), "labeler");
    format!("{}, given by {given}: {}", parts.join(" and "), people(facts, alternative))
}

/// The names of those who gave an answer.
fn people(facts: &Facts, alternative: &Alternative) -> String {
    let name = |id| facts.assignments.iter().find(|assignment| assignment.rater.id == id);
    let names = alternative.by.iter().filter_map(|id| Some(name(*id)?.rater.name.clone()));
    names.collect::<Vec<_>>().join(", ")
}
