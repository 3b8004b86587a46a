//! How the keyboard moves through a text: from one token or character to another.

use domain::Range;

use super::{Layout, Unit};

/// The end of a selection that stays, and the end that moves; each a whole unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Caret {
    pub anchor: Range,
    pub focus: Range,
}

impl Caret {
    pub(crate) const fn at(unit: Range) -> Self {
        Self { anchor: unit, focus: unit }
    }

    /// The caret of a selection whose end moves.
    pub(crate) fn of(layout: &Layout, range: Range, unit: Unit) -> Option<Self> {
        Some(Self {
            anchor: layout.unit_at(range.start, unit)?,
            focus: layout.unit_at(range.end.saturating_sub(1), unit)?,
        })
    }

    /// The caret whose other end moves.
    pub(crate) const fn turned(self) -> Self {
        Self { anchor: self.focus, focus: self.anchor }
    }

    /// What is selected.
    pub(crate) fn range(self) -> Range {
        Range::new(self.anchor.start.min(self.focus.start), self.anchor.end.max(self.focus.end))
    }

    /// Where the selection begins and where it ends, in the direction it was made.
    pub(crate) fn ends(self) -> (u32, u32) {
        let Range { start, end } = self.range();
        if self.focus.start < self.anchor.start { (end, start) } else { (start, end) }
    }

    /// The caret with its moving end on `unit`; both ends if the selection is not to grow.
    pub(crate) const fn moved(self, unit: Range, grow: bool) -> Self {
        if grow { Self { anchor: self.anchor, focus: unit } } else { Self::at(unit) }
    }
}

/// Where to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    Back,
    Forward,
    /// The first unit of the block before this one, of the block after it.
    BlockBack,
    BlockForward,
    /// The first unit of the sentence before, or of this one if that is not where one is; of the
    /// sentence after this one.
    SentenceBack,
    SentenceForward,
    BlockStart,
    BlockEnd,
    TextStart,
    TextEnd,
}

impl Layout {
    /// The unit at `offset`, or else the next one, or else the last one before.
    pub(crate) fn unit_at(&self, offset: u32, unit: Unit) -> Option<Range> {
        let block = self.block_at(offset);
        let here = self.units(block, unit).iter().find(|range| range.end > offset).copied();
        here.or_else(|| self.units(block, unit).last().copied())
            .or_else(|| self.first_after(block, unit))
            .or_else(|| self.last_before(block, unit))
    }

    /// The unit that a motion leads to from `here`; `None` at the text's edge.
    pub(crate) fn unit_toward(&self, here: Range, motion: Motion, unit: Unit) -> Option<Range> {
        let block = self.block_at(here.start);
        let units = self.units(block, unit);
        match motion {
            Motion::Back => {
                let before = units.partition_point(|range| range.end <= here.start);
                let found = before.checked_sub(1).and_then(|index| units.get(index)).copied();
                found.or_else(|| self.last_before(block, unit))
            }
            Motion::Forward => {
                let end = self.block_at(here.end.saturating_sub(1));
                let units = self.units(end, unit);
                let after = units.partition_point(|range| range.start < here.end);
                units.get(after).copied().or_else(|| self.first_after(end, unit))
            }
            Motion::BlockBack => {
                let found = self.last_before(block, unit)?;
                self.units(self.block_at(found.start), unit).first().copied()
            }
            Motion::BlockForward => self.first_after(block, unit),
            Motion::SentenceBack => {
                let sentences = self.sentences(block);
                let found = sentences.iter().rfind(|sentence| sentence.start < here.start);
                let found = found.copied().or_else(|| {
                    let before = self.last_before(block, Unit::Token)?;
                    self.sentences(self.block_at(before.start)).last().copied()
                });
                self.unit_at(found?.start, unit)
            }
            Motion::SentenceForward => {
                let sentences = self.sentences(block);
                let found = sentences.iter().find(|sentence| sentence.start > here.start).copied();
                let found = found.or_else(|| self.first_after(block, Unit::Token));
                self.unit_at(found?.start, unit)
            }
            Motion::BlockStart => units.first().copied(),
            Motion::BlockEnd => units.last().copied(),
            Motion::TextStart => self.unit_at(0, unit),
            Motion::TextEnd => self.last_before(self.blocks().len(), unit),
        }
    }

    fn first_after(&self, block: usize, unit: Unit) -> Option<Range> {
        let mut blocks = block + 1..self.blocks().len();
        blocks.find_map(|block| self.units(block, unit).first().copied())
    }

    fn last_before(&self, block: usize, unit: Unit) -> Option<Range> {
        (0..block).rev().find_map(|block| self.units(block, unit).last().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "To be, or\n\n  not to be\r\n";

    fn walk(from: u32, motion: Motion, unit: Unit) -> Option<String> {
        let layout = Layout::new(TEXT.into());
        let here = layout.unit_at(from, unit)?;
        Some(layout.slice(layout.unit_toward(here, motion, unit)?).to_owned())
    }

    #[test]
    fn tokens_follow_each_other_over_blank_lines() {
        assert_eq!(walk(7, Motion::Forward, Unit::Token).as_deref(), Some("not"));
        assert_eq!(walk(13, Motion::Back, Unit::Token).as_deref(), Some("or"));
        assert_eq!(walk(0, Motion::Back, Unit::Token), None);
        assert_eq!(walk(21, Motion::Forward, Unit::Token), None);
    }

    #[test]
    fn characters_follow_each_other_over_line_breaks() {
        assert_eq!(walk(8, Motion::Forward, Unit::Character).as_deref(), Some(" "));
        assert_eq!(walk(3, Motion::Forward, Unit::Character).as_deref(), Some("e"));
    }

    #[test]
    fn home_and_end_stay_in_the_block_and_reach_the_text_with_ctrl() {
        assert_eq!(walk(17, Motion::BlockStart, Unit::Token).as_deref(), Some("not"));
        assert_eq!(walk(3, Motion::BlockEnd, Unit::Token).as_deref(), Some("or"));
        assert_eq!(walk(17, Motion::TextStart, Unit::Token).as_deref(), Some("To"));
        assert_eq!(walk(0, Motion::TextEnd, Unit::Token).as_deref(), Some("be"));
        assert_eq!(walk(0, Motion::BlockForward, Unit::Token).as_deref(), Some("not"));
        assert_eq!(walk(20, Motion::BlockBack, Unit::Token).as_deref(), Some("To"));
    }

    #[test]
    fn sentences_follow_each_other_over_line_breaks() {
        let layout = Layout::new("One two. Three four.\nFive six.".into());
        let go = |from, motion| {
            let here = layout.unit_at(from, Unit::Token)?;
            Some(layout.slice(layout.unit_toward(here, motion, Unit::Token)?).to_owned())
        };
        assert_eq!(go(4, Motion::SentenceForward).as_deref(), Some("Three"));
        assert_eq!(go(9, Motion::SentenceForward).as_deref(), Some("Five"));
        assert_eq!(go(21, Motion::SentenceForward), None);
        assert_eq!(go(15, Motion::SentenceBack).as_deref(), Some("Three"));
        assert_eq!(go(9, Motion::SentenceBack).as_deref(), Some("One"));
        assert_eq!(go(21, Motion::SentenceBack).as_deref(), Some("Three"));
        assert_eq!(go(0, Motion::SentenceBack), None);
    }

    #[test]
    fn a_selection_grows_and_shrinks_at_its_moving_end() {
        let layout = Layout::new(TEXT.into());
        let caret = Caret::at(Range::new(3, 5));
        let grown = caret.moved(Range::new(0, 2), true);
        assert_eq!((grown.range(), grown.ends()), (Range::new(0, 5), (5, 0)));
        let turned = grown.moved(Range::new(5, 6), true);
        assert_eq!((turned.range(), turned.ends()), (Range::new(3, 6), (3, 6)));
        assert_eq!(
            Caret::of(&layout, Range::new(0, 6), Unit::Token),
            Some(Caret { anchor: Range::new(0, 2), focus: Range::new(5, 6) })
        );
    }

    #[test]
    fn white_space_leads_to_the_next_token_and_a_blank_text_to_none() {
        let layout = Layout::new(TEXT.into());
        assert_eq!(layout.unit_at(11, Unit::Token), Some(Range::new(13, 16)));
        assert_eq!(Layout::new(" \n ".into()).unit_at(0, Unit::Token), None);
        assert_eq!(Layout::new("".into()).unit_at(0, Unit::Character), None);
    }
}
