//! Members of projects. Who is removed stays as a row, because their work stays.

use chrono::{DateTime, Utc};
use domain::{Member, MemberId, ProjectId, Role, UserId};
use sea_orm::{EntityTrait, FromQueryResult, QueryFilter, Value, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::member::{Column, Entity},
};

/// A person's membership in a project, unless they were removed.
pub async fn find(db: &impl Db, project: ProjectId, user: UserId) -> Result<Option<Member>, Error> {
    let members = select(
        db,
        "member.project_id = $1 AND member.user_id = $2 AND member.removed_at IS NULL",
        [project.0.into(), user.0.into()],
    )
    .await?;
    Ok(members.into_iter().next())
}

/// A member of a project who asks for something in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asking {
    pub member: Member,
    /// The project is open to people with a second factor only, and this one has none.
    pub lacks_second_factor: bool,
}

/// As [`find`], with what else decides whether they get it.
pub async fn find_asking(
    db: &impl Db,
    project: ProjectId,
    user: UserId,
) -> Result<Option<Asking>, Error> {
    let rows = rows(
        db,
        "member.project_id = $1 AND member.user_id = $2 AND member.removed_at IS NULL",
        [project.0.into(), user.0.into()],
    )
    .await?;
    let asking = |row: Row| {
        Ok(Asking { lacks_second_factor: row.lacks_second_factor, member: row.member()? })
    };
    rows.into_iter().next().map(asking).transpose()
}

/// A project's member with this id, unless they were removed.
pub async fn find_by_id(
    db: &impl Db,
    project: ProjectId,
    member: MemberId,
) -> Result<Option<Member>, Error> {
    let members = select(
        db,
        "member.project_id = $1 AND member.id = $2 AND member.removed_at IS NULL",
        [project.0.into(), member.0.into()],
    )
    .await?;
    Ok(members.into_iter().next())
}

/// A project's members in the order they joined, without those who were removed.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Member>, Error> {
    let condition = "member.project_id = $1 AND member.removed_at IS NULL ORDER BY member.id";
    select(db, condition, [project.0.into()]).await
}

/// The rows of a project's matrix: labelers, then reviewers, each in the order they joined.
/// Those who were removed are among them if they have done something.
pub async fn list_all_raters(db: &impl Db, project: ProjectId) -> Result<Vec<Member>, Error> {
    // In the alphabet, too, labelers come before reviewers.
    select(
        db,
        "member.project_id = $1 AND member.role IN ('labeler', 'reviewer')
         AND (member.removed_at IS NULL
             OR EXISTS (SELECT 1 FROM assignment
                 WHERE assignment.member_id = member.id AND assignment.state <> 'open')
             OR EXISTS (SELECT 1 FROM review
                 WHERE review.member_id = member.id AND review.state <> 'open'))
         ORDER BY member.role, member.id",
        [project.0.into()],
    )
    .await
}

/// Adds a person to a project, or brings one back who was removed, in the new role;
/// [`Error::Duplicate`] if they are a member.
pub async fn add(
    tx: &Tx,
    project: ProjectId,
    user: UserId,
    role: Role,
    now: DateTime<Utc>,
) -> Result<MemberId, Error> {
    let id: Option<i64> = sql::tuple(
        tx,
        "INSERT INTO member (project_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project_id, user_id)
             DO UPDATE SET role = excluded.role, removed_at = NULL
             WHERE member.removed_at IS NOT NULL
         RETURNING id",
        [project.0.into(), user.0.into(), role.name().into(), now.into()],
    )
    .await?;
    id.map(MemberId).ok_or(Error::Duplicate("member"))
}

/// Removes a member; false if the project has none with this id.
pub async fn remove(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let removed = Entity::update_many()
        .col_expr(Column::RemovedAt, now.into())
        .filter(Column::Id.eq(member.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::RemovedAt.is_null())
        .exec(tx.connection())
        .await?;
    Ok(removed.rows_affected == 1)
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    user_id: i64,
    name: String,
    email: String,
    role: String,
    is_placeholder: bool,
    lacks_second_factor: bool,
}

impl Row {
    fn member(self) -> Result<Member, Error> {
        Ok(Member {
            id: MemberId(self.id),
            user: UserId(self.user_id),
            name: self.name,
            email: self.email,
            role: sql::word(&self.role)?,
            is_placeholder: self.is_placeholder,
        })
    }
}

/// Members with their names; `condition` is a constant of this module.
async fn select<const N: usize>(
    db: &impl Db,
    condition: &'static str,
    values: [Value; N],
) -> Result<Vec<Member>, Error> {
    rows(db, condition, values).await?.into_iter().map(Row::member).collect()
}

async fn rows<const N: usize>(
    db: &impl Db,
    condition: &'static str,
    values: [Value; N],
) -> Result<Vec<Row>, Error> {
    let select = format!(
        "SELECT member.id, member.user_id, user_account.name, user_account.email, member.role,
                user_account.is_placeholder,
                project.requires_second_factor AND user_account.second_factor_since IS NULL
                    AS lacks_second_factor
         FROM member JOIN user_account ON user_account.id = member.user_id
         JOIN project ON project.id = member.project_id
         WHERE {condition}"
    );
    sql::rows::<Row, _>(db, &select, values).await
}
