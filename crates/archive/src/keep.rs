//! Which backups are kept: the last of each of so many hours, days, weeks and months.

use std::{collections::BTreeSet, fmt, str::FromStr};

use chrono::{DateTime, Datelike, Timelike, Utc};

/// A rule by which backups are kept, such as `7d,4w,12m`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keep(Vec<(u16, Unit)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Hour,
    Day,
    Week,
    Month,
}

impl Unit {
    const ALL: [Self; 4] = [Self::Hour, Self::Day, Self::Week, Self::Month];

    const fn letter(self) -> char {
        match self {
            Self::Hour => 'h',
            Self::Day => 'd',
            Self::Week => 'w',
            Self::Month => 'm',
        }
    }

    /// Which hour, day, week or month a time is in.
    fn period(self, at: DateTime<Utc>) -> (i32, u32, u32) {
        match self {
            Self::Hour => (at.year(), at.ordinal(), at.hour()),
            Self::Day => (at.year(), at.ordinal(), 0),
            Self::Week => (at.iso_week().year(), at.iso_week().week(), 0),
            Self::Month => (at.year(), at.month(), 0),
        }
    }
}

impl Keep {
    /// Those of these times that the rule keeps. Periods without any do not count, so a server that was
    /// away has not lost what it had; the last is kept by every rule.
    pub fn kept(&self, times: impl IntoIterator<Item = DateTime<Utc>>) -> BTreeSet<DateTime<Utc>> {
        let times: BTreeSet<_> = times.into_iter().collect();
        let mut kept: BTreeSet<_> = times.last().copied().into_iter().collect();
        for (count, unit) in &self.0 {
            let mut periods = BTreeSet::new();
            for at in times.iter().rev() {
                if periods.len() == usize::from(*count) {
                    break;
                }
                if periods.insert(unit.period(*at)) {
                    kept.insert(*at);
                }
            }
        }
        kept
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = self.0.iter().map(|(count, unit)| format!("{count}{}", unit.letter()));
        f.write_str(&parts.collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Keep {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "use a rule such as 7d,4w,12m: so many hours (h), days (d), weeks (w) and months (m), each once";
        let part = |part: &str| {
            let unit = Unit::ALL.into_iter().find(|unit| part.ends_with(unit.letter()))?;
            let count =
                part.strip_suffix(unit.letter())?.parse().ok().filter(|count| *count > 0)?;
            Some((count, unit))
        };
        let parts: Option<Vec<_>> = text.split(',').map(|text| part(text.trim())).collect();
        let parts = parts.ok_or(SHAPE)?;
        let units: BTreeSet<_> = parts.iter().map(|(_, unit)| *unit).collect();
        if units.len() == parts.len() { Ok(Self(parts)) } else { Err(SHAPE) }
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn kept(rule: &str, times: &[DateTime<Utc>]) -> Vec<String> {
        let kept = rule.parse::<Keep>().unwrap().kept(times.iter().copied());
        kept.into_iter().map(|at| at.format("%m-%d %H").to_string()).collect()
    }

    #[test]
    fn the_last_of_each_day_week_and_month_is_kept() {
        let every_six_hours: Vec<_> =
            (0..4 * 70).map(|n| at("2026-09-01T00:00:00Z") + TimeDelta::hours(6 * n)).collect();
        // The last is of 9 November, 18 o'clock: a Monday.
        assert_eq!(kept("3d", &every_six_hours), ["11-07 18", "11-08 18", "11-09 18"]);
        assert_eq!(kept("3w", &every_six_hours), ["11-01 18", "11-08 18", "11-09 18"]);
        assert_eq!(kept("2m", &every_six_hours), ["10-31 18", "11-09 18"]);
        assert_eq!(kept("2h", &every_six_hours), ["11-09 12", "11-09 18"]);
        assert_eq!(
            kept("2d,2w,12m", &every_six_hours),
            ["09-30 18", "10-31 18", "11-08 18", "11-09 18"]
        );
    }

    #[test]
    fn a_pause_takes_nothing_away_and_the_last_always_stays() {
        let times = [at("2024-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z")];
        assert_eq!(kept("7d", &times).len(), 2);
        assert_eq!(kept("1h", &times), ["01-01 00"]);
        assert_eq!(kept("1h", &[]), Vec::<String>::new());
    }

    #[test]
    fn a_rule_applied_again_takes_nothing_more() {
        let rule: Keep = "2h,7d,4w,12m".parse().unwrap();
        let mut all: BTreeSet<DateTime<Utc>> = BTreeSet::new();
        for n in 0..5_000 {
            all.insert(at("2026-01-01T00:30:00Z") + TimeDelta::hours(n));
            all = rule.kept(all.clone());
            assert_eq!(rule.kept(all.clone()), all);
            assert!(all.len() <= 2 + 7 + 4 + 12);
        }
        // As many as if nothing had been taken away before.
        assert!(all.first().unwrap() < &at("2026-02-01T00:00:00Z"));
    }

    #[test]
    fn a_rule_is_read_as_it_is_written() {
        for text in ["7d,4w,12m", "24h", "1d"] {
            assert_eq!(text.parse::<Keep>().unwrap().to_string(), text);
        }
        for wrong in ["", "7", "d", "0d", "-1d", "7d,7d", "7d;4w", "7y", "99999d", "7d,"] {
            assert!(wrong.parse::<Keep>().is_err(), "{wrong}");
        }
    }
}
