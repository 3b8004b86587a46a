//! Whether a case is met: computes it and compares.

use serde_json::Value;

use super::{coding, inference, unitizing};

/// Nothing if the case is met, or what is wrong.
pub(crate) fn verdict(case: &Value) -> Result<(), String> {
    let measure = case["measure"].as_str().ok_or("it names no measure")?;
    let (params, data) = (&case["params"], &case["data"]);
    let computed = coding::compute(measure, params, data)
        .or_else(|| unitizing::compute(measure, params, data))
        .or_else(|| inference::compute(measure, params, data))
        .ok_or_else(|| format!("unsupported: {measure} of {}", data["kind"]))?;
    let tolerance = case["tolerance"].as_f64().unwrap_or(1e-9);
    match computed {
        Ok(value) if is_near(&value, &case["expected"], tolerance) => Ok(()),
        Ok(value) => Err(format!("{value}, expected {}", case["expected"])),
        Err(_) if case["expected"].is_null() => Ok(()),
        Err(reason) => Err(format!("undefined ({reason}), expected {}", case["expected"])),
    }
}

fn is_near(actual: &Value, expected: &Value, tolerance: f64) -> bool {
    match (actual, expected) {
        (Value::Array(actual), Value::Array(expected)) => {
            actual.len() == expected.len()
                && actual.iter().zip(expected).all(|(a, b)| is_near(a, b, tolerance))
        }
        (Value::Number(actual), Value::Number(expected)) => {
            let (actual, expected) = (actual.as_f64(), expected.as_f64());
            actual.zip(expected).is_some_and(|(a, b)| (a - b).abs() <= tolerance)
        }
        // Whole values that are undefined come as an error, single entries of them as null.
        (Value::Null, Value::Null) => true,
        _ => false,
    }
}
