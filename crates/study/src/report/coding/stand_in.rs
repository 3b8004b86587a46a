//! Whether one of the raters may stand in for the others.

use agreement::inference::{
    AlternativeTest, Comparison, CorrectedTest, Panel, alternative_annotator_test, negative_rmse,
    share_alike,
};
use agreement::{Ratings, Undefined};
use serde::{Deserialize, Serialize};

use crate::Misuse;
use crate::read::{Level, Understood};
use crate::report::coding::measures::Scale;
use crate::report::{Options, Reason, TestOf};
use crate::words::words;

words! {
    /// Who is to be stood in for.
    Annotators is "a kind of annotators":
    /// Reliable, expensive, hard to get.
    Experts = "experts",
    /// Trained or experienced.
    Skilled = "skilled",
    /// Anybody.
    Crowd = "crowd",
}

impl Default for Annotators {
    /// The strictest: the stand-in may do worse by least.
    fn default() -> Self {
        Self::Crowd
    }
}

impl Annotators {
    fn margin(self) -> f64 {
        match self {
            Self::Experts => agreement::inference::Annotators::Experts.margin(),
            Self::Skilled => agreement::inference::Annotators::Skilled.margin(),
            Self::Crowd => agreement::inference::Annotators::Crowd.margin(),
        }
    }
}

words! {
    /// How it is judged who represents the others better.
    StandInScore is "a score":
    /// The share of the others who said the same.
    ShareAlike = "share_alike",
    /// The root of the mean squared difference from the others, below 0.
    NegativeRmse = "negative_rmse",
}

/// The alternative annotator test of one rater, after Calderon, Reichart and Dror (2025).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandIn {
    /// Who is to stand in.
    pub rater: String,
    /// For whom.
    pub annotators: Annotators,
    /// By what share of items the stand-in may do worse: ε.
    pub margin: f64,
    /// How it is judged who represents the others better.
    pub score: StandInScore,
    /// The winning rate ω: the share of tested annotators for whom the stand-in does no worse.
    pub winning_rate: Option<f64>,
    /// The average advantage probability ρ, of tested annotators.
    pub advantage: Option<f64>,
    /// Whether it may stand in: ω is 0.5 at least.
    pub passes: Option<bool>,
    /// Why there is no result.
    pub undefined: Option<Reason>,
    /// With each annotator, tested or not.
    pub comparisons: Vec<StandInBeside>,
}

/// A stand-in beside one annotator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandInBeside {
    /// The annotator.
    pub rater: String,
    /// On how many items they were compared.
    pub items: u64,
    /// The share of items on which the stand-in represents the others at least as well.
    pub stand_in: Option<f64>,
    /// The share of items on which the annotator does.
    pub annotator: Option<f64>,
    /// How likely the stand-in seems as good if it is worse by the margin; corrected for the number of
    /// annotators who are tested, after Benjamini and Yekutieli.
    pub test: TestOf,
    /// Whether the stand-in does no worse, but for the margin.
    pub won: Option<bool>,
}

/// Tests the rater who was asked about, if any was.
pub(super) fn of(
    understood: &Understood,
    ratings: &Ratings<u32>,
    scale: &Scale<'_>,
    options: &Options,
) -> Result<Option<StandIn>, Misuse> {
    let Some(asked) = &options.stand_in else { return Ok(None) };
    let raters = &understood.raters;
    let place = understood.rater(asked)?;
    let others: Vec<usize> = (0..ratings.raters()).filter(|rater| *rater != place).collect();
    let annotators = options.annotators.unwrap_or_default();
    let margin = annotators.margin();
    // Of numbers it counts how far apart they are; ranks have no distance.
    let (score, test) = if scale.level > Level::Ordinal {
        let panels = panels(ratings, place, &others, |code| scale.score(code));
        let test = alternative_annotator_test(panels, negative_rmse, margin);
        (StandInScore::NegativeRmse, test)
    } else {
        let panels = panels(ratings, place, &others, |code| code);
        (StandInScore::ShareAlike, alternative_annotator_test(panels, share_alike, margin))
    };
    let name = |comparison: &Comparison| {
        let place = others.get(comparison.annotator);
        place.and_then(|place| raters.get(*place)).cloned().unwrap_or_default()
    };
    let tested = test.as_ref();
    Ok(Some(StandIn {
        rater: asked.clone(),
        annotators,
        margin,
        score,
        winning_rate: tested.ok().map(AlternativeTest::winning_rate),
        advantage: tested.ok().map(AlternativeTest::advantage),
        passes: tested.ok().map(AlternativeTest::passes),
        undefined: tested.err().map(|undefined: &Undefined| Reason::from(*undefined)),
        comparisons: tested.map_or_else(
            |_| Vec::new(),
            |test| test.comparisons.iter().map(|it| beside(it, name(it))).collect(),
        ),
    }))
}

fn panels<J>(
    ratings: &Ratings<u32>,
    stand_in: usize,
    annotators: &[usize],
    judgement: impl Fn(u32) -> J,
) -> impl Iterator<Item = Panel<J>> {
    (0..ratings.items()).map(move |item| {
        let said = |rater| ratings.rating(item, rater).map(|code| judgement(*code));
        Panel {
            stand_in: said(stand_in),
            annotators: annotators.iter().map(|rater| said(*rater)).collect(),
        }
    })
}

fn beside(comparison: &Comparison, rater: String) -> StandInBeside {
    let test = comparison.test;
    StandInBeside {
        rater,
        items: comparison.items(),
        stand_in: comparison.stand_in_share(),
        annotator: comparison.annotator_share(),
        test: TestOf {
            corrected: test.ok().map(|test| test.corrected),
            ..TestOf::new(test.map(|test| test.p_value).map_err(Reason::from))
        },
        won: test.as_ref().ok().map(CorrectedTest::is_won),
    }
}
