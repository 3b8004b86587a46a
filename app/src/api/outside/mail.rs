//! Server functions for mail.

use domain::MailKind;
use leptos::prelude::*;

use crate::ApiError;

/// Has whoever is asking be written of these kinds, and of no others that they can do without.
#[server(prefix = "/fn", endpoint = "mail/choose_mail")]
pub async fn choose_mail(#[server(default)] kinds: Vec<MailKind>) -> Result<(), ApiError> {
    let (services, actor) = crate::context::request()?;
    let wanted = kinds.into_iter().collect();
    let done = services::outside::mail::choose(&services, &actor, &wanted).await;
    crate::context::answer_at(done, "/account/mail?changed=yes")
}
