//! What reviewers decided at once on one or several positions, kept so that it can be undone.

use domain::{
    ActId, Answer, AttributeId, DecidedAnswer, Decision, Fact, MemberId, Position, ProjectId, Span,
    Stand,
};

use crate::{
    base::prelude::*,
    entity::{
        decision_act::{self, Column, Entity},
        decision_act_answer as about, decision_act_part as part,
    },
};

/// A position of an act, with what the reviewer has decided there before and after. A document is the position
/// [`Span::DOCUMENT`], with the answer to one question before, after or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidedPosition {
    pub position: Position,
    pub before: Option<Stand>,
    pub after: Option<Stand>,
    /// Whether it was left as it is when the act was undone.
    pub left_alone: bool,
}

/// What a reviewer decided at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    pub id: ActId,
    pub project: ProjectId,
    pub member: MemberId,
    pub made_at: DateTime<Utc>,
    pub undone_at: Option<DateTime<Utc>>,
    /// In the order of their positions. Those in documents that were deleted are gone.
    pub positions: Vec<DecidedPosition>,
}

/// Keeps an act.
pub async fn insert(
    tx: &Tx,
    project: ProjectId,
    member: MemberId,
    positions: &[DecidedPosition],
    now: DateTime<Utc>,
) -> Result<ActId, Error> {
    let act = decision_act::ActiveModel {
        project_id: Set(project.0),
        member_id: Set(member.0),
        made_at: Set(now),
        ..Default::default()
    };
    let id: ActId = sql::insert(tx, act).await?;
    let (of_documents, of_spans): (Vec<_>, Vec<_>) =
        positions.iter().partition(|one| is_document(one.position));
    let rows = of_spans.into_iter().map(|one| {
        let json = |stand: &Option<Stand>| {
            stand.as_ref().and_then(Stand::decision).map(sql::json).transpose()
        };
        Ok(part::ActiveModel {
            act_id: Set(id.0),
            document_id: Set(one.position.document.0),
            start_at: Set(one.position.range.start.into()),
            end_at: Set(one.position.range.end.into()),
            before: Set(json(&one.before)?),
            after: Set(json(&one.after)?),
            left_alone: Set(one.left_alone),
        })
    });
    chunks::insert(tx, rows.collect::<Result<_, Error>>()?).await?;
    let rows = of_documents.into_iter().filter_map(|one| {
        let [before, after] = [&one.before, &one.after].map(|it| it.as_ref()?.document());
        let number = |it: DecidedAnswer| it.answer.choice.map(|chosen| chosen.answer.stored());
        let chosen = before.or(after)?.answer.choice?;
        Some(about::ActiveModel {
            act_id: Set(id.0),
            document_id: Set(one.position.document.0),
            attribute_id: Set(chosen.attribute.0),
            before_number: Set(before.and_then(number)),
            before_at: Set(before.map(|it| it.decided_at)),
            after_number: Set(after.and_then(number)),
            after_at: Set(after.map(|it| it.decided_at)),
            left_alone: Set(one.left_alone),
        })
    });
    chunks::insert(tx, rows.collect()).await?;
    Ok(id)
}

fn is_document(position: Position) -> bool {
    position.range == Span::DOCUMENT.range
}

/// The act with this id.
pub async fn find(db: &impl Db, id: ActId) -> Result<Option<Act>, Error> {
    let Some(act) = Entity::find_by_id(id.0).one(db.connection()).await? else { return Ok(None) };
    let positions = part::Entity::find()
        .filter(part::Column::ActId.eq(id.0))
        .order_by_asc(part::Column::DocumentId)
        .order_by_asc(part::Column::StartAt)
        .order_by_asc(part::Column::EndAt);
    let of_documents = about::Entity::find().filter(about::Column::ActId.eq(id.0));
    let of_documents: Vec<OfDocument> = sql::all(db, of_documents).await?;
    let of_spans: Vec<DecidedPosition> = sql::all(db, positions).await?;
    let mut positions: Vec<_> = of_documents.into_iter().map(|OfDocument(it)| it).collect();
    positions.extend(of_spans);
    positions.sort_by_key(|one| one.position);
    Ok(Some(Act {
        id,
        project: ProjectId(act.project_id),
        member: MemberId(act.member_id),
        made_at: act.made_at,
        undone_at: act.undone_at,
        positions,
    }))
}

impl FromRow for DecidedPosition {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self {
            position: Position { document: row.get("document_id")?, range: row.part()? },
            before: of_span(row, "before")?,
            after: of_span(row, "after")?,
            left_alone: row.get("left_alone")?,
        })
    }
}

fn of_span(row: &Row<'_>, column: &str) -> Result<Option<Stand>, Error> {
    let decision = row.get::<Option<Json<Decision>>>(column)?;
    Ok(decision.map(|Json(decision)| Stand::Position(decision)))
}

/// A document of an act.
struct OfDocument(DecidedPosition);

impl FromRow for OfDocument {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let question: AttributeId = row.get("attribute_id")?;
        let answered = |number: Option<Answer>, at: Option<DateTime<Utc>>| {
            let answer = Fact::chosen(Span::DOCUMENT, question, number?);
            Some(Stand::Document(DecidedAnswer { answer, decided_at: at? }))
        };
        Ok(Self(DecidedPosition {
            position: Position { document: row.get("document_id")?, range: Span::DOCUMENT.range },
            before: answered(row.get("before_number")?, row.get("before_at")?),
            after: answered(row.get("after_number")?, row.get("after_at")?),
            left_alone: row.get("left_alone")?,
        }))
    }
}

/// Notes that an act was undone but for what was left alone; false if it was undone before.
pub async fn undo(
    tx: &Tx,
    id: ActId,
    left_alone: &[Position],
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let undo = Entity::update_many()
        .col_expr(Column::UndoneAt, now.into())
        .filter(Column::Id.eq(id.0))
        .filter(Column::UndoneAt.is_null());
    let undone = sql::run(tx, undo).await? == 1;
    let (documents, spans): (Vec<Position>, Vec<Position>) =
        left_alone.iter().partition(|position| is_document(**position));
    for chunk in documents.chunks(chunks::rows_per_statement(tx, 1, 2)) {
        let of = chunk.iter().map(|position| position.document.0);
        let leave = about::Entity::update_many()
            .col_expr(about::Column::LeftAlone, true.into())
            .filter(about::Column::ActId.eq(id.0))
            .filter(about::Column::DocumentId.is_in(of));
        sql::run(tx, leave).await?;
    }
    for chunk in spans.chunks(chunks::rows_per_statement(tx, 3, 2)) {
        let positions = chunk.iter().map(|position| {
            let range = position.range;
            (position.document.0, i64::from(range.start), i64::from(range.end))
        });
        let columns = [part::Column::DocumentId, part::Column::StartAt, part::Column::EndAt];
        let leave = part::Entity::update_many()
            .col_expr(part::Column::LeftAlone, true.into())
            .filter(part::Column::ActId.eq(id.0))
            .filter(chunks::among(columns, positions));
        sql::run(tx, leave).await?;
    }
    Ok(undone)
}
