//! Between the offsets of the document, in Unicode scalar values, and those of the DOM: UTF-16
//! code units within a chunk. Pure.

use domain::base::text;

use super::Layout;

/// Which end of a selection an offset is: where two chunks meet, a selection begins in the later
/// one and ends in the earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    Start,
    End,
}

/// A place in the DOM: so many UTF-16 code units into the text of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub chunk: usize,
    pub utf16: u32,
}

impl Layout {
    /// The document's offset of a place in the DOM, clamped to the chunk.
    pub(crate) fn offset_of(&self, point: Point) -> u32 {
        self.chunks().get(point.chunk).map_or(0, |chunk| {
            let within = text::scalar_offset(self.text_of(chunk), point.utf16);
            chunk.range.start.saturating_add(within)
        })
    }

    /// The place in the DOM of an offset of the document.
    pub(crate) fn point_of(&self, offset: u32, edge: Edge) -> Option<Point> {
        let chunk = match edge {
            Edge::Start => self.chunk_at(offset),
            Edge::End => self.chunk_at(offset.saturating_sub(1)),
        };
        let found = self.chunks().get(chunk)?;
        let within = offset.saturating_sub(found.range.start);
        Some(Point { chunk, utf16: text::utf16_offset(self.text_of(found), within) })
    }

    /// The document's offset of so many UTF-16 code units into the whole text.
    pub(crate) fn offset_of_utf16(&self, mut utf16: u32) -> u32 {
        for (number, chunk) in self.chunks().iter().enumerate() {
            let length = text::utf16_offset(self.text_of(chunk), chunk.range.len());
            if utf16 <= length {
                return self.offset_of(Point { chunk: number, utf16 });
            }
            utf16 -= length;
        }
        self.length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "🥳 This\r\n👨‍👩‍👧 e\u{301}te\u{301}\nשלום Hamlet\r\n你好👍🏽";

    #[test]
    fn every_offset_survives_the_way_to_the_dom_and_back() {
        let layout = Layout::new(TEXT.into());
        for offset in 0..=layout.length() {
            for edge in [Edge::Start, Edge::End] {
                let point = layout.point_of(offset, edge).unwrap();
                assert_eq!(layout.offset_of(point), offset, "{offset} {edge:?}");
            }
        }
    }

    #[test]
    fn an_emoji_counts_two_units_and_one_character() {
        let layout = Layout::new(TEXT.into());
        assert_eq!(layout.offset_of(Point { chunk: 0, utf16: 3 }), 2);
        assert_eq!(layout.point_of(2, Edge::Start), Some(Point { chunk: 0, utf16: 3 }));
    }

    #[test]
    fn crlf_counts_as_two_characters() {
        let layout = Layout::new("a\r\nb".into());
        assert_eq!(layout.point_of(3, Edge::Start), Some(Point { chunk: 1, utf16: 0 }));
        assert_eq!(layout.point_of(3, Edge::End), Some(Point { chunk: 0, utf16: 3 }));
    }

    #[test]
    fn a_place_inside_a_surrogate_pair_counts_as_before_it() {
        let layout = Layout::new(TEXT.into());
        assert_eq!(layout.offset_of(Point { chunk: 0, utf16: 1 }), 0);
    }

    #[test]
    fn units_of_the_whole_text_are_counted_over_chunks() {
        let layout = Layout::new(TEXT.into());
        let all = u32::try_from(TEXT.encode_utf16().count()).unwrap();
        assert_eq!(layout.offset_of_utf16(all), layout.length());
        assert_eq!(layout.offset_of_utf16(u32::MAX), layout.length());
        assert_eq!(layout.offset_of_utf16(0), 0);
        assert_eq!(layout.offset_of_utf16(9), 8);
    }
}
