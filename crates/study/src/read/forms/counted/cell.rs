//! Cells of tables of counts: numbers however they are written, and names of sums and blanks.

use crate::read::cells::sameness::key;

/// The names of sums; a label may be called so, too.
const SUMS: &[&str] = &[
    "total",
    "totals",
    "sum",
    "sums",
    "all",
    "σ",
    "∑",
    "grand total",
    "total result",
    "row total",
    "column total",
    "row totals",
    "column totals",
    "gesamt",
    "gesamtergebnis",
    "insgesamt",
    "summe",
    "total général",
    "total general",
    "somme",
    "suma",
    "totale",
    "totaal",
    "总计",
    "合计",
    "marginal",
    "margin",
];

/// Names that tables of spreadsheets have for what is missing.
const BLANKS: &[&str] = &["(blank)", "(leer)", "(vide)", "(empty)", "(en blanco)"];

/// True if a line or a column may hold sums, as its name says; a label may be called so, too.
pub(in crate::read) fn is_called_sum(name: &str) -> bool {
    SUMS.contains(&key(name.trim_end_matches([':', ' '])).as_str())
}

/// True if a line or a column counts what is missing, as its name says.
pub(in crate::read) fn is_called_blank(name: &str) -> bool {
    BLANKS.contains(&key(name).as_str())
}

/// The count in a cell: nothing is none, `20.0` is 20, and `20,000` has a sign between thousands.
pub(in crate::read) fn count(cell: &str) -> Option<u64> {
    if cell.is_empty() {
        return Some(0);
    }
    let signs = [',', '\'', '’', ' ', '\u{a0}', '\u{202f}', '\u{2009}', '.'];
    if signs.iter().any(|&sign| is_thousands(cell, sign)) {
        let digits: String = cell.chars().filter(char::is_ascii_digit).collect();
        return digits.parse().ok();
    }
    let whole = match cell.split_once(['.', ',']) {
        Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => whole,
        _ => cell,
    };
    whole
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| whole.parse().unwrap_or(u64::MAX))
        .filter(|_| !whole.is_empty())
}

/// True if this sign stands between groups of three digits.
pub(in crate::read) fn is_thousands(cell: &str, sign: char) -> bool {
    let mut groups = cell.split(sign);
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_first =
        groups.next().is_some_and(|group| (1..=3).contains(&group.len()) && are_digits(group));
    let mut rest = groups.peekable();
    is_first && rest.peek().is_some() && rest.all(|group| group.len() == 3 && are_digits(group))
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn counts_are_whole_however_they_are_written() {
        for (cell, expected) in [
            ("", Some(0)),
            ("20", Some(20)),
            ("20.0", Some(20)),
            ("20,00", Some(20)),
            ("20,000", Some(20_000)),
            ("1.234.567", Some(1_234_567)),
            ("1 234", Some(1_234)),
            ("1'234", Some(1_234)),
            ("0.5", None),
            ("20%", None),
            ("-1", None),
            ("x", None),
            (".0", None),
        ] {
            assert_eq!(count(cell), expected, "{cell}");
        }
    }
}
