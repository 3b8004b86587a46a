//! A measure of a study: its value with interval and bands, or why it has none.

use agreement::inference::{Bootstrap, Interval, Level};
use agreement::{Coefficient, Graded, Undefined};
use serde::{Deserialize, Serialize};

/// A value of a measure, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The measure.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The category that it is about; none if it is about all.
    pub category: Option<String>,
    /// The value.
    pub value: Option<f64>,
    /// Why there is no value.
    pub undefined: Option<Reason>,
    /// What `observed` and `expected` are.
    pub ingredients: Option<Ingredients>,
    /// What was observed.
    pub observed: Option<f64>,
    /// What chance alone would give.
    pub expected: Option<f64>,
    /// The confidence interval.
    pub interval: Option<IntervalOf>,
    /// Why there is no interval.
    pub no_interval: Option<Reason>,
    /// How many items were left out, as somebody has not rated them, where only complete ones count.
    pub incomplete: Option<u64>,
    /// The words for it.
    pub bands: Vec<Band>,
}

/// Why something has no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// For programs; it does not change.
    pub code: String,
    /// For people.
    pub text: String,
}

impl Reason {
    pub(super) fn new(code: &str, text: &str) -> Self {
        Self { code: code.to_owned(), text: text.to_owned() }
    }
}

impl From<Undefined> for Reason {
    fn from(undefined: Undefined) -> Self {
        Self { code: format!("{undefined:?}"), text: undefined.to_string() }
    }
}

/// What a coefficient is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ingredients {
    /// Agreement: the coefficient is `(observed - expected) / (1 - expected)`.
    Agreement,
    /// Disagreement: the coefficient is `1 - observed / expected`.
    Disagreement,
}

/// A confidence interval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IntervalOf {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// Where it comes from.
    pub method: Method,
    /// How many samples were drawn for it.
    pub resamples: Option<u32>,
    /// How many of them had no value and were left out.
    pub left_out: Option<u32>,
}

/// Where an interval comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// A formula for the standard error.
    Formula,
    /// The middle of what resampled items gave.
    Bootstrap,
    /// Only the expectation is uncertain, as it was sampled; the items are taken as they are.
    Expectation,
}

/// A test, or the reason why none was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestOf {
    /// The p-value.
    pub p_value: Option<f64>,
    /// The same, corrected for the number of tests that were made beside it.
    pub corrected: Option<f64>,
    /// Why there is none.
    pub undefined: Option<Reason>,
}

/// The words of a scale for a value and for the lower end of its interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Band {
    /// Whose scale.
    pub scale: String,
    /// For the value; none where the scale has no word.
    pub value: Option<String>,
    /// For the lower end.
    pub lower_bound: Option<String>,
}

/// A defined value with what went into it, if anything did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) value: f64,
    pub(super) parts: Option<(Ingredients, f64, f64)>,
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self { value, parts: None }
    }
}

impl From<Coefficient> for Value {
    fn from(Coefficient { value, observed, expected }: Coefficient) -> Self {
        Self { value, parts: Some((Ingredients::Agreement, observed, expected)) }
    }
}

impl From<Graded> for Value {
    fn from(Graded { value, observed, expected }: Graded) -> Self {
        Self { value, parts: Some((Ingredients::Disagreement, observed, expected)) }
    }
}

impl Measurement {
    pub(super) fn new(
        id: &str,
        name: &str,
        category: Option<&str>,
        value: Result<Value, Undefined>,
    ) -> Self {
        let parts = value.ok().and_then(|value| value.parts);
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            category: category.map(str::to_owned),
            value: value.ok().map(|value| value.value),
            undefined: value.err().map(Reason::from),
            ingredients: parts.map(|(ingredients, _, _)| ingredients),
            observed: parts.map(|(_, observed, _)| observed),
            expected: parts.map(|(_, _, expected)| expected),
            interval: None,
            no_interval: None,
            incomplete: None,
            bands: Vec::new(),
        }
    }

    /// Adds an interval, or why there is none.
    pub(super) fn bound(&mut self, interval: Result<IntervalOf, Undefined>) {
        self.no_interval = interval.as_ref().err().map(|reason| Reason::from(*reason));
        self.interval = interval.ok();
    }
}

impl IntervalOf {
    /// Ends that are no numbers make none.
    pub(super) fn new(
        interval: Interval,
        method: Method,
        resamples: Option<u32>,
    ) -> Result<Self, Undefined> {
        let Interval { lower, upper } = interval;
        if lower.is_finite() && upper.is_finite() {
            Ok(Self { lower, upper, method, resamples, left_out: None })
        } else {
            Err(Undefined::TooFewResamples)
        }
    }

    /// The middle of what so many resamples came to; those without a value are left out.
    pub(super) fn of_resamples(
        value: f64,
        replicates: Vec<f64>,
        resamples: u32,
        level: Level,
    ) -> Result<Self, Undefined> {
        let left_out = resamples - u32::try_from(replicates.len()).unwrap_or(resamples);
        let bootstrap = Bootstrap::of(value, replicates, left_out)?;
        let interval = Self::new(bootstrap.percentile(level), Method::Bootstrap, Some(resamples))?;
        Ok(Self { left_out: Some(left_out), ..interval })
    }
}

/// Why so many units are too few to show how much a value varies, if they are.
///
/// `C(2n − 1, n)` different samples can be drawn of `n` units; an interval leaves one of them or more on
/// each side.
pub(super) fn too_few_units(units: u64, confidence: f64) -> Option<Reason> {
    let mut samples = 1.0;
    let mut drawn = 1.0;
    for _ in 1..units.min(MOST_COUNTED_UNITS) {
        drawn += 1.0;
        samples *= (4.0 * drawn - 2.0) / drawn;
    }
    let outside = samples * (1.0 - confidence) / 2.0;
    let is_enough = units > 1 && (units >= MOST_COUNTED_UNITS || outside >= 1.0);
    let text = match units {
        0 | 1 => Undefined::TooFewUnits.to_string(),
        _ => format!("of {units} items only {samples:.0} different samples can be drawn, too few"),
    };
    (!is_enough).then(|| Reason::new("TooFewUnits", &text))
}

/// More units than these are always enough.
const MOST_COUNTED_UNITS: u64 = 30;

impl TestOf {
    /// Not yet corrected.
    pub(super) fn new(p_value: Result<f64, Reason>) -> Self {
        match p_value {
            Ok(p_value) => Self { p_value: Some(p_value), corrected: None, undefined: None },
            Err(reason) => Self { p_value: None, corrected: None, undefined: Some(reason) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::too_few_units;

    #[test]
    fn an_interval_needs_samples_outside_of_it() {
        for (units, confidence, is_enough) in [
            (0, 0.95, false),
            (1, 0.95, false),
            (4, 0.95, false),
            (5, 0.95, true),
            (5, 0.99, false),
            (6, 0.99, true),
            (3, 0.5, true),
            (1_000_000, 0.999_999, true),
        ] {
            assert_eq!(too_few_units(units, confidence).is_none(), is_enough, "{units}");
        }
        let text = too_few_units(4, 0.95).map(|reason| reason.text);
        assert_eq!(
            text.as_deref(),
            Some("of 4 items only 35 different samples can be drawn, too few")
        );
    }
}
