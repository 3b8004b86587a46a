//! What an importer makes of a file: documents with the spans that came along.

/// One document of an imported file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedDocument {
    /// The id as the file gives it; a number becomes its decimal digits.
    pub id: Option<String>,
    /// The name to show: what the file gives, or one made of the file's name.
    pub name: String,
    /// The text exactly as it came, never blank and without NUL.
    pub text: String,
    /// The spans of which the file does not say whose they are, in its order; each within the
    /// text, none twice.
    pub spans: Vec<ImportedSpan>,
    /// What each rater whom the file names has marked, in its order, each rater once. One who
    /// judged the document and marked nothing is here too, without spans.
    pub work: Vec<ImportedWork>,
    /// The line, counted from 1, on which the document starts.
    pub line: usize,
}

/// What one rater, named by the file, has marked in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedWork {
    /// The rater as the file names them, never blank.
    pub rater: String,
    /// The rater's spans in the order of the file; each within the text, none twice.
    pub spans: Vec<ImportedSpan>,
}

/// One labelled span of an imported document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSpan {
    /// Where the span starts, in Unicode scalar values.
    pub start: usize,
    /// Where the span ends, exclusive, in Unicode scalar values; greater than `start`.
    pub end: usize,
    /// The label as the file gives it, never blank.
    pub label: String,
    /// The line, counted from 1, on which the span starts.
    pub line: usize,
}
