//! Whether a rater may stand in for the others.

use std::io;

use agreement::inference::{FALSE_DISCOVERIES, FEWEST_ANNOTATORS, FEWEST_ITEMS};

use super::super::{StandIn, StandInBeside, StandInScore, StandInTest};
use super::table::{Table, shortened};
use super::{Sheet, decimals};
use crate::count64;

pub(super) fn write(found: &StandIn, sheet: &mut impl Sheet) -> io::Result<()> {
    let rater = shortened(&found.rater, 30);
    sheet.heading(&format!("{rater} as a stand-in (alternative annotator test)"))?;
    if let Some(reason) = &found.undefined {
        return sheet.note(&format!("no value: {}.", reason.text));
    }
    let head =
        ["for", "items", "stand-in as good", "annotator as good", "test", "p", "corrected", "won"];
    let row = |beside: &StandInBeside| {
        let test = match beside.test {
            StandInTest::StudentT => "Student's t",
            StandInTest::SignedRank => "Wilcoxon",
        };
        vec![
            beside.rater.clone(),
            beside.items.to_string(),
            decimals(Some(beside.stand_in)),
            decimals(Some(beside.annotator)),
            test.to_owned(),
            decimals(Some(beside.p_value)),
            decimals(Some(beside.corrected)),
            if beside.won { "yes" } else { "no" }.to_owned(),
        ]
    };
    sheet.table(&Table::new(&head, &[0, 4, 7]).with(found.comparisons.iter().map(row)))?;
    let won = found.comparisons.iter().filter(|beside| beside.won).count();
    let verdict = if found.passes == Some(true) { "passed" } else { "not passed" };
    sheet.note(&format!(
        "{verdict}: winning rate ω {} ({won} of {} annotators; 0.5 passes), advantage ρ {}.",
        decimals(found.winning_rate),
        found.comparisons.len(),
        decimals(found.advantage),
    ))?;
    let score = match found.score {
        StandInScore::ShareAlike => "share of the others who said the same",
        StandInScore::NegativeRmse => "root of the mean squared difference from the others",
    };
    sheet.note(&format!(
        "as good: {score}; margin ε {} ({}); corrected p up to {FALSE_DISCOVERIES} wins \
         (Benjamini–Yekutieli).",
        found.margin,
        found.annotators.word()
    ))?;
    if count64(found.comparisons.len()) < FEWEST_ANNOTATORS {
        sheet.note(&format!("fewer than {FEWEST_ANNOTATORS} annotators: compare with caution."))?;
    }
    let few = found.comparisons.iter().filter(|beside| beside.items < FEWEST_ITEMS);
    let few: Vec<String> = few.map(|beside| shortened(&beside.rater, 30)).collect();
    if !few.is_empty() {
        let names = few.join(", ");
        sheet.note(&format!("fewer than {FEWEST_ITEMS} items: few can be won ({names})."))?;
    }
    Ok(())
}
