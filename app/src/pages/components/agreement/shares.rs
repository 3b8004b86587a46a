//! Parts of a whole as they stand on screen.

use domain::Confidence;

use super::pair::share::share as divide;
use crate::display;

/// A share as "83 %", with a decimal below a tenth: "4.2 %".
pub(crate) fn percent(share: f64) -> String {
    let places = usize::from(share.abs() < 0.0995 && share != 0.0);
    format!("{}\u{a0}%", display::decimals(100.0 * share, places))
}

/// The sign and the class of a change: filled and coloured where its interval leaves zero out.
pub(crate) fn direction(by: f64, confidence: Confidence) -> (&'static str, &'static str) {
    match confidence {
        Confidence::Interval { lower, .. } if lower > 0.0 => ("▲", "good"),
        Confidence::Interval { upper, .. } if upper < 0.0 => ("▼", "danger"),
        _ if by < 0.0 => ("▽", "soft"),
        _ => ("△", "soft"),
    }
}

/// A part of a whole; none of nothing.
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| divide(part.into(), whole.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_share_has_a_decimal_and_nothing_has_none() {
        assert_eq!(percent(0.834), "83\u{a0}%");
        assert_eq!(percent(0.042), "4.2\u{a0}%");
        assert_eq!((percent(0.0), percent(1.0)), ("0\u{a0}%".to_owned(), "100\u{a0}%".to_owned()));
        assert_eq!((share(1, 4), share(0, 0)), (Some(0.25), None));
    }
}
