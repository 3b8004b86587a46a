//! All others against a rater who is taken as right.

use std::io;

use super::super::{AgainstGold, LabelAgainstGold, ModelPair, ShareOfLabel};
use super::table::{Table, shortened};
use super::{Sheet, decimals, percent};

pub(super) fn write(
    found: &AgainstGold,
    confidence: f64,
    sheet: &mut impl Sheet,
) -> io::Result<()> {
    let gold = shortened(&found.rater, 30);
    for model in &found.models {
        let rater = shortened(&model.rater, 30);
        sheet.heading(&format!("{rater} against {gold} ({} items)", model.items))?;
        let head = ["label", "right", "given", "precision", "recall", "F1"];
        let row = |label: &LabelAgainstGold| {
            let (right, given) = (label.gold.to_string(), label.found.to_string());
            let mut cells = vec![shortened(&label.category, 30), right, given];
            cells.extend([&label.precision, &label.recall, &label.f1].map(share));
            cells
        };
        sheet.table(&Table::new(&head, &[0]).with(model.labels.iter().map(row)))?;
    }
    if found.models.iter().any(|model| !model.labels.is_empty()) {
        sheet.note(&format!(
            "in brackets: {} interval, bootstrap of the items.",
            percent(confidence)
        ))?;
    }
    if found.pairs.is_empty() {
        return Ok(());
    }
    sheet.heading(&format!("Which is better against {gold}"))?;
    let head = [
        "first",
        "second",
        "items",
        "only first",
        "only second",
        "p",
        "F1 first − second",
        "p of F1",
    ];
    let row = |pair: &ModelPair| {
        let counts = [pair.items, pair.only_first, pair.only_second].map(|count| count.to_string());
        let mut cells = [&pair.first, &pair.second].map(|name| shortened(name, 20)).to_vec();
        cells.extend(counts);
        cells.extend([pair.mcnemar, pair.f1_difference, pair.permutation].map(decimals));
        cells
    };
    sheet.table(&Table::new(&head, &[0, 1]).with(found.pairs.iter().map(row)))?;
    sheet.note("p: McNemar's exact test of which is right more often. F1: mean of labels; p of F1: the two exchanged item by item.")?;
    let reasons = found.pairs.iter().flat_map(|pair| [&pair.no_mcnemar, &pair.no_permutation]);
    let mut reasons: Vec<&str> = reasons.flatten().map(|reason| reason.text.as_str()).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        sheet.note(&format!("–: {reason}."))?;
    }
    Ok(())
}

/// A share with its interval.
fn share(found: &ShareOfLabel) -> String {
    match (found.lower, found.upper) {
        (Some(lower), Some(upper)) => {
            let ends = [lower, upper].map(|end| decimals(Some(end)));
            format!("{} ({})", decimals(found.value), ends.join(" to "))
        }
        _ => decimals(found.value),
    }
}
