//! Labelers whom nobody has claimed: their accounts, which nobody can sign in with, and their work.

use domain::{DocumentId, MemberId, UserId};

use crate::{Db, Error, Tx, base::sql};

/// Deletes a labeler whom nobody has claimed, and the account that nobody can sign in with.
pub(crate) async fn delete(tx: &Tx, member: MemberId) -> Result<(), Error> {
    let user: Option<i64> =
        sql::tuple(tx, "DELETE FROM member WHERE id = $1 RETURNING user_id", [member.0.into()])
            .await?;
    delete_account(tx, user).await
}

/// The documents on which both of two members have work.
pub async fn shared_work(
    db: &impl Db,
    one: MemberId,
    other: MemberId,
) -> Result<Vec<(DocumentId, String)>, Error> {
    let rows: Vec<(i64, String)> = sql::tuples(
        db,
        "SELECT document.id, document.name FROM assignment AS mine
         JOIN assignment AS theirs ON theirs.document_id = mine.document_id
         JOIN document ON document.id = mine.document_id
         WHERE mine.member_id = $1 AND theirs.member_id = $2
           AND mine.state <> 'open' AND theirs.state <> 'open'
         ORDER BY document.id",
        [one.0.into(), other.0.into()],
    )
    .await?;
    Ok(rows.into_iter().map(|(id, name)| (DocumentId(id), name)).collect())
}

/// Makes a placeholder's work a member's, and deletes the placeholder. Neither may have work that
/// the other has, too; copies without work give way.
pub async fn merge(tx: &Tx, placeholder: MemberId, into: MemberId) -> Result<(), Error> {
    for (mine, theirs) in [(placeholder, into), (into, placeholder)] {
        sql::execute(
            tx,
            "DELETE FROM assignment WHERE member_id = $1 AND state = 'open' AND document_id IN
                 (SELECT document_id FROM assignment WHERE member_id = $2)",
            [mine.0.into(), theirs.0.into()],
        )
        .await?;
    }
    sql::execute(
        tx,
        "UPDATE assignment SET member_id = $2 WHERE member_id = $1",
        [placeholder.0.into(), into.0.into()],
    )
    .await?;
    // What others were shown of that work is not counted again under its new name.
    sql::execute(
        tx,
        "UPDATE own_pair SET other_id = $2 WHERE other_id = $1 AND member_id <> $2
         AND NOT EXISTS (SELECT 1 FROM own_pair AS counted WHERE counted.other_id = $2
             AND counted.member_id = own_pair.member_id
             AND counted.document_id = own_pair.document_id)",
        [placeholder.0.into(), into.0.into()],
    )
    .await?;
    delete(tx, placeholder).await
}

/// Makes somebody the person behind a placeholder, and deletes the account that nobody can sign in
/// with.
pub async fn claim(tx: &Tx, placeholder: MemberId, user: UserId) -> Result<(), Error> {
    let before: Option<i64> =
        sql::tuple(tx, "SELECT user_id FROM member WHERE id = $1", [placeholder.0.into()]).await?;
    sql::execute(
        tx,
        "UPDATE member SET user_id = $2 WHERE id = $1",
        [placeholder.0.into(), user.0.into()],
    )
    .await?;
    delete_account(tx, before).await
}

/// Deletes the account that nobody can sign in with.
async fn delete_account(tx: &Tx, user: Option<i64>) -> Result<(), Error> {
    if let Some(user) = user {
        let delete = "DELETE FROM user_account WHERE id = $1 AND is_placeholder";
        sql::execute(tx, delete, [user.into()]).await?;
    }
    Ok(())
}
