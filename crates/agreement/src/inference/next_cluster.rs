//! How much narrower an interval is expected to become with one more document.

use crate::Undefined;
use crate::arithmetic::number::{count64, float, sum};
use crate::inference::Level;
use crate::inference::distributions::normal;

/// What is compared in one document: ratings on positions that several raters judged, and how much
/// of them disagrees, both in ratings. An expectation may be a fraction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// Ratings that have a partner, above 0.
    pub ratings: f64,
    /// Disagreement among them: from 0 to `ratings`.
    pub disagreement: f64,
}

/// How precisely documents of different length estimate a chance-corrected coefficient, and how
/// much more precisely one more would.
///
/// # Formula
/// With `n_d` ratings and `x_d` of disagreement in document `d` of `m`, `N = Σ n_d`, the observed
/// disagreement is the ratio `q = Σ x_d / N`, and its variance that of a ratio estimate from
/// clusters of unequal size:
/// ```text
/// V = m / (m − 1) · Σ (x_d − q n_d)² / N²
/// half-width of α = z √V / D_e
/// ```
/// The disagreement `D_e` that chance gives is held fixed. One more document, of `n` ratings of
/// which the share `p` is expected to disagree, adds the expected square
/// ```text
/// E (x − q n)² = n p (1 − p) (1 + (n − 1) ρ) + n² (p − q)²
/// V′ = (m + 1) / m · (Σ (x_d − q n_d)² + E (x − q n)²) / (N + n)²
/// ```
/// `1 + (n − 1) ρ` is the design effect of a cluster; the intraclass correlation `ρ`, from 0 to 1, is
/// the one under which the documents there are would vary as they do. So long documents help most,
/// unless positions of one document disagree together, or it is expected to be unlike the others.
/// Square roots are taken of expectations: the half-width expected is, if anything, a little less.
///
/// # References
/// Cochran, W. G. (1977). *Sampling Techniques*, 3rd edition, sections 2.11 and 9A.2 (ratio
/// estimates; single-stage cluster sampling with clusters of unequal size). Wiley.
/// Kish, L. (1965). *Survey Sampling*, sections 5.4 and 8.2 (the design effect). Wiley.
///
/// # Example
/// ```
/// # use agreement::inference::{Cluster, Level, NextCluster};
/// let cluster = |ratings, disagreement| Cluster { ratings, disagreement };
/// let there = [cluster(20.0, 4.0), cluster(30.0, 2.0), cluster(25.0, 6.0)];
/// let next = NextCluster::new(&there, 0.7)?;
/// let (short, long) = (cluster(4.0, 0.7), cluster(40.0, 7.0));
/// let now = next.half_width(Level::P95);
/// assert!(next.half_width_with(short, Level::P95) < now);
/// assert!(next.half_width_with(long, Level::P95) < next.half_width_with(short, Level::P95));
/// # Ok::<(), agreement::Undefined>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NextCluster {
    clusters: f64,
    ratings: f64,
    squares: f64,
    share: f64,
    correlation: f64,
    expected: f64,
}

impl NextCluster {
    /// What the documents there are say; `expected` is the disagreement `D_e` that chance gives.
    ///
    /// # Errors
    /// Fewer than two documents have ratings ([`Undefined::TooFewUnits`]), nobody disagrees, or
    /// everybody does, or all documents disagree alike, so that nothing shows how they vary
    /// ([`Undefined::NoVariance`]), or chance gives no disagreement ([`Undefined::OneCategory`]).
    pub fn new(clusters: &[Cluster], expected: f64) -> Result<Self, Undefined> {
        let clusters: Vec<_> = clusters.iter().filter(|cluster| cluster.ratings > 0.0).collect();
        if clusters.len() < 2 {
            return Err(Undefined::TooFewUnits);
        }
        if expected <= 0.0 {
            return Err(Undefined::OneCategory);
        }
        let ratings = sum(clusters.iter().map(|cluster| cluster.ratings));
        let share = sum(clusters.iter().map(|cluster| cluster.disagreement)) / ratings;
        let squares = sum(clusters.iter().map(|cluster| {
            let error = cluster.disagreement - share * cluster.ratings;
            error * error
        }));
        let spread = share * (1.0 - share);
        if spread <= 0.0 || squares <= 0.0 {
            return Err(Undefined::NoVariance);
        }
        let among = sum(clusters.iter().map(|one| one.ratings * (one.ratings - 1.0).max(0.0)));
        let correlation =
            if among > 0.0 { ((squares / spread - ratings) / among).clamp(0.0, 1.0) } else { 0.0 };
        let count = float(count64(clusters.len()));
        Ok(Self { clusters: count, ratings, squares, share, correlation, expected })
    }

    /// The intraclass correlation `ρ`.
    pub const fn correlation(&self) -> f64 {
        self.correlation
    }

    /// The observed disagreement `q`.
    pub const fn share(&self) -> f64 {
        self.share
    }

    /// Half the width of the interval as it is.
    pub fn half_width(&self, level: Level) -> f64 {
        let m = self.clusters;
        self.of(level, m / (m - 1.0), self.squares, self.ratings)
    }

    /// Half the width that is expected with one more document.
    pub fn half_width_with(&self, next: Cluster, level: Level) -> f64 {
        let (n, m) = (next.ratings, self.clusters);
        if n <= 0.0 {
            return self.half_width(level);
        }
        let p = (next.disagreement / n).clamp(0.0, 1.0);
        let design = 1.0 + (n - 1.0).max(0.0) * self.correlation;
        let apart = n * (p - self.share);
        let square = n * p * (1.0 - p) * design + apart * apart;
        self.of(level, (m + 1.0) / m, self.squares + square, self.ratings + n)
    }

    fn of(&self, level: Level, small: f64, squares: f64, ratings: f64) -> f64 {
        normal::upper_quantile(0.5 * level.outside()) * (small * squares).sqrt()
            / ratings
            / self.expected
    }
}
