//! Coefficients and their intervals as people read them, the same on every page and in every file.

use crate::{Confidence, Measured};

/// A coefficient with two decimals and a real minus sign; "–" where there is none.
pub fn coefficient(measured: Measured) -> String {
    measured.value().map_or_else(|| "–".to_owned(), |value| decimals(value, 2))
}

/// "0.41 to 0.67", "interval pending", "no interval". An upper bound beyond 1, which the formula of
/// κ can give, is shown as 1: no value lies there.
pub fn confidence(confidence: Confidence) -> String {
    match confidence {
        Confidence::Interval { lower, upper } => {
            format!("{} to {}", decimals(lower, 2), decimals(upper.min(1.0), 2))
        }
        Confidence::Pending => "interval pending".to_owned(),
        Confidence::None(_) => "no interval".to_owned(),
    }
}

/// A number with so many decimals and a real minus sign; never "−0.00". Halves go away from zero,
/// also where a binary number lies just below them: 19/40 is "0.48".
pub fn decimals(value: f64, places: usize) -> String {
    // Far more than arithmetic loses, far less than anybody is shown.
    const NUDGE: f64 = 1e-12;
    let text = format!("{:.places$}", value + NUDGE.copysign(value));
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// A p-value with three decimals, "< 0.001" where these would be 0; "–" where there is none.
pub fn p_value(p: Option<f64>) -> String {
    match p {
        None => "–".to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => decimals(p, 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_p_value_is_never_0() {
        let words = [None, Some(0.0), Some(0.000_99), Some(0.001), Some(1.0)].map(p_value);
        assert_eq!(words, ["–", "< 0.001", "< 0.001", "0.001", "1.000"]);
    }

    #[test]
    fn a_small_negative_number_is_not_minus_zero() {
        assert_eq!(decimals(-0.001, 2), "0.00");
        assert_eq!(decimals(-0.126, 2), "−0.13");
        assert_eq!(decimals(0.5, 2), "0.50");
    }

    #[test]
    fn halves_go_away_from_zero_whatever_binary_makes_of_them() {
        assert_eq!(decimals(19.0 / 40.0, 2), "0.48");
        assert_eq!(decimals(-19.0 / 40.0, 2), "−0.48");
        assert_eq!(decimals(0.474_999, 2), "0.47");
    }
}
