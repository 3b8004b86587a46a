//! Links that let somebody in. Only the hash of a link's token is stored.

use domain::{InvitationId, MemberId, OpenInvitation, ProjectId, Role, UserId};

use crate::{
    base::prelude::*,
    entity::{
        invitation::{self, Column, Entity},
        project, user_account,
    },
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
    sql::insert(tx, row).await
}

/// The invitation with this token, unless it was accepted or has expired.
pub async fn find(
    db: &impl Db,
    token_hash: &str,
    now: DateTime<Utc>,
) -> Result<Option<Invitation>, Error> {
    use user_account::Column::{Id as UserId, MayCreateProjects};
    let open = Entity::find()
        .joined_if_any(Column::ProjectId, project::Entity, project::Column::Id)
        .joined_if_any(Column::CreatedBy, user_account::Entity, UserId)
        .column_as(project::Column::Name, "project_name")
        .column_as(MayCreateProjects, "maker_creates_projects")
        .filter(Column::TokenHash.eq(token_hash))
        .filter(Column::AcceptedAt.is_null())
        .filter(Column::ExpiresAt.gt(now));
    sql::one(db, open).await
}

read_by_columns! {
    Invitation { id, project: (both project_id project_name), role, email, claims: claims_member_id, maker_creates_projects: (or_none), expires_at }
}

/// The invitations to a project that can be accepted, latest first.
pub async fn list_open(
    db: &impl Db,
    project: ProjectId,
    now: DateTime<Utc>,
) -> Result<Vec<OpenInvitation>, Error> {
    let open = Entity::find()
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::AcceptedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .order_by_desc(Column::Id);
    sql::all(db, open).await
}

read_by_columns! { OpenInvitation { id, role, email, created_at, expires_at } }

/// Takes an invitation to a project back; false if there is none that is still open.
pub async fn delete(tx: &Tx, project: ProjectId, id: InvitationId) -> Result<bool, Error> {
    let delete = Entity::delete_many()
        .filter(Column::Id.eq(id.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::AcceptedAt.is_null());
    Ok(sql::run(tx, delete).await? == 1)
}

/// Marks an invitation as accepted; false if somebody else was first.
pub async fn accept(
    tx: &Tx,
    id: InvitationId,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let accept = Entity::update_many()
        .col_expr(Column::AcceptedAt, now.into())
        .col_expr(Column::AcceptedBy, user.0.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::AcceptedAt.is_null());
    Ok(sql::run(tx, accept).await? == 1)
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

/// Takes those back that somebody has made and nobody has accepted.
pub async fn delete_open_by(tx: &Tx, maker: UserId) -> Result<(), Error> {
    let delete = Entity::delete_many()
        .filter(Column::CreatedBy.eq(maker.0))
        .filter(Column::AcceptedAt.is_null());
    sql::run(tx, delete).await?;
    Ok(())
}

/// Takes all invitations back that were not accepted; says how many.
pub async fn delete_open(tx: &Tx) -> Result<u64, Error> {
    sql::run(tx, Entity::delete_many().filter(Column::AcceptedAt.is_null())).await
}
