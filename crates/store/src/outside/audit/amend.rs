//! Rows that say less than they did, or are signed with another key: their place in the chain is held by
//! their first signature, and what they say now by a second one, of whoever has the key.

use domain::{ProjectId, UserId, saturating};
use sea_orm::sea_query::Query;

use super::{AuditEntry, Mac, Signer, chain, heads, notes, rows, stretch};
use crate::{
    base::prelude::*,
    entity::audit::{Column, Entity},
};

/// What the bytes of an amended row begin with: the version of its form.
const FORM: &[u8] = b"concord audit amended 1";

/// How many rows are amended by one statement.
const STRETCH: usize = 500;

/// How many notes are erased by one statement.
const AT_ONCE: u64 = 500;

/// What signatures say of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is as it was noted, but for a note that was erased.
    Signed,
    /// It is as it was amended.
    Amended,
    /// It is as it was noted, but its note is not.
    NoteChanged,
    Changed,
}

/// Holds a row against its signatures; `before` is the one of the row before it.
pub(super) fn standing(row: &AuditEntry, chain: i64, signer: &Signer, before: &Mac) -> Standing {
    let bytes = row.link(chain).bytes(before);
    let is_signed = row.mac == signer.sign(&bytes);
    if !row.amended.is_empty() {
        return match (row.amended == amended(signer, row, &bytes), is_signed) {
            (true, true) => Standing::Signed,
            (true, false) => Standing::Amended,
            (false, _) => Standing::Changed,
        };
    }
    let has_its_note = match &row.note {
        Some(note) => row.note_mac == notes::mac(signer, (chain, row.place), note),
        None => row.note_mac.is_empty(),
    };
    match (is_signed, has_its_note) {
        (true, true) => Standing::Signed,
        (true, false) => Standing::NoteChanged,
        (false, _) => Standing::Changed,
    }
}

/// What signs a row as it stands now, with its note or without.
fn amended(signer: &Signer, row: &AuditEntry, bytes: &[u8]) -> Mac {
    let mut all = FORM.to_vec();
    for part in [bytes, &row.mac] {
        let length = saturating::<u64>(part.len());
        all.extend(length.to_be_bytes());
        all.extend(part);
    }
    all.push(u8::from(row.note.is_some()));
    all.extend(row.note.iter().flat_map(|note| note.bytes()));
    signer.sign(&all)
}

/// Signs what a row says now.
fn sign(row: &mut AuditEntry, chain: i64, signer: &Signer, before: &Mac) {
    let bytes = row.link(chain).bytes(before);
    row.amended = amended(signer, row, &bytes).to_vec();
}

/// Stores rows as they were amended.
async fn save(tx: &Tx, rows: &[(i64, AuditEntry)]) -> Result<(), Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut values: Vec<Value> = Vec::with_capacity(rows.len() * 6);
    let mut tuples = Vec::with_capacity(rows.len());
    let stored = |bytes: &Vec<u8>| Value::from((!bytes.is_empty()).then(|| bytes.clone()));
    for (chain, row) in rows {
        tuples.push(format!("({})", sql::placeholders_from(values.len() + 1, 6)));
        values.extend([
            (*chain).into(),
            row.place.into(),
            row.detail.as_str().into(),
            row.note.clone().into(),
            stored(&row.note_mac),
            stored(&row.amended),
        ]);
    }
    // SQL: an update from rows in a `WITH`.
    let update = format!(
        "WITH amended_row(chain, place, detail, note, note_mac, amended) AS (VALUES {})
         UPDATE audit
         SET detail = amended_row.detail, note = amended_row.note,
             note_mac = amended_row.note_mac, amended = amended_row.amended
         FROM amended_row
         WHERE audit.chain = amended_row.chain AND audit.place = amended_row.place",
        tuples.join(", ")
    );
    sql::execute(tx, &update, values).await?;
    Ok(())
}

/// Which notes are erased.
#[derive(Clone, Copy, Debug)]
pub enum Notes {
    /// Of what somebody did, and of what was done to their account.
    Of(UserId),
    /// Of what was done in a project.
    In(ProjectId),
    /// Of where failed sign-ins before this moment came from.
    OfSignInsBefore(DateTime<Utc>),
}

/// The rows of what somebody did, and of what was done to their account.
pub(in crate::outside) fn of_person(user: UserId) -> Expr {
    Column::UserId.eq(user.0).or(Column::Subject.eq(format!("user {user}")))
}

struct Found {
    chain: i64,
    before: Option<Vec<u8>>,
    row: AuditEntry,
}

read_by_columns! {
    Found { chain, before, row: (part) }
}

/// The signature of the row before, to be read with a row.
fn mac_before() -> Expr {
    let previous = |column| Expr::col(("previous", column));
    let mac = Query::select()
        .expr(previous(Column::Mac))
        .from_as(Entity, "previous")
        .and_where(previous(Column::Chain).equals((Entity, Column::Chain)))
        .and_where(previous(Column::Place).eq(Expr::col((Entity, Column::Place)).sub(1)))
        .take();
    Expr::SubQuery(None, Box::new(mac.into()))
}

/// Erases notes, and signs that they were: says how many. A row that is not as it was noted stays so.
pub async fn erase(tx: &Tx, which: Notes) -> Result<usize, Error> {
    let signer = tx.trail().signer()?;
    let condition = match which {
        Notes::Of(user) => of_person(user),
        Notes::In(project) => Column::Chain.eq(project.0),
        Notes::OfSignInsBefore(time) => {
            let event = domain::AuditEvent::RefuseSignIn.name();
            Column::Event.eq(event).and(Column::At.lt(time))
        }
    };
    let noted = rows::entries()
        .column_as(mac_before(), "before")
        .filter(Column::Note.is_not_null())
        .filter(condition)
        .order_by_asc(Column::Chain)
        .order_by_asc(Column::Place)
        .limit(AT_ONCE);
    let mut erased = 0;
    loop {
        let found: Vec<Found> = sql::all(tx, noted.clone()).await?;
        if found.is_empty() {
            return Ok(erased);
        }
        let rows = found.into_iter().map(|Found { chain, before, row }| {
            let (mut row, before) = (row, chain::mac(before));
            let standing = standing(&row, chain, signer, &before);
            row.note = None;
            if matches!(standing, Standing::Signed | Standing::Amended) {
                sign(&mut row, chain, signer, &before);
            }
            (chain, row)
        });
        let rows: Vec<_> = rows.collect();
        erased += rows.len();
        save(tx, &rows).await?;
    }
}

/// Takes what is personal out of the rows of a chain that earlier versions noted with it: says of how
/// many. A row that is not as it was noted stays so.
pub(super) async fn set_aside(tx: &Tx, project: Option<ProjectId>) -> Result<usize, Error> {
    let (signer, chain) = (tx.trail().signer()?, chain::chain_number(project));
    amend(tx, project, |row, before| {
        let is_old = row.note_mac.is_empty() && row.amended.is_empty();
        let Ok(event) = row.event.parse() else { return false };
        let Ok(mut detail) = serde_json::from_str(&row.detail) else { return false };
        let Some(words) = notes::take_out(event, &mut detail) else { return false };
        if !is_old || standing(row, chain, signer, before) != Standing::Signed {
            return false;
        }
        let (note, mac) = notes::seal(signer, (chain, row.place), &words);
        (row.note, row.note_mac) = (Some(note), mac.to_vec());
        row.detail = detail.to_string();
        sign(row, chain, signer, before);
        true
    })
    .await
}

/// Signs all rows that there are once more, with the key of this store in the place of the one before,
/// which is lost: whatever is done to them from now on is found. Says how many; none if the key is the
/// one that they are signed with already.
pub async fn sign_anew(tx: &Tx) -> Result<usize, Error> {
    let signer = tx.trail().signer()?;
    let chains = heads::chains(tx).await?;
    for project in &chains {
        if signs_any(tx, *project, signer).await? {
            return Ok(0);
        }
    }
    let mut count = 0;
    for project in chains {
        let chain = chain::chain_number(project);
        count += amend(tx, project, |row, before| {
            // What nobody has signed is nobody's to vouch for.
            if row.mac.is_empty() {
                return false;
            }
            sign(row, chain, signer, before);
            true
        })
        .await?;
    }
    Ok(count)
}

async fn signs_any(
    db: &impl Db,
    project: Option<ProjectId>,
    signer: &Signer,
) -> Result<bool, Error> {
    let chain = chain::chain_number(project);
    let (mut last, mut before) = (None, Mac::default());
    loop {
        let rows = stretch(db, project, last, STRETCH).await?;
        if rows.is_empty() {
            return Ok(false);
        }
        for row in rows {
            if matches!(
                standing(&row, chain, signer, &before),
                Standing::Signed | Standing::Amended
            ) {
                return Ok(true);
            }
            (last, before) = (Some(row.place), chain::mac(Some(row.mac)));
        }
    }
}

/// Amends the rows of a chain that are to be, the first first; says how many.
async fn amend(
    tx: &Tx,
    project: Option<ProjectId>,
    mut change: impl FnMut(&mut AuditEntry, &Mac) -> bool,
) -> Result<usize, Error> {
    let chain = chain::chain_number(project);
    let (mut count, mut last, mut before) = (0, None, Mac::default());
    loop {
        let rows = stretch(tx, project, last, STRETCH).await?;
        if rows.is_empty() {
            return Ok(count);
        }
        let mut changed = Vec::new();
        for mut row in rows {
            last = Some(row.place);
            let mac = chain::mac(Some(row.mac.clone()));
            if change(&mut row, &before) {
                changed.push((chain, row));
            }
            before = mac;
        }
        count += changed.len();
        save(tx, &changed).await?;
    }
}
