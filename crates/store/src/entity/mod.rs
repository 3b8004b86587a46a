//! The tables as sea-orm knows them: a file each. Nothing here leaves the crate.

pub(crate) mod alert;
pub(crate) mod alert_rule;
pub(crate) mod assignment;
pub(crate) mod audit;
pub(crate) mod decision;
pub(crate) mod decision_act;
pub(crate) mod decision_act_part;
pub(crate) mod decision_label;
pub(crate) mod document;
pub(crate) mod gold_version_document;
pub(crate) mod guideline_version;
pub(crate) mod invitation;
pub(crate) mod label;
pub(crate) mod member;
pub(crate) mod own_release;
pub(crate) mod project;
pub(crate) mod repeat;
pub(crate) mod repeat_span;
pub(crate) mod review;
pub(crate) mod round;
pub(crate) mod save_key;
pub(crate) mod session;
pub(crate) mod span;
pub(crate) mod suggestion;
pub(crate) mod user_account;
pub(crate) mod webhook_delivery;
