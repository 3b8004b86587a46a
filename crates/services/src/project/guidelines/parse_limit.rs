//! How much of a text can be parsed as Markdown in bounded time.

/// The most work, in steps of about 10 ns. At each line the parser walks through all containers that are
/// open, quotations and list items: one step each.
pub(super) const MAX_STEPS: usize = 1_000_000;

/// The steps for a cell of a table: each row has all cells, whether they are written or not.
const STEPS_OF_CELL: usize = 10;

/// The columns from one tab stop to the next.
const TAB: usize = 4;

/// The columns by which a list indents what is in it, at least.
const MIN_INDENT: usize = 2;

/// Where a text is to end so that parsing it takes bounded time; none if all of it can be parsed.
pub(super) fn find_parse_limit(markdown: &str) -> Option<usize> {
    let (mut begin, mut deepest, mut cells, mut steps) = (0, 0, 0, 0_usize);
    for line in markdown.split_inclusive(['\n', '\r']) {
        deepest = deepest.max(count_containers(line));
        // A table goes on up to the next empty line.
        cells = if line.trim().is_empty() { 0 } else { count_columns(line).max(cells) };
        steps = steps.saturating_add(deepest + cells * STEPS_OF_CELL);
        if steps > MAX_STEPS {
            return Some(begin);
        }
        begin += line.len();
    }
    None
}

/// How many columns a table has that this line rules; none if it rules none.
fn count_columns(line: &str) -> usize {
    let is_rule = |byte| matches!(byte, b'|' | b'-' | b':' | b'>' | b' ' | b'\t' | b'\n' | b'\r');
    let columns = if line.bytes().all(is_rule) { line.matches('|').count() } else { 0 };
    if columns > 0 { columns + 1 } else { 0 }
}

/// As many containers may be open after a line at most: each that begins there has its marker, and
/// each that goes on has its marker or is indented.
fn count_containers(line: &str) -> usize {
    let (mut columns, mut markers) = (0, 0);
    let mut rest = line.as_bytes();
    while let [first, others @ ..] = rest {
        rest = others;
        match first {
            b' ' => columns += 1,
            b'\t' => columns += TAB,
            b'>' | b'-' | b'+' | b'*' => markers += 1,
            b'0'..=b'9' => {
                let end = rest.iter().position(|byte| !byte.is_ascii_digit());
                match end.and_then(|end| rest.get(end..)) {
                    Some([b'.' | b')', others @ ..]) => rest = others,
                    _ => break,
                }
                markers += 1;
            }
            _ => break,
        }
    }
    markers + columns / MIN_INDENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_counted_by_their_markers_and_by_what_they_indent() {
        let lines = ["a", "> a", ">>>- a", "  - a", "\t1.> a", "12) a", "12 a", "    code"];
        assert_eq!(lines.map(count_containers), [0, 1, 4, 2, 4, 1, 0, 2]);
    }

    #[test]
    fn rows_of_wide_tables_are_cut_and_others_are_not() {
        let rule = "|-".repeat(300);
        let wide = format!("{}\n{rule}\n", "|a".repeat(300));
        let end = find_parse_limit(&format!("{wide}{}", "a\n".repeat(10_000))).unwrap();
        assert!((wide.len() + 500..wide.len() + 1_000).contains(&end), "{end}");
        assert_eq!(find_parse_limit(&format!("{wide}\n{}", "a\n".repeat(10_000))), None);
        assert_eq!(find_parse_limit(&"a|b\n-|-\nc|d\n".repeat(10_000)), None);
    }

    #[test]
    fn texts_of_many_lines_in_many_containers_are_cut_and_others_are_not() {
        let list = "- a\n  - b\n    - c\n".repeat(10_000);
        assert_eq!(find_parse_limit(&list), None);
        for (container, line) in [(">", "a\n"), ("-", "a\r"), ("1.", "\n")] {
            let containers = container.repeat(10_000);
            let text = format!("{containers}a\n{}", line.repeat(10_000));
            let end = find_parse_limit(&text).unwrap();
            assert_eq!(end, containers.len() + 2 + 99 * line.len(), "{container:?}");
        }
    }
}
