//! True agreement: on which share of the positions the two agree for a reason.

use domain::{LabelCause, ScaleChoice};

use super::behind::Behind;
use crate::pages::components::{
    agreement::{matrix::band::Band, shares},
    prelude::*,
};

/// The interval of true agreement on each label.
#[component]
pub(crate) fn Truth(behind: Behind) -> impl IntoView {
    let rows = behind.rows(|behind, label| view! { <Row behind label/> });
    let content = if rows.is_empty() {
        view! { <p class="empty">"No labels on counted positions."</p> }
    } else {
        view! {
            <Table labelled_by="truth-title">
                {heads([Text("Label"), Number("Agreement"), Number("True agreement (95 %)"), Text("Meaning")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <Section title_id="truth-title" title="True agreement">
            <Lead line="Share of positions on which the two must have agreed for a reason, not by luck." about="true agreement">
                <p>"Promise no more than the lower end. A wide interval means too few positions."</p>
                <p><small>"Homogeneity interval of Krenn, Evert and Zinsmeister (2004), with their words for its lower end."</small></p>
            </Lead>
            {content}
        </Section>
    }
}

#[component]
fn Row(behind: Behind, label: LabelCause) -> impl IntoView {
    let counts = label.counts;
    let agreed = shares::share(counts.both + counts.neither, counts.positions());
    let (interval, word) = match label.true_agreement {
        Ok((lower, upper)) => {
            let interval = format!("{} to {}", shares::percent(lower), shares::percent(upper));
            (interval, Band::of(lower, ScaleChoice::Homogeneity).badge())
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
