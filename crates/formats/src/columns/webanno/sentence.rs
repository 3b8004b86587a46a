//! A sentence of WebAnno TSV: its text and its rows, held against each other.

use crate::TextIndex;
use crate::columns::webanno::cells::{unescape_text, values, written_out};
use crate::columns::webanno::header::{Header, LabelColumn};
use crate::import::spans::{SpanBudget, quoted};
use crate::problem::Problem;
use crate::problem::quoted::shorten;
use crate::problem::webanno::WebAnnoProblem;

/// The most problems that are told of one file, and looked for in one sentence: enough to see the
/// pattern.
pub(super) const MAX_PROBLEMS: usize = 100;

/// The most values that the rows of a sentence may have, but for those of the last row.
const MAX_MARKS: usize = 100_000;

/// A sentence as its lines give it.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    pub(super) text: String,
    /// The line of its first `#Text=`.
    pub(super) line: usize,
    pub(super) rows: Vec<(usize, String)>,
}

/// A value of a layer on a token or a part of one.
#[derive(Debug)]
pub(super) struct Mark {
    /// Which of the header's label columns it is from.
    pub(super) column: usize,
    pub(super) id: Option<u64>,
    pub(super) label: String,
    /// Where it is within the sentence, in scalars.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: usize,
    /// Which of the sentence's tokens it is on, counted from 1.
    pub(super) token: usize,
    /// What is answered, by the places of the layer's questions.
    pub(super) answers: Vec<(usize, String)>,
}

/// A problem with its line and field.
pub(super) type Placed = (usize, Option<String>, Problem);

/// The cells of a row that are the same in every file.
struct Unit<'row> {
    begin: u64,
    end: u64,
    token: &'row str,
    /// Whether it is a whole token.
    is_token: bool,
}

impl<'row> Unit<'row> {
    /// Reads a row; its cells come along.
    fn read(
        row: &'row str,
        header: &Header,
    ) -> Result<(Self, Vec<&'row str>), (&'static str, WebAnnoProblem)> {
        let expected = header.cells();
        // Each row ends in a tab, which editors may have cut off.
        let tabs = row.bytes().filter(|byte| *byte == b'\t').count();
        let found = if tabs == expected && row.ends_with('\t') { expected } else { tabs + 1 };
        if found != expected {
            return Err(("", WebAnnoProblem::Cells { found, expected }));
        }
        let cells: Vec<&str> = row.split('\t').collect();
        let cell = |place: usize| cells.get(place).copied().unwrap_or_default();
        let (number, offsets) = (cell(0), cell(1));
        let is_unit = number.split_once('-').is_some_and(|(sentence, token)| {
            let (token, part) = token.split_once('.').unwrap_or((token, "1"));
            [sentence, token, part].into_iter().all(is_number)
        });
        if !is_unit {
            return Err(("number", WebAnnoProblem::Unit(shorten(number))));
        }
        let range =
            offsets.split_once('-').filter(|(begin, end)| is_number(begin) && is_number(end));
        let range = range.and_then(|(begin, end)| begin.parse().ok().zip(end.parse().ok()));
        match range {
            Some((begin, end)) => {
                let is_token = !number.contains('.');
                Ok((Self { begin, end, token: cell(2), is_token }, cells))
            }
            None => Err(("offsets", WebAnnoProblem::Offsets(shorten(offsets)))),
        }
    }
}

fn is_number(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit())
}

impl Sentence {
    /// Where the sentence begins in the document, in UTF-16 units, as its first row says.
    pub(super) fn begin(&self, header: &Header) -> Result<u64, Placed> {
        let Some((line, row)) = self.rows.first() else {
            return Err((self.line, None, WebAnnoProblem::NoTokens.into()));
        };
        Unit::read(row, header).map(|(unit, _)| unit.begin).map_err(|error| placed(*line, error))
    }

    /// How many tokens the sentence has.
    pub(super) fn tokens(&self) -> usize {
        let number = |row: &str| row.split('\t').next().is_some_and(|it| !it.contains('.'));
        self.rows.iter().filter(|(_, row)| number(row)).count()
    }

    /// Writes out characters that stand as their numbers (`\u00FC`) where only so the text has the tokens;
    /// whether there were any.
    pub(super) fn write_out_numbers(&mut self, begin: usize, header: &Header) -> bool {
        let Some(text) = written_out(&self.text).filter(|_| !self.has_tokens(begin, header)) else {
            return false;
        };
        let before = std::mem::replace(&mut self.text, text);
        if self.has_tokens(begin, header) {
            return true;
        }
        self.text = before;
        false
    }

    /// Whether the text has each token at its place.
    fn has_tokens(&self, begin: usize, header: &Header) -> bool {
        let index = TextIndex::new(&self.text);
        self.rows.iter().all(|(_, row)| {
            let unit = Unit::read(row, header);
            unit.is_ok_and(|(unit, _)| {
                unit.begin == unit.end || Self::range(&unit, begin, &index).is_ok()
            })
        })
    }

    /// The spans of the rows, each held against the text of the sentence, which begins at this
    /// offset in UTF-16 units; what is wrong with rows, and how many marks hold no character.
    pub(super) fn marks(
        &self,
        begin: usize,
        header: &Header,
        columns: &[LabelColumn],
    ) -> (Vec<Mark>, Vec<Placed>, usize) {
        let index = TextIndex::new(&self.text);
        let (mut marks, mut problems, mut empty) = (Vec::new(), Vec::new(), 0);
        // Rows that go on with a span take no room in the document, but they do here.
        let (mut budget, mut token) = (SpanBudget::default(), 0);
        for (line, row) in &self.rows {
            if problems.len() >= MAX_PROBLEMS {
                break;
            }
            if marks.len() > MAX_MARKS {
                problems.push((*line, None, Problem::TooManySpans));
                break;
            }
            let (unit, cells) = match Unit::read(row, header) {
                Ok(read) => read,
                Err(error) => {
                    problems.push(placed(*line, error));
                    continue;
                }
            };
            token += usize::from(unit.is_token);
            if unit.begin == unit.end {
                empty += columns.iter().filter(|it| cells.get(it.cell) != Some(&"_")).count();
                continue;
            }
            let range = match Self::range(&unit, begin, &index) {
                Ok(range) => range,
                Err((field, problem)) => {
                    problems.push((*line, Some(field.to_owned()), problem));
                    continue;
                }
            };
            for (column, place) in columns.iter().enumerate() {
                let cell = |at: usize| cells.get(at).copied().unwrap_or("_");
                let is_set = |at: &usize| cell(*at) != "_";
                // A host of slots without a label of its own stands in the cells of these.
                let (at, labelled) = match Some(place.cell).filter(is_set) {
                    Some(at) => (at, place.labelled),
                    None => (place.all.clone().find(is_set).unwrap_or(place.cell), false),
                };
                let field = || Some(place.field.clone());
                let values = match values(cell(at)) {
                    Ok(values) => values,
                    Err(problem) => {
                        problems.push((*line, field(), problem.into()));
                        continue;
                    }
                };
                for (at, value) in values.into_iter().enumerate() {
                    let answers = match answers(place, &cells, at, value.id) {
                        Ok(answers) => answers,
                        Err((field, problem)) => {
                            problems.push((*line, Some(field), problem.into()));
                            break;
                        }
                    };
                    let label = value.text.filter(|_| labelled);
                    let label = label.unwrap_or_else(|| place.layer.clone());
                    if label.trim().is_empty() {
                        problems.push((*line, field(), Problem::Blank));
                        break;
                    }
                    let texts = answers.iter().map(|(_, text)| text);
                    let counted = texts.chain([&label]).try_for_each(|it| budget.count_span(it));
                    if let Err(problem) = counted {
                        problems.push((*line, None, problem));
                        return (Vec::new(), problems, empty);
                    }
                    let ((start, end), line, id) = (range, *line, value.id);
                    marks.push(Mark { column, id, label, start, end, line, token, answers });
                }
            }
        }
        (marks, problems, empty)
    }

    /// The place of a token within the sentence in scalars, where the text has the token.
    fn range(
        unit: &Unit<'_>,
        sentence_begin: usize,
        index: &TextIndex<'_>,
    ) -> Result<(usize, usize), (&'static str, Problem)> {
        let local = |offset: u64| {
            let offset = usize::try_from(offset).ok()?.checked_sub(sentence_begin)?;
            index.scalar_of_utf16(offset)
        };
        let range = local(unit.begin).zip(local(unit.end)).filter(|(start, end)| start < end);
        let Some((start, end)) = range else {
            let problem = WebAnnoProblem::OutsideSentence {
                begin: unit.begin,
                end: unit.end,
                sentence_begin,
                sentence_end: sentence_begin + index.utf16_count(),
            };
            return Err(("offsets", problem.into()));
        };
        // The format's page asks for escapes in texts, its writer does without them in tokens.
        quoted(index, start, end, &unescape_text(unit.token))
            .or_else(|_| quoted(index, start, end, unit.token))
            .map_err(|problem| ("token", problem))?;
        Ok((start, end))
    }
}

/// What the cells of a layer's questions have for the value at a place of the label's, which in a stack
/// has its id there, too.
fn answers(
    column: &LabelColumn,
    cells: &[&str],
    place: usize,
    id: Option<u64>,
) -> Result<Vec<(usize, String)>, (String, WebAnnoProblem)> {
    let mut answers = Vec::new();
    for (number, (cell, question)) in column.questions.iter().enumerate() {
        let cell = cells.get(*cell).copied().unwrap_or("_");
        if cell == "_" || cell == "*" {
            continue;
        }
        let found = values(cell).map_err(|problem| (shorten(question), problem))?;
        let mut found = found.into_iter().enumerate();
        let own = found.find(|(at, value)| match id {
            Some(_) => value.id == id,
            None => *at == place,
        });
        answers.extend(own.and_then(|(_, value)| Some((number, value.text?))));
    }
    Ok(answers)
}

fn placed(line: usize, (field, problem): (&'static str, WebAnnoProblem)) -> Placed {
    (line, (!field.is_empty()).then(|| field.to_owned()), problem.into())
}
