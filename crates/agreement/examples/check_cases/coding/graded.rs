//! Cases of measures that grade disagreement: by distance, by weight.

use std::collections::{BTreeMap, BTreeSet};

use agreement::{
    By, Circular, Distance, Graded, Interval, Jaccard, Linear, Masi, MasiProduct, Nominal, Number,
    Ordinal, Polar, Ratio, Scheme, Score, SetThirds, Undefined, Weights, alpha_of_item,
    brennan_prediger, gwet_ac2, krippendorff_alpha, weighted_kappa,
};
use serde_json::Value;

use super::study::{Label, Study};

type Boxed = Box<dyn Fn(&Label, &Label) -> f64>;

pub(crate) fn compute(
    measure: &str,
    params: &Value,
    study: &Study,
) -> Option<Result<f64, Undefined>> {
    let alpha = |part: fn(Graded) -> f64| {
        let tally = study.counts.coincidences();
        let alpha = match params["metric"].as_str()? {
            "ordinal" => krippendorff_alpha(&tally, &Ordinal::of(&tally)),
            "interval" => krippendorff_alpha(&tally, &Interval),
            _ => krippendorff_alpha(&tally, &metric(params, study)?),
        };
        Some(alpha.map(part))
    };
    Some(match measure {
        "krippendorff_alpha" => return alpha(|alpha| alpha.value),
        "krippendorff_alpha_do" => return alpha(|alpha| alpha.observed),
        "krippendorff_alpha_de" => return alpha(|alpha| alpha.expected),
        "krippendorff_alpha_item" => {
            let tally = study.counts.coincidences();
            let distance = metric(params, study)?;
            alpha_of_item(study.item(params)?, &tally, &distance).map(|alpha| alpha.value)
        }
        "weighted_kappa" => {
            let distance = disagreement(params, study)?;
            weighted_kappa(study.pair.as_ref()?, &distance).map(|kappa| kappa.value)
        }
        "gwet_ac2" => weights(params, study)?.and_then(|weights| {
            gwet_ac2(&study.counts.coincidences(), &weights).map(|ac2| ac2.value)
        }),
        "brennan_prediger" => weights(params, study)?.and_then(|weights| {
            brennan_prediger(&study.counts.coincidences(), &weights).map(|bp| bp.value)
        }),
        _ => return None,
    })
}

fn metric(params: &Value, study: &Study) -> Option<Boxed> {
    let of = |name: &str| params[name].as_f64();
    Some(match params["metric"].as_str().unwrap_or("nominal") {
        "nominal" => boxed(Nominal),
        "ordinal" => boxed(Ordinal::of(&study.counts.coincidences())),
        "interval" => boxed(Interval),
        "ratio" => boxed(Ratio),
        "circular" => boxed(Circular { period: of("period")? }),
        "polar" => boxed(Polar { min: of("min")?, max: of("max")? }),
        "masi" => boxed(By(set, Masi)),
        "masi_product_of_distances" => boxed(By(set, MasiProduct)),
        "jaccard" => boxed(By(set, Jaccard)),
        "set_nominal_thirds" => boxed(By(set, SetThirds)),
        "matrix" => named_matrix(&params["matrix"])?,
        _ => return None,
    })
}

fn disagreement(params: &Value, study: &Study) -> Option<Boxed> {
    let weights = params["weights"].as_str()?;
    if weights == "matrix" {
        let ranks = ranks(study);
        let matrix = params["disagreement"].clone();
        return Some(Box::new(move |a, b| {
            let cell = ranks.get(a).zip(ranks.get(b)).and_then(|(&a, &b)| matrix.get(a)?.get(b));
            cell.and_then(Value::as_f64).unwrap_or(f64::NAN)
        }));
    }
    let by_rank = !has_numbers(study) || params["scores"] == "rank";
    let ranks = ranks(study);
    let rank = move |label: &Label| {
        let rank = ranks.get(label).and_then(|&rank| u32::try_from(rank).ok());
        Number::from(rank.unwrap_or(u32::MAX))
    };
    Some(match (weights, by_rank) {
        ("linear", false) => boxed(Linear),
        ("linear", true) => boxed(By(rank, Linear)),
        ("quadratic", false) => boxed(Interval),
        ("quadratic", true) => boxed(By(rank, Interval)),
        ("identity", _) => boxed(Nominal),
        _ => return None,
    })
}

fn weights(params: &Value, study: &Study) -> Option<Result<Weights<Label>, Undefined>> {
    let scheme = match params["weights"].as_str()? {
        "identity" => Scheme::Identity,
        "linear" => Scheme::Linear,
        "quadratic" => Scheme::Quadratic,
        "radical" => Scheme::Radical,
        "ratio" => Scheme::Ratio,
        "circular" => Scheme::Circular,
        "bipolar" => Scheme::Bipolar,
        "ordinal" => Scheme::Ordinal,
        _ => return None,
    };
    Some(if has_numbers(study) {
        Weights::by_value(scheme, study.categories.iter().cloned())
    } else {
        Weights::by_rank(scheme, study.categories.iter().cloned())
    })
}

fn named_matrix(matrix: &Value) -> Option<Boxed> {
    let mut distances = BTreeMap::new();
    for (row, cells) in matrix.as_object()? {
        for (column, distance) in cells.as_object()? {
            distances.insert((row.clone(), column.clone()), distance.as_f64()?);
        }
    }
    Some(Box::new(move |a, b| {
        let key = (name(a), name(b));
        distances.get(&key).copied().unwrap_or(f64::NAN)
    }))
}

fn boxed(distance: impl Distance<Label> + 'static) -> Boxed {
    Box::new(move |a, b| distance.between(a, b))
}

fn ranks(study: &Study) -> BTreeMap<Label, usize> {
    study.categories.iter().cloned().zip(0..).collect()
}

fn has_numbers(study: &Study) -> bool {
    study.categories.iter().all(|label| matches!(label, Label::Number(_)))
}

fn set(label: &Label) -> BTreeSet<Label> {
    match label {
        Label::Set(labels) => labels.clone(),
        single => BTreeSet::from([single.clone()]),
    }
}

/// A label as a key of a JSON object.
fn name(label: &Label) -> String {
    match label {
        Label::Text(text) => text.clone(),
        other => other.score().to_string(),
    }
}
