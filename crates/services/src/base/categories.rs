//! What raters choose from: the labels of a project, or the choices of one of its attributes.

use std::ops::Deref;

use domain::{
    AnswerKind, Code, Error as Refusal, Filter, Label, LabelId, Measure, PositionKind, ProjectId,
    Switches,
};
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
    /// What is asked, if they are choices: "Document: Genre".
    question: Option<String>,
    /// Whether they are answers about documents.
    of_documents: bool,
    /// What answers are, if these are answers.
    answers: Option<AnswerKind>,
}

impl From<Vec<Label>> for Categories {
    fn from(all: Vec<Label>) -> Self {
        Self {
            offered: all.len(),
            all,
            scores: Vec::new(),
            question: None,
            of_documents: false,
            answers: None,
        }
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
        let labels = store::project::labels::list(db, project).await?;
        let of = labels.into_iter().find(|label| label.id == asked.label);
        let of = of.map_or_else(|| "Document".to_owned(), |label| label.name);
        let question = Some(format!("{of}: {}", asked.name));
        let of_documents = asked.label == LabelId::DOCUMENT;
        let all = asked.categories();
        let withdrawn = asked.choices.iter().filter(|choice| !choice.offered).count();
        let offered = all.len() - withdrawn;
        Ok(Self {
            all,
            offered,
            scores: asked.scores(),
            question,
            of_documents,
            answers: Some(asked.answers),
        })
    }

    /// The same under switches. What is chosen is compared on the same spans and documents, and on nothing else.
    pub(crate) async fn of(db: &impl Db, project: ProjectId, switches: Switches) -> Result<Self> {
        if switches.filter.question.is_some() {
            let is_exact = switches.policy.positions() == PositionKind::Exact;
            let why = "of a question: cleaned or empty-label";
            is_exact.then_some(()).ok_or_else(|| Code::Unsuitable.of("policy", why))?;
        }
        let found = Self::load(db, project, switches.filter).await?;
        found.check(switches.measure)?;
        Ok(found)
    }

    /// What is asked, in words, if these are choices.
    pub(crate) fn question(&self) -> Option<&str> {
        self.question.as_deref()
    }

    /// What answers are, if these are answers.
    pub(crate) const fn answers(&self) -> Option<&AnswerKind> {
        self.answers.as_ref()
    }

    /// Where they stand on a scale.
    pub(crate) fn scores(&self) -> &[(LabelId, f64)] {
        &self.scores
    }

    /// Whether there is a row for each of them: of the numbers of a scale, for those that somebody gave.
    pub(crate) const fn are_all_listed(&self) -> bool {
        !matches!(self.answers, Some(AnswerKind::Number(_)))
    }

    /// Refuses a graded measure that does not suit the answers.
    fn check(&self, measure: Measure) -> Result<()> {
        let Some(answers) = &self.answers else { return Ok(()) };
        if measure.is_graded() && !Measure::of_answers(answers).contains(&measure) {
            return Err(Code::Unsuitable.of("measure", "not of such answers").into());
        }
        Ok(())
    }

    /// Refuses answers about documents, which are no units of their texts.
    pub(crate) fn check_units(&self) -> Result<()> {
        if self.of_documents {
            let why = "answers about documents are no units of their texts";
            return Err(Code::Unsuitable.of("question", why).into());
        }
        Ok(())
    }

    /// Those that raters may still choose.
    pub(crate) fn offered(&self) -> &[Label] {
        self.all.get(..self.offered).unwrap_or(&self.all)
    }

    /// The categories to choose from: all that are offered, or one and everything else.
    pub(crate) fn choices(&self, filter: Filter) -> LabelChoices {
        LabelChoices::of(self.offered(), filter).scored(&self.scores, self.of_documents)
    }
}
