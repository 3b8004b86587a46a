//! What was understood of the file, before any number.

use std::io;

use super::Sheet;
use super::table::shortened;
use crate::read::{Extent, Form, Kind, Understood};

/// Lists are cut after so many columns.
const WIDEST: usize = 84;

pub(super) fn write(study: &Understood, sheet: &mut impl Sheet) -> io::Result<()> {
    let detected = if study.delimiter_detected { " (detected)" } else { "" };
    let mut lines = vec![
        ("study", what(study)),
        ("delimiter", format!("{}{detected}", study.delimiter.name())),
        ("header", study.header.to_string()),
        ("read as", shortened(&study.read_as, WIDEST)),
        ("because", shortened(&study.because, WIDEST)),
        ("raters", list(&study.raters)),
    ];
    if !study.other_columns.is_empty() {
        lines.push(("other columns", list(&study.other_columns)));
    }
    if study.kind == Kind::Coding {
        let mut missing = vec!["nothing".to_owned()];
        missing.extend(study.missing_as.iter().cloned());
        let share = format!("{} ({})", study.missing, missing.join(", "));
        lines.push(("missing", share));
    }
    if let (true, [least, .., most]) = (study.is_continuous(), study.categories.as_slice()) {
        let numbers = format!("{} different ones from {least} to {most}", study.categories.len());
        lines.push(("numbers", numbers));
    } else {
        let categories = format!("{} ({})", list(&study.categories), study.categories.len());
        lines.push(("categories", categories));
    }
    lines.push(("level", study.level.to_string()));
    if let Some(stretch) = study.continuum {
        let assumed =
            if stretch.given { "" } else { " (assumed: from 0 to the last end; else --continuum)" };
        lines.push(("continuum", format!("{}–{}{assumed}", stretch.begin, stretch.end)));
    }
    sheet.facts("Understood", &lines)
}

fn what(study: &Understood) -> String {
    let raters = counted(study.raters.len(), "rater");
    match study.kind {
        Kind::Coding => {
            let form = match study.form {
                Some(Form::Counts) => "table of counts",
                Some(Form::Frequencies) => "table of frequencies",
                Some(Form::Rows) => "raters in rows",
                Some(Form::Contingency) => "contingency table",
                Some(Form::Long) => "long table",
                Some(Form::Wide) | None => "wide table",
            };
            let sequences = study.sequences.map(|of| format!(" in {}", counted(of, "sequence")));
            let items = counted(study.items, "item") + &sequences.unwrap_or_default();
            format!("coding, {form}: {items}, {raters}, {}", counted(study.ratings, "rating"))
        }
        Kind::Unitizing => {
            let extent = match study.extent {
                Some(Extent::Length) => "start and length",
                _ => "start and end",
            };
            let parts = match study.decimals {
                0 => String::new(),
                decimals => format!(" in 1/{}", 10_u64.saturating_pow(decimals)),
            };
            format!("unitizing, {extent}{parts}: {}, {raters}", counted(study.ratings, "unit"))
        }
    }
}

/// How many there are of something, in words: `1 item`, `2 items`.
pub(super) fn counted(count: impl TryInto<u64>, what: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Names with commas between them, as many as fit.
fn list(names: &[String]) -> String {
    let mut text = String::new();
    for (place, name) in names.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        text.push_str(comma);
        text.push_str(name);
        if text.chars().count() > WIDEST {
            break;
        }
    }
    shortened(&text, WIDEST)
}
