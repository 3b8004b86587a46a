//! The columns of a table of spans, found by their names, and the cells of a row.

use csv::ByteRecord;

use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::quoted::shorten;

/// A cell's column and what is wrong with it.
pub(super) type CellProblem = (&'static str, Problem);

pub(super) const ID: &str = "id";
pub(super) const DOCUMENT: &str = "document";
pub(super) const RATER: &str = "rater";
pub(super) const START: &str = "start";
pub(super) const END: &str = "end";
pub(super) const LABEL: &str = "label";
pub(super) const QUOTE: &str = "quote";
pub(super) const TEXT: &str = "text";

/// The column that names those of its row whose cells have an apostrophe before them.
pub(super) const GUARDED: &str = "apostrophe_before";

/// What each column may be called, in lower case; the first name is ours.
const NAMES: [&[&str]; 9] = [
    &[ID, "document_id", "doc_id"],
    &[DOCUMENT, "doc", "document_name", "name"],
    &[RATER, "annotator", "labeler", "labeller", "coder", "user"],
    &[START, "begin", "start_offset"],
    &[END, "end_offset"],
    &[LABEL, "category", "tag"],
    &[QUOTE, "covered_text", "span_text", "span"],
    &[TEXT, "document_text"],
    &[GUARDED],
];

/// The most columns of a table: more are no table of spans, and each takes room.
pub(super) const MAX_COLUMNS: usize = 1000;

/// Where each column of [`NAMES`] is.
#[derive(Debug)]
pub(super) struct Columns {
    places: [Option<usize>; NAMES.len()],
    width: usize,
    others: Vec<String>,
}

/// Which document a row is of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Head {
    pub(super) id: Option<String>,
    pub(super) document: String,
}

/// The other cells of a row; empty ones are none.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) rater: Option<String>,
    /// Where the row has a span: its start, its end and its label.
    pub(super) span: Option<(u64, u64, String)>,
    pub(super) quote: Option<String>,
    pub(super) text: Option<String>,
}

/// Where a column of our name stands in [`NAMES`].
fn column_of(name: &str) -> Option<usize> {
    NAMES.iter().position(|names| names.first() == Some(&name))
}

/// Our name of the column that is called so, in any case.
pub(super) fn known(name: &str) -> Option<&'static str> {
    let lower = name.trim().to_lowercase();
    let names = NAMES.into_iter().find(|names| names.contains(&lower.as_str()))?;
    names.first().copied()
}

impl Columns {
    /// Finds the columns by the first row.
    pub(super) fn read(header: &ByteRecord) -> Result<Self, (Option<String>, Problem)> {
        if header.len() > MAX_COLUMNS {
            let what = "columns";
            let problem = ExchangeProblem::TooMany(what, MAX_COLUMNS);
            return Err((None, problem.into()));
        }
        let mut places = [None; NAMES.len()];
        let mut others = Vec::new();
        for (place, name) in header.iter().enumerate() {
            let given = std::str::from_utf8(name)
                .map_err(|_| (None, Problem::CellNotUtf8))?
                .trim_matches('\u{FEFF}')
                .trim();
            let column = known(given).and_then(column_of);
            match column.and_then(|column| places.get_mut(column)) {
                Some(first @ None) => *first = Some(place),
                Some(_) => {
                    return Err((Some(shorten(given)), Problem::TableColumnTwice));
                }
                None => others.push(shorten(given)),
            }
        }
        let columns = Self { places, width: header.len(), others };
        let missing: Vec<&str> = [DOCUMENT, START, END, LABEL, TEXT]
            .into_iter()
            .filter(|name| columns.place(name).is_none())
            .collect();
        if missing.is_empty() {
            return Ok(columns);
        }
        let is_column = |name: &str| columns.others.iter().any(|other| other == name);
        if is_column("annotation_id") && (is_column("lead_time") || is_column("updated_at")) {
            let (tool, instead) = ("Label Studio's CSV", "its JSON or JSON-MIN");
            return Err((None, ExchangeProblem::OtherTool { tool, instead }.into()));
        }
        Err((None, Problem::TableColumnsMissing(missing.join(", "))))
    }

    /// The names of columns that mean nothing here.
    pub(super) fn others(&self) -> &[String] {
        &self.others
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.places.get(column_of(name)?).copied().flatten()
    }

    /// The cell as text; none if it is empty or its column is not there.
    fn cell(&self, record: &ByteRecord, name: &'static str) -> Result<Option<String>, CellProblem> {
        let Some(bytes) = self.place(name).and_then(|place| record.get(place)) else {
            return Ok(None);
        };
        let cell = std::str::from_utf8(bytes).map_err(|_| (name, Problem::CellNotUtf8))?;
        let guarded = self.place(GUARDED).and_then(|place| record.get(place)).unwrap_or_default();
        let is_guarded = guarded.split(|byte| *byte == b' ').any(|it| it == name.as_bytes());
        let cell = cell.strip_prefix('\'').filter(|_| is_guarded).unwrap_or(cell);
        if cell.contains('\0') {
            return Err((name, Problem::ContainsNul));
        }
        Ok((!cell.is_empty()).then(|| cell.to_owned()))
    }

    /// The cell as something to see; none if it is empty or its column is not there.
    fn visible(
        &self,
        record: &ByteRecord,
        name: &'static str,
    ) -> Result<Option<String>, CellProblem> {
        let cell = self.cell(record, name)?;
        if cell.as_ref().is_some_and(|cell| cell.trim().is_empty()) {
            return Err((name, Problem::Blank));
        }
        Ok(cell)
    }

    fn offset(&self, record: &ByteRecord, name: &'static str) -> Result<Option<u64>, CellProblem> {
        let Some(cell) = self.cell(record, name)?.filter(|cell| !is_gap(cell)) else {
            return Ok(None);
        };
        // A data frame with gaps has fractions.
        let whole = cell.trim_end_matches('0').strip_suffix('.').unwrap_or(&cell);
        let cell = if whole.is_empty() { &cell } else { whole };
        // A plus sign would be taken, too.
        let offset = cell.bytes().all(|byte| byte.is_ascii_digit()).then(|| cell.parse().ok());
        match offset.flatten() {
            Some(offset) => Ok(Some(offset)),
            None => Err((name, Problem::NotAnOffset(shorten(cell)))),
        }
    }

    /// The document that a row is of.
    pub(super) fn head(&self, record: &ByteRecord) -> Result<Head, CellProblem> {
        let problem = Problem::MissingField("the name of the document");
        let document = self.visible(record, DOCUMENT)?.ok_or((DOCUMENT, problem))?;
        Ok(Head { id: self.visible(record, ID)?, document })
    }

    /// The cells of a row.
    pub(super) fn row(&self, record: &ByteRecord) -> Result<Row, (Option<&'static str>, Problem)> {
        if record.len() != self.width {
            let (found, expected) = (record.len(), self.width);
            return Err((None, Problem::TableCells { found, expected }));
        }
        self.named_cells(record).map_err(|(name, problem)| (Some(name), problem))
    }

    fn named_cells(&self, record: &ByteRecord) -> Result<Row, CellProblem> {
        let missing = |name, expected| (name, Problem::MissingField(expected));
        self.head(record)?;
        let start = self.offset(record, START)?;
        let end = self.offset(record, END)?;
        let is_span = start.is_some() || end.is_some();
        let is_said = |cell: &String| is_span || !is_gap(cell);
        let label = self.visible(record, LABEL)?.filter(is_said);
        let quote = self.cell(record, QUOTE)?.filter(is_said);
        let span = match (start, end, label) {
            (Some(start), Some(end), Some(label)) => Some((start, end, label)),
            (None, None, None) if quote.is_none() => None,
            (None, ..) => return Err(missing(START, OFFSET_EXPECTED)),
            (_, None, _) => return Err(missing(END, OFFSET_EXPECTED)),
            (.., None) => return Err(missing(LABEL, "the label of the span")),
        };
        Ok(Row { rater: self.visible(record, RATER)?, span, quote, text: self.cell(record, TEXT)? })
    }
}

/// Whether a cell stands for an empty one, as data frames are written.
fn is_gap(cell: &str) -> bool {
    ["nan", "na", "<na>", "none", "null"].contains(&cell.trim().to_lowercase().as_str())
}

const OFFSET_EXPECTED: &str =
    "a whole number; a row without a span has start, end, label and quote all empty";
