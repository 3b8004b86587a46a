//! `docs/design/asvs.md` leaves no requirement out, and names tests and files that exist.

use std::{collections::BTreeSet, fs, path::Path};

/// The requirements of levels 1 and 2 of ASVS 5.0.0, by section.
const REQUIREMENTS: &[(&str, &str)] = &[
    ("1.1", "1 2"),
    ("1.2", "1 2 3 4 5 6 7 8 9"),
    ("1.3", "1 2 3 4 5 6 7 8 9 10 11"),
    ("1.4", "1 2 3"),
    ("1.5", "1 2"),
    ("2.1", "1 2 3"),
    ("2.2", "1 2 3"),
    ("2.3", "1 2 3 4"),
    ("2.4", "1"),
    ("3.2", "1 2"),
    ("3.3", "1 2 3 4"),
    ("3.4", "1 2 3 4 5 6"),
    ("3.5", "1 2 3 4 5"),
    ("3.7", "1 2"),
    ("4.1", "1 2 3"),
    ("4.2", "1"),
    ("4.3", "1 2"),
    ("4.4", "1 2 3 4"),
    ("5.1", "1"),
    ("5.2", "1 2 3"),
    ("5.3", "1 2"),
    ("5.4", "1 2 3"),
    ("6.1", "1 2 3"),
    ("6.2", "1 2 3 4 5 6 7 8 9 10 11 12"),
    ("6.3", "1 2 3 4"),
    ("6.4", "1 2 3 4"),
    ("6.5", "1 2 3 4 5"),
    ("6.6", "1 2 3"),
    ("6.8", "1 2 3 4"),
    ("7.1", "1 2 3"),
    ("7.2", "1 2 3 4"),
    ("7.3", "1 2"),
    ("7.4", "1 2 3 4 5"),
    ("7.5", "1 2"),
    ("7.6", "1 2"),
    ("8.1", "1 2"),
    ("8.2", "1 2 3"),
    ("8.3", "1"),
    ("8.4", "1"),
    ("9.1", "1 2 3"),
    ("9.2", "1 2 3 4"),
    ("10.1", "1 2"),
    ("10.2", "1 2"),
    ("10.3", "1 2 3 4"),
    ("10.4", "1 2 3 4 5 6 7 8 9 10 11"),
    ("10.5", "1 2 3 4 5"),
    ("10.6", "1 2"),
    ("10.7", "1 2 3"),
    ("11.1", "1 2"),
    ("11.2", "1 2 3"),
    ("11.3", "1 2 3"),
    ("11.4", "1 2 3 4"),
    ("11.5", "1"),
    ("11.6", "1"),
    ("12.1", "1 2 3"),
    ("12.2", "1 2"),
    ("12.3", "1 2 3 4"),
    ("13.1", "1"),
    ("13.2", "1 2 3 4 5"),
    ("13.3", "1 2"),
    ("13.4", "1 2 3 4 5"),
    ("14.1", "1 2"),
    ("14.2", "1 2 3 4"),
    ("14.3", "1 2 3"),
    ("15.1", "1 2 3"),
    ("15.2", "1 2 3"),
    ("15.3", "1 2 3 4 5 6 7"),
    ("16.1", "1"),
    ("16.2", "1 2 3 4 5"),
    ("16.3", "1 2 3 4"),
    ("16.4", "1 2 3"),
    ("16.5", "1 2 3"),
    ("17.1", "1"),
    ("17.2", "1 2 3 4"),
    ("17.3", "1 2"),
];

/// What may be said of a requirement.
const VERDICTS: [&str; 4] = ["met", "not met", "n/a", "operator"];

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rows of the tables, by their cells.
fn rows(page: &str) -> Vec<Vec<String>> {
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| No."));
    rows.filter(|line| !line.starts_with("| ---"))
        .map(|line| {
            line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
        })
        .collect()
}

#[test]
fn every_requirement_has_a_line_with_a_test_or_a_reason() {
    let page = read("docs/design/asvs.md");
    let mut listed = BTreeSet::new();
    for row in rows(&page) {
        let [number, _, name, verdict, by] = row.as_slice() else { panic!("{row:?}") };
        assert!(VERDICTS.contains(&verdict.as_str()), "{number}: {verdict}");
        assert!(!name.is_empty() && by.len() > 10, "{number} says neither test nor reason");
        assert!(listed.insert(number.clone()), "{number} is there twice");
        let count = page.matches(&format!("*{verdict}* ")).count();
        assert_eq!(count, 1, "the head counts what is {verdict}");
    }
    let wanted: BTreeSet<_> = REQUIREMENTS
        .iter()
        .flat_map(|(section, numbers)| {
            numbers.split(' ').map(move |number| format!("{section}.{number}"))
        })
        .collect();
    assert_eq!(listed, wanted);
    for verdict in VERDICTS {
        let count = rows(&page).iter().filter(|row| row[3] == verdict).count();
        assert!(page.contains(&format!("*{verdict}* {count}")), "{count} are {verdict}");
    }
}

#[test]
fn every_test_and_file_that_is_named_exists() {
    let mut tests = 0;
    for page in ["docs/design/asvs.md", "SECURITY.md"] {
        for word in read(page).split('`').skip(1).step_by(2) {
            if let Some((file, test)) = word.split_once("::") {
                assert!(read(file).contains(&format!("fn {test}(")), "{page}: {word}");
                tests += 1;
            } else if word.contains('/') && word.contains('.') && !word.starts_with('/') {
                assert!(!read(word).is_empty(), "{page}: {word}");
            }
        }
    }
    assert!(tests > 100, "{tests}");
}
