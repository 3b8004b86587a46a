//! The alternative annotator test: may something stand in for an annotator?

mod comparison;
pub(crate) mod scores;

pub use self::comparison::{Comparison, CorrectedTest, FALSE_DISCOVERIES, FEWEST_ITEMS};

use self::comparison::Standing;
use crate::Undefined;
use crate::arithmetic::number::{count64, float, sum};
use crate::arithmetic::ratio::ratio;
use crate::inference::benjamini_yekutieli;

/// What was said about one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel<J> {
    /// By whoever is to stand in, such as a model.
    pub stand_in: Option<J>,
    /// By each annotator, in the same order for all items; an item that somebody has not judged may
    /// end before them.
    pub annotators: Vec<Option<J>>,
}

/// Who the annotators are, which says how much a stand-in that costs less may be worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Annotators {
    /// Reliable, expensive, hard to get.
    Experts,
    /// Trained or experienced, such as students of the subject.
    Skilled,
    /// Anybody.
    Crowd,
}

impl Annotators {
    /// The margin ε that the paper recommends, a share of items.
    pub const fn margin(self) -> f64 {
        match self {
            Self::Experts => 0.2,
            Self::Skilled => 0.15,
            Self::Crowd => 0.1,
        }
    }
}

/// With fewer annotators a comparison is one of two opinions, and nobody stands for a group.
pub const FEWEST_ANNOTATORS: u64 = 3;

/// What came of the test.
#[derive(Clone, Debug, PartialEq)]
pub struct AlternativeTest {
    /// With each annotator, tested or not.
    pub comparisons: Vec<Comparison>,
}

impl AlternativeTest {
    /// The annotators who have the items that the test needs.
    pub fn tested(&self) -> impl Iterator<Item = (&Comparison, CorrectedTest)> {
        self.comparisons.iter().filter_map(|it| Some((it, it.test.ok()?)))
    }

    /// The winning rate `ω`: the share of tested annotators whom the stand-in is no worse than, but for the
    /// margin.
    pub fn winning_rate(&self) -> f64 {
        let won = self.tested().filter(|(_, test)| test.is_won()).count();
        ratio(count64(won).into(), count64(self.tested().count()).into())
    }

    /// The average advantage probability `ρ`: how often the stand-in represents the other annotators at
    /// least as well as the one it is compared with, mean of those who are tested. It compares stand-ins.
    pub fn advantage(&self) -> f64 {
        let shares = self.tested().filter_map(|(comparison, _)| comparison.stand_in_share());
        sum(shares) / float(count64(self.tested().count()))
    }

    /// Whether it may stand in: for half of the tested annotators at least.
    pub fn passes(&self) -> bool {
        self.winning_rate() >= 0.5
    }
}

/// Compares a stand-in with each of several annotators: who is more like the others?
///
/// `score` says how well a judgement represents those of the others, more being better: see
/// [`share_alike`], [`mean_jaccard`], [`negative_rmse`] and [`mean_f1`]. `margin` is `ε`, from 0 to below 1:
/// [`Annotators::margin`].
///
/// # Formula
/// With `S(f, i, j)` the score of the stand-in on item `i` against all annotators but `j`, `S(h, i, j)`
/// that of annotator `j`, and `n` the items that `j`, the stand-in and another annotator judged, of which
/// there have to be [`FEWEST_ITEMS`]:
/// ```text
/// ρ_f = share of items with S(f, i, j) ≥ S(h, i, j)      ρ_h = share with S(h, i, j) ≥ S(f, i, j)
/// H0: ρ_h − ρ_f ≥ ε                                      H1: ρ_h − ρ_f < ε
/// t = (mean d_i − ε) / (s / √n),  where d_i is 1 if only j is as good or better, −1 if only the
///                                 stand-in is, else 0, and s their standard deviation
/// ω = share of annotators for whom H0 is rejected        ρ = mean of ρ_f
/// ```
/// The test is Student's, one-sided. p-values are corrected by [`benjamini_yekutieli`] and H0 rejected up to
/// [`FALSE_DISCOVERIES`]. Where all items are alike, `d` is that without doubt: below `ε` it rejects H0. As
/// with the authors' program, who has fewer items is not tested and counts in neither `ω` nor `ρ`: of a few
/// items t, and a test of ranks still more, would let too bad a stand-in win too often.
///
/// The paper asks for [`FEWEST_ANNOTATORS`] and recommends 50 to 100 items of each; with fewer there is a
/// result, which whoever shows it says.
///
/// # Undefined when
/// Fewer than two annotators are tested ([`Undefined::TooFewAnnotators`]), or the margin is out of range
/// ([`Undefined::OptionOutOfRange`]).
///
/// # Reference
/// Calderon, N., Reichart, R. and Dror, R. (2025). The alternative annotator test for LLM-as-a-judge: how
/// to statistically justify replacing human annotators with LLMs. *ACL 2025*, 16051–16081.
///
/// # Example
/// A model that says what two of three annotators say, on 40 items:
/// ```
/// # use agreement::inference::{Annotators, Panel, alternative_annotator_test, share_alike};
/// let item = |number| {
///     let annotators = vec![Some("yes"), Some("yes"), Some(if number % 4 == 0 { "no" } else { "yes" })];
///     Panel { stand_in: Some("yes"), annotators }
/// };
/// let margin = Annotators::Skilled.margin();
/// let test = alternative_annotator_test((0..40).map(item), share_alike, margin)?;
/// assert_eq!((test.winning_rate(), test.advantage(), test.passes()), (1.0, 1.0, true));
/// # Ok::<(), agreement::Undefined>(())
/// ```
///
/// [`share_alike`]: crate::inference::share_alike
/// [`mean_jaccard`]: crate::inference::mean_jaccard
/// [`negative_rmse`]: crate::inference::negative_rmse
/// [`mean_f1`]: crate::inference::mean_f1
pub fn alternative_annotator_test<J>(
    items: impl IntoIterator<Item = Panel<J>>,
    score: impl Fn(&J, &[&J]) -> f64,
    margin: f64,
) -> Result<AlternativeTest, Undefined> {
    clustered_annotator_test(items.into_iter().map(|item| [item]), score, margin)
}

/// The same where items come in clusters within which they are not independent, such as the spans of a document: a
/// cluster counts once, with the mean of the scores of those of its items that the stand-in, the annotator and
/// another annotator judged.
///
/// # Example
/// A document counts once, however many spans of it were judged:
/// ```
/// # use agreement::inference::{Panel, clustered_annotator_test, share_alike};
/// let span = |says| Panel { stand_in: Some("yes"), annotators: vec![Some("yes"), Some(says)] };
/// let document = [span("yes"), span("no")];
/// let test = clustered_annotator_test((0..30).map(|_| document.clone()), share_alike, 0.1)?;
/// assert_eq!(test.comparisons[0].items(), 30);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn clustered_annotator_test<J, C: IntoIterator<Item = Panel<J>>>(
    clusters: impl IntoIterator<Item = C>,
    score: impl Fn(&J, &[&J]) -> f64,
    margin: f64,
) -> Result<AlternativeTest, Undefined> {
    if !(0.0..1.0).contains(&margin) {
        return Err(Undefined::OptionOutOfRange);
    }
    let mut standings: Vec<Standing> = Vec::new();
    for cluster in clusters {
        // Of each annotator the scores of the stand-in and their own, by item.
        let mut scores: Vec<[Vec<f64>; 2]> = Vec::new();
        for item in cluster {
            let reach = scores.len().max(item.annotators.len());
            scores.resize_with(reach, Default::default);
            let Some(stand_in) = &item.stand_in else { continue };
            let judged: Vec<(usize, &J)> = item
                .annotators
                .iter()
                .enumerate()
                .filter_map(|(place, judgement)| Some((place, judgement.as_ref()?)))
                .collect();
            if judged.len() < 2 {
                continue;
            }
            for &(annotator, judgement) in &judged {
                let others = judged.iter().filter(|(other, _)| *other != annotator);
                let others: Vec<&J> = others.map(|(_, judgement)| *judgement).collect();
                if let Some([theirs, own]) = scores.get_mut(annotator) {
                    theirs.push(score(stand_in, &others));
                    own.push(score(judgement, &others));
                }
            }
        }
        let reach = standings.len().max(scores.len());
        standings.resize(reach, Standing::default());
        for (standing, [stand_in, annotator]) in standings.iter_mut().zip(scores) {
            if !stand_in.is_empty() {
                standing.add(mean(&stand_in), mean(&annotator));
            }
        }
    }
    let p_values: Vec<_> = standings.iter().map(|standing| standing.p_value(margin)).collect();
    let tested: Vec<f64> = p_values.iter().filter_map(|p_value| p_value.ok()).collect();
    if tested.len() < 2 {
        return Err(Undefined::TooFewAnnotators);
    }
    let mut corrected = benjamini_yekutieli(&tested).into_iter();
    let comparisons = standings.into_iter().zip(p_values).enumerate();
    let comparisons = comparisons.map(|(annotator, (standing, p_value))| {
        let test = p_value.and_then(|p_value| {
            let corrected = corrected.next().ok_or(Undefined::TooFewItems)?;
            Ok(CorrectedTest { p_value, corrected })
        });
        Comparison { annotator, standing, test }
    });
    Ok(AlternativeTest { comparisons: comparisons.collect() })
}

fn mean(scores: &[f64]) -> f64 {
    sum(scores.iter().copied()) / float(count64(scores.len()))
}
