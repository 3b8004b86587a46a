//! Pages, rendered by the server. Links and plain forms are all they have, but for the islands of
//! the two on which text is marked and reviewed; `reading.js` keeps their numbers up to date.

pub(crate) mod account;
mod agreement;
mod base;
pub(crate) mod components;
mod document;
mod outside;
mod overview;
mod project;
mod review;
mod work;
mod workload;

pub(crate) use self::work::comments::{
    DocumentCommentsPage, FlagPage, OwnCommentListPage, OwnCommentsPage, ProjectCommentsPage,
    SendBackPage,
};
pub(crate) use account::administration::{
    AccountsPage, AllProjectsPage, KeptAccountPage, KeptProjectPage,
};
pub(crate) use account::invitation::InvitationPage;
pub(crate) use account::key_bindings::KeysPage;
pub(crate) use account::reset::{ForgottenPage, ResetPage};
pub(crate) use account::second_step::SecondStepPage;
pub(crate) use account::sign_in::SignInPage;
pub(crate) use account::tokens::TokensPage;
pub(crate) use account::{AccountPage, NewAppPage};
pub(crate) use agreement::AgreementPage;
pub(crate) use agreement::alerts::TargetsPage;
pub(crate) use agreement::breakdowns::{DocumentPartsPage, LabelPartsPage, PersonPartsPage};
pub(crate) use agreement::disagreements::DisagreementsPage;
pub(crate) use agreement::over_time::{OverTimePage, RoundsPage};
pub(crate) use agreement::pair::PairPage;
pub(crate) use agreement::positions::PositionsPage;
pub(crate) use agreement::stand_in::StandInPage;
pub(crate) use agreement::study::StudyPage;
pub(crate) use agreement::what_if::WhatIfPage;
pub(crate) use base::not_found::NoPage;
pub(crate) use document::DocumentsPage;
pub use document::ImportStage;
pub(crate) use document::comparison::ComparePage;
pub use document::comparison::{ComparisonOutcome, FilesCompared};
pub(crate) use document::exports::ExportsPage;
pub(crate) use outside::audit::{AuditPage, ServerAuditPage};
pub(crate) use outside::interface::InterfacePage;
pub(crate) use outside::mail::{MailChoicesPage, MailPage, UnsubscribePage};
pub(crate) use outside::webhooks::WebhooksPage;
pub(crate) use overview::ProjectHomePage;
pub(crate) use project::ProjectFrame;
pub(crate) use project::guidelines::GuidelinesPage;
pub(crate) use project::list::ProjectsPage;
pub(crate) use project::members::MembersPage;
pub(crate) use project::reasons::ReasonsPage;
pub(crate) use project::settings::{LabelPage, LabelsPage, ModelsPage, SettingsPage};
pub(crate) use review::ReviewPage;
pub(crate) use review::consensus::ConsensusPage;
pub(crate) use review::gold::{GoldComparePage, GoldDocumentPage, GoldPage};
pub(crate) use review::list::ReviewsPage;
pub(crate) use review::rules::RulesPage;
pub(crate) use review::second_reviews::SecondReviewsPage;
pub(crate) use review::side_by_side::SidePage;
pub(crate) use review::walk::{SameTextPage, WalkPage};
pub(crate) use work::WorkPage;
pub(crate) use work::annotate::AnnotatePage;
pub(crate) use work::history::HistoryPage;
pub(crate) use work::repeats::RepeatsPage;
pub(crate) use workload::double_annotation::SecondPage;
pub(crate) use workload::{AssignmentsPage, WorkloadPage};
