//! What pages begin with: Leptos, with the crate's own `view!`, and the pieces that most pages are
//! made of. None of the modules named here uses it.

pub(crate) use leptos::{form::ActionForm, prelude::*};
pub(crate) use leptos_meta::Title;

pub(crate) use super::{
    form::{
        field::{
            Check, Field, Problem, Refusal, form_action, hidden_fields, refusal, select_field,
        },
        menu::Menu,
        plain_dialog::{CloseDialog, OpenDialog, PlainDialog},
        text_area::TextArea,
    },
    frame::{
        lead::Lead,
        live_line::LiveLine,
        loaded::Loaded,
        sections::{PageBody, PageHead, Section},
    },
    list::{
        pager::{PAST_END, Pager, counted_rows},
        table::{Hidden, Number, Table, Text, heads},
    },
    text::{
        moment::{Ago, Moment, MomentIfAny},
        naming::{self, OFFSETS},
    },
};
pub(crate) use crate::{
    ApiError,
    context::{
        answer,
        loading::{load, load_with},
        request,
    },
    display,
    query::{
        self,
        address::{in_path, in_query, use_project_id},
    },
    view::view,
};
