//! A prediction as plain numbers, which is what a module of WebAssembly hands over cheaply.

use agreement::ManyMeasure;

use crate::{Lack, Prediction, Row, Subject};

/// What two to the power of 32 is.
const HIGH: f64 = 4_294_967_296.0;

impl Prediction {
    /// The revision, and then ten numbers for each row:
    ///
    /// | Place | What |
    /// | --- | --- |
    /// | 0 | 0 a pair, 1 a rater with all labelers, 2 with all reviewers, 3 all labelers |
    /// | 1, 2 | the raters' ids; of all labelers 0 Fleiss' κ, 1 α, 2 the percentage |
    /// | 3 | 0 if there is a value, or why there is none: the place of the [`Lack`], from 1 |
    /// | 4, 5, 6 | the value and its interval; not numbers where there is none |
    /// | 7, 8, 9 | positions counted, those both judged, those at least one judged |
    pub fn numbers(&self) -> Vec<f64> {
        let rows = self.rows.iter().flat_map(numbers_of_row);
        std::iter::once(float(self.revision)).chain(rows).collect()
    }
}

fn numbers_of_row(row: &Row) -> [f64; 10] {
    let Row { subject, basis, value } = *row;
    let [kind, first, second] = match subject {
        Subject::Pair(first, second) => [0, first, second],
        Subject::WithLabelers(rater) => [1, rater, 0],
        Subject::WithReviewers(rater) => [2, rater, 0],
        Subject::Labelers(measure) => [3, number_of_measure(measure), 0],
    };
    let interval = value.ok().and_then(|value| value.interval);
    [
        float(kind),
        float(first),
        float(second),
        value.err().map_or(0.0, number_of_lack),
        value.map_or(f64::NAN, |value| value.value),
        interval.map_or(f64::NAN, |(lower, _)| lower),
        interval.map_or(f64::NAN, |(_, upper)| upper),
        float(basis.n),
        float(basis.both),
        float(basis.positions),
    ]
}

const fn number_of_measure(measure: ManyMeasure) -> u64 {
    match measure {
        ManyMeasure::FleissKappa => 0,
        ManyMeasure::Alpha => 1,
        ManyMeasure::Percent => 2,
    }
}

const fn number_of_lack(lack: Lack) -> f64 {
    match lack {
        Lack::SharedDocuments => 1.0,
        Lack::SharedPositions => 2.0,
        Lack::SecondCategory => 3.0,
        Lack::SecondChoice => 4.0,
        Lack::Spans => 5.0,
        Lack::Others => 6.0,
        Lack::CommonPositions => 7.0,
    }
}

/// An id or a count; exact up to 2^53.
fn float(number: u64) -> f64 {
    let half = |bits: u64| u32::try_from(bits & 0xffff_ffff).map_or(0.0, f64::from);
    half(number >> 32) * HIGH + half(number)
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn ids_beyond_32_bits_stay_what_they_are() {
        let written = [7, 1 << 40, (1 << 53) - 1].map(|id| float(id).to_string());
        assert_eq!(written, ["7", "1099511627776", "9007199254740991"]);
    }
}
