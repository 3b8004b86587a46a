//! The scales: their printed bounds, and that no value has two words.

use agreement::inference::Interval;
use agreement::scales::{
    GREEN, KRENN_HOMOGENEITY, KRIPPENDORFF, LANDIS_KOCH, RIETVELD_VAN_HOUT, SCALES, Scale,
};

fn words(scale: &Scale, values: &[f64]) -> Vec<&'static str> {
    values.iter().map(|&value| scale.band(value).map_or("-", |band| band.word)).collect()
}

#[test]
fn landis_koch_1977_printed_bounds() {
    let upper = words(&LANDIS_KOCH, &[-0.01, 0.2, 0.4, 0.6, 0.8, 1.0]);
    let lower = words(&LANDIS_KOCH, &[-1.0, 0.0, 0.21, 0.41, 0.61, 0.81]);
    assert_eq!(upper, lower);
    assert_eq!(upper, ["poor", "slight", "fair", "moderate", "substantial", "almost perfect"]);
}

#[test]
fn scales_quoted_by_krenn_2004() {
    assert_eq!(
        words(&KRIPPENDORFF, &[0.66, 0.67, 0.799, 0.8]),
        ["to be discarded", "tentative agreement", "tentative agreement", "definite agreement"]
    );
    assert_eq!(
        words(&RIETVELD_VAN_HOUT, &[0.19, 0.2, 0.4, 0.45, 0.5, 0.6, 0.7]),
        [
            "-",
            "fair beyond chance",
            "fair to moderate beyond chance",
            "fair to moderate beyond chance",
            "moderate beyond chance",
            "moderate beyond chance",
            "-"
        ]
    );
    assert_eq!(words(&GREEN, &[0.39, 0.4, 0.75]), ["low", "fair to good beyond chance", "high"]);
    assert_eq!(
        words(&KRENN_HOMOGENEITY, &[0.5614, 0.6012, 0.6865, 0.7193]),
        ["no agreement beyond chance", "tentative to good", "strong", "strong"]
    );
}

#[test]
fn bands_ascend_without_overlap() {
    for scale in SCALES {
        assert!(scale.bands.iter().all(|band| band.from < band.to), "{}", scale.name);
        assert!(scale.bands.is_sorted_by(|a, b| a.to <= b.from), "{}", scale.name);
        assert!(!scale.source.is_empty());
    }
}

#[test]
fn di_eugenio_glass_2004_threshold_falls_within_the_interval() {
    let assessment = KRIPPENDORFF.assess(0.68, &Interval { lower: 0.55, upper: 0.81 });
    assert_ne!(assessment.value, assessment.lower_bound);
    assert!(!assessment.is_settled());
}
