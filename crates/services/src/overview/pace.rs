//! How fast assignments are submitted, and when the rest is expected to be done.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use domain::{Pace, StateCounts, saturating, to_f64};

/// Days that a pace is taken from: two weeks have two weekends.
const DAYS: u64 = 14;

/// Standard errors of a 95 % interval.
const NORMAL_95: f64 = 1.96;

/// The pace on the days up to `today`, given on which day each submitted assignment was saved last.
///
/// The mean of a day has the standard error s/√d of d days, where s² is at least the mean, as it is
/// where people submit independently of each other (Poisson). The rest is expected to be done between
/// the days to which the ends of its 95 % interval lead.
pub(super) fn pace(
    counts: StateCounts,
    submitted: impl IntoIterator<Item = NaiveDate>,
    today: NaiveDate,
) -> Pace {
    let mut by_day: BTreeMap<NaiveDate, u64> = BTreeMap::new();
    for day in submitted {
        *by_day.entry(day).or_default() += 1;
    }
    let earliest = today.checked_sub_days(Days::new(DAYS - 1)).unwrap_or(today);
    let Some(first) = by_day.keys().next().map(|first| (*first).max(earliest)) else {
        return Pace { counts, ..Pace::default() };
    };
    let days: Vec<_> = first
        .iter_days()
        .take_while(|day| *day <= today)
        .map(|day| (day, by_day.get(&day).copied().unwrap_or_default()))
        .collect();
    let number = to_f64(saturating::<u64>(days.len()));
    let mean = days.iter().map(|(_, n)| to_f64(*n)).sum::<f64>() / number;
    let spread = days.iter().map(|(_, n)| (to_f64(*n) - mean).powi(2)).sum::<f64>();
    let variance = (spread / (number - 1.0).max(1.0)).max(mean);
    let margin = NORMAL_95 * (variance / number).sqrt();
    let left = counts.open + counts.saved;
    let done = (left > 0 && mean > 0.0).then(|| {
        let soonest = after(today, to_f64(left) / (mean + margin)).unwrap_or(today);
        let latest =
            (mean > margin).then(|| after(today, to_f64(left) / (mean - margin))).flatten();
        (soonest, latest)
    });
    Pace { counts, days, mean, done }
}

/// The day so many days later, begun days included; none beyond a century, which is as good as never.
fn after(today: NaiveDate, days: f64) -> Option<NaiveDate> {
    let whole = (0..36_525_u32).find(|day| f64::from(*day) >= days)?;
    today.checked_add_days(Days::new(whole.into()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, number).unwrap()
    }

    fn left(open: u64) -> StateCounts {
        StateCounts { open, ..StateCounts::default() }
    }

    #[test]
    fn nobody_can_tell_without_anything_submitted() {
        let none = pace(left(5), [], day(9));
        assert_eq!((none.done, none.days.len()), (None, 0));
        // Long ago is no pace either.
        assert_eq!(pace(left(5), [day(1)], day(31)).done, None);
    }

    #[test]
    fn a_steady_pace_leads_to_days_on_both_sides_of_the_mean() {
        let submitted = (1..=14).flat_map(|number| [day(number); 10]);
        let steady = pace(left(100), submitted, day(14));
        assert_eq!((steady.mean, steady.days.len()), (10.0, 14));
        // 10 ± 1.96 √(10/14): from 11.66 down to 8.34 a day, so 8.6 to 12.0 days.
        assert_eq!(steady.done, Some((day(23), Some(day(26)))));
    }

    #[test]
    fn a_pace_that_may_be_zero_has_no_last_day() {
        let once = pace(left(100), [day(1)], day(14));
        assert!(matches!(once.done, Some((_, None))));
    }

    proptest! {
        #[test]
        fn the_days_are_in_order_and_whoever_is_done_has_none(
            submitted in prop::collection::vec(1_u32..=28, 0..60), open in 0_u64..400,
        ) {
            let pace = pace(left(open), submitted.iter().copied().map(day), day(28));
            prop_assert!(pace.days.len() <= 14);
            prop_assert_eq!(pace.done.is_none() || open > 0, true);
            if let Some((soonest, latest)) = pace.done {
                prop_assert!(soonest > day(28));
                prop_assert!(latest.is_none_or(|latest| latest >= soonest));
            }
        }
    }
}
