//! Whether the rows of a project fit together in ways that the schema cannot say.

use domain::ProjectId;

use crate::{Snapshot, base::prelude::*};

/// The query that counts answers of a table, of first passes, repeats or reviews and on spans or on documents, which
/// their attribute does not have. Sets of choices are kept as numbers above 2^62.
macro_rules! answers {
    ($table:literal, $pass:ident, $on:ident) => {
        concat!(
            "SELECT COUNT(*) FROM ",
            $table,
            answers!($pass $table),
            " JOIN attribute ON attribute.id = ",
            $table,
            ".attribute_id
              JOIN label ON label.id = attribute.label_id
              WHERE document.project_id = $1 AND (",
            answers!($on $table),
            " OR NOT CASE attribute.answers WHEN 'several' THEN ",
            $table,
            ".number > 4611686018427387904 WHEN 'number' THEN ",
            $table,
            ".number BETWEEN 0 AND attribute.steps
              ELSE EXISTS (SELECT 1 FROM attribute_choice
                  WHERE attribute_choice.attribute_id = attribute.id
                  AND attribute_choice.number = ",
            $table,
            ".number) END)"
        )
    };
    (first $table:literal) => {
        concat!(
            " JOIN assignment ON assignment.id = ",
            $table,
            ".assignment_id JOIN document ON document.id = assignment.document_id"
        )
    };
    (repeat $table:literal) => {
        concat!(
            " JOIN repeat ON repeat.id = ",
            $table,
            ".repeat_id JOIN assignment ON assignment.id = repeat.assignment_id
              JOIN document ON document.id = assignment.document_id"
        )
    };
    (decision $table:literal) => {
        concat!(
            " JOIN decision ON decision.id = ",
            $table,
            ".decision_id JOIN review ON review.id = decision.review_id
              JOIN document ON document.id = review.document_id"
        )
    };
    (review $table:literal) => {
        concat!(
            " JOIN review ON review.id = ",
            $table,
            ".review_id JOIN document ON document.id = review.document_id"
        )
    };
    (model $table:literal) => {
        concat!(" JOIN document ON document.id = ", $table, ".document_id")
    };
    (of_span $table:literal) => {
        concat!("attribute.label_id <> ", $table, ".label_id")
    };
    (of_document $table:literal) => {
        "label.project_id <> $1 OR NOT label.is_document"
    };
    (of_either $table:literal) => {
        concat!(
            "label.project_id <> $1 OR CASE WHEN label.is_document THEN ",
            $table,
            ".end_at <> 0 ELSE NOT EXISTS (SELECT 1 FROM model_span
                WHERE model_span.model_id = ",
            $table,
            ".model_id AND model_span.document_id = ",
            $table,
            ".document_id AND model_span.start_at = ",
            $table,
            ".start_at AND model_span.end_at = ",
            $table,
            ".end_at AND model_span.label_id = label.id) END"
        )
    };
}

/// What is checked: a sentence, and a query that counts the rows which break it.
const CHECKS: [(&str, &str); 24] = [
    ("choices of an attribute that their label does not have", answers!("span_choice", first, of_span)),
    (
        "choices in repeats of an attribute that their label does not have",
        answers!("repeat_span_choice", repeat, of_span),
    ),
    (
        "choices on documents of an attribute that these do not have",
        answers!("document_choice", first, of_document),
    ),
    (
        "choices on documents, in repeats, of an attribute that these do not have",
        answers!("repeat_document_choice", repeat, of_document),
    ),
    (
        "spans that are empty or leave their text",
        "SELECT COUNT(*) FROM span
         JOIN assignment ON assignment.id = span.assignment_id
         JOIN document ON document.id = assignment.document_id
         WHERE document.project_id = $1
         AND (span.start_at < 0 OR span.end_at <= span.start_at OR span.end_at > document.characters)",
    ),
    (
        "spans with a label of another project",
        "SELECT COUNT(*) FROM span
         JOIN assignment ON assignment.id = span.assignment_id
         JOIN document ON document.id = assignment.document_id
         JOIN label ON label.id = span.label_id
         WHERE document.project_id = $1 AND label.project_id <> document.project_id",
    ),
    (
        "spans in assignments that were never saved",
        "SELECT COUNT(*) FROM span
         JOIN assignment ON assignment.id = span.assignment_id
         JOIN document ON document.id = assignment.document_id
         WHERE document.project_id = $1 AND assignment.state = 'open'",
    ),
    (
        "assignments that were saved at no time",
        "SELECT COUNT(*) FROM assignment
         JOIN document ON document.id = assignment.document_id
         WHERE document.project_id = $1 AND assignment.state <> 'open'
         AND assignment.saved_at IS NULL",
    ),
    (
        "repeats of assignments that are not submitted",
        "SELECT COUNT(*) FROM repeat
         JOIN assignment ON assignment.id = repeat.assignment_id
         JOIN document ON document.id = assignment.document_id
         JOIN repeat_batch ON repeat_batch.id = repeat.batch_id
         WHERE document.project_id = $1
         AND (assignment.state <> 'submitted' OR repeat_batch.project_id <> $1)",
    ),
    (
        "repeats that were saved at no time, or begun without being saved",
        "SELECT COUNT(*) FROM repeat
         JOIN assignment ON assignment.id = repeat.assignment_id
         JOIN document ON document.id = assignment.document_id
         WHERE document.project_id = $1
         AND ((repeat.state <> 'open' AND repeat.saved_at IS NULL)
              OR (repeat.state = 'open' AND EXISTS (
                  SELECT 1 FROM repeat_span WHERE repeat_span.repeat_id = repeat.id)))",
    ),
    (
        "spans of repeats that are empty or leave their text",
        "SELECT COUNT(*) FROM repeat_span
         JOIN repeat ON repeat.id = repeat_span.repeat_id
         JOIN assignment ON assignment.id = repeat.assignment_id
         JOIN document ON document.id = assignment.document_id
         WHERE document.project_id = $1
         AND (repeat_span.start_at < 0 OR repeat_span.end_at <= repeat_span.start_at
              OR repeat_span.end_at > document.characters)",
    ),
    (
        "spans of repeats with a label of another project",
        "SELECT COUNT(*) FROM repeat_span
         JOIN repeat ON repeat.id = repeat_span.repeat_id
         JOIN assignment ON assignment.id = repeat.assignment_id
         JOIN document ON document.id = assignment.document_id
         JOIN label ON label.id = repeat_span.label_id
         WHERE document.project_id = $1 AND label.project_id <> document.project_id",
    ),
    (
        "work of models on documents of another project",
        "SELECT COUNT(*) FROM model_work
         JOIN model ON model.id = model_work.model_id
         JOIN document ON document.id = model_work.document_id
         WHERE model.project_id = $1 AND document.project_id <> model.project_id",
    ),
    (
        "spans of models that are empty or leave their text",
        "SELECT COUNT(*) FROM model_span
         JOIN document ON document.id = model_span.document_id
         WHERE document.project_id = $1
         AND (model_span.start_at < 0 OR model_span.end_at <= model_span.start_at
              OR model_span.end_at > document.characters)",
    ),
    (
        "spans of models with a label of another project",
        "SELECT COUNT(*) FROM model_span
         JOIN document ON document.id = model_span.document_id
         JOIN label ON label.id = model_span.label_id
         WHERE document.project_id = $1 AND label.project_id <> document.project_id",
    ),
    (
        "answers of models that what they are about does not have",
        answers!("model_choice", model, of_either),
    ),
    (
        "documents without a round of their project",
        "SELECT COUNT(*) FROM document
         LEFT JOIN round ON round.id = document.round_id
         WHERE document.project_id = $1
         AND (round.id IS NULL OR round.project_id <> document.project_id)",
    ),
    (
        "guidelines that are not their latest version",
        "SELECT COUNT(*) FROM project
         LEFT JOIN guideline_version
             ON guideline_version.project_id = project.id
             AND guideline_version.number = project.guidelines_version
         WHERE project.id = $1
         AND (guideline_version.id IS NULL OR guideline_version.text <> project.guidelines)",
    ),
    (
        "decisions that are empty or leave their text",
        "SELECT COUNT(*) FROM decision
         JOIN review ON review.id = decision.review_id
         JOIN document ON document.id = review.document_id
         WHERE document.project_id = $1
         AND (decision.start_at < 0 OR decision.end_at <= decision.start_at
              OR decision.end_at > document.characters)",
    ),
    (
        "rejects with a label",
        "SELECT COUNT(*) FROM decision
         JOIN review ON review.id = decision.review_id
         JOIN document ON document.id = review.document_id
         JOIN decision_label ON decision_label.decision_id = decision.id
         WHERE document.project_id = $1 AND decision.verdict = 'reject'",
    ),
    (
        "decisions other than rejects without a label",
        "SELECT COUNT(*) FROM decision
         JOIN review ON review.id = decision.review_id
         JOIN document ON document.id = review.document_id
         LEFT JOIN decision_label ON decision_label.decision_id = decision.id
         WHERE document.project_id = $1 AND decision.verdict <> 'reject'
         AND decision_label.decision_id IS NULL",
    ),
    (
        "decided answers of an attribute that their label does not have",
        answers!("decision_answer", decision, of_span),
    ),
    (
        "decided answers about documents of an attribute that these do not have",
        answers!("review_answer", review, of_document),
    ),
    (
        "audited changes beyond the project's revision",
        "SELECT COUNT(*) FROM audit
         JOIN project ON project.id = audit.chain
         WHERE audit.chain = $1 AND audit.revision > project.revision",
    ),
];

/// What is wrong with the rows of a project, one sentence each; nothing if all is right.
pub async fn problems(snapshot: &Snapshot, project: ProjectId) -> Result<Vec<String>, Error> {
    let mut problems = Vec::new();
    // SQL: a table of queries, each with joins of its own.
    for (what, query) in CHECKS {
        let count: i64 = sql::row(snapshot, query, [project.0.into()]).await?.unwrap_or_default();
        if count > 0 {
            problems.push(format!("{count} {what}"));
        }
    }
    Ok(problems)
}
