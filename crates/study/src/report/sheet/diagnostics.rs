//! The diagnostics that were asked for.

use std::io;

use super::super::{NamedMatrix, PairTable, PrevalenceRow, RaterRow, Report, Rows};
use super::table::{Table, shortened};
use super::{Drawing, Sheet, decimals};

/// Matrices of more categories do not fit.
const MOST_CATEGORIES: usize = 16;

pub(super) fn write(report: &Report, sheet: &mut impl Sheet) -> io::Result<()> {
    let found = &report.diagnostics;
    for table in found.contingency.iter().flatten() {
        contingency(table, &report.understood.categories, sheet)?;
    }
    matrix("Coincidences", found.coincidence.as_ref(), sheet)?;
    matrix("Distances of categories", found.weights.as_ref(), sheet)?;
    if let Some(rows) = &found.reliability {
        sheet.heading(&format!("Ratings{}", shown(rows)))?;
        let mut head = vec!["item".to_owned()];
        head.extend(report.understood.raters.iter().cloned());
        let mut table = Table::of_names(&head);
        for row in &rows.shown {
            let cells = row.iter().map(|cell| cell.clone().unwrap_or_else(|| "·".to_owned()));
            table.row(&cells.collect::<Vec<_>>());
        }
        sheet.table(&table)?;
    }
    if let Some(rows) = &found.categories {
        sheet.heading("Agreement on each category")?;
        let of_two = report.understood.raters.len() == 2;
        let mut head = vec!["category", "ratings", "agreement", "Fleiss' κ", "α"];
        if of_two {
            head.extend(["precision", "recall", "F1"]);
        }
        let mut table = Table::new(&head, &[0]);
        for row in rows {
            let mut cells = vec![row.category.clone(), row.ratings.to_string()];
            cells.extend([row.agreement, row.fleiss_kappa, row.alpha].map(decimals));
            if of_two {
                cells.extend([row.precision, row.recall, row.f1].map(decimals));
            }
            table.row(&cells);
        }
        sheet.table(&table)?;
    }
    if let Some(rows) = &found.items {
        sheet.heading(&format!("Items with the least agreement{}", shown(rows)))?;
        let mut table = Table::new(&["item", "ratings", "agreement", "categories"], &[0, 3]);
        for row in &rows.shown {
            let categories = row.categories.iter().map(|(name, count)| format!("{name} {count}"));
            let categories = categories.collect::<Vec<_>>().join(", ");
            let agreement = decimals(Some(row.agreement));
            table.row(&[row.item.clone(), row.ratings.to_string(), agreement, categories]);
        }
        sheet.table(&table)?;
    }
    raters("Agreement of each rater with all others", found.raters.as_ref(), sheet)?;
    raters("Agreement of every two raters", found.pairs.as_ref(), sheet)?;
    if let Some(rows) = &found.prevalence {
        prevalence(rows, sheet)?;
    }
    if let Some(rows) = &found.confusions {
        sheet.heading(&format!("Categories most often confused{}", shown(rows)))?;
        let mut table = Table::new(&["categories", "→", "←", "together", "share"], &[0]);
        for row in &rows.shown {
            table.row(&[
                format!("{} – {}", row.first, row.second),
                row.forth.to_string(),
                row.back.to_string(),
                (row.forth + row.back).to_string(),
                decimals(Some(row.share)),
            ]);
        }
        sheet.table(&table)?;
    }
    if let (Some(letters), Some(stretch)) = (&found.continuum, report.understood.continuum) {
        sheet.heading("Continuum")?;
        sheet.continuum(&Drawing {
            letters,
            lanes: found.lanes.as_deref().unwrap_or_default(),
            categories: &report.understood.categories,
            ends: (stretch.begin, stretch.end),
        })?;
    }
    Ok(())
}

fn too_many(categories: usize) -> String {
    format!("{categories} categories are too many to print; see the JSON.")
}

fn shown<T>(rows: &Rows<T>) -> String {
    let (shown, of) = (rows.shown.len(), rows.of);
    if shown < of { format!(" ({shown} of {of})") } else { String::new() }
}

fn contingency(pair: &PairTable, categories: &[String], sheet: &mut impl Sheet) -> io::Result<()> {
    let [rows, columns] = pair.raters.each_ref().map(|name| shortened(name, 30));
    sheet.heading(&format!("Contingency: {rows} in rows, {columns} in columns"))?;
    if categories.len() > MOST_CATEGORIES {
        return sheet.note(&too_many(categories.len()));
    }
    let sum = |row: Option<&String>, column: Option<&String>| -> u64 {
        let cells = pair.cells.iter().filter(|(r, c, _)| {
            row.is_none_or(|row| row == r) && column.is_none_or(|column| column == c)
        });
        cells.map(|(_, _, count)| count).sum()
    };
    let mut head = vec![String::new()];
    head.extend(categories.iter().cloned());
    head.push("Σ".to_owned());
    let mut table = Table::of_names(&head);
    for row in categories.iter().map(Some).chain([None]) {
        let mut cells = vec![row.cloned().unwrap_or_else(|| "Σ".to_owned())];
        let columns = categories.iter().map(Some).chain([None]);
        cells.extend(columns.map(|column| sum(row, column).to_string()));
        table.row(&cells);
    }
    sheet.table(&table)
}

fn matrix(title: &str, matrix: Option<&NamedMatrix>, sheet: &mut impl Sheet) -> io::Result<()> {
    let Some(matrix) = matrix else { return Ok(()) };
    sheet.heading(title)?;
    if let Some(reason) = &matrix.undefined {
        return sheet.note(&format!("{}.", reason.text));
    }
    let count = matrix.categories.len();
    if count > MOST_CATEGORIES {
        return sheet.note(&too_many(count));
    }
    let mut head = vec![String::new()];
    head.extend(matrix.categories.iter().cloned());
    let mut table = Table::of_names(&head);
    for (name, row) in matrix.categories.iter().zip(&matrix.cells) {
        let mut cells = vec![name.clone()];
        cells.extend(row.iter().copied().map(short));
        table.row(&cells);
    }
    sheet.table(&table)
}

/// Whole numbers without decimals.
fn short(value: Option<f64>) -> String {
    match value {
        Some(value) if value.fract() == 0.0 && value.abs() < 1e6 => format!("{value:.0}"),
        value => decimals(value),
    }
}

fn raters(title: &str, rows: Option<&Vec<RaterRow>>, sheet: &mut impl Sheet) -> io::Result<()> {
    let Some(rows) = rows else { return Ok(()) };
    sheet.heading(title)?;
    let mut table = Table::new(&["", "ratings", "pairs", "agreement"], &[0]);
    for row in rows {
        let numbers = [row.ratings.to_string(), row.pairs.to_string(), decimals(row.agreement)];
        let mut cells = vec![row.name.clone()];
        cells.extend(numbers);
        table.row(&cells);
    }
    sheet.table(&table)
}

fn prevalence(rows: &[PrevalenceRow], sheet: &mut impl Sheet) -> io::Result<()> {
    sheet.heading("Prevalence and bias of each category")?;
    let mut table =
        Table::new(&["raters", "category", "prevalence", "bias", "κ", "PABAK"], &[0, 1]);
    for row in rows {
        let mut cells = vec![row.raters.join(" – "), row.category.clone()];
        let numbers =
            [Some(row.prevalence_index), Some(row.bias_index), row.kappa, Some(row.pabak)];
        cells.extend(numbers.map(decimals));
        table.row(&cells);
    }
    sheet.table(&table)?;
    if let [only] = rows {
        let category = shortened(&only.category, 40);
        sheet.note(&format!("Yes is “{category}”. {}", only.explanation))?;
    }
    Ok(())
}
