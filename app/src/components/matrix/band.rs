//! Words for coefficients: the scale of Landis and Koch (1977), a convention and no verdict.

/// A band of the scale. A band begins at its lower bound and ends before the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Band {
    Poor,
    Slight,
    Fair,
    Moderate,
    Substantial,
    AlmostPerfect,
}

impl Band {
    /// From the lowest to the highest.
    pub(crate) const ALL: [Self; 6] = [
        Self::Poor,
        Self::Slight,
        Self::Fair,
        Self::Moderate,
        Self::Substantial,
        Self::AlmostPerfect,
    ];

    /// The band of a value, by the value itself and not by how it is rounded on screen.
    pub(crate) fn of(value: f64) -> Self {
        match value {
            ..0.0 => Self::Poor,
            0.0..0.2 => Self::Slight,
            0.2..0.4 => Self::Fair,
            0.4..0.6 => Self::Moderate,
            0.6..0.8 => Self::Substantial,
            _ => Self::AlmostPerfect,
        }
    }

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Poor => "poor",
            Self::Slight => "slight",
            Self::Fair => "fair",
            Self::Moderate => "moderate",
            Self::Substantial => "substantial",
            Self::AlmostPerfect => "almost perfect",
        }
    }

    /// The band's values: "below 0", ".20 to < .40".
    pub(crate) const fn range(self) -> &'static str {
        match self {
            Self::Poor => "below 0",
            Self::Slight => "0 to < .20",
            Self::Fair => ".20 to < .40",
            Self::Moderate => ".40 to < .60",
            Self::Substantial => ".60 to < .80",
            Self::AlmostPerfect => ".80 to 1",
        }
    }

    /// The class that shades it: five steps of one colour, which differ in lightness and so stay
    /// apart for every eye; below zero there is no colour but a dashed edge.
    pub(crate) const fn class(self) -> &'static str {
        match self {
            Self::Poor => "band-0",
            Self::Slight => "band-1",
            Self::Fair => "band-2",
            Self::Moderate => "band-3",
            Self::Substantial => "band-4",
            Self::AlmostPerfect => "band-5",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_belongs_to_the_band_above_it() {
        let words: Vec<_> =
            [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(|value| Band::of(value).word()).into();
        assert_eq!(
            words,
            ["slight", "fair", "moderate", "substantial", "almost perfect", "almost perfect"]
        );
        assert_eq!(Band::of(-f64::EPSILON), Band::Poor);
        assert_eq!(Band::of(0.2_f64.next_down()), Band::Slight);
        assert_eq!(Band::of(0.8_f64.next_down()), Band::Substantial);
    }

    #[test]
    fn bands_go_from_low_to_high() {
        let by_value = [-0.5, 0.1, 0.3, 0.5, 0.7, 0.9].map(Band::of);
        assert_eq!(by_value, Band::ALL);
    }
}
