//! What a report says, in its order, on any kind of sheet: plain text or HTML.

mod consensus;
mod diagnostics;
mod gold;
mod predictions;
mod stand_in;
mod table;
mod understood;

use std::io;

pub(super) use table::{Table, plain, shortened};

use super::{
    Band, IntervalOf, Lane, Measurement, Method, Reason, Report, TrueAgreementOf, TrueInterval,
};

/// Matrices of more categories do not fit.
const MOST_CATEGORIES: usize = 16;
/// More raters than these do not fit beside each other.
const MOST_RATERS: usize = 14;

/// More names are not listed in a note.
const MOST_NAMES: usize = 24;

/// What a report is written on.
pub(super) trait Sheet {
    /// What comes first: names with what belongs to them.
    fn facts(&mut self, title: &str, facts: &[(&str, String)]) -> io::Result<()>;
    /// A part begins.
    fn heading(&mut self, text: &str) -> io::Result<()>;
    /// Rows of cells.
    fn table(&mut self, table: &Table) -> io::Result<()>;
    /// A sentence below a table, or in the place of one.
    fn note(&mut self, text: &str) -> io::Result<()>;
    /// Units on their continuum.
    fn continuum(&mut self, drawing: &Drawing<'_>) -> io::Result<()>;
}

/// The units of a study, in letters and as they are.
pub(super) struct Drawing<'a> {
    /// Drawn in letters.
    pub(super) letters: &'a str,
    /// Each rater's.
    pub(super) lanes: &'a [Lane],
    /// All categories, in their order.
    pub(super) categories: &'a [String],
    /// Where the continuum begins and ends.
    pub(super) ends: (u64, u64),
}

impl Report {
    /// Writes all of it.
    pub(super) fn write_on(&self, sheet: &mut impl Sheet) -> io::Result<()> {
        understood::write(&self.understood, sheet)?;
        self.write_warnings(sheet)?;
        self.write_measures(sheet)?;
        self.write_bands(sheet)?;
        self.write_pairs(sheet)?;
        self.write_true_agreement(sheet)?;
        consensus::write(self, sheet)?;
        if let Some(found) = &self.gold {
            gold::write(found, self.settings.confidence, sheet)?;
        }
        if let Some(found) = &self.stand_in {
            stand_in::write(found, sheet)?;
        }
        for found in &self.predictions {
            predictions::write(found, self.settings.confidence, sheet)?;
        }
        diagnostics::write(self, sheet)
    }

    fn write_warnings(&self, sheet: &mut impl Sheet) -> io::Result<()> {
        if self.warnings.is_empty() {
            return Ok(());
        }
        sheet.heading("Warnings")?;
        self.warnings.iter().try_for_each(|warning| sheet.note(&warning.to_string()))
    }

    fn write_measures(&self, sheet: &mut impl Sheet) -> io::Result<()> {
        sheet.heading("Agreement")?;
        let interval = format!("{} interval", percent(self.settings.confidence));
        let head = ["", "value", &interval, "from", "observed", "expected"];
        sheet.table(&Table::new(&head, &[0, 3]).with(self.measures.iter().map(cells)))?;
        let mut notes: Vec<String> = Vec::new();
        let of_each = |text: &dyn Fn(&Measurement) -> Option<String>| {
            by_text(self.measures.iter().map(|measure| (text(measure), full_name(measure))))
        };
        notes.extend(of_each(&|measure| no_value(measure.undefined.as_ref())));
        notes.extend(of_each(&|measure| no_interval(measure.no_interval.as_ref())));
        notes.extend(of_each(&|measure| left_out(measure.interval.as_ref())));
        notes.extend(of_each(&|measure| no_width(measure.interval.as_ref())));
        notes.extend(of_each(&|measure| {
            let incomplete = measure.incomplete.filter(|&count| count > 0)?;
            let items = self.understood.items;
            Some(format!("left out, as somebody has not rated them: {incomplete} of {items} items"))
        }));
        if let (Some(_), [first, second]) =
            (self.measure("precision_macro"), self.understood.raters.as_slice())
        {
            notes.push(format!(
                "precision and recall: of {}, where {} is right.",
                shortened(first, 30),
                shortened(second, 30)
            ));
        }
        let has = |method| {
            let mut intervals =
                self.measures.iter().filter_map(|measure| measure.interval.as_ref());
            intervals.any(|interval| interval.method == method)
        };
        if let (true, Some(resamples)) = (has(Method::Bootstrap), self.settings.resamples) {
            notes.push(format!(
                "bootstrap: {resamples} resamples of the items, seed {}.",
                self.settings.seed
            ));
        }
        if has(Method::Expectation) {
            notes.push(format!(
                "sampling: where the value lies, as its expectation was sampled; seed {}. \
                 It is no interval for other texts.",
                self.settings.seed
            ));
        }
        for note in notes {
            sheet.note(&note)?;
        }
        Ok(())
    }

    fn write_bands(&self, sheet: &mut impl Sheet) -> io::Result<()> {
        let assessed: Vec<&Measurement> =
            self.measures.iter().filter(|measure| !measure.bands.is_empty()).collect();
        let Some(first) = assessed.first() else { return Ok(()) };
        sheet.heading("In words (in brackets what the lower end of the interval allows)")?;
        let scales: Vec<&str> = first.bands.iter().map(|band| band.scale.as_str()).collect();
        // Two scales fit beside each other.
        for (place, scales) in scales.chunks(2).enumerate() {
            let mut head = vec![""];
            head.extend(scales);
            let row = |measure: &&Measurement| {
                let cell = |band: &Band| {
                    let value = band.value.as_deref().unwrap_or("–");
                    let lower = band.lower_bound.as_deref().unwrap_or("–");
                    if measure.interval.is_some() && lower != value {
                        format!("{value} ({lower})")
                    } else {
                        value.to_owned()
                    }
                };
                let bands = measure.bands.iter().skip(2 * place).take(2);
                std::iter::once(full_name(measure)).chain(bands.map(cell)).collect()
            };
            sheet.table(&Table::new(&head, &[0, 1, 2]).with(assessed.iter().map(row)))?;
        }
        Ok(())
    }

    fn write_pairs(&self, sheet: &mut impl Sheet) -> io::Result<()> {
        let Some(first) = self.pairs.first() else { return Ok(()) };
        let raters = &self.understood.raters;
        if raters.len() > MOST_RATERS {
            sheet.heading("Pairs of raters")?;
            let pairs = self.pairs.len();
            return sheet.note(&format!("{pairs} pairs are too many to print; see the JSON."));
        }
        for (place, kind) in first.values.iter().enumerate() {
            sheet.heading(&format!("Pairs of raters: {}", kind.name))?;
            let row = |(row, name): (usize, &String)| {
                let cell = |column: usize| {
                    if row == column {
                        return "·".to_owned();
                    }
                    let (low, high) = (row.min(column), row.max(column));
                    let pair =
                        self.pairs.iter().find(|pair| (pair.first, pair.second) == (low, high));
                    decimals(pair.and_then(|pair| pair.values.get(place)?.value))
                };
                std::iter::once(name.clone()).chain((0..raters.len()).map(cell)).collect()
            };
            let rows = raters.iter().enumerate().map(row);
            sheet.table(&Table::of_names("", raters).with(rows))?;
        }
        let undefined = self.pairs.iter().flat_map(|pair| {
            pair.values
                .iter()
                .filter_map(move |value| Some((pair, value, value.undefined.as_ref()?)))
        });
        for (pair, value, reason) in undefined.take(10) {
            let name = |place: usize| shortened(raters.get(place).map_or("", String::as_str), 30);
            let (first, second) = (name(pair.first), name(pair.second));
            sheet.note(&format!("{first} and {second}, {}: {}.", value.name, reason.text))?;
        }
        Ok(())
    }

    fn write_true_agreement(&self, sheet: &mut impl Sheet) -> io::Result<()> {
        if self.true_agreement.is_empty() {
            return Ok(());
        }
        let confidence = percent(self.settings.confidence);
        let title =
            format!("True agreement on each label ({confidence}, Krenn, Evert & Zinsmeister)");
        sheet.heading(&title)?;
        let head =
            ["label", "both", "first", "second", "neither", "homogeneity", "conservative", ""];
        let row = |label: &TrueAgreementOf| {
            let mut row = vec![label.category.clone()];
            row.extend(label.table.iter().map(u64::to_string));
            row.extend([share(&label.homogeneity), share(&label.conservative)]);
            let word = label.homogeneity.band.as_ref().and_then(|band| band.lower_bound.clone());
            row.push(word.unwrap_or_default());
            row
        };
        sheet.table(&Table::new(&head, &[0, 7]).with(self.true_agreement.iter().map(row)))?;
        let (shown, all) = (self.true_agreement.len(), self.understood.categories.len());
        if shown > 1 && shown < all {
            sheet.note(&format!("Of {all} categories the {shown} that are used most."))?;
        }
        let mut reasons: Vec<&str> = Vec::new();
        for label in &self.true_agreement {
            for interval in [&label.homogeneity, &label.conservative] {
                reasons.extend(interval.undefined.as_ref().map(|reason| reason.text.as_str()));
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        for reason in reasons {
            sheet.note(&format!("–: {reason}."))?;
        }
        Ok(())
    }
}

/// A note of each text that there is, with the names of what it is about.
fn by_text(texts: impl Iterator<Item = (Option<String>, String)>) -> Vec<String> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for (text, name) in texts {
        let Some(text) = text else { continue };
        match found.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(name),
            None => found.push((text, vec![name])),
        }
    }
    found.into_iter().map(|(text, names)| format!("{text} ({}).", listed(&names))).collect()
}

/// Names with commas between them, and how many more there are.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(MOST_NAMES).map(String::as_str);
    let more = names.len().saturating_sub(MOST_NAMES);
    let more = (more > 0).then(|| format!("{more} more"));
    shown.chain(more.as_deref()).collect::<Vec<&str>>().join(", ")
}

fn no_value(reason: Option<&Reason>) -> Option<String> {
    reason.map(|reason| format!("no value: {}", reason.text))
}

fn no_interval(reason: Option<&Reason>) -> Option<String> {
    reason.map(|reason| format!("no interval: {}", reason.text))
}

/// A note on an interval whose ends are one.
fn no_width(interval: Option<&IntervalOf>) -> Option<String> {
    let found = interval.filter(|found| found.method != Method::Expectation)?;
    let has_width = found.upper - found.lower > f64::EPSILON;
    (!has_width).then(|| {
        "the items are alike, so the interval has no width and does not show how much the value varies"
            .to_owned()
    })
}

fn left_out(interval: Option<&IntervalOf>) -> Option<String> {
    let IntervalOf { resamples: Some(resamples), left_out: Some(left_out @ 1..), .. } = interval?
    else {
        return None;
    };
    Some(format!("without a value and left out: {left_out} of {resamples} resamples"))
}

fn cells(measure: &Measurement) -> Vec<String> {
    let (interval, from) = match &measure.interval {
        Some(found) => {
            let from = match found.method {
                Method::Formula => "formula",
                Method::Bootstrap => "bootstrap",
                Method::Expectation => "sampling",
            };
            (format!("{} to {}", decimals(Some(found.lower)), decimals(Some(found.upper))), from)
        }
        None => ("–".to_owned(), ""),
    };
    vec![
        full_name(measure),
        decimals(measure.value),
        interval,
        from.to_owned(),
        decimals(measure.observed),
        decimals(measure.expected),
    ]
}

fn full_name(measure: &Measurement) -> String {
    match &measure.category {
        Some(category) => format!("{} of {}", measure.name, shortened(category, 24)),
        None => measure.name.clone(),
    }
}

/// Three decimals, or a dash.
fn decimals(value: Option<f64>) -> String {
    match value {
        None => "–".to_owned(),
        Some(value) if value.abs() < 1e6 => {
            let text = format!("{value:.3}");
            // A value that rounds to zero has no sign.
            if text == "-0.000" { "0.000".to_owned() } else { text }
        }
        Some(value) => format!("{value:.3e}"),
    }
}

fn share(interval: &TrueInterval) -> String {
    match (interval.lower, interval.upper) {
        (Some(lower), Some(upper)) => format!("{lower:.2} to {upper:.2}"),
        _ => "–".to_owned(),
    }
}

fn too_many(categories: usize) -> String {
    format!("{categories} categories are too many to print; see the JSON.")
}

/// `0.95` as `95 %`, without zeros at its end.
fn percent(share: f64) -> String {
    let text = format!("{:.3}", 100.0 * share);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}
