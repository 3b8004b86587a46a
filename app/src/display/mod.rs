//! Numbers, times and words as they stand on screen: plain functions, the same on server and
//! browser.

pub(crate) mod escape;

use chrono::{DateTime, Utc};
pub use domain::wording::{coefficient, confidence, decimals, p_value};
use domain::{Confidence, CoverageView};

/// The same in a sentence: "95 % interval 0.41 to 0.67", "no interval: needs two documents".
pub fn confidence_in_full(certainty: Confidence) -> String {
    match certainty {
        Confidence::Interval { .. } => format!("95 % interval {}", confidence(certainty)),
        Confidence::Pending => "the 95 % interval is being computed".to_owned(),
        Confidence::None(reason) => format!("no interval: {}", reason.words()),
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
    fn an_interval_ends_at_one_and_says_why_it_is_not_there() {
        let interval = Confidence::Interval { lower: -0.124, upper: 1.07 };
        assert_eq!(confidence_in_full(interval), "95 % interval −0.12 to 1.00");
        let none = Confidence::None(domain::NoInterval::OneDocument);
        assert_eq!(confidence_in_full(none), "no interval: needs two documents");
        assert_eq!(confidence(Confidence::Pending), "interval pending");
    }

    #[test]
    fn thousands_are_grouped_from_the_right() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(thousands(123_456), "123,456");
    }
}
