//! What the sections behind a pair's number have in common.

use std::sync::Arc;

use domain::{Causes, Label, LabelCause, OneCategory, PositionQuery, Rater, Whose};
use leptos::prelude::AnyView;

use crate::{pages::components::text::naming, query::PairLook};

/// So many rows are shown in brief.
pub(super) const BRIEF: usize = 3;

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
    pub(super) fn query(&self) -> PositionQuery {
        PositionQuery::of(Whose::Pair(self.first.id, self.second.id), self.causes.switches)
    }

    /// A row for each label that is on a counted position.
    pub(super) fn rows(&self, row: impl Fn(Self, LabelCause) -> AnyView) -> Vec<AnyView> {
        let labels = self.causes.labels.iter();
        let marked = labels.filter(|label| label.counts.positions() > label.counts.neither);
        marked.map(|label| row(self.clone(), label.clone())).collect()
    }

    /// What a row of a table of labels is called.
    pub(super) fn answer(&self, answer: OneCategory) -> String {
        match answer {
            OneCategory::Label(label) => naming::label(label, &self.labels),
            OneCategory::Nothing => "∅".to_owned(),
        }
    }
}
