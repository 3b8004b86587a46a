//! What a project came to within a week, for its managers: how agreement has changed, and how far work is.

use domain::{PolicyChoice, User, base::policy::Action, count, saturating};

use super::{super::week::days, Desk, Letter, Piece, day, nothing};
use crate::{
    Result,
    agreement::over_time::{Moved, moved_within},
};

pub(super) async fn write(desk: &Desk<'_>, person: &User) -> Result<Letter> {
    let (project, name, _) = desk.project(person, Action::ManageProject).await?;
    let services = desk.services;
    let days = days(desk.due.created_at);
    let mut rows = Vec::new();
    let mut compared = 0;
    for policy in PolicyChoice::HEADLINES {
        let week = moved_within(services, project, policy, &days).await?;
        compared = week.compared;
        if let Some(value) = changed(&week) {
            rows.push((format!("α: {}", policy.called()), value));
        }
    }
    if compared == 0 {
        return Err(nothing());
    }
    rows.push(("Documents compared this week".to_owned(), compared.to_string()));
    let people = store::workload::people(&services.store, project, desk.now).await?;
    let submitted: u64 = people.iter().map(|person| person.counts.submitted).sum();
    let all: u64 = people.iter().map(|person| person.counts.total()).sum();
    rows.push(("Submitted".to_owned(), format!("{submitted} of {all}")));
    let overdue: u64 = people.iter().map(|person| person.overdue).sum();
    if overdue > 0 {
        rows.push(("Overdue".to_owned(), count(saturating(overdue), "assignment")));
    }
    Ok(Letter {
        subject: format!("{name}: the week since {}", day(days.start)),
        pieces: vec![
            Piece::Paragraph(format!("“{name}” since {}:", day(days.start))),
            Piece::Rows(rows),
            Piece::Link("Open the matrix", desk.at(&format!("/projects/{project}/agreement"))),
            Piece::Link("See the trend", desk.at(&format!("/projects/{project}/agreement/trend"))),
        ],
    })
}

/// A value and how it has moved; none where nothing can be measured.
fn changed(week: &Moved) -> Option<String> {
    let now = week.now?;
    let Some(before) = week.before else { return Some(format!("{now:.2}, for the first time")) };
    let by = now - before;
    let moved = match format!("{:.2}", by.abs()).as_str() {
        "0.00" => "unchanged".to_owned(),
        amount if by > 0.0 => format!("up {amount}"),
        amount => format!("down {amount}"),
    };
    Some(format!("{now:.2}, {moved}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_told_with_its_change() {
        let told = |now, before| changed(&Moved { now, before, compared: 1 });
        assert_eq!(told(None, Some(0.5)), None);
        assert_eq!(told(Some(0.712), None).unwrap(), "0.71, for the first time");
        assert_eq!(told(Some(0.712), Some(0.67)).unwrap(), "0.71, up 0.04");
        assert_eq!(told(Some(0.6), Some(0.75)).unwrap(), "0.60, down 0.15");
        assert_eq!(told(Some(0.6), Some(0.604)).unwrap(), "0.60, unchanged");
    }
}
