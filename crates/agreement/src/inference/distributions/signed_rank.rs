//! Wilcoxon's signed ranks, exactly, with any number of ties.

use crate::arithmetic::number::sum;

/// How likely the ranks of the positive differences add up to at most as much as they do, if each
/// difference was as likely its opposite: the p-value of "they do not lie below 0". Each difference is
/// given with how often it occurs; those of 0 are left out, and those of one size share their mean rank.
///
/// Time and memory grow with the cube and the square of the number of differences; it is for small samples.
///
/// Wilcoxon, F. (1945). Individual comparisons by ranking methods. *Biometrics Bulletin* 1(6), 80–83.
pub(crate) fn lower_tail(differences: &[(f64, u64)]) -> f64 {
    let mut sizes: Vec<(f64, bool, u64)> = differences
        .iter()
        .filter(|(difference, times)| *difference != 0.0 && *times > 0)
        .map(|(difference, times)| (difference.abs(), *difference > 0.0, *times))
        .collect();
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut ranks, mut observed, mut below) = (Vec::new(), 0, 0);
    for tied in sizes.chunk_by(|a, b| a.0.total_cmp(&b.0).is_eq()) {
        let all: u64 = tied.iter().map(|(_, _, times)| times).sum();
        // Twice the mean rank, which may be half of an odd number.
        let rank = 2 * below + all + 1;
        ranks.extend((0..all).map(|_| rank));
        let positive: u64 =
            tied.iter().filter(|(_, is_positive, _)| *is_positive).map(|t| t.2).sum();
        observed += rank * positive;
        below += all;
    }
    // How likely each sum is after each further rank, which is in it or not.
    let mut likely = vec![1.0];
    for rank in ranks {
        let without = likely.iter().copied().chain((0..rank).map(|_| 0.0));
        let with = (0..rank).map(|_| 0.0).chain(likely.iter().copied());
        likely = without.zip(with).map(|(a, b)| 0.5 * (a + b)).collect();
    }
    let at_most = (0..=observed).zip(likely).map(|(_, likely): (u64, f64)| likely);
    sum(at_most).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::lower_tail;

    fn of(differences: &[f64]) -> f64 {
        lower_tail(&differences.iter().map(|&one| (one, 1)).collect::<Vec<_>>())
    }

    /// By going through all signs.
    fn by_all_signs(differences: &[f64]) -> f64 {
        let sizes: Vec<f64> =
            differences.iter().map(|d| d.abs()).filter(|size| *size > 0.0).collect();
        let rank = |size: f64| {
            let below = sizes.iter().filter(|other| **other < size).count();
            let up_to = sizes.iter().filter(|other| **other <= size).count();
            below + up_to + 1
        };
        let observed: usize = differences.iter().filter(|d| **d > 0.0).map(|d| rank(d.abs())).sum();
        let all = 1_u32 << sizes.len();
        let sum = |signs: u32| -> usize {
            let places = sizes.iter().enumerate().filter(|(place, _)| signs >> place & 1 == 1);
            places.map(|(_, size)| rank(*size)).sum()
        };
        let at_most = (0..all).filter(|signs| sum(*signs) <= observed).count();
        f64::from(u32::try_from(at_most).unwrap()) / f64::from(all)
    }

    #[test]
    fn it_is_what_all_signs_come_to() {
        for differences in [
            &[-1.1, -0.1, 0.9, -0.1, -0.1, -1.1][..],
            &[-0.5, 0.5, 0.5, -1.5],
            &[0.0, 0.0, 1.0, -1.0, -1.0],
            &[1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0, -9.0],
            &[0.0],
            &[],
        ] {
            let (found, expected) = (of(differences), by_all_signs(differences));
            assert!((found - expected).abs() < 1e-15, "{differences:?} {found} {expected}");
        }
    }

    /// Of twelve differences the sum of the positive ranks is at most 13 in 87 of 4,096 ways, and at
    /// most 17 in 189: the critical values of 5 % and 10 %, two-sided, of the usual tables.
    #[test]
    fn critical_values_of_the_tables() {
        let mut differences: Vec<f64> = (1..=12).map(|rank| -f64::from(rank)).collect();
        for rank in [12, 1] {
            differences[rank - 1] *= -1.0;
        }
        assert!((of(&differences) - 87.0 / 4_096.0).abs() < 1e-15, "{}", of(&differences));
        differences[3] *= -1.0;
        assert!((of(&differences) - 189.0 / 4_096.0).abs() < 1e-15, "{}", of(&differences));
    }
}
