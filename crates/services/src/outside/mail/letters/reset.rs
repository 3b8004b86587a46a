//! A link to a new password.

use super::{Desk, Letter, Piece, nothing};
use crate::{Result, base::secrets::token};

pub(super) async fn write(desk: &Desk<'_>) -> Result<Letter> {
    let token = desk.token()?;
    let (store, hash) = (&desk.services.store, token::hash(&token));
    // A password may have been chosen meanwhile, or a link made by hand.
    let open = store::account::password_resets::find(store, &hash, desk.now).await?;
    let open = open.ok_or_else(nothing)?;
    Ok(Letter {
        subject: "Reset your password".to_owned(),
        pieces: vec![
            Piece::Paragraph("Set a new password for your account.".to_owned()),
            Piece::Link("Set a new password", desk.at(&format!("/reset/{token}"))),
            Piece::Small(format!(
                "The link works once, until {} (UTC). If you did not ask for it, ignore this mail: \
                 your password stays the same.",
                open.expires_at.format("%-d %B %Y, %H:%M")
            )),
        ],
    })
}
