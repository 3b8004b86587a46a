//! Pieces of pages: they take what they show and load nothing.

pub(crate) mod agreement_tabs;
pub(crate) mod alert_notices;
pub(crate) mod annotator;
pub(crate) mod dialog;
pub(crate) mod frame;
pub(crate) mod icon;
pub(crate) mod loaded;
pub(crate) mod matrix;
pub(crate) mod reviewer;
pub(crate) mod save_state;
pub(crate) mod text_view;
pub(crate) mod theme;
