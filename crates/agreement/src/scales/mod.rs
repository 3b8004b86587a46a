//! Scales that put a word to a coefficient, with their sources.
//!
//! None of them follows from theory, and a coefficient is uncertain: read the band of the
//! interval's lower bound beside that of the value, as [`Scale::assess`] gives them.

use crate::inference::Interval;

mod published;

pub use published::{GREEN, KRENN_HOMOGENEITY, KRIPPENDORFF, LANDIS_KOCH, RIETVELD_VAN_HOUT};

/// All scales.
pub const SCALES: [&Scale; 5] =
    [&LANDIS_KOCH, &KRIPPENDORFF, &RIETVELD_VAN_HOUT, &GREEN, &KRENN_HOMOGENEITY];

/// A scale of named bands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Who proposed it.
    pub name: &'static str,
    /// Where it is printed, and how its bounds were read.
    pub source: &'static str,
    /// Whether it is meant for the lower bound of an interval rather than for a value.
    pub of_lower_bound: bool,
    /// The bands in ascending order; values between or beyond them have no word.
    pub bands: &'static [Band],
}

/// One band of a scale: from `from`, included, up to `to`, excluded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// The lowest value of the band.
    pub from: f64,
    /// The first value beyond it.
    pub to: f64,
    /// What the source calls it.
    pub word: &'static str,
}

/// The bands of a value and of the lower bound of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assessment {
    /// The band of the value, if the scale has one there.
    pub value: Option<&'static Band>,
    /// The band of the lower bound: what can be claimed with confidence.
    pub lower_bound: Option<&'static Band>,
}

impl Assessment {
    /// Whether the uncertainty leaves the word as it is.
    pub fn is_settled(&self) -> bool {
        self.value == self.lower_bound
    }
}

impl Scale {
    /// The band that a value lies in.
    ///
    /// ```
    /// # use agreement::scales::LANDIS_KOCH;
    /// assert_eq!(LANDIS_KOCH.band(0.61).map(|band| band.word), Some("substantial"));
    /// assert_eq!(LANDIS_KOCH.band(f64::NAN), None);
    /// ```
    pub fn band(&self, value: f64) -> Option<&'static Band> {
        self.bands.iter().find(|band| band.from <= value && value < band.to)
    }

    /// The bands of a value and of the lower bound of its interval.
    ///
    /// ```
    /// # use agreement::inference::Interval;
    /// # use agreement::scales::KRIPPENDORFF;
    /// let assessment = KRIPPENDORFF.assess(0.81, &Interval { lower: 0.64, upper: 0.98 });
    /// assert_eq!(assessment.value.map(|band| band.word), Some("definite agreement"));
    /// assert_eq!(assessment.lower_bound.map(|band| band.word), Some("to be discarded"));
    /// assert!(!assessment.is_settled());
    /// ```
    pub fn assess(&self, value: f64, interval: &Interval) -> Assessment {
        Assessment { value: self.band(value), lower_bound: self.band(interval.lower) }
    }
}
