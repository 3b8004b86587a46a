//! All others against a rater who is taken as right.

use std::io;

use super::super::{
    AgainstGold, ConsensusAgainstGold, LabelAgainstGold, ModelAgainstGold, ModelPair, RetrievalOf,
    ShareOfLabel,
};
use super::table::{Table, shortened};
use super::understood::counted;
use super::{Sheet, by_text, decimals, left_out, no_interval, no_value, percent};

pub(super) fn write(
    found: &AgainstGold,
    confidence: f64,
    sheet: &mut impl Sheet,
) -> io::Result<()> {
    let gold = shortened(&found.rater, 30);
    for model in &found.models {
        let rater = shortened(&model.rater, 30);
        let items = counted(model.items, "item");
        sheet.heading(&format!("{rater} against {gold} ({items})"))?;
        let head = ["label", "right", "given", "precision", "recall", "F1"];
        let row = |label: &LabelAgainstGold| {
            let (right, given) = (label.gold.to_string(), label.found.to_string());
            let mut cells = vec![shortened(&label.category, 30), right, given];
            cells.extend([&label.precision, &label.recall, &label.f1].map(share));
            cells
        };
        sheet.table(&Table::new(&head, &[0]).with(model.labels.iter().map(row)))?;
        for note in notes(model) {
            sheet.note(&note)?;
        }
    }
    if found.models.iter().flat_map(shares).any(|(share, _)| share.interval.is_some()) {
        sheet.note(&format!(
            "in brackets: {} interval, bootstrap of the items.",
            percent(confidence)
        ))?;
    }
    consensus(found, &gold, sheet)?;
    let title = format!("Which is better against {gold}");
    if let Some(reason) = &found.no_pairs {
        sheet.heading(&title)?;
        return sheet.note(&format!("{}.", reason.text));
    }
    if found.pairs.is_empty() {
        return Ok(());
    }
    sheet.heading(&title)?;
    let head = [
        "first",
        "second",
        "items",
        "only first",
        "only second",
        "p (Holm)",
        "F1 difference",
        "p of F1 (Holm)",
    ];
    let row = |pair: &ModelPair| {
        let counts = [pair.items, pair.only_first, pair.only_second].map(|count| count.to_string());
        let mut cells = [&pair.first, &pair.second].map(|name| shortened(name, 20)).to_vec();
        cells.extend(counts);
        let tests = [pair.mcnemar.corrected, pair.f1_difference, pair.permutation.corrected];
        cells.extend(tests.map(decimals));
        cells
    };
    sheet.table(&Table::new(&head, &[0, 1]).with(found.pairs.iter().map(row)))?;
    sheet.note(
        "p: McNemar's exact test of which is right more often. F1: mean of labels, first less second; its p \
         from exchanging the two item by item. Both corrected for the number of pairs (Holm).",
    )?;
    let tests = found.pairs.iter().flat_map(|pair| [&pair.mcnemar, &pair.permutation]);
    let mut reasons: Vec<&str> =
        tests.filter_map(|test| Some(test.undefined.as_ref()?.text.as_str())).collect();
    reasons.sort_unstable();
    reasons.dedup();
    for reason in reasons {
        sheet.note(&format!("–: {reason}."))?;
    }
    Ok(())
}

/// What the others together say.
fn consensus(found: &AgainstGold, gold: &str, sheet: &mut impl Sheet) -> io::Result<()> {
    if found.consensus.is_empty() {
        return Ok(());
    }
    sheet.heading(&format!("Consensus against {gold}"))?;
    let has_tokens = found.consensus.iter().any(|one| one.tokens.is_some());
    let mut head = vec!["", "items", "accuracy"];
    head.extend(["precision", "recall", "F1"].into_iter().filter(|_| has_tokens));
    let row = |one: &ConsensusAgainstGold| {
        let mut cells =
            vec![one.method.name().to_owned(), one.items.to_string(), decimals(one.accuracy)];
        cells.extend(of_several(one.tokens.as_ref()).into_iter().filter(|_| has_tokens));
        cells
    };
    sheet.table(&Table::new(&head, &[0]).with(found.consensus.iter().map(row)))?;
    let mut notes = vec![format!("learned from all but {gold}.")];
    if has_tokens {
        notes.push("precision, recall and F1: all tags but O, token by token.".to_owned());
    }
    let name = |one: &ConsensusAgainstGold| one.method.name().to_owned();
    let undefined = |one: &ConsensusAgainstGold| no_value(one.undefined.as_ref());
    notes.extend(by_text(found.consensus.iter().map(|one| (undefined(one), name(one)))));
    for note in notes {
        sheet.note(&note)?;
    }
    if found.consensus.iter().all(|one| one.spans.is_none()) {
        return Ok(());
    }
    sheet.heading(&format!("Spans of the consensus against {gold} (both ends and the label)"))?;
    let head = ["", "right", "given", "precision", "recall", "F1"];
    let row = |one: &ConsensusAgainstGold| {
        let spans = one.spans.as_ref();
        let counts = spans.map(|it| [it.gold, it.found].map(|count| count.to_string()));
        let counts = counts.unwrap_or_else(|| ["–", "–"].map(str::to_owned));
        let mut cells = vec![name(one)];
        cells.extend(counts.into_iter().chain(of_several(spans)));
        cells
    };
    sheet.table(&Table::new(&head, &[0]).with(found.consensus.iter().map(row)))
}

/// Precision, recall and F1 of several labels together.
fn of_several(found: Option<&RetrievalOf>) -> [String; 3] {
    let shares = found.map(|it| [&it.precision, &it.recall, &it.f1].map(|share| share.value));
    shares.unwrap_or_default().map(decimals)
}

/// Why shares have no value or no interval, and what was left out of it.
fn notes(model: &ModelAgainstGold) -> Vec<String> {
    let of_each = |text: fn(&ShareOfLabel) -> Option<String>| {
        by_text(shares(model).map(|(share, name)| (text(share), name)))
    };
    let mut notes = of_each(|share| no_value(share.undefined.as_ref()));
    notes.extend(of_each(|share| no_interval(share.no_interval.as_ref())));
    notes.extend(of_each(|share| left_out(share.interval.as_ref())));
    notes
}

/// All shares, each with its name.
fn shares(model: &ModelAgainstGold) -> impl Iterator<Item = (&ShareOfLabel, String)> {
    model.labels.iter().flat_map(|label| {
        let category = shortened(&label.category, 24);
        [("precision", &label.precision), ("recall", &label.recall), ("F1", &label.f1)]
            .map(|(name, share)| (share, format!("{name} of {category}")))
    })
}

/// A share with its interval.
fn share(found: &ShareOfLabel) -> String {
    match &found.interval {
        Some(interval) => {
            let ends = [interval.lower, interval.upper].map(|end| decimals(Some(end)));
            format!("{} ({})", decimals(found.value), ends.join(" to "))
        }
        None => decimals(found.value),
    }
}
