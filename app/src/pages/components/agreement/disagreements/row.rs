//! A row of the adjudication list: the position in its text, who said what, and the decision.

use std::sync::Arc;

use domain::{DecisionSummary, Disagreement, Dispute, Judgement, Label, Position, Rater};

use super::{
    chips::LabelChips,
    group::Alternatives,
    kind::{kind_told, verdict_word},
    place::{Place, Way},
};
use crate::pages::components::prelude::*;

/// How much text stands before and after a quote at most; that much is cut off text.
const CONTEXT: usize = 40;

/// One decision: a position, or several that differ in their boundaries.
#[component]
pub(crate) fn DisagreementRow(
    row: Dispute,
    raters: Vec<Rater>,
    labels: Arc<[Label]>,
    /// Where the row leads.
    way: Way,
) -> impl IntoView {
    let at = row.at();
    let kind = kind_told(row.row.kind, &row.row.judgements);
    let Dispute { row, group } = row;
    let Disagreement { document_name, quote, left, right, judgements, decision, .. } = row;
    let said = if let Some(group) = group {
        let (quote, labels) = (quote.clone(), labels.clone());
        view! { <Alternatives quote group raters=raters.into() labels/> }
    } else {
        let said: Vec<_> = grouped(&raters, judgements)
            .into_iter()
            .map(|(judgement, names)| {
                view! { <li><Said judgement labels=labels.clone()/><bdi class="names">{names.join(", ")}</bdi></li> }
            })
            .collect();
        view! { <ul class="judgements">{said}</ul> }
    };
    let shown = Shown { at, document_name, text: (left, quote, right), kind: Some(kind), decision };
    view! { <InText shown said labels way/> }
}

/// What rows of positions have in common.
pub(crate) struct Shown {
    /// Where the row leads.
    pub(crate) at: Position,
    pub(crate) document_name: String,
    /// What stands at the position, with some of what stands before and after it.
    pub(crate) text: (String, String, String),
    /// In what way raters differ, if they do: icon, word and meaning.
    pub(crate) kind: Option<(&'static str, String, &'static str)>,
    pub(crate) decision: Option<DecisionSummary>,
}

/// A position in its text, what was said there, and the decision. Its cells carry the column's name for
/// narrow screens, where rows are cards.
#[component]
pub(crate) fn InText(shown: Shown, said: AnyView, labels: Arc<[Label]>, way: Way) -> impl IntoView {
    let Shown { at, document_name, text: (left, quote, right), kind, decision } = shown;
    let kind = kind.map(|(icon, word, meaning)| {
        view! { <span class="kind" title=meaning><span aria-hidden="true">{icon}</span>{word}</span> }
    });
    let decision = match decision {
        Some(decision) => view! { <Decided decision labels/> },
        None => view! { <span class="soft">"not decided"</span> },
    };
    view! {
        <tr>
            <th scope="row" data-head="Position">
                <span class="quote" dir="auto">
                    {before(&left)}
                    {(!at.range.is_empty()).then(|| view! { <mark>{quote}</mark> })}
                    {after(&right)}
                </span>
                <Place way at document_name/>
            </th>
            <td data-head="Kind">{kind}</td>
            <td data-head="Raters">{said}</td>
            <td data-head="Decision">{decision}</td>
        </tr>
    }
}

/// What a rater has on the position.
#[component]
pub(crate) fn Said(judgement: Judgement, labels: Arc<[Label]>) -> impl IntoView {
    match judgement {
        Judgement::Labels(set) if set.is_empty() => {
            view! { <span class="badge warn">"rejected"</span> }
        }
        Judgement::Labels(set) => view! { <LabelChips set labels/> },
        Judgement::Nothing => view! { <span class="soft">"nothing"</span> },
        Judgement::NotJudged => view! { <span class="soft">"not judged"</span> },
    }
}

/// A reviewer's decision, with its author and time.
#[component]
pub(crate) fn Decided(decision: DecisionSummary, labels: Arc<[Label]>) -> impl IntoView {
    let DecisionSummary { verdict, labels: set, by, at, note } = decision;
    let why = (!note.is_empty()).then(|| view! { <span class="why" dir="auto">{note}</span> });
    view! {
        <span class="decision">
            <span>{verdict_word(verdict)}</span>
            <LabelChips set labels/>
        </span>
        " "
        <span class="soft by">
            "by "<bdi>{by}</bdi>", "
            <Moment at/>
        </span>
        {why}
    }
}

/// Everything that was said on the position, each with the names of who said it, in the order of
/// the raters; who has not judged comes last.
pub(crate) fn grouped(
    raters: &[Rater],
    judgements: Vec<Judgement>,
) -> Vec<(Judgement, Vec<String>)> {
    let mut groups: Vec<(Judgement, Vec<String>)> = Vec::new();
    for (rater, judgement) in raters.iter().zip(judgements) {
        let name = rater.name.clone();
        match groups.iter_mut().find(|(said, _)| *said == judgement) {
            Some((_, names)) => names.push(name),
            None => groups.push((judgement, vec![name])),
        }
    }
    groups.sort_by_key(|(judgement, _)| *judgement == Judgement::NotJudged);
    groups
}

pub(crate) fn before(left: &str) -> String {
    if left.chars().count() < CONTEXT { left.to_owned() } else { format!("…{left}") }
}

pub(crate) fn after(right: &str) -> String {
    if right.chars().count() < CONTEXT { right.to_owned() } else { format!("{right}…") }
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, LabelSet, MemberId, Role};

    use super::*;

    #[test]
    fn raters_stand_with_what_they_said_and_who_has_not_judged_last() {
        let raters: Vec<_> = ["Ada", "Ben", "Cleo", "Dan"]
            .into_iter()
            .zip(1..)
            .map(|(name, id)| Rater { id: MemberId(id), name: name.into(), role: Role::Labeler })
            .collect();
        let person = || Judgement::Labels(LabelSet::one(LabelId(1)));
        let judgements = vec![Judgement::NotJudged, person(), Judgement::Nothing, person()];
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(
            grouped(&raters, judgements),
            [
                (person(), names(&["Ben", "Dan"])),
                (Judgement::Nothing, names(&["Cleo"])),
                (Judgement::NotJudged, names(&["Ada"])),
            ]
        );
    }

    #[test]
    fn only_text_that_is_cut_off_gets_an_ellipsis() {
        assert_eq!(before("The "), "The ");
        assert_eq!(after(&"é".repeat(40)), format!("{}…", "é".repeat(40)));
    }
}
