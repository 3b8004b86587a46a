//! Links that let somebody in. Only the hash of a link's token is stored.

use chrono::{DateTime, Utc};
use domain::{InvitationId, MemberId, OpenInvitation, ProjectId, Role, UserId};
use sea_orm::{
    ActiveValue::Set, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, prelude::*,
};

use crate::{
    Db, Error, Tx,
    base::{db::Connected, sql},
    entity::invitation::{self, Column, Entity},
};

/// An invitation to store. Without a project it is the link that sets an installation up.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    pub token_hash: String,
    pub project: Option<ProjectId>,
    pub role: Option<Role>,
    pub email: Option<String>,
    /// The placeholder whose place and work whoever accepts gets.
    pub claims: Option<MemberId>,
    pub created_by: Option<UserId>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

/// An invitation that can be accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    pub id: InvitationId,
    /// The project's id and name.
    pub project: Option<(ProjectId, String)>,
    pub role: Option<Role>,
    pub email: Option<String>,
    /// The placeholder whose place and work whoever accepts gets.
    pub claims: Option<MemberId>,
    /// Whether whoever made it may create projects by now.
    pub maker_creates_projects: bool,
    pub expires_at: DateTime<Utc>,
}

/// Stores an invitation.
pub async fn create(tx: &Tx, invitation: NewInvitation) -> Result<InvitationId, Error> {
    let row = invitation::ActiveModel {
        token_hash: Set(invitation.token_hash),
        project_id: Set(invitation.project.map(|project| project.0)),
        role: Set(invitation.role.map(|role| role.name().to_owned())),
        email: Set(invitation.email),
        claims_member_id: Set(invitation.claims.map(|member| member.0)),
        created_by: Set(invitation.created_by.map(|user| user.0)),
        created_at: Set(invitation.created_at),
        expires_at: Set(invitation.expires_at),
        ..Default::default()
    };
    Ok(InvitationId(Entity::insert(row).exec(tx.connection()).await?.last_insert_id))
}

#[derive(FromQueryResult)]
struct Row {
    id: i64,
    project_id: Option<i64>,
    project_name: Option<String>,
    role: Option<String>,
    email: Option<String>,
    claims_member_id: Option<i64>,
    maker_creates_projects: Option<bool>,
    expires_at: DateTimeUtc,
}

/// The invitation with this token, unless it was accepted or has expired.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<Invitation>, Error> {
    let row = sql::row::<Row, _>(
        db,
        "SELECT invitation.id, invitation.project_id, project.name AS project_name,
                invitation.role, invitation.email, invitation.claims_member_id,
                maker.may_create_projects AS maker_creates_projects, invitation.expires_at
         FROM invitation
         LEFT JOIN project ON project.id = invitation.project_id
         LEFT JOIN user_account AS maker ON maker.id = invitation.created_by
         WHERE invitation.token_hash = $1
           AND invitation.accepted_at IS NULL AND invitation.expires_at > $2",
        [token_hash.into(), now.into()],
    )
    .await?;
    row.map(|row| {
        Ok(Invitation {
            id: InvitationId(row.id),
            project: row.project_id.map(ProjectId).zip(row.project_name),
            role: row.role.as_deref().map(sql::word).transpose()?,
            email: row.email,
            claims: row.claims_member_id.map(MemberId),
            maker_creates_projects: row.maker_creates_projects == Some(true),
            expires_at: row.expires_at,
        })
    })
    .transpose()
}

/// The invitations to a project that can be accepted, latest first.
pub async fn list_open(
    db: &impl Db,
    project: ProjectId,
    now: DateTime<Utc>,
) -> Result<Vec<OpenInvitation>, Error> {
    let rows = Entity::find()
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::AcceptedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::Id)
        .all(db.connection())
        .await?;
    rows.into_iter()
        .map(|row| {
            let role = row.role.ok_or_else(|| Error::unreadable("an invitation without a role"))?;
            Ok(OpenInvitation {
                id: InvitationId(row.id),
                role: sql::word(&role)?,
                email: row.email,
                created_at: row.created_at,
                expires_at: row.expires_at,
            })
        })
        .collect()
}

/// Takes an invitation to a project back; false if there is none that is still open.
pub async fn delete(tx: &Tx, project: ProjectId, id: InvitationId) -> Result<bool, Error> {
    let deleted = Entity::delete_many()
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::AcceptedAt.is_null())
        .exec(tx.connection())
        .await?;
    Ok(deleted.rows_affected == 1)
}

/// Marks an invitation as accepted; false if somebody else was first.
pub async fn accept(
    tx: &Tx,
    id: InvitationId,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let accepted = Entity::update_many()
        .col_expr(Column::AcceptedAt, now.into())
        .col_expr(Column::AcceptedBy, user.0.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::AcceptedAt.is_null())
        .exec(tx.connection())
        .await?;
    Ok(accepted.rows_affected == 1)
}

/// Takes every set-up link back that was not accepted.
pub async fn delete_set_up(tx: &Tx) -> Result<(), Error> {
    Entity::delete_many()
        .filter(Column::ProjectId.is_null())
        .filter(Column::AcceptedAt.is_null())
        .exec(tx.connection())
        .await?;
    Ok(())
}

/// Takes all invitations back that were not accepted; says how many.
pub async fn delete_open(tx: &Tx) -> Result<u64, Error> {
    let deleted =
        Entity::delete_many().filter(Column::AcceptedAt.is_null()).exec(tx.connection()).await?;
    Ok(deleted.rows_affected)
}
