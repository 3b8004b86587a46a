//! Who said what at which position, as a coding study: a wide table that programs for agreement
//! read, `concord measure` among them.

use std::io::Write;

use domain::safe_cell;

use crate::export::error::ExportError;
use crate::export::record::write_record;

/// Writes the names of the columns, once, before the rows: the position, then the raters.
pub fn write_study_header<W: Write>(out: &mut W, raters: &[String]) -> Result<(), ExportError> {
    let names = raters.iter().map(|name| safe_cell(name).into_owned());
    write_record(out, std::iter::once("position".to_owned()).chain(names))
}

/// Writes a position with what each rater said, in the order of the header. Whoever said nothing
/// has an empty cell: a missing rating.
pub fn write_study_row<W: Write>(
    out: &mut W,
    position: &str,
    said: &[Option<String>],
) -> Result<(), ExportError> {
    let said = said
        .iter()
        .map(|said| said.as_deref().map(|said| safe_cell(said).into_owned()).unwrap_or_default());
    write_record(out, std::iter::once(position.to_owned()).chain(said))
}

/// Where a unit begins and ends on the continuum, what it is called and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct UnitCell<'a> {
    /// Its first character on the continuum.
    pub start: u64,
    /// The character after its last.
    pub end: u64,
    /// What it is called.
    pub label: &'a str,
    /// The document it is marked in, by id.
    pub document: i64,
}

/// Writes the names of the columns of a unitizing study, once, before the rows.
pub fn write_units_header<W: Write>(out: &mut W) -> Result<(), ExportError> {
    let names = ["rater", "start", "end", "category", "document"];
    write_record(out, names.into_iter().map(str::to_owned))
}

/// Writes a unit of a rater; none for a rater who has marked nothing, so that they are not missing.
pub fn write_unit_row<W: Write>(
    out: &mut W,
    rater: &str,
    unit: Option<UnitCell<'_>>,
) -> Result<(), ExportError> {
    let numbers = unit.map(|unit| [unit.start.to_string(), unit.end.to_string()]);
    let [start, end] = numbers.unwrap_or_default();
    let label = unit.map(|unit| safe_cell(unit.label).into_owned()).unwrap_or_default();
    let document = unit.map(|unit| unit.document.to_string()).unwrap_or_default();
    let rater = safe_cell(rater).into_owned();
    write_record(out, [rater, start, end, label, document].into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rater_who_said_nothing_has_an_empty_cell() {
        let mut out = Vec::new();
        write_study_header(&mut out, &["Ada".to_owned(), "Ben, B.".to_owned()]).unwrap();
        write_study_row(&mut out, "7:0-3", &[Some("PER".to_owned()), None]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "position,Ada,\"Ben, B.\"\r\n7:0-3,PER,\r\n");
    }

    #[test]
    fn a_rater_who_marked_nothing_has_a_row_without_a_unit() {
        let mut out = Vec::new();
        write_units_header(&mut out).unwrap();
        let unit = UnitCell { start: 4, end: 9, label: "PER", document: 7 };
        write_unit_row(&mut out, "Ada", Some(unit)).unwrap();
        write_unit_row(&mut out, "Ben", None).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "rater,start,end,category,document\r\nAda,4,9,PER,7\r\nBen,,,,\r\n");
    }
}
