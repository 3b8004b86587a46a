//! How much of a text can be parsed as Markdown in bounded time.

/// The most containers, quotations and list items, that are looked through for all lines together.
/// The parser walks through all that are open at each line, which takes about 10 ns for each.
pub(super) const MAX_OPEN_CONTAINERS: usize = 1_000_000;

/// The columns from one tab stop to the next.
const TAB: usize = 4;

/// The columns by which a list indents what is in it, at least.
const MIN_INDENT: usize = 2;

/// Where a text is to end so that parsing it takes bounded time; none if all of it can be parsed.
pub(super) fn find_parse_limit(markdown: &str) -> Option<usize> {
    let (mut begin, mut deepest, mut open) = (0, 0, 0_usize);
    for line in markdown.split_inclusive(['\n', '\r']) {
        deepest = deepest.max(count_containers(line));
        open = open.saturating_add(deepest);
        if open > MAX_OPEN_CONTAINERS {
            return Some(begin);
        }
        begin += line.len();
    }
    None
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
