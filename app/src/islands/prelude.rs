//! What islands begin with: Leptos, with the crate's own `view!`.

pub(crate) use leptos::prelude::*;

pub(crate) use crate::{
    ApiError,
    view::{dynamic, view},
};
