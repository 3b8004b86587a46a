//! What is on screen: which marks every chunk shows, and its HTML once that is asked for. A new
//! picture knows the chunks that look as they did, so that only the others need to be drawn.

use std::{fmt::Write, sync::Arc};

use super::{
    lanes::{lanes, nesting},
    layout::Layout,
    mark::Mark,
    render::{self, Placed},
};

/// How many marks a page that is worked on is sent with, at most: more than a screen shows. The
/// browser draws the others when the page is there.
const AT_FIRST: usize = 300;

/// A text with its marks, ready to be shown.
#[derive(Debug)]
pub(crate) struct Picture {
    marks: Arc<Vec<Mark>>,
    lanes: Vec<usize>,
    chunks: Vec<ChunkPicture>,
    /// How many pictures of the text were drawn before.
    number: usize,
}

#[derive(Debug)]
struct ChunkPicture {
    /// The marks in it, in nesting order; a mark's place here is its number in the HTML.
    marks: Vec<usize>,
    /// The number of the first picture in a row in which it looks as it does here.
    since: usize,
}

impl Picture {
    pub(crate) fn draw(layout: &Layout, marks: Arc<Vec<Mark>>, before: Option<&Self>) -> Self {
        let nesting = nesting(&marks);
        let lanes = lanes(&marks, &nesting);
        let mut inside: Vec<Vec<usize>> = vec![Vec::new(); layout.chunks().len()];
        for index in nesting {
            let Some(mark) = marks.get(index) else { continue };
            let touched = layout.chunks_in(mark.range);
            for chunk in inside.get_mut(touched).unwrap_or_default() {
                chunk.push(index);
            }
        }
        let number = before.map_or(0, |before| before.number + 1);
        let chunks = Vec::with_capacity(inside.len());
        let mut picture = Self { marks, lanes, chunks, number };
        for (chunk, marks) in inside.into_iter().enumerate() {
            let since = before.and_then(|before| {
                let old = before.chunks.get(chunk)?;
                picture.looks_like(&marks, before, &old.marks).then_some(old.since)
            });
            picture.chunks.push(ChunkPicture { marks, since: since.unwrap_or(number) });
        }
        picture
    }

    /// The HTML of a chunk with its marks.
    pub(crate) fn chunk_html(&self, layout: &Layout, number: usize) -> String {
        let marks = self.chunks.get(number).map(|chunk| chunk.marks.as_slice());
        self.drawn(layout, number, marks.unwrap_or_default())
    }

    /// The HTML of a chunk: one element within which the text is raised above its first lane; marks in
    /// deeper ones make room on the lines that they are on.
    fn drawn(&self, layout: &Layout, number: usize, marks: &[usize]) -> String {
        let Some(chunk) = layout.chunks().get(number) else { return String::new() };
        let placed: Vec<_> = marks.iter().filter_map(|&index| self.placed(index)).collect();
        format!("<span>{}</span>", render::chunk(layout.text_of(chunk), chunk.range, &placed))
    }

    /// For each chunk, whether its marks are left out at first: those after [`AT_FIRST`] marks.
    pub(crate) fn bare_at_first(&self) -> Vec<bool> {
        let mut drawn = 0;
        let is_late = |chunk: &ChunkPicture| {
            drawn += chunk.marks.len();
            drawn > AT_FIRST && !chunk.marks.is_empty()
        };
        self.chunks.iter().map(is_late).collect()
    }

    /// How many marks are drawn in a chunk.
    pub(crate) fn marks_in(&self, chunk: usize) -> usize {
        self.chunks.get(chunk).map_or(0, |chunk| chunk.marks.len())
    }

    fn placed(&self, index: usize) -> Option<Placed<'_>> {
        let (mark, &lane) = self.marks.get(index).zip(self.lanes.get(index))?;
        Some(Placed { mark, lane })
    }

    /// Whether these marks of this picture look like those marks of an earlier one.
    fn looks_like(&self, marks: &[usize], before: &Self, old: &[usize]) -> bool {
        marks.len() == old.len()
            && marks.iter().zip(old).all(|(&new, &old)| {
                self.lanes.get(new) == before.lanes.get(old)
                    && self.marks.get(new) == before.marks.get(old)
            })
    }

    /// The HTML of the whole text; the marks in bare chunks are left out.
    pub(crate) fn html(&self, layout: &Layout, bare: &[bool]) -> String {
        let mut html = String::with_capacity(2 * layout.text().len() + 200 * self.marks.len());
        for block in layout.blocks() {
            html.push_str("<div class=\"block\" dir=\"auto\">");
            for number in block.chunks.clone() {
                let Some(chunk) = layout.chunks().get(number) else { continue };
                let start = chunk.range.start;
                let drawn = if bare.get(number) == Some(&true) {
                    self.drawn(layout, number, &[])
                } else {
                    self.chunk_html(layout, number)
                };
                // Writing to a string cannot fail.
                let _ = write!(html, "<span class=\"chunk\" data-start=\"{start}\">{drawn}</span>");
            }
            html.push_str("</div>");
        }
        html
    }

    /// The chunks that look different than before, and their HTML.
    pub(crate) fn changed_chunks<'a>(
        &'a self,
        before: &'a Self,
        layout: &'a Layout,
    ) -> impl Iterator<Item = (usize, String)> {
        let pairs = self.chunks.iter().zip(&before.chunks).enumerate();
        let changed = pairs.filter(|(_, (new, old))| new.since != old.since);
        changed.map(|(number, _)| (number, self.chunk_html(layout, number)))
    }

    /// The mark that has this number in the HTML of a chunk.
    pub(crate) fn mark_at(&self, chunk: usize, number: usize) -> Option<usize> {
        self.chunks.get(chunk)?.marks.get(number).copied()
    }

    /// Where a mark is drawn: chunks, and its number in each.
    pub(crate) fn places(&self, layout: &Layout, mark: usize) -> Vec<(usize, usize)> {
        let Some(range) = self.marks.get(mark).map(|mark| mark.range) else { return Vec::new() };
        let number =
            |chunk: usize| self.chunks.get(chunk)?.marks.iter().position(|index| *index == mark);
        layout.chunks_in(range).filter_map(|chunk| Some((chunk, number(chunk)?))).collect()
    }

    pub(crate) fn marks(&self) -> &[Mark] {
        &self.marks
    }
}

#[cfg(test)]
mod tests {
    use domain::Range;

    use super::*;

    fn mark(start: u32, end: u32) -> Mark {
        Mark {
            range: Range::new(start, end),
            tag: "PER".into(),
            colour: None,
            class: "",
            title: start.to_string().into(),
        }
    }

    fn draw(layout: &Layout, marks: Vec<Mark>, before: Option<&Picture>) -> Picture {
        Picture::draw(layout, Arc::new(marks), before)
    }

    #[test]
    fn a_new_mark_changes_its_own_chunk_only() {
        let layout = Layout::new("line one\n".repeat(100).into());
        let before = draw(&layout, vec![mark(0, 4), mark(90, 94), mark(180, 184)], None);
        let after = draw(
            &layout,
            vec![mark(0, 4), mark(45, 49), mark(90, 94), mark(180, 184)],
            Some(&before),
        );
        let changed: Vec<_> =
            after.changed_chunks(&before, &layout).map(|(chunk, _)| chunk).collect();
        assert_eq!(changed, [5]);
    }

    #[test]
    fn a_picture_drawn_on_another_is_the_one_drawn_from_scratch() {
        let layout = Layout::new("one two three\nfour five\r\n\r\nsix".into());
        let before = draw(&layout, vec![mark(0, 3), mark(4, 20)], None);
        let marks = vec![mark(0, 13), mark(4, 7), mark(4, 20), mark(27, 30)];
        let after = draw(&layout, marks.clone(), Some(&before));
        assert_eq!(after.html(&layout, &[]), draw(&layout, marks, None).html(&layout, &[]));
    }

    #[test]
    fn the_first_marks_are_drawn_at_first_and_the_others_chunk_by_chunk() {
        let lines = u32::try_from(AT_FIRST).unwrap();
        let layout = Layout::new("one two\n".repeat(AT_FIRST).into());
        let marks = (0..lines)
            .flat_map(|line| [mark(8 * line, 8 * line + 3), mark(8 * line + 4, 8 * line + 7)]);
        let picture = draw(&layout, marks.collect(), None);
        let bare = picture.bare_at_first();
        let (drawn, late) = bare.split_at(AT_FIRST / 2);
        assert!(!drawn.contains(&true) && !late.contains(&false));
        let first = picture.html(&layout, &bare);
        assert_eq!(first.matches("data-label").count(), AT_FIRST);
        let late: String =
            (AT_FIRST / 2..AT_FIRST).map(|chunk| picture.chunk_html(&layout, chunk)).collect();
        assert_eq!(late.matches("data-label").count(), AT_FIRST);
        assert_eq!(picture.html(&layout, &[]).matches("data-label").count(), 2 * AT_FIRST);
    }

    #[test]
    fn a_mark_is_found_again_in_every_chunk_it_touches() {
        let layout = Layout::new("one\ntwo\nthree".into());
        let picture = draw(&layout, vec![mark(4, 7), mark(0, 13)], None);
        assert_eq!(picture.places(&layout, 0), [(1, 1)]);
        assert_eq!(picture.places(&layout, 1), [(0, 0), (1, 0), (2, 0)]);
        assert_eq!(picture.mark_at(1, 1), Some(0));
        assert_eq!(picture.mark_at(1, 0), Some(1));
    }
}
