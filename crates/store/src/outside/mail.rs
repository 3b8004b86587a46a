//! Mail that was or is to be sent, and who does not want which.

use std::collections::BTreeSet;

use domain::{MailId, MailKind, MailOutcome, MailRow, ProjectId, Role, UserId};

use super::queue::{self, Queue};
use crate::{
    base::prelude::*,
    entity::{
        invitation,
        mail::{self, Column, Entity},
        mail_refusal, member, project, user_account,
    },
};

impl Queue for Entity {
    const ID: Column = Column::Id;
    const ATTEMPTS: Column = Column::Attempts;
    const NEXT_AT: Column = Column::NextAt;
}

/// Whom a mail goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// To the address that the account has when it is sent.
    Account(UserId),
    /// To somebody who may have no account.
    Address(String),
}

/// A mail to be sent.
#[derive(Clone, Debug)]
pub struct NewMail {
    pub kind: MailKind,
    pub to: Recipient,
    pub project: Option<ProjectId>,
    /// What it is about: of that there is one.
    pub key: String,
    /// The secret of the link in it, sealed.
    pub link: Option<String>,
    pub due_at: DateTime<Utc>,
}

/// Queues mails, but for those that are there.
pub async fn enqueue(tx: &Tx, new: Vec<NewMail>, now: DateTime<Utc>) -> Result<(), Error> {
    let rows = new.into_iter().map(|new| queued(new, now)).collect();
    chunks::insert_or(tx, rows, there()).await
}

/// Queues a mail; false if it is there.
pub async fn enqueue_one(tx: &Tx, new: NewMail, now: DateTime<Utc>) -> Result<bool, Error> {
    Ok(sql::run(tx, Entity::insert(queued(new, now)).on_conflict(there())).await? == 1)
}

/// Of what a mail is about there is one.
fn there() -> OnConflict {
    OnConflict::column(Column::Key).do_nothing().to_owned()
}

fn queued(new: NewMail, now: DateTime<Utc>) -> mail::ActiveModel {
    let (user, address) = match new.to {
        Recipient::Account(user) => (Some(user.0), None),
        Recipient::Address(address) => (None, Some(address)),
    };
    mail::ActiveModel {
        kind: Set(new.kind.name().to_owned()),
        user_id: Set(user),
        address: Set(address),
        project_id: Set(new.project.map(|project| project.0)),
        key: Set(new.key),
        link: Set(new.link),
        created_at: Set(now),
        next_at: Set(Some(new.due_at)),
        ..Default::default()
    }
}

/// Those of some people who are written to of such things: they can sign in, and want it.
pub async fn recipients(
    db: &impl Db,
    kind: MailKind,
    people: &[UserId],
) -> Result<Vec<UserId>, Error> {
    use user_account::Column::{DisabledAt, Id, IsDemo, IsPlaceholder};
    let refusing = mail_refusal::Entity::find()
        .select_only()
        .column(mail_refusal::Column::UserId)
        .filter(mail_refusal::Column::Kind.eq(kind.name()));
    let found = user_account::Entity::find()
        .select_only()
        .column(Id)
        .filter(Id.is_in(people.iter().map(|user| user.0)))
        .filter(DisabledAt.is_null())
        .filter(IsDemo.eq(false))
        .filter(IsPlaceholder.eq(false))
        .filter(Id.not_in_subquery(refusing.into_query()));
    sql::all(db, found).await
}

/// The mails to somebody: to their account, or to an address that they have had when they were invited.
pub(crate) fn of_person(user: UserId) -> Expr {
    let invited = invitation::Entity::find()
        .select_only()
        .column(invitation::Column::Email)
        .filter(invitation::Column::AcceptedBy.eq(user.0))
        .filter(invitation::Column::Email.is_not_null());
    Column::UserId.eq(user.0).or(Column::Address.in_subquery(invited.into_query()))
}

/// A mail that is to be sent now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    pub id: MailId,
    pub kind: MailKind,
    pub to: Recipient,
    pub project: Option<ProjectId>,
    pub key: String,
    /// As it is stored.
    pub link: Option<String>,
    pub created_at: DateTime<Utc>,
    /// How often it was tried before.
    pub attempts: u32,
}

impl FromRow for Due {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let to = match (row.get("user_id")?, row.get("address")?) {
            (Some(user), _) => Recipient::Account(user),
            (None, Some(address)) => Recipient::Address(address),
            (None, None) => return Err(Error::unreadable("a mail to nobody")),
        };
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("kind")?,
            to,
            project: row.get("project_id")?,
            key: row.get("key")?,
            link: row.get("link")?,
            created_at: row.get("created_at")?,
            attempts: row.get("attempts")?,
        })
    }
}

/// What is to be sent by now, at most so many: what failed before comes last.
pub async fn due(db: &impl Db, now: DateTime<Utc>, limit: u64) -> Result<Vec<Due>, Error> {
    let due = Entity::find()
        .filter(Column::NextAt.lte(now))
        .order_by_asc(Column::Attempts)
        .order_by_asc(Column::Id)
        .limit(limit);
    sql::all(db, due).await
}

/// Begins tries that are over by `until`: those that no other process has begun.
pub async fn claim(
    tx: &Tx,
    mails: &[MailId],
    now: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<Vec<MailId>, Error> {
    queue::claim::<Entity, _>(tx, mails.iter().map(|id| id.0), now, until).await
}

/// How many wait that are due, and since when the first of them.
pub async fn backlog(
    db: &impl Db,
    now: DateTime<Utc>,
) -> Result<(u64, Option<DateTime<Utc>>), Error> {
    queue::backlog(db, Entity::find(), now).await
}

/// The row of a mail for as long as the try that began with this is its last, and it has not ended: whoever
/// comes too late changes nothing.
fn own_try(due: &Due) -> Expr {
    let attempt = sql::signed(due.attempts.saturating_add(1));
    Column::Id.eq(due.id.0).and(Column::Attempts.eq(attempt)).and(Column::EndedAt.is_null())
}

/// Notes that a mail is tried again, and why it is not sent yet; false if this try came too late.
pub async fn put_off(
    tx: &Tx,
    due: &Due,
    next_at: DateTime<Utc>,
    problem: &str,
) -> Result<bool, Error> {
    let put_off = Entity::update_many()
        .col_expr(Column::NextAt, next_at.into())
        .col_expr(Column::Problem, problem.into())
        .filter(own_try(due));
    Ok(sql::run(tx, put_off).await? == 1)
}

/// How a mail has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a> {
    pub outcome: MailOutcome,
    /// Where it was sent to, if it was.
    pub address: Option<&'a str>,
    /// What the mail server said, if it did not take it.
    pub problem: Option<&'a str>,
    pub at: DateTime<Utc>,
}

/// Notes how a mail has ended; its link is not kept. False if this try came too late.
pub async fn end(tx: &Tx, due: &Due, ending: Ending<'_>) -> Result<bool, Error> {
    let Ending { outcome, address, problem, at } = ending;
    let mut end = Entity::update_many()
        .col_expr(Column::Link, Option::<String>::None.into())
        .col_expr(Column::NextAt, Option::<DateTime<Utc>>::None.into())
        .col_expr(Column::EndedAt, at.into())
        .col_expr(Column::Outcome, outcome.name().into())
        .col_expr(Column::Problem, problem.map(str::to_owned).into())
        .filter(own_try(due));
    if let Some(address) = address {
        end = end.col_expr(Column::Address, address.into());
    }
    Ok(sql::run(tx, end).await? == 1)
}

/// Has the mail about this belong to an account: it goes when that does.
pub async fn give_to(tx: &Tx, key: &str, user: UserId) -> Result<(), Error> {
    let give =
        Entity::update_many().col_expr(Column::UserId, user.0.into()).filter(Column::Key.eq(key));
    sql::run(tx, give).await?;
    Ok(())
}

/// The last mail of a kind that was queued for an account.
pub async fn last_of(db: &impl Db, kind: MailKind, user: UserId) -> Result<Option<MailId>, Error> {
    let last = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::UserId.eq(user.0))
        .filter(Column::Kind.eq(kind.name()))
        .order_by_desc(Column::Id)
        .limit(1);
    sql::one(db, last).await
}

/// How many invitations were written since then: to this address, and to anybody by projects that somebody
/// manages.
pub async fn count_invitations(
    db: &impl Db,
    (address, manager): (&str, UserId),
    since: DateTime<Utc>,
) -> Result<(u64, u64), Error> {
    let written = || {
        Entity::find()
            .filter(Column::Kind.eq(MailKind::Invitation.name()))
            .filter(Column::CreatedAt.gt(since))
    };
    let projects = member::Entity::find()
        .select_only()
        .column(member::Column::ProjectId)
        .filter(member::Column::UserId.eq(manager.0))
        .filter(member::Column::Role.eq(Role::Manager.name()));
    let to_address = written().filter(Column::Address.eq(address));
    let by_manager = written().filter(Column::ProjectId.in_subquery(projects.into_query()));
    Ok((to_address.count(db.connection()).await?, by_manager.count(db.connection()).await?))
}

/// The mails of the server, the latest first, from before this one on; from the latest before none.
pub async fn list(db: &impl Db, before: Option<MailId>, limit: u64) -> Result<Vec<MailRow>, Error> {
    use user_account::Column::{Email, Name};
    let latest = Entity::find()
        .joined_if_any(Column::UserId, user_account::Entity, user_account::Column::Id)
        .joined_if_any(Column::ProjectId, project::Entity, project::Column::Id)
        .column_as(Name, "name")
        .column_as(Email, "email")
        .column_as(project::Column::Name, "project_name")
        .filter(Column::Id.lt(before.map_or(i64::MAX, |id| id.0)))
        .order_by_desc(Column::Id)
        .limit(limit);
    sql::all(db, latest).await
}

impl FromRow for MailRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let (written, address): (Option<String>, _) = (row.get("address")?, row.get("email")?);
        Ok(Self {
            id: row.get("id")?,
            kind: row.get("kind")?,
            name: row.get("name")?,
            address: written.or(address),
            project: row.get("project_name")?,
            created_at: row.get("created_at")?,
            attempts: row.get("attempts")?,
            next_at: row.get("next_at")?,
            ended_at: row.get("ended_at")?,
            outcome: row.get("outcome")?,
            problem: row.get("problem")?,
        })
    }
}

/// Forgets mails that have ended before; says how many.
pub async fn delete_older_than(tx: &Tx, before: DateTime<Utc>) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::EndedAt.lt(before))).await
}

/// Forgets what waits to be sent.
pub async fn delete_waiting(tx: &Tx) -> Result<(), Error> {
    sql::run(tx, Entity::delete_many().filter(Column::EndedAt.is_null())).await?;
    Ok(())
}

/// The kinds that somebody does not want.
pub async fn refused_by(db: &impl Db, user: UserId) -> Result<BTreeSet<MailKind>, Error> {
    use mail_refusal::{Column, Entity};
    let refused =
        Entity::find().select_only().column(Column::Kind).filter(Column::UserId.eq(user.0));
    Ok(sql::all(db, refused).await?.into_iter().collect())
}

/// Says that somebody does not want a kind; false if they have said so before.
pub async fn refuse(tx: &Tx, user: UserId, kind: MailKind) -> Result<bool, Error> {
    use mail_refusal::{ActiveModel, Column, Entity};
    let row = ActiveModel { user_id: Set(user.0), kind: Set(kind.name().to_owned()) };
    let there = OnConflict::columns([Column::UserId, Column::Kind]).do_nothing().to_owned();
    Ok(sql::run(tx, Entity::insert(row).on_conflict(there)).await? == 1)
}

/// Says which kinds somebody does not want, in the place of those of before.
pub async fn set_refused(tx: &Tx, user: UserId, kinds: &BTreeSet<MailKind>) -> Result<(), Error> {
    use mail_refusal::{ActiveModel, Column, Entity};
    sql::run(tx, Entity::delete_many().filter(Column::UserId.eq(user.0))).await?;
    let row =
        |kind: &MailKind| ActiveModel { user_id: Set(user.0), kind: Set(kind.name().to_owned()) };
    chunks::insert(tx, kinds.iter().map(row).collect()).await
}
