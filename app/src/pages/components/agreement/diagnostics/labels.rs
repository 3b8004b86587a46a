//! How far the two agree on each label.

use domain::{LabelCause, LabelSet, OneCategory, PositionOutcome, PositionQuery};

use super::behind::Behind;
use crate::pages::components::{agreement::counted::Counted, prelude::*};

/// Each label against everything else.
#[component]
pub(crate) fn Labels(behind: Behind) -> impl IntoView {
    let rows: Vec<_> = behind
        .causes
        .labels
        .iter()
        .map(|label| view! { <Row behind=behind.clone() label=label.clone()/> })
        .collect();
    view! {
        <Section title_id="labels-title" title="Label by label">
            <Lead line="Low rows name the labels to explain better." about="label by label">
                <p>"Each row asks one question: “is it this label?” F1 is how often one gave it where the other did, in both directions; κ corrects for chance."</p>
                <p><small>"κ with the interval of Fleiss, Cohen and Everitt (1969); F1 (Dice) as in van Rijsbergen (1979). ∅ means no label: two people hardly ever agree on it, so its κ says little."</small></p>
            </Lead>
            <Table labelled_by="labels-title">
                <thead>
                    <tr>
                        <th scope="col">"Label"</th>
                        <th scope="col" class="number">"Both"</th>
                        <th scope="col" class="number">"Only "<bdi>{behind.first.name.clone()}</bdi></th>
                        <th scope="col" class="number">"Only "<bdi>{behind.second.name.clone()}</bdi></th>
                        <th scope="col" class="number">"Neither"</th>
                        <th scope="col" class="number">"F1"</th>
                        <th scope="col" class="number">"κ"</th>
                        <th scope="col" class="number">"95 % interval of κ"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
        </Section>
    }
}

#[component]
fn Row(behind: Behind, label: LabelCause) -> impl IntoView {
    let project = behind.causes.project;
    let name = behind.answer(label.answer);
    let counts = [
        (PositionOutcome::Both, label.counts.both, "both".to_owned()),
        (
            PositionOutcome::OnlyFirst,
            label.counts.only_first,
            format!("only {}", behind.first.name),
        ),
        (
            PositionOutcome::OnlySecond,
            label.counts.only_second,
            format!("only {}", behind.second.name),
        ),
        (PositionOutcome::Neither, label.counts.neither, "neither".to_owned()),
    ];
    let cells = counts.map(|(outcome, count, who)| {
        let of = format!("positions, {who}: {name}");
        let number = match asking(&behind, label.answer, outcome) {
            Some(query) => view! { <Counted project count query of/> },
            None => display::thousands(count).into_any(),
        };
        view! { <td class="number">{number}</td> }
    });
    let positive = label.positive.map_or_else(|| "–".to_owned(), |f1| display::decimals(f1, 2));
    let interval = match label.kappa {
        domain::Measured::Value { .. } => display::confidence(label.confidence),
        domain::Measured::Undefined(reason) => reason.sentence().to_owned(),
    };
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            {cells.collect_view()}
            <td class="number">{positive}</td>
            <td class="number">{display::coefficient(label.kappa)}</td>
            <td class="number soft">{interval}</td>
        </tr>
    }
}

/// The positions on which the question is answered like this. ∅ is a category and no label: that
/// neither said it has no query of its own.
fn asking(behind: &Behind, answer: OneCategory, outcome: PositionOutcome) -> Option<PositionQuery> {
    let all = behind.query();
    let nothing = || Some(LabelSet::EMPTY);
    let differ = PositionOutcome::Differ;
    Some(match (answer, outcome) {
        (OneCategory::Label(label), outcome) => {
            PositionQuery { label: Some(label), outcome, ..all }
        }
        (OneCategory::Nothing, PositionOutcome::Both) => {
            PositionQuery { said: nothing(), against: nothing(), ..all }
        }
        (OneCategory::Nothing, PositionOutcome::OnlyFirst) => {
            PositionQuery { said: nothing(), outcome: differ, ..all }
        }
        (OneCategory::Nothing, PositionOutcome::OnlySecond) => {
            PositionQuery { against: nothing(), outcome: differ, ..all }
        }
        (OneCategory::Nothing, _) => return None,
    })
}
