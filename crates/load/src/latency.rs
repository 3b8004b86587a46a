//! Latencies by the hundred million, in little room.

use std::time::Duration;

use serde::Serialize;

/// Places for a factor of two, of which the upper half is used: a time is kept within 1/32 of itself.
const FINE: u64 = 64;

/// How often which time was seen, in microseconds.
#[derive(Clone, Default)]
pub(crate) struct Latencies {
    /// By the place of their time on a scale that is exact at first, then of 32 steps a factor of two.
    counts: Vec<u64>,
    seen: u64,
    longest: u64,
}

/// Some of them, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Percentiles {
    pub(crate) n: u64,
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    pub(crate) max: f64,
}

impl Latencies {
    /// Counts a time.
    pub(crate) fn add(&mut self, time: Duration) {
        self.add_micros(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// Counts a time in microseconds.
    pub(crate) fn add_micros(&mut self, micros: u64) {
        let place = place(micros);
        if self.counts.len() <= place {
            self.counts.resize(place + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(place) {
            *count += 1;
        }
        self.seen += 1;
        self.longest = self.longest.max(micros);
    }

    /// Counts all of others.
    pub(crate) fn add_all(&mut self, others: &Self) {
        if self.counts.len() < others.counts.len() {
            self.counts.resize(others.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&others.counts) {
            *count += more;
        }
        self.seen += others.seen;
        self.longest = self.longest.max(others.longest);
    }

    /// What most were within; none if nothing was seen.
    pub(crate) fn percentiles(&self) -> Option<Percentiles> {
        let within = |thousandths: u64| {
            let rank = (self.seen * thousandths).div_ceil(1000).max(1);
            let mut sum = 0;
            let place = self.counts.iter().position(|count| {
                sum += count;
                sum >= rank
            });
            millis(place.map_or(0, upper).min(self.longest))
        };
        (self.seen > 0).then(|| Percentiles {
            n: self.seen,
            p50: within(500),
            p95: within(950),
            p99: within(990),
            p999: within(999),
            max: millis(self.longest),
        })
    }
}

/// The place of a time on the scale.
fn place(micros: u64) -> usize {
    let shift = (micros / FINE).checked_ilog2().map_or(0, |log| log + 1);
    let place = u64::from(shift) * FINE + (micros >> shift);
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// The longest time that has a place.
fn upper(place: usize) -> u64 {
    let place = u64::try_from(place).unwrap_or(u64::MAX);
    // Above the first, each factor of two begins in the middle of its 64 places.
    (0..64)
        .rev()
        .find_map(|shift| {
            let value = place.checked_sub(shift * FINE)?;
            let fits = value < FINE && (shift == 0 || value >= FINE / 2);
            fits.then(|| ((value + 1) << shift) - 1)
        })
        .unwrap_or(u64::MAX)
}

/// Microseconds in milliseconds.
fn millis(micros: u64) -> f64 {
    Duration::from_micros(micros).as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_kept_within_a_thirtieth_of_itself() {
        for micros in (0..200).chain((0..40).map(|power| 3_u64.pow(power / 2) * 7 + 1)) {
            let kept = upper(place(micros));
            assert!(kept >= micros && kept <= micros + micros / 30, "{micros}: {kept}");
        }
    }

    #[test]
    fn percentiles_are_those_of_the_times() {
        let (mut some, mut others) = (Latencies::default(), Latencies::default());
        (1..=500).for_each(|time| some.add(Duration::from_millis(time)));
        (501..=1000).for_each(|time| others.add(Duration::from_millis(time)));
        some.add_all(&others);
        let found = some.percentiles().unwrap();
        assert_eq!((found.n, found.max), (1000, 1000.0));
        for (value, wanted) in [(found.p50, 500.0), (found.p99, 990.0), (found.p999, 999.0)] {
            assert!((value - wanted).abs() <= wanted / 30.0, "{value}, not {wanted}");
        }
        assert_eq!(Latencies::default().percentiles(), None);
    }
}
