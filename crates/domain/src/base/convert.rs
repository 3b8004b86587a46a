//! One thing made of another: numbers of other widths, sets and maps.

/// Numbers of a fixed width, with the highest there is.
pub trait Width: Sized {
    const MAX: Self;
}

macro_rules! widths {
    ($($number:ident),+) => { $(impl Width for $number { const MAX: Self = Self::MAX; })+ };
}

widths! { u32, u64, usize, i64 }

/// A number in another width; the highest there is where it has no room. That is no value of anything
/// that is counted here: no memory holds so many.
pub fn saturating<T: Width>(number: impl TryInto<T>) -> T {
    number.try_into().unwrap_or(T::MAX)
}

/// A number of things as one that may have a fraction: the same up to 2⁵³, the nearest beyond.
pub fn to_f64(n: u64) -> f64 {
    const HALF: f64 = 4_294_967_296.0;
    let [high, low] = [n >> 32, n & u64::from(u32::MAX)].map(saturating::<u32>);
    f64::from(high).mul_add(HALF, f64::from(low))
}

/// What `collect` makes of the items as well, but for that it first sorts them, by code that a browser
/// would load once more for every type. Of items with the same key the last one stays.
pub fn collect_unsorted<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_number_without_room_is_the_highest_there_is() {
        assert_eq!(saturating::<u64>(7_usize), 7);
        assert_eq!(saturating::<u32>(u64::MAX), u32::MAX);
        assert_eq!(saturating::<i64>(u64::MAX), i64::MAX);
    }

    #[test]
    fn what_needs_more_than_32_bits_is_the_same_number_with_a_fraction() {
        for n in [0, 7, u64::from(u32::MAX), 5 << 30, (1 << 53) - 1] {
            assert_eq!(format!("{:.0}", to_f64(n)), n.to_string());
        }
    }

    #[test]
    fn the_last_of_a_key_stays_as_where_it_is_collected() {
        let items = [(2, 'a'), (1, 'b'), (2, 'c')];
        assert_eq!(collect_unsorted::<BTreeMap<_, _>, _>(items), BTreeMap::from(items));
    }
}
