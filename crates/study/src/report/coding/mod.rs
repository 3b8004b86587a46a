//! The report on a coding study.

mod budget;
pub(super) mod gold;
pub(super) mod measures;
pub(super) mod pairs;
mod patterns;
pub(super) mod predictions;
mod random;
pub(super) mod stand_in;
pub(super) mod truth;

use agreement::Ratings;
use agreement::inference::{
    Interval, Level as Confidence, brennan_prediger_estimate, cohen_kappa_estimate,
    fleiss_kappa_estimate, gwet_ac1_estimate, intraclass_interval, weighted_kappa_estimate,
};
use agreement::{Distance, Interval as Squared, Linear, Undefined};

use self::measures::{Measure, Needs, Sample, Scale};
use self::patterns::Patterns;
use crate::read::{Form, Level, Study};
use crate::report::consensus::Crowd;
use crate::report::measurement::too_few_units;
use crate::report::{IntervalOf, Measurement, Method, Options, Reason, Report, bands, diagnostics};
use crate::{Misuse, words};

/// The most categories of which the formulas of standard errors are given all counts.
const MOST_DENSE: usize = 4_096;

pub(super) fn fill(
    mut report: Report,
    study: &Study,
    ratings: &Ratings<u32>,
    options: &Options,
    confidence: Confidence,
    mut progress: impl FnMut(u64, u64),
) -> Result<Report, Misuse> {
    let level = study.understood.level;
    let mut scale = Scale::new(level, study.understood.categories.len(), study.scores.as_deref());
    scale.is_continuous = study.understood.is_continuous();
    let are_known = study.understood.form != Some(Form::Counts);
    let applicable = Measure::applicable(ratings.raters(), are_known, &scale);
    let chosen = &options.measures;
    let measures = match words::chosen(&applicable, chosen, Measure::word) {
        // Asked for, measures of categories are taken of numbers, too.
        Err(_) if scale.is_continuous => {
            scale.is_continuous = false;
            let all = Measure::applicable(ratings.raters(), are_known, &scale);
            words::chosen(&all, chosen, Measure::word)?
        }
        measures => measures?,
    };
    let right = options.gold.as_ref().map(|name| study.understood.rater(name)).transpose()?;
    let crowd = Crowd::learn(study, ratings, options, right);
    report.gold =
        right.map(|right| gold::of(study, ratings, crowd.as_ref(), right, options, confidence));
    let asked = crowd.zip(options.consensus);
    report.consensus = asked.and_then(|(crowd, method)| crowd.consensus(study, method));
    report.stand_in = stand_in::of(&report.understood, ratings, &scale, options)?;
    let needs = needs(&measures, level);
    let patterns = Patterns::of(ratings);
    let whole = patterns.whole(needs);

    let mut results: Vec<(Measure, Measurement)> = measures
        .iter()
        .map(|&measure| {
            let value = measure.value(&whole, &scale);
            (measure, Measurement::new(measure.word(), &measure.name(level), None, value))
        })
        .collect();
    let too_few = too_few_units(patterns.compared(), options.confidence);
    for (_, measurement) in results
        .iter_mut()
        .filter(|(measure, it)| measure.intraclass().is_none() && it.value.is_some())
    {
        measurement.no_interval.clone_from(&too_few);
    }
    let formulas = Formulas { patterns: &patterns, whole: &whole, scale: &scale, confidence };
    for (measure, measurement) in &mut results {
        if measurement.no_interval.is_some() {
            continue;
        }
        if let Some(interval) = formulas.interval(*measure) {
            let interval =
                interval.and_then(|interval| IntervalOf::new(interval, Method::Formula, None));
            measurement.bound(interval);
        }
    }
    for (measure, measurement) in &mut results {
        if measure.intraclass().is_some() {
            measurement.incomplete = whole.mean_squares(&scale).ok().map(|it| it.incomplete);
        }
    }
    let resample = Resample { patterns: &patterns, scale: &scale, confidence };
    report.settings.resamples = resample.bound(&mut results, options, &mut progress);
    for (measure, mut measurement) in results {
        if measure.allows_for_chance() {
            bands::assess(&mut measurement);
        }
        report.measures.push(measurement);
    }
    let raters = ratings.raters();
    if raters > 2 && are_known {
        report.pairs = pairs::of(ratings, &scale, &measures);
    }
    if raters == 2 && are_known && options.measures.is_empty() && !scale.is_continuous {
        report.true_agreement =
            truth::of(&ratings.contingency(0, 1), &report.understood.categories, confidence);
    }
    report.diagnostics = diagnostics::of_coding(study, ratings, &scale, options);
    Ok(report)
}

fn needs(measures: &[Measure], level: Level) -> Needs {
    measures.iter().map(|measure| measure.needs(level)).fold(Needs::default(), |all, one| Needs {
        table: all.table || one.table,
        coincidences: all.coincidences || one.coincidences,
        study: all.study || one.study,
    })
}

/// Intervals from a formula for the standard error.
struct Formulas<'a> {
    patterns: &'a Patterns,
    whole: &'a Sample,
    scale: &'a Scale<'a>,
    confidence: Confidence,
}

impl Formulas<'_> {
    /// The interval of a measure that there is a formula for.
    fn interval(&self, measure: Measure) -> Option<Result<Interval, Undefined>> {
        let table = &self.whole.table;
        let weighted = |distance: &dyn Fn(&u32, &u32) -> f64| {
            weighted_kappa_estimate(table, |a, b| distance(a, b))
        };
        let (linear, squared) = (self.scale.by_score(Linear), self.scale.by_score(Squared));
        let of_items = |estimate: fn(&_) -> _| {
            if self.scale.categories > MOST_DENSE {
                return Err(Undefined::TooLarge);
            }
            estimate(&self.patterns.item_counts(self.scale.categories))
        };
        if let Some((model, rated)) = measure.intraclass() {
            let analysis = self.whole.mean_squares(self.scale);
            return Some(analysis.and_then(|analysis| {
                intraclass_interval(&analysis, model, rated, self.confidence)
            }));
        }
        let estimate = match measure {
            Measure::CohenKappa => cohen_kappa_estimate(table),
            Measure::WeightedKappaLinear => weighted(&|a, b| linear.between(a, b)),
            Measure::WeightedKappaQuadratic => weighted(&|a, b| squared.between(a, b)),
            Measure::FleissKappa => of_items(fleiss_kappa_estimate),
            Measure::GwetAc1 => of_items(gwet_ac1_estimate),
            Measure::BrennanPrediger if self.scale.level == Level::Nominal => {
                of_items(brennan_prediger_estimate)
            }
            _ => return None,
        };
        Some(estimate.map(|estimate| estimate.interval(self.confidence)))
    }
}

/// Intervals from samples of the items.
struct Resample<'a> {
    patterns: &'a Patterns,
    scale: &'a Scale<'a>,
    confidence: Confidence,
}

impl Resample<'_> {
    /// Bounds all measures that have a value and no formula; all are measured on the same
    /// samples. The answer is how many there were.
    fn bound(
        &self,
        measured: &mut [(Measure, Measurement)],
        options: &Options,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Option<u32> {
        let mut open: Vec<&mut (Measure, Measurement)> = measured
            .iter_mut()
            .filter(|(_, measurement)| {
                measurement.value.is_some()
                    && measurement.interval.is_none()
                    && measurement.no_interval.is_none()
            })
            .collect();
        if options.resamples.is_none() {
            open.retain_mut(|(measure, measurement)| self.is_bearable(*measure, measurement));
        }
        let kinds: Vec<Measure> = open.iter().map(|(measure, _)| *measure).collect();
        let needs = needs(&kinds, self.scale.level);
        let resamples =
            options.resamples.unwrap_or_else(|| budget::bearable_draws(self.patterns.cost(needs)));
        if kinds.is_empty() || resamples == 0 {
            for (_, measurement) in open {
                measurement.no_interval =
                    Some(Reason::new("NoResamples", "no resamples were asked for"));
            }
            return None;
        }
        let mut replicates: Vec<Vec<f64>> = vec![Vec::new(); kinds.len()];
        for (done, sample) in (1..).zip(self.patterns.samples(resamples, options.seed, needs)) {
            for (measure, values) in kinds.iter().zip(&mut replicates) {
                values.extend(measure.value(&sample, self.scale).map(|value| value.value));
            }
            progress(done, resamples.into());
        }
        for ((_, measurement), values) in open.into_iter().zip(replicates) {
            let value = measurement.value.unwrap_or_default();
            measurement.bound(IntervalOf::of_resamples(value, values, resamples, self.confidence));
        }
        Some(resamples)
    }

    /// Whether the fewest resamples of a measure of all pairs take a bearable time.
    fn is_bearable(&self, measure: Measure, measurement: &mut Measurement) -> bool {
        let needs = measure.needs(self.scale.level);
        let is_bearable = !needs.study || budget::is_bearable(self.patterns.cost(needs));
        if !is_bearable {
            measurement.no_interval = Some(budget::too_long("resampling all pairs of raters"));
        }
        is_bearable
    }
}
