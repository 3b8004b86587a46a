//! The matrix with its counts as CSV, for R, Python and spreadsheets.

use std::io::Write;

use domain::safe_cell;

use crate::export::error::ExportError;
use crate::export::record::write_record;

/// The names of the columns, with spaces between.
const COLUMNS: &str = "\
    first_id first second_id second measure policy documents value undefined_because lower \
    upper interval choices n both only_first only_second documents_compared first_category \
    second_category count";

/// A pair of raters with one cell of its contingency table.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreementRow {
    /// The raters' ids and names.
    pub raters: [(i64, String); 2],
    /// Measure, policy and documents, as they are called in an address.
    pub switches: [String; 3],
    /// The coefficient, or why there is none.
    pub value: Result<f64, String>,
    /// The 95 % interval, or why there is none yet or at all.
    pub interval: Result<(f64, f64), String>,
    /// Among how many categories the two chose.
    pub choices: u64,
    /// Counted positions, positions judged by both, by the first only and by the second only, and
    /// compared documents.
    pub basis: [u64; 5],
    /// The first rater's category, the second's, and how often they met; none for an empty table.
    pub cell: Option<(String, String, u64)>,
}

/// Writes the names of the columns, once, before the rows.
///
/// One row for each cell of each pair's table that counts something, one for a pair whose table is
/// empty; what holds for the pair stands in each of its rows. Numbers are written in full, with a
/// point. A name that a spreadsheet could take for a formula gets an apostrophe before it.
pub fn write_agreement_header<W: Write>(out: &mut W) -> Result<(), ExportError> {
    write_record(out, COLUMNS.split(' ').map(str::to_owned))
}

/// Writes a row.
pub fn write_agreement_row<W: Write>(out: &mut W, row: &AgreementRow) -> Result<(), ExportError> {
    let text = |text: &str| safe_cell(text).into_owned();
    let [(first_id, first), (second_id, second)] = &row.raters;
    let [measure, policy, documents] = &row.switches;
    let (value, because) = match &row.value {
        Ok(value) => (value.to_string(), String::new()),
        Err(reason) => (String::new(), text(reason)),
    };
    let (lower, upper, interval) = match &row.interval {
        Ok((lower, upper)) => (lower.to_string(), upper.to_string(), String::new()),
        Err(reason) => (String::new(), String::new(), text(reason)),
    };
    let [n, both, only_first, only_second, compared] = row.basis.map(|n| n.to_string());
    let (first_category, second_category, count) = match &row.cell {
        Some((first, second, count)) => (text(first), text(second), count.to_string()),
        None => (String::new(), String::new(), "0".to_owned()),
    };
    let cells = [
        first_id.to_string(),
        text(first),
        second_id.to_string(),
        text(second),
        measure.clone(),
        policy.clone(),
        documents.clone(),
        value,
        because,
        lower,
        upper,
        interval,
        row.choices.to_string(),
        n,
        both,
        only_first,
        only_second,
        compared,
        first_category,
        second_category,
        count,
    ];
    write_record(out, cells.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_safe_and_negative_numbers_stay_numbers() {
        let row = AgreementRow {
            raters: [(1, "=cmd()".to_owned()), (2, "Lea, \"the\" second".to_owned())],
            switches: ["alpha", "cleaned", "saved"].map(str::to_owned),
            value: Ok(-0.25),
            interval: Err("pending".to_owned()),
            choices: 3,
            basis: [4, 4, 1, 0, 2],
            cell: Some(("PER".to_owned(), "∅".to_owned(), 3)),
        };
        let mut out = Vec::new();
        write_agreement_row(&mut out, &row).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "1,'=cmd(),2,\"Lea, \"\"the\"\" second\",alpha,cleaned,saved,-0.25,,,,pending,3,4,4,1,0,2,PER,∅,3\r\n"
        );
    }

    #[test]
    fn a_row_has_a_cell_for_every_column() {
        let mut out = Vec::new();
        write_agreement_header(&mut out).unwrap();
        let row = AgreementRow {
            raters: [(1, String::new()), (2, String::new())],
            switches: Default::default(),
            value: Err("no shared document".to_owned()),
            interval: Ok((0.5, 1.0)),
            choices: 0,
            basis: [0; 5],
            cell: None,
        };
        write_agreement_row(&mut out, &row).unwrap();
        let text = String::from_utf8(out).unwrap();
        let columns: Vec<_> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(columns, [COLUMNS.split(' ').count(); 2]);
    }
}
