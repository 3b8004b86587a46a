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
    RoundId, ScaleChoice, StandInFor, Switches,
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

/// A query of the switches of the matrix and of what is asked beside them; what is left out stands on its default.
macro_rules! switches_query {
    ($(#[doc = $words:literal])+ $name:ident { $($own:tt)* }) => {
        $(#[doc = $words])+
        #[derive(Default, Deserialize, IntoParams)]
        #[into_params(parameter_in = Query)]
        #[serde(default, deny_unknown_fields)]
        pub(crate) struct $name {
            measure: Measure,
            policy: PolicyChoice,
            documents: Documents,
            scale: ScaleChoice,
            /// An attribute: what was chosen of it is compared, in the place of labels; under `cleaned` or `empty-label`.
            question: Option<AttributeId>,
            only_label: Option<LabelId>,
            only_document: Option<DocumentId>,
            only_round: Option<RoundId>,
            $($own)*
        }

        impl $name {
            pub(crate) const fn switches(&self) -> Switches {
                let (measure, policy) = (self.measure, self.policy);
                let (documents, scale) = (self.documents, self.scale);
                let filter = Filter {
                    question: self.question,
                    label: self.only_label,
                    document: self.only_document,
                    round: self.only_round,
                };
                Switches { measure, policy, documents, scale, filter }
            }
        }
    };
}

switches_query! {
    /// The switches of the matrix.
    SwitchesQuery {}
}

switches_query! {
    /// The switches of the matrix, and what a report keeps.
    ReportQuery {
        /// List what was said on each position in dispute, by people under pseudonyms.
        pub(crate) minority: bool,
    }
}

switches_query! {
    /// The switches of the matrix, and the two raters that a study is to be of.
    StudyQuery {
        pub(crate) first: Option<MemberId>,
        pub(crate) second: Option<MemberId>,
    }
}

switches_query! {
    /// The switches of the matrix, and who labelers are.
    StandInQuery {
        /// By how much a model that costs less may be worse.
        pub(crate) annotators: StandInFor,
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
