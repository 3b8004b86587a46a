//! A labeler was given documents: how many they have to do, and nothing of anybody else.

use domain::{User, WorkState, base::policy::Action, count};

use super::{Desk, Letter, Piece, day, nothing};
use crate::Result;

pub(super) async fn write(desk: &Desk<'_>, person: &User) -> Result<Letter> {
    let (project, name, access) = desk.project(person, Action::ViewOwnWork).await?;
    let store = &desk.services.store;
    let mut open = store::work::assignments::list_of_member(store, access.member.id).await?;
    open.retain(|card| card.state == WorkState::Open);
    if open.is_empty() {
        return Err(nothing());
    }
    let first = open.iter().filter_map(|card| card.due_at).min();
    let due =
        first.map(|at| format!(", the first due on {}", day(at.date_naive()))).unwrap_or_default();
    let documents = count(open.len(), "document");
    Ok(Letter {
        subject: format!("New documents in {name}"),
        pieces: vec![
            Piece::Paragraph(format!("You have {documents} to label in “{name}”{due}.")),
            Piece::Link("Start labeling", desk.at(&format!("/projects/{project}/work"))),
        ],
    })
}
