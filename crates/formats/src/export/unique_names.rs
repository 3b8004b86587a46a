//! Names of which each is there once.

use std::collections::{HashMap, HashSet};

/// The names given so far.
#[derive(Debug, Default)]
pub(crate) struct Unlike {
    taken: HashSet<String>,
    /// The number to try next for a name that is taken.
    next: HashMap<String, usize>,
}

impl Unlike {
    /// The name, with a number where another has it already; `key` is what no two may share.
    pub(crate) fn name(&mut self, wanted: &str, key: impl Fn(&str) -> String) -> String {
        let wanted_key = key(wanted);
        if self.taken.insert(wanted_key.clone()) {
            return wanted.to_owned();
        }
        let next = self.next.entry(wanted_key).or_insert(2);
        loop {
            let name = format!("{wanted}-{next}");
            *next += 1;
            if self.taken.insert(key(&name)) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Unlike;

    #[test]
    fn numbers_go_on_where_they_were_and_skip_what_is_taken() {
        let mut names = Unlike::default();
        let mut name = |wanted| names.name(wanted, str::to_lowercase);
        assert_eq!(
            ["a-3", "a", "A", "a", "A", "b"].map(&mut name),
            ["a-3", "a", "A-2", "a-4", "A-5", "b"]
        );
        assert_eq!(names.next.get("a"), Some(&6));
    }
}
