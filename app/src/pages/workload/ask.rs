//! What is asked for, as a sentence with gaps: it leads to the preview.

use domain::{MemberId, PersonLoad, WorkloadAsk, WorkloadKind};

use crate::pages::components::prelude::*;

/// The most labelers that the sentence offers for each document.
const MOST_EACH: usize = 5;

/// What can be done with work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Give,
    Move,
    Withdraw,
    Date,
}

impl Verb {
    const ALL: [Self; 4] = [Self::Give, Self::Move, Self::Withdraw, Self::Date];

    const fn of(kind: WorkloadKind) -> Self {
        match kind {
            WorkloadKind::Person | WorkloadKind::Overlap | WorkloadKind::Double => Self::Give,
            WorkloadKind::HandOver => Self::Move,
            WorkloadKind::TakeBack => Self::Withdraw,
            WorkloadKind::Due => Self::Date,
        }
    }

    /// What the address and what the sentence calls it.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Give => (query::GIVE, "Give"),
            Self::Move => (WorkloadKind::HandOver.name(), "Move"),
            Self::Withdraw => (WorkloadKind::TakeBack.name(), "Withdraw"),
            Self::Date => (WorkloadKind::Due.name(), "Set the due date of"),
        }
    }
}

/// What was given out, in a few words: "10 unassigned documents to 1 labeler, 20 % also to a second".
pub(super) fn in_words(ask: &WorkloadAsk) -> String {
    let some = match (ask.most, ask.unassigned) {
        (Some(most), true) => format!("{} unassigned documents", display::thousands(most)),
        (Some(most), false) => display::count(most, "document"),
        (None, true) => "all unassigned documents".to_owned(),
        (None, false) => "all documents".to_owned(),
    };
    let what = match ask.kind {
        WorkloadKind::Person => format!("{some} to one person"),
        WorkloadKind::Overlap => {
            format!("{some} to {}", display::count(ask.overlap.into(), "labeler"))
        }
        WorkloadKind::Double => {
            format!("{some} to 1 labeler, {} % also to a second", ask.percent)
        }
        WorkloadKind::HandOver => "Moved unstarted documents".to_owned(),
        WorkloadKind::TakeBack => "Withdrew unstarted documents".to_owned(),
        WorkloadKind::Due => "Due date".to_owned(),
    };
    let due = ask.due.map(|day| format!(", due {day}")).unwrap_or_default();
    format!("{what}{due}")
}

#[component]
pub(super) fn Ask(people: Vec<PersonLoad>, asked: Option<WorkloadAsk>) -> impl IntoView {
    let usual =
        WorkloadAsk { kind: WorkloadKind::Double, unassigned: true, ..WorkloadAsk::default() };
    let ask = asked.unwrap_or(usual);
    let verb = Verb::of(ask.kind);
    let verbs = Verb::ALL.into_iter().map(|one| {
        let (id, words) = one.words();
        (id.to_owned(), words.to_owned(), one == verb)
    });
    let rest = match verb {
        Verb::Give => give(&people, &ask),
        Verb::Move => view! {
            " what "{person("from", "Whose", "…", &people, ask.from)}
            " has not started to "{person("to", "To whom", "…", &people, ask.to)}
        },
        Verb::Withdraw => view! {
            " what "{person("from", "From whom", "…", &people, ask.from)}" has not started"
        },
        Verb::Date => view! {
            " the unsubmitted documents of "{person("to", "Whose", "everybody", &people, ask.to)}
        },
    };
    let due = ask.due.map(|day| day.to_string());
    let due = (verb != Verb::Withdraw).then(|| {
        let before = if verb == Verb::Date { " to " } else { ", due " };
        view! {
            {before}
            <input type="date" name="due" value=due aria-label="Due on (UTC)"/>
        }
    });
    let is_part = ask.first > 1 || ask.last.is_some();
    let (first, last) = (ask.first.to_string(), ask.last.map(|n| n.to_string()));
    view! {
        <form method="get" class="stack sentence" data-instant="" data-typed="">
            <p>
                {gap("kind", "What", verbs)}
                {rest}
                {due}
                "."
            </p>
            <div class="row">
                <details open=is_part>
                    <summary>"Only some documents"</summary>
                    <p>
                        "No. "<input type="number" name="first" min="1" max="1000000" value=first aria-label="Documents from"/>
                        " to "<input type="number" name="last" min="1" max="1000000" value=last placeholder="last" aria-label="Documents to"/>
                        " in import order"
                    </p>
                </details>
                <button>"Preview"</button>
            </div>
        </form>
    }
}

/// "10 unassigned documents to 1 labeler; 20 % also to a second".
fn give(people: &[PersonLoad], ask: &WorkloadAsk) -> AnyView {
    let of = [
        ("unassigned", "unassigned documents", ask.unassigned),
        ("all", "documents", !ask.unassigned),
    ];
    let of = of.map(|(id, words, chosen)| (id.to_owned(), words.to_owned(), chosen));
    let is_named = ask.kind == WorkloadKind::Person;
    let each = match ask.kind {
        WorkloadKind::Overlap => u64::from(ask.overlap),
        _ => 1,
    };
    let numbers = (1..=people.len().min(MOST_EACH)).map(|n| {
        let n = u64::try_from(n).unwrap_or(u64::MAX);
        let words = if n == 1 { "1 labeler".to_owned() } else { format!("{n} labelers each") };
        (n.to_string(), words, !is_named && n == each)
    });
    let names = people.iter().map(|person| {
        let chosen = is_named && ask.to == Some(person.member);
        (query::named_labeler(person.member), person.name.clone(), chosen)
    });
    let percent = match ask.kind {
        WorkloadKind::Double => ask.percent,
        _ => 0,
    };
    let second = (!is_named && each == 1 && people.len() > 1).then(|| {
        view! {
            "; "
            <input type="number" name="percent" min="0" max="100" value=percent.to_string() aria-label="Percent also to a second labeler"/>
            " % also to a second"
        }
    });
    let most = ask.most.map(|most| most.to_string());
    view! {
        " "
        <input type="number" name="most" min="1" max="1000000" value=most placeholder="all" aria-label="How many documents"/>
        " "
        {gap("of", "Which documents", of)}
        " to "
        {gap("who", "To whom", numbers.chain(names))}
        {second}
    }
}

/// A choice in the sentence: its value, its words, and whether it is the one.
fn gap(
    name: &'static str,
    label: &'static str,
    options: impl IntoIterator<Item = (String, String, bool)>,
) -> AnyView {
    let options: Vec<_> = options
        .into_iter()
        .map(|(value, words, selected)| view! { <option value=value selected=selected>{words}</option> })
        .collect();
    view! { <select name=name aria-label=label>{options}</select> }
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
    gap(name, label, [nobody].into_iter().chain(people))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_out_is_told_as_it_was_asked_for() {
        let ask = WorkloadAsk { kind: WorkloadKind::Double, ..WorkloadAsk::default() };
        let some = WorkloadAsk { most: Some(10), unassigned: true, ..ask };
        assert_eq!(in_words(&some), "10 unassigned documents to 1 labeler, 20 % also to a second");
        let each = WorkloadAsk { kind: WorkloadKind::Overlap, ..ask };
        assert_eq!(in_words(&each), "all documents to 2 labelers");
        for kind in WorkloadKind::ALL {
            assert!(!in_words(&WorkloadAsk { kind, ..ask }).is_empty(), "{kind}");
        }
    }
}
