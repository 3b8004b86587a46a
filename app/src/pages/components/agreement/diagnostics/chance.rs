//! Prevalence and bias: κ beside PABAK and AC1, and why they differ.

use domain::{ChanceView, LabelCause};

use super::behind::Behind;
use crate::pages::components::{agreement::shares, prelude::*};

/// An index that is worth a word.
const NOTABLE: f64 = 0.1;

/// Coefficients that allow for chance in different ways, for all labels and for each.
#[component]
pub(crate) fn Chance(behind: Behind) -> impl IntoView {
    let chance = behind.causes.chance.clone();
    let rows = behind.rows(|behind, label| view! { <Row behind label/> });
    let pabak = format!("PABAK (q = {})", display::thousands(chance.choices));
    let sentence = sentence(&behind, &chance);
    let verdict = chance.diverges.then_some("caution");
    let table = (!rows.is_empty()).then(|| {
        view! {
            <Table labelled_by="chance-title">
                {heads([
                    Text("Label"), Number("Prevalence index"), Number("Bias index"),
                    Number("κ"), Number("PABAK"), Number("AC1"), Text("Meaning"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    });
    view! {
        <Section title_id="chance-title" title="Prevalence and bias">
            <Lead line="Compare κ, PABAK and AC1 before you blame anybody: κ falls where one label dominates." about="prevalence and bias">
                <p>"PABAK and AC1 do not fall when one label is far more common than the rest. The measures tell different stories when AC1 is more than 0.2 away from κ, or outside κ’s interval."</p>
                <p><small>"Byrt, Bishop and Carlin (1993); Gwet (2008). With more than two categories, PABAK is Bennett’s S."</small></p>
            </Lead>
            <dl class="facts">
                <div><dt>"κ"</dt><dd class="number">{display::coefficient(chance.kappa)}</dd></div>
                <div><dt>"95 % interval of κ"</dt><dd class="number">{display::confidence(chance.confidence)}</dd></div>
                <div><dt>{pabak}</dt><dd class="number">{display::coefficient(chance.pabak)}</dd></div>
                <div><dt>"AC1"</dt><dd class="number">{display::coefficient(chance.ac1)}</dd></div>
            </dl>
            <p class=verdict>{sentence}</p>
            {table}
        </Section>
    }
}

/// Why κ and AC1 differ, or that they do not, in plain words.
fn sentence(behind: &Behind, chance: &ChanceView) -> String {
    if chance.ac1.value().is_none() {
        return "Nothing to compare yet.".to_owned();
    }
    if !chance.diverges {
        return "κ and AC1 tell the same story: label frequency hardly matters here.".to_owned();
    }
    let common = chance.commonest.as_ref().map(|(set, share)| {
        format!(
            "{} is {} of all that the two said",
            naming::category(set, &behind.labels),
            shares::percent(*share)
        )
    });
    let biased = chance.most_biased.as_ref().filter(|(_, bias)| bias.abs() >= NOTABLE);
    let biased = biased.map(|(set, bias)| {
        let more = if *bias > 0.0 { &behind.first.name } else { &behind.second.name };
        format!(
            "; {more} says {} more often, by {} of the positions",
            naming::category(set, &behind.labels),
            shares::percent(bias.abs())
        )
    });
    let why = match chance.kappa.value() {
        None => "κ does not exist, since agreement by chance would be certain",
        Some(kappa) if chance.ac1.value() > Some(kappa) => {
            "so agreement by chance is likely; κ takes that off, and AC1 hardly does"
        }
        Some(_) => "and AC1 allows for chance more than κ does",
    };
    format!(
        "κ and AC1 tell different stories: {}{}, {why}.",
        common.unwrap_or_default(),
        biased.unwrap_or_default()
    )
}

#[component]
fn Row(behind: Behind, label: LabelCause) -> impl IntoView {
    let name = behind.answer(label.answer);
    let number =
        |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| display::decimals(v, 2));
    let chance = label.chance;
    let cell = |value| view! { <td class="number">{number(value)}</td> };
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            {cell(chance.map(|chance| chance.prevalence_index))}
            {cell(chance.map(|chance| chance.bias_index))}
            {cell(label.kappa.value())}
            {cell(chance.map(|chance| chance.pabak))}
            {cell(chance.map(|chance| chance.ac1))}
            <td class="soft">{meaning(&behind, &label)}</td>
        </tr>
    }
}

/// What the indices of a label say, in a few words.
fn meaning(behind: &Behind, label: &LabelCause) -> String {
    let Some(chance) = label.chance else { return "nothing is counted".to_owned() };
    let bias = (chance.bias_index.abs() >= NOTABLE).then(|| {
        let more = if chance.bias_index > 0.0 { &behind.first.name } else { &behind.second.name };
        format!("{more} gives it more often")
    });
    let prevalence = chance.diverges.then_some(if chance.prevalence_index < 0.0 {
        "rare, so κ is strict"
    } else {
        "common, so κ is strict"
    });
    let parts: Vec<_> = prevalence.map(str::to_owned).into_iter().chain(bias).collect();
    if parts.is_empty() { "κ and AC1 agree".to_owned() } else { parts.join("; ") }
}
