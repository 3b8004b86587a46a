//! Pieces of pages.

pub(crate) mod agreement_tabs;
pub(crate) mod alert_notices;
pub(crate) mod causes;
pub(crate) mod choice;
pub(crate) mod counted;
pub(crate) mod disagreements;
pub(crate) mod field;
pub(crate) mod focus;
pub(crate) mod frame;
pub(crate) mod island;
pub(crate) mod keeping;
pub(crate) mod live_line;
pub(crate) mod loaded;
pub(crate) mod matrix;
pub(crate) mod naming;
pub(crate) mod pager;
pub(crate) mod pair;
pub(crate) mod plain_dialog;
pub(crate) mod shares;
pub(crate) mod shown_once;
pub(crate) mod sort_head;
pub(crate) mod table;
pub(crate) mod text_look;
pub(crate) mod theme;
pub(crate) mod time_spent;
pub(crate) mod walk_through;
