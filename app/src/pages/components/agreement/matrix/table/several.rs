//! All labelers at once: a small table under the matrix, under the same switches.

use domain::{
    Confidence, GradedRow, Measured, PositionKind, ScaleChoice, SeveralMeasure, SeveralRow,
    SeveralView, Switches, Unitizing,
};

use crate::pages::components::{
    agreement::matrix::{
        band::Band,
        controls::switch_bar::{measure_meaning, measure_name},
    },
    prelude::*,
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
    let (basis, scale) = (basis(&several, switches.policy.positions()), switches.scale);
    let units_basis = units_basis(several.unitizing);
    let of_units = several.unitizing;
    let graded = several.graded.map(|GradedRow { measure, measured, confidence, n }| {
        let about = measure_meaning(Switches { measure, ..switches });
        let about = if measure.is_correlation() {
            format!("{about} Of {} that all judged.", display::count(n, "position"))
        } else {
            about.to_owned()
        };
        row(measure_name(measure), about, (measured, confidence), scale)
    });
    let row_of = |SeveralRow { measure, measured, confidence }| {
        row(name(measure), meaning(measure).to_owned(), (measured, confidence), scale)
    };
    let rows = several.rows.into_iter().map(row_of).collect_view();
    let file = file.map(|file| {
        view! { " "<a download="" rel="external" href=file>"Download spans as a study"</a> }
    });
    let units_row = units.then(|| view! { <UnitsRow units=of_units switches/> });
    view! {
        <Section title_id="several-title" title="All labelers, by measure" class="stack several">
            <p class="soft">{basis}</p>
            <Table labelled_by="several-title">
                {heads([Text("Measure"), Number("Value"), Text("Meaning"), Number("95 % interval"), Text("About")])}
                <tbody>{graded} {rows} {units_row}</tbody>
            </Table>
            {units.then(|| view! { <p class="soft">{units_basis}{file}</p> })}
        </Section>
    }
}

fn row(
    name: &'static str,
    meaning: String,
    (measured, confidence): (Measured, Confidence),
    scale: ScaleChoice,
) -> AnyView {
    let word = word(measured, confidence, scale);
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td class="number">{display::coefficient(measured)}</td>
            <td>{word}</td>
            <td class="number">{display::confidence(confidence)}</td>
            <td class="soft">{meaning}</td>
        </tr>
    }
    .into_any()
}

/// `α_U`, which is told as soon as it has been computed.
#[component]
fn UnitsRow(units: Option<Unitizing>, switches: Switches) -> impl IntoView {
    let scale = switches.scale;
    let finds = match switches.policy.positions() {
        PositionKind::Exact => " Unlike the measures above, it covers finding spans.",
        PositionKind::Tokens | PositionKind::Overlapping => "",
    };
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
                "Same stretches of text with the same labels, beyond chance; near misses count in \
                 part (Krippendorff 1995, 2004)."{finds}
            </td>
        </tr>
    }
}

fn word(measured: Measured, confidence: Confidence, scale: ScaleChoice) -> AnyView {
    match measured {
        Measured::Value { .. } => Band::claimed(confidence, scale).map(Band::badge).into_any(),
        Measured::Undefined(reason) => reason.sentence().into_any(),
    }
}

/// What the values rest on.
fn basis(several: &SeveralView, kind: PositionKind) -> String {
    let labelers = display::count(several.labelers, "labeler");
    let documents = display::count(several.documents, "document");
    let judged = match kind {
        PositionKind::Exact | PositionKind::Tokens => {
            let n = display::count(several.n, naming::position(kind));
            format!("n = {n} judged by two or more")
        }
        PositionKind::Overlapping => "spans paired by two at a time".to_owned(),
    };
    format!("{labelers}, {judged}, in {documents}.")
}

/// What `α_U` rests on.
fn units_basis(units: Option<Unitizing>) -> String {
    let Some(units) = units else {
        return "α_U (spans as units on the whole text): being computed.".to_owned();
    };
    format!(
        "α_U (spans as units on the whole text): {} of {} in the {} shared by all, end to end {}. \
         Unit of length: the character, on which the value depends.",
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
            "Beyond chance, each position counted equally (Fleiss 1971; gaps after Gwet 2014). \
             Hides one careless person among many: check the matrix."
        }
        SeveralMeasure::Alpha => {
            "Beyond chance, positions judged by more people count more (Krippendorff 2011). The \
             usual number to report."
        }
        SeveralMeasure::Percent => {
            "How often two say the same, without correction for chance. Never report it alone."
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_it_rests_on() {
        let several = SeveralView {
            labelers: 6,
            n: 1200,
            documents: 1,
            rows: Vec::new(),
            graded: None,
            unitizing: None,
        };
        for (kind, judged) in [
            (PositionKind::Exact, "n = 1,200 positions judged by two or more"),
            (PositionKind::Tokens, "n = 1,200 tokens judged by two or more"),
            (PositionKind::Overlapping, "spans paired by two at a time"),
        ] {
            assert_eq!(basis(&several, kind), format!("6 labelers, {judged}, in 1 document."));
        }
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
            "α_U (spans as units on the whole text): 40 spans of 2 labelers in the 1 document shared \
             by all, end to end 1,234 characters. Unit of length: the character, on which the value \
             depends."
        );
    }
}
