//! All labelers at once: a small table under the matrix, under the same switches.

use domain::{ScaleChoice, SeveralMeasure, SeveralRow, SeveralView};
use leptos::prelude::*;

use super::band::Band;
use crate::{display, view::view};

/// Fleiss' κ, α and the percentage of all labelers.
#[component]
pub(crate) fn SeveralTable(several: SeveralView, scale: ScaleChoice) -> impl IntoView {
    let basis = basis(&several);
    let rows = several.rows.into_iter().map(|row| view! { <Row row scale/> });
    view! {
        <section class="stack several" aria-labelledby="several-title">
            <h2 id="several-title">"All labelers at once"</h2>
            <p class="soft">{basis}</p>
            <div class="scroll-x" role="region" aria-labelledby="several-title" tabindex="0">
                <table class="rows">
                    <thead>
                        <tr>
                            <th scope="col">"Measure"</th>
                            <th scope="col" class="number">"Value"</th>
                            <th scope="col">"In a word"</th>
                            <th scope="col" class="number">"95 % interval"</th>
                            <th scope="col">"What it says"</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        </section>
    }
}

#[component]
fn Row(row: SeveralRow, scale: ScaleChoice) -> impl IntoView {
    let SeveralRow { measure, measured, confidence } = row;
    let word = match measured {
        domain::Measured::Value { value, .. } => {
            let band = Band::claimed(value, confidence, scale);
            view! { <span class=format!("band-word {}", band.class)>{band.word}</span> }
        }
        domain::Measured::Undefined(reason) => reason.sentence().into_any(),
    };
    view! {
        <tr>
            <th scope="row">{name(measure)}</th>
            <td class="number">{display::coefficient(measured)}</td>
            <td>{word}</td>
            <td class="number">{display::confidence(confidence)}</td>
            <td class="soft">{meaning(measure)}</td>
        </tr>
    }
}

/// What the values rest on.
fn basis(several: &SeveralView) -> String {
    format!(
        "{}, n = {} that at least two judged, in {}.",
        display::count(several.labelers, "labeler"),
        display::count(several.n, "position"),
        display::count(several.documents, "document")
    )
}

const fn name(measure: SeveralMeasure) -> &'static str {
    match measure {
        SeveralMeasure::FleissKappa => "Fleiss’ κ",
        SeveralMeasure::Alpha => "Krippendorff’s α",
        SeveralMeasure::Percent => "Percentage",
    }
}

const fn meaning(measure: SeveralMeasure) -> &'static str {
    match measure {
        SeveralMeasure::FleissKappa => {
            "Beyond chance, every position counting the same (Fleiss 1971; gaps after Gwet 2014). \
             One careless person hides among many: look at the matrix too."
        }
        SeveralMeasure::Alpha => {
            "Beyond chance, positions that more people judged counting more (Krippendorff 2011). \
             The usual number to report."
        }
        SeveralMeasure::Percent => {
            "How often two of them say the same; chance is not taken off. Never report it alone."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_it_rests_on() {
        let several = SeveralView { labelers: 6, n: 1200, documents: 1, rows: Vec::new() };
        assert_eq!(
            basis(&several),
            "6 labelers, n = 1,200 positions that at least two judged, in 1 document."
        );
    }
}
