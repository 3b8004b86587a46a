//! Where things stand in the chart: days to the right, values up.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use domain::{Confidence, DayPoint, TimeValue, TimeView};

/// The drawing's size and the edges of what is drawn in it, in its own units.
pub(super) const WIDTH: f64 = 800.0;
pub(super) const HEIGHT: f64 = 340.0;
pub(super) const LEFT: f64 = 48.0;
pub(super) const RIGHT: f64 = 664.0;
pub(super) const TOP: f64 = 24.0;
pub(super) const BOTTOM: f64 = 304.0;

/// How far the first and the last day stand from the edges.
const MARGIN: f64 = 28.0;

/// The most days that are written below the chart.
const MOST_DAYS: usize = 10;

/// How days and values become places.
pub(super) struct Places {
    first: NaiveDate,
    last: NaiveDate,
    /// The lowest value that is drawn: a fifth of 1 below which nothing lies, 0.6 at most.
    pub(super) lowest: f64,
    days: Vec<NaiveDate>,
}

/// The start of a round or of a version of the guidelines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Marker {
    pub(super) x: f64,
    pub(super) is_round: bool,
    /// "R2", "G3".
    pub(super) sign: String,
    pub(super) title: String,
}

impl Places {
    /// Room for all that the view has; what began before the first day stands at the left edge.
    pub(super) fn of(view: &TimeView) -> Self {
        let days: Vec<_> = view.days.iter().map(|point| point.day).collect();
        let first = days.first().copied().unwrap_or_default();
        let began = view.rounds.iter().map(|point| point.round.started_at.date_naive());
        let last = days.iter().copied().chain(began).max().unwrap_or(first);
        let bounds =
            view.days.iter().flat_map(|point| [lowest(&point.of_day), lowest(&point.up_to)]);
        let lowest = bounds.flatten().fold(0.6, f64::min);
        Self { first, last, lowest: (lowest * 5.0).floor() / 5.0, days }
    }

    /// Where a day stands; one day alone in the middle.
    pub(super) fn x(&self, day: NaiveDate) -> f64 {
        self.share(days_between(self.first, day))
    }

    /// Where a moment stands, between the days before and after it.
    fn x_at(&self, at: DateTime<Utc>) -> f64 {
        let seconds = at.signed_duration_since(self.first.and_time(NaiveTime::MIN).and_utc());
        let days = i32::try_from(seconds.num_minutes()).map_or(f64::MAX, f64::from) / 1_440.0;
        // A day's mark stands for the whole day: its middle.
        self.share(days - 0.5).clamp(LEFT + 8.0, RIGHT - 8.0)
    }

    fn share(&self, days: f64) -> f64 {
        let all = days_between(self.first, self.last);
        if all <= 0.0 {
            return f64::midpoint(LEFT, RIGHT);
        }
        LEFT + MARGIN + days / all * (RIGHT - LEFT - 2.0 * MARGIN)
    }

    /// Where a value stands; beyond the edges at the edge.
    pub(super) fn y(&self, value: f64) -> f64 {
        let share = (value.clamp(self.lowest, 1.0) - self.lowest) / (1.0 - self.lowest);
        BOTTOM - share * (BOTTOM - TOP)
    }

    /// Every fifth of 1.
    pub(super) fn value_ticks(&self) -> Vec<f64> {
        (-5..=5).map(|fifth| f64::from(fifth) / 5.0).filter(|v| *v >= self.lowest - 1e-9).collect()
    }

    /// The days that are written: all, or every so many.
    pub(super) fn day_ticks(&self) -> Vec<NaiveDate> {
        let step = self.days.len().div_ceil(MOST_DAYS).max(1);
        let mut ticks: Vec<NaiveDate> = self.days.iter().copied().step_by(step).collect();
        // Words that would stand on each other are left out.
        let mut right = f64::MIN;
        ticks.retain(|day| {
            let x = self.x(*day);
            let has_room = x - right > 52.0;
            if has_room {
                right = x;
            }
            has_room
        });
        ticks
    }

    /// The line of the values up to each day; a day without a value breaks it.
    pub(super) fn line(&self, days: &[DayPoint]) -> String {
        let mut path = String::new();
        let mut joined = false;
        for point in days {
            let Some(value) = point.up_to.measured.value() else {
                joined = false;
                continue;
            };
            let step = if joined { "L" } else { "M" };
            let (x, y) = (at(self.x(point.day)), at(self.y(value)));
            path.extend([step, &x, " ", &y]);
            joined = true;
        }
        path
    }

    /// The band between the bounds, in one piece for each run of days that have them.
    pub(super) fn band(&self, days: &[DayPoint]) -> String {
        let bounds = |point: &DayPoint| match point.up_to.confidence {
            Confidence::Interval { lower, upper } => Some((self.x(point.day), lower, upper)),
            Confidence::Pending | Confidence::None(_) => None,
        };
        let mut path = String::new();
        for run in days.split(|point| bounds(point).is_none()) {
            let run: Vec<_> = run.iter().filter_map(bounds).collect();
            let there = run.iter().map(|(x, _, upper)| (*x, *upper));
            let back = run.iter().rev().map(|(x, lower, _)| (*x, *lower));
            for (place, (x, value)) in there.chain(back).enumerate() {
                let step = if place == 0 { "M" } else { "L" };
                path.extend([step, &at(x), " ", &at(self.y(value))]);
            }
            if !run.is_empty() {
                path.push('Z');
            }
        }
        path
    }

    /// What began when, from the left to the right. The round that a project begins with and its
    /// first guidelines are no change; a version that began with a round shares its line.
    pub(super) fn markers(&self, view: &TimeView) -> Vec<Marker> {
        let rounds = view.rounds.iter().skip(1).map(|point| &point.round);
        let mut markers: Vec<Marker> = rounds
            .clone()
            .map(|round| {
                let with = view.versions.iter().find(|v| v.created_at == round.started_at);
                let version = with.map_or_else(String::new, |v| format!(" · G{}", v.number));
                Marker {
                    x: self.x_at(round.started_at),
                    is_round: true,
                    sign: format!("R{}{version}", round.number),
                    title: format!(
                        "{}, under version {} of the guidelines, {}",
                        round.name(),
                        round.guidelines_version,
                        round.started_at.date_naive()
                    ),
                }
            })
            .collect();
        let versions = view
            .versions
            .iter()
            .filter(|version| version.number > 1)
            .filter(|version| rounds.clone().all(|round| round.started_at != version.created_at))
            .map(|version| Marker {
                x: self.x_at(version.created_at),
                is_round: false,
                sign: format!("G{}", version.number),
                title: format!(
                    "Version {} of the guidelines, {}",
                    version.number,
                    version.created_at.date_naive()
                ),
            });
        markers.extend(versions);
        markers.sort_by(|one, other| one.x.total_cmp(&other.x));
        markers
    }
}

fn lowest(value: &TimeValue) -> Option<f64> {
    match value.confidence {
        Confidence::Interval { lower, .. } => Some(lower.max(-1.0)),
        Confidence::Pending | Confidence::None(_) => value.measured.value(),
    }
}

fn days_between(from: NaiveDate, to: NaiveDate) -> f64 {
    let days = to.signed_duration_since(from).num_days();
    i32::try_from(days).map_or(0.0, f64::from)
}

/// A place in the drawing, to a tenth of a unit.
pub(super) fn at(place: f64) -> String {
    format!("{place:.1}")
}

#[cfg(test)]
mod tests {
    use chrono::Days;
    use domain::{
        GuidelinesVersion, Measured, NoInterval, ProjectId, Revision, Round, RoundId, RoundPoint,
        TimeSwitches, UndefinedReason,
    };

    use super::*;

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, day).unwrap()
    }

    fn value(value: Option<f64>, interval: Option<(f64, f64)>) -> TimeValue {
        TimeValue {
            measured: value.map_or(Measured::Undefined(UndefinedReason::OneCategory), |value| {
                Measured::Value { value, observed: value, expected: 0.0 }
            }),
            confidence: interval
                .map_or(Confidence::None(NoInterval::OneDocument), |(lower, upper)| {
                    Confidence::Interval { lower, upper }
                }),
            n: 1,
            documents: 1,
        }
    }

    fn point(on: u32, of: TimeValue) -> DayPoint {
        DayPoint { day: day(on), of_day: of, up_to: of, documents: Vec::new(), left: 0 }
    }

    fn view(days: Vec<DayPoint>, rounds: &[&str], versions: &[&str]) -> TimeView {
        let round = |(number, at): (u64, &&str)| RoundPoint {
            round: Round {
                id: RoundId(1),
                number,
                title: String::new(),
                note: String::new(),
                guidelines_version: 1,
                started_at: at.parse().unwrap(),
                started_by: None,
                documents: 0,
            },
            value: value(None, None),
            change: None,
        };
        let version = |(number, at): (i64, &&str)| GuidelinesVersion {
            number,
            note: String::new(),
            author: None,
            created_at: at.parse().unwrap(),
        };
        TimeView {
            project: ProjectId(1),
            revision: Revision(1),
            pending: false,
            switches: TimeSwitches::default(),
            labelers: 2,
            reviewers: 0,
            days,
            rounds: (1..).zip(rounds).map(round).collect(),
            versions: (1..).zip(versions).map(version).collect(),
        }
    }

    #[test]
    fn days_stand_as_far_apart_as_they_are_and_one_alone_in_the_middle() {
        let of = value(Some(0.5), None);
        let places = Places::of(&view(vec![point(1, of), point(2, of), point(5, of)], &[], &[]));
        let [one, two, five] = [1, 2, 5].map(|on| places.x(day(on)));
        assert!((five - one - 4.0 * (two - one)).abs() < 1e-9);
        assert!(one > LEFT && five < RIGHT);
        let alone = Places::of(&view(vec![point(3, of)], &[], &[]));
        assert!((alone.x(day(3)) - f64::midpoint(LEFT, RIGHT)).abs() < 1e-9);
    }

    #[test]
    fn the_drawing_begins_at_a_fifth_below_which_nothing_lies() {
        let above = Places::of(&view(vec![point(1, value(Some(0.5), Some((0.1, 0.9))))], &[], &[]));
        assert_eq!((above.lowest, above.value_ticks().len()), (0.0, 6));
        let high =
            Places::of(&view(vec![point(1, value(Some(0.9), Some((0.85, 0.95))))], &[], &[]));
        assert_eq!((high.lowest, high.value_ticks().len()), (0.6, 3));
        assert_eq!((above.y(1.0), above.y(0.0)), (TOP, BOTTOM));
        assert_eq!((above.y(1.3), above.y(-0.2)), (TOP, BOTTOM), "nothing is drawn outside");
        let below =
            Places::of(&view(vec![point(1, value(Some(0.1), Some((-0.25, 0.4))))], &[], &[]));
        assert!((below.lowest + 0.4).abs() < 1e-9);
        assert_eq!(below.value_ticks().len(), 8);
    }

    #[test]
    fn what_is_missing_breaks_the_line_and_the_band() {
        let there = value(Some(0.5), Some((0.4, 0.6)));
        let days = vec![
            point(1, there),
            point(2, there),
            point(3, value(Some(0.5), None)),
            point(4, value(None, None)),
            point(5, there),
        ];
        let places = Places::of(&view(days.clone(), &[], &[]));
        assert_eq!(places.line(&days).matches('M').count(), 2);
        assert_eq!(places.line(&days).matches('L').count(), 2);
        let band = places.band(&days);
        assert_eq!((band.matches('M').count(), band.matches('Z').count()), (2, 2));
    }

    #[test]
    fn a_version_that_came_with_a_round_shares_its_line() {
        let of = value(Some(0.5), None);
        let at = ["2026-03-01T09:00:00Z", "2026-03-04T09:00:00Z", "2026-03-06T12:00:00Z"];
        let days = vec![point(1, of), point(5, of)];
        let view = view(days, &at[..2], &at);
        let places = Places::of(&view);
        let markers = places.markers(&view);
        let signs: Vec<_> = markers.iter().map(|marker| marker.sign.as_str()).collect();
        assert_eq!(signs, ["R2 · G2", "G3"]);
        assert!(markers[0].x > places.x(day(3)) && markers[0].x < places.x(day(4)));
        assert!(markers[1].x <= RIGHT, "what came after the last day stands at the edge");
    }

    #[test]
    fn days_that_would_stand_on_each_other_are_not_written() {
        let of = value(Some(0.5), None);
        let from = day(1);
        let days: Vec<_> = (0..200)
            .map(|after| DayPoint { day: from + Days::new(after), ..point(1, of) })
            .collect();
        let places = Places::of(&view(days, &[], &[]));
        let ticks = places.day_ticks();
        assert!((3..=MOST_DAYS).contains(&ticks.len()));
        assert!(ticks.windows(2).all(|two| places.x(two[1]) - places.x(two[0]) > 52.0));
    }
}
