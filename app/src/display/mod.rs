//! Numbers, times and words as they stand on screen: plain functions, the same on server and
//! browser.

pub(crate) mod escape;

use chrono::{DateTime, Utc};
use domain::{Confidence, CoverageView, Measured};

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

/// The same in a sentence: "95 % interval 0.41 to 0.67", "no interval: needs two documents".
pub fn confidence_in_full(certainty: Confidence) -> String {
    match certainty {
        Confidence::Interval { .. } => format!("95 % interval {}", confidence(certainty)),
        Confidence::Pending => "the 95 % interval is being computed".to_owned(),
        Confidence::None(reason) => format!("no interval: {}", reason.words()),
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

/// "6 of 8 positions".
pub fn coverage(coverage: CoverageView, kept: u64) -> String {
    format!("{} of {} positions", thousands(kept), thousands(coverage.positions()))
}

/// 1234567 as "1,234,567".
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// "1 document", "12 documents".
pub fn count(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", thousands(n)) }
}

/// A time in words that need no clock: "2026-11-21 14:05 UTC".
pub fn time(at: DateTime<Utc>) -> String {
    let text = at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    let (date, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("{date} {} UTC", time.get(..5).unwrap_or(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_negative_number_is_not_minus_zero() {
        assert_eq!(decimals(-0.001, 2), "0.00");
        assert_eq!(decimals(-0.126, 2), "−0.13");
        assert_eq!(decimals(0.5, 2), "0.50");
    }

    #[test]
    fn an_interval_ends_at_one_and_says_why_it_is_not_there() {
        let interval = Confidence::Interval { lower: -0.124, upper: 1.07 };
        assert_eq!(confidence_in_full(interval), "95 % interval −0.12 to 1.00");
        let none = Confidence::None(domain::NoInterval::OneDocument);
        assert_eq!(confidence_in_full(none), "no interval: needs two documents");
        assert_eq!(confidence(Confidence::Pending), "interval pending");
    }

    #[test]
    fn halves_go_away_from_zero_whatever_binary_makes_of_them() {
        assert_eq!(decimals(19.0 / 40.0, 2), "0.48");
        assert_eq!(decimals(-19.0 / 40.0, 2), "−0.48");
        assert_eq!(decimals(0.474_999, 2), "0.47");
    }

    #[test]
    fn thousands_are_grouped_from_the_right() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(123_456), "123,456");
    }
}
