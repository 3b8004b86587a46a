//! How long somebody was at their work, in words.

use domain::TimeSpent;

use crate::display;

/// "1 h 5 min".
pub(crate) fn minutes(minutes: u64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, rest) => format!("{rest} min"),
        (hours, 0) => format!("{} h", display::thousands(hours)),
        (hours, rest) => format!("{} h {rest} min", display::thousands(hours)),
    }
}

/// "12 min in all. Finished: 3 documents; the median took 4.0 min, or 2.1 min per 1,000 characters."
pub(crate) fn time_words(time: &TimeSpent) -> String {
    match time.medians {
        Err(reason) if time.minutes == 0 => format!("{}.", capital(reason.words())),
        Err(reason) => format!("{} so far; {}.", minutes(time.minutes), reason.words()),
        Ok(medians) => format!(
            "{} in total. Finished: {}; median {} min, {} min per 1,000 characters.",
            minutes(time.minutes),
            display::count(medians.documents, "document"),
            display::decimals(medians.per_document, 1),
            display::decimals(medians.per_thousand, 1),
        ),
    }
}

fn capital(words: &str) -> String {
    let mut characters = words.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// What is measured, openly.
pub(crate) const MEASURED: &str = "Counts minutes in which a document is in front of you and you typed, clicked, moved the pointer or scrolled. Stored: whole minutes per document and day, and the minute of the last report; no keystrokes, no other times. You see your own, managers see everyone's.";

#[cfg(test)]
mod tests {
    use domain::{Medians, NoTime};

    use super::*;

    #[test]
    fn time_is_told_in_hours_and_minutes() {
        assert_eq!([0, 59, 60, 125].map(minutes), ["0 min", "59 min", "1 h", "2 h 5 min"]);
    }

    #[test]
    fn where_there_is_no_median_the_reason_is_told() {
        let time = |minutes, medians| time_words(&TimeSpent { minutes, medians });
        assert_eq!(time(0, Err(NoTime::NothingMeasured)), "Nothing measured yet.");
        assert_eq!(
            time(7, Err(NoTime::NothingFinished)),
            "7 min so far; no finished document measured yet."
        );
        let medians = Medians { documents: 1, per_document: 4.5, per_thousand: 2.25 };
        assert_eq!(
            time(61, Ok(medians)),
            "1 h 1 min in total. Finished: 1 document; median 4.5 min, 2.3 min per 1,000 characters."
        );
    }
}
