//! What reviewers answered about documents, at most once of each reviewer to a question.

use std::collections::HashMap;

use domain::{Answer, AttributeId, DecidedAnswer, Fact, ReviewId, Span};

use crate::{
    base::chunks::rows_per_statement,
    base::prelude::*,
    entity::review_answer::{self, Column, Entity},
};

/// An answer, and the review that it is of.
pub(crate) struct Owned(pub(crate) ReviewId, pub(crate) DecidedAnswer);

impl FromRow for Owned {
    fn from_row(row: &Row<'_>) -> Result<Self, Error> {
        let attribute: AttributeId = row.get("attribute_id")?;
        let answer: Answer = row.get("number")?;
        let answer = Fact::chosen(Span::DOCUMENT, attribute, answer);
        let decided_at = row.get("decided_at")?;
        Ok(Self(row.get("review_id")?, DecidedAnswer { answer, decided_at }))
    }
}

/// The answers of each review together.
pub(crate) fn gather(rows: Vec<Owned>) -> HashMap<ReviewId, Vec<DecidedAnswer>> {
    let mut reviews: HashMap<_, Vec<DecidedAnswer>> = HashMap::new();
    for Owned(review, answer) in rows {
        reviews.entry(review).or_default().push(answer);
    }
    reviews
}

/// Puts answers in the place of all that reviews have.
pub async fn replace(tx: &Tx, reviews: &[(ReviewId, Vec<DecidedAnswer>)]) -> Result<(), Error> {
    for chunk in reviews.chunks(rows_per_statement(tx, 1, 0)) {
        let of = Column::ReviewId.is_in(chunk.iter().map(|(review, _)| review.0));
        sql::run(tx, Entity::delete_many().filter(of)).await?;
    }
    let row = |(review, DecidedAnswer { answer, decided_at }): (ReviewId, DecidedAnswer)| {
        let choice = answer.choice?;
        Some(review_answer::ActiveModel {
            review_id: Set(review.0),
            attribute_id: Set(choice.attribute.0),
            number: Set(choice.answer.stored()),
            decided_at: Set(decided_at),
        })
    };
    let of_reviews = reviews
        .iter()
        .flat_map(|(review, answers)| answers.iter().map(move |answer| (*review, *answer)));
    chunks::insert(tx, of_reviews.filter_map(row).collect()).await
}
