//! The diagnostics that were asked for.

use std::io;

use super::super::{
    CategoryRow, ConfusionRow, ItemRow, NamedMatrix, PairTable, PrevalenceRow, RaterRow, Report,
    Rows,
};
use super::table::{Table, shortened};
use super::{Drawing, MOST_CATEGORIES, Sheet, decimals, too_many};

pub(super) fn write(report: &Report, sheet: &mut impl Sheet) -> io::Result<()> {
    let found = &report.diagnostics;
    for table in found.contingency.iter().flatten() {
        contingency(table, &report.understood.categories, sheet)?;
    }
    matrix("Coincidences", found.coincidence.as_ref(), sheet)?;
    matrix("Distances of categories", found.weights.as_ref(), sheet)?;
    if let Some(rows) = &found.reliability {
        sheet.heading(&format!("Ratings{}", shown(rows)))?;
        let row = |cells: &Vec<Option<String>>| {
            cells.iter().map(|cell| cell.clone().unwrap_or_else(|| "·".to_owned())).collect()
        };
        let table = Table::of_names("item", &report.understood.raters);
        sheet.table(&table.with(rows.shown.iter().map(row)))?;
    }
    if let Some(rows) = &found.categories {
        sheet.heading("Agreement on each category")?;
        let of_two = report.understood.raters.len() == 2;
        let mut head = vec!["category", "ratings", "agreement", "Fleiss' κ", "α"];
        if of_two {
            head.extend(["precision", "recall", "F1"]);
        }
        let row = |row: &CategoryRow| {
            let mut cells = vec![row.category.clone(), row.ratings.to_string()];
            cells.extend([row.agreement, row.fleiss_kappa, row.alpha].map(decimals));
            if of_two {
                cells.extend([row.precision, row.recall, row.f1].map(decimals));
            }
            cells
        };
        sheet.table(&Table::new(&head, &[0]).with(rows.iter().map(row)))?;
    }
    if let Some(rows) = &found.items {
        sheet.heading(&format!("Items with the least agreement{}", shown(rows)))?;
        let row = |row: &ItemRow| {
            let categories = row.categories.iter().map(|(name, count)| format!("{name} {count}"));
            let categories = categories.collect::<Vec<_>>().join(", ");
            let agreement = decimals(Some(row.agreement));
            vec![row.item.clone(), row.ratings.to_string(), agreement, categories]
        };
        let table = Table::new(&["item", "ratings", "agreement", "categories"], &[0, 3]);
        sheet.table(&table.with(rows.shown.iter().map(row)))?;
    }
    raters("Agreement of each rater with all others", found.raters.as_ref(), sheet)?;
    raters("Agreement of every two raters", found.pairs.as_ref(), sheet)?;
    if let Some(rows) = &found.prevalence {
        prevalence(rows, sheet)?;
    }
    if let Some(rows) = &found.confusions {
        sheet.heading(&format!("Categories most often confused{}", shown(rows)))?;
        let row = |row: &ConfusionRow| {
            let counts = [row.forth, row.back, row.forth + row.back].map(|count| count.to_string());
            let mut cells = vec![format!("{} – {}", row.first, row.second)];
            cells.extend(counts);
            cells.push(decimals(Some(row.share)));
            cells
        };
        let table = Table::new(&["categories", "→", "←", "together", "share"], &[0]);
        sheet.table(&table.with(rows.shown.iter().map(row)))?;
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
    let all = "Σ".to_owned();
    let sums = || categories.iter().map(Some).chain([None]);
    let row = |row: Option<&String>| {
        let cells = sums().map(|column| sum(row, column).to_string());
        std::iter::once(row.unwrap_or(&all).clone()).chain(cells).collect()
    };
    let table = Table::of_names("", categories.iter().chain([&all]));
    sheet.table(&table.with(sums().map(row)))
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
    let row = |(name, row): (&String, &Vec<Option<f64>>)| {
        std::iter::once(name.clone()).chain(row.iter().copied().map(short)).collect()
    };
    let rows = matrix.categories.iter().zip(&matrix.cells).map(row);
    sheet.table(&Table::of_names("", &matrix.categories).with(rows))
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
    let row = |row: &RaterRow| {
        let (ratings, pairs) = (row.ratings.to_string(), row.pairs.to_string());
        vec![row.name.clone(), ratings, pairs, decimals(row.agreement)]
    };
    let table = Table::new(&["", "ratings", "pairs", "agreement"], &[0]);
    sheet.table(&table.with(rows.iter().map(row)))
}

fn prevalence(rows: &[PrevalenceRow], sheet: &mut impl Sheet) -> io::Result<()> {
    sheet.heading("Prevalence and bias of each category")?;
    let row = |row: &PrevalenceRow| {
        let mut cells = vec![row.raters.join(" – "), row.category.clone()];
        let numbers =
            [Some(row.prevalence_index), Some(row.bias_index), row.kappa, Some(row.pabak)];
        cells.extend(numbers.map(decimals));
        cells
    };
    let head = ["raters", "category", "prevalence", "bias", "κ", "PABAK"];
    sheet.table(&Table::new(&head, &[0, 1]).with(rows.iter().map(row)))?;
    if let [only] = rows {
        let category = shortened(&only.category, 40);
        sheet.note(&format!("Yes is “{category}”. {}", only.explanation))?;
    }
    Ok(())
}
