//! What every save of an assignment changed. Rows are only ever added, in the transaction of the save.

use domain::{
    AssignmentId, Colour, Delta, Fact, ProjectId, RepeatId, Revision, UserId, VersionKind,
    VersionLabel, WorkState,
};

use sea_orm::sea_query::Func;

use crate::{
    account::users,
    base::prelude::*,
    entity::{
        assignment_version::{self, Column, Entity},
        former_label,
    },
};

/// Which of the passes over a document: a repeat has versions of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    pub assignment: AssignmentId,
    pub repeat: Option<RepeatId>,
}

/// A save to keep.
#[derive(Clone, Debug)]
pub struct NewVersion {
    pub pass: Pass,
    /// The revision that it made.
    pub revision: Revision,
    pub at: DateTime<Utc>,
    pub by: Option<UserId>,
    pub kind: VersionKind,
    pub restored: Option<Revision>,
    pub state: WorkState,
    pub delta: Delta,
}

/// Keeps what saves have changed.
pub async fn append(tx: &Tx, versions: impl IntoIterator<Item = &NewVersion>) -> Result<(), Error> {
    chunks::insert(tx, rows(versions)?).await
}

/// As [`append`], for a great many of them.
pub(crate) async fn append_steadily(tx: &Tx, versions: &[NewVersion]) -> Result<(), Error> {
    chunks::insert_steadily(tx, rows(versions)?).await
}

fn rows<'a>(
    versions: impl IntoIterator<Item = &'a NewVersion>,
) -> Result<Vec<assignment_version::ActiveModel>, Error> {
    // Of spans: what was chosen on them is in the delta alone.
    let count =
        |facts: &[Fact]| sql::signed(facts.iter().filter(|fact| fact.choice.is_none()).count());
    versions
        .into_iter()
        .map(|new| {
            Ok(assignment_version::ActiveModel {
                assignment_id: Set(new.pass.assignment.0),
                repeat_id: Set(new.pass.repeat.map(|repeat| repeat.0)),
                revision: Set(new.revision.0),
                made_at: Set(new.at),
                made_by: Set(new.by.map(|by| by.0)),
                kind: Set(new.kind.name().to_owned()),
                restored: Set(new.restored.map(|restored| restored.0)),
                state: Set(new.state.name().to_owned()),
                removed: Set(count(&new.delta.removed)),
                added: Set(count(&new.delta.added)),
                delta: Set(sql::json(&new.delta)?),
                ..Default::default()
            })
        })
        .collect()
}

/// A save that was kept, without its delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub revision: Revision,
    pub at: DateTime<Utc>,
    pub by: Option<UserId>,
    /// The person's name; none if the account is gone.
    pub name: Option<String>,
    pub kind: VersionKind,
    pub restored: Option<Revision>,
    pub state: WorkState,
    pub removed: u64,
    pub added: u64,
    /// What the delta takes up, in bytes.
    pub bytes: u64,
}

/// The versions of a pass, the latest first, without their columns.
fn of_pass(pass: Pass) -> Select<Entity> {
    let repeat = match pass.repeat {
        None => Column::RepeatId.is_null(),
        Some(repeat) => Column::RepeatId.eq(repeat.0),
    };
    Entity::find()
        .select_only()
        .filter(Column::AssignmentId.eq(pass.assignment.0))
        .filter(repeat)
        .order_by_desc(Column::Revision)
}

/// The saves of a pass, the latest first.
pub async fn list(db: &impl Db, pass: Pass) -> Result<Vec<Kept>, Error> {
    use Column::{Added, Kind, MadeAt, MadeBy, Removed, Restored, Revision, State};
    let length = Func::cust("LENGTH").arg(Expr::col((Entity, Column::Delta)));
    let versions = of_pass(pass)
        .columns([Revision, MadeAt, MadeBy, Kind, Restored, State, Removed, Added])
        .column_as(users::name_of(MadeBy), "name")
        .column_as(Expr::from(length).cast_as("BIGINT"), "bytes");
    sql::all(db, versions).await
}

read_by_columns! {
    Kept {
        revision, at: made_at, by: made_by, name, kind, restored, state, removed, added, bytes,
    }
}

/// What the saves after a revision have changed, the latest first: the way back to it.
pub async fn since(db: &impl Db, pass: Pass, revision: Revision) -> Result<Vec<Delta>, Error> {
    let later = of_pass(pass).column(Column::Delta).filter(Column::Revision.gt(revision.0));
    let deltas = sql::all(db, later).await?.into_iter();
    Ok(deltas.map(|Json(delta)| delta).collect())
}

/// A project's labels, and those that it had before, by which its versions are named.
pub async fn labels(db: &impl Db, project: ProjectId) -> Result<Vec<VersionLabel>, Error> {
    let present = crate::project::labels::list(db, project).await?;
    let mut labels: Vec<_> = present
        .into_iter()
        .map(|label| VersionLabel {
            id: label.id,
            name: label.name,
            colour: label.colour,
            is_gone: false,
        })
        .collect();
    let gone = former_label::Entity::find()
        .filter(former_label::Column::ProjectId.eq(project.0))
        .order_by_asc(former_label::Column::Id)
        .select_only()
        .columns([
            former_label::Column::Id,
            former_label::Column::Name,
            former_label::Column::Colour,
        ]);
    let gone: Vec<(_, _, i32)> = sql::all(db, gone).await?;
    for (id, name, colour) in gone {
        let colour = u8::try_from(colour).ok().and_then(Colour::new).unwrap_or_default();
        labels.push(VersionLabel { id, name, colour, is_gone: true });
    }
    Ok(labels)
}
