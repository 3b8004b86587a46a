//! What stands behind a pair's number, section by section.

mod boundaries;
mod chance;
mod confusions;
mod documents;
mod drawing;
mod labels;
mod truth;

use std::sync::Arc;

use domain::{Answer, Causes, Label, PositionQuery, Rater, Whose};
use leptos::prelude::*;

use self::boundaries::Boundaries;
pub(crate) use self::boundaries::words as boundary_words;
use self::chance::Chance;
use self::confusions::Confusions;
use self::documents::Documents;
use self::labels::Labels;
use self::truth::Truth;
use super::naming;
use crate::{query::PairLook, view::view};

/// What the sections have in common.
#[derive(Clone, Debug)]
pub(crate) struct Behind {
    pub(crate) causes: Arc<Causes>,
    pub(crate) labels: Arc<[Label]>,
    pub(crate) first: Rater,
    pub(crate) second: Rater,
    pub(crate) look: PairLook,
}

impl Behind {
    /// All positions of the pair that are counted, to be narrowed down.
    fn query(&self) -> PositionQuery {
        PositionQuery::of(Whose::Pair(self.first.id, self.second.id), self.causes.switches)
    }

    /// What a row of a table of labels is called.
    fn answer(&self, answer: Answer) -> String {
        match answer {
            Answer::Label(label) => naming::label(label, &self.labels),
            Answer::Nothing => "∅".to_owned(),
        }
    }
}

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
