//! Pages: each loads what it shows, owns its actions and hands both to components.

pub(crate) mod agreement;
pub(crate) mod annotate;
pub(crate) mod disagreements;
pub(crate) mod documents;
pub(crate) mod guidelines;
pub(crate) mod invitation;
pub(crate) mod members;
pub(crate) mod not_found;
pub(crate) mod project;
pub(crate) mod projects;
pub(crate) mod review;
pub(crate) mod reviews;
pub(crate) mod settings;
pub(crate) mod sign_in;
pub(crate) mod work;
