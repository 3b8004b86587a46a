//! What the annotator and the reviewer share: the text, the keys, dialogs, and how saving is shown.

pub(crate) mod comments;
pub(crate) mod dialog;
pub(crate) mod elements;
pub(crate) mod head;
pub(crate) mod keys;
pub(crate) mod label_names;
pub(crate) mod moment;
pub(crate) mod resize;
pub(crate) mod save_state;
pub(crate) mod text_view;
pub(crate) mod undo;
