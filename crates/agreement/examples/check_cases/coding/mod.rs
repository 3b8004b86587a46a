//! Cases of coding studies: items, raters and categories.

mod graded;
mod study;

use agreement::{
    Coefficient, Contingency, Graded, NominalTally, Ratings, Undefined, accuracy, alpha_nominal,
    alpha_of_category, alpha_steps_of_many, bennett_s, cohen_kappa, cohen_kappa_max, f1,
    fleiss_kappa, fleiss_kappa_of_category, gwet_ac1, hubert_kappa, light_kappa, pabak, pairwise,
    percent_by_item, percent_by_rating, percent_of_category, percent_on_item, percent_unanimous,
    precision, randolph_kappa, recall, scott_pi,
};
use serde_json::Value;
use study::{Label, Study};

/// The value of a case, or nothing if it is none of this module's.
pub(crate) fn compute(
    measure: &str,
    params: &Value,
    data: &Value,
) -> Option<Result<Value, Undefined>> {
    let study = Study::read(data)?;
    let value = of_counts(measure, params, &study)
        .or_else(|| of_two_raters(measure, params, &study))
        .or_else(|| of_known_raters(measure, &study));
    match value {
        Some(value) => Some(value.map(Value::from)),
        None => graded::compute(measure, params, &study)
            .map(|value| value.map(Value::from))
            .or_else(|| matrix(measure, params, &study).map(Ok)),
    }
}

/// Measures that need not know who rated what.
fn of_counts(measure: &str, params: &Value, study: &Study) -> Option<Result<f64, Undefined>> {
    let counts = &study.counts;
    let tally = counts.nominal_tally();
    let q = study.choices(params);
    let category = || Label::read(&params["category"]);
    Some(match measure {
        "percent_agreement" => value(match params["averaging"].as_str() {
            Some("rating") => percent_by_rating(&tally),
            Some("all") => percent_unanimous(&tally),
            Some("item") | None => percent_by_item(&tally),
            Some(_) => return None,
        }),
        "percent_agreement_category" => value(percent_of_category(&tally, &category()?)),
        "item_agreement" => value(percent_on_item(study.item(params)?)),
        "randolph_kappa" => value(randolph_kappa(&tally, q)),
        "fleiss_kappa" => value(fleiss_kappa(&tally)),
        "fleiss_kappa_pe" => by_chance(fleiss_kappa(&tally)),
        "fleiss_kappa_category" => value(fleiss_kappa_of_category(&tally, &category()?)),
        "gwet_ac1" => value(gwet_ac1(&tally, q)),
        "gwet_ac1_pe" => expected(gwet_ac1(&tally, q)),
        "gwet_form_pa_prime" => alpha_steps_of_many(&tally).map(|s| s.observed_uncorrected),
        "gwet_form_pa" => alpha_steps_of_many(&tally).map(|steps| steps.observed),
        "gwet_form_pe" => alpha_steps_of_many(&tally).map(|steps| steps.expected),
        "krippendorff_alpha_category" => graded(alpha_of_category(&tally, &category()?)),
        "krippendorff_alpha" if is_nominal(params) => graded(alpha_nominal(&tally)),
        "krippendorff_alpha_do" if is_nominal(params) => disagreement(&tally, |a| a.observed),
        "krippendorff_alpha_de" if is_nominal(params) => disagreement(&tally, |a| a.expected),
        _ => return None,
    })
}

fn of_two_raters(measure: &str, params: &Value, study: &Study) -> Option<Result<f64, Undefined>> {
    let table = study.pair.as_ref()?;
    let positive = || Label::read(&params["positive"]);
    Some(match measure {
        "bennett_s" => value(bennett_s(table, study.choices(params))),
        "pabak" => value(pabak(table)),
        "scott_pi" => value(scott_pi(table)),
        "scott_pi_pe" => by_chance(scott_pi(table)),
        "cohen_kappa" => value(cohen_kappa(table)),
        "cohen_kappa_pe" => by_chance(cohen_kappa(table)),
        "cohen_kappa_max" => value(cohen_kappa_max(table)),
        "accuracy" => value(accuracy(table)),
        "precision" => value(precision(table, &positive()?)),
        "recall" => value(recall(table, &positive()?)),
        "f1" => value(f1(table, &positive()?)),
        _ => return None,
    })
}

fn of_known_raters(measure: &str, study: &Study) -> Option<Result<f64, Undefined>> {
    match measure {
        "hubert_kappa" => Some(value(hubert_kappa(study.ratings.as_ref()?))),
        "light_kappa" => Some(light_kappa(study.ratings.as_ref()?)),
        _ => None,
    }
}

fn matrix(measure: &str, params: &Value, study: &Study) -> Option<Value> {
    Some(match measure {
        "contingency_matrix" => contingency_matrix(params, study.pair.as_ref()?)?,
        "coincidence_matrix" => {
            let tally = study.counts.coincidences();
            square(&labels(params)?, |c, k| tally.coincidences(c, k).into())
        }
        "cohen_kappa_pairwise_matrix" => kappas_of_pairs(study.ratings.as_ref()?),
        "ordinal_distance_matrix" => {
            let distance = agreement::Ordinal::of(&study.counts.coincidences());
            square(&labels(params)?, |c, k| agreement::Distance::between(&distance, c, k).into())
        }
        _ => return None,
    })
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "the cases hold counts as floating-point numbers"
)]
fn contingency_matrix(params: &Value, table: &Contingency<Label>) -> Option<Value> {
    Some(square(&labels(params)?, |row, column| (table.count(row, column) as f64).into()))
}

fn kappas_of_pairs(study: &Ratings<Label>) -> Value {
    let kappas = pairwise(study, cohen_kappa);
    let raters: Vec<usize> = (0..study.raters()).collect();
    square(&raters, |&first, &second| match kappas.get(first, second) {
        Some(kappa) => entry(value(kappa)),
        None => Value::Null,
    })
}

fn square<T>(names: &[T], cell: impl Fn(&T, &T) -> Value) -> Value {
    names
        .iter()
        .map(|row| names.iter().map(|column| cell(row, column)).collect::<Value>())
        .collect()
}

fn labels(params: &Value) -> Option<Vec<Label>> {
    params["categories"].as_array()?.iter().map(Label::read).collect()
}

fn is_nominal(params: &Value) -> bool {
    params["metric"].as_str().is_none_or(|metric| metric == "nominal")
}

fn value(coefficient: Result<Coefficient, Undefined>) -> Result<f64, Undefined> {
    coefficient.map(|coefficient| coefficient.value)
}

fn expected(coefficient: Result<Coefficient, Undefined>) -> Result<f64, Undefined> {
    coefficient.map(|coefficient| coefficient.expected)
}

/// The chance agreement, which is known even where it leaves nothing to correct for.
fn by_chance(coefficient: Result<Coefficient, Undefined>) -> Result<f64, Undefined> {
    match coefficient {
        Err(Undefined::OneCategory) => Ok(1.0),
        coefficient => expected(coefficient),
    }
}

/// A part of alpha, which is known even where all labels are the same.
fn disagreement(tally: &NominalTally<Label>, part: fn(Graded) -> f64) -> Result<f64, Undefined> {
    match alpha_nominal(tally) {
        Err(Undefined::OneCategory) => Ok(0.0),
        alpha => alpha.map(part),
    }
}

fn graded(coefficient: Result<Graded, Undefined>) -> Result<f64, Undefined> {
    coefficient.map(|coefficient| coefficient.value)
}

/// A number, list or matrix as it would stand in the file; undefined entries are null.
fn entry(value: Result<f64, Undefined>) -> Value {
    value.map_or(Value::Null, Value::from)
}
