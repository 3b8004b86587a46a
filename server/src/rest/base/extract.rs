//! The parts of an address, read strictly: what cannot be read is refused, never guessed.

use std::sync::Arc;

use axum::{
    Extension,
    extract::{FromRequest, FromRequestParts},
    response::Response,
};
use domain::{
    Actor, AttributeId, Code, DisagreementFilter, DisagreementKind, DisagreementOrder,
    DisagreementQuery, DocumentId, Documents, Filter, LabelId, Measure, MemberId, PolicyChoice,
    RoundId, ScaleChoice, Switches,
};
use http::request::Parts;
use serde::{Deserialize, de::DeserializeOwned};
use services::Services;
use utoipa::IntoParams;

use crate::{Site, site::problem::Problem};

/// What a handler answers.
pub(crate) type Reply<T = Response> = Result<T, Problem>;

/// The services, who asks them, and the ids in the path.
pub(crate) struct Ask<T>(pub(crate) Arc<Services>, pub(crate) Actor, pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<Site>> for Ask<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Reply<Self> {
        let actor = Extension::from_request_parts(parts, site).await;
        let Extension(actor) = actor
            .map_err(|rejection| Problem::of_request(Code::Internal, rejection.body_text()))?;
        let Path(ids) = Path::from_request_parts(parts, site).await?;
        Ok(Self(Arc::clone(&site.services), actor, ids))
    }
}

/// The ids in a path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub(crate) struct Path<T>(pub(crate) T);

/// The parameters of a query string.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(crate) struct Query<T>(pub(crate) T);

/// A body of JSON.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Problem))]
pub(crate) struct Body<T>(pub(crate) T);

/// The switches of the matrix; those that are left out stand on their defaults.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct SwitchesQuery {
    measure: Measure,
    policy: PolicyChoice,
    documents: Documents,
    scale: ScaleChoice,
    /// An attribute: what was chosen of it is compared, in the place of labels; under `cleaned` or `empty-label`.
    question: Option<AttributeId>,
    only_label: Option<LabelId>,
    only_document: Option<DocumentId>,
    only_round: Option<RoundId>,
}

impl From<SwitchesQuery> for Switches {
    fn from(query: SwitchesQuery) -> Self {
        let SwitchesQuery { measure, policy, documents, scale, .. } = query;
        let SwitchesQuery { question, only_label, only_document, only_round, .. } = query;
        let (label, document, round) = (only_label, only_document, only_round);
        let filter = Filter { question, label, document, round };
        Self { measure, policy, documents, scale, filter }
    }
}

/// The switches of the matrix, and what a report keeps.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ReportQuery {
    measure: Measure,
    policy: PolicyChoice,
    documents: Documents,
    scale: ScaleChoice,
    /// An attribute: what was chosen of it is compared, in the place of labels; under `cleaned` or `empty-label`.
    question: Option<AttributeId>,
    only_label: Option<LabelId>,
    only_document: Option<DocumentId>,
    only_round: Option<RoundId>,
    /// List what was said on each position in dispute, by people under pseudonyms.
    minority: bool,
}

impl From<ReportQuery> for (Switches, bool) {
    fn from(query: ReportQuery) -> Self {
        let ReportQuery { measure, policy, documents, scale, .. } = query;
        let ReportQuery { question, only_label, only_document, only_round, minority, .. } = query;
        let (label, document, round) = (only_label, only_document, only_round);
        let filter = Filter { question, label, document, round };
        (Switches { measure, policy, documents, scale, filter }, minority)
    }
}

/// The switches of the matrix, and the two raters that a study is to be of.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct StudyQuery {
    measure: Measure,
    policy: PolicyChoice,
    documents: Documents,
    scale: ScaleChoice,
    /// An attribute: what was chosen of it is compared, in the place of labels; under `cleaned` or `empty-label`.
    question: Option<AttributeId>,
    only_label: Option<LabelId>,
    only_document: Option<DocumentId>,
    only_round: Option<RoundId>,
    first: Option<MemberId>,
    second: Option<MemberId>,
}

impl From<StudyQuery> for (Switches, Option<(MemberId, MemberId)>) {
    fn from(query: StudyQuery) -> Self {
        let StudyQuery { measure, policy, documents, scale, .. } = query;
        let StudyQuery { question, only_label, only_document, only_round, first, second, .. } =
            query;
        let (label, document, round) = (only_label, only_document, only_round);
        let filter = Filter { question, label, document, round };
        (Switches { measure, policy, documents, scale, filter }, first.zip(second))
    }
}

/// Filter, order and page of the adjudication list, side by side.
#[derive(Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct DisagreementsQuery {
    documents: Documents,
    /// An attribute: differences are of what was chosen of it, in the place of labels.
    question: Option<AttributeId>,
    label: Option<LabelId>,
    first: Option<MemberId>,
    second: Option<MemberId>,
    kind: Option<DisagreementKind>,
    decided: Option<bool>,
    document: Option<DocumentId>,
    round: Option<RoundId>,
    #[param(inline)]
    order: DisagreementOrder,
    descending: bool,
    page: u64,
}

impl From<DisagreementsQuery> for DisagreementQuery {
    fn from(query: DisagreementsQuery) -> Self {
        let DisagreementsQuery { order, descending, page, .. } = query;
        let filter = DisagreementFilter {
            documents: query.documents,
            question: query.question,
            label: query.label,
            first: query.first,
            second: query.second,
            kind: query.kind,
            decided: query.decided,
            document: query.document,
            round: query.round,
        };
        Self { filter, order, descending, page }
    }
}
