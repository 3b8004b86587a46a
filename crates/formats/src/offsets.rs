//! Offsets of a text in scalars, bytes and UTF-16, looked up without walking the text each time.

/// How many scalars lie between two entries of the index.
const STRIDE: usize = 64;

/// An index over a text for many conversions of offsets, made in one pass.
///
/// ```
/// let text = formats::TextIndex::new("🥳 This");
/// assert_eq!((text.utf16(2), text.utf16(6)), (Some(3), Some(7)));
/// assert_eq!(text.slice(2, 6), Some("This"));
/// assert_eq!(text.slice(2, 7), None);
/// ```
#[derive(Debug)]
pub struct TextIndex<'text> {
    text: &'text str,
    /// Byte and UTF-16 offset of every [`STRIDE`]th scalar.
    marks: Vec<(usize, usize)>,
    scalar_count: usize,
}

impl<'text> TextIndex<'text> {
    /// Indexes a text.
    pub fn new(text: &'text str) -> Self {
        let mut marks = Vec::with_capacity(text.len() / STRIDE + 1);
        let (mut scalar_count, mut byte, mut utf16) = (0_usize, 0, 0);
        for scalar in text.chars() {
            if scalar_count.is_multiple_of(STRIDE) {
                marks.push((byte, utf16));
            }
            scalar_count += 1;
            byte += scalar.len_utf8();
            utf16 += scalar.len_utf16();
        }
        if scalar_count.is_multiple_of(STRIDE) {
            marks.push((byte, utf16));
        }
        Self { text, marks, scalar_count }
    }

    /// The length of the text in Unicode scalar values.
    pub fn scalar_count(&self) -> usize {
        self.scalar_count
    }

    /// The UTF-16 offset of a scalar offset; none past the end of the text.
    pub fn utf16(&self, scalar: usize) -> Option<usize> {
        self.locate(scalar).map(|(_, utf16)| utf16)
    }

    /// The length of the text in UTF-16 units.
    pub fn utf16_count(&self) -> usize {
        self.locate(self.scalar_count).map_or(0, |(_, utf16)| utf16)
    }

    /// The scalar offset of a UTF-16 offset; none past the end of the text and within a pair of
    /// surrogates.
    pub fn scalar_of_utf16(&self, utf16: usize) -> Option<usize> {
        let mark = self.marks.partition_point(|(_, mark)| *mark <= utf16).checked_sub(1)?;
        let (byte, mut passed) = *self.marks.get(mark)?;
        let mut scalar = mark * STRIDE;
        for next in self.text.get(byte..)?.chars() {
            if passed >= utf16 {
                break;
            }
            passed += next.len_utf16();
            scalar += 1;
        }
        (passed == utf16).then_some(scalar)
    }

    /// The text from one scalar offset to another, exclusive; none if they do not lie in order
    /// within the text.
    pub fn slice(&self, start: usize, end: usize) -> Option<&'text str> {
        let (start, _) = self.locate(start)?;
        let (end, _) = self.locate(end)?;
        self.text.get(start..end)
    }

    /// The byte and UTF-16 offset of a scalar offset, up to and including the end of the text.
    fn locate(&self, scalar: usize) -> Option<(usize, usize)> {
        if scalar > self.scalar_count {
            return None;
        }
        let (byte, utf16) = *self.marks.get(scalar / STRIDE)?;
        let rest = self.text.get(byte..)?.chars().take(scalar % STRIDE);
        Some(rest.fold((byte, utf16), |(byte, utf16), scalar| {
            (byte + scalar.len_utf8(), utf16 + scalar.len_utf16())
        }))
    }
}
