//! What stands behind a pair's number, section by section.

mod behind;
mod boundaries;
mod chance;
mod confusions;
mod documents;
mod drawing;
mod labels;
mod truth;

pub(crate) use self::behind::Behind;
pub(crate) use self::boundaries::words as boundary_words;
use self::{
    boundaries::Boundaries, chance::Chance, confusions::Confusions, documents::Documents,
    labels::Labels, truth::Truth,
};
use crate::pages::components::prelude::*;

/// Where the two part ways: by category, by label, by boundary, by document.
#[component]
pub(crate) fn WhereTheyPart(behind: Behind) -> impl IntoView {
    view! {
        <Confusions behind=behind.clone()/>
        <Labels behind=behind.clone()/>
        <Boundaries behind=behind.clone()/>
        <Documents behind/>
    }
}

/// What chance has to do with it.
#[component]
pub(crate) fn WhatChanceDoes(behind: Behind) -> impl IntoView {
    view! {
        <Chance behind=behind.clone()/>
        <Truth behind/>
    }
}
