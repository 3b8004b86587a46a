//! The wide tables that a table may be: which columns name items, and which hold ratings.

use std::collections::BTreeSet;

use crate::read::columns::Layout;
use crate::read::columns::roles::Role;
use crate::read::first_rows::{Column, FirstRows};
use crate::read::forms::interpretation::{Interpretation, Standing};
use crate::read::{Form, Level, Options, Warning};
use crate::{Error, Misuse, Problem, Refusal};

/// In fewer lines values need neither come again nor be shared.
const FEWEST_LINES: usize = 4;

/// The columns of a wide table.
struct Split {
    item: Option<usize>,
    raters: Vec<usize>,
    /// Raters or items: nothing shows which.
    doubtful: Vec<usize>,
    because: String,
    warnings: Vec<Warning>,
}

/// The wide tables that this may be.
pub(in crate::read) fn interpret(
    first: &FirstRows,
    layout: &Layout,
    options: &Options,
) -> Result<Vec<Interpretation>, Error> {
    if !options.columns.is_empty() {
        let expected = "the columns of a long table or of units; in a wide one use --raters";
        return Err(Misuse::ColumnCount { expected }.into());
    }
    // Raters and their labels, and nothing that was rated.
    if let (&[rater], &[label], 2) = (
        first.playing(Role::Rater).as_slice(),
        first.playing(Role::Category).as_slice(),
        first.width(),
    ) {
        let columns = first.column(rater).zip(first.column(label));
        if columns.is_some_and(|(raters, labels)| raters.is_apart(labels)) {
            let problem = Problem::NoItems(first.name(rater), first.name(label));
            return Err(Refusal { place: first.places.first().copied(), problem }.into());
        }
    }
    let split = if options.raters.is_empty() {
        Split::of(first, layout, options.level)
    } else {
        let raters = layout.select(&options.raters)?;
        let item = named_item(first, layout).filter(|column| !raters.contains(column));
        let because = "its raters were asked for".to_owned();
        Split { item, raters, doubtful: Vec::new(), because, warnings: Vec::new() }
    };
    let wide = |item: Option<usize>, raters: &[usize]| {
        let mut wide = layout.clone();
        (wide.form, wide.item, wide.raters) = (Some(Form::Wide), item, raters.to_vec());
        Interpretation::new(wide, Standing::Possible, &split.because)
    };
    if !split.doubtful.is_empty() {
        let rest = |column: &&usize| !split.doubtful.contains(column);
        let rest: Vec<usize> = split.raters.iter().filter(rest).copied().collect();
        let item = split.doubtful.first().copied();
        let choices = [wide(item, &rest), wide(None, &split.raters)];
        return Ok(choices.map(|choice| choice.with_raters(first)).into());
    }
    let mut one = wide(split.item, &split.raters);
    let columns: Vec<&Column> =
        split.raters.iter().filter_map(|&column| first.column(column)).collect();
    let lines = first.rows().len();
    let are_numbers = columns.iter().all(|column| column.kind() == Some(true));
    let are_labels = options.level == Level::Nominal || !are_numbers;
    if are_labels && options.raters.is_empty() && lines >= FEWEST_LINES - 1 && are_apart(&columns) {
        one.standing = Standing::Doubtful;
        let message = "no value is in the columns of two raters: do they hold ratings?";
        let place = split.raters.first().and_then(|&column| first.places.get(column)).copied();
        one.warnings.push(Warning::new("unshared_values", place, message.to_owned()));
    }
    one.warnings.extend(split.warnings);
    one.warnings.extend(repeated_item(first, &one.layout));
    if let (&[rater], true) = (split.raters.as_slice(), options.raters.is_empty()) {
        let message = format!("“{}” is the only rater: nothing can be compared", first.name(rater));
        let place = first.places.get(rater).copied();
        one.warnings.push(Warning::new("one_rater", place, message));
    }
    Ok(vec![one])
}

/// True if there are several columns with values, and no two have one in common.
fn are_apart(columns: &[&Column]) -> bool {
    let pairs = columns.iter().enumerate();
    let mut pairs = pairs
        .flat_map(|(place, one)| columns.iter().skip(place + 1).map(move |other| (one, other)));
    let is_full = |column: &&&Column| column.distinct() > 0;
    columns.iter().filter(is_full).count() > 1 && pairs.all(|(one, other)| one.is_apart(other))
}

/// The column that names items, by its own name.
fn named_item(first: &FirstRows, layout: &Layout) -> Option<usize> {
    let is_free = |column: &usize| Some(*column) != layout.sequence;
    let unnamed = first.names.first().filter(|name| name.is_empty()).map(|_| 0);
    if let Some(column) = unnamed.filter(is_free) {
        return Some(column);
    }
    let named: Vec<usize> = first.playing(Role::Item).into_iter().filter(is_free).collect();
    let is_unique = |column: &&usize| first.column(**column).is_some_and(Column::is_unique);
    named.iter().find(is_unique).or(named.first()).copied()
}

/// A warning if several lines are of one item.
fn repeated_item(first: &FirstRows, layout: &Layout) -> Option<Warning> {
    let column = layout.item?;
    let mut seen = BTreeSet::new();
    let cells = first.rows().iter().filter_map(|row| row.get(column));
    let again = cells.filter(|cell| !cell.is_empty()).find(|cell| !seen.insert(*cell))?;
    let message = format!("“{again}” names several lines: each line counts as an item");
    let place = first.places.get(column).copied();
    Some(Warning::new("repeated_item", place, message))
}

impl Split {
    /// Which columns name items, which hold ratings, and which neither.
    fn of(first: &FirstRows, layout: &Layout, level: Level) -> Self {
        let item = named_item(first, layout);
        let is_beside = |column: &usize| {
            let role = first.column(*column).and_then(|column| column.role);
            matches!(role, Some(Role::Item | Role::Aside))
        };
        let (beside, raters): (Vec<usize>, Vec<usize>) = (0..first.width())
            .filter(|&column| ![item, layout.sequence].contains(&Some(column)))
            .partition(is_beside);
        let raters = if raters.is_empty() { beside } else { raters };
        let because = match item {
            Some(column) if !first.name(column).is_empty() => {
                format!("{} names items", first.quoted(&[column]))
            }
            _ => "nothing shows another form".to_owned(),
        };
        let mut split = Self { item, raters, doubtful: Vec::new(), because, warnings: Vec::new() };
        if split.item.is_none() {
            split.find_item(first);
        }
        if first.rows().len() >= FEWEST_LINES - 1 {
            split.check_values(first, level);
        }
        split
    }

    /// Takes a column for that of items in which no value comes again, where they do elsewhere.
    fn find_item(&mut self, first: &FirstRows) {
        let lines = first.rows().len();
        let names = self.raters.iter().filter_map(|&rater| first.names.get(rater));
        let names: Vec<&str> = names.map(String::as_str).collect();
        let is_headed = !is_series(&names) && names.get(1..).is_some_and(is_series);
        let is_series = is_series(&names);
        let is_item = |place: usize, column: usize| {
            let Some(own) = first.column(column) else { return false };
            let others: Vec<&Column> = self
                .raters
                .iter()
                .filter(|other| **other != column)
                .filter_map(|&other| first.column(other))
                .collect();
            let are_other = own.kind().is_some()
                && others.iter().all(|other| other.kind() == own.kind().map(|kind| !kind));
            let come_again = others.iter().all(|other| other.distinct() * 3 <= lines * 2);
            let least = |is_proof: bool, fewest: usize| is_proof && come_again && lines >= fewest;
            let apart = others.iter().all(|other| own.is_apart(other));
            let mostly = others.iter().all(|other| own.shared(other) * 2 <= own.distinct());
            // Ratings seldom count the lines, and hardly those of one rater alone.
            let is_alone = !others.iter().any(|other| other.is_index());
            let is_numbered = own.is_index() && is_alone && !is_series && !names.is_empty();
            let is_first = place == 0
                && (least(own.rises() && mostly, FEWEST_LINES)
                    || least(own.is_index() && !is_series, FEWEST_LINES + 1)
                    || is_numbered && lines > FEWEST_LINES + 1
                    || own.is_index() && is_headed && lines > 2);
            let is_at_hand = place == 0 || own.kind() == Some(false);
            !others.is_empty()
                && own.is_unique()
                && (is_first
                    || is_at_hand && least(apart, FEWEST_LINES)
                    || place == 0
                        && own.kind() == Some(false)
                        && others.len() > 1
                        && lines > 1
                        && apart
                    || place == 0 && are_other && others.len() > 1 && lines > 1)
        };
        let mut places = self.raters.iter().enumerate();
        if let Some((_, &column)) = places.find(|(place, column)| is_item(*place, **column)) {
            self.item = Some(column);
            self.raters.retain(|other| *other != column);
            let name = first.quoted(&[column]);
            self.because = format!("no value of {name} comes again, as in a column of items");
            return;
        }
        // Few lines, numbered from 0 or 1: the numbers may be ratings all the same.
        let fewest = if names.is_empty() { FEWEST_LINES - 1 } else { FEWEST_LINES - 2 };
        let may_number = |column: usize| {
            let others = || self.raters.iter().skip(1).filter_map(|&other| first.column(other));
            let is_index = first.column(column).is_some_and(Column::is_index);
            is_index && lines > fewest && others().count() > 1 && !others().all(Column::is_unique)
        };
        if let Some(&column) =
            self.raters.first().filter(|&&column| may_number(column) && !is_series)
        {
            self.doubtful.push(column);
        }
    }

    /// Leaves out what is no rating, and finds what may be none.
    fn check_values(&mut self, first: &FirstRows, level: Level) {
        let column = |place: usize| first.column(place);
        let shares = |one: usize| {
            let mut others = self.raters.iter().filter(|other| **other != one);
            others.any(|&other| {
                column(one).zip(column(other)).is_some_and(|(one, other)| !one.is_apart(other))
            })
        };
        let (sharing, apart): (Vec<usize>, Vec<usize>) =
            self.raters.iter().copied().partition(|&column| shares(column));
        let &[leader, _, ..] = sharing.as_slice() else { return };
        let kind_of = |place: usize| column(place).and_then(Column::kind);
        let (mut out, mut kept) = (Vec::new(), Vec::new());
        for one in apart {
            if column(one).is_none_or(|column| column.distinct() == 0) {
                continue;
            }
            let own = kind_of(one);
            // Numbers on a scale need not come again.
            if level > Level::Nominal && own == Some(true) && kind_of(leader) == Some(true) {
                continue;
            }
            let is_measured = column(one).is_some_and(Column::is_measured)
                && !sharing.iter().any(|&other| column(other).is_some_and(Column::has_decimals));
            let is_other = is_measured
                || own.is_some()
                    && sharing.iter().all(|&other| kind_of(other) == own.map(|is| !is));
            let names_items =
                column(one).is_some_and(|column| column.is_grouped() || column.is_unique());
            if is_other && names_items && one < leader && self.item.is_none() {
                self.item = Some(one);
                let name = first.quoted(&[one]);
                self.because = format!("{name} holds other values than the ratings, as items do");
            } else if is_other {
                out.push(one);
            } else if one < leader && self.item.is_none() {
                self.doubtful.push(one);
            } else {
                kept.push(one);
            }
        }
        self.raters.retain(|column| !out.contains(column) && self.item != Some(*column));
        // All share some values, but the first is in groups, as items are that have several lines.
        if let (None, true, Some(own)) = (self.item, sharing.len() > 2, column(leader)) {
            let others = || sharing.iter().skip(1).filter_map(|&other| column(other));
            let has_own = others().all(|other| own.shared(other) < own.distinct());
            let is_known = self.doubtful.contains(&leader);
            if self.raters.first() == Some(&leader) && own.is_grouped() && has_own && !is_known {
                self.doubtful.push(leader);
            }
        }
        let mut warn = |code: &str, columns: &[usize], words: &str| {
            if let Some(&one) = columns.first() {
                let message = format!("{} {words}", first.quoted(columns));
                self.warnings.push(Warning::new(code, first.places.get(one).copied(), message));
            }
        };
        warn(
            "other_values",
            &out,
            "left out: its values are no labels like those of the raters; choose with --raters",
        );
        warn(
            "unshared_values",
            &kept,
            "shares no value with another rater: is it one? Choose with --raters",
        );
    }
}

/// True if the names are alike, as those of raters are: single letters, one word with numbers, or with
/// other words behind it.
fn is_series(names: &[&str]) -> bool {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_lowercase();
    let are_letters = names.iter().all(|name| name.chars().count() == 1);
    let are_numbered = names.iter().all(|name| {
        names
            .first()
            .is_some_and(|first| stem(first) == stem(name) && stem(name) != name.to_lowercase())
    });
    let word = |name: &str| {
        let (word, _) = name.split_once(|c: char| !c.is_alphanumeric())?;
        Some(word.to_lowercase())
    };
    let first = names.first().and_then(|name| word(name));
    let share_word = first.is_some() && names.iter().all(|name| word(name) == first);
    let are_names = names.iter().any(|name| !name.starts_with(|c: char| c.is_ascii_digit()));
    names.len() > 1 && (are_letters && are_names || are_numbered || share_word)
}
