//! The half-width that is expected with one more document: laws, and what resampling says.

use agreement::inference::{Cluster, Level, NextCluster, NominalUnits, Resampling};
use agreement::{Counts, Undefined, alpha_nominal};
use proptest::prelude::*;

fn cluster(ratings: f64, disagreement: f64) -> Cluster {
    Cluster { ratings, disagreement }
}

/// Documents with even numbers of ratings, some of which disagree.
fn documents() -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((1_u32..60).prop_flat_map(|n| (Just(n), 0..=n)), 2..20)
}

/// Documents that vary less than single ratings would: their positions disagree one by one.
fn alike() -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((20_u32..60, 0_u32..3).prop_map(|(n, x)| (n, n * 3 / 10 + x)), 2..20)
}

fn clusters(documents: &[(u32, u32)]) -> Vec<Cluster> {
    documents.iter().map(|(n, x)| cluster(2.0 * f64::from(*n), 2.0 * f64::from(*x))).collect()
}

#[test]
fn nothing_is_said_where_nothing_shows_how_documents_vary() {
    let of = |documents: &[Cluster]| NextCluster::new(documents, 0.5).map(|_| ());
    assert_eq!(of(&[]), Err(Undefined::TooFewUnits));
    assert_eq!(of(&[cluster(4.0, 1.0), cluster(0.0, 0.0)]), Err(Undefined::TooFewUnits));
    assert_eq!(of(&[cluster(4.0, 0.0), cluster(8.0, 0.0)]), Err(Undefined::NoVariance));
    assert_eq!(of(&[cluster(4.0, 1.0), cluster(8.0, 2.0)]), Err(Undefined::NoVariance));
    let chance = NextCluster::new(&[cluster(4.0, 1.0), cluster(8.0, 4.0)], 0.0);
    assert_eq!(chance.map(|_| ()), Err(Undefined::OneCategory));
}

#[test]
fn the_formula_filled_in_by_hand() {
    // q = 6/20; squares (2 − 3)² + (4 − 3)² = 2; V = 2/1 · 2/400.
    let there = [cluster(10.0, 2.0), cluster(10.0, 4.0)];
    let next = NextCluster::new(&there, 0.5).unwrap();
    let z = 1.959_963_984_540_054;
    assert!((next.half_width(Level::P95) - z * 0.1 / 0.5).abs() < 1e-12);
    // Documents vary less than single ratings would: no correlation.
    assert!(next.correlation().abs() < 1e-12);
    // E = 5 · 0.3 · 0.7; V′ = 3/2 · (2 + 1.05) / 625.
    let expected = z * (1.5_f64 * 3.05 / 625.0).sqrt() / 0.5;
    let with = next.half_width_with(cluster(5.0, 1.5), Level::P95);
    assert!((with - expected).abs() < 1e-12, "{with} {expected}");
}

#[test]
fn the_half_width_is_near_that_of_resampling_by_document() {
    // 40 documents of two raters, of 5 to 24 positions, a fifth to a third of them disputed.
    let pairs = |document: u32| -> Vec<(u32, u32)> {
        let pair = |at: u32| {
            let one = (at * 5 + document) % 3;
            let differs = (at * 13 + document * 29) % 11 < 2 + document % 3;
            (one, if differs { (one + 1) % 3 } else { one })
        };
        (0..5 + document * 7 % 20).map(pair).collect()
    };
    let tallies: Vec<_> = (0..40)
        .map(|document| {
            let items = pairs(document).into_iter().map(|(a, b)| ([a, b].into_iter().collect(), 1));
            Counts::from_items(items, []).unwrap().nominal_tally()
        })
        .collect();
    let mut whole = tallies[0].clone();
    for tally in &tallies[1..] {
        whole.merge(tally).unwrap();
    }
    let alpha = alpha_nominal(&whole).unwrap();
    let clusters: Vec<_> = (0..40)
        .map(|document| {
            let pairs = pairs(document);
            let differ = pairs.iter().filter(|(one, other)| one != other).count();
            let count = |n: usize| 2.0 * f64::from(u32::try_from(n).unwrap());
            cluster(count(pairs.len()), count(differ))
        })
        .collect();
    let next = NextCluster::new(&clusters, alpha.expected).unwrap();
    let units = NominalUnits::documents(&tallies).unwrap();
    let resampled = units
        .bootstrap(Resampling::default(), |tally| Ok(alpha_nominal(tally)?.value))
        .unwrap()
        .percentile(Level::P95);
    let half = resampled.width() / 2.0;
    let formula = next.half_width(Level::P95);
    assert!((formula / half - 1.0).abs() < 0.15, "formula {formula}, resampled {half}");
}

proptest! {
    /// The expected square is the mean over everything that the document can turn out to be.
    #[test]
    fn the_expectation_is_the_mean_over_all_outcomes(
        documents in alike(), n in 1_u32..30, p in 0.0_f64..1.0,
    ) {
        let there = clusters(&documents);
        let Ok(next) = NextCluster::new(&there, 0.6) else { return Ok(()) };
        prop_assume!(next.correlation() <= 0.0);
        let (q, size) = (next.share(), f64::from(n));
        let mut mean = 0.0;
        let mut weight = (1.0 - p).powi(i32::try_from(n).unwrap());
        for x in 0..=n {
            let x = f64::from(x);
            mean += weight * (x - q * size).powi(2);
            weight *= (size - x) / (x + 1.0) * p / (1.0 - p);
        }
        let squares: f64 = there.iter().map(|d| (d.disagreement - q * d.ratings).powi(2)).sum();
        let all: f64 = there.iter().map(|d| d.ratings).sum();
        let m = f64::from(u32::try_from(there.iter().filter(|d| d.ratings > 0.0).count()).unwrap());
        let z = 1.959_963_984_540_054;
        let by_hand = z * ((m + 1.0) / m * (squares + mean)).sqrt() / (all + size) / 0.6;
        let with = next.half_width_with(cluster(size, p * size), Level::P95);
        prop_assert!((with / by_hand - 1.0).abs() < 1e-6, "{with} {by_hand}");
    }

    /// Where ratings vary one by one, a document that is like the others helps the more the longer
    /// it is, and always helps.
    #[test]
    fn without_correlation_longer_documents_help_more(
        single in prop::collection::vec(any::<bool>(), 3..60), n in 1_u32..100, more in 1_u32..100,
    ) {
        let there: Vec<_> = single.iter().map(|x| cluster(1.0, f64::from(u8::from(*x)))).collect();
        let Ok(next) = NextCluster::new(&there, 0.5) else { return Ok(()) };
        prop_assert!(next.correlation().abs() < 1e-12);
        let like = |n: u32| cluster(f64::from(n), f64::from(n) * next.share());
        let with = |n| next.half_width_with(like(n), Level::P95);
        prop_assert!(with(n + more) < with(n) && with(n) < next.half_width(Level::P95));
    }

    /// What is expected to be unlike the others helps less.
    #[test]
    fn a_document_unlike_the_others_helps_less(
        documents in documents(), n in 2_u32..60, apart in 0.05_f64..0.4,
    ) {
        let Ok(next) = NextCluster::new(&clusters(&documents), 0.5) else { return Ok(()) };
        let (n, q) = (f64::from(n), next.share());
        // Towards one half, where a document is less certain in itself, too.
        let p = if q < 0.5 { q + apart * (0.5 - q) } else { q - apart * (q - 0.5) };
        let like = next.half_width_with(cluster(n, n * q), Level::P95);
        let unlike = next.half_width_with(cluster(n, n * p), Level::P95);
        prop_assert!(like <= unlike + 1e-12, "{like} {unlike}");
    }

    #[test]
    fn the_order_of_documents_and_nothing_more_to_compare_change_nothing(
        documents in documents(),
    ) {
        let there = clusters(&documents);
        let mut turned = there.clone();
        turned.reverse();
        prop_assert_eq!(NextCluster::new(&there, 0.5), NextCluster::new(&turned, 0.5));
        let Ok(next) = NextCluster::new(&there, 0.5) else { return Ok(()) };
        let nothing = next.half_width_with(cluster(0.0, 0.0), Level::P95);
        prop_assert!((nothing - next.half_width(Level::P95)).abs() < 1e-15);
        prop_assert!((0.0..=1.0).contains(&next.correlation()));
    }
}
