//! The report on units of a continuum.

use agreement::inference::Interval;
use agreement::{
    Continuum, GammaOptions, GammaStudy, Span, SpanMatch, Unaligned, Undefined, alpha_u,
    alpha_u_category, cu_alpha, ku_alpha, span_counts, u_alpha, u_alpha_binary,
};

use super::measurement::Value;
use super::{
    Diagnostic, Ingredients, IntervalOf, Measurement, Method, Options, Reason, Report, bands,
    diagnostics,
};
use crate::Misuse;
use crate::words::{self, words};

/// Gamma aligns units, which takes long for very many; of more it is measured if asked for.
const MOST_ALIGNED: usize = 5_000;
/// How wide units are drawn.
const COLUMNS: usize = 80;

words! {
    /// A measure of units.
    UnitMeasure is "a measure of units":
    /// Krippendorff's `α_U` of 1995 and 2004.
    AlphaU = "alpha_u",
    /// Krippendorff's `uα` of 2016.
    UAlpha = "u_alpha",
    /// `|uα`: unit or gap.
    UAlphaBinary = "u_alpha_binary",
    /// `cuα`: categories where units meet.
    CuAlpha = "cu_alpha",
    /// Mathet's `γ`.
    Gamma = "gamma",
    /// Mathet's `γ_cat`.
    GammaCat = "gamma_cat",
    /// F1 of two raters' units, the same in place and category.
    F1Exact = "span_f1_exact",
    /// F1 of two raters' units that overlap.
    F1Overlap = "span_f1_overlap",
    /// `α_U` of each category.
    AlphaUCategory = "alpha_u_category",
    /// `(k)uα` of each category.
    KuAlpha = "ku_alpha",
    /// `γ_k` of each category.
    GammaK = "gamma_k",
}

impl UnitMeasure {
    fn name(self) -> &'static str {
        match self {
            Self::AlphaU => "Krippendorff's α_U",
            Self::UAlpha => "Krippendorff's uα",
            Self::UAlphaBinary => "Krippendorff's |uα",
            Self::CuAlpha => "Krippendorff's cuα",
            Self::Gamma => "Mathet's γ",
            Self::GammaCat => "Mathet's γ_cat",
            Self::F1Exact => "F1 (exact)",
            Self::F1Overlap => "F1 (overlap)",
            Self::AlphaUCategory => "α_U",
            Self::KuAlpha => "(k)uα",
            Self::GammaK => "γ_k",
        }
    }

    fn is_gamma(self) -> bool {
        matches!(self, Self::Gamma | Self::GammaCat | Self::GammaK)
    }

    fn is_of_category(self) -> bool {
        matches!(self, Self::AlphaUCategory | Self::KuAlpha | Self::GammaK)
    }
}

/// A value, and where it lies if its expectation was sampled.
type Found = Result<(Value, Option<(Interval, u32)>), Undefined>;

pub(super) fn fill(
    mut report: Report,
    continuum: &Continuum<u32>,
    options: &Options,
) -> Result<Report, Misuse> {
    let applicable: Vec<UnitMeasure> = UnitMeasure::ALL
        .iter()
        .copied()
        .filter(|measure| {
            let of_two = matches!(measure, UnitMeasure::F1Exact | UnitMeasure::F1Overlap);
            !of_two || continuum.raters() == 2
        })
        .collect();
    let measures = words::chosen(&applicable, &options.measures, UnitMeasure::word)?;
    let gamma_options = GammaOptions { seed: options.seed, ..GammaOptions::default() };
    let wanted = measures.iter().any(|measure| measure.is_gamma());
    let small = continuum.unit_count() <= MOST_ALIGNED || !options.measures.is_empty();
    let gamma = if wanted && small {
        GammaStudy::new(continuum, &gamma_options)
    } else {
        Err(Undefined::TooLarge)
    };
    for measure in measures {
        if measure.is_of_category() {
            for (code, name) in (0_u32..).zip(&report.understood.categories) {
                let found = of_category(measure, continuum, &gamma, code);
                report.measures.push(measurement(measure, Some(name), found));
            }
        } else {
            report.measures.push(measurement(measure, None, of_all(measure, continuum, &gamma)));
        }
    }
    if options.diagnostics.contains(&Diagnostic::Continuum) {
        let understood = &report.understood;
        let drawing =
            diagnostics::drawing(continuum, &understood.raters, &understood.categories, COLUMNS);
        report.diagnostics.lanes = Some(diagnostics::lanes(continuum, &understood.raters));
        report.diagnostics.continuum = Some(drawing);
    }
    Ok(report)
}

fn measurement(measure: UnitMeasure, category: Option<&String>, found: Found) -> Measurement {
    let value = found.map(|(value, _)| value);
    let category = category.map(String::as_str);
    let mut measurement = Measurement::new(measure.word(), measure.name(), category, value);
    if let Ok((_, Some((interval, samples)))) = found {
        measurement.bound(IntervalOf::new(interval, Method::Expectation, Some(samples)));
    } else if measurement.value.is_some() {
        measurement.no_interval = Some(Reason::new(
            "OneContinuum",
            "one continuum is one observation, so nothing shows how much this varies",
        ));
    }
    if !matches!(measure, UnitMeasure::F1Exact | UnitMeasure::F1Overlap) {
        bands::assess(&mut measurement);
    }
    measurement
}

fn of_all(
    measure: UnitMeasure,
    continuum: &Continuum<u32>,
    gamma: &Result<GammaStudy<'_, u32>, Undefined>,
) -> Found {
    let plain = |value: Result<f64, Undefined>| value.map(|value| (Value::from(value), None));
    let spans = |rater: usize| -> Vec<Span<u32>> {
        let units = continuum.units(rater).iter();
        units
            .map(|unit| Span { start: unit.start, end: unit.end(), label: unit.category })
            .collect()
    };
    match measure {
        UnitMeasure::AlphaU => alpha_u(continuum).map(|graded| (graded.into(), None)),
        UnitMeasure::UAlpha => plain(u_alpha(continuum)),
        UnitMeasure::UAlphaBinary => plain(u_alpha_binary(continuum)),
        UnitMeasure::CuAlpha => plain(cu_alpha(continuum)),
        UnitMeasure::Gamma => sampled(gamma.as_ref().map_err(|e| *e)?.gamma()),
        UnitMeasure::GammaCat => {
            sampled(gamma.as_ref().map_err(|e| *e)?.gamma_cat(Unaligned::Ignored))
        }
        UnitMeasure::F1Exact => plain(span_counts(&spans(0), &spans(1), SpanMatch::Exact).f1()),
        UnitMeasure::F1Overlap => plain(span_counts(&spans(0), &spans(1), SpanMatch::Overlap).f1()),
        UnitMeasure::AlphaUCategory | UnitMeasure::KuAlpha | UnitMeasure::GammaK => {
            Err(Undefined::CategoryNotUsed)
        }
    }
}

fn of_category(
    measure: UnitMeasure,
    continuum: &Continuum<u32>,
    gamma: &Result<GammaStudy<'_, u32>, Undefined>,
    code: u32,
) -> Found {
    match measure {
        UnitMeasure::AlphaUCategory => {
            alpha_u_category(continuum, &code).map(|graded| (graded.into(), None))
        }
        UnitMeasure::KuAlpha => ku_alpha(continuum, &code).map(|value| (value.into(), None)),
        _ => sampled(gamma.as_ref().map_err(|e| *e)?.gamma_k(&code, Unaligned::Ignored)),
    }
}

fn sampled(gamma: Result<agreement::Gamma, Undefined>) -> Found {
    let gamma = gamma?;
    let (lower, upper) = gamma.range();
    let parts = Some((Ingredients::Disagreement, gamma.observed, gamma.expected));
    let samples = u32::try_from(gamma.samples).unwrap_or(u32::MAX);
    Ok((Value { value: gamma.value, parts }, Some((Interval { lower, upper }, samples))))
}
