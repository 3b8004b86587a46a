//! When weekly summaries fall due, and of which days they are.

use std::ops::Range;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta, Utc, Weekday};
use domain::MailKind;

use crate::{Result, Services, base::change::mail::write_once};

/// At which hour of a Monday, in UTC.
const HOUR: u32 = 8;

/// For how long after it a server that was away still makes them.
const LATE: TimeDelta = TimeDelta::hours(16);

/// The Monday whose summaries are to be made at this time, if there is one.
fn due(now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let at = NaiveTime::from_hms_opt(HOUR, 0, 0)?;
    let day = now.date_naive();
    let begins = day.and_time(at).and_utc();
    let is_due = day.weekday() == Weekday::Mon && begins <= now && now < begins + LATE;
    is_due.then_some(begins)
}

/// The days that a summary is of which was queued at this time, in UTC: from the Monday before on, without the one
/// on which it falls due. So each day is in one summary, however long the mail server is away.
pub(super) fn days(queued: DateTime<Utc>) -> Range<NaiveDate> {
    let monday = queued.date_naive().week(Weekday::Mon).first_day();
    monday - TimeDelta::weeks(1)..monday
}

/// Queues the summaries of this week, once for each manager of each project in which something was saved,
/// whichever server comes to it.
/// The answer is the Monday for which that was done.
pub(super) async fn queue(
    services: &Services,
    done: Option<DateTime<Utc>>,
) -> Result<Option<DateTime<Utc>>> {
    let now = services.clock.now();
    let Some(due_at) = due(now).filter(|due_at| done != Some(*due_at)) else { return Ok(done) };
    let begun = days(due_at).start.and_time(NaiveTime::MIN).and_utc();
    let managers = store::project::members::managers_of_active(&services.store, begun);
    let mut managers = managers.await?;
    managers.sort_unstable();
    let (kind, matter) = (MailKind::WeeklySummary, due_at.date_naive().to_string());
    for of_project in managers.chunk_by(|(one, _), (other, _)| one == other) {
        let Some((project, _)) = of_project.first() else { continue };
        let people: Vec<_> = of_project.iter().map(|(_, user)| *user).collect();
        let tx = services.store.begin().await?;
        write_once(services, &tx, (kind, *project), &people, (&matter, due_at)).await?;
        tx.commit().await?;
    }
    Ok(Some(due_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_fall_due_on_monday_morning_and_on_no_other_day() {
        let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
        let monday = Some(at("2026-11-23T08:00:00Z"));
        assert_eq!(due(at("2026-11-23T07:59:59Z")), None);
        assert_eq!(due(at("2026-11-23T08:00:00Z")), monday);
        assert_eq!(due(at("2026-11-23T23:59:59Z")), monday);
        assert_eq!(due(at("2026-11-24T08:00:00Z")), None);
        assert_eq!(due(at("2026-11-29T12:00:00Z")), None);
    }

    #[test]
    fn each_day_is_in_one_summary() {
        let of = |text: &str| days(text.parse().unwrap());
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let week = of("2026-11-23T08:00:04Z");
        assert_eq!(week, day("2026-11-16")..day("2026-11-23"));
        assert_eq!(of("2026-11-23T23:59:59Z"), week);
        assert_eq!(of("2026-11-30T08:00:00Z").start, week.end);
    }
}
