//! The report as people see it, compared with a file.

use std::{env, fs};

use study::command::Output;
use study::report::{ConsensusMethod, Diagnostic, Style};

use crate::printed;
use crate::published::FOUR_OBSERVERS;

/// Compares with a file beside the tests, or writes it where `UPDATE_GOLDEN` is set.
fn compare(name: &str, text: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == golden, "{name} is now\n{text}");
}

#[test]
fn four_observers() {
    let text = printed(FOUR_OBSERVERS, |options| {
        options.report.diagnostics = vec![
            Diagnostic::Coincidence,
            Diagnostic::Categories,
            Diagnostic::Items,
            Diagnostic::Confusions,
        ];
    });
    compare("four_observers.txt", &text);
}

#[test]
fn consensus() {
    let text = printed(FOUR_OBSERVERS, |options| {
        options.report.measures = vec!["percent".to_owned()];
        options.report.consensus = Some(ConsensusMethod::DawidSkene);
    });
    compare("consensus.txt", &text);
}

#[test]
fn competences() {
    let text = printed(FOUR_OBSERVERS, |options| {
        options.report.measures = vec!["percent".to_owned()];
        options.report.consensus = Some(ConsensusMethod::Mace);
    });
    let (_, part) = text.split_once("Consensus: MACE").unwrap();
    compare("competences.txt", part);
}

#[test]
fn the_least_certain_items_come_first_where_not_all_are_listed() {
    let text = printed(FOUR_OBSERVERS, |options| {
        options.report.consensus = Some(ConsensusMethod::Majority);
        options.report.top = 2;
    });
    let (_, part) =
        text.split_once("Consensus: Majority, least certain first (2 of 12)\n").unwrap();
    let rows: Vec<&str> = part.lines().skip(1).take(3).map(str::trim).collect();
    let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(
        cells,
        [vec!["6", "4", "1", "0.250", "1,", "2,", "3,", "4"], vec!["2", "4", "2", "0.750"], vec![]]
    );
}

#[test]
fn two_raters() {
    let file = "item,John,Mary\n1,0,0\n2,1,1\n3,1,0\n4,0,0\n5,0,0\n6,1,0\n7,0,0\n8,1,0\n9,0,1\n\
                10,0,0\n";
    let text = printed(file, |options| {
        options.report.diagnostics = vec![Diagnostic::Contingency, Diagnostic::Prevalence];
    });
    compare("two_raters.txt", &text);
}

#[test]
fn units() {
    let file = "rater,start,end,label\nAnn,0,5,NP\nAnn,8,12,VP\nBob,1,5,NP\nBob,8,12,VP\n";
    let text = printed(file, |options| options.report.diagnostics = vec![Diagnostic::Continuum]);
    compare("units.txt", &text);
}

#[test]
fn no_line_is_wider_than_120_columns() {
    let long = "x".repeat(200);
    let file = FOUR_OBSERVERS.replace(";A;", &format!(";{long};")).replace('5', &long);
    let text = printed(&file, |options| {
        options.report.diagnostics = vec![
            Diagnostic::Contingency,
            Diagnostic::Reliability,
            Diagnostic::Raters,
            Diagnostic::Items,
            Diagnostic::Confusions,
        ];
        options.report.consensus = Some(ConsensusMethod::DawidSkene);
        options.report.gold = Some("B".to_owned());
        options.report.stand_in = Some("B".to_owned());
    });
    let widest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
    assert!(widest.chars().count() <= 120, "{widest}");
}

#[test]
fn colour_is_for_terminals_and_files_cannot_command_one() {
    let file = "A,\"B\u{1b}[31m\"\nx\u{7},y\ny,y\n";
    assert!(!printed(file, |_| ()).contains('\u{1b}'));
    let text = printed(file, |options| options.output = Output::Text(Style { colour: true }));
    assert!(text.contains("\u{1b}[1mAgreement\u{1b}[0m"));
    assert!(!text.contains("[31m\u{1b}") && !text.contains('\u{7}'));
}
