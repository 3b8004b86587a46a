//! Who did what of late: the rows of the audit trail, folded into sittings.

use chrono::TimeDelta;
use domain::{AuditRow, Sitting};

/// Whoever does nothing for so long has begun anew.
const BREAK: TimeDelta = TimeDelta::minutes(30);

/// The sittings of rows that come latest first; the latest sitting first. What nobody did, and what
/// was done by people who are gone, is left out.
pub(super) fn fold(rows: &[AuditRow]) -> Vec<Sitting> {
    let mut sittings: Vec<Sitting> = Vec::new();
    for AuditRow { by, at, event, .. } in rows {
        let Some(name) = by else { continue };
        let own = sittings.iter_mut().rfind(|sitting| sitting.name == *name);
        match own.filter(|own| own.from - *at <= BREAK) {
            Some(own) => {
                own.from = *at;
                match own.deeds.iter_mut().find(|(known, _)| known == event) {
                    Some((_, count)) => *count += 1,
                    None => own.deeds.push((event.clone(), 1)),
                }
            }
            None => sittings.push(Sitting {
                name: name.clone(),
                from: *at,
                to: *at,
                deeds: vec![(event.clone(), 1)],
            }),
        }
    }
    for sitting in &mut sittings {
        sitting.deeds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    }
    sittings
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    fn row(by: Option<&str>, minute: i64, event: &str) -> AuditRow {
        AuditRow {
            place: minute,
            at: DateTime::<Utc>::UNIX_EPOCH + TimeDelta::minutes(minute),
            user: None,
            by: by.map(str::to_owned),
            event: event.to_owned(),
            subject: String::new(),
            about: None,
            detail: "{}".to_owned(),
            note: None,
            is_erased: false,
            revision: None,
        }
    }

    #[test]
    fn a_break_of_half_an_hour_begins_a_new_sitting_and_others_do_not_end_one() {
        let rows = [
            row(Some("Ada"), 120, "submit"),
            row(Some("Ben"), 110, "save spans"),
            row(Some("Ada"), 100, "save spans"),
            row(None, 95, "expire"),
            row(Some("Ada"), 90, "save spans"),
            row(Some("Ada"), 59, "save spans"),
        ];
        let told: Vec<_> = fold(&rows)
            .into_iter()
            .map(|sitting| (sitting.name, (sitting.to - sitting.from).num_minutes(), sitting.deeds))
            .collect();
        let deeds = |deeds: &[(&str, u64)]| -> Vec<(String, u64)> {
            deeds.iter().map(|(event, count)| ((*event).to_owned(), *count)).collect()
        };
        assert_eq!(
            told,
            [
                ("Ada".to_owned(), 30, deeds(&[("save spans", 2), ("submit", 1)])),
                ("Ben".to_owned(), 0, deeds(&[("save spans", 1)])),
                ("Ada".to_owned(), 0, deeds(&[("save spans", 1)])),
            ]
        );
    }
}
