//! Two-rater cases from papers and peer libraries, each with its own tolerance.

use agreement::{
    Coefficient, Contingency, Undefined, cohen_kappa, krippendorff_alpha_nominal, percent,
};
use serde_json::Value;

/// Categories are compared as JSON text, so numbers and strings need no common type.
fn table(data: &Value) -> Option<Contingency<String>> {
    match data["kind"].as_str()? {
        "ratings" => data["items"]
            .as_array()?
            .iter()
            .map(|item| Some((item.get(0)?.to_string(), item.get(1)?.to_string())))
            .collect(),
        "contingency" => {
            let categories = data["categories"].as_array()?;
            let mut table = Contingency::new();
            for (row, counts) in categories.iter().zip(data["table"].as_array()?) {
                for (column, count) in categories.iter().zip(counts.as_array()?) {
                    table.add_count(row.to_string(), column.to_string(), count.as_u64()?);
                }
            }
            Some(table)
        }
        _ => None,
    }
}

fn measured(measure: &str, table: &Contingency<String>) -> Option<Result<Coefficient, Undefined>> {
    match measure {
        "percent_agreement" => Some(percent(table)),
        "cohen_kappa" => Some(cohen_kappa(table)),
        "krippendorff_alpha" => Some(krippendorff_alpha_nominal(table)),
        _ => None,
    }
}

fn reason(undefined: &str) -> Option<Undefined> {
    match undefined {
        "no data" => Some(Undefined::NoSharedPositions),
        "expected agreement is 1 (0/0)" | "no variation (0/0)" => Some(Undefined::OneCategory),
        _ => None,
    }
}

#[test]
fn every_case_is_met_within_its_tolerance() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("golden/two_raters.json")).unwrap();
    assert_eq!(cases.len(), 143);

    let mut misses = Vec::new();
    for case in &cases {
        let id = case["id"].as_str().unwrap();
        let table = table(&case["data"]).expect(id);
        let actual = measured(case["measure"].as_str().unwrap(), &table).expect(id);
        let met = match case["expected"].as_f64() {
            Some(expected) => {
                let tolerance = case["tolerance"].as_f64().expect(id);
                actual.is_ok_and(|coefficient| (coefficient.value - expected).abs() <= tolerance)
            }
            None => actual == Err(case["undefined"].as_str().and_then(reason).expect(id)),
        };
        if !met {
            misses.push(format!("{id}: {actual:?}, expected {}", case["expected"]));
        }
    }
    assert!(misses.is_empty(), "{}", misses.join("\n"));
}
