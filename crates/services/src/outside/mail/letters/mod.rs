//! The letters, a kind a file, each written when it is sent: what it says holds then, and for whoever reads it.

mod alert;
mod invitation;
mod new_work;
mod reset;
mod week;

use chrono::{DateTime, NaiveDate, Utc};
use domain::{Actor, Error as Refusal, MailKind, ProjectId, User, base::policy::Action};
use store::outside::mail::Due;

use super::{
    letter::{Letter, Piece, one_line},
    settings::MailSettings,
};
use crate::{
    Error, Purpose, Result, Services,
    base::access::{Access, permit},
};

/// What a letter is written from.
struct Desk<'a> {
    services: &'a Services,
    settings: &'a MailSettings,
    due: &'a Due,
    now: DateTime<Utc>,
}

/// Writes the letter of a mail to somebody with this account, if they have one; refused if there is nothing to
/// say any more, or if they may not read it.
pub(super) async fn write(
    services: &Services,
    settings: &MailSettings,
    due: &Due,
    person: Option<&User>,
) -> Result<Letter> {
    let desk = Desk { services, settings, due, now: services.clock.now() };
    match (due.kind, person) {
        (MailKind::Invitation, _) => invitation::write(&desk).await,
        (MailKind::PasswordReset, Some(_)) => reset::write(&desk).await,
        (MailKind::NewWork, Some(person)) => new_work::write(&desk, person).await,
        (MailKind::WeeklySummary, Some(person)) => week::write(&desk, person).await,
        (MailKind::Alert, Some(person)) => alert::write(&desk, person).await,
        (_, None) => Err(nothing()),
    }
}

/// There is nothing to say any more.
fn nothing() -> Error {
    Refusal::NotFound.into()
}

impl Desk<'_> {
    /// The address of a page.
    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.settings.site)
    }

    /// The token of the link that is sent.
    fn token(&self) -> Result<String> {
        let sealed = self.due.link.as_deref().ok_or_else(nothing)?;
        let open = self.services.key.open(Purpose::MailLinks, &self.due.key, sealed);
        // It was sealed with a key that is lost, and the link with it.
        open.map_err(|_| nothing())
    }

    /// The project that it is about, with its name, as far as its reader may do this there.
    async fn project(&self, person: &User, action: Action) -> Result<(ProjectId, String, Access)> {
        let project = self.due.project.ok_or_else(nothing)?;
        let (actor, store) = (Actor::Person(person.clone()), &self.services.store);
        let access = permit(store, &actor, project, action).await?;
        let found = store::project::removal::find(store, project).await?.ok_or_else(nothing)?;
        if found.archived_at.is_some() {
            return Err(nothing());
        }
        Ok((project, one_line(&found.name), access))
    }
}

/// A day, as it stands in a letter.
fn day(day: NaiveDate) -> String {
    day.format("%-d %B %Y").to_string()
}
