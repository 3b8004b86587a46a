//! What was chosen of attributes and about documents to take away: by labelers, and by reviewers, whose latest
//! decisions are the gold standard.

use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use domain::{
    Actor, AuditEvent, DocumentId, Fact, Label, LabelDetail, LabelSet, MemberId, ProjectId, Range,
    Role, Span,
    base::{policy::Action, text},
};
use formats::{ChoiceRow, write_choice_json_line};
use store::agreement::ratings::{DocumentRatings, RatedReview};

use super::{BATCH, Export};
use crate::{
    Error, Result, Services,
    base::{access::permit, export::record, names::Names},
    project::label_views::named,
    review::gold::names_of,
};

/// What was chosen, in the order of documents, labelers before reviewers, members and positions; without
/// repeats.
pub async fn choices(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Export> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(store, project, &access.member).await?;
    let labels = store::project::labels::list(store, project).await?;
    let details = store::project::label_details::list(store, project).await?;
    let documents = store::document::names(store, project).await?;
    let documents: Vec<DocumentId> = documents.into_iter().map(|(document, _)| document).collect();
    let (mut body, mut rows) = (Vec::new(), 0_usize);
    for batch in documents.chunks(BATCH) {
        let ratings = store::agreement::ratings::load_documents(store, batch).await?;
        let chosen: Vec<_> = ratings.into_iter().map(|it| (it.document, chosen_in(it))).collect();
        let worked_on = chosen.iter().filter(|(_, chosen)| !chosen.is_empty());
        let ids: Vec<_> = worked_on.map(|(document, _)| *document).collect();
        let texts = store::document::texts(store, &ids).await?;
        for (document, chosen) in chosen {
            let Some((name, text)) = texts.get(&document) else { continue };
            let rows_of = chosen.iter().filter_map(|one| {
                let rater = names.name(one.member).unwrap_or_default();
                one.row((document, name, text), rater, (&labels, &details))
            });
            for row in rows_of {
                write_choice_json_line(&mut body, &row).map_err(Error::broken)?;
                rows += 1;
            }
        }
        tokio::task::yield_now().await;
    }
    record(services, &access, project, AuditEvent::ExportChoices, rows).await?;
    Ok(Export {
        file_name: format!("choices-{project}.jsonl"),
        content_type: "application/jsonl",
        body,
        losses: Vec::new(),
    })
}

/// An answer, with who gave it.
struct ChosenBy {
    member: MemberId,
    fact: Fact,
    /// When a reviewer decided so, and whether nobody has decided otherwise since.
    decided: Option<(DateTime<Utc>, bool)>,
}

impl ChosenBy {
    fn row(
        &self,
        (document, name, text): (DocumentId, &str, &str),
        rater: &str,
        (labels, details): (&[Label], &[LabelDetail]),
    ) -> Option<ChoiceRow> {
        let (attribute, choice) = named(&self.fact, details)?;
        let Span { range, label } = self.fact.span;
        let role = if self.decided.is_some() { Role::Reviewer } else { Role::Labeler };
        let at = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
        Some(ChoiceRow {
            document_id: document.0,
            document: name.to_owned(),
            start: range.start,
            end: range.end,
            quote: text::slice(text, range).to_owned(),
            rater: rater.to_owned(),
            role: role.name(),
            label: names_of(&LabelSet::one(label), labels).concat(),
            attribute: attribute.to_owned(),
            choice,
            decided_at: self.decided.map(|(decided_at, _)| at(decided_at)),
            gold: self.decided.map(|(_, is_gold)| is_gold),
        })
    }
}

/// What was chosen in a document.
fn chosen_in(ratings: DocumentRatings) -> Vec<ChosenBy> {
    let DocumentRatings { assignments, reviews, .. } = ratings;
    let of_labelers = assignments.iter().flat_map(|assignment| {
        let member = assignment.member;
        assignment.choices.iter().map(move |fact| ChosenBy { member, fact: *fact, decided: None })
    });
    let of_reviewers = reviews.iter().flat_map(|review| {
        let member = review.member;
        let of_document = review.answers.iter().map(|it| (it.answer, it.decided_at));
        let of_spans = review.decisions.iter().flat_map(|decision| {
            decision.answers.iter().map(move |fact| (*fact, decision.decided_at))
        });
        let reviews = &reviews;
        of_document.chain(of_spans).map(move |(fact, at)| {
            let is_gold = latest(reviews, &fact) == Some((at, member));
            ChosenBy { member, fact, decided: Some((at, is_gold)) }
        })
    });
    of_labelers.chain(of_reviewers).collect()
}

/// When what an answer is about was decided last, and by whom.
fn latest(reviews: &[RatedReview], fact: &Fact) -> Option<(DateTime<Utc>, MemberId)> {
    let decided = |review: &RatedReview| {
        let at = if fact.span == Span::DOCUMENT {
            of_document(review, fact)
        } else {
            on(review, fact.span.range)
        };
        Some((at?, review.member))
    };
    reviews.iter().filter_map(decided).max()
}

fn of_document(review: &RatedReview, fact: &Fact) -> Option<DateTime<Utc>> {
    let asked = |fact: &Fact| fact.choice.map(|choice| choice.attribute);
    let found = review.answers.iter().find(|it| asked(&it.answer) == asked(fact));
    found.map(|it| it.decided_at)
}

fn on(review: &RatedReview, range: Range) -> Option<DateTime<Utc>> {
    let found = review.decisions.iter().find(|decision| decision.range == range);
    found.map(|decision| decision.decided_at)
}
