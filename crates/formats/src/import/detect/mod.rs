//! Telling a file's format by its name and its first bytes.

mod markup;

use crate::import::format::ImportFormat;

/// The most of a file that is looked at.
const LOOKED_AT: usize = 4096;

impl ImportFormat {
    /// Tells the format by a file's name and how it begins; a few thousand bytes are enough, and
    /// 64 KiB for JSON, whose telling fields may come after a long text.
    ///
    /// ```
    /// use formats::ImportFormat;
    ///
    /// let head = br#"[{"id": 1, "data": {"text": "EU rejects"}, "annotations": []}]"#;
    /// assert_eq!(ImportFormat::detect("export.json", head), Some(ImportFormat::LabelStudio));
    /// ```
    ///
    /// A text may be about anything, so what is called `.txt` is plain text however it begins. Else
    /// what the beginning says counts more than the name, where one is sure: `.tsv` is WebAnno TSV
    /// if its first line says so, else a table of spans, and so is `.csv`; `.conll` with the comments or the ten columns
    /// of CoNLL-U is that.
    pub fn detect(file_name: &str, beginning: &[u8]) -> Option<Self> {
        let by_name = Self::from_file_name(file_name);
        if by_name == Some(Self::PlainText) {
            return by_name;
        }
        let looked_at = beginning.get(..LOOKED_AT).unwrap_or(beginning);
        let text = String::from_utf8_lossy(looked_at);
        let text = text.trim_start_matches('\u{FEFF}');
        if text.starts_with(crate::columns::webanno::read::FORMAT) {
            return Some(Self::WebAnnoTsv);
        }
        if let Some(told) = markup::detect(beginning) {
            return Some(told);
        }
        let extension = file_name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
        match (by_name, extension.as_deref()) {
            (Some(Self::Conll), _) if is_conllu(text) => Some(Self::Conllu),
            (None, Some("csv")) => Some(Self::SpanCsv),
            (None, Some("tsv" | "tab")) => Some(Self::SpanTsv),
            _ => by_name,
        }
    }
}

/// Whether the beginning is of CoNLL-U rather than of CoNLL-2003.
fn is_conllu(text: &str) -> bool {
    let comments = ["# newdoc", "# newpar", "# sent_id", "# text =", "# global.columns"];
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if comments.iter().any(|comment| first.starts_with(comment)) {
        return true;
    }
    let token = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("# "));
    let cells: Vec<&str> = token.unwrap_or_default().split('\t').collect();
    cells.len() == 10
        && cells.first().is_some_and(|id| id.starts_with(|digit: char| digit.is_ascii_digit()))
}
