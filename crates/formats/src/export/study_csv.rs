//! Who said what at which position, as a coding study: a wide table that programs for agreement
//! read, `concord measure` among them.

use std::io::Write;

use super::{agreement_csv::write_record, error::ExportError, spreadsheet::safe_cell};

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
}
