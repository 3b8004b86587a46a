//! Why an export stopped.

use std::io;

/// Why a row or a document was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The receiver refused the bytes.
    #[error("the export could not be written: {0}")]
    Write(#[from] io::Error),
    /// A row has other raters than the header, so its cells would stand in wrong columns.
    #[error(
        "the row of document {document_id} has the raters {found:?}, \
         the header has {expected:?}; expected the same, in the same order"
    )]
    OtherRaters {
        /// The document of the row.
        document_id: i64,
        /// The raters of the header.
        expected: Vec<String>,
        /// The raters of the row.
        found: Vec<String>,
    },
}
