//! Units on a continuum: a line a unit.

use std::collections::BTreeMap;
use std::io::BufRead;

use agreement::{Continuum, MISSING, Unit};

use super::interpretation::{Interpretation, Standing};
use super::long::wanted;
use crate::read::cells::categories::Categories;
use crate::read::cells::sameness::is_number;
use crate::read::columns::roles::Role;
use crate::read::columns::{Layout, Names};
use crate::read::first_rows::{Column, FirstRows};
use crate::read::records::Record;
use crate::read::table::Table;
use crate::read::{Data, Extent, Options, Stretch, Study, Understood};
use crate::{Error, Place, Problem, Refusal, count64};

/// The units that this may hold.
pub(in crate::read) fn interpret(
    first: &FirstRows,
    layout: &Layout,
    options: &Options,
) -> Result<Vec<Interpretation>, Error> {
    let has = |role| layout.find(role).is_some();
    let has_second = has(Role::Length) || has(Role::End);
    if has(Role::Rater) && has(Role::Start) && has(Role::Category) && has_second {
        let units = layout.clone().into_units(first, options)?;
        let because = "the headings of rater, start, end or length, and label are known";
        return Ok(vec![Interpretation::new(units, Standing::Proven, because)]);
    }
    if !options.columns.is_empty() || first.rows().len() < 2 || first.width() != 4 {
        return Ok(Vec::new());
    }
    let holds = |row: &[String], columns: [usize; 4]| {
        let [rater, start, end, label] =
            columns.map(|column| row.get(column).map_or("", String::as_str));
        let is_word = |cell: &str| !cell.is_empty() && !is_number(cell);
        let ends = start.parse::<f64>().ok().zip(end.parse::<f64>().ok());
        is_word(rater) && is_word(label) && is_number(start) && ends.is_some_and(|(a, b)| a < b)
    };
    let all_hold = |columns| first.rows().iter().all(|row| holds(row, columns));
    let comes_again = |column: usize| first.column(column).is_some_and(Column::repeats);
    let because = "two columns are words, and of two numbers the first is always less";
    let is_free = |column: usize| {
        let role = first.column(column).and_then(|column| column.role);
        !matches!(role, Some(Role::Item | Role::Rater | Role::Category | Role::Frequency))
    };
    // Starts are seldom the same; numbers that are, are labels.
    let are_many = |column: usize| {
        !first.header.is_there()
            || first.column(column).is_some_and(|column| column.distinct() * 3 > column.filled())
    };
    let is_labelled = |column: usize| {
        let role = first.column(column).and_then(|column| column.role);
        !matches!(role, Some(Role::Item | Role::Rater))
    };
    let is_pygamma = all_hold([0, 2, 3, 1])
        && is_labelled(1)
        && is_free(2)
        && is_free(3)
        && are_many(2)
        && (!first.header.is_there() || comes_again(0));
    let of = |columns: [usize; 4], extent, standing| {
        let units = layout.clone().into_units_in(columns, extent).with_decimals(first);
        let numbers = columns.map(|column| (column + 1).to_string()).join(",");
        let mut one = Interpretation::new(units, standing, because);
        one.options.push(("columns", numbers));
        one
    };
    if is_pygamma {
        return Ok(vec![of([0, 2, 3, 1], Extent::End, Standing::Proven)]);
    }
    if all_hold([0, 1, 2, 3])
        && is_free(1)
        && is_free(2)
        && are_many(1)
        && is_labelled(3)
        && comes_again(0)
        && first.rows().len() > 2
    {
        let extents = [Extent::End, Extent::Length];
        return Ok(extents.map(|extent| of([0, 1, 2, 3], extent, Standing::Proven)).into());
    }
    Ok(Vec::new())
}

/// A unit, and where its start stands in the file.
struct Read {
    unit: Unit<u32>,
    place: Place,
}

pub(in crate::read) fn read<R: BufRead>(
    table: &mut Table<'_, R>,
    layout: &Layout,
    options: &Options,
    mut categories: Categories,
    mut understood: Understood,
) -> Result<Study, Error> {
    let mut raters = Names::default();
    let mut units: Vec<Read> = Vec::new();
    let rater_column = layout.raters.first().copied().unwrap_or_default();
    while table.next()? {
        let record = &table.record;
        let name = record.field(rater_column);
        if name.is_empty() {
            return Err(record.refuse(rater_column, Problem::Missing("rater")));
        }
        let is_wanted =
            options.raters.is_empty() || options.raters.iter().any(|asked| asked == name);
        let rater = raters.place(name);
        if !is_wanted {
            continue;
        }
        let columns = [layout.start, layout.end, layout.category];
        if columns.iter().all(|column| record.field(*column).is_empty()) {
            // Somebody who marked nothing, which is not the same as somebody who is not there.
            continue;
        }
        let (start, length) = stretch(record, layout, options)?;
        let category = categories.code(record, layout.category)?;
        if category == MISSING {
            return Err(record.refuse(layout.category, Problem::Missing("category")));
        }
        let unit = Unit { rater, start, length, category };
        units.push(Read { unit, place: record.place(layout.start) });
    }
    if units.is_empty() {
        return Err(Refusal { place: None, problem: Problem::OnlyHeader }.into());
    }
    let names = raters.names();
    let ordered = categories.ordered(&[])?;
    for read in &mut units {
        read.unit.category = ordered.rank(read.unit.category);
    }
    check_overlaps(&mut units, &names, &ordered.names)?;

    let order = wanted(&names, &options.raters)?;
    let places: BTreeMap<usize, usize> = order.iter().map(|(_, place)| *place).zip(0..).collect();
    understood.raters = order.into_iter().map(|(name, _)| name).collect();
    let last = units.iter().map(|read| read.unit.end()).max().unwrap_or(0);
    let (begin, end) = continuum(layout, options).unwrap_or((0, last));
    understood.continuum = Some(Stretch { begin, end, given: options.continuum.is_some() });
    understood.ratings = count64(units.len());
    understood.categories = ordered.names;
    let units = units
        .into_iter()
        .filter_map(|Read { unit, .. }| Some(Unit { rater: *places.get(&unit.rater)?, ..unit }));
    let length = end.saturating_sub(begin);
    let continuum = Continuum::with_overlaps(begin, length, places.len(), units);
    let too_many = |_| Refusal { place: None, problem: Problem::TooMany };
    let data = Data::Unitizing(continuum.map_err(too_many)?);
    let (scores, warnings) = (ordered.scores, ordered.warnings);
    Ok(Study { understood, data, scores, items: None, sequences: None, warnings })
}

/// Where a unit starts and how long it is.
fn stretch(record: &Record, layout: &Layout, options: &Options) -> Result<(u64, u64), Error> {
    let second = match layout.extent {
        Some(Extent::End) => "end",
        _ => "length",
    };
    let start = whole(record, layout.start, "start", layout.decimals)?;
    let number = whole(record, layout.end, second, layout.decimals)?;
    let refuse = |problem| Err(record.refuse(layout.end, problem));
    let end = if second == "length" {
        let Some(end) = start.checked_add(number) else {
            let text = format!("{start} + {number}");
            return refuse(Problem::TooLarge { text, what: "end" });
        };
        end
    } else {
        number
    };
    if end < start {
        return refuse(Problem::EndBeforeStart { start, end });
    }
    if end == start {
        return refuse(Problem::NoLength { start });
    }
    match continuum(layout, options) {
        Some((begin, stop)) if start < begin || stop < end => {
            Err(record.refuse(layout.start, Problem::Outside { start, end, begin, stop }))
        }
        _ => Ok((start, end - start)),
    }
}

/// The continuum that was given, as whole as the units are made.
fn continuum(layout: &Layout, options: &Options) -> Option<(u64, u64)> {
    let scaled = |end: u64| end.saturating_mul(10_u64.saturating_pow(layout.decimals));
    options.continuum.map(|(begin, end)| (scaled(begin), scaled(end)))
}

/// A number without its point, so many decimals behind which are made whole.
fn whole(record: &Record, column: usize, what: &'static str, decimals: u32) -> Result<u64, Error> {
    let text = record.field(column);
    let refuse = |problem| Err(record.refuse(column, problem));
    if text.is_empty() {
        return refuse(Problem::Missing(what));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut digits = digits.to_owned();
    if decimals > 0 {
        let (before, behind) = digits.split_once('.').unwrap_or((&digits, ""));
        let (behind, places) =
            (behind.trim_end_matches('0'), usize::try_from(decimals).unwrap_or(0));
        if behind.len() > places {
            return refuse(Problem::Decimals { text: text.to_owned(), what, decimals });
        }
        digits = format!("{before}{behind:0<places$}");
    }
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return refuse(Problem::NotWhole { text: text.to_owned(), what });
    }
    if negative {
        return refuse(Problem::Negative { text: text.to_owned(), what });
    }
    match digits.parse() {
        Ok(number) => Ok(number),
        Err(_) => refuse(Problem::TooLarge { text: text.to_owned(), what }),
    }
}

/// Units of one rater and category must lie apart; those of different categories need not.
fn check_overlaps(
    units: &mut [Read],
    raters: &[String],
    categories: &[String],
) -> Result<(), Error> {
    let key = |read: &Read| (read.unit.rater, read.unit.category, read.unit.start, read.place.line);
    units.sort_unstable_by_key(key);
    let neighbours = units.iter().zip(units.iter().skip(1));
    let overlapping = neighbours.filter(|(a, b)| {
        (a.unit.rater, a.unit.category) == (b.unit.rater, b.unit.category)
            && b.unit.start < a.unit.end()
    });
    // The one to be told is the second in the file, and the first such line.
    let told = overlapping
        .map(|(a, b)| if a.place.line < b.place.line { (a, b) } else { (b, a) })
        .min_by_key(|(_, later)| later.place.line);
    let Some((earlier, later)) = told else { return Ok(()) };
    let name = |names: &[String], place: Option<usize>| {
        place.and_then(|place| names.get(place)).cloned().unwrap_or_default()
    };
    let problem = Problem::Overlap {
        rater: name(raters, Some(later.unit.rater)),
        start: later.unit.start,
        end: later.unit.end(),
        category: name(categories, usize::try_from(later.unit.category).ok()),
        line: earlier.place.line,
    };
    Err(Refusal { place: Some(later.place), problem }.into())
}
