//! The adjudication list of a comparison, to look at and to take away.

use domain::{Code, Disagreement, Documents};
use formats::TextIndex;

use super::{Compared, measuring::Measured};
use crate::{
    Result,
    agreement::disagreements::{Found, row},
    base::secrets::checksum::checksum,
    document::export::{Export, ListFile, ListFormat, exported},
};

/// The longest text of a position that a page shows, in characters.
const SHOWN: usize = 300;

/// The rows of found positions to look at: long texts are cut off.
pub(super) fn rows(measured: &Measured, found: &[Found]) -> Vec<Disagreement> {
    let mut rows = Vec::with_capacity(found.len());
    let done = each_row(measured, found, |row, _, _, _| {
        rows.push(Disagreement { quote: shortened(row.quote), ..row });
        Ok(())
    });
    debug_assert!(done.is_ok(), "there is nothing to refuse");
    rows
}

impl Compared {
    /// All positions on which raters differ, as a file of at most so many bytes.
    pub fn list(&self, format: ListFormat, most_bytes: usize) -> Result<Export> {
        let Self { measured, limit, .. } = self;
        let raters = measured.names.raters();
        let mut file = ListFile::new(format, raters)?;
        each_row(measured, &measured.differing(), |row, found, index, hash| {
            if file.len() > most_bytes || limit.is_over() {
                let why = "the list is too long to send; compare fewer documents";
                return Err(Code::TooLong.of("files", why).into());
            }
            file.write(&exported(&row, found, index, hash, raters, (&measured.labels, &[])))
        })?;
        file.named("disagreements")
    }
}

/// Takes each row in full, with the index of its text and that one's hash. Positions come document
/// by document, so that each text is walked through once.
fn each_row(
    measured: &Measured,
    found: &[Found],
    mut take: impl FnMut(Disagreement, &Found, &TextIndex<'_>, &str) -> Result<()>,
) -> Result<()> {
    let (tallies, names) = (&measured.tallies, &measured.names);
    for of_document in found.chunk_by(|one, next| one.document == next.document) {
        let document = of_document.first().and_then(|found| measured.document(found.document));
        let Some((name, text)) = document else { continue };
        let (index, hash) = (TextIndex::new(text), checksum(text));
        for found in of_document {
            if let Some(row) = row(tallies, names, found, Documents::Submitted, name, &index) {
                take(row, found, &index, &hash)?;
            }
        }
    }
    Ok(())
}

fn shortened(quote: String) -> String {
    match quote.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", quote.get(..end).unwrap_or_default()),
        None => quote,
    }
}
