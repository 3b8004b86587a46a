//! The measures of a coding study: which apply, and what they come to.

use std::cell::OnceCell;

use agreement::{
    By, Coefficient, CoincidenceTally, Contingency, Distance, Interval, Intraclass, Linear,
    MeanSquares, NominalTally, Number, Ordinal, Rated, Ratings, Ratio, Scheme, Score, Undefined,
    Weights, alpha_nominal, bennett_s, brennan_prediger, cohen_kappa, cohen_kappa_max,
    fleiss_kappa, gwet_ac1, gwet_ac2, hubert_kappa, intraclass_correlation, krippendorff_alpha,
    light_kappa, macro_average, micro_average, pabak, percent_by_item, percent_by_rating,
    percent_unanimous, randolph_kappa, scott_pi, weighted_kappa,
};

use crate::read::Level;
use crate::report::measurement::Value;
use crate::words::words;

/// Weights are a square of all categories; above so many they are not made.
const MOST_WEIGHTED: usize = 1_000;

words! {
    /// A measure of a coding study.
    Measure is "a measure":
    /// The percentage of agreement, each item counting once.
    Percent = "percent",
    /// The percentage of agreement, each rating counting once.
    PercentByRating = "percent_by_rating",
    /// The percentage of items on which all agree.
    PercentUnanimous = "percent_unanimous",
    /// Bennett's S.
    BennettS = "bennett_s",
    /// Scott's π.
    ScottPi = "scott_pi",
    /// Cohen's κ.
    CohenKappa = "cohen_kappa",
    /// The largest κ that the raters' habits allow.
    CohenKappaMax = "cohen_kappa_max",
    /// Cohen's κ with linear weights.
    WeightedKappaLinear = "weighted_kappa_linear",
    /// Cohen's κ with quadratic weights.
    WeightedKappaQuadratic = "weighted_kappa_quadratic",
    /// Prevalence-adjusted and bias-adjusted κ.
    Pabak = "pabak",
    /// Brennan and Prediger's coefficient, weighted at a level above nominal.
    BrennanPrediger = "brennan_prediger",
    /// Randolph's κ.
    RandolphKappa = "randolph_kappa",
    /// Gwet's AC1.
    GwetAc1 = "gwet_ac1",
    /// Gwet's AC2.
    GwetAc2 = "gwet_ac2",
    /// Fleiss' κ.
    FleissKappa = "fleiss_kappa",
    /// Light's κ: the mean of Cohen's.
    LightKappa = "light_kappa",
    /// Hubert's κ.
    HubertKappa = "hubert_kappa",
    /// Krippendorff's α of categories without an order.
    AlphaNominal = "krippendorff_alpha_nominal",
    /// Krippendorff's α at the level of the study.
    AlphaGraded = "krippendorff_alpha",
    /// The intraclass correlation `ICC(1)`: raters may differ from item to item.
    Icc1 = "icc_1",
    /// The intraclass correlation `ICC(A,1)`: agreement of the same raters.
    IccA1 = "icc_a1",
    /// The intraclass correlation `ICC(C,1)`: consistency of the same raters.
    IccC1 = "icc_c1",
    /// `ICC(1)` of the mean of all ratings.
    IccK = "icc_k",
    /// `ICC(A,1)` of the mean of all ratings.
    IccAK = "icc_ak",
    /// `ICC(C,1)` of the mean of all ratings.
    IccCK = "icc_ck",
    /// Precision of the first rater against the second, mean of categories.
    PrecisionMacro = "precision_macro",
    /// Recall of the first rater against the second, mean of categories.
    RecallMacro = "recall_macro",
    /// F1 of two raters, mean of categories.
    F1Macro = "f1_macro",
    /// F1 of two raters over all categories.
    F1Micro = "f1_micro",
}

/// What the categories are, whatever is drawn.
pub(in crate::report) struct Scale<'a> {
    pub(in crate::report) level: Level,
    pub(in crate::report) categories: usize,
    pub(in crate::report) scores: Option<&'a [f64]>,
    pub(in crate::report) weights: Result<Weights<u32>, Undefined>,
    /// True if these are numbers of which most occur once.
    pub(in crate::report) is_continuous: bool,
}

/// What has to be counted for some measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) table: bool,
    pub(super) coincidences: bool,
    pub(super) study: bool,
}

/// A study, or a sample of its items, counted.
pub(super) struct Sample {
    pub(super) table: Contingency<u32>,
    pub(super) nominal: NominalTally<u32>,
    pub(super) coincidences: Option<CoincidenceTally<u32>>,
    pub(super) study: Option<Ratings<u32>>,
    /// Those of the study, once they are asked for.
    mean_squares: OnceCell<Result<MeanSquares, Undefined>>,
}

impl Sample {
    pub(super) fn new(
        table: Contingency<u32>,
        nominal: NominalTally<u32>,
        coincidences: Option<CoincidenceTally<u32>>,
        study: Option<Ratings<u32>>,
    ) -> Self {
        Self { table, nominal, coincidences, study, mean_squares: OnceCell::new() }
    }

    /// The analysis of variance of the ratings.
    pub(super) fn mean_squares(&self, scale: &Scale<'_>) -> Result<MeanSquares, Undefined> {
        *self.mean_squares.get_or_init(|| {
            let study = self.study.as_ref().ok_or(Undefined::NoSharedPositions)?;
            MeanSquares::of(study, |code| scale.score(*code).score())
        })
    }

    fn nominal(&self) -> &NominalTally<u32> {
        self.coincidences.as_ref().map_or(&self.nominal, CoincidenceTally::nominal)
    }
}

impl Measure {
    /// All measures that have a meaning for such a study, in which it may not be known who rated.
    pub(super) fn applicable(raters: usize, are_known: bool, scale: &Scale<'_>) -> Vec<Self> {
        let applies = |measure: &&Self| {
            (are_known || !measure.is_of_raters())
                && match measure {
                    Self::BennettS
                    | Self::ScottPi
                    | Self::CohenKappa
                    | Self::CohenKappaMax
                    | Self::PrecisionMacro
                    | Self::RecallMacro
                    | Self::F1Macro
                    | Self::F1Micro => raters == 2,
                    Self::WeightedKappaLinear | Self::WeightedKappaQuadratic => {
                        raters == 2 && scale.level > Level::Nominal
                    }
                    Self::Pabak => raters == 2 && scale.categories == 2,
                    Self::LightKappa
                    | Self::HubertKappa
                    | Self::PercentByRating
                    | Self::PercentUnanimous => raters > 2,
                    Self::GwetAc2 | Self::AlphaGraded => scale.level > Level::Nominal,
                    Self::Icc1
                    | Self::IccA1
                    | Self::IccC1
                    | Self::IccK
                    | Self::IccAK
                    | Self::IccCK => scale.level > Level::Ordinal,
                    Self::Percent
                    | Self::BrennanPrediger
                    | Self::RandolphKappa
                    | Self::GwetAc1
                    | Self::FleissKappa
                    | Self::AlphaNominal => true,
                }
        };
        let mut found: Vec<Self> = Self::ALL.iter().filter(applies).copied().collect();
        if scale.level > Level::Ordinal {
            // Measures of this level come first, alone where most numbers occur once.
            found.sort_by_key(|measure| measure.rank(scale.level));
            found.retain(|measure| {
                !scale.is_continuous || measure.rank(scale.level) < Self::NOMINAL
            });
        }
        found
    }

    /// The rank of measures that take all disagreements for alike.
    const NOMINAL: u8 = 3;

    /// The place among the measures of an interval or ratio level.
    fn rank(self, level: Level) -> u8 {
        match self {
            Self::AlphaGraded => 0,
            _ if self.intraclass().is_some() => 1,
            Self::WeightedKappaLinear | Self::WeightedKappaQuadratic | Self::GwetAc2 => 2,
            Self::BrennanPrediger if level > Level::Nominal => 2,
            _ => Self::NOMINAL,
        }
    }

    /// True if it compares raters, each with all their ratings.
    fn is_of_raters(self) -> bool {
        matches!(
            self,
            Self::BennettS
                | Self::ScottPi
                | Self::CohenKappa
                | Self::CohenKappaMax
                | Self::WeightedKappaLinear
                | Self::WeightedKappaQuadratic
                | Self::Pabak
                | Self::LightKappa
                | Self::HubertKappa
                | Self::IccA1
                | Self::IccC1
                | Self::IccAK
                | Self::IccCK
                | Self::PrecisionMacro
                | Self::RecallMacro
                | Self::F1Macro
                | Self::F1Micro
        )
    }

    /// What people call it.
    pub(super) fn name(self, level: Level) -> String {
        let name = match self {
            Self::Percent => "Percentage agreement",
            Self::PercentByRating => "Percentage (by rating)",
            Self::PercentUnanimous => "Percentage (unanimous)",
            Self::BennettS => "Bennett's S",
            Self::ScottPi => "Scott's π",
            Self::CohenKappa => "Cohen's κ",
            Self::CohenKappaMax => "Cohen's κ (at most)",
            Self::WeightedKappaLinear => "Weighted κ (linear)",
            Self::WeightedKappaQuadratic => "Weighted κ (quadratic)",
            Self::Pabak => "PABAK",
            Self::BrennanPrediger => "Brennan–Prediger",
            Self::RandolphKappa => "Randolph's κ",
            Self::GwetAc1 => "Gwet's AC1",
            Self::GwetAc2 => "Gwet's AC2",
            Self::FleissKappa => "Fleiss' κ",
            Self::LightKappa => "Light's κ",
            Self::HubertKappa => "Hubert's κ",
            Self::AlphaNominal => "Krippendorff's α",
            Self::AlphaGraded => return format!("Krippendorff's α ({level})"),
            Self::Icc1 => "ICC(1)",
            Self::IccA1 => "ICC(A,1)",
            Self::IccC1 => "ICC(C,1)",
            Self::IccK => "ICC(k)",
            Self::IccAK => "ICC(A,k)",
            Self::IccCK => "ICC(C,k)",
            Self::PrecisionMacro => "Precision (macro)",
            Self::RecallMacro => "Recall (macro)",
            Self::F1Macro => "F1 (macro)",
            Self::F1Micro => "F1 (micro)",
        };
        name.to_owned()
    }

    /// Which intraclass correlation it is, if it is one.
    pub(super) fn intraclass(self) -> Option<(Intraclass, Rated)> {
        match self {
            Self::Icc1 => Some((Intraclass::OneWay, Rated::Once)),
            Self::IccA1 => Some((Intraclass::Agreement, Rated::Once)),
            Self::IccC1 => Some((Intraclass::Consistency, Rated::Once)),
            Self::IccK => Some((Intraclass::OneWay, Rated::ByAll)),
            Self::IccAK => Some((Intraclass::Agreement, Rated::ByAll)),
            Self::IccCK => Some((Intraclass::Consistency, Rated::ByAll)),
            _ => None,
        }
    }

    /// Whether it allows for chance, so that the published scales are meant for it.
    pub(super) fn allows_for_chance(self) -> bool {
        self.intraclass().is_none()
            && !matches!(
                self,
                Self::Percent
                    | Self::PercentByRating
                    | Self::PercentUnanimous
                    | Self::CohenKappaMax
                    | Self::PrecisionMacro
                    | Self::RecallMacro
                    | Self::F1Macro
                    | Self::F1Micro
            )
    }

    /// What has to be counted for it.
    pub(super) fn needs(self, level: Level) -> Needs {
        let graded = level > Level::Nominal;
        match self {
            Self::BennettS
            | Self::ScottPi
            | Self::CohenKappa
            | Self::CohenKappaMax
            | Self::WeightedKappaLinear
            | Self::WeightedKappaQuadratic
            | Self::Pabak
            | Self::PrecisionMacro
            | Self::RecallMacro
            | Self::F1Macro
            | Self::F1Micro => Needs { table: true, ..Needs::default() },
            _ if self.intraclass().is_some() => Needs { study: true, ..Needs::default() },
            Self::LightKappa | Self::HubertKappa => Needs { study: true, ..Needs::default() },
            Self::BrennanPrediger | Self::GwetAc2 | Self::AlphaGraded => {
                Needs { coincidences: graded, ..Needs::default() }
            }
            _ => Needs::default(),
        }
    }

    /// What it comes to.
    pub(super) fn value(self, sample: &Sample, scale: &Scale<'_>) -> Result<Value, Undefined> {
        let (table, nominal, q) = (&sample.table, sample.nominal(), scale.categories);
        let study = sample.study.as_ref().ok_or(Undefined::NoSharedPositions);
        let coefficient = |value: Result<Coefficient, Undefined>| value.map(Value::from);
        let share = |value: Result<Coefficient, Undefined>| value.map(|share| share.value.into());
        match self {
            Self::Percent => share(percent_by_item(nominal)),
            Self::PercentByRating => share(percent_by_rating(nominal)),
            Self::PercentUnanimous => share(percent_unanimous(nominal)),
            Self::BennettS => coefficient(bennett_s(table, q)),
            Self::ScottPi => coefficient(scott_pi(table)),
            Self::CohenKappa => coefficient(cohen_kappa(table)),
            Self::CohenKappaMax => share(cohen_kappa_max(table)),
            Self::Pabak => coefficient(pabak(table)),
            Self::WeightedKappaLinear => {
                weighted_kappa(table, &scale.by_score(Linear)).map(Value::from)
            }
            Self::WeightedKappaQuadratic => {
                weighted_kappa(table, &scale.by_score(Interval)).map(Value::from)
            }
            Self::BrennanPrediger => match &sample.coincidences {
                Some(tally) if scale.level > Level::Nominal => {
                    coefficient(brennan_prediger(tally, scale.weights.as_ref().map_err(|e| *e)?))
                }
                // Without weights it is Randolph's coefficient, with no square of categories.
                _ => coefficient(randolph_kappa(nominal, q)),
            },
            Self::GwetAc2 => {
                let tally = sample.coincidences.as_ref().ok_or(Undefined::NoSharedPositions)?;
                coefficient(gwet_ac2(tally, scale.weights.as_ref().map_err(|e| *e)?))
            }
            Self::RandolphKappa => coefficient(randolph_kappa(nominal, q)),
            Self::GwetAc1 => coefficient(gwet_ac1(nominal, q)),
            Self::FleissKappa => coefficient(fleiss_kappa(nominal)),
            Self::LightKappa => light_kappa(study?).map(Value::from),
            Self::HubertKappa => coefficient(hubert_kappa(study?)),
            Self::AlphaNominal => alpha_nominal(nominal).map(Value::from),
            Self::AlphaGraded => {
                let tally = sample.coincidences.as_ref().ok_or(Undefined::NoSharedPositions)?;
                match scale.level {
                    Level::Nominal => alpha_nominal(nominal),
                    Level::Ordinal => krippendorff_alpha(tally, &Ordinal::of(tally)),
                    Level::Interval => krippendorff_alpha(tally, &scale.by_score(Interval)),
                    Level::Ratio => krippendorff_alpha(tally, &scale.by_score(Ratio)),
                }
                .map(Value::from)
            }
            Self::Icc1 | Self::IccA1 | Self::IccC1 | Self::IccK | Self::IccAK | Self::IccCK => {
                let (model, rated) = self.intraclass().ok_or(Undefined::NoSharedPositions)?;
                let squares = sample.mean_squares(scale)?;
                intraclass_correlation(&squares, model, rated).map(Value::from)
            }
            Self::PrecisionMacro => macro_average(table, None).map(|r| r.precision.into()),
            Self::RecallMacro => macro_average(table, None).map(|r| r.recall.into()),
            Self::F1Macro => macro_average(table, None).map(|r| r.f1.into()),
            Self::F1Micro => micro_average(table, None).map(|r| r.f1.into()),
        }
    }
}

impl<'a> Scale<'a> {
    pub(in crate::report) fn new(
        level: Level,
        categories: usize,
        scores: Option<&'a [f64]>,
    ) -> Self {
        let weights = Err(Undefined::TooLarge);
        let mut scale = Self { level, categories, scores, weights, is_continuous: false };
        if level > Level::Nominal && categories <= MOST_WEIGHTED {
            scale.weights = scale.weights();
        }
        scale
    }

    /// The codes of all categories.
    pub(in crate::report) fn codes(&self) -> impl Iterator<Item = u32> + use<> {
        (0..).take(self.categories)
    }

    /// Where a category lies: its value on a scale of numbers, its rank on one of ranks.
    pub(in crate::report) fn score(&self, code: u32) -> Number {
        let values = self.scores.filter(|_| self.level > Level::Ordinal);
        let place = usize::try_from(code).ok();
        let value = values.zip(place).and_then(|(values, place)| values.get(place).copied());
        value.and_then(Number::new).unwrap_or(Number::from(code))
    }

    /// A distance of scores as one of codes.
    pub(in crate::report) fn by_score<D: Distance<Number>>(
        &self,
        distance: D,
    ) -> impl Distance<u32> {
        By(|code: &u32| self.score(*code), distance)
    }

    /// Gwet's weights for the level: ordinal, quadratic or ratio.
    fn weights(&self) -> Result<Weights<u32>, Undefined> {
        let scheme = match self.level {
            Level::Nominal => Scheme::Identity,
            Level::Ordinal => return Weights::by_rank(Scheme::Ordinal, self.codes()),
            Level::Interval => Scheme::Quadratic,
            Level::Ratio => Scheme::Ratio,
        };
        let by_value = Weights::by_value(scheme, self.codes().map(|code| self.score(code)))?;
        Weights::custom(self.codes(), |&a, &b| {
            by_value.between(&self.score(a), &self.score(b)).unwrap_or(f64::NAN)
        })
    }
}
