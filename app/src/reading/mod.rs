//! Pages that are only read: rendered by the server and not taken over by the front end, so that a
//! browser loads no code for them. Links and plain forms are all they have; `reading.js` keeps
//! their numbers up to date.

mod alerts;
pub(crate) mod components;
mod disagreements;
mod documents;
mod guidelines;
mod invitation;
mod members;
mod not_found;
mod over_time;
mod pair;
mod parts;
mod positions;
mod project_home;
mod projects;
mod query;
mod reviews;
mod settings;
mod sign_in;
mod walk;
mod work;

pub(crate) use alerts::AlertsPage;
pub(crate) use disagreements::DisagreementsPage;
pub(crate) use documents::DocumentsPage;
pub use documents::ImportStage;
pub(crate) use guidelines::GuidelinesPage;
pub(crate) use invitation::InvitationPage;
pub(crate) use members::MembersPage;
pub(crate) use not_found::NotFoundPage;
pub(crate) use over_time::OverTimePage;
pub(crate) use pair::PairPage;
pub(crate) use parts::{DocumentPartsPage, LabelPartsPage, PersonPartsPage};
pub(crate) use positions::PositionsPage;
pub(crate) use project_home::ProjectHomePage;
pub(crate) use projects::ProjectsPage;
pub(crate) use query::{read_walk_text, walk_address};
pub(crate) use reviews::ReviewsPage;
pub(crate) use settings::SettingsPage;
pub(crate) use sign_in::SignInPage;
pub(crate) use walk::{AlikePage, WalkPage};
pub(crate) use work::WorkPage;
