//! From a continuum to its best alignment and those of random annotations.

use super::alignment::{self, best_alignment};
use super::best::{Alignment, Sample};
use super::categorial::{CategorialSums, categorial_sums};
use super::dissimilarity::{Categories, Dissimilarity, Item};
use super::estimate::{GammaOptions, corrected};
use super::random::Random;
use super::shuffle::Shuffler;
use crate::{Continuum, Undefined, Unit};

/// A continuum made ready for alignment.
pub(super) struct Aligner<'a, C> {
    continuum: &'a Continuum<C>,
    options: GammaOptions,
    dissimilarity: Dissimilarity,
    categories: Vec<&'a C>,
    /// Sorted, with the units they stand for.
    items: Vec<(Item, &'a Unit<C>)>,
}

impl<'a, C: Ord> Aligner<'a, C> {
    pub(super) fn new(
        continuum: &'a Continuum<C>,
        options: &GammaOptions,
        categories: Categories,
    ) -> Result<Self, Undefined> {
        let GammaOptions { alpha, beta, delta_empty, precision, .. } = *options;
        let weights = [alpha, beta].iter().all(|weight| weight.is_finite() && *weight >= 0.0);
        let scales = [delta_empty, precision].iter().all(|scale| scale.is_finite() && *scale > 0.0);
        if !(weights && scales) {
            return Err(Undefined::OptionOutOfRange);
        }
        if continuum.raters() < 2 {
            return Err(Undefined::TooFewRaters);
        }
        if continuum.unit_count() == 0 {
            return Err(Undefined::NoUnits);
        }
        let names = continuum.categories();
        let mut items: Vec<(Item, &Unit<C>)> = continuum
            .all_units()
            .map(|unit| {
                let start = unit.start - continuum.begin();
                let category = names.binary_search(&&unit.category).unwrap_or_default();
                (Item { start, end: start + unit.length, category, rater: unit.rater }, unit)
            })
            .collect();
        items.sort_by_key(|item| item.0);
        let dissimilarity = Dissimilarity { positional: alpha, categorical: beta, categories };
        Ok(Self { continuum, options: *options, dissimilarity, categories: names, items })
    }

    pub(super) fn observed(&self) -> Result<Alignment<'a, C>, Undefined> {
        let items: Vec<Item> = self.items.iter().map(|item| item.0).collect();
        let (aligned, disorder, sums) = self.align(&items)?;
        let unit = |&index: &usize| self.items.get(index).map(|item| item.1);
        let unitary =
            aligned.unitary.iter().map(|members| members.iter().filter_map(unit).collect());
        Ok(Alignment {
            unitary: unitary.collect(),
            disorder,
            sums,
            delta_empty: self.options.delta_empty,
            categories: self.categories.clone(),
        })
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "the number of samples is clamped to what the options allow"
    )]
    pub(super) fn samples(&self) -> Result<Vec<Sample>, Undefined> {
        let items: Vec<Item> = self.items.iter().map(|item| item.0).collect();
        let shuffler = Shuffler::new(&items, self.continuum.raters(), self.continuum.length());
        let most = self.options.most_samples.max(2);
        let first = self.options.samples.clamp(2, most);
        let mut samples = self.draw(&shuffler, 0..first)?;
        let of_first = corrected(0.0, samples.iter().map(|sample| sample.disorder))?;
        // The precision falls with the root of the number of samples.
        let times = (of_first.precision / self.options.precision).powi(2);
        let needed = (times * first as f64).ceil().min(most as f64) as usize;
        samples.extend(self.draw(&shuffler, first..needed.max(first))?);
        Ok(samples)
    }

    fn draw(
        &self,
        shuffler: &Shuffler,
        numbers: std::ops::Range<usize>,
    ) -> Result<Vec<Sample>, Undefined> {
        numbers
            .map(|number| {
                let number = u64::try_from(number).map_err(|_| Undefined::TooLarge)?;
                let mut random = Random::stream(self.options.seed, number);
                // A rater without units may be drawn for all; that is no annotation.
                let mut items = shuffler.draw(&mut random);
                while items.is_empty() {
                    items = shuffler.draw(&mut random);
                }
                let (_, disorder, sums) = self.align(&items)?;
                Ok(Sample { disorder, sums })
            })
            .collect()
    }

    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "units and raters are counted, far below 2^53"
    )]
    fn align(
        &self,
        items: &[Item],
    ) -> Result<(alignment::Alignment, f64, CategorialSums), Undefined> {
        let raters = self.continuum.raters();
        let aligned = best_alignment(items, raters, &self.dissimilarity)?;
        let units_per_rater = items.len() as f64 / raters as f64;
        let disorder = aligned.cost * self.options.delta_empty / units_per_rater;
        let sums = categorial_sums(
            items,
            &aligned.unitary,
            raters,
            self.categories.len(),
            &self.dissimilarity,
            self.options.delta_empty,
        );
        Ok((aligned, disorder, sums))
    }
}
