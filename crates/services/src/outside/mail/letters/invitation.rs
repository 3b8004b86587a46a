//! Somebody is invited to a project.

use domain::Role;

use super::{Desk, Letter, Piece, day, nothing, one_line};
use crate::{Result, base::secrets::token};

pub(super) async fn write(desk: &Desk<'_>) -> Result<Letter> {
    let token = desk.token()?;
    let (store, hash) = (&desk.services.store, token::hash(&token));
    let open = store::account::invitations::find(store, &hash, desk.now).await?;
    let open = open.ok_or_else(nothing)?;
    let ((_, project), role) = open.project.zip(open.role).ok_or_else(nothing)?;
    let project = one_line(&project);
    let duty = match role {
        Role::Labeler => "label documents",
        Role::Reviewer => "review what labelers disagree on",
        Role::Manager => "manage the project",
    };
    Ok(Letter {
        subject: format!("Invitation to {project}"),
        pieces: vec![
            Piece::Paragraph(format!("You are invited to “{project}”, to {duty}.")),
            Piece::Link("Accept the invitation", desk.at(&format!("/invitations/{token}"))),
            Piece::Small(format!(
                "The link works once, until {} (UTC), for this address only. If you did not expect \
                 it, ignore this mail.",
                day(open.expires_at.date_naive())
            )),
        ],
    })
}
