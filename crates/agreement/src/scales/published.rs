//! The published scales.
//!
//! Where a source prints bounds of two decimals, a band begins at the printed lower bound, so a
//! value has to reach it; where two printed bands share a bound, it belongs to the upper one.

use super::{Band, Scale};

const LOWEST: f64 = f64::NEG_INFINITY;
const HIGHEST: f64 = f64::INFINITY;

const fn band(from: f64, to: f64, word: &'static str) -> Band {
    Band { from, to, word }
}

/// The benchmarks of Landis and Koch, six words from poor to almost perfect.
pub const LANDIS_KOCH: Scale = Scale {
    name: "Landis & Koch",
    source: "Landis, J. R. and Koch, G. G. (1977). The measurement of observer agreement for \
             categorical data. Biometrics 33(1), 165. Printed as 0.00–0.20, 0.21–0.40, 0.41–0.60, \
             0.61–0.80 and 0.81–1.00.",
    of_lower_bound: false,
    bands: &[
        band(LOWEST, 0.0, "poor"),
        band(0.0, 0.21, "slight"),
        band(0.21, 0.41, "fair"),
        band(0.41, 0.61, "moderate"),
        band(0.61, 0.81, "substantial"),
        band(0.81, HIGHEST, "almost perfect"),
    ],
};

/// Krippendorff's rule for content analysis.
pub const KRIPPENDORFF: Scale = Scale {
    name: "Krippendorff",
    source: "Krippendorff, K. (1980). Content Analysis. Sage, 147; as quoted by Krenn, Evert and \
             Zinsmeister (2004), section 1.",
    of_lower_bound: false,
    bands: &[
        band(LOWEST, 0.67, "to be discarded"),
        band(0.67, 0.8, "tentative agreement"),
        band(0.8, HIGHEST, "definite agreement"),
    ],
};

/// The bands of Rietveld and van Hout; the rest of the scale is not quoted.
pub const RIETVELD_VAN_HOUT: Scale = Scale {
    name: "Rietveld & van Hout",
    source: "Rietveld, T. and van Hout, R. (1993). Statistical Techniques for the Study of \
             Language and Language Behaviour. Mouton de Gruyter; as quoted by Krenn, Evert and \
             Zinsmeister (2004), section 1. The bands quoted, .20–.45 and .40–.60, overlap; values \
             in both have both words.",
    of_lower_bound: false,
    bands: &[
        band(0.2, 0.4, "fair beyond chance"),
        band(0.4, 0.46, "fair to moderate beyond chance"),
        band(0.46, 0.61, "moderate beyond chance"),
    ],
};

/// Green's three degrees.
pub const GREEN: Scale = Scale {
    name: "Green",
    source: "Green, A. M. (1997). Kappa statistics for multiple raters using categorical \
             classifications. Proceedings of SUGI 22; as quoted by Krenn, Evert and Zinsmeister \
             (2004), section 1.",
    of_lower_bound: false,
    bands: &[
        band(LOWEST, 0.4, "low"),
        band(0.4, 0.75, "fair to good beyond chance"),
        band(0.75, HIGHEST, "high"),
    ],
};

/// The thresholds of Krenn, Evert and Zinsmeister for the least share of true agreement.
pub const KRENN_HOMOGENEITY: Scale = Scale {
    name: "Krenn, Evert & Zinsmeister",
    source: "Krenn, B., Evert, S. and Zinsmeister, H. (2004). Determining intercoder agreement for \
             a collocation identification task. KONVENS 2004, section 6: the minimum of the \
             homogeneity interval; below 60 % no agreement beyond chance, above it tentative to \
             good, and strong in their group G1, above 68 %.",
    of_lower_bound: true,
    bands: &[
        band(LOWEST, 0.6, "no agreement beyond chance"),
        band(0.6, 0.68, "tentative to good"),
        band(0.68, HIGHEST, "strong"),
    ],
};
