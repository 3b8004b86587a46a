//! What was chosen of attributes and about documents to take away: by labelers, and by reviewers, whose latest
//! decisions are the gold standard.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, SecondsFormat, Utc};
use domain::{
    Actor, AttributeId, AuditEvent, DocumentId, Fact, Label, LabelDetail, LabelSet, MemberId,
    ProjectId, Range, Role, Span, base::policy::Action,
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
    let db = store.begin_read().await?;
    let naming = Arc::new(Naming {
        names: Names::load(&db, project, &access.member).await?,
        labels: store::project::labels::list(&db, project).await?,
        details: store::project::label_details::list(&db, project).await?,
    });
    let documents = store::document::names(&db, project).await?;
    let documents: Vec<DocumentId> = documents.into_iter().map(|(document, _)| document).collect();
    let (mut body, mut rows) = (Vec::new(), 0_usize);
    for batch in documents.chunks(BATCH) {
        let ratings = store::agreement::ratings::load_documents(&db, batch).await?;
        let texts = store::document::texts(&db, batch).await?;
        let naming = Arc::clone(&naming);
        let written = move || {
            let (mut body, mut rows) = (Vec::new(), 0_usize);
            for ratings in ratings {
                let Some((name, text)) = texts.get(&ratings.document) else { continue };
                rows += naming.write(&mut body, ratings, (name, text))?;
            }
            Ok::<_, Error>((body, rows))
        };
        let written = tokio::task::spawn_blocking(written).await.map_err(Error::broken)?;
        let (more, of_batch) = written?;
        body.extend(more);
        rows += of_batch;
    }
    drop(db);
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

/// What people, labels and attributes are called.
struct Naming {
    names: Names,
    labels: Vec<Label>,
    details: Vec<LabelDetail>,
}

impl Naming {
    /// Writes what was chosen in a document, a line each, and says how many there are.
    fn write(
        &self,
        to: &mut Vec<u8>,
        ratings: DocumentRatings,
        (name, text): (&str, &str),
    ) -> Result<usize> {
        let document = ratings.document;
        let chosen = chosen_in(ratings);
        if chosen.is_empty() {
            return Ok(0);
        }
        // Many answers of a long text: where its characters begin is looked up once.
        let starts: Vec<usize> =
            text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut rows = 0;
        for ChosenBy { member, fact, decided } in chosen {
            let Some((attribute, choice)) = named(&fact, &self.details) else { continue };
            let Span { range, label } = fact.span;
            let role = if decided.is_some() { Role::Reviewer } else { Role::Labeler };
            let at = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
            let byte = |at: u32| starts.get(usize::try_from(at).ok()?).copied();
            let quote = byte(range.start).zip(byte(range.end));
            let quote = quote.and_then(|(start, end)| text.get(start..end)).unwrap_or_default();
            let row = ChoiceRow {
                document_id: document.0,
                document: name.to_owned(),
                start: range.start,
                end: range.end,
                quote: quote.to_owned(),
                rater: self.names.name(member).unwrap_or_default().to_owned(),
                role: role.name(),
                label: names_of(&LabelSet::one(label), &self.labels).concat(),
                attribute: attribute.to_owned(),
                choice,
                decided_at: decided.map(|(decided_at, _)| at(decided_at)),
                gold: decided.map(|(_, is_gold)| is_gold),
            };
            write_choice_json_line(to, &row).map_err(Error::broken)?;
            rows += 1;
        }
        Ok(rows)
    }
}

/// What was chosen in a document.
fn chosen_in(ratings: DocumentRatings) -> Vec<ChosenBy> {
    let DocumentRatings { assignments, reviews, .. } = ratings;
    let of_labelers = assignments.iter().flat_map(|assignment| {
        let member = assignment.member;
        assignment.choices.iter().map(move |fact| ChosenBy { member, fact: *fact, decided: None })
    });
    let latest = latest(&reviews);
    let of_reviewers = reviews.iter().flat_map(|review| {
        let member = review.member;
        let of_document = review.answers.iter().map(|it| (it.answer, it.decided_at));
        let of_spans = review.decisions.iter().flat_map(|decision| {
            decision.answers.iter().map(move |fact| (*fact, decision.decided_at))
        });
        let latest = &latest;
        of_document.chain(of_spans).map(move |(fact, at)| {
            let is_gold = latest.get(&subject(&fact)) == Some(&(at, member));
            ChosenBy { member, fact, decided: Some((at, is_gold)) }
        })
    });
    of_labelers.chain(of_reviewers).collect()
}

/// What is decided as one: a position, or a question about the document.
type Subject = (Range, Option<AttributeId>);

fn subject(fact: &Fact) -> Subject {
    let asked = fact.choice.filter(|_| fact.span == Span::DOCUMENT);
    (fact.span.range, asked.map(|choice| choice.attribute))
}

/// When everything was decided last, and by whom.
fn latest(reviews: &[RatedReview]) -> BTreeMap<Subject, (DateTime<Utc>, MemberId)> {
    let mut latest: BTreeMap<Subject, (DateTime<Utc>, MemberId)> = BTreeMap::new();
    for review in reviews {
        let of_document = review.answers.iter().map(|it| (subject(&it.answer), it.decided_at));
        let of_spans = review.decisions.iter().map(|it| ((it.range, None), it.decided_at));
        for (subject, at) in of_document.chain(of_spans) {
            let known = latest.entry(subject).or_insert((at, review.member));
            *known = (at, review.member).max(*known);
        }
    }
    latest
}
