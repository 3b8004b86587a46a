//! How a text is divided: into blocks at its line breaks, long blocks into chunks, blocks into
//! tokens and characters. Nothing of the text is lost or changed.

pub(super) mod movement;
pub(super) mod offsets;
pub(super) mod resizing;
mod sentences;

use std::{ops, sync::Arc, sync::OnceLock};

use domain::{Range, base::text};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// What ends a sentence.
const SENTENCE_ENDS: [char; 10] = ['.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।'];

/// How many Unicode scalar values a chunk has at most, unless one grapheme has more.
const CHUNK: u32 = 1_000;

/// What a selection is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Words, numbers, punctuation marks.
    Token,
    /// Characters as people see them: grapheme clusters.
    Character,
}

impl Unit {
    pub(crate) const fn of(by_token: bool) -> Self {
        if by_token { Self::Token } else { Self::Character }
    }
}

/// A part of the text that is drawn as one piece of HTML.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub range: Range,
    pub bytes: ops::Range<usize>,
    /// The block it belongs to.
    pub block: usize,
}

/// A line of the text with the line break that ends it.
#[derive(Debug)]
pub(crate) struct Block {
    pub range: Range,
    pub bytes: ops::Range<usize>,
    /// The chunks it consists of.
    pub chunks: ops::Range<usize>,
    tokens: OnceLock<Vec<Range>>,
    characters: OnceLock<Vec<Range>>,
}

/// A text and its divisions. Tokens and characters of a block are found when first asked for.
#[derive(Debug)]
pub(crate) struct Layout {
    text: Arc<str>,
    blocks: Vec<Block>,
    chunks: Vec<Chunk>,
}

impl Layout {
    pub(crate) fn new(text: Arc<str>) -> Self {
        let mut blocks = Vec::new();
        let mut chunks = Vec::new();
        let (mut offset, mut byte) = (0, 0);
        for line in lines(&text) {
            let (block, first) = (blocks.len(), chunks.len());
            let (line_offset, line_byte) = (offset, byte);
            for piece in pieces(line) {
                let (end, end_byte) = (offset + text::length(piece), byte + piece.len());
                chunks.push(Chunk { range: Range::new(offset, end), bytes: byte..end_byte, block });
                (offset, byte) = (end, end_byte);
            }
            blocks.push(Block {
                range: Range::new(line_offset, offset),
                bytes: line_byte..byte,
                chunks: first..chunks.len(),
                tokens: OnceLock::new(),
                characters: OnceLock::new(),
            });
        }
        Self { text, blocks, chunks }
    }

    /// All of the text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub(crate) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    pub(crate) fn text_of(&self, chunk: &Chunk) -> &str {
        self.text.get(chunk.bytes.clone()).unwrap_or_default()
    }

    /// The text's length in Unicode scalar values.
    pub(crate) fn length(&self) -> u32 {
        self.blocks.last().map_or(0, |block| block.range.end)
    }

    /// The index of the block that holds the character at `offset`; the last one at the end.
    pub(crate) fn block_at(&self, offset: u32) -> usize {
        let after = self.blocks.partition_point(|block| block.range.start <= offset);
        after.saturating_sub(1)
    }

    /// The index of the chunk that holds the character at `offset`; the last one at the end.
    pub(crate) fn chunk_at(&self, offset: u32) -> usize {
        let after = self.chunks.partition_point(|chunk| chunk.range.start <= offset);
        after.saturating_sub(1)
    }

    /// The indices of the chunks that share a character with `range`.
    pub(crate) fn chunks_in(&self, range: Range) -> ops::Range<usize> {
        let first = self.chunks.partition_point(|chunk| chunk.range.end <= range.start);
        let after = self.chunks.partition_point(|chunk| chunk.range.start < range.end);
        first..after.max(first)
    }

    /// The text that `range` covers, found without walking through the whole text.
    pub(crate) fn slice(&self, range: Range) -> &str {
        self.text.get(self.byte(range.start)..self.byte(range.end)).unwrap_or_default()
    }

    /// The beginning of what `range` covers on one line, with "…" where it goes on.
    pub(crate) fn quote(&self, range: Range, most: u32) -> String {
        let cut = range.len() > most;
        let end = if cut { range.start.saturating_add(most) } else { range.end };
        let mut quote = self.slice(Range::new(range.start, end)).replace(char::is_control, " ");
        if cut {
            quote.push('…');
        }
        quote
    }

    fn byte(&self, offset: u32) -> usize {
        let Some(chunk) = self.chunks.get(self.chunk_at(offset)) else { return 0 };
        let within = offset.saturating_sub(chunk.range.start);
        text::byte_offset(self.text_of(chunk), within)
            .map_or(chunk.bytes.end, |byte| chunk.bytes.start + byte)
    }

    /// The tokens or characters of a block, in order; line breaks belong to none.
    pub(crate) fn units(&self, block: usize, unit: Unit) -> &[Range] {
        let Some(block) = self.blocks.get(block) else { return &[] };
        let text = self.text.get(block.bytes.clone()).unwrap_or_default();
        match unit {
            Unit::Token => block.tokens.get_or_init(|| tokens(text, block.range.start)),
            Unit::Character => block.characters.get_or_init(|| characters(text, block.range.start)),
        }
    }

    /// The smallest run of whole units that covers everything in `range` but the white space (and
    /// for characters: the line breaks) at its edges; `None` if there is nothing else in it.
    pub(crate) fn snap(&self, range: Range, unit: Unit) -> Option<Range> {
        let blocks = self.block_at(range.start)..=self.block_at(range.end.saturating_sub(1));
        let snapped = |block| text::snap(self.units(block, unit), range);
        let first = blocks.clone().find_map(snapped)?;
        let last = blocks.rev().find_map(snapped)?;
        Some(Range::new(first.start, last.end))
    }
}

/// The lines of a text, each with its line break: LF, CRLF or a lone CR.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = rest.find(['\n', '\r']).map_or(rest.len(), |byte| {
            let is_crlf = rest.get(byte..).is_some_and(|tail| tail.starts_with("\r\n"));
            byte + if is_crlf { 2 } else { 1 }
        });
        let (line, tail) = rest.split_at_checked(end)?;
        rest = tail;
        (!line.is_empty()).then_some(line)
    })
}

/// A line in pieces of at most [`CHUNK`] characters, each of which begins on a line of its own when it
/// is drawn: laying out one of them costs the same however long the line is. It is cut after the end
/// of a sentence where there is one in the second half of a piece, or else after white space, or else
/// between words; never inside a grapheme.
fn pieces(line: &str) -> Vec<&str> {
    if text::length(line) <= CHUNK {
        return vec![line];
    }
    let may_cut = |at| GraphemeCursor::new(at, line.len(), true).is_boundary(line, 0) == Ok(true);
    let mut pieces = Vec::new();
    let (mut start, mut end, mut length) = (0, 0, 0);
    // The best place to cut so far: whether a sentence ends there, its byte, and how far it is.
    let mut best: Option<(bool, usize, u32)> = None;
    for part in line.split_word_bounds().flat_map(shortened) {
        let part_length = text::length(part);
        if length > 0 && length + part_length > CHUNK {
            let cut = best.take().map(|(_, at, far)| (at, far));
            let cut = cut.or_else(|| may_cut(end).then_some((end, length)));
            if let Some((at, far)) = cut {
                pieces.extend(line.get(start..at));
                (start, length) = (at, length - far);
            }
        }
        let ends_sentence = line.get(start..end).is_some_and(|text| text.ends_with(SENTENCE_ENDS));
        end += part.len();
        length += part_length;
        let is_blank = part.trim().is_empty();
        let is_better = best.is_none_or(|(is_end, ..)| ends_sentence || !is_end);
        if is_blank && length > CHUNK / 2 && is_better && may_cut(end) {
            best = Some((ends_sentence, end, length));
        }
    }
    pieces.extend(line.get(start..));
    pieces
}

/// A word as it is, or its graphemes if it is too long for a chunk.
fn shortened(word: &str) -> Vec<&str> {
    if text::length(word) > CHUNK { word.graphemes(true).collect() } else { vec![word] }
}

fn tokens(text: &str, start: u32) -> Vec<Range> {
    let shifted = |token: Range| Range::new(start + token.start, start + token.end);
    text::tokens(text).into_iter().map(shifted).collect()
}

fn characters(text: &str, start: u32) -> Vec<Range> {
    let mut end = start;
    let mut characters = Vec::new();
    for grapheme in text.graphemes(true) {
        let begin = end;
        end += text::length(grapheme);
        if !matches!(grapheme, "\n" | "\r\n" | "\r") {
            characters.push(Range::new(begin, end));
        }
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Layout {
        Layout::new(text.into())
    }

    fn joined(layout: &Layout) -> String {
        layout.chunks().iter().map(|chunk| layout.text_of(chunk)).collect()
    }

    #[test]
    fn every_character_is_in_exactly_one_chunk() {
        let long = "word ".repeat(2_000);
        let endless = "e\u{301}".repeat(2_000);
        for text in ["", "a", "a\n", "\n\na\r\n\r\nb\rc", "👨‍👩‍👧 שלום\n你好", &long, &endless]
        {
            let layout = layout(text);
            assert_eq!(joined(&layout), text);
            assert_eq!(layout.length(), text::length(text));
            let mut offset = 0;
            for chunk in layout.chunks() {
                assert_eq!(chunk.range.start, offset);
                assert!(chunk.range.len() <= CHUNK);
                offset = chunk.range.end;
            }
        }
    }

    #[test]
    fn blocks_end_after_lf_crlf_and_a_lone_cr() {
        let layout = layout("a\nb\r\n\r\nc\rd");
        let ends: Vec<_> = layout.blocks().iter().map(|block| block.range.end).collect();
        assert_eq!(ends, [2, 5, 7, 9, 10]);
    }

    #[test]
    fn a_long_line_is_cut_between_words() {
        let layout = layout(&"Hamlet ".repeat(1_000));
        assert!(layout.chunks().len() > 4);
        for chunk in layout.chunks() {
            let text = layout.text_of(chunk);
            assert!(text.starts_with("Hamlet"), "{text:?}");
        }
    }

    #[test]
    fn a_long_line_is_cut_after_sentences_where_there_are_any() {
        let layout = layout(&"To be, or not to be: that is the question. ".repeat(92));
        let chunks = layout.chunks();
        assert_eq!(chunks.len(), 4);
        for chunk in chunks {
            assert!(layout.text_of(chunk).ends_with("question. "));
            assert!(chunk.range.len() > CHUNK / 2);
        }
    }

    #[test]
    fn a_word_longer_than_a_chunk_is_cut_between_graphemes() {
        let layout = layout(&"e\u{301}".repeat(1_600));
        assert!(layout.chunks().len() > 1);
        for chunk in layout.chunks() {
            assert!(layout.text_of(chunk).starts_with('e'));
        }
    }

    #[test]
    fn a_quote_is_one_line_and_cut_at_its_limit() {
        let layout = layout("🥳 The\r\nTragedy of Hamlet");
        assert_eq!(layout.quote(Range::new(2, 14), 20), "The  Tragedy");
        assert_eq!(layout.quote(Range::new(0, 14), 5), "🥳 The…");
        assert_eq!(layout.slice(Range::new(0, 1)), "🥳");
    }

    #[test]
    fn snapping_reaches_over_line_breaks_and_drops_blank_edges() {
        let layout = layout("one two  \r\n\r\n  three four\n");
        let end = layout.length();
        assert_eq!(layout.snap(Range::new(5, 16), Unit::Token), Some(Range::new(4, 20)));
        assert_eq!(layout.snap(Range::new(8, 14), Unit::Token), None);
        assert_eq!(layout.snap(Range::new(0, end), Unit::Token), Some(Range::new(0, end - 1)));
    }

    #[test]
    fn characters_are_graphemes_and_never_line_breaks() {
        let text = "👨‍👩‍👧e\u{301}\r\nא你";
        let layout = layout(text);
        let characters: Vec<_> = (0..2)
            .flat_map(|block| layout.units(block, Unit::Character))
            .map(|range| layout.slice(*range))
            .collect();
        assert_eq!(characters, ["👨‍👩‍👧", "e\u{301}", "א", "你"]);
        assert_eq!(layout.snap(Range::new(1, 2), Unit::Character), Some(Range::new(0, 5)));
    }
}
