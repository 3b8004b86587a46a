//! The current position: its text, what each labeler has there, the decision, and the ways to
//! decide.

use domain::{LabelSet, ReviewedAssignment, Standing, WorkState};

use crate::{
    display,
    islands::{
        editor::{
            comments::COMMENTS,
            keys::{KeyHint, table::Command},
            moment::moment,
            resize::ResizeButtons,
        },
        prelude::*,
        reviewer::{
            positions::{
                Position,
                groups::decided_with,
                wording::{
                    decision_words, names, standing_sentence, standing_sign, standing_words,
                    verdict_sign,
                },
            },
            session::{Facts, Session},
        },
    },
};

use super::{answers::AskedHere, chips::LabelChips, group::GroupChoices, reason::Reason};

/// The most characters of a position's text that are shown.
const QUOTE: u32 = 300;

/// The current position with everything about it.
#[component]
pub(crate) fn CurrentPosition(session: Session, on_command: Callback<Command>) -> impl IntoView {
    let (position, keyboard) = (Memo::new(move |_| session.current_position()), session.keyboard);
    let nothing = move || {
        if session.positions().is_empty() {
            "No spans here. Select text to add a position, or finish the review."
        } else {
            "No position selected."
        }
    };
    // Of a group, what is decided on the others is news, too.
    let together = Memo::new(move |_| {
        let current = session.current.get()?;
        let positions = session.positions();
        Some(decided_with(&positions, current).into_iter().cloned().collect::<Vec<_>>())
    });
    let shown = dynamic(move || {
        together.track();
        match position.get() {
            Some(position) => view! { <Details session position on_command/> },
            None => view! { <p class="soft">{nothing}</p> },
        }
    });
    let answers = dynamic(move || {
        let facts = session.facts();
        let position = position.read();
        // Of a group, each answer says who gave it.
        let alone = position.as_ref().filter(|position| position.group.is_none());
        alone.map(|position| view! { <Answers facts=&facts position/> })
    });
    let is_ended = move || session.is_ended();
    let is_unmarked =
        move || position.read().as_ref().is_none_or(|position| position.marked.is_empty());
    let is_undecided = move || {
        let together = together.read();
        together.iter().flatten().all(|position| position.decision.is_none())
    };
    let cannot_move = Signal::derive(move || is_ended() || position.read().is_none());
    let move_end = Callback::new(move |(end, forward)| session.move_end(end, forward));
    view! {
        <section class="card current-position" aria-label="Current position" tabindex="0">
            {shown}
            <div class="row">
                <button
                    type="button"
                    disabled=move || is_ended() || position.read().is_none()
                    on:click=move |_| on_command.run(Command::SearchLabels)
                >
                    "Other label" <KeyHint keyboard command=Command::SearchLabels/>
                </button>
                <button
                    type="button"
                    disabled=move || is_ended() || is_unmarked()
                    on:click=move |_| on_command.run(Command::Reject)
                >
                    "Reject" <KeyHint keyboard command=Command::Reject/>
                </button>
                <button
                    type="button"
                    class="quiet"
                    disabled=move || is_ended() || is_undecided()
                    on:click=move |_| on_command.run(Command::Delete)
                >
                    "Undo decision" <KeyHint keyboard command=Command::Delete/>
                </button>
            </div>
            <div class="row">
                <ResizeButtons disabled=cannot_move on_move=move_end/>
            </div>
            <AskedHere session position/>
            <Reason session position/>
            {answers}
        </section>
    }
}

#[component]
fn Details(session: Session, position: Position, on_command: Callback<Command>) -> impl IntoView {
    let facts = session.facts();
    let quote = position.group.is_none().then(|| {
        view! { <blockquote dir="auto">{facts.layout.quote(position.range, QUOTE)}</blockquote> }
    });
    let written = facts.comments.iter().filter(|place| **place == position.range).count();
    let written = (written > 0).then(|| {
        let words = domain::count(written, "open comment");
        view! { <p class="badge warn">{words} <KeyHint keyboard=session.keyboard command=Command::Press(COMMENTS)/></p> }
    });
    let choices = if position.group.is_some() {
        view! { <GroupChoices session position on_command/> }
    } else {
        view! { <Choices session position on_command/> }
    };
    view! {
        {quote}
        {written}
        {choices}
    }
}

/// How labelers stand on a position by itself, and what they gave it.
#[component]
fn Choices(session: Session, position: Position, on_command: Callback<Command>) -> impl IntoView {
    let (facts, keyboard) = (session.facts(), session.keyboard);
    let savers = facts.assignments.iter().filter(|assignment| assignment.state.has_work()).count();
    let majority = position.majority();
    let choices = position
        .choices()
        .into_iter()
        .enumerate()
        .map(|(number, choice)| {
            let key = number + 1;
            let is_majority = majority.as_ref() == Some(&choice.labels);
            let given = u64::try_from(choice.given).unwrap_or(u64::MAX);
            let name = format!(
                "Accept {}, given by {}",
                names(&choice.labels, &facts.labels),
                display::count(given, "labeler")
            );
            view! {
                <li>
                    <button
                        type="button"
                        aria-label=name
                        disabled=move || session.is_ended()
                        on:click=move |_| on_command.run(Command::Accept(number))
                    >
                        "Accept "
                        <LabelChips set=&choice.labels labels=&facts.labels/>
                        <span class="soft number">"× " {choice.given}</span>
                        <span class="keys" aria-hidden="true">
                            {is_majority.then(|| view! { <KeyHint keyboard command=Command::AcceptMajority/> " " })}
                            {(key < 10).then(|| view! { <kbd>{key}</kbd> })}
                        </span>
                    </button>
                </li>
            }
        })
        .collect_view();
    view! {
        <p>
            <span class=standing_class(position.standing)>
                <span aria-hidden="true">{standing_sign(position.standing)}</span>
                {standing_words(&position, savers)}
            </span>
            " "
            {standing_sentence(&position, savers, &facts.finished())}
        </p>
        <DecisionLine facts=&facts position=&position/>
        <ul class="plain-list choices" aria-label="Accept">{choices}</ul>
    }
}

const fn standing_class(standing: Standing) -> &'static str {
    match standing {
        Standing::Unanimous => "badge good",
        Standing::Conflict => "badge danger",
        Standing::OneSided => "badge warn",
        Standing::Waiting => "badge",
        Standing::Added => "badge accent",
    }
}

/// What each labeler has at the position.
#[component]
fn Answers<'a>(facts: &'a Facts, position: &'a Position) -> impl IntoView + use<> {
    let nothing = LabelSet::EMPTY;
    let answer = |assignment: &ReviewedAssignment| {
        let given = position.marked.iter().find(|(member, _)| *member == assignment.rater.id);
        let answer = match given {
            Some((_, set)) => view! { <LabelChips set labels=&facts.labels/> },
            None if assignment.state.has_work() => {
                view! { <LabelChips set=&nothing labels=&facts.labels/> }
            }
            None => view! { <span class="soft">"–"</span> },
        };
        let chosen = facts
            .choices
            .iter()
            .find(|(member, range, _)| *member == assignment.rater.id && *range == position.range)
            .map(|(.., words)| view! { <span class="soft" dir="auto">{words.clone()}</span> });
        let state = match assignment.state {
            WorkState::Open => Some("not started"),
            WorkState::Saved => Some("in progress"),
            WorkState::Submitted => None,
        };
        view! {
            <tr>
                <th scope="row">
                    <bdi>{assignment.rater.name.clone()}</bdi>
                    {state.map(|state| view! { " " <span class="badge">{state}</span> })}
                </th>
                <td><span class="row">{answer} {chosen}</span></td>
            </tr>
        }
    };
    let rows = facts.assignments.iter().map(answer).collect_view();
    view! {
        <table class="answers">
            <caption class="visually-hidden">"Each labeler's answer"</caption>
            <thead class="visually-hidden">
                <tr>
                    <th scope="col">"Labeler"</th>
                    <th scope="col">"Labels"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

/// The decision and its time.
#[component]
fn DecisionLine<'a>(facts: &'a Facts, position: &'a Position) -> impl IntoView + use<> {
    let Some(decided) = &position.decision else {
        return view! { <p class="decision soft">"Undecided"</p> };
    };
    let time = decided.at.map(moment);
    view! {
        <p class="decision">
            <strong>
                <span aria-hidden="true">{verdict_sign(decided.verdict)} " "</span>
                {decision_words(decided, &facts.labels)}
            </strong>
            {time.map(|time| view! { " " <span class="soft number">{time}</span> })}
        </p>
    }
}
