//! Agreement lies under a limit, for managers: the alerts that stand when it is sent.

use domain::{AlertNotice, User, base::policy::Action, count, saturating};

use super::{Desk, Letter, Piece, nothing, one_line};
use crate::{Result, agreement::alerts::notices};

pub(super) async fn write(desk: &Desk<'_>, person: &User) -> Result<Letter> {
    let (project, name, access) = desk.project(person, Action::ManageProject).await?;
    let standing = notices(&desk.services.store, project, &access).await?;
    if standing.is_empty() {
        return Err(nothing());
    }
    let values = count(standing.len(), "value");
    Ok(Letter {
        subject: format!("Agreement below a limit in {name}"),
        pieces: vec![
            Piece::Paragraph(format!("{values} below a limit in “{name}”:")),
            Piece::Rows(standing.iter().map(row).collect()),
            Piece::Link("Open the matrix", desk.at(&format!("/projects/{project}/agreement"))),
            Piece::Link("Change limits", desk.at(&format!("/projects/{project}/settings/targets"))),
        ],
    })
}

fn row(notice: &AlertNotice) -> (String, String) {
    let AlertNotice { rule, pair, lower, n, .. } = notice;
    let whose = match pair {
        Some((first, second)) => format!("{} × {}", one_line(&first.name), one_line(&second.name)),
        None => "all labelers".to_owned(),
    };
    let positions = count(saturating(*n), "position");
    let value = format!("lower bound {lower:.2}, limit {:.2}, of {positions}", rule.limit);
    (format!("{} of {whose}", rule.measure.called(rule.subject)), value)
}
