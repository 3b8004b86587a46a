//! Cases of inference: standard errors, intervals, true agreement.

use std::collections::{BTreeMap, BTreeSet};

use agreement::inference::{
    Binary, Estimate, Interval, ItemCounts, Level, TrueAgreement, TwoSided,
    brennan_prediger_estimate, cohen_kappa_error_by_chance, cohen_kappa_estimate,
    conservative_interval, fleiss_kappa_error_by_chance, fleiss_kappa_estimate, gwet_ac1_estimate,
    homogeneity_interval, weighted_kappa_error_by_chance, weighted_kappa_estimate,
};
use agreement::{Contingency, Undefined};
use serde_json::{Value, json};

/// The value of a case, or `None` if it is none of inference, or cannot be read.
pub(crate) fn compute(
    measure: &str,
    params: &Value,
    data: &Value,
) -> Option<Result<Value, Undefined>> {
    match measure {
        "cohen_kappa_se" => Some(standard_error(cohen_kappa_estimate(&pairs(data)?))),
        "cohen_kappa_se0" => Some(cohen_kappa_error_by_chance(&pairs(data)?).map(Value::from)),
        "cohen_kappa_ci" => Some(cohen_kappa_estimate(&pairs(data)?).map(|estimate| {
            ends(match params["z"].as_f64() {
                Some(errors) => estimate.interval_at(errors),
                None => estimate.interval(level(params)),
            })
        })),
        "weighted_kappa_se" => {
            let (pairs, distances) = (pairs(data)?, distances(params, data)?);
            let disagreement = |a: &String, b: &String| distances.between(a, b);
            Some(standard_error(weighted_kappa_estimate(&pairs, disagreement)))
        }
        "weighted_kappa_se0" => {
            let (pairs, distances) = (pairs(data)?, distances(params, data)?);
            let disagreement = |a: &String, b: &String| distances.between(a, b);
            Some(weighted_kappa_error_by_chance(&pairs, disagreement).map(Value::from))
        }
        // The errors of graded coefficients are not computed.
        "fleiss_kappa_se" | "gwet_ac1_se" | "brennan_prediger_se" if is_graded(params) => None,
        "fleiss_kappa_se" => Some(standard_error(fleiss_kappa_estimate(&items(data)?))),
        "gwet_ac1_se" => Some(standard_error(gwet_ac1_estimate(&items(data)?))),
        "brennan_prediger_se" => Some(standard_error(brennan_prediger_estimate(&items(data)?))),
        "fleiss_kappa_se0" => Some(fleiss_kappa_error_by_chance(&items(data)?).map(Value::from)),
        "true_agreement_conservative_ci" => true_agreement(params, data, conservative_interval),
        "true_agreement_homogeneity_ci" => true_agreement(params, data, homogeneity_interval),
        _ => None,
    }
}

fn is_graded(params: &Value) -> bool {
    !params["weights"].is_null() && params["weights"] != "identity"
}

fn standard_error(estimate: Result<Estimate, Undefined>) -> Result<Value, Undefined> {
    Ok(estimate?.standard_error.into())
}

fn ends(interval: Interval) -> Value {
    json!([interval.lower, interval.upper])
}

fn level(params: &Value) -> Level {
    params["level"].as_f64().and_then(Level::new).unwrap_or_default()
}

fn true_agreement(
    params: &Value,
    data: &Value,
    interval: impl Fn(&Binary, Level, TwoSided) -> Result<TrueAgreement, Undefined>,
) -> Option<Result<Value, Undefined>> {
    let pairs = pairs(data)?;
    let table = match &params["category"] {
        Value::Null => Binary::from_table(&pairs),
        category => Ok(Binary::one_vs_rest(&pairs, &name(category))),
    };
    let sides = match params["two_sided"].as_str() {
        Some("doubled") => TwoSided::DoubledTail,
        _ => TwoSided::AtMostAsLikely,
    };
    Some(table.and_then(|table| Ok(ends(interval(&table, level(params), sides)?.interval()))))
}

/// A category as text: a set in one order, a number without a fraction that is 0.
fn name(category: &Value) -> String {
    match category {
        Value::Array(members) => {
            let members: BTreeSet<String> = members.iter().map(name).collect();
            format!("{members:?}")
        }
        Value::Number(number) => number.as_f64().map_or(number.to_string(), |n| n.to_string()),
        category => category.to_string(),
    }
}

fn rows(data: &Value) -> Option<Vec<(&Vec<Value>, u64)>> {
    if data["kind"] == "patterns" {
        let patterns = data["patterns"].as_array()?;
        return patterns
            .iter()
            .map(|pattern| {
                let row = pattern.get("ratings").or(pattern.get(0))?.as_array()?;
                let times = pattern.get("n").or(pattern.get(1))?.as_u64()?;
                Some((row, times))
            })
            .collect();
    }
    data["items"].as_array()?.iter().map(|item| Some((item.as_array()?, 1))).collect()
}

/// The first two raters, on the items that both rated.
fn pairs(data: &Value) -> Option<Contingency<String>> {
    let mut table = Contingency::new();
    match data["kind"].as_str()? {
        "contingency" => {
            let categories = data["categories"].as_array()?;
            for (row, counts) in categories.iter().zip(data["table"].as_array()?) {
                for (column, count) in categories.iter().zip(counts.as_array()?) {
                    table.add_count(name(row), name(column), count.as_u64()?);
                }
            }
        }
        "ratings" | "patterns" => {
            for (row, times) in rows(data)? {
                if let [first, second, ..] = row.as_slice()
                    && !first.is_null()
                    && !second.is_null()
                {
                    table.add_count(name(first), name(second), times);
                }
            }
        }
        _ => return None,
    }
    Some(table)
}

fn items(data: &Value) -> Option<ItemCounts> {
    let mut codes = BTreeMap::new();
    for category in data["categories"].as_array().into_iter().flatten() {
        let next = codes.len();
        codes.entry(name(category)).or_insert(next);
    }
    let declared = codes.len();
    let mut counts = ItemCounts::default();
    match data["kind"].as_str()? {
        "counts" => {
            let table = data.get("table").or(data.get("counts")).or(data.get("items"))?;
            for item in table.as_array()? {
                let item: Option<Vec<u64>> = item.as_array()?.iter().map(Value::as_u64).collect();
                counts.add_counts(item?, 1);
            }
        }
        "contingency" => {
            for (row, cells) in data["table"].as_array()?.iter().enumerate() {
                for (column, count) in cells.as_array()?.iter().enumerate() {
                    counts.add_counts(tally(&[row, column]), count.as_u64()?);
                }
            }
        }
        "ratings" | "patterns" => {
            for (row, times) in rows(data)? {
                let mut chosen = Vec::new();
                for category in row.iter().filter(|category| !category.is_null()) {
                    let next = codes.len();
                    chosen.push(*codes.entry(name(category)).or_insert(next));
                }
                counts.add_counts(tally(&chosen), times);
            }
        }
        _ => return None,
    }
    Some(counts.with_categories(declared))
}

/// How often each category was chosen, up to the last that was.
fn tally(chosen: &[usize]) -> Vec<u64> {
    let categories = chosen.iter().max().map_or(0, |last| last + 1);
    let times = |category| chosen.iter().filter(|&&one| one == category).map(|_| 1).sum();
    (0..categories).map(times).collect()
}

/// How far apart categories are, by their scores or by a table of their own.
enum Distances {
    Scores { scores: BTreeMap<String, f64>, squared: bool },
    Table(BTreeMap<(String, String), f64>),
}

impl Distances {
    fn between(&self, a: &str, b: &str) -> f64 {
        match self {
            Self::Scores { scores, squared } => {
                let score = |category| scores.get(category).copied().unwrap_or(f64::NAN);
                let distance = (score(a) - score(b)).abs();
                if *squared { distance * distance } else { distance }
            }
            Self::Table(table) => {
                table.get(&(a.to_owned(), b.to_owned())).copied().unwrap_or(f64::NAN)
            }
        }
    }
}

fn distances(params: &Value, data: &Value) -> Option<Distances> {
    let categories = categories(data)?;
    if params["weights"] == "matrix" {
        let mut table = BTreeMap::new();
        for (a, row) in categories.iter().zip(params["disagreement"].as_array()?) {
            for (b, distance) in categories.iter().zip(row.as_array()?) {
                table.insert((name(a), name(b)), distance.as_f64()?);
            }
        }
        return Some(Distances::Table(table));
    }
    let by_value = params["scores"] != "rank" && categories.iter().all(Value::is_number);
    let scores = (0_u32..).zip(&categories).map(|(rank, category)| {
        let value = category.as_f64().filter(|_| by_value);
        (name(category), value.unwrap_or(f64::from(rank)))
    });
    Some(Distances::Scores { scores: scores.collect(), squared: params["weights"] == "quadratic" })
}

/// The declared categories in their order, or else those that occur, sorted.
fn categories(data: &Value) -> Option<Vec<Value>> {
    if let Some(declared) = data["categories"].as_array() {
        return Some(declared.clone());
    }
    let mut categories: Vec<Value> = rows(data)?
        .into_iter()
        .flat_map(|(row, _)| row.iter().take(2).filter(|category| !category.is_null()).cloned())
        .collect();
    categories.sort_by(|a, b| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => name(a).cmp(&name(b)),
    });
    categories.dedup();
    Some(categories)
}
