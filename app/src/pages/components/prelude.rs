//! What pages begin with: Leptos, with the crate's own `view!`, and the pieces that most pages are
//! made of. None of the modules named here uses it.

pub(crate) use leptos::{form::ActionForm, prelude::*};
pub(crate) use leptos_meta::Title;

pub(crate) use super::{
    field::{Check, Field, Problem, Refusal, form_action, hidden_fields, refusal, select_field},
    lead::Lead,
    live_line::LiveLine,
    loaded::Loaded,
    naming::{self, OFFSETS},
    pager::{PAST_END, Pager, counted_rows},
    plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
    sections::{PageBody, Section},
    table::{Hidden, Number, Table, Text, heads},
    text_area::TextArea,
};
pub(crate) use crate::{
    ApiError,
    address::{in_path, in_query, use_project_id},
    context::{answer, request},
    display,
    loading::{load, load_with},
    query,
    view::view,
};
