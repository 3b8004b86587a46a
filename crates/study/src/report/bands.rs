//! The words that published scales have for a coefficient.

use agreement::scales::{GREEN, KRIPPENDORFF, LANDIS_KOCH, RIETVELD_VAN_HOUT, Scale};

use super::{Band, Measurement};

/// The scales for coefficients that allow for chance.
const SCALES: [&Scale; 4] = [&LANDIS_KOCH, &KRIPPENDORFF, &RIETVELD_VAN_HOUT, &GREEN];

/// Gives a coefficient its words, if it has a value.
pub(super) fn assess(measurement: &mut Measurement) {
    let Some(value) = measurement.value else { return };
    let lower = measurement.interval.as_ref().map(|interval| interval.lower);
    measurement.bands = SCALES.iter().map(|scale| band(scale, value, lower)).collect();
}

/// The words of one scale.
pub(super) fn band(scale: &Scale, value: f64, lower: Option<f64>) -> Band {
    let word = |value: f64| scale.band(value).map(|band| band.word.to_owned());
    Band { scale: scale.name.to_owned(), value: word(value), lower_bound: lower.and_then(word) }
}
