//! Sets and maps put together piece by piece.

/// What `collect` makes of the items as well, but for that it first sorts them, by code that a browser
/// would load once more for every type. Of items with the same key the last one stays.
pub fn gathered<C: Default + Extend<T>, T>(items: impl IntoIterator<Item = T>) -> C {
    let mut all = C::default();
    all.extend(items);
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_last_of_a_key_stays_as_where_it_is_collected() {
        let items = [(2, 'a'), (1, 'b'), (2, 'c')];
        assert_eq!(gathered::<BTreeMap<_, _>, _>(items), BTreeMap::from(items));
    }
}
