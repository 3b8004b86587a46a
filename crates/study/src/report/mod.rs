//! Measures a study with everything that applies, and keeps what came out in one value.

mod bands;
mod coding;
mod consensus;
mod diagnostics;
mod html;
mod measurement;
mod sheet;
mod text;
mod units;

use serde::{Deserialize, Serialize};

pub use self::coding::gold::{
    AgainstGold, ConsensusAgainstGold, LabelAgainstGold, ModelAgainstGold, ModelPair, RetrievalOf,
    ShareOfLabel,
};
pub use self::coding::measures::Measure;
pub use self::coding::pairs::{Pair, PairValue};
pub use self::coding::predictions::{PredictionKind, PredictionsBeside};
pub use self::coding::stand_in::{Annotators, StandIn, StandInBeside, StandInScore};
pub use self::coding::truth::{TrueAgreementOf, TrueInterval};
pub use self::consensus::{Consensus, ConsensusItem, ConsensusMethod, ConsensusRater, Learning};
pub use self::diagnostics::{
    CategoryRow, ConfusionRow, Diagnostic, Diagnostics, ItemRow, Lane, LaneUnit, NamedMatrix,
    PairTable, PrevalenceRow, RaterRow, Rows,
};
pub use self::measurement::{Band, Ingredients, IntervalOf, Measurement, Method, Reason, TestOf};
pub use self::text::Style;
pub use self::units::UnitMeasure;

use crate::Misuse;
use crate::predictions::Predictions;
use crate::read::{Data, Form, Study, Understood, Warning};

/// The name of the format of [`Report`] as JSON.
pub const FORMAT: &str = "concord-measure";

/// The version of that format. It grows when something is renamed, removed or changes meaning;
/// new fields may come without.
pub const VERSION: u32 = 1;

/// How to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Which measures, by id; empty means all that apply.
    pub measures: Vec<String>,
    /// How to find what is probably true of each item, if that is asked for.
    pub consensus: Option<ConsensusMethod>,
    /// Against whom all others are measured, by name; against nobody without it.
    pub gold: Option<String>,
    /// Who is tested as a stand-in for the others, by name; nobody without it.
    pub stand_in: Option<String>,
    /// Who the others are; a crowd without it. Only together with a stand-in.
    pub annotators: Option<Annotators>,
    /// Which diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether to add all other diagnostics that say anything about the study.
    pub all_diagnostics: bool,
    /// How often an interval shall contain the true value, between 0 and 1.
    pub confidence: f64,
    /// How often to resample where no formula gives an interval. Without it 1,000 times, less
    /// often (but 100 times at least) where that would take long.
    pub resamples: Option<u32>,
    /// The same seed gives the same intervals.
    pub seed: u64,
    /// How many items and confusions are listed at most; in JSON the consensus has all items.
    pub top: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            measures: Vec::new(),
            consensus: None,
            gold: None,
            stand_in: None,
            annotators: None,
            diagnostics: Vec::new(),
            all_diagnostics: false,
            confidence: 0.95,
            resamples: None,
            seed: 1,
            top: 20,
        }
    }
}

/// Everything that was understood and measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// What the file was taken for.
    pub understood: Understood,
    /// The evidence against what the file was taken for.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// How it was measured.
    pub settings: Settings,
    /// The measures, each with a value or the reason why it has none.
    pub measures: Vec<Measurement>,
    /// Every two raters, if there are more than two.
    pub pairs: Vec<Pair>,
    /// The share of true agreement on each label, if there are two raters.
    pub true_agreement: Vec<TrueAgreementOf>,
    /// What is probably true of each item, if that was asked for.
    pub consensus: Option<Consensus>,
    /// All others against one of the raters, if it was asked.
    pub gold: Option<AgainstGold>,
    /// Whether one of the raters may stand in for the others, if it was asked.
    pub stand_in: Option<StandIn>,
    /// How well each file of predictions foretells what people say.
    pub predictions: Vec<PredictionsBeside>,
    /// What was asked for beside.
    pub diagnostics: Diagnostics,
}

/// How a study was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How often an interval shall contain the true value.
    pub confidence: f64,
    /// How often was resampled, if at all.
    pub resamples: Option<u32>,
    /// The seed of all that is drawn at random.
    pub seed: u64,
    /// How many items of the consensus are listed at most where it is printed.
    pub top: usize,
}

impl Report {
    /// Measures a study; `progress` hears how much is done of how much there is to do.
    pub fn of(
        study: &Study,
        options: &Options,
        progress: impl FnMut(u64, u64),
    ) -> Result<Self, Misuse> {
        let level = agreement::inference::Level::new(options.confidence);
        let level = level.ok_or(Misuse::Confidence)?;
        if options.annotators.is_some() && options.stand_in.is_none() {
            return Err(Misuse::Without { option: "annotators", needed: "stand-in" });
        }
        let is_coding = matches!(study.data, Data::Coding(_));
        let mut options = options.clone();
        let is_anonymous = study.understood.form == Some(Form::Counts);
        let is_other =
            |one: &Diagnostic| one.is_of_units() == is_coding || is_anonymous && one.is_of_raters();
        if options.all_diagnostics {
            options.diagnostics =
                Diagnostic::ALL.iter().copied().filter(|one| !is_other(one)).collect();
            if study.understood.is_continuous() {
                options.diagnostics.retain(|one| !one.is_of_categories());
            }
        }
        for diagnostic in &options.diagnostics {
            if is_other(diagnostic) {
                let study = match (is_coding, is_anonymous) {
                    (_, true) => "a table of counts",
                    (true, _) => "a coding study",
                    (false, _) => "units",
                };
                return Err(Misuse::Diagnostic { diagnostic: diagnostic.word(), study });
            }
        }
        let without_items = match study.understood.form {
            _ if !is_coding => Some("a study of units"),
            Some(Form::Contingency) => Some("a contingency table"),
            Some(Form::Frequencies) => Some("a table of frequencies"),
            _ => None,
        };
        let without_raters = is_anonymous.then_some("a table of counts");
        let learns_raters = |method| method != ConsensusMethod::Majority;
        let of_raters = [
            ("gold", options.gold.is_some()),
            ("stand-in", options.stand_in.is_some()),
            ("consensus", options.consensus.is_some_and(learns_raters)),
        ];
        let mut of_raters = of_raters.into_iter().filter(|(_, is_asked)| *is_asked);
        if let (Some(study), Some((option, _))) = (without_raters, of_raters.next()) {
            return Err(Misuse::NoRaters { option, study });
        }
        // The counts of a contingency table suffice to hold one rater against the other.
        let asked = [
            ("consensus", options.consensus.is_some()),
            ("gold", options.gold.is_some() && !is_coding),
            ("stand-in", options.stand_in.is_some()),
        ];
        let mut asked = asked.into_iter().filter(|(_, is_asked)| *is_asked);
        if let (Some(study), Some((option, _))) = (without_items, asked.next()) {
            return Err(Misuse::NoItems { option, study });
        }
        if let Some(method) = options.consensus.filter(|method| method.needs_sequences())
            && study.sequences.is_none()
        {
            return Err(Misuse::NoSequences { method: method.word() });
        }
        let report = Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            understood: study.understood.clone(),
            warnings: study.warnings.clone(),
            settings: Settings {
                confidence: options.confidence,
                resamples: None,
                seed: options.seed,
                top: options.top,
            },
            measures: Vec::new(),
            pairs: Vec::new(),
            true_agreement: Vec::new(),
            consensus: None,
            gold: None,
            stand_in: None,
            predictions: Vec::new(),
            diagnostics: Diagnostics::default(),
        };
        match &study.data {
            Data::Coding(ratings) => {
                coding::fill(report, study, ratings, &options, level, progress)
            }
            Data::Unitizing(continuum) => units::fill(report, continuum, &options),
        }
    }

    /// Holds predictions, of a file of this name, against what people said.
    pub(crate) fn add_predictions(
        &mut self,
        study: &Study,
        (file, predictions): (&str, &Predictions),
        options: &Options,
    ) -> Result<(), Misuse> {
        let level = agreement::inference::Level::new(options.confidence);
        let level = level.ok_or(Misuse::Confidence)?;
        if let Data::Coding(ratings) = &study.data {
            let of = (study, ratings);
            self.predictions.push(coding::predictions::of(of, file, predictions, options, level));
        }
        Ok(())
    }

    /// A measure by its id; the first one, if there is one for each category.
    pub fn measure(&self, id: &str) -> Option<&Measurement> {
        self.measures.iter().find(|measure| measure.id == id)
    }
}
