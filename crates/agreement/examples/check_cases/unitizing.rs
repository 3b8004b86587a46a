//! The measures over units, segments and spans, as the files of cases name them.

use agreement::{
    Alignment, AlphaUSteps, Continuum, GammaOptions, Segmentation, Span, SpanMatch, Unaligned,
    Undefined, Unit, alpha_u, alpha_u_category, alpha_u_steps, boundary_similarity, cu_alpha,
    gamma_alignment, ku_alpha, pk, segmentation_similarity, span_counts, u_alpha, u_alpha_binary,
    window_diff,
};
use serde_json::Value;

/// The value of a case, or `None` if the measure is not one of these.
pub(crate) fn compute(
    measure: &str,
    params: &Value,
    data: &Value,
) -> Option<Result<Value, Undefined>> {
    let value = match data["kind"].as_str()? {
        "units" => of_units(measure, params, data)?,
        "alignable_units" => of_alignable_units(measure, params, data)?,
        "segmentation" => of_segmentations(measure, params, data)?,
        "spans" => of_spans(measure, params, data)?,
        _ => return None,
    };
    Some(value.map(Value::from))
}

fn of_units(measure: &str, params: &Value, data: &Value) -> Option<Result<f64, Undefined>> {
    let continuum = match continuum(data) {
        Ok(continuum) => continuum,
        Err(undefined) => return Some(Err(undefined)),
    };
    let category = params["category"].to_string();
    let steps = || alpha_u_steps(&continuum, &category);
    Some(match measure {
        "alpha_u" => alpha_u(&continuum).map(|alpha| alpha.value),
        "alpha_u_category" => alpha_u_category(&continuum, &category).map(|alpha| alpha.value),
        "alpha_u_do" => steps().map(|AlphaUSteps { observed, .. }| observed),
        "alpha_u_de" => steps().map(|AlphaUSteps { expected, .. }| expected),
        "u_alpha" => u_alpha(&continuum),
        "u_alpha_binary" => u_alpha_binary(&continuum),
        "cu_alpha" => cu_alpha(&continuum),
        "ku_alpha" => ku_alpha(&continuum, &category),
        _ => return None,
    })
}

fn of_alignable_units(
    measure: &str,
    params: &Value,
    data: &Value,
) -> Option<Result<f64, Undefined>> {
    let unaligned = match params["unaligned"].as_str() {
        Some("delta_empty") => Unaligned::DeltaEmpty,
        _ => Unaligned::Ignored,
    };
    let disorder: fn(&Alignment<String>, Unaligned) -> Result<f64, Undefined> = match measure {
        "gamma_observed_disorder" => |alignment, _| Ok(alignment.disorder),
        "gamma_cat_observed_disorder" => {
            |alignment, unaligned| alignment.categorial_disorder(unaligned)
        }
        _ => return None,
    };
    let number = |name: &str| params[name].as_f64().unwrap_or(1.0);
    let options = GammaOptions {
        alpha: number("alpha"),
        beta: number("beta"),
        delta_empty: number("delta_empty"),
        ..GammaOptions::default()
    };
    Some(alignable_continuum(data).and_then(|continuum| {
        let alignment = gamma_alignment(&continuum, &options)?;
        disorder(&alignment, unaligned)
    }))
}

/// The continuum from the first start to the last end.
fn alignable_continuum(data: &Value) -> Result<Continuum<String>, Undefined> {
    let number = |value: &Value| value.as_u64().ok_or(Undefined::NoUnits);
    let annotators = data["annotators"].as_array().ok_or(Undefined::NoUnits)?;
    let mut units = Vec::new();
    for (rater, list) in annotators.iter().enumerate() {
        for unit in list.as_array().into_iter().flatten() {
            let (start, end) = (number(&unit[0])?, number(&unit[1])?);
            let length = end.saturating_sub(start);
            units.push(Unit { rater, start, length, category: unit[2].to_string() });
        }
    }
    let begin = units.iter().map(|unit| unit.start).min().unwrap_or(0);
    let end = units.iter().map(Unit::end).max().unwrap_or(0);
    Continuum::with_overlaps(begin, end - begin, annotators.len(), units)
        .map_err(|_| Undefined::NoUnits)
}

/// Categories are compared as JSON text, so numbers and strings need no common type.
fn continuum(data: &Value) -> Result<Continuum<String>, Undefined> {
    let number = |value: &Value| value.as_u64().ok_or(Undefined::NoUnits);
    let mut units = Vec::new();
    for unit in data["units"].as_array().into_iter().flatten() {
        units.push(Unit {
            rater: usize::try_from(number(&unit[0])?).map_err(|_| Undefined::TooLarge)?,
            start: number(&unit[1])?,
            length: number(&unit[2])?,
            category: unit[3].to_string(),
        });
    }
    let raters = usize::try_from(number(&data["raters"])?).map_err(|_| Undefined::TooLarge)?;
    Continuum::new(number(&data["begin"])?, number(&data["length"])?, raters, units)
        .map_err(|_| Undefined::NoUnits)
}

fn of_segmentations(measure: &str, params: &Value, data: &Value) -> Option<Result<f64, Undefined>> {
    let side = |name: &str| {
        let masses: Option<Vec<u64>> = data[name].as_array()?.iter().map(Value::as_u64).collect();
        Segmentation::from_masses(masses?).ok()
    };
    let named = |parameter: &str, default| side(params[parameter].as_str().unwrap_or(default));
    let near = params["n_t"].as_u64().unwrap_or(2);
    let compare: &dyn Fn(&Segmentation, &Segmentation) -> Result<f64, Undefined> = match measure {
        "pk" => &pk,
        "window_diff" => &window_diff,
        "boundary_similarity" => &|first, second| boundary_similarity(first, second, near),
        "segmentation_similarity" => &|first, second| segmentation_similarity(first, second, near),
        _ => return None,
    };
    let sides = named("hypothesis", "a").zip(named("reference", "b"));
    Some(sides.ok_or(Undefined::LengthsDiffer).and_then(|(first, second)| compare(&first, &second)))
}

fn of_spans(measure: &str, params: &Value, data: &Value) -> Option<Result<f64, Undefined>> {
    let spans = |name: &str| -> Option<Vec<Span<String>>> {
        let span = |span: &Value| {
            let (start, end) = (span[0].as_u64()?, span[1].as_u64()?);
            Some(Span { start, end, label: span[2].to_string() })
        };
        data[name].as_array()?.iter().map(span).collect()
    };
    let by = match params["match"].as_str() {
        Some(by) if by.starts_with("overlap") => SpanMatch::Overlap,
        _ => SpanMatch::Exact,
    };
    let (gold, found) = if params["gold"] == "b" { ("b", "a") } else { ("a", "b") };
    let counts = span_counts(&spans(gold)?, &spans(found)?, by);
    Some(match measure {
        "span_f1" => counts.f1(),
        "span_precision" => counts.precision(),
        "span_recall" => counts.recall(),
        _ => return None,
    })
}
