//! The alpha family of 2016: units and gaps are compared by the length of their intersections.

use crate::arithmetic::u256::{U256, one_minus};
use crate::{Continuum, Undefined};

/// `uα`: do the raters agree on boundaries and categories?
///
/// # Formula
/// `R` raters on a continuum of length `L`; `φ` is the value of a gap:
/// ```text
/// ℓ_ck = Σ_{i ≠ j} length on which rater i says c and rater j says k / (R − 1)
/// ε_ck = ℓ.. (ℓ_c. ℓ_.k − [c = k] x_c) / (ℓ..² − Σ_c x_c)      ℓ.. = RL
/// x_c  = Σ_units of c l²      x_φ = Σ_gaps l
/// uα   = 1 − Σ_{c ≠ k} ℓ_ck / Σ_{c ≠ k} ε_ck
/// ```
/// All of it is integers but the last division. With units of length 1 it is the alpha of coding.
///
/// # Undefined when
/// There are fewer than two raters, nobody marked a unit, one rater's units overlap, or all of
/// the continuum has one and the same value.
///
/// # Reference
/// Krippendorff, K., Mathet, Y., Bouvry, S., & Widlöcher, A. (2016). On the reliability of
/// unitizing textual continua: further developments. *Quality & Quantity*, 50, 2347–2364; in the
/// form of Krippendorff, K. (2019). *Content Analysis*, 4th edition, equations 32–34. Sage.
///
/// # Example
/// Two raters who agree in full, and two whose units do not meet at all.
/// ```
/// use agreement::{Continuum, Unit, u_alpha};
///
/// let unit = |rater, start, length| Unit { rater, start, length, category: "NP" };
/// let continuum = Continuum::new(0, 10, 2, [unit(0, 2, 2), unit(1, 2, 2)])?;
/// assert_eq!(u_alpha(&continuum)?, 1.0);
/// let continuum = Continuum::new(0, 50, 2, [unit(0, 0, 10), unit(1, 30, 10)])?;
/// assert_eq!(format!("{:.3}", u_alpha(&continuum)?), "-0.215");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn u_alpha<C: Ord>(continuum: &Continuum<C>) -> Result<f64, Undefined> {
    Coincidences::of(continuum)?.alpha(false)
}

/// `|uα`: do the raters agree on what is a unit and what a gap, whatever the categories?
///
/// # Formula
/// As [`u_alpha`], after all values but `φ` are merged in `ℓ` and in `ε` (equation 35).
///
/// # Undefined when
/// As [`u_alpha`]; also where units leave no gap at all.
///
/// # Reference
/// Krippendorff (2019), equation 35; see [`u_alpha`].
///
/// # Example
/// What the units are called does not matter.
/// ```
/// use agreement::{Continuum, Unit, u_alpha_binary};
///
/// let unit = |rater, category| Unit { rater, start: 2, length: 2, category };
/// let continuum = Continuum::new(0, 10, 2, [unit(0, "NP"), unit(1, "VP")])?;
/// assert_eq!(u_alpha_binary(&continuum)?, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn u_alpha_binary<C: Ord>(continuum: &Continuum<C>) -> Result<f64, Undefined> {
    Coincidences::of(continuum)?.alpha(true)
}

/// `cuα`: where both of two raters see a unit, do they agree on its category?
///
/// # Formula
/// `ℓ*` is `ℓ` without the row and the column of `φ`, and `ε*` is made from `ℓ*` as `ε` from `ℓ`,
/// with `x*_c` from the part of each unit that meets other raters' units (equations 36–37):
/// ```text
/// cuα = 1 − Σ_{c ≠ k} ℓ*_ck / Σ_{c ≠ k} ε*_ck
/// x*_c = Σ_units of c (Σ_{j ≠ i} length in common with units of rater j / (R − 1))²
/// ```
/// For two raters that is the published definition; for more, a unit counts in `x*` with what it
/// adds to `ℓ*`, which is the one reading that keeps every `ε*` at or above 0.
///
/// # Undefined when
/// As [`u_alpha`]; also where no two units of different raters meet, or all that meet are of one
/// category.
///
/// # Reference
/// Krippendorff (2019), equations 36 and 37; see [`u_alpha`].
///
/// # Example
/// Where units meet they have the same name, wherever they begin and end.
/// ```
/// use agreement::{Continuum, Unit, cu_alpha, ku_alpha};
///
/// let unit = |rater, start, length, category| Unit { rater, start, length, category };
/// let units = [unit(0, 0, 4, "NP"), unit(1, 2, 4, "NP"), unit(0, 10, 4, "VP"), unit(1, 9, 3, "VP")];
/// let continuum = Continuum::new(0, 20, 2, units)?;
/// assert_eq!((cu_alpha(&continuum)?, ku_alpha(&continuum, &"VP")?), (1.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cu_alpha<C: Ord>(continuum: &Continuum<C>) -> Result<f64, Undefined> {
    Coincidences::of(continuum)?.coding_alpha()
}

/// `(k)uα`: how reliable is one category, where units meet?
///
/// # Formula
/// With `ℓ*` and `ε*` of [`cu_alpha`] (equation 38):
/// ```text
/// (k)uα = 1 − (ε*_.k / ℓ*_.k) · (ℓ*_.k − ℓ*_kk) / (ε*_.k − ε*_kk)
/// ```
///
/// # Undefined when
/// As [`cu_alpha`], where the example is; also where no unit of this category meets another.
///
/// # Reference
/// Krippendorff (2019), equation 38; see [`u_alpha`].
pub fn ku_alpha<C: Ord>(continuum: &Continuum<C>, category: &C) -> Result<f64, Undefined> {
    let categories = continuum.categories();
    let index = categories.binary_search(&category).map_err(|_| Undefined::CategoryNotUsed)?;
    Coincidences::of(continuum)?.category_alpha(index)
}

/// What the family is made of, as integers: lengths over ordered pairs of raters, so `R − 1`
/// times those of the formulas wherever raters were compared.
struct Coincidences {
    /// `R − 1`.
    others: u128,
    /// `RL`.
    all: u128,
    /// Length of all units.
    valued: u128,
    /// Σ l² over units.
    squares: U256,
    /// Length on which two units meet.
    meeting: u128,
    categories: Vec<Category>,
}

/// One category's part of [`Coincidences`].
#[derive(Clone, Default)]
struct Category {
    /// Length of its units, `ℓ_c.`.
    length: u128,
    /// Length on which its units meet others.
    meeting: u128,
    /// Length on which its units meet others of the same category.
    agreeing: u128,
    /// Σ of the squared part of each unit that meets others.
    squares: U256,
}

impl Coincidences {
    fn of<C: Ord>(continuum: &Continuum<C>) -> Result<Self, Undefined> {
        if continuum.raters() < 2 {
            return Err(Undefined::TooFewRaters);
        }
        if continuum.unit_count() == 0 {
            return Err(Undefined::NoUnits);
        }
        if continuum.has_overlaps() {
            return Err(Undefined::OverlappingUnits);
        }
        Self::counted(continuum).ok_or(Undefined::TooLarge)
    }

    fn counted<C: Ord>(continuum: &Continuum<C>) -> Option<Self> {
        let names = continuum.categories();
        let mut stretches: Vec<Vec<Stretch>> = (0..continuum.raters())
            .map(|rater| {
                let units = continuum.units(rater).iter();
                units
                    .map(|unit| Stretch {
                        begin: unit.start,
                        end: unit.end(),
                        category: names.binary_search(&&unit.category).unwrap_or_default(),
                        meeting: 0,
                    })
                    .collect()
            })
            .collect();
        let mut agreeing = vec![0_u128; names.len()];
        for second in 1..stretches.len() {
            let (before, from) = stretches.split_at_mut(second);
            let from = from.first_mut()?;
            for first in before {
                meet(first, from, &mut agreeing);
            }
        }

        let raters = u128::try_from(continuum.raters()).ok()?;
        let mut categories = vec![Category::default(); names.len()];
        for stretch in stretches.iter().flatten() {
            let category = categories.get_mut(stretch.category)?;
            category.length += u128::from(stretch.end - stretch.begin);
            category.meeting = category.meeting.checked_add(stretch.meeting)?;
            category.squares =
                category.squares.checked_add(U256::product(stretch.meeting, stretch.meeting))?;
        }
        for (category, agreeing) in categories.iter_mut().zip(agreeing) {
            category.agreeing = agreeing;
        }
        let squares: Option<U256> = stretches
            .iter()
            .flatten()
            .map(|stretch| u128::from(stretch.end - stretch.begin))
            .map(|length| U256::from(length * length))
            .sum();
        Some(Self {
            others: raters - 1,
            all: raters.checked_mul(continuum.length().into())?,
            valued: categories.iter().map(|category| category.length).sum(),
            squares: squares?,
            meeting: categories.iter().map(|category| category.meeting).sum(),
            categories,
        })
    }

    /// `uα`, or `|uα` with all categories merged.
    fn alpha(&self, merged: bool) -> Result<f64, Undefined> {
        let gaps = self.all - self.valued;
        let agreeing: u128 = if merged {
            self.meeting
        } else {
            self.categories.iter().map(|category| category.agreeing).sum()
        };
        let lengths: Option<U256> = if merged {
            [self.valued].into_iter().map(|length| U256::product(length, length)).sum()
        } else {
            let categories = self.categories.iter().map(|category| category.length);
            categories.map(|length| U256::product(length, length)).sum()
        };
        let exact = || {
            // ℓ_φφ is what is left of the gaps' row after what meets units.
            let valued_in_gaps = self.others.checked_mul(self.valued)?.checked_sub(self.meeting)?;
            let within_gaps = self.others.checked_mul(gaps)?.checked_sub(valued_in_gaps)?;
            let everything = self.others.checked_mul(self.all)?;
            let disagreeing = everything.checked_sub(agreeing)?.checked_sub(within_gaps)?;

            let square = U256::product(self.all, self.all);
            let expected = square.checked_sub(lengths?)?.checked_sub(U256::product(gaps, gaps))?;
            let own = self.squares.checked_add(gaps.into())?;
            let part = square.checked_sub(own)?.checked_mul(disagreeing.into())?;
            Some((part, expected.checked_mul(everything.into())?))
        };
        let (part, whole) = exact().ok_or(Undefined::TooLarge)?;
        if whole.is_zero() {
            return Err(Undefined::OneCategory);
        }
        Ok(one_minus(part, whole))
    }

    fn coding_alpha(&self) -> Result<f64, Undefined> {
        if self.meeting == 0 {
            return Err(Undefined::NoSharedPositions);
        }
        let exact = || {
            let agreeing: u128 = self.categories.iter().map(|category| category.agreeing).sum();
            let own: Option<U256> = self.categories.iter().map(|category| category.squares).sum();
            let rows = self.categories.iter().map(|category| category.meeting);
            let rows: Option<U256> = rows.map(|row| U256::product(row, row)).sum();
            let square = U256::product(self.meeting, self.meeting);
            let disagreeing = self.meeting.checked_sub(agreeing)?;
            let part = square.checked_sub(own?)?.checked_mul(disagreeing.into())?;
            Some((part, square.checked_sub(rows?)?.checked_mul(self.meeting.into())?))
        };
        let (part, whole) = exact().ok_or(Undefined::TooLarge)?;
        if whole.is_zero() {
            return Err(Undefined::OneCategory);
        }
        Ok(one_minus(part, whole))
    }

    fn category_alpha(&self, index: usize) -> Result<f64, Undefined> {
        let category = self.categories.get(index).ok_or(Undefined::CategoryNotUsed)?;
        if category.meeting == 0 {
            return Err(Undefined::NoSharedPositions);
        }
        let exact = || {
            let row = category.meeting;
            let expected = U256::product(self.meeting, row).checked_sub(category.squares)?;
            let part = expected.checked_mul(row.checked_sub(category.agreeing)?.into())?;
            let chance = U256::product(row, row);
            Some((part, chance.checked_mul(self.meeting.checked_sub(row)?.into())?))
        };
        let (part, whole) = exact().ok_or(Undefined::TooLarge)?;
        if whole.is_zero() {
            return Err(Undefined::OneCategory);
        }
        Ok(one_minus(part, whole))
    }
}

/// A unit, and how much of it met other raters' units so far.
struct Stretch {
    begin: u64,
    end: u64,
    category: usize,
    meeting: u128,
}

/// Adds what the units of two raters have in common, in one walk along both.
fn meet(first: &mut [Stretch], second: &mut [Stretch], agreeing: &mut [u128]) {
    let (mut left, mut right) = (first.iter_mut().peekable(), second.iter_mut().peekable());
    while let (Some(a), Some(b)) = (left.peek_mut(), right.peek_mut()) {
        let common = a.end.min(b.end).saturating_sub(a.begin.max(b.begin));
        a.meeting += u128::from(common);
        b.meeting += u128::from(common);
        if a.category == b.category
            && let Some(length) = agreeing.get_mut(a.category)
        {
            *length += 2 * u128::from(common);
        }
        if a.end <= b.end {
            left.next();
        } else {
            right.next();
        }
    }
}
