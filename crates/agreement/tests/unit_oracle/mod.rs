//! Definitions of the measures over units, to the letter: slow, and in exact fractions.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the numbers are small, and a test may fail"
)]

use std::collections::BTreeSet;

use agreement::{Continuum, Unit};
use num_rational::BigRational;
use num_traits::{FromPrimitive, ToPrimitive, Zero};

/// How long the continua of the tests are.
pub(crate) const LENGTH: u64 = 40;

pub(crate) fn whole(number: u64) -> BigRational {
    BigRational::from_u64(number).unwrap()
}

pub(crate) fn square(number: u64) -> BigRational {
    whole(number) * whole(number)
}

/// `(begin, end, is a unit)` of a rater's sections, gaps included, for one category.
pub(crate) fn sections(
    continuum: &Continuum<u8>,
    rater: usize,
    category: u8,
) -> Vec<(u64, u64, bool)> {
    let mut sections = Vec::new();
    let mut end = 0;
    for unit in continuum.units(rater).iter().filter(|unit| unit.category == category) {
        if unit.start > end {
            sections.push((end, unit.start, false));
        }
        sections.push((unit.start, unit.end(), true));
        end = unit.end();
    }
    if end < LENGTH {
        sections.push((end, LENGTH, false));
    }
    sections
}

/// `D_o` and `D_e` of the 1995 paper, section by section.
pub(crate) fn alpha_u_by_definition(
    continuum: &Continuum<u8>,
    category: u8,
) -> (BigRational, BigRational) {
    let raters = continuum.raters();
    let all: Vec<_> = (0..raters).map(|rater| sections(continuum, rater, category)).collect();
    let mut observed = BigRational::zero();
    for i in 0..raters {
        for j in (0..raters).filter(|&j| j != i) {
            for g in &all[i] {
                for h in &all[j] {
                    let intersect = g.0 < h.1 && h.0 < g.1;
                    if g.2 && h.2 && intersect {
                        observed += square(g.0.abs_diff(h.0)) + square(g.1.abs_diff(h.1));
                    } else if g.2 && !h.2 && h.0 <= g.0 && g.1 <= h.1 {
                        observed += square(g.1 - g.0);
                    } else if !g.2 && h.2 && g.0 <= h.0 && h.1 <= g.1 {
                        observed += square(h.1 - h.0);
                    }
                }
            }
        }
    }
    let pairs = u64::try_from(raters * (raters - 1)).unwrap();
    observed /= whole(pairs) * square(LENGTH);

    let lengths = |unit: bool| -> Vec<u64> {
        all.iter().flatten().filter(|s| s.2 == unit).map(|s| s.1 - s.0).collect()
    };
    let (units, gaps) = (lengths(true), lengths(false));
    let mut chance = BigRational::zero();
    let mut within = BigRational::zero();
    for &l in &units {
        let others = whole(u64::try_from(units.len()).unwrap() - 1) / whole(3);
        let l = whole(l);
        chance += others * (whole(2) * &l * &l * &l - whole(3) * &l * &l + &l);
        for gap in gaps.iter().map(|&gap| whole(gap)).filter(|gap| *gap >= l) {
            chance += &l * &l * (gap - &l + whole(1));
        }
        within += &l * (&l - whole(1));
    }
    let all = whole(u64::try_from(raters).unwrap() * LENGTH);
    let scale = &all * (&all - whole(1)) - within;
    (observed, whole(2) / whole(LENGTH) * chance / scale)
}

/// `ℓ` and `ε` of the 2016 paper, point by point; the gap comes last.
pub(crate) fn coincidences_by_definition(continuum: &Continuum<u8>) -> [Vec<Vec<BigRational>>; 2] {
    const GAP: usize = 3;
    let raters = continuum.raters();
    let mut values = vec![vec![GAP; usize::try_from(LENGTH).unwrap()]; raters];
    let mut own = vec![BigRational::zero(); 4];
    for unit in continuum.all_units() {
        for point in unit.start..unit.end() {
            values[unit.rater][usize::try_from(point).unwrap()] = usize::from(unit.category);
        }
        own[usize::from(unit.category)] += square(unit.length);
    }
    let mut observed = vec![vec![BigRational::zero(); 4]; 4];
    let weight = whole(1) / whole(u64::try_from(raters - 1).unwrap());
    for i in 0..raters {
        for j in (0..raters).filter(|&j| j != i) {
            for (&a, &b) in values[i].iter().zip(&values[j]) {
                observed[a][b] += &weight;
            }
        }
    }
    let gaps = values.iter().flatten().filter(|&&value| value == GAP).count();
    own[GAP] = BigRational::from_usize(gaps).unwrap();
    let all = whole(u64::try_from(raters).unwrap() * LENGTH);
    let scale = &all * &all - own.iter().sum::<BigRational>();
    let margin = |value: usize| observed[value].iter().sum::<BigRational>();
    let expected = (0..4)
        .map(|a| {
            let cell = |b: usize| {
                let same = if a == b { own[a].clone() } else { BigRational::zero() };
                (margin(a) * margin(b) - same) * &all / &scale
            };
            (0..4).map(cell).collect()
        })
        .collect();
    [observed, expected]
}

pub(crate) fn off_diagonal(
    matrix: &[Vec<BigRational>],
    differ: impl Fn(usize, usize) -> bool,
) -> BigRational {
    let cells = (0..4).flat_map(|a| (0..4).map(move |b| (a, b)));
    cells.filter(|&(a, b)| differ(a, b)).map(|(a, b)| matrix[a][b].clone()).sum()
}

pub(crate) fn close(actual: f64, expected: &BigRational) -> bool {
    (actual - expected.to_f64().unwrap()).abs() <= 1e-12 * actual.abs().max(1.0)
}

/// The least cost of all partitions, by trying them: the first unit goes with any choice of the
/// others that are of different raters.
pub(crate) fn least_cost(units: &[Unit<u8>], raters: usize) -> f64 {
    let Some((first, rest)) = units.split_first() else { return 0.0 };
    let mut least = f64::INFINITY;
    for choice in 0..1_u32 << rest.len() {
        let chosen = |place: usize| choice >> place & 1 == 1;
        let mut together = vec![first];
        together.extend(rest.iter().enumerate().filter(|(i, _)| chosen(*i)).map(|(_, u)| u));
        let apart: BTreeSet<usize> = together.iter().map(|unit| unit.rater).collect();
        if apart.len() < together.len() {
            continue;
        }
        let left: Vec<Unit<u8>> =
            rest.iter().enumerate().filter(|(i, _)| !chosen(*i)).map(|(_, u)| u.clone()).collect();
        least = least.min(cost(&together, raters) + least_cost(&left, raters));
    }
    least
}

pub(crate) fn cost(together: &[&Unit<u8>], raters: usize) -> f64 {
    let pairs = (raters * (raters - 1) / 2) as f64;
    let mut sum = pairs;
    for (place, a) in together.iter().enumerate() {
        for b in &together[place + 1..] {
            let apart = a.start.abs_diff(b.start) + a.end().abs_diff(b.end());
            let part = apart as f64 / (a.length + b.length) as f64;
            sum += part * part + f64::from(u8::from(a.category != b.category)) - 1.0;
        }
    }
    sum / pairs
}

/// `P_k` and `WindowDiff`, window by window.
pub(crate) fn windows_by_definition(first: &[bool], second: &[bool]) -> Option<(f64, f64)> {
    let n = first.len() + 1;
    let segments = second.iter().filter(|boundary| **boundary).count() + 1;
    let window = ((n as f64 / segments as f64 / 2.0).round_ties_even() as usize).max(2);
    let windows = n.checked_sub(window).filter(|windows| *windows > 0)?;
    let count = |boundaries: &[bool]| boundaries.iter().filter(|boundary| **boundary).count();
    let (mut pk, mut wd) = (0, 0);
    for i in 0..windows {
        let (a, b) = (count(&first[i..i + window]), count(&second[i..i + window]));
        pk += usize::from((a == 0) != (b == 0));
        wd += usize::from(a != b);
    }
    Some((pk as f64 / windows as f64, wd as f64 / windows as f64))
}
