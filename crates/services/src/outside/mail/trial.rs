//! A mail by which whoever runs the server tries whether mail arrives.

use super::{
    client::{self, Envelope},
    letter::{Letter, Piece},
    settings::MailSettings,
};
use crate::base::secrets::token;

/// Sends a mail to an address, once and without a queue; refused in the words of the mail server.
pub async fn send_test(settings: &MailSettings, address: &str) -> Result<(), String> {
    let letter = Letter {
        subject: "Test mail from Concord".to_owned(),
        pieces: vec![
            Piece::Paragraph("Mail from this server arrives.".to_owned()),
            Piece::Link("Open Concord", settings.site.clone()),
        ],
    };
    let id = format!("test.{}", token::generate());
    let envelope = Envelope { id: &id, address: address.trim(), unsubscribe: None };
    client::send(settings, envelope, &letter).await.map_err(|failure| failure.problem)
}
