//! Pages: each loads what it shows, owns its actions and hands both to components.

pub(crate) mod agreement;
pub(crate) mod annotate;
pub(crate) mod project;
pub(crate) mod review;
