//! Lengths of time on the command line: a number and a unit, as in 14d.

use std::{fmt, str::FromStr};

use chrono::TimeDelta;

/// A length of time from a minute to ten years, in whole minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Span(pub(in crate::cli) TimeDelta);

/// The longest.
const TEN_YEARS: i64 = 10 * 365;

impl Span {
    pub(in crate::cli) const fn days(days: i64) -> Self {
        Self(TimeDelta::days(days))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.num_minutes() {
            minutes if minutes % (24 * 60) == 0 => write!(f, "{}d", minutes / (24 * 60)),
            minutes if minutes % 60 == 0 => write!(f, "{}h", minutes / 60),
            minutes => write!(f, "{minutes}m"),
        }
    }
}

impl FromStr for Span {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "use a time such as 14d, 12h or 30m, from 1m to 3650d";
        let end = text.len().checked_sub(1).filter(|end| text.is_char_boundary(*end));
        let (number, unit) = text.split_at(end.ok_or(SHAPE)?);
        let number: u32 = number.parse().map_err(|_| SHAPE)?;
        let unit = match unit {
            "d" => TimeDelta::days(1),
            "h" => TimeDelta::hours(1),
            "m" => TimeDelta::minutes(1),
            _ => return Err(SHAPE),
        };
        let number = i32::try_from(number).map_err(|_| SHAPE)?;
        let span = unit.checked_mul(number).ok_or(SHAPE)?;
        let fits = span >= TimeDelta::minutes(1) && span <= TimeDelta::days(TEN_YEARS);
        if fits { Ok(Self(span)) } else { Err(SHAPE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_and_a_unit() {
        for text in ["14d", "12h", "30m", "90m", "3650d"] {
            assert_eq!(text.parse::<Span>().unwrap().to_string(), text);
        }
        assert_eq!("24h".parse::<Span>().unwrap().to_string(), "1d");
        for wrong in ["", "d", "14", "0d", "-1d", "+1 d", "1ü", "3651d", "99999999999d", "1.5h"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
    }
}
