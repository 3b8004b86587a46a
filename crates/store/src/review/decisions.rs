//! The reviewers' decisions, at most one of each reviewer on a position, with what they answered there.

use std::collections::{BTreeSet, HashMap};

use domain::{Answer, AttributeId, Decision, Fact, LabelId, LabelSet, Range, ReviewId, Span};

use crate::{
    base::chunks::rows_per_statement,
    base::prelude::*,
    entity::{
        decision::{self, Column, Entity},
        decision_answer, decision_label,
    },
};

/// A decision with one of its labels and one answer on that; a reject has one such row without a label.
pub(crate) struct LabelledRow {
    review: ReviewId,
    id: i64,
    decision: Decision,
    label: Option<LabelId>,
    answer: Option<(AttributeId, Answer)>,
}

impl FromRow for LabelledRow {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let decision = Decision {
            range: row.part()?,
            verdict: row.get("verdict")?,
            labels: LabelSet::EMPTY,
            decided_at: row.get("decided_at")?,
            note: row.get("note")?,
            answers: BTreeSet::new(),
        };
        let (review, label) = (row.get("review_id")?, row.get("label_id")?);
        let attribute: Option<_> = row.get("attribute_id")?;
        let answer = attribute.zip(row.get("number")?);
        Ok(Self { review, id: row.get("id")?, decision, label, answer })
    }
}

/// The columns of a [`LabelledRow`], and where they come from.
pub(crate) const SELECT: &str = "SELECT decision.review_id, decision.id, decision.start_at,
           decision.end_at, decision.verdict, decision.decided_at, decision.note,
           decision_label.label_id, decision_answer.attribute_id, decision_answer.number
    FROM decision LEFT JOIN decision_label ON decision_label.decision_id = decision.id
    LEFT JOIN decision_answer ON decision_answer.decision_id = decision_label.decision_id
        AND decision_answer.label_id = decision_label.label_id";

/// The order that [`gather`] needs.
pub(crate) const ORDER: &str =
    "ORDER BY decision.review_id, decision.start_at, decision.end_at, decision_label.label_id";

/// Puts the labels and answers of each decision together, and the decisions of each review.
pub(crate) fn gather(rows: Vec<LabelledRow>) -> HashMap<ReviewId, Vec<Decision>> {
    let mut reviews: HashMap<_, Vec<Decision>> = HashMap::new();
    let mut last = None;
    for row in rows {
        let decisions = reviews.entry(row.review).or_default();
        if last != Some(row.id) {
            last = Some(row.id);
            decisions.push(row.decision);
        }
        if let (Some(decision), Some(label)) = (decisions.last_mut(), row.label) {
            decision.labels.insert(label);
            let span = Span { range: decision.range, label };
            let answer =
                row.answer.map(|(attribute, answer)| Fact::chosen(span, attribute, answer));
            decision.answers.extend(answer);
        }
    }
    reviews
}

/// The decisions of reviews, each in order of position; a review without any is left out.
pub async fn list(
    db: &impl Db,
    reviews: &[ReviewId],
) -> Result<HashMap<ReviewId, Vec<Decision>>, Error> {
    let mut decisions = HashMap::with_capacity(reviews.len());
    for chunk in reviews.chunks(rows_per_statement(db, 1, 0)) {
        // SQL: the text of `agreement::ratings`, with another condition.
        let reviews = sql::placeholders(chunk.len());
        let select = format!("{SELECT} WHERE decision.review_id IN ({reviews}) {ORDER}");
        let ids: Vec<_> = chunk.iter().map(|review| review.0.into()).collect();
        decisions.extend(gather(sql::rows(db, &select, ids).await?));
    }
    Ok(decisions)
}

/// What is to stand on a position in a review: a decision, or none any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub review: ReviewId,
    pub range: Range,
    pub decision: Option<Decision>,
}

/// Puts what is given in the place of the decisions on the same positions. No position of a
/// review may occur twice.
pub async fn replace(tx: &Tx, replacements: &[Replacement]) -> Result<(), Error> {
    delete(tx, replacements).await?;
    let (mut labels, mut answers) = (Vec::new(), Vec::new());
    let decided: Vec<_> =
        replacements.iter().filter_map(|new| Some((new.review, new.decision.as_ref()?))).collect();
    for chunk in decided.chunks(rows_per_statement(tx, Column::iter().count(), 0)) {
        let rows = chunk.iter().map(|(review, new)| decision::ActiveModel {
            review_id: Set(review.0),
            start_at: Set(new.range.start.into()),
            end_at: Set(new.range.end.into()),
            verdict: Set(new.verdict.name().to_owned()),
            decided_at: Set(new.decided_at),
            note: Set(new.note.clone()),
            ..Default::default()
        });
        let ids = insert(tx, rows).await?;
        for (review, new) in chunk {
            let id = ids.get(&(*review, new.range));
            let id = id.ok_or_else(|| Error::unreadable("a lost decision"))?;
            labels.extend(new.labels.iter().map(|label| decision_label::ActiveModel {
                decision_id: Set(*id),
                label_id: Set(label.0),
            }));
            answers.extend(new.answers.iter().filter_map(|fact| {
                let choice = fact.choice?;
                Some(decision_answer::ActiveModel {
                    decision_id: Set(*id),
                    label_id: Set(fact.span.label.0),
                    attribute_id: Set(choice.attribute.0),
                    number: Set(choice.answer.stored()),
                })
            }));
        }
    }
    chunks::insert(tx, labels).await?;
    chunks::insert(tx, answers).await
}

async fn delete(tx: &Tx, replacements: &[Replacement]) -> Result<(), Error> {
    for chunk in replacements.chunks(rows_per_statement(tx, 3, 0)) {
        let wanted = chunk
            .iter()
            .map(|new| (new.review.0, i64::from(new.range.start), i64::from(new.range.end)));
        let columns = [Column::ReviewId, Column::StartAt, Column::EndAt];
        sql::run(tx, Entity::delete_many().filter(chunks::among(columns, wanted))).await?;
    }
    Ok(())
}

/// Inserts decisions and returns their ids by review and position.
async fn insert(
    tx: &Tx,
    rows: impl IntoIterator<Item = decision::ActiveModel>,
) -> Result<HashMap<(ReviewId, Range), i64>, Error> {
    let mut insert = Entity::insert_many(rows);
    insert.query().returning_all();
    let inserted: Vec<Inserted> =
        sql::all(tx, insert).await.map_err(|error| error.unless_unique(&["decision"]))?;
    Ok(inserted.into_iter().map(|Inserted(place, id)| (place, id)).collect())
}

struct Inserted((ReviewId, Range), i64);

impl FromRow for Inserted {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        Ok(Self((row.get("review_id")?, row.part()?), row.get("id")?))
    }
}
