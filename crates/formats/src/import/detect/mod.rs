//! Telling a file's format by its name and its first bytes.

mod markup;
pub(crate) mod others;

use std::borrow::Cow;

use crate::columns::conll::layout::Layout;
use crate::import::format::ImportFormat;
use crate::import::lines::BYTE_ORDER_MARK;
use crate::import::options::ReadOptions;
use crate::table::ratings;

/// The most of a file that is looked at for the tables of tokens.
const LOOKED_AT: usize = 64 * 1024;

/// As many of a text's lines have to be tokens with tags, in percent, for it to be read as such; of
/// as many fewer it is said that it looks so.
const ARE_COLUMNS: usize = 80;
const LOOK_LIKE_COLUMNS: usize = 40;

impl ImportFormat {
    /// Tells the format by a file's name and how it begins: 64 KiB of it, since telling fields of
    /// JSON may come after a long text.
    ///
    /// ```
    /// use formats::ImportFormat;
    ///
    /// let head = br#"[{"id": 1, "data": {"text": "EU rejects"}, "annotations": []}]"#;
    /// assert_eq!(ImportFormat::detect("export.json", head), Some(ImportFormat::LabelStudio));
    /// assert_eq!(ImportFormat::detect("eng.txt", b"EU B-ORG\nrejects O\n"), Some(ImportFormat::Conll));
    /// ```
    ///
    /// What the beginning says counts more than the name: WebAnno TSV by its first line, CoNLL-U by
    /// its comments or ten columns, other tables of tokens by a column of tags. Only JSON and XML in
    /// a file called `.txt` are plain text, since a text may be about anything. `.csv` is a table of
    /// answers if its first row says so; other `.csv` and `.tsv` that are none of these are tables of
    /// spans.
    pub fn detect(file_name: &str, beginning: &[u8]) -> Option<Self> {
        let by_name = Self::from_file_name(file_name);
        if matches!(by_name, Some(Self::Brat)) {
            return by_name;
        }
        // Its reader says what to do instead.
        if by_name != Some(Self::PlainText) && others::other_tool(file_name, beginning).is_some() {
            return Some(Self::JsonLines);
        }
        let text = beginning_of(beginning);
        if text.starts_with(crate::columns::webanno::read::FORMAT) {
            return Some(Self::WebAnnoTsv);
        }
        if by_name != Some(Self::PlainText)
            && let Some(told) = markup::detect(beginning)
        {
            return Some(told);
        }
        let extension = file_name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
        match (by_name, extension.as_deref()) {
            (None, Some("csv")) if ratings::is_beginning(&text) => Some(Self::RatingsCsv),
            (Some(Self::Conll), _) if is_conllu(&text) => Some(Self::Conllu),
            (Some(Self::PlainText) | None, _) if is_numbered_conllu(&text) => Some(Self::Conllu),
            (Some(Self::PlainText) | None, _) if is_columns(&text) => Some(Self::Conll),
            (None, Some("csv")) => Some(Self::SpanCsv),
            (None, Some("tsv" | "tab")) => Some(Self::SpanTsv),
            _ => by_name,
        }
    }
}

/// As much of the beginning as is looked at, without a line that breaks off.
fn beginning_of(bytes: &[u8]) -> Cow<'_, str> {
    let looked_at = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let breaks_off = bytes.len() >= LOOKED_AT;
    let end = looked_at.iter().rposition(|byte| *byte == b'\n').filter(|_| breaks_off);
    let looked_at = looked_at.get(..end.unwrap_or(looked_at.len())).unwrap_or(looked_at);
    let looked_at = looked_at.strip_prefix(BYTE_ORDER_MARK).unwrap_or(looked_at);
    String::from_utf8_lossy(looked_at)
}

/// Whether the beginning is a table of tokens with tags, rather than one of spans, which names its
/// columns.
fn is_columns(text: &str) -> bool {
    let head = text.lines().next().unwrap_or_default().to_lowercase();
    let names_spans = ["start", "end"].iter().all(|name| head.split('\t').any(|it| it == *name));
    !names_spans && fitting_lines(text) >= ARE_COLUMNS
}

/// Whether some of a text looks like tokens with tags, though not enough of it.
pub(crate) fn looks_like_columns(text: &str) -> bool {
    let beginning = beginning_of(text.as_bytes());
    (LOOK_LIKE_COLUMNS..ARE_COLUMNS).contains(&fitting_lines(&beginning))
}

/// How many lines of a text are tokens with tags, in percent; none where no tag has a label, unless all lines end in `O`.
fn fitting_lines(text: &str) -> usize {
    let layout = Layout::of(text.lines(), &ReadOptions::default());
    let is_tagged = |layout: &Layout| layout.has_spans || layout.all_outside;
    layout.filter(is_tagged).map_or(0, |layout| layout.fitting)
}

/// Whether the beginning is of CoNLL-U rather than of CoNLL-2003.
fn is_conllu(text: &str) -> bool {
    let comments = ["# newdoc", "# newpar", "# sent_id", "# text =", "# global.columns"];
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_commented = comments.iter().any(|comment| first.starts_with(comment));
    // Tables of fewer columns have such comments, too.
    if text.starts_with("# global.columns") || is_commented && !is_columns(text) {
        return true;
    }
    first_id(text).is_some_and(|id| id.starts_with(|digit: char| digit.is_ascii_digit()))
}

/// The same of what may be any text: its first word has the number 1.
fn is_numbered_conllu(text: &str) -> bool {
    text.starts_with("# global.columns")
        || first_id(text).is_some_and(|id| id == "1" || id == "1-2")
}

/// The id of the first line of ten columns, if the first line that is no comment has as many.
fn first_id(text: &str) -> Option<&str> {
    let token = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with("# "))?;
    let cells: Vec<&str> = token.split('\t').collect();
    cells.first().copied().filter(|_| cells.len() == 10)
}
