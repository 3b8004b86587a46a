//! Labelers whom nobody has claimed: their accounts, which nobody can sign in with, and their work.

use domain::{DocumentId, MemberId, UserId};

use crate::{
    base::prelude::*,
    entity::{member, user_account},
};

/// Deletes a labeler whom nobody has claimed, and the account that nobody can sign in with.
pub(crate) async fn delete(tx: &Tx, member: MemberId) -> Result<(), Error> {
    let mut delete = member::Entity::delete_many().filter(member::Column::Id.eq(member.0));
    QueryTrait::query(&mut delete).returning_col(member::Column::UserId);
    delete_account(tx, sql::one(tx, delete).await?).await
}

/// The documents on which both of two members have work.
pub async fn shared_work(
    db: &impl Db,
    one: MemberId,
    other: MemberId,
) -> Result<Vec<(DocumentId, String)>, Error> {
    // SQL: a table under two names.
    sql::rows(
        db,
        "SELECT document.id, document.name FROM assignment AS mine
         JOIN assignment AS theirs ON theirs.document_id = mine.document_id
         JOIN document ON document.id = mine.document_id
         WHERE mine.member_id = $1 AND theirs.member_id = $2
           AND mine.state <> 'open' AND theirs.state <> 'open'
         ORDER BY document.id",
        [one.0.into(), other.0.into()],
    )
    .await
}

/// Makes a placeholder's work a member's, and deletes the placeholder. Neither may have work that
/// the other has, too; assignments without work give way.
pub async fn merge(tx: &Tx, placeholder: MemberId, into: MemberId) -> Result<(), Error> {
    // SQL: a table under two names.
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
    let member = member::Entity::find_by_id(placeholder.0);
    let before = member.select_only().column(member::Column::UserId);
    let before = sql::one(tx, before).await?;
    let claim = member::Entity::update_many()
        .col_expr(member::Column::UserId, user.0.into())
        .filter(member::Column::Id.eq(placeholder.0));
    sql::run(tx, claim).await?;
    delete_account(tx, before).await
}

/// Deletes the account that nobody can sign in with.
async fn delete_account(tx: &Tx, user: Option<i64>) -> Result<(), Error> {
    if let Some(user) = user {
        let account = user_account::Entity::delete_by_id(user);
        sql::run(tx, account.filter(user_account::Column::IsPlaceholder.eq(true))).await?;
    }
    Ok(())
}
