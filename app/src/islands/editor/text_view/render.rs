//! The HTML of one chunk: its text in runs, each inside a `span` per mark that covers it. Pure;
//! everything that people wrote is escaped.

use std::fmt::Write;

use domain::Range;
use unicode_segmentation::UnicodeSegmentation;

use super::mark::Mark;
use crate::display::escape::{escape_attribute, escape_text};

/// Less than a line has in bytes, also on a phone.
const SHORTER_THAN_A_LINE: usize = 16;

/// A mark that shares characters with the chunk, and where it is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub mark: &'a Mark,
    pub lane: usize,
}

/// A placed mark cut to the chunk, in bytes of its text.
struct Piece<'a> {
    /// The mark's number in the chunk.
    number: usize,
    placed: Placed<'a>,
    start: usize,
    end: usize,
    /// Where the first character ends if the mark starts in this chunk: the tag hangs there, on a
    /// run that is never wrapped.
    head: Option<usize>,
}

/// Renders `text`, which stands at `range` of the document. `placed` is in nesting order.
pub(crate) fn chunk(text: &str, range: Range, placed: &[Placed<'_>]) -> String {
    let pieces = pieces(text, range, placed);
    let mut cuts: Vec<usize> =
        pieces.iter().flat_map(|piece| [piece.start, piece.head.unwrap_or(0), piece.end]).collect();
    for piece in pieces.iter().filter(|piece| piece.placed.lane > 0) {
        cuts.extend(line_cuts(text, piece));
    }
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();

    let mut html = String::with_capacity(text.len() + 120 * cuts.len());
    let mut open: Vec<&Piece<'_>> = Vec::new();
    let mut coming = pieces.iter().peekable();
    for (&start, &end) in cuts.iter().zip(cuts.iter().skip(1)) {
        open.retain(|piece| piece.end > start);
        while let Some(piece) = coming.next_if(|piece| piece.start <= start) {
            open.push(piece);
        }
        for piece in &open {
            open_span(&mut html, piece, start);
        }
        escape_text(&mut html, text.get(start..end).unwrap_or_default());
        for _ in &open {
            html.push_str("</span>");
        }
    }
    html
}

/// Where a mark below the first lane is cut so that every line it is on has a run of it that begins
/// there: a run makes room below the line that it begins on. Always before a word.
fn line_cuts(text: &str, piece: &Piece<'_>) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut last = piece.start;
    let words = text.get(piece.start..piece.end).unwrap_or_default().split_word_bound_indices();
    for (at, word) in words.map(|(at, word)| (piece.start + at, word)) {
        if at >= last + SHORTER_THAN_A_LINE && !word.trim().is_empty() {
            cuts.push(at);
            last = at;
        }
    }
    cuts
}

fn pieces<'a>(text: &str, range: Range, placed: &[Placed<'a>]) -> Vec<Piece<'a>> {
    let starts: Vec<usize> = text.char_indices().map(|(byte, _)| byte).collect();
    let byte = |offset: u32| {
        let place = usize::try_from(offset.saturating_sub(range.start)).unwrap_or(usize::MAX);
        starts.get(place).copied().unwrap_or(text.len())
    };
    let mut pieces = Vec::with_capacity(placed.len());
    for (number, &placed) in placed.iter().enumerate() {
        let Range { start: from, end: to } = placed.mark.range;
        let (start, end) = (byte(from), byte(to));
        let head = (from >= range.start).then(|| {
            let first = text.get(start..end).unwrap_or_default().graphemes(true).next();
            start + first.map_or(0, str::len)
        });
        pieces.push(Piece { number, placed, start, end, head });
    }
    pieces
}

fn open_span(html: &mut String, piece: &Piece<'_>, at: usize) {
    let Placed { mark, lane } = piece.placed;
    html.push_str("<span class=\"m ");
    // Writing to a string cannot fail.
    let _ = match mark.colour {
        Some(colour) => write!(html, "colour-{} lane-{lane}", colour.index()),
        None => write!(html, "no-colour lane-{lane}"),
    };
    if !mark.class.is_empty() {
        html.push(' ');
        escape_attribute(html, mark.class);
    }
    let _ = write!(html, "\" data-m=\"{}\" title=\"", piece.number);
    escape_attribute(html, &mark.title);
    if piece.head.is_some() && at == piece.start && !mark.tag.is_empty() {
        html.push_str("\" data-label=\"");
        escape_attribute(html, &mark.tag);
    }
    html.push_str("\">");
}

#[cfg(test)]
mod tests {
    use domain::base::text;

    use super::*;

    fn mark(start: u32, end: u32, tag: &str) -> Mark {
        Mark {
            range: Range::new(start, end),
            tag: tag.into(),
            colour: domain::Colour::new(3),
            class: "",
            title: tag.into(),
        }
    }

    fn render(text: &str, start: u32, marks: &[Mark]) -> String {
        let placed: Vec<_> =
            marks.iter().enumerate().map(|(lane, mark)| Placed { mark, lane }).collect();
        chunk(text, Range::new(start, start + text::length(text)), &placed)
    }

    /// The text that a browser would make of the HTML.
    fn content(html: &str) -> String {
        let mut text = String::new();
        let mut inside = false;
        for c in html.chars() {
            match c {
                '<' => inside = true,
                '>' => inside = false,
                c if !inside => text.push(c),
                _ => {}
            }
        }
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&#13;", "\r"), ("&amp;", "&")];
        entities.iter().fold(text, |text, (entity, c)| text.replace(entity, c))
    }

    #[test]
    fn a_text_without_marks_is_escaped_and_otherwise_bare() {
        assert_eq!(render("a <b> & c\r\n", 0, &[]), "a &lt;b&gt; &amp; c&#13;\n");
    }

    #[test]
    fn a_tag_hangs_on_the_first_character_of_its_mark() {
        let html = render("Hamlet", 10, &[mark(10, 16, "PER")]);
        assert_eq!(
            html,
            "<span class=\"m colour-3 lane-0\" data-m=\"0\" title=\"PER\" data-label=\"PER\">H</span>\
             <span class=\"m colour-3 lane-0\" data-m=\"0\" title=\"PER\">amlet</span>"
        );
    }

    #[test]
    fn a_mark_that_began_in_an_earlier_chunk_shows_no_tag() {
        assert!(!render("let", 13, &[mark(10, 16, "PER")]).contains("data-label"));
    }

    #[test]
    fn marks_that_cross_are_nested_run_by_run() {
        let html = render("abcdef", 0, &[mark(0, 4, "A"), mark(2, 6, "B")]);
        let depth = html.split("<span").skip(1).fold((0_usize, 0_usize), |(now, most), part| {
            let now = now + 1;
            (now - part.matches("</span>").count(), most.max(now))
        });
        assert_eq!(depth, (0, 2));
        assert_eq!(content(&html), "abcdef");
    }

    #[test]
    fn a_long_mark_in_a_deeper_lane_begins_anew_on_every_line() {
        let text = "one two three four five six seven eight nine ten";
        let html = render(text, 0, &[mark(0, 3, "A"), mark(0, 48, "B")]);
        assert!(html.matches("lane-1").count() >= 4, "{html}");
        assert_eq!(content(&html), text);
        assert_eq!(html.matches("data-label").count(), 2);
    }

    #[test]
    fn nothing_that_people_wrote_becomes_markup() {
        let evil = "\"><script>alert('x')</script>&amp;";
        assert_eq!(content(&render(evil, 0, &[])), evil);
        assert!(!render(evil, 0, &[]).contains("<script"));

        let html = render("plain", 0, &[mark(0, 5, evil)]);
        let escaped = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;";
        assert!(html.contains(&format!("title=\"{escaped}\" data-label=\"{escaped}\">p</span>")));
        assert_eq!(content(&html), "plain");
    }

    #[test]
    fn runs_put_together_are_the_text() {
        let text = "👨‍👩‍👧 e\u{301}té\r\n שלום 你好 <&>";
        let marks = [mark(0, 5, "A"), mark(3, 9, "B"), mark(6, 12, "C"), mark(6, 7, "D")];
        assert_eq!(content(&render(text, 0, &marks)), text);
    }
}
