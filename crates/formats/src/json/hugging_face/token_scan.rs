//! Where the tokens of a text are, one after the other.

/// A walk over a text, token by token.
#[derive(Debug)]
pub(crate) struct TokenScan<'text> {
    text: &'text str,
    byte: usize,
    scalar: usize,
}

impl<'text> TokenScan<'text> {
    /// Begins before the first token.
    pub(crate) const fn new(text: &'text str) -> Self {
        Self { text, byte: 0, scalar: 0 }
    }

    /// The next place of a token after the one before: only whitespace may lie between.
    pub(crate) fn find(&mut self, token: &str) -> Option<(usize, usize)> {
        let rest = self.text.get(self.byte..)?;
        let gap = rest.find(token)?;
        let skipped = rest.get(..gap)?;
        if !skipped.trim().is_empty() {
            return None;
        }
        let start = self.scalar + skipped.chars().count();
        let end = start + token.chars().count();
        self.byte += gap + token.len();
        self.scalar = end;
        Some((start, end))
    }
}
