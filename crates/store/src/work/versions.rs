//! What every save of a copy changed. Rows are only ever added, in the transaction of the save.

use chrono::{DateTime, Utc};
use domain::{
    AssignmentId, Colour, Delta, Fact, ProjectId, RepeatId, Revision, UserId, VersionKind,
    VersionLabel, WorkState,
};
use sea_orm::{ActiveValue::Set, FromQueryResult, prelude::*};

use crate::{
    Db, Error, Tx,
    base::{chunks, sql},
    entity::copy_version,
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
pub async fn append(tx: &Tx, versions: &[NewVersion]) -> Result<(), Error> {
    Ok(chunks::insert(tx, rows(versions)?).await?)
}

/// As [`append`], for a great many of them.
pub(crate) async fn append_steadily(tx: &Tx, versions: &[NewVersion]) -> Result<(), Error> {
    Ok(chunks::insert_steadily(tx, rows(versions)?).await?)
}

fn rows(versions: &[NewVersion]) -> Result<Vec<copy_version::ActiveModel>, Error> {
    // Of spans: what was chosen on them is in the delta alone.
    let count = |facts: &[Fact]| {
        let spans = facts.iter().filter(|fact| fact.choice.is_none()).count();
        i64::try_from(spans).unwrap_or(i64::MAX)
    };
    versions
        .iter()
        .map(|new| {
            Ok(copy_version::ActiveModel {
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
                delta: Set(serde_json::to_string(&new.delta).map_err(Error::unreadable)?),
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

#[derive(FromQueryResult)]
struct Row {
    revision: i64,
    made_at: DateTimeUtc,
    made_by: Option<i64>,
    name: Option<String>,
    kind: String,
    restored: Option<i64>,
    state: String,
    removed: i64,
    added: i64,
    bytes: i64,
}

/// The rows of a pass; `$1` is the copy.
fn of_pass(pass: Pass) -> String {
    match pass.repeat {
        None => "copy_version.assignment_id = $1 AND copy_version.repeat_id IS NULL".to_owned(),
        Some(repeat) => {
            format!("copy_version.assignment_id = $1 AND copy_version.repeat_id = {repeat}")
        }
    }
}

/// The saves of a pass, the latest first.
pub async fn list(db: &impl Db, pass: Pass) -> Result<Vec<Kept>, Error> {
    let select = format!(
        "SELECT copy_version.revision, copy_version.made_at, copy_version.made_by,
                user_account.name, copy_version.kind, copy_version.restored, copy_version.state,
                copy_version.removed, copy_version.added,
                CAST(LENGTH(copy_version.delta) AS BIGINT) AS bytes
         FROM copy_version LEFT JOIN user_account ON user_account.id = copy_version.made_by
         WHERE {} ORDER BY copy_version.revision DESC",
        of_pass(pass)
    );
    let rows = sql::rows::<Row, _>(db, &select, [pass.assignment.0.into()]).await?;
    rows.into_iter()
        .map(|row| {
            Ok(Kept {
                revision: Revision(row.revision),
                at: row.made_at,
                by: row.made_by.map(UserId),
                name: row.name,
                kind: sql::word(&row.kind)?,
                restored: row.restored.map(Revision),
                state: sql::word(&row.state)?,
                removed: sql::number(row.removed)?,
                added: sql::number(row.added)?,
                bytes: sql::number(row.bytes)?,
            })
        })
        .collect()
}

/// What the saves after a revision have changed, the latest first: the way back to it.
pub async fn since(db: &impl Db, pass: Pass, revision: Revision) -> Result<Vec<Delta>, Error> {
    let select = format!(
        "SELECT copy_version.delta FROM copy_version
         WHERE {} AND copy_version.revision > $2 ORDER BY copy_version.revision DESC",
        of_pass(pass)
    );
    let values = [pass.assignment.0.into(), revision.0.into()];
    let rows: Vec<(String,)> = sql::tuples(db, &select, values).await?;
    rows.into_iter()
        .map(|(delta,)| serde_json::from_str(&delta).map_err(Error::unreadable))
        .collect()
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
    let gone: Vec<(i64, String, i32)> = sql::tuples(
        db,
        "SELECT id, name, colour FROM former_label WHERE project_id = $1 ORDER BY id",
        [project.0.into()],
    )
    .await?;
    for (id, name, colour) in gone {
        let colour = u8::try_from(colour).ok().and_then(Colour::new).unwrap_or_default();
        labels.push(VersionLabel { id: domain::LabelId(id), name, colour, is_gone: true });
    }
    Ok(labels)
}
