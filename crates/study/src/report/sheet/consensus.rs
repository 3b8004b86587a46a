//! The consensus, if it was asked for.

use std::io;

use super::super::{Consensus, ConsensusItem, ConsensusMethod, ConsensusRater, Learning, Report};
use super::table::{Table, shortened};
use super::understood::counted;
use super::{MOST_CATEGORIES, MOST_RATERS, Sheet, decimals, too_many};

pub(super) fn write(report: &Report, sheet: &mut impl Sheet) -> io::Result<()> {
    let Some(consensus) = &report.consensus else { return Ok(()) };
    let top = report.settings.top;
    let (method, all) = (consensus.method.name(), consensus.items.len());
    let mut items: Vec<&ConsensusItem> = consensus.items.iter().collect();
    let unrated = items.iter().filter(|item| item.probability.is_none()).count();
    let mut shown = String::new();
    if top < all {
        items.retain(|item| item.probability.is_some());
        let certainty = |item: &ConsensusItem| item.probability.unwrap_or_default();
        items.sort_by(|a, b| certainty(a).total_cmp(&certainty(b)));
        items.truncate(top);
        shown = format!(", least certain first ({} of {all})", items.len());
    }
    sheet.heading(&format!("Consensus: {method}{shown}"))?;
    if let Some(reason) = &consensus.undefined {
        return sheet.note(&format!("{}.", reason.text));
    }
    let row = |item: &&ConsensusItem| {
        let category = item.category.as_ref().map_or("–".to_owned(), |name| shortened(name, 24));
        let (ratings, tied) = (item.ratings.to_string(), shortened(&item.tied.join(", "), 32));
        vec![item.item.clone(), ratings, category, decimals(item.probability), tied]
    };
    let table = Table::new(&["item", "ratings", "category", "probability", "tied"], &[0, 2, 4]);
    sheet.table(&table.with(items.iter().map(row)))?;
    if top < all && unrated > 0 {
        sheet.note(&format!(
            "not listed, as nobody has rated them: {}.",
            counted(unrated, "item")
        ))?;
    }
    if let Some(Learning { iterations, converged: Some(false), .. }) = consensus.learning {
        sheet.note(&format!("not converged after {iterations} steps."))?;
    }
    raters(consensus, sheet)?;
    confusions(consensus, &report.understood.categories, sheet)?;
    transitions(consensus, &report.understood.categories, sheet)
}

fn raters(consensus: &Consensus, sheet: &mut impl Sheet) -> io::Result<()> {
    sheet.heading("Accuracy of each rater")?;
    let has_competence = consensus.method == ConsensusMethod::Mace;
    let mut head = vec!["", "ratings", "accuracy"];
    head.extend(has_competence.then_some("competence"));
    let row = |rater: &ConsensusRater| {
        let mut cells =
            vec![rater.name.clone(), rater.ratings.to_string(), decimals(rater.accuracy)];
        cells.extend(has_competence.then(|| decimals(rater.competence)));
        cells
    };
    sheet.table(&Table::new(&head, &[0]).with(consensus.raters.iter().map(row)))
}

/// Of each rater and true category, what they say.
fn confusions(
    consensus: &Consensus,
    categories: &[String],
    sheet: &mut impl Sheet,
) -> io::Result<()> {
    if consensus.raters.iter().all(|rater| rater.confusion.is_none()) {
        return Ok(());
    }
    sheet.heading("Confusion of each rater (rows: true category)")?;
    if categories.len() > MOST_CATEGORIES {
        return sheet.note(&too_many(categories.len()));
    }
    if consensus.raters.len() > MOST_RATERS {
        let raters = consensus.raters.len();
        return sheet.note(&format!("{raters} raters are too many to print; see the JSON."));
    }
    let of_rater = |rater: &ConsensusRater| {
        let rows = categories.iter().zip(rater.confusion.iter().flatten());
        let row = |(truth, cells): (&String, &Vec<f64>)| {
            let name = format!("{}: {truth}", rater.name);
            std::iter::once(name).chain(cells.iter().map(|&cell| decimals(Some(cell)))).collect()
        };
        rows.map(row).collect::<Vec<Vec<String>>>()
    };
    let rows = consensus.raters.iter().flat_map(of_rater);
    sheet.table(&Table::of_names("", categories).with(rows))
}

/// What a sequence begins with, and what follows what.
fn transitions(
    consensus: &Consensus,
    categories: &[String],
    sheet: &mut impl Sheet,
) -> io::Result<()> {
    let Some((starts, rows)) = consensus.starts.as_ref().zip(consensus.transitions.as_ref()) else {
        return Ok(());
    };
    sheet.heading("Transitions (rows: category before)")?;
    if categories.len() > MOST_CATEGORIES {
        return sheet.note(&too_many(categories.len()));
    }
    let names = std::iter::once("(start)").chain(categories.iter().map(String::as_str));
    let row = |(before, cells): (&str, &Vec<f64>)| {
        let cells = cells.iter().map(|&cell| decimals(Some(cell)));
        std::iter::once(before.to_owned()).chain(cells).collect()
    };
    let rows = names.zip(std::iter::once(starts).chain(rows)).map(row);
    sheet.table(&Table::of_names("", categories).with(rows))?;
    match &consensus.tag_scheme {
        Some(scheme) => sheet.note(&format!("tags: {scheme}; I-X only after B-X or I-X.")),
        None => sheet.note("any category may follow any."),
    }
}
