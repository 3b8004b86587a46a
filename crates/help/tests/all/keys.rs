//! The keys that the help names are those of the editors.

use std::collections::BTreeSet;
use std::fs;

use crate::book::root;

/// Where the editors have their keys.
const TABLE: &str = "app/src/islands/editor/keys/table.rs";

/// The keys of an editor: those of its own, and those of both.
fn keys(of: &str) -> BTreeSet<String> {
    let table = fs::read_to_string(root().join(TABLE)).unwrap();
    let lines = table.lines().map(str::trim);
    let own = lines.filter(|line| line.starts_with(of) || line.starts_with("BOTH"));
    own.filter_map(|line| line.split('"').nth(3))
        .flat_map(|keys| keys.split(" or "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_key_in_a_table_of_the_help_does_something() {
    // Answers have digits, as many as there are.
    let digits = ["1", "2"].map(str::to_owned);
    for (page, of) in [("labelers", "ANNOTATOR"), ("reviewers", "REVIEWER")] {
        let known: BTreeSet<_> = keys(of).into_iter().chain(digits.clone()).collect();
        assert!(known.len() > 20, "{known:?}");
        let text = fs::read_to_string(root().join(format!("docs/people/{page}.md"))).unwrap();
        let rows = text.lines().filter(|line| line.starts_with("| "));
        let named: Vec<_> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
        assert!(named.len() > 8, "{page}: {named:?}");
        for key in named {
            assert!(known.contains(key), "{page}: {key}");
        }
    }
}
