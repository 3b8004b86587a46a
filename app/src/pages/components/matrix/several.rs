//! All labelers at once: a small table under the matrix, under the same switches.

use domain::{
    Confidence, Measured, ScaleChoice, SeveralMeasure, SeveralRow, SeveralView, Switches, Unitizing,
};
use leptos::prelude::*;

use super::band::Band;
use crate::{
    display,
    pages::components::table::{Number, Table, Text, heads},
    view::view,
};

/// Fleiss' κ, α, the percentage and `α_U` of all labelers.
#[component]
pub(crate) fn SeveralTable(
    several: SeveralView,
    switches: Switches,
    /// Where the spans can be downloaded as a study, if somewhere.
    #[prop(optional)]
    file: Option<String>,
    /// Whether `α_U` is, or is going to be, there.
    #[prop(default = true)]
    units: bool,
) -> impl IntoView {
    let (basis, scale) = (basis(&several), switches.scale);
    let units_basis = units_basis(several.unitizing);
    let of_units = several.unitizing;
    let rows = several.rows.into_iter().map(|row| view! { <Row row scale/> }).collect_view();
    let file = file.map(|file| {
        view! { " "<a download="" rel="external" href=file>"Download the spans as a study"</a> }
    });
    let units_row = units.then(|| view! { <UnitsRow units=of_units scale/> });
    view! {
        <section class="stack several" aria-labelledby="several-title">
            <h2 id="several-title">"All labelers at once"</h2>
            <p class="soft">{basis}</p>
            <Table labelled_by="several-title">
                {heads([Text("Measure"), Number("Value"), Text("In a word"), Number("95 % interval"), Text("What it says")])}
                <tbody>{rows} {units_row}</tbody>
            </Table>
            {units.then(|| view! { <p class="soft">{units_basis}{file}</p> })}
        </section>
    }
}

#[component]
fn Row(row: SeveralRow, scale: ScaleChoice) -> impl IntoView {
    let SeveralRow { measure, measured, confidence } = row;
    let word = word(measured, confidence, scale);
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

/// `α_U`, which is told as soon as it has been computed.
#[component]
fn UnitsRow(units: Option<Unitizing>, scale: ScaleChoice) -> impl IntoView {
    let (value, word, interval) = match units {
        None => ("…".to_owned(), "being computed".into_any(), "…".to_owned()),
        Some(Unitizing { measured, confidence, .. }) => (
            display::coefficient(measured),
            word(measured, confidence, scale),
            display::confidence(confidence),
        ),
    };
    view! {
        <tr>
            <th scope="row">"Krippendorff’s α" <sub>"U"</sub></th>
            <td class="number">{value}</td>
            <td>{word}</td>
            <td class="number">{interval}</td>
            <td class="soft">
                "Whether they mark the same stretches of text and call them the same, beyond chance; \
                 near misses count in part (Krippendorff 1995, 2004). It speaks of finding spans, \
                 which the measures above do not."
            </td>
        </tr>
    }
}

fn word(measured: Measured, confidence: Confidence, scale: ScaleChoice) -> AnyView {
    match measured {
        Measured::Value { value, .. } => {
            let band = Band::claimed(value, confidence, scale);
            view! { <span class=format!("band-word {}", band.class)>{band.word}</span> }
        }
        Measured::Undefined(reason) => reason.sentence().into_any(),
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

/// What `α_U` rests on.
fn units_basis(units: Option<Unitizing>) -> String {
    let Some(units) = units else {
        return "α_U takes spans as units on all of the text, and is being computed.".to_owned();
    };
    format!(
        "α_U takes spans as units on all of the text: {} of {} in the {} that all of them have \
         worked on, end to end {}. Its value depends on the unit of length, which is the character.",
        display::count(units.spans, "span"),
        display::count(units.labelers, "labeler"),
        display::count(units.documents, "document"),
        display::count(units.characters, "character"),
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
        let several =
            SeveralView { labelers: 6, n: 1200, documents: 1, rows: Vec::new(), unitizing: None };
        assert_eq!(
            basis(&several),
            "6 labelers, n = 1,200 positions that at least two judged, in 1 document."
        );
    }

    #[test]
    fn the_table_says_what_alpha_of_units_rests_on() {
        let units = Unitizing {
            labelers: 2,
            documents: 1,
            characters: 1234,
            spans: 40,
            measured: Measured::Undefined(domain::UndefinedReason::NobodyMarked),
            confidence: Confidence::Pending,
        };
        assert_eq!(
            units_basis(Some(units)),
            "α_U takes spans as units on all of the text: 40 spans of 2 labelers in the 1 document \
             that all of them have worked on, end to end 1,234 characters. Its value depends on the \
             unit of length, which is the character."
        );
    }
}
