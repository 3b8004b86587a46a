//! Members of projects. Who is removed stays as a row, because their work stays.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Member, MemberId, ProjectId, Role, UserId, WorkState};

use crate::{
    base::prelude::*,
    entity::{
        assignment,
        member::{self, Column, Entity},
        project, review, user_account,
    },
};

/// A person's membership in a project, unless they were removed.
pub async fn find(db: &impl Db, project: ProjectId, user: UserId) -> Result<Option<Member>, Error> {
    Ok(find_asking(db, project, user).await?.map(|asking| asking.member))
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
    let own = present(project).filter(Column::UserId.eq(user.0));
    sql::one(db, own).await
}

/// Whether a person is a member of a project, or was one before they were removed.
pub async fn has_been(db: &impl Db, project: ProjectId, user: UserId) -> Result<bool, Error> {
    let row = Entity::find()
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::UserId.eq(user.0))
        .one(db.connection())
        .await?;
    Ok(row.is_some())
}

/// As whom a person is or was in projects.
pub async fn of_person(db: &impl Db, user: UserId) -> Result<Vec<(MemberId, ProjectId)>, Error> {
    let own = Entity::find()
        .select_only()
        .columns([Column::Id, Column::ProjectId])
        .filter(Column::UserId.eq(user.0))
        .order_by_asc(Column::Id);
    sql::all(db, own).await
}

/// Whether a person labels or reviews in a project in which somebody else is or was, too.
pub async fn rates_beside(db: &impl Db, user: UserId, other: UserId) -> Result<bool, Error> {
    let shared =
        Entity::find().select_only().column(Column::ProjectId).filter(Column::UserId.eq(other.0));
    let own = Entity::find()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::Role.ne(Role::Manager.name()))
        .filter(Column::RemovedAt.is_null())
        .filter(Column::ProjectId.in_subquery(shared.into_query()));
    Ok(own.count(db.connection()).await? > 0)
}

/// A project's member with this id, unless they were removed.
pub async fn find_by_id(
    db: &impl Db,
    project: ProjectId,
    member: MemberId,
) -> Result<Option<Member>, Error> {
    sql::one(db, present(project).filter(Column::Id.eq(member.0))).await
}

/// A project's members in the order they joined, without those who were removed.
pub async fn list(db: &impl Db, project: ProjectId) -> Result<Vec<Member>, Error> {
    sql::all(db, present(project).order_by_asc(Column::Id)).await
}

/// Who manages which of the projects in which labelers have saved something since then, without those that are
/// archived.
pub async fn managers_of_active(
    db: &impl Db,
    since: DateTime<Utc>,
) -> Result<Vec<(ProjectId, UserId)>, Error> {
    let active = assignment::Entity::find()
        .select_only()
        .column_as(Column::ProjectId, "project_id")
        .joined(assignment::Column::MemberId, Entity, Column::Id)
        .filter(assignment::Column::SavedAt.gte(since));
    let managers = Entity::find()
        .select_only()
        .columns([Column::ProjectId, Column::UserId])
        .joined(Column::ProjectId, project::Entity, project::Column::Id)
        .filter(Column::Role.eq(Role::Manager.name()))
        .filter(Column::RemovedAt.is_null())
        .filter(project::Column::ArchivedAt.is_null())
        .filter(Column::ProjectId.in_subquery(active.into_query()))
        .order_by_asc(Column::Id);
    sql::all(db, managers).await
}

/// The rows of a project's matrix: labelers, then reviewers, each in the order they joined.
/// Those who were removed are among them if they have done something.
pub async fn list_all_raters(db: &impl Db, project: ProjectId) -> Result<Vec<Member>, Error> {
    let of = |column: Expr| column.equals((Entity, Column::Id));
    let assignments = assignment::Entity::find()
        .select_only()
        .column(assignment::Column::Id)
        .filter(of(Expr::col((assignment::Entity, assignment::Column::MemberId))))
        .filter(assignment::Column::State.ne(WorkState::Open.name()));
    let reviews = review::Entity::find()
        .select_only()
        .column(review::Column::Id)
        .filter(of(Expr::col((review::Entity, review::Column::MemberId))))
        .filter(review::Column::State.ne(WorkState::Open.name()));
    let is_there = Column::RemovedAt
        .is_null()
        .or(Expr::exists(assignments.into_query()))
        .or(Expr::exists(reviews.into_query()));
    let raters = of_project(project)
        .filter(Column::Role.is_in([Role::Labeler.name(), Role::Reviewer.name()]))
        .filter(is_there)
        // In the alphabet, too, labelers come before reviewers.
        .order_by_asc(Column::Role)
        .order_by_asc(Column::Id);
    sql::all(db, raters).await
}

/// Which of these are labelers of a project, those who were removed among them.
pub async fn labelers_among(
    db: &impl Db,
    project: ProjectId,
    ids: &[MemberId],
) -> Result<BTreeSet<MemberId>, Error> {
    let mut labelers = BTreeSet::new();
    for chunk in ids.chunks(chunks::rows_per_statement(db, 1, 2)) {
        let found = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::ProjectId.eq(project.0))
            .filter(Column::Role.eq(Role::Labeler.name()))
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.0)));
        let found: Vec<MemberId> = sql::all(db, found).await?;
        labelers.extend(found);
    }
    Ok(labelers)
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
    // SQL: what is in the way is changed on a condition, and the answer says whether.
    let id = sql::row(
        tx,
        "INSERT INTO member (project_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (project_id, user_id)
             DO UPDATE SET role = excluded.role, removed_at = NULL
             WHERE member.removed_at IS NOT NULL
         RETURNING id",
        [project.0.into(), user.0.into(), role.name().into(), now.into()],
    )
    .await?;
    id.ok_or(Error::Duplicate("member"))
}

/// As [`add`], of many who are no members.
pub async fn add_all(
    tx: &Tx,
    project: ProjectId,
    coming: &BTreeMap<UserId, Role>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let rows = coming.iter().map(|(user, role)| member::ActiveModel {
        project_id: Set(project.0),
        user_id: Set(user.0),
        role: Set(role.name().to_owned()),
        created_at: Set(now),
        removed_at: Set(None),
        ..Default::default()
    });
    let again = OnConflict::columns([Column::ProjectId, Column::UserId])
        .update_columns([Column::Role, Column::RemovedAt])
        .to_owned();
    chunks::insert_or(tx, rows.collect(), again).await
}

/// Removes members of a project.
pub async fn remove_all(
    tx: &Tx,
    project: ProjectId,
    members: &[MemberId],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    for chunk in members.chunks(chunks::rows_per_statement(tx, 1, 2)) {
        let remove = Entity::update_many()
            .col_expr(Column::RemovedAt, now.into())
            .filter(Column::ProjectId.eq(project.0))
            .filter(Column::Id.is_in(chunk.iter().map(|member| member.0)));
        sql::run(tx, remove).await?;
    }
    Ok(())
}

/// Removes a member; false if the project has none with this id.
pub async fn remove(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let remove = Entity::update_many()
        .col_expr(Column::RemovedAt, now.into())
        .filter(Column::Id.eq(member.0))
        .filter(Column::ProjectId.eq(project.0))
        .filter(Column::RemovedAt.is_null());
    Ok(sql::run(tx, remove).await? == 1)
}

read_by_columns! { Member { id, user: user_id, name, email, role, is_placeholder } }

read_by_columns! {
    Asking { member: (part), lacks_second_factor }
}

/// A project's members, also those who were removed, with what their accounts say of them.
fn of_project(project: ProjectId) -> Select<Entity> {
    use user_account::Column::{Email, IsPlaceholder, Name, SecondFactorSince};
    let is_required = project::Column::RequiresSecondFactor.eq(true);
    Entity::find()
        .joined(Column::UserId, user_account::Entity, user_account::Column::Id)
        .joined(Column::ProjectId, project::Entity, project::Column::Id)
        .columns([Name, Email, IsPlaceholder])
        .column_as(is_required.and(SecondFactorSince.is_null()), "lacks_second_factor")
        .filter(Column::ProjectId.eq(project.0))
}

/// Those of them who were not removed.
fn present(project: ProjectId) -> Select<Entity> {
    of_project(project).filter(Column::RemovedAt.is_null())
}
