//! What people fill in and press.

pub(crate) mod choice;
pub(crate) mod field;
pub(crate) mod keeping;
pub(crate) mod menu;
pub(crate) mod passkey_sign_in;
pub(crate) mod plain_dialog;
pub(crate) mod present;
pub(crate) mod shown_once;
pub(crate) mod text_area;
