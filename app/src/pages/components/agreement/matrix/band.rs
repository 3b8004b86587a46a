//! Words and colours for coefficients: the bands of a published scale, a convention and no verdict.

use agreement::scales::{
    Band as Published, GREEN, KRENN_HOMOGENEITY, KRIPPENDORFF, LANDIS_KOCH, RIETVELD_VAN_HOUT,
    Scale,
};
use domain::{Confidence, ScaleChoice};

use crate::pages::components::prelude::*;

/// The scale that is chosen, as it was published.
pub(crate) const fn published(choice: ScaleChoice) -> &'static Scale {
    match choice {
        ScaleChoice::LandisKoch => &LANDIS_KOCH,
        ScaleChoice::Krippendorff => &KRIPPENDORFF,
        ScaleChoice::RietveldVanHout => &RIETVELD_VAN_HOUT,
        ScaleChoice::Green => &GREEN,
        ScaleChoice::Homogeneity => &KRENN_HOMOGENEITY,
    }
}

/// A band on screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Band {
    /// What the source calls it.
    pub(crate) word: &'static str,
    /// The class that shades it: steps of one colour, which differ in lightness and so stay apart
    /// for every eye; no colour but a dashed edge for what lies outside the scale, and for the
    /// lowest of six bands.
    pub(crate) class: &'static str,
}

/// A value for which the scale has no word.
const OUTSIDE: Band = Band { word: "no word", class: "band-0" };

impl Band {
    /// The band of a number, by the number itself and not by how it is rounded on screen.
    pub(crate) fn of(value: f64, choice: ScaleChoice) -> Self {
        let bands = published(choice).bands;
        let place = bands.iter().position(|band| band.from <= value && value < band.to);
        place.and_then(|place| nth(bands, place)).unwrap_or(OUTSIDE)
    }

    /// What can be claimed: the band of the interval's lower bound; nothing without an interval.
    pub(crate) fn claimed(confidence: Confidence, choice: ScaleChoice) -> Option<Self> {
        match confidence {
            Confidence::Interval { lower, .. } => Some(Self::of(lower, choice)),
            Confidence::Pending | Confidence::None(_) => None,
        }
    }

    /// The word on its colour.
    pub(crate) fn badge(self) -> AnyView {
        view! { <span class=format!("band-word {}", self.class)>{self.word}</span> }
    }
}

/// All bands of a scale from the lowest to the highest, with their ranges.
pub(crate) fn bands(choice: ScaleChoice) -> Vec<(Band, String)> {
    let bands = published(choice).bands;
    let with_range = |(place, band)| Some((nth(bands, place)?, range(band)));
    bands.iter().enumerate().filter_map(with_range).collect()
}

/// The band at a place of its scale. Fewer bands than colours take colours that lie far apart.
fn nth(bands: &[Published], place: usize) -> Option<Band> {
    let shade = match bands.len() {
        6 => place,
        _ => 2 * place + 1,
    };
    let class = ["band-0", "band-1", "band-2", "band-3", "band-4", "band-5"];
    Some(Band { word: bands.get(place)?.word, class: class.get(shade).copied()? })
}

/// "below 0", "0.21 to < 0.41", "0.81 and more".
fn range(band: &Published) -> String {
    let [from, to] = [band.from, band.to].map(|bound| display::decimals(bound, 2));
    match (band.from.is_finite(), band.to.is_finite()) {
        (true, true) => format!("{from} to < {to}"),
        (true, false) => format!("{from} and more"),
        (false, true) => format!("below {to}"),
        (false, false) => "any value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use domain::NoInterval;

    use super::*;

    #[test]
    fn a_bound_belongs_to_the_band_above_it() {
        let word = |value| Band::of(value, ScaleChoice::LandisKoch).word;
        assert_eq!(
            [0.0, 0.21, 0.41, 0.61, 0.81, 1.0].map(word),
            ["slight", "fair", "moderate", "substantial", "almost perfect", "almost perfect"]
        );
        assert_eq!(word(-f64::EPSILON), "poor");
        assert_eq!(word(0.81_f64.next_down()), "substantial");
    }

    #[test]
    fn the_lower_bound_decides_and_without_one_there_is_no_word() {
        let word =
            |confidence| Band::claimed(confidence, ScaleChoice::Krippendorff).map(|band| band.word);
        assert_eq!(word(Confidence::Interval { lower: 0.5, upper: 1.0 }), Some("to be discarded"));
        assert_eq!(word(Confidence::Pending), None);
        assert_eq!(word(Confidence::None(NoInterval::OneDocument)), None);
    }

    #[test]
    fn every_scale_has_a_word_and_a_colour_of_its_own_for_every_band() {
        for &choice in ScaleChoice::ALL {
            let bands = bands(choice);
            assert_eq!(bands.len(), published(choice).bands.len(), "{choice}");
            let mut classes: Vec<_> = bands.iter().map(|(band, _)| band.class).collect();
            classes.dedup();
            assert_eq!(classes.len(), bands.len(), "{choice}");
        }
        let outside = Band::of(0.9, ScaleChoice::RietveldVanHout);
        assert_eq!(outside, OUTSIDE, "the source's words end at .60");
    }

    #[test]
    fn ranges_say_where_they_are_open() {
        let ranges: Vec<_> =
            bands(ScaleChoice::Green).into_iter().map(|(_, range)| range).collect();
        assert_eq!(ranges, ["below 0.40", "0.40 to < 0.75", "0.75 and more"]);
    }
}
