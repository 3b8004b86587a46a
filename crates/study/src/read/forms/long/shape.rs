//! The long tables that a table may be, by headings and by shape.

use crate::read::columns::Layout;
use crate::read::columns::roles::{self, Role};
use crate::read::first_rows::{Column, FirstRows};
use crate::read::forms::interpretation::{Interpretation, Standing};
use crate::read::{Form, Options};

/// The most columns of unknown names that are tried in each role.
const MOST_TRIED: usize = 8;

/// In fewer lines a shape proves nothing.
const FEWEST_LINES: usize = 4;

/// The facts about three columns that may hold item, rater and category.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Shape {
    /// How many of the three are known by their names.
    names: usize,
    has_named_rater: bool,
    has_named_item: bool,
    /// No rater has rated an item twice.
    is_once: bool,
    items_repeat: bool,
    /// Raters are few, and each comes again.
    raters_repeat: bool,
    /// Labels are few, and come again.
    labels_repeat: bool,
    /// Each line has a label.
    are_labels_full: bool,
    /// No value is in two of the columns.
    are_apart: bool,
    /// Most values are in one of the columns.
    are_nearly_apart: bool,
    /// Most names of raters are in neither of the other columns.
    are_raters_apart: bool,
    /// Every rater has rated every item.
    is_crossed: bool,
    /// Items have words for names, and raters numbers.
    are_items_other: bool,
    /// Another column names an item for each line.
    are_lines_items: bool,
    /// Raters have rated half of the items, or more.
    is_dense: bool,
    lines: usize,
}

/// How many names are known, whether each pair of item and rater comes once, and whether each line has
/// a label.
type Rank = (usize, bool, bool);

/// The long tables that this may be.
pub(in crate::read) fn interpret(
    first: &FirstRows,
    layout: &Layout,
    options: &Options,
) -> Vec<Interpretation> {
    let mut found: Vec<(Rank, [usize; 3], Interpretation)> = Vec::new();
    for columns in candidates(first, layout) {
        let Some(shape) = Shape::of(first, columns) else { continue };
        let Some(standing) = shape.standing(first.width()) else { continue };
        let [item, rater, category] = columns;
        let has = |name: &String| {
            let rows = first.rows().iter();
            rows.filter_map(|row| row.get(rater)).any(|cell| cell == name)
        };
        if shape.names < 3 && !options.raters.iter().all(has) {
            continue;
        }
        let mut long = layout.clone();
        long.form = Some(Form::Long);
        (long.item, long.raters, long.category) = (Some(item), vec![rater], category);
        let mut one = Interpretation::new(long, standing, shape.because());
        let numbers = columns.map(|column| (column + 1).to_string()).join(",");
        one.options.push(("columns", numbers));
        let is_crossing = shape.is_once && shape.items_repeat;
        found.push(((shape.names, is_crossing, shape.are_labels_full), columns, one));
    }
    let best = found.iter().map(|(rank, _, one)| (one.standing, *rank)).max();
    found.retain(|(rank, _, one)| Some((one.standing, *rank)) == best);
    // If two columns may name items, the one of many more values does.
    let items = |column: usize| first.column(column).map_or(0, Column::distinct);
    let swapped = |[item, rater, category]: [usize; 3]| [rater, item, category];
    let all: Vec<[usize; 3]> = found.iter().map(|(_, columns, _)| *columns).collect();
    found.retain(|(_, columns, _)| {
        let [item, rater, _] = *columns;
        let is_rater = |column: usize| roles::is_of_raters(&first.name(column));
        let is_worse = items(item) * 2 <= items(rater) && !is_rater(rater)
            || is_rater(item) && !is_rater(rater);
        !(is_worse && all.contains(&swapped(*columns)))
    });
    found.into_iter().map(|(_, _, one)| one).collect()
}

/// All columns that may hold item, rater and category.
fn candidates(first: &FirstRows, layout: &Layout) -> Vec<[usize; 3]> {
    let is_free = |column: &usize| Some(*column) != layout.sequence;
    let unknown: Vec<usize> = (0..first.width())
        .filter(is_free)
        .filter(|&column| {
            let role = first.column(column).and_then(|column| column.role);
            matches!(role, None | Some(Role::Aside | Role::Frequency))
        })
        .take(MOST_TRIED)
        .collect();
    let named =
        |role: Role| -> Vec<usize> { first.playing(role).into_iter().filter(is_free).collect() };
    let of_role = |role: Role| {
        let named = named(role);
        if named.is_empty() { unknown.clone() } else { named }
    };
    let mut items = of_role(Role::Item);
    let repeats = |column: &usize| first.column(*column).is_some_and(Column::repeats);
    if !items.iter().any(repeats) {
        items.extend(unknown.iter().filter(|column| repeats(column)));
        items.sort_unstable();
        items.dedup();
    }
    let mut all = Vec::new();
    for &item in &items {
        for &rater in &of_role(Role::Rater) {
            for &category in &of_role(Role::Category) {
                if item != rater && rater != category && category != item {
                    all.push([item, rater, category]);
                }
            }
        }
    }
    all
}

/// True if this is the only column that has a name of raters.
fn is_only_rater(first: &FirstRows, column: usize) -> bool {
    let named = |column: &usize| roles::is_of_raters(&first.name(*column));
    first.header.is_there() && (0..first.width()).filter(named).eq([column])
}

/// True if each line is of an item of its own, as a column of this name shows.
fn has_items(first: &FirstRows) -> bool {
    let items = first.playing(Role::Item);
    items.iter().any(|&column| first.column(column).is_some_and(Column::is_unique))
}

impl Shape {
    fn of(first: &FirstRows, columns: [usize; 3]) -> Option<Self> {
        let [item, rater, category] = columns;
        let [items, raters, labels] =
            [first.column(item)?, first.column(rater)?, first.column(category)?];
        let has_role = |column: &Column, role| column.role == Some(role);
        let roles = [
            has_role(items, Role::Item),
            has_role(raters, Role::Rater) && first.playing(Role::Rater).len() == 1
                || is_only_rater(first, rater),
            has_role(labels, Role::Category),
        ];
        let names = roles.iter().filter(|is_named| **is_named).count();
        // Times and other measurements are no labels, nor do they name items.
        let is_measured = |column: &Column| {
            column.role.is_none()
                && column.has_decimals()
                && column.distinct() * 2 > column.filled()
        };
        if is_measured(items) || is_measured(labels) {
            return None;
        }
        let is_once = first.is_once(&[item, rater]);
        let lines = items.values.len();
        let is_full = items.filled() == lines && raters.filled() == lines;
        let places = items.distinct() * raters.distinct();
        let pairs = [(items, raters), (items, labels), (raters, labels)];
        let is_rater = names > 1 || roles.get(1) == Some(&true);
        let are_few = if is_rater { raters.repeats() } else { raters.distinct() * 2 <= lines };
        Some(Self {
            names,
            has_named_rater: roles.get(1) == Some(&true),
            has_named_item: roles.first() == Some(&true),
            is_once,
            items_repeat: items.repeats() && items.filled() == lines,
            raters_repeat: are_few
                && raters.distinct() > 1
                && raters.filled() == lines
                && !raters.has_decimals(),
            labels_repeat: labels.repeats()
                && (labels.role.is_some() || labels.distinct() * 3 <= labels.filled() * 2),
            are_labels_full: labels.filled() == lines,
            are_apart: pairs.iter().all(|(one, other)| one.is_apart(other)),
            are_nearly_apart: pairs
                .iter()
                .all(|(one, other)| one.shared(other) * 2 <= one.distinct()),
            are_raters_apart: [items, labels]
                .iter()
                .all(|other| raters.shared(other) * 2 <= raters.distinct()),
            is_crossed: is_once
                && !has_items(first)
                && is_full
                && items.distinct() > 2
                && places == lines,
            is_dense: is_once && !has_items(first) && is_full && lines * 2 > places,
            are_lines_items: has_items(first),
            are_items_other: items.kind() == Some(false) && raters.kind() == Some(true),
            lines,
        })
    }

    /// How much can be said for it; nothing if it is impossible.
    fn standing(&self, width: usize) -> Option<Standing> {
        let is_sound = self.is_once && self.items_repeat && self.raters_repeat;
        let is_shaped = is_sound && self.labels_repeat && self.lines >= FEWEST_LINES;
        let is_long = self.lines > 2 * FEWEST_LINES;
        let is_proven = match (self.names, self.has_named_rater) {
            (3, _) => true,
            (2, true) => self.items_repeat && (self.is_once || self.are_apart),
            (1, true) => {
                let is_long = is_long && !self.are_lines_items;
                is_sound && self.labels_repeat && (self.are_nearly_apart || is_long)
            }
            (2, false) => is_sound && (self.are_apart || self.is_crossed),
            _ => false,
        };
        if is_proven {
            return Some(Standing::Proven);
        }
        // Where each line is an item, only a plain case is another form.
        let is_other = !self.are_lines_items || self.are_apart && is_long;
        let is_possible = match (self.names, self.has_named_rater) {
            (2, false) => is_sound || self.items_repeat && self.raters_repeat && self.are_apart,
            (1, true) => is_sound && self.lines > FEWEST_LINES && !self.are_lines_items,
            (1, false) => {
                let is_dense = is_long && (self.is_dense || self.has_named_item);
                is_other && is_shaped && (self.are_nearly_apart || is_dense)
            }
            _ => {
                let is_grid = self.is_crossed && self.lines > FEWEST_LINES + 1;
                let is_mixed =
                    is_long && (self.are_items_other || self.is_dense && self.are_raters_apart);
                is_other && is_shaped && (self.are_nearly_apart || is_grid || is_mixed)
            }
        };
        if is_possible {
            return Some(Standing::Possible);
        }
        let is_repeated = self.items_repeat && self.raters_repeat && self.labels_repeat;
        let may_be = is_repeated
            && self.are_apart
            && !self.are_lines_items
            && self.lines >= FEWEST_LINES + 2
            && width == 3;
        may_be.then_some(Standing::Doubtful)
    }

    fn because(&self) -> &'static str {
        match (self.names, self.is_once) {
            (3, _) => "the headings of item, rater and label are known",
            (0, true) => {
                "items and raters come again, each pair of them once, and labels are others"
            }
            (_, true) => "headings are known, and each pair of item and rater comes once",
            (_, false) => "headings are known",
        }
    }
}
