//! A reviewer's reviews: list, open, decide, end, take back.

#![expect(unused_qualifications, reason = "the description names the query by its module")]

mod gold;

use std::collections::BTreeSet;

use axum::extract::OriginalUri;
use chrono::{DateTime, Utc};
use domain::{
    Attribute, Decision, DecisionChange, DocumentId, Fact, Label, LabelSet, MemberId, ProjectId,
    Range, ReviewCard, ReviewContent, ReviewPosition, ReviewView, ReviewedAssignment, Revision,
    SaveDecisions, SaveKey, Standing, Verdict, WorkState,
};
use rand::Rng;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    rest::base::{
        extract::{Ask, Body, Query, Reply},
        if_match::{Change, Changed, IfMatch, tagged},
        pages::{Cursor, Listed},
    },
    site::route::{Declared, route},
};

/// What programs are answered here, with who may do it and what it takes.
pub(super) fn router() -> Vec<Declared> {
    vec![
        route!(load_decisions, Review, Light),
        route!(save_decisions, Review, Save),
        route!(load, Review, Light),
        route!(reopen, Review, Light),
        route!(submit, Review, Light),
        route!(gold::export_version_conll, ViewAgreement, Export),
        route!(gold::export_version_json_lines, ViewAgreement, Export),
        route!(gold::export_conll, ViewAgreement, Export),
        route!(gold::export_json_lines, ViewAgreement, Export),
        route!(list, Review, Light),
    ]
}

/// Which page of the reviews is wanted; all have the same length.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
struct ReviewsQuery {
    /// The cursor of the page before, from its `next`; the first page without.
    #[param(nullable = false)]
    after: Option<String>,
}

/// List reviews
///
/// The documents to review, with how the labelers stand and how far one's own review has come.
#[utoipa::path(
    get, path = "/api/v1/projects/{project}/reviews", tag = "Reviews",
    params(("project" = ProjectId, Path), ReviewsQuery),
    responses((
        status = 200, description = "A page of the reviews.", body = Listed<ReviewCard>,
        headers(("Link" = String, description = "Where the next page is.")),
    )),
)]
async fn list(
    Ask(services, actor, project): Ask<ProjectId>,
    Query(query): Query<ReviewsQuery>,
    OriginalUri(asked): OriginalUri,
) -> Reply {
    let Cursor(number) = Cursor::read(query.after.as_deref())?;
    let number = u64::try_from(number).unwrap_or_default();
    let page = services::review::list(&services, &actor, project, number).await?;
    let next = page.number.saturating_add(1);
    let next = i64::try_from(next).ok().filter(|_| next < page.pages());
    Ok(Listed::followed_by(page.rows, next).answer(&asked))
}

/// A document in review.
#[derive(Serialize, ToSchema)]
struct Review {
    document: DocumentId,
    project: ProjectId,
    document_name: String,
    text: String,
    labels: Vec<Label>,
    /// What is asked of the spans of labels, and of the document.
    attributes: Vec<Attribute>,
    /// Whose assignments there are, and how far they have come.
    #[serde(rename = "copies")]
    assignments: Vec<ReviewedAssignment>,
    state: WorkState,
    /// How often one's decisions were changed; the answer's `ETag` is the same.
    revision: Revision,
}

impl From<ReviewView> for Review {
    fn from(view: ReviewView) -> Self {
        let ReviewView { document, project, document_name, text, labels, attributes, .. } = view;
        let (state, revision) = (view.content.state, view.content.revision);
        Self {
            document,
            project,
            document_name,
            text,
            labels,
            attributes,
            assignments: view.assignments,
            state,
            revision,
        }
    }
}

/// Open a review
#[utoipa::path(
    get, path = "/api/v1/documents/{document}/review", tag = "Reviews",
    params(("document" = DocumentId, Path)),
    responses((status = 200, description = "The document in review.", body = Review)),
)]
async fn load(Ask(services, actor, document): Ask<DocumentId>) -> Reply {
    let view = services::review::load(&services, &actor, document).await?;
    Ok(tagged(view.content.revision, Review::from(view)))
}

/// A position in review: what labelers marked, and one's own decision.
#[derive(Serialize, ToSchema)]
struct Position {
    start: u32,
    end: u32,
    standing: Standing,
    marked: Vec<Marked>,
    decision: Option<OwnDecision>,
    /// The first position of the group of boundaries that it is decided with, if it is in one.
    group: Option<Range>,
}

/// What a labeler marked on a position.
#[derive(Serialize, ToSchema)]
struct Marked {
    rater: MemberId,
    labels: LabelSet,
    /// What they chose on it.
    choices: Vec<Fact>,
}

/// A decision on a position.
#[derive(Serialize, ToSchema)]
struct OwnDecision {
    verdict: Verdict,
    /// What is to stand there; empty exactly for a reject.
    labels: LabelSet,
    /// What is to be chosen of attributes of the labels.
    answers: BTreeSet<Fact>,
    /// Why, in the reviewer's words; empty without any.
    note: String,
    decided_at: DateTime<Utc>,
}

impl From<ReviewPosition> for Position {
    fn from(position: ReviewPosition) -> Self {
        let ReviewPosition { range, standing, marked, chosen, decision, group } = position;
        let marked = marked.into_iter().map(|(rater, labels)| Marked {
            rater,
            labels,
            choices: chosen_by(rater, &chosen),
        });
        let decision =
            decision.map(|Decision { verdict, labels, note, decided_at, answers, .. }| {
                OwnDecision { verdict, labels, answers, note, decided_at }
            });
        let Range { start, end } = range;
        Self { start, end, standing, marked: marked.collect(), decision, group }
    }
}

/// What one labeler chose.
fn chosen_by(labeler: MemberId, chosen: &[(MemberId, Fact)]) -> Vec<Fact> {
    let own = chosen.iter().filter(|(whose, _)| *whose == labeler);
    own.map(|(_, fact)| *fact).collect()
}

/// What a labeler answered about a document.
#[derive(Serialize, ToSchema)]
struct Answered {
    rater: MemberId,
    choices: Vec<Fact>,
}

/// All positions of a document in review, and what is asked of the document.
#[derive(Serialize, ToSchema)]
struct Decisions {
    positions: Vec<Position>,
    /// What labelers answered about the document, each who answered something.
    answered: Vec<Answered>,
    /// One's own answers about it.
    answers: BTreeSet<Fact>,
}

impl From<ReviewContent> for Decisions {
    fn from(ReviewContent { positions, chosen, answers, .. }: ReviewContent) -> Self {
        let labelers: BTreeSet<_> = chosen.iter().map(|(labeler, _)| *labeler).collect();
        let answered = |rater| Answered { rater, choices: chosen_by(rater, &chosen) };
        Self {
            positions: positions.into_iter().map(Position::from).collect(),
            answered: labelers.into_iter().map(answered).collect(),
            answers,
        }
    }
}

/// Get decisions
///
/// Every position that a labeler marked or one has decided on, with what was marked and decided. What
/// other reviewers decided is not told.
#[utoipa::path(
    get, path = "/api/v1/documents/{document}/decisions", tag = "Reviews",
    params(("document" = DocumentId, Path)),
    responses((status = 200, description = "In order of position.", body = Decisions)),
)]
async fn load_decisions(Ask(services, actor, document): Ask<DocumentId>) -> Reply {
    let view = services::review::load(&services, &actor, document).await?;
    Ok(tagged(view.content.revision, Decisions::from(view.content)))
}

/// The new decision on a position, or none to take the present one back.
#[derive(Deserialize, ToSchema)]
#[schema(as = Change)]
#[serde(deny_unknown_fields)]
struct NewDecision {
    start: u32,
    end: u32,
    /// None takes the present decision back.
    verdict: Option<Verdict>,
    /// What is to stand there; empty for a reject.
    #[serde(default)]
    labels: LabelSet,
    /// All that is chosen of attributes of the labels. Without, what the labels had stays, and what labelers chose
    /// alike comes to those that are new.
    #[serde(default)]
    answers: Option<BTreeSet<Fact>>,
    #[serde(default)]
    note: String,
}

/// Decisions to be made.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Changes {
    #[serde(default)]
    changes: Vec<NewDecision>,
    /// All that is answered about the document; without, it stays as it is.
    #[serde(default)]
    answers: Option<BTreeSet<Fact>>,
}

impl Changes {
    /// The command that makes them. The request has its own key, so this one is drawn.
    fn command(self, document: DocumentId, base: Revision) -> SaveDecisions {
        let change = |NewDecision { start, end, verdict, labels, answers, note }| DecisionChange {
            range: Range { start, end },
            decision: verdict.map(|verdict| (verdict, labels)),
            answers,
            note,
        };
        let of_document = self.answers.map(DecisionChange::of_document);
        SaveDecisions {
            document,
            base,
            key: SaveKey(format!("api-{:032x}", rand::rng().random::<u128>())),
            changes: self.changes.into_iter().map(change).chain(of_document).collect(),
        }
    }
}

/// Save decisions
///
/// On the positions that are named; others stay as they are.
#[utoipa::path(
    patch, path = "/api/v1/documents/{document}/decisions", tag = "Reviews",
    params(("document" = DocumentId, Path), ("If-Match" = String, Header)),
    request_body(content = Changes, example = json!({
        "changes": [{ "start": 0, "end": 6, "verdict": "accept", "labels": [1], "note": "" }],
    })),
    responses((status = 200, description = "They are saved.", body = Changed)),
)]
async fn save_decisions(
    Ask(services, actor, document): Ask<DocumentId>,
    IfMatch(base): IfMatch,
    Body(changes): Body<Changes>,
) -> Reply<Change> {
    let command = changes.command(document, base);
    Ok(services::review::save(&services, &actor, command).await?.into())
}

/// End a review
#[utoipa::path(
    post, path = "/api/v1/documents/{document}/review/submit", tag = "Reviews",
    params(("document" = DocumentId, Path), ("If-Match" = String, Header)),
    responses((status = 200, description = "The review is finished.", body = Changed)),
)]
async fn submit(
    Ask(services, actor, document): Ask<DocumentId>,
    IfMatch(base): IfMatch,
) -> Reply<Change> {
    Ok(services::review::submit(&services, &actor, document, base).await?.into())
}

/// Reopen a review
#[utoipa::path(
    post, path = "/api/v1/documents/{document}/review/reopen", tag = "Reviews",
    params(("document" = DocumentId, Path), ("If-Match" = String, Header)),
    responses((status = 200, description = "Decisions can be changed again.", body = Changed)),
)]
async fn reopen(
    Ask(services, actor, document): Ask<DocumentId>,
    IfMatch(base): IfMatch,
) -> Reply<Change> {
    Ok(services::review::reopen(&services, &actor, document, base).await?.into())
}
