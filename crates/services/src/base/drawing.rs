//! Drawing by lot so that anybody can draw again: by a seed that follows from what was drawn before
//! and that nobody chooses, so that nobody can draw until they like it.

use std::fmt::Display;

use crate::base::secrets::checksum::checksum;

/// The seed of a draw; the words name what is drawn and the how-many-eth time it is.
pub(crate) fn seed(of: &str) -> String {
    let mut seed = checksum(of);
    seed.truncate(16);
    seed
}

/// Draws so many of the items, or all there are, each as likely as the others: those whose SHA-256 of
/// "seed:key" is lowest. The same call gives the same answer, with whatever program it is made.
pub(crate) fn draw<T, K: Display>(
    mut items: Vec<T>,
    many: usize,
    seed: &str,
    key: impl Fn(&T) -> K,
) -> Vec<T> {
    items.sort_by_cached_key(|item| checksum(format!("{seed}:{}", key(item))));
    items.truncate(many);
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_never_changes() {
        assert_eq!(seed("work of project 1, act 1"), "c3832d4bb9d8988b");
        assert_eq!(draw((1..=20).collect(), 5, "s", |n: &i32| *n), [18, 1, 7, 14, 13]);
    }
}
