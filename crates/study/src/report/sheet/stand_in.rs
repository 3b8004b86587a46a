//! Whether a rater may stand in for the others.

use std::io;

use agreement::inference::{FALSE_DISCOVERIES, FEWEST_ANNOTATORS};

use super::super::{StandIn, StandInBeside, StandInScore};
use super::table::{Table, shortened};
use super::{Sheet, by_text, decimals};
use crate::count64;

pub(super) fn write(found: &StandIn, sheet: &mut impl Sheet) -> io::Result<()> {
    let rater = shortened(&found.rater, 30);
    sheet.heading(&format!("{rater} as a stand-in (alternative annotator test)"))?;
    if let Some(reason) = &found.undefined {
        return sheet.note(&format!("no value: {}.", reason.text));
    }
    let head = ["for", "items", "stand-in as good", "annotator as good", "p", "corrected", "won"];
    let row = |beside: &StandInBeside| {
        let won = match beside.won {
            Some(true) => "yes",
            Some(false) => "no",
            None => "not tested",
        };
        vec![
            beside.rater.clone(),
            beside.items.to_string(),
            decimals(beside.stand_in),
            decimals(beside.annotator),
            decimals(beside.test.p_value),
            decimals(beside.test.corrected),
            won.to_owned(),
        ]
    };
    sheet.table(&Table::new(&head, &[0, 6]).with(found.comparisons.iter().map(row)))?;
    let tested = found.comparisons.iter().filter_map(|beside| beside.won);
    let (won, tested) = (tested.clone().filter(|won| *won).count(), tested.count());
    let verdict = if found.passes == Some(true) { "passed" } else { "not passed" };
    sheet.note(&format!(
        "{verdict}: winning rate ω {} ({won} of {tested} annotators; 0.5 passes), advantage ρ {}.",
        decimals(found.winning_rate),
        decimals(found.advantage),
    ))?;
    let score = match found.score {
        StandInScore::ShareAlike => "share of the others who said the same",
        StandInScore::NegativeRmse => "root of the mean squared difference from the others",
    };
    sheet.note(&format!(
        "as good: {score}; margin ε {} ({}); corrected p up to {FALSE_DISCOVERIES} wins \
         (Student's t, Benjamini–Yekutieli).",
        found.margin,
        found.annotators.word()
    ))?;
    let not_tested = found.comparisons.iter().map(|beside| {
        let reason = beside.test.undefined.as_ref();
        let text = reason.map(|reason| format!("not tested, left out of ω and ρ: {}", reason.text));
        (text, shortened(&beside.rater, 30))
    });
    for note in by_text(not_tested) {
        sheet.note(&note)?;
    }
    if count64(tested) < FEWEST_ANNOTATORS {
        sheet.note(&format!("fewer than {FEWEST_ANNOTATORS} annotators: compare with caution."))?;
    }
    Ok(())
}
