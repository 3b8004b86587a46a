//! What raters choose from: the labels of a project, or the choices of one of its attributes.

use std::ops::Deref;

use domain::{Error as Refusal, Filter, Label, LabelId, ProjectId};
use live::LabelChoices;
use store::Db;

use crate::Result;

/// Categories with their names, in the place of labels where they are choices.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Categories {
    all: Vec<Label>,
    /// How many of them raters may still choose; those that they may not come last.
    offered: usize,
    /// Where they stand on a scale.
    scores: Vec<(LabelId, f64)>,
}

impl From<Vec<Label>> for Categories {
    fn from(all: Vec<Label>) -> Self {
        Self { offered: all.len(), all, scores: Vec::new() }
    }
}

impl Deref for Categories {
    type Target = [Label];

    fn deref(&self) -> &[Label] {
        &self.all
    }
}

impl Categories {
    /// What the numbers of a filter are of. What is asked about has to be of the project.
    pub(crate) async fn load(db: &impl Db, project: ProjectId, filter: Filter) -> Result<Self> {
        let Some(question) = filter.question else {
            return Ok(store::project::labels::list(db, project).await?.into());
        };
        let mut attributes = store::project::attributes::list(db, project).await?.into_iter();
        let asked = attributes.find(|attribute| attribute.id == question);
        let asked = asked.ok_or(Refusal::NotFound)?;
        let offered = asked.choices.iter().filter(|choice| choice.offered).count();
        Ok(Self { all: asked.categories(), offered, scores: asked.scores() })
    }

    /// The categories to choose from: all that are offered, or one and everything else.
    pub(crate) fn choices(&self, filter: Filter) -> LabelChoices {
        let offered = self.all.get(..self.offered).unwrap_or(&self.all);
        LabelChoices::of(offered, filter).scored(&self.scores)
    }
}
