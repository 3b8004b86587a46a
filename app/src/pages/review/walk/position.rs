//! The position in its text, and what each rater said.

use std::sync::Arc;

use domain::{DecisionSummary, DisagreementKind, Finishing, Group, Rater, WalkStep, WorkState};

use super::{choices::Subject, rows::Rows};
use crate::pages::components::{
    agreement::disagreements::{
        chips::LabelChips, group::Alternatives, kind::kind_told, row::Decided,
    },
    prelude::*,
};

/// Nothing at all for no text: in this place every space is seen.
fn shown(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The position, its text, the spans on it and beside it, and the decision taken so far.
#[component]
pub(super) fn PositionCard(
    step: WalkStep,
    raters: Arc<[Rater]>,
    subject: Subject,
) -> impl IntoView {
    let labels = Arc::clone(&subject.categories);
    let whole = step.group.as_ref().map_or(step.position.range, Group::range);
    let place = (!whole.is_empty()).then(|| {
        let place = format!("{}–{}", whole.start, whole.end);
        view! { <span class="soft number" title=OFFSETS>{place}</span> }
    });
    let kind = step.group.as_ref().map(|_| DisagreementKind::Boundary).or(step.kind);
    let kind = kind.map(|kind| {
        let (icon, word, meaning) = match (kind, &subject.asked) {
            (DisagreementKind::Label, Some(_)) => ("≠", "answer".to_owned(), "different answers"),
            _ => kind_told(kind, &step.judgements),
        };
        view! {
            <span class="badge" title=meaning><span aria-hidden="true">{icon}" "</span>{word}</span>
        }
    });
    let document = if step.deciding.is_some() {
        let review = query::review_address(step.position);
        view! { <a href=review><bdi>{step.document_name.clone()}</bdi></a> }
    } else {
        view! { <bdi>{step.document_name.clone()}</bdi> }
    };
    let latest = match &step.group {
        Some(group) => latest(group),
        None => step.decision.clone(),
    };
    let decision = match latest {
        Some(decision) => view! { <Decided decision labels=labels.clone()/> },
        None => view! { <span class="soft">"not decided"</span> },
    };
    // A decision on the label, where the answer has its own, or the label that comes with it.
    let comes_with = step.deciding.as_ref().and_then(|deciding| deciding.comes_with.clone());
    let names = Arc::clone(&subject.labels);
    let label = match (step.label.clone(), comes_with) {
        (Some(decision), _) => Some(view! { <Decided decision labels=names/> }.into_any()),
        (None, Some(set)) => Some(
            view! { <LabelChips set labels=names/>" "<span class="soft">"with the answer"</span> }
                .into_any(),
        ),
        (None, None) => None,
    };
    let label = label.map(|label| {
        view! { <p class="decided-line"><span class="soft">"Label: "</span>{label}</p> }
    });
    let decided = if subject.asked.is_some() { "Answer: " } else { "Decision: " };
    let left = if step.cut_left { format!("…{}", step.left) } else { step.left.clone() };
    let right = if step.cut_right { format!("{}…", step.right) } else { step.right.clone() };
    // What is longer than its box is scrolled by keys, too.
    let scrolls = subject.is_of_documents();
    let quote = step.quote.clone();
    let finishing = finishing_words(&step.finishing);
    // Who decides has the alternatives to press.
    let answers = match (step.group.clone(), &step.deciding) {
        (Some(_), Some(deciding)) if deciding.state != WorkState::Submitted => None,
        (Some(group), _) => {
            let quote = quote.clone();
            Some(view! { <Alternatives quote group raters labels/> })
        }
        (None, _) => Some(view! { <Rows step raters subject/> }),
    };
    view! {
        <section class="card stack walk-position" aria-labelledby="walk-position" tabindex="-1" data-focus="">
            <div class="row spread">
                <h2 id="walk-position">{document}" "{place}</h2>
                {kind}
            </div>
            <blockquote class="walk-text" dir="auto" tabindex=scrolls.then_some("0")>
                {shown(left)}{shown(quote).map(|quote| view! { <mark>{quote}</mark> })}{shown(right)}
            </blockquote>
            {answers}
            {finishing.map(|words| view! { <p class="soft">{words}</p> })}
            <p class="decided-line"><span class="soft">{decided}</span>{decision}</p>
            {label}
        </section>
    }
}

/// The decision that is told of a group: the latest that lets something stand, or else the latest.
fn latest(group: &Group) -> Option<DecisionSummary> {
    let decisions = group.positions.iter().filter_map(|position| position.decision.as_ref());
    decisions.max_by_key(|decision| (!decision.labels.is_empty(), decision.at)).cloned()
}

/// "1 of 3 labelers finished; not yet: Ada, Ben." Nothing once all have who have to.
fn finishing_words(finishing: &Finishing) -> Option<String> {
    let Finishing { finished, quorum, missing } = finishing;
    (finished < quorum).then(|| {
        let missing = match missing.as_slice() {
            [] => String::new(),
            names => format!("; not yet: {}", names.join(", ")),
        };
        format!("{finished} of {} finished{missing}.", display::count(*quorum, "labeler"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_not_finished_is_named_until_enough_have() {
        let told = |finished, missing: &[&str]| {
            let missing = missing.iter().map(|&name| name.to_owned()).collect();
            finishing_words(&Finishing { finished, quorum: 3, missing })
        };
        assert_eq!(told(3, &["Ada"]), None);
        let words = "1 of 3 labelers finished; not yet: Ada, Ben.";
        assert_eq!(told(1, &["Ada", "Ben"]).as_deref(), Some(words));
        assert_eq!(told(2, &[]).as_deref(), Some("2 of 3 labelers finished."));
    }
}
