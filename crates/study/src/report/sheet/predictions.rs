//! Predictions beside what people said.

use std::io;

use super::super::{Measurement, PredictionKind, PredictionsBeside};
use super::table::{Table, shortened};
use super::understood::counted;
use super::{Sheet, by_text, decimals, full_name, no_interval, no_value, percent};

pub(super) fn write(
    found: &PredictionsBeside,
    confidence: f64,
    sheet: &mut impl Sheet,
) -> io::Result<()> {
    let file = shortened(&found.file, 40);
    let items = counted(found.items, "item");
    let of = match found.kind {
        PredictionKind::Soft => format!("distributions, {items}"),
        PredictionKind::Perspectives => {
            let answers = counted(found.answers.unwrap_or_default(), "answer");
            format!("each rater, {answers}, {items}")
        }
    };
    sheet.heading(&format!("Predictions of {file} ({of})"))?;
    let interval = format!("{} interval", percent(confidence));
    let row = |measure: &Measurement| {
        let ends = measure.interval.as_ref().map_or("–".to_owned(), |it| {
            format!("{} to {}", decimals(Some(it.lower)), decimals(Some(it.upper)))
        });
        vec![full_name(measure), decimals(measure.value), ends]
    };
    let table = Table::new(&["", "value", &interval], &[0]);
    sheet.table(&table.with(found.measures.iter().map(row)))?;
    let of_each = |text: &dyn Fn(&Measurement) -> Option<String>| {
        by_text(found.measures.iter().map(|measure| (text(measure), full_name(measure))))
    };
    let mut notes = of_each(&|measure| no_value(measure.undefined.as_ref()));
    notes.extend(of_each(&|measure| no_interval(measure.no_interval.as_ref())));
    let drawn = found.measures.iter().find_map(|it| it.interval.as_ref()?.resamples);
    notes.push(match drawn {
        Some(resamples) => {
            format!("less is better; bootstrap: {resamples} resamples of the items.")
        }
        None => "less is better.".to_owned(),
    });
    if let Some(points) = found.points {
        notes.push(format!("of a scale of {points} points."));
    }
    if found.not_predicted > 0 {
        notes.push(format!("not predicted: {}.", counted(found.not_predicted, "item")));
    }
    for note in notes {
        sheet.note(&note)?;
    }
    Ok(())
}
