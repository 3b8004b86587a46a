//! The browser's side of a text view: reading and drawing its selection, replacing what changed,
//! scrolling. Nothing here decides anything.

use domain::Range;
use leptos::prelude::{document, window};
use wasm_bindgen::JsCast;
use web_sys::{DomRect, Element, Node, Range as DomRange, Selection, Text};

use super::{
    layout::{
        Layout,
        offsets::{Edge, Point},
    },
    picture::Picture,
};

/// `NodeFilter.SHOW_TEXT`.
const SHOW_TEXT: u32 = 4;

/// How far from the window's edges something is kept that is scrolled into view: there may be a
/// bar at either.
const MARGIN: f64 = 110.0;

/// The chunk with this number.
fn chunk_element(root: &Element, layout: &Layout, number: usize) -> Option<Element> {
    let block = layout.chunks().get(number)?.block;
    let first = layout.blocks().get(block)?.chunks.start;
    block_element(root, block)?.children().item(u32::try_from(number - first).ok()?)
}

fn block_element(root: &Element, number: usize) -> Option<Element> {
    root.children().item(u32::try_from(number).ok()?)
}

/// Replaces what looks different in `after` than in `before`, with its marks: it is bare no more.
pub(crate) fn patch(
    root: &Element,
    layout: &Layout,
    before: &Picture,
    after: &Picture,
    bare: &mut [bool],
) {
    for (number, html) in after.changed_chunks(before, layout) {
        if let Some(bare) = bare.get_mut(number) {
            *bare = false;
        }
        draw_chunk(root, layout, number, &html);
    }
}

pub(crate) fn draw_chunk(root: &Element, layout: &Layout, number: usize, html: &str) {
    if let Some(chunk) = chunk_element(root, layout, number) {
        chunk.set_inner_html(html);
    }
}

/// The runs of a mark, in order.
pub(crate) fn runs(
    root: &Element,
    layout: &Layout,
    picture: &Picture,
    mark: usize,
) -> Vec<Element> {
    let mut runs = Vec::new();
    for (chunk, number) in picture.places(layout, mark) {
        let Some(chunk) = chunk_element(root, layout, chunk) else { continue };
        runs.extend(all(&chunk, &format!("[data-m=\"{number}\"]")));
    }
    runs
}

/// The elements within another that a selector finds.
pub(crate) fn all(root: &Element, selector: &str) -> Vec<Element> {
    let Ok(found) = root.query_selector_all(selector) else { return Vec::new() };
    let nodes = (0..found.length()).filter_map(|index| found.item(index));
    nodes.filter_map(|node| node.dyn_into().ok()).collect()
}

/// Gives elements a class, or takes it from them.
pub(crate) fn set_class(elements: &[Element], class: &str, on: bool) {
    for element in elements {
        // It cannot fail for a name without white space.
        drop(element.class_list().toggle_with_force(class, on));
    }
}

/// The marks under an element of the text, the innermost first.
pub(crate) fn marks_at(target: &Element, layout: &Layout, picture: &Picture) -> Vec<usize> {
    let Some(chunk) = chunk_of(target, layout) else { return Vec::new() };
    let mut marks = Vec::new();
    let mut element = target.closest(".m").ok().flatten();
    while let Some(run) = element {
        let number = run.get_attribute("data-m").and_then(|number| number.parse().ok());
        marks.extend(number.and_then(|number| picture.mark_at(chunk, number)));
        element = run.parent_element().and_then(|parent| parent.closest(".m").ok().flatten());
    }
    marks
}

/// The number of the chunk that an element is in.
fn chunk_of(element: &Element, layout: &Layout) -> Option<usize> {
    let chunk = element.closest(".chunk").ok()??;
    let start = chunk.get_attribute("data-start")?.parse().ok()?;
    Some(layout.chunk_at(start))
}

/// The offset in the document of a place in the DOM; one outside the text counts as its edge.
fn offset_of(root: &Element, layout: &Layout, node: &Node, offset: u32) -> Option<u32> {
    if !root.contains(Some(node)) {
        let is_before = root.compare_document_position(node) & Node::DOCUMENT_POSITION_PRECEDING;
        return Some(if is_before == 0 { layout.length() } else { 0 });
    }
    let element = node.dyn_ref::<Element>().cloned().or_else(|| node.parent_element())?;
    let chunk = element.closest(".chunk").ok().flatten();
    let before = document().create_range().ok()?;
    before.set_start(chunk.as_ref().unwrap_or(root), 0).ok()?;
    before.set_end(node, offset).ok()?;
    let utf16 = before.to_string().length();
    Some(match chunk_of(&element, layout) {
        Some(chunk) => layout.offset_of(Point { chunk, utf16 }),
        None => layout.offset_of_utf16(utf16),
    })
}

fn selection() -> Option<Selection> {
    window().get_selection().ok().flatten()
}

/// Where the browser's selection begins and ends, in the direction it was made, if at least one
/// end of it is in the text.
pub(crate) fn selected(root: &Element, layout: &Layout) -> Option<(u32, u32)> {
    // Asking for its ends lays the page out, even if there is none.
    let selection = selection().filter(|selection| selection.range_count() > 0)?;
    let (anchor, focus) = (selection.anchor_node()?, selection.focus_node()?);
    if !root.contains(Some(&anchor)) && !root.contains(Some(&focus)) {
        return None;
    }
    Some((
        offset_of(root, layout, &anchor, selection.anchor_offset())?,
        offset_of(root, layout, &focus, selection.focus_offset())?,
    ))
}

/// Makes the browser's selection run from one offset to another.
pub(crate) fn select(root: &Element, layout: &Layout, from: u32, to: u32) -> Option<()> {
    let (first, second) =
        if from <= to { (Edge::Start, Edge::End) } else { (Edge::End, Edge::Start) };
    let (anchor, anchor_offset) = place(root, layout, from, first)?;
    let (focus, focus_offset) = place(root, layout, to, second)?;
    selection()?.set_base_and_extent(&anchor, anchor_offset, &focus, focus_offset).ok()
}

/// Takes the browser's selection off the text.
pub(crate) fn unselect(root: &Element, layout: &Layout) {
    if selected(root, layout).is_some_and(|(from, to)| from != to)
        && let Some(selection) = selection()
    {
        // It fails only for ranges of another document.
        drop(selection.remove_all_ranges());
    }
}

/// The text node that holds an offset, and the place in it.
fn place(root: &Element, layout: &Layout, offset: u32, edge: Edge) -> Option<(Node, u32)> {
    let Point { chunk, utf16: mut left } = layout.point_of(offset, edge)?;
    let chunk = chunk_element(root, layout, chunk)?;
    let walker = document().create_tree_walker_with_what_to_show(&chunk, SHOW_TEXT).ok()?;
    while let Some(node) = walker.next_node().ok().flatten() {
        let length = node.dyn_ref::<Text>().map_or(0, |text| text.length());
        let is_here = if edge == Edge::End { left <= length } else { left < length };
        if is_here {
            return Some((node, left));
        }
        left -= length.min(left);
    }
    // The end of the last text node, as the start of something that cannot follow.
    let last = walker.current_node();
    let length = last.dyn_ref::<Text>().map_or(0, |text| text.length());
    Some((last, length))
}

/// The offset that is a line above or below, as the text is wrapped now.
pub(crate) fn line_toward(root: &Element, layout: &Layout, from: u32, down: bool) -> Option<u32> {
    select(root, layout, from, from)?;
    let direction = if down { "forward" } else { "backward" };
    selection()?.modify("move", direction, "line").ok()?;
    selected(root, layout).map(|(_, to)| to)
}

/// Whether the block with this offset is written from right to left.
pub(crate) fn is_rtl(root: &Element, layout: &Layout, offset: u32) -> bool {
    block_element(root, layout.block_at(offset))
        .is_some_and(|block| block.matches(":dir(rtl)").unwrap_or(false))
}

/// Whether what is typed goes to the text, or to nothing else.
pub(crate) fn has_focus(root: &Element) -> bool {
    document().active_element().is_none_or(|active| {
        &active == root || active.tag_name() == "BODY" || active.contains(Some(root))
    })
}

/// The first and the last line box of a range.
pub(crate) fn lines_of(
    root: &Element,
    layout: &Layout,
    range: Range,
) -> Option<(DomRect, DomRect)> {
    let line = |from: u32, to: u32| {
        let dom_range: DomRange = document().create_range().ok()?;
        let (start, start_offset) = place(root, layout, from, Edge::Start)?;
        let (end, end_offset) = place(root, layout, to, Edge::End)?;
        dom_range.set_start(&start, start_offset).ok()?;
        dom_range.set_end(&end, end_offset).ok()?;
        Some(dom_range.get_bounding_client_rect())
    };
    let first = line(range.start, range.start.saturating_add(1).min(range.end))?;
    let last = line(range.end.saturating_sub(1).max(range.start), range.end)?;
    Some((first, last))
}

/// The offset in the document that is under a place of the window.
pub(crate) fn offset_under(root: &Element, layout: &Layout, (x, y): (i32, i32)) -> Option<u32> {
    let number = |pixels: i32| i16::try_from(pixels).map(f32::from).ok();
    let caret = document().caret_position_from_point(number(x)?, number(y)?)?;
    let node = caret.offset_node()?;
    root.contains(Some(&node)).then(|| offset_of(root, layout, &node, caret.offset()))?
}

/// Scrolls the window as little as needed for a range of the text to be seen.
pub(crate) fn show(root: &Element, layout: &Layout, range: Range) -> Option<()> {
    let dom_range: DomRange = document().create_range().ok()?;
    let (start, start_offset) = place(root, layout, range.start, Edge::Start)?;
    let (end, end_offset) = place(root, layout, range.end, Edge::End)?;
    dom_range.set_start(&start, start_offset).ok()?;
    dom_range.set_end(&end, end_offset).ok()?;
    let seen = dom_range.get_bounding_client_rect();
    let height = window().inner_height().ok()?.as_f64()?;
    let (above, below) = (seen.top() - MARGIN, seen.bottom() + MARGIN - height);
    if above < 0.0 {
        window().scroll_by_with_x_and_y(0.0, above);
    } else if below > 0.0 {
        window().scroll_by_with_x_and_y(0.0, below.min(above));
    }
    Some(())
}
