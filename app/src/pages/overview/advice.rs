//! What to do next: at most six lines, what repairs most first, each with one button.

use std::sync::Arc;

use domain::{
    Advice, AdviceKind, AssignmentQuery, Confusion, Drift, Label, PositionOutcome, PositionQuery,
    ProjectId, Role, WalkList, Whose,
};
use services::overview::SWITCHES;

use super::lists::{confusion_address, undecided_address};
use crate::pages::components::{
    agreement::shares::{percent, share},
    prelude::*,
};

#[component]
pub(super) fn DoNext(
    project: ProjectId,
    labels: Arc<[Label]>,
    advice: Vec<Advice>,
) -> impl IntoView {
    if advice.is_empty() {
        return None;
    }
    let lines: Vec<_> = advice.into_iter().map(|advice| line(project, &labels, advice)).collect();
    Some(view! {
        <Section title_id="next-title" title="Do next" class="card">
            <ol class="plain-list do-next">{lines}</ol>
        </Section>
    })
}

fn line(project: ProjectId, labels: &[Label], advice: Advice) -> AnyView {
    let Words { what, why, button, href } = words(project, labels, advice.what);
    let name = format!("{button}: {what}");
    view! {
        <li>
            <span><strong dir="auto">{what}</strong>" "<span class="soft">{why}</span></span>
            <a class="button small" href=href aria-label=name>{button}</a>
        </li>
    }
}

/// A line of advice on screen.
struct Words {
    what: String,
    why: String,
    button: &'static str,
    href: String,
}

fn words(project: ProjectId, labels: &[Label], what: AdviceKind) -> Words {
    let address = format!("/projects/{project}");
    match what {
        AdviceKind::Decide { positions, decisions } => Words {
            what: format!("Decide {}", display::count(decisions, "conflict")),
            why: format!(
                "Labelers differ on {}, no reviewer has decided.",
                display::count(positions, "position")
            ),
            button: "Conflicts",
            href: undecided_address(project),
        },
        AdviceKind::Clarify { confusion, disputed } => {
            let of_all = share(confusion.positions, disputed).map(percent).unwrap_or_default();
            Words {
                what: clarify(&confusion, labels),
                why: format!(
                    "{}, {of_all} of all disagreement.",
                    display::count(confusion.positions, "position")
                ),
                button: "Positions",
                href: confusion_address(project, &confusion),
            }
        }
        AdviceKind::Retrain { member, name, share, rest, weak, drift } => {
            let differing = PositionQuery {
                outcome: PositionOutcome::Differ,
                ..PositionQuery::of(Whose::Pooled(member, Role::Labeler), SWITCHES)
            };
            let drift = drift.map(|Drift { before, after }| {
                format!("; fell from {} to {}", percent(before), percent(after))
            });
            let weak = weak.map(|weak| format!("; weakest on {}", naming::label(weak, labels)));
            Words {
                what: format!("Talk with {name}"),
                why: format!(
                    "Agrees on {}, the others on {}{}{}.",
                    percent(share),
                    percent(rest),
                    drift.unwrap_or_default(),
                    weak.unwrap_or_default()
                ),
                button: "Examples",
                href: query::walk_address(project, &WalkList::Positions(differing), None, None),
            }
        }
        AdviceKind::Assign { idle, documents } => Words {
            what: format!("Assign {}", display::count(documents, "document")),
            why: format!("{} with nothing left.", display::count(idle, "labeler")),
            button: "Assign",
            href: format!("{address}/work/people"),
        },
        AdviceKind::Remind { overdue, people } => Words {
            what: format!("Ask for {}", display::count(overdue, "overdue assignment")),
            why: format!("Of {}.", display::count(people, "labeler")),
            button: "Overdue",
            href: query::assignments_address(
                project,
                &AssignmentQuery { overdue: true, ..AssignmentQuery::default() },
            ),
        },
        AdviceKind::Answer { threads, flags } => {
            let parts = [(threads, "comment"), (flags, "flag")];
            let parts = parts.into_iter().filter(|(n, _)| *n > 0);
            let what: Vec<_> = parts.map(|(n, noun)| display::count(n, noun)).collect();
            let path = if threads > 0 { "review/comments" } else { "work/people" };
            Words {
                what: format!("Answer {}", what.join(" and ")),
                why: "Labelers wait for it.".to_owned(),
                button: "Answer",
                href: format!("{address}/{path}"),
            }
        }
        AdviceKind::Annotate { row } => Words {
            what: format!("Annotate {} again", row.name),
            why: row.half_width.map_or_else(
                || "A second labeler makes it count.".to_owned(),
                |width| format!("Narrows the interval most, to ± {}.", display::decimals(width, 2)),
            ),
            button: "Assign",
            href: format!("{address}/work/second"),
        },
    }
}

/// "Tell PERSON from PLACE", "Clarify when to mark PERSON".
fn clarify(confusion: &Confusion, labels: &[Label]) -> String {
    let name = |set| naming::category(set, labels);
    match (confusion.one.is_empty(), confusion.other.is_empty()) {
        (true, _) => format!("Clarify when to mark {}", name(&confusion.other)),
        (_, true) => format!("Clarify when to mark {}", name(&confusion.one)),
        _ => format!("Tell {} from {}", name(&confusion.one), name(&confusion.other)),
    }
}
