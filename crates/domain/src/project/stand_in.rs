//! Whether a model may stand in for one of the labelers: the alternative annotator test (Calderon, Reichart and
//! Dror 2025).

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Confidence, Error, Label, Model, ModelPooled, ProjectId, Rater, Score, Switches};

switch! {
    /// Who the labelers are, which says how much a model that costs less may be worse.
    StandInFor {
        /// Anybody: by a tenth of the documents.
        Crowd = "crowd",
        /// Trained or experienced: by 0.15.
        Skilled = "skilled",
        /// Reliable, expensive, hard to get: by a fifth.
        Experts = "experts",
    }
}

switch! {
    /// What is compared, and what is alike.
    StandInBy {
        /// Spans: the mean F1 of a document's.
        Spans = "spans",
        /// Choices: the share of the others who chose the same.
        Choices = "choices",
        /// Sets of choices: the mean Jaccard index with the others'.
        Sets = "sets",
        /// Numbers: the root of the mean squared difference from the others', below 0.
        Numbers = "numbers",
    }
}

impl StandInBy {
    /// How well somebody represents the others in a document, in words.
    pub const fn score(self) -> &'static str {
        match self {
            Self::Spans => "mean F1 of a document’s spans",
            Self::Choices => "share of the others who chose the same",
            Self::Sets => "mean Jaccard index with the others’ choices",
            Self::Numbers => "root of the mean squared difference from the others’ numbers",
        }
    }
}

/// A model beside the labelers of its project, document by document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StandInView {
    pub project: ProjectId,
    pub model: Model,
    pub switches: Switches,
    pub annotators: StandInFor,
    pub by: StandInBy,
    /// What is asked, in words, if answers are compared.
    pub question: Option<String>,
    /// Of all labels, or of all answers, together.
    pub whole: StandInTest,
    /// Of one label or choice at a time, in their order; none of a question for a number.
    pub labels: Vec<StandInOfLabel>,
}

/// What came of the test of the spans of one label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StandInOfLabel {
    pub label: Label,
    pub test: StandInTest,
}

/// What came of the test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StandInTest {
    /// ω: the share of tested labelers whom the model is no worse than, from 0 to 1; none where fewer than two
    /// could be tested.
    pub winning_rate: Option<f64>,
    /// ρ: how often the model represents the others at least as well, from 0 to 1.
    pub advantage: Option<f64>,
    /// With each labeler, tested or not.
    pub comparisons: Vec<StandInComparison>,
}

/// A model beside one labeler: who is more like the others?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StandInComparison {
    pub labeler: Rater,
    /// Documents that both and another labeler have, and in which anybody marked something; of answers, in which all
    /// three answered.
    pub documents: u64,
    /// The share of these on which the model represents the others at least as well.
    pub model: Option<f64>,
    /// The share on which the labeler does.
    pub person: Option<f64>,
    /// The p-value, corrected for the number of labelers who are tested; none with too few documents.
    pub corrected: Option<f64>,
    /// Whether the model is no worse, but for the margin.
    pub won: bool,
}

/// A version of a model, beside people and against what reviewers decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ModelVersion {
    pub model: Model,
    /// Against all labelers; none in a project without any.
    pub agreement: Option<ModelPooled>,
    /// The 95 % interval of that, by document.
    pub confidence: Confidence,
    /// Of all labels, or of all answers, together.
    pub f1: Score,
    /// Whether it may stand in for a labeler.
    pub stand_in: StandInTest,
}

impl StandInTest {
    /// Whether it may stand in: for half of the tested labelers at least; none where that could not be tested.
    pub fn passes(&self) -> Option<bool> {
        self.winning_rate.map(|rate| rate >= 0.5)
    }

    /// The fewest labelers of whom one stands for a group; with fewer there is an opinion against another.
    pub const FEWEST: usize = 3;

    /// How many labelers could be tested.
    pub fn tested(&self) -> usize {
        self.comparisons.iter().filter(|comparison| comparison.corrected.is_some()).count()
    }

    /// Whether there is a result of fewer labelers than it takes.
    pub fn is_thin(&self) -> bool {
        self.passes().is_some() && self.tested() < Self::FEWEST
    }

    /// What came of it, as the sentence goes on after the name of the model: "may stand in for one of the
    /// labelers: it wins against 2 of 3."
    pub fn words(&self) -> String {
        let won = self.comparisons.iter().filter(|comparison| comparison.won).count();
        match self.passes() {
            None => {
                "cannot be tested yet: that takes two labelers with 30 documents each that the model \
                 and another labeler have, too."
                    .to_owned()
            }
            Some(passes) => {
                let may = if passes { "may" } else { "may not" };
                let tested = self.tested();
                format!("{may} stand in for one of the labelers: it wins against {won} of {tested}.")
            }
        }
    }

    /// Whether it may stand in, in a word or two.
    pub fn verdict(&self) -> &'static str {
        match self.passes() {
            None => "not tested",
            Some(true) if self.is_thin() => "yes, by two labelers",
            Some(true) => "yes",
            Some(false) => "no",
        }
    }
}

impl StandInComparison {
    /// Whether the model wins against the labeler, in a word or two.
    pub const fn verdict(&self) -> &'static str {
        match (self.corrected, self.won) {
            (None, _) => "not tested",
            (Some(_), true) => "wins",
            (Some(_), false) => "does not win",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_say_what_came_of_it_or_what_it_takes() {
        assert!(StandInTest::default().words().starts_with("cannot be tested yet"));
        let lost = StandInTest { winning_rate: Some(0.4), ..StandInTest::default() };
        assert!(lost.words().starts_with("may not stand in"));
        let won = StandInTest { winning_rate: Some(0.5), ..StandInTest::default() };
        assert!(won.words().starts_with("may stand in"));
    }
}
