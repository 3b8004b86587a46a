//! Positions that differ in their boundaries, as rows and cards show them: the text that all of them cover,
//! and what each answer has of it.

use std::sync::Arc;

use domain::{Alternative, Group, GroupAnswer, Label, Range, Rater};

use super::chips::LabelChips;
use crate::pages::components::prelude::*;

/// The text of a group with what an answer has of it marked.
#[component]
pub(crate) fn Bounds(quote: String, whole: Range, answer: GroupAnswer) -> impl IntoView {
    let parts: Vec<_> = pieces(&quote, whole, &answer)
        .into_iter()
        .map(|(is_marked, text)| {
            if is_marked {
                view! { <mark>{text}</mark> }
            } else {
                view! { <span>{text}</span> }
            }
        })
        .collect();
    view! { <bdi class="bounds">{parts}</bdi> }
}

/// The text cut where an answer begins and ends; of spans in each other, the outer one counts.
fn pieces(quote: &str, whole: Range, answer: &GroupAnswer) -> Vec<(bool, String)> {
    let text = |range: Range| -> String {
        let skipped = usize::try_from(range.start - whole.start).unwrap_or(usize::MAX);
        let length = usize::try_from(range.len()).unwrap_or(usize::MAX);
        quote.chars().skip(skipped).take(length).collect()
    };
    let mut pieces = Vec::new();
    let mut at = whole.start;
    for range in answer.0.keys() {
        if range.start > at {
            pieces.push((false, text(Range::new(at, range.start))));
        }
        if range.end > at {
            pieces.push((true, text(Range::new(at.max(range.start), range.end))));
            at = range.end;
        }
    }
    if whole.end > at {
        pieces.push((false, text(Range::new(at, whole.end))));
    }
    pieces
}

/// Each answer with its labels and who gave it, for whoever reads and does not decide.
#[component]
pub(crate) fn Alternatives(
    quote: String,
    group: Group,
    raters: Arc<[Rater]>,
    labels: Arc<[Label]>,
) -> impl IntoView {
    let whole = group.range();
    let without = people(&group.without, &raters);
    let rows: Vec<_> = group
        .alternatives
        .into_iter()
        .map(|Alternative { answer, by }| {
            let chips = answer_chips(&answer, &labels);
            let names = people(&by, &raters);
            let quote = quote.clone();
            view! { <li>{chips}<Bounds quote whole answer/><bdi class="names">{names}</bdi></li> }
        })
        .collect();
    let without = (!without.is_empty()).then(|| {
        view! { <li><span class="soft">"nothing"</span><bdi class="names">{without}</bdi></li> }
    });
    view! { <ul class="judgements">{rows}{without}</ul> }
}

/// The labels of an answer, in the order of the text.
pub(crate) fn answer_chips(answer: &GroupAnswer, labels: &Arc<[Label]>) -> AnyView {
    let chips: Vec<_> = answer
        .0
        .values()
        .map(|set| view! { <LabelChips set=set.clone() labels=labels.clone()/> })
        .collect();
    view! { <span class="row">{chips}</span> }
}

/// "“Hamlet” as PER".
pub(crate) fn answer_words(
    quote: &str,
    whole: Range,
    answer: &GroupAnswer,
    labels: &[Label],
) -> String {
    let one = |(range, set): (&Range, &domain::LabelSet)| {
        let alone = GroupAnswer::one(*range, set.clone());
        let pieces = pieces(quote, whole, &alone);
        let text = pieces.into_iter().find_map(|(is_marked, text)| is_marked.then_some(text));
        format!("“{}” as {}", text.unwrap_or_default(), naming::category(set, labels))
    };
    answer.0.iter().map(one).collect::<Vec<_>>().join(" and ")
}

/// Names, joined.
pub(crate) fn people(ids: &[domain::MemberId], raters: &[Rater]) -> String {
    ids.iter().map(|id| naming::rater(*id, raters)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, LabelSet};

    use super::*;

    #[test]
    fn an_answer_is_marked_in_the_text_that_all_cover() {
        let whole = Range::new(10, 19);
        let one = LabelSet::one(LabelId(1));
        let mut answer = GroupAnswer::one(Range::new(10, 12), one.clone());
        answer.0.insert(Range::new(15, 19), one.clone());
        let marked = |pieces: Vec<(bool, String)>| -> Vec<String> {
            let bracket = |(is_marked, text)| if is_marked { format!("[{text}]") } else { text };
            pieces.into_iter().map(bracket).collect()
        };
        assert_eq!(marked(pieces("Éa bc def", whole, &answer)), ["[Éa]", " bc", "[ def]"]);
        answer.0.insert(Range::new(16, 17), one);
        assert_eq!(marked(pieces("Éa bc def", whole, &answer)), ["[Éa]", " bc", "[ def]"]);
    }
}
