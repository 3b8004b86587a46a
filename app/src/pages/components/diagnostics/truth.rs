//! True agreement: on which share of the positions the two agree for a reason.

use domain::{LabelCause, ScaleChoice};
use leptos::prelude::*;

use super::behind::Behind;
use crate::{
    pages::components::{
        matrix::band::Band,
        shares,
        table::{Number, Table, Text, heads},
    },
    view::view,
};

/// The interval of true agreement on each label.
#[component]
pub(super) fn Truth(behind: Behind) -> impl IntoView {
    let rows: Vec<_> = behind
        .causes
        .labels
        .iter()
        .filter(|label| label.counts.positions() > label.counts.neither)
        .map(|label| view! { <Row behind=behind.clone() label=label.clone()/> })
        .collect();
    let content = if rows.is_empty() {
        view! { <p class="empty">"No label has been given on a position that is counted."</p> }
    } else {
        view! {
            <Table labelled_by="truth-title">
                {heads([Text("Label"), Number("They agree on"), Number("For a reason (95 %)"), Text("In a word")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <section class="stack" aria-labelledby="truth-title">
            <h2 id="truth-title">"True agreement"</h2>
            <p class="how">
                "Of the positions on which the two agree about a label, some agree by luck; this is the share of all positions on which they must have had a reason. "
                "The lower end is what you can promise; a wide interval says that there are too few positions to tell. "
                <small>"Homogeneity interval of Krenn, Evert and Zinsmeister (2004), with their words for its lower end."</small>
            </p>
            {content}
        </section>
    }
}

#[component]
fn Row(behind: Behind, label: LabelCause) -> impl IntoView {
    let counts = label.counts;
    let agreed = shares::share(counts.both + counts.neither, counts.positions());
    let (interval, word) = match label.true_agreement {
        Ok((lower, upper)) => {
            let band = Band::of(lower, ScaleChoice::Homogeneity);
            (
                format!("{} to {}", shares::percent(lower), shares::percent(upper)),
                view! { <span class=format!("band-word {}", band.class)>{band.word}</span> },
            )
        }
        Err(reason) => ("–".to_owned(), reason.words().into_any()),
    };
    view! {
        <tr>
            <th scope="row" dir="auto">{behind.answer(label.answer)}</th>
            <td class="number">{agreed.map_or_else(|| "–".to_owned(), shares::percent)}</td>
            <td class="number">{interval}</td>
            <td>{word}</td>
        </tr>
    }
}
