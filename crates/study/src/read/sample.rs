//! The beginning of a file, read ahead to see what it looks like.

use std::io::{BufRead, Chain, Cursor, Read};

use super::{Delimiter, Record, Records};
use crate::read::columns::roles::proves_header;
use crate::{Error, Place, Problem, Refusal};

/// How much of the file is looked at.
const MOST_BYTES: usize = 1 << 20;
/// How many records are looked at.
const MOST_ROWS: usize = 2_000;

/// The first bytes of files that are no tables, with their kind.
const NO_TABLE: &[(&[u8], &str)] = &[
    (b"PK\x03\x04", "a spreadsheet such as .xlsx or .ods, or an archive"),
    (b"\xD0\xCF\x11\xE0", "a spreadsheet of an old Excel (.xls)"),
    (b"%PDF", "a PDF"),
    (b"\x1F\x8B", "a compressed file (.gz)"),
    (b"<!DOCTYPE", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "XML"),
    (b"{\"", "JSON"),
    (b"{ \"", "JSON"),
    (b"[{", "JSON"),
    (b"[\n", "JSON"),
];

/// The first bytes of a file.
pub(crate) struct Sample {
    bytes: Vec<u8>,
    whole: bool,
}

/// A file from its start, after some of it was read.
type Again<R> = Chain<Cursor<Vec<u8>>, R>;

/// The shape of a table, as the first records show it.
pub(crate) struct Shape {
    pub(crate) delimiter: Delimiter,
    /// How many records stand above the first row.
    pub(crate) above: usize,
    /// The first rows, all of one width if the file is right.
    pub(crate) rows: Vec<Vec<String>>,
    /// The width of most of them.
    pub(crate) width: usize,
    /// Where each field of the first row stands.
    pub(crate) places: Vec<Place>,
    /// True if these are all rows.
    pub(crate) is_whole: bool,
}

/// A record of the sample.
struct Row {
    texts: Vec<String>,
    places: Vec<Place>,
}

impl Sample {
    /// Takes the sample; the second answer is the file from its start again.
    pub(crate) fn read<R: BufRead>(mut input: R) -> Result<(Self, Again<R>), Error> {
        let mut bytes = Vec::new();
        let whole = loop {
            let buffer = input.fill_buf().map_err(Error::Read)?;
            if buffer.is_empty() {
                break true;
            }
            let (length, room) = (buffer.len(), MOST_BYTES - bytes.len());
            bytes.extend(buffer.iter().take(room));
            input.consume(length.min(room));
            if bytes.len() == MOST_BYTES {
                break false;
            }
        };
        let refuse = |problem| Err(Refusal { place: None, problem }.into());
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) || is_utf16(&bytes)
        {
            return refuse(Problem::Utf16);
        }
        if let Some((_, what)) = NO_TABLE.iter().find(|(start, _)| bytes.starts_with(start)) {
            return refuse(Problem::NoTable(what));
        }
        let again = Cursor::new(bytes.clone()).chain(input);
        Ok((Self { bytes, whole }, again))
    }

    /// The delimiter, unless it is known, and the first records.
    ///
    /// The delimiter is the one that a first line `sep=` names, or that gives most records the same
    /// number of columns, more than one; of equals the rarer in text: tab, then semicolon, then
    /// comma, then `|`; blanks only where each record has as many fields.
    pub(crate) fn shape(&self, known: Option<Delimiter>) -> Result<Shape, Error> {
        let said = self.said_delimiter();
        let candidates = match known.or(said) {
            Some(delimiter) => vec![delimiter],
            None => vec![Delimiter::Tab, Delimiter::Semicolon, Delimiter::Comma, Delimiter::Pipe],
        };
        let above = usize::from(said.is_some());
        let rows_of = |delimiter| self.rows(delimiter).into_iter().skip(above).collect();
        let mut best = (Delimiter::Comma, Vec::new(), 0);
        for &delimiter in &candidates {
            let rows: Vec<Row> = rows_of(delimiter);
            let even = evenness(&rows);
            if even > best.2 || candidates.len() == 1 {
                best = (delimiter, rows, even);
            }
        }
        if best.2 == 0 && candidates.len() > 1 {
            let rows = rows_of(Delimiter::Blank);
            if rows.len() > 1 && are_even(&rows) {
                best = (Delimiter::Blank, rows, 1000);
            }
        }
        let (delimiter, mut rows, even) = best;
        if even == 0 && rows.is_empty() {
            rows = rows_of(delimiter);
        }
        if rows.is_empty() {
            // Either there is nothing, or the first record already is wrong: it is said why.
            Records::new(self.bytes.as_slice(), delimiter).next(&mut Record::default())?;
            return Err(Refusal { place: None, problem: Problem::Empty }.into());
        }
        let is_whole = self.whole && rows.len() < MOST_ROWS;
        Ok(Shape::new(delimiter, above, rows, is_whole))
    }

    /// The delimiter that a first line `sep=;` names, as spreadsheets write it.
    fn said_delimiter(&self) -> Option<Delimiter> {
        let text = self.bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&self.bytes);
        let line = text.split(|byte| b"\r\n".contains(byte)).next()?;
        let line = line.strip_prefix(b"\"").unwrap_or(line);
        let sign = line.strip_prefix(b"sep=").or(line.strip_prefix(b"SEP="))?;
        let sign = std::str::from_utf8(sign).ok()?.trim_end_matches('"');
        sign.parse().ok()
    }

    fn rows(&self, delimiter: Delimiter) -> Vec<Row> {
        let mut records = Records::new(self.bytes.as_slice(), delimiter);
        let mut record = Record::default();
        let mut rows = Vec::new();
        // A mistake is reported when the file is read.
        while rows.len() < MOST_ROWS && records.next(&mut record).is_ok_and(|more| more) {
            if !record.is_rule() {
                let places = if rows.len() < FIRST { record.places() } else { Vec::new() };
                rows.push(Row { texts: record.texts(), places });
            }
        }
        if !self.whole && rows.len() > 1 && rows.len() < MOST_ROWS {
            // The sample may end within the last one.
            rows.pop();
        }
        rows
    }
}

/// The places of so many records are kept: one of them is the first row.
const FIRST: usize = 20;

impl Shape {
    /// Leaves out what is no row: titles, remarks, and columns that are empty in all rows.
    fn new(delimiter: Delimiter, mut above: usize, mut rows: Vec<Row>, is_whole: bool) -> Self {
        let longest = rows.iter().map(|row| row.texts.len()).max().unwrap_or(0);
        let is_filled = |column: usize| {
            rows.iter().any(|row| row.texts.get(column).is_some_and(|text| !text.is_empty()))
        };
        let filled =
            (0..longest).rev().find(|&column| is_filled(column)).map_or(1, |last| last + 1);
        for row in &mut rows {
            row.texts.truncate(filled);
        }
        let width = usual_width(&rows).map_or(1, |(width, _)| width);
        let is_remark = |row: &Row| {
            row.texts.len() != width && row.texts.first().is_some_and(|text| text.starts_with('#'))
        };
        let is_title = |rows: &[Row]| match rows {
            [one, next, ..] => {
                let is_alone = one.texts.iter().skip(1).all(String::is_empty);
                let is_short = one.texts.len() == 1 && width > 1;
                let has_names = next.texts.iter().any(|name| proves_header(name));
                is_alone
                    && !one.texts.is_empty()
                    && (is_short
                        || has_names
                            && next.texts.len() > 1
                            && !one.texts.iter().any(|name| proves_header(name)))
            }
            _ => false,
        };
        let mut first = 0;
        while rows.get(first).is_some_and(is_remark) || rows.get(first..).is_some_and(is_title) {
            first += 1;
        }
        above += first;
        rows.drain(..first);
        rows.retain(|row| !is_remark(row));
        let is_without_corner = matches!(delimiter, Delimiter::Tab | Delimiter::Blank)
            && rows.len() > 2
            && rows.iter().skip(1).all(|row| row.texts.len() == width);
        if let Some(head) =
            rows.first_mut().filter(|row| is_without_corner && row.texts.len() + 1 == width)
        {
            // So R writes tables: the names of the rows have no heading.
            head.texts.insert(0, String::new());
        }
        let places = rows.first().map(|row| row.places.clone()).unwrap_or_default();
        let rows = rows.into_iter().map(|row| row.texts).collect();
        Self { delimiter, above, rows, width, places, is_whole }
    }
}

/// The most frequent number of columns above one, and how many rows have it.
fn usual_width(rows: &[Row]) -> Option<(usize, usize)> {
    let counts: Vec<usize> = rows.iter().map(|row| row.texts.len()).collect();
    let widths: std::collections::BTreeSet<usize> =
        counts.iter().copied().filter(|&count| count > 1).collect();
    let with = |width: usize| counts.iter().filter(|&&count| count == width).count();
    widths
        .into_iter()
        .map(|width| (width, with(width)))
        .max_by_key(|(width, with)| (*with, std::cmp::Reverse(*width)))
}

/// True if all rows have the same number of columns, or only the first has one less, as the names of
/// the lines have no heading where R writes them.
fn are_even(rows: &[Row]) -> bool {
    let Some((first, rest)) = rows.split_first() else { return false };
    let width = rest.first().map_or(0, |row| row.texts.len());
    width > 1
        && rest.iter().all(|row| row.texts.len() == width)
        && (first.texts.len() == width || first.texts.len() + 1 == width && rest.len() > 1)
}

/// How many of a thousand records have the most frequent number of columns, if it is above one.
fn evenness(rows: &[Row]) -> usize {
    usual_width(rows).map_or(0, |(_, with)| with) * 1000 / rows.len().max(1)
}

/// True if every other byte is none, as in UTF-16 without a mark.
fn is_utf16(bytes: &[u8]) -> bool {
    let start = bytes.get(..bytes.len().min(512)).unwrap_or_default();
    let zeros =
        |place: usize| start.iter().skip(place).step_by(2).filter(|&&byte| byte == 0).count();
    let most = start.len() / 4;
    start.len() > 3 && (zeros(0) > most && zeros(1) == 0 || zeros(1) > most && zeros(0) == 0)
}
