//! How much of HTML can be cleaned in bounded time: a tree is built that keeps nothing but its measures.
//!
//! Cleaning builds the tree of the standard, which takes time that is quadratic in its depth, and
//! sometimes in its width. What becomes of tags, such as those that are not closed, only the algorithm
//! itself tells, so it is run beforehand, on one tag after the other.

use std::{borrow::Cow, cell::Cell, mem, rc::Rc};

use html5ever::{
    Attribute, ExpandedName, ParseOpts, QualName,
    driver::Parser,
    interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink},
    local_name, ns, parse_fragment,
    tendril::{StrTendril, TendrilSink},
};

/// The most elements in which anything is.
pub(super) const MAX_DEPTH: usize = 32;

/// The most work, in bytes of what is in the tree, or steps of which each takes as long. A dense text
/// of the largest size has three quarters of it.
pub(super) const MAX_WORK: usize = 9_000_000;

/// The work for an element, an attribute or a piece of text, whatever its length.
const WORK_OF_PIECE: usize = 512;

/// The work for a tag, or for what is between two, even if nothing becomes of it.
const WORK_OF_TAG: usize = 64;

/// The work for what is no right HTML, each time.
const WORK_OF_ERROR: usize = 512;

/// So many siblings are looked through in one step, and so many bytes of text.
const SIBLINGS_PER_STEP: usize = 2;
const BYTES_PER_STEP: usize = 128;

/// The longest tag or comment, in bytes: an attribute is compared with all others of its tag.
const MAX_TAG_BYTES: usize = 8 * 1024;

/// What is parsed at once, in bytes.
const MAX_PIECE_BYTES: usize = 4 * 1024;

/// Where HTML is to end so that cleaning it takes bounded time; none if all of it can be cleaned.
pub(super) fn find_clean_limit(html: &str) -> Option<usize> {
    let mut parser = begin_tree();
    let (mut rest, mut place) = (html, 0);
    // Up to here everything is in the tree; of a tag before its end, and of text in tables, nothing is.
    let (mut settled, mut size) = (0, 0);
    while !rest.is_empty() {
        let (piece, others) = split_piece(rest);
        parser.process(StrTendril::from_slice(piece));
        let tree = &parser.tokenizer.sink.sink;
        tree.add_steps(WORK_OF_TAG);
        (rest, place) = (others, place + piece.len());
        let is_changed = mem::replace(&mut size, tree.size.get()) != tree.size.get();
        if tree.is_exceeded() || !is_changed && place - settled > MAX_TAG_BYTES {
            return Some(settled);
        }
        if is_changed {
            settled = place;
        }
    }
    parser.finish().is_exceeded().then_some(settled)
}

/// Parses as the cleaner does.
fn begin_tree() -> Parser<MeasuredTree> {
    let context = QualName::new(None, ns!(html), local_name!("div"));
    parse_fragment(MeasuredTree::default(), ParseOpts::default(), context, Vec::new(), false)
}

/// The first piece, which is a tag or what is before the next one, and the rest.
fn split_piece(html: &str) -> (&str, &str) {
    let most = html.floor_char_boundary(MAX_PIECE_BYTES);
    let piece = html.get(..most).unwrap_or(html);
    let end =
        if piece.starts_with('<') { piece.find('>').map(|at| at + 1) } else { piece.find('<') };
    html.split_at_checked(end.unwrap_or(most)).unwrap_or((html, ""))
}

/// A tree as it is built: how deep it is, and how much work.
#[derive(Default)]
struct MeasuredTree {
    depth: Cell<usize>,
    nodes: Cell<usize>,
    /// The work of what is in it, and of what was done beside.
    size: Cell<usize>,
    steps: Cell<usize>,
}

/// An element, or what else a tree has, without what is in it.
struct Node {
    name: QualName,
    depth: Cell<usize>,
    text: Cell<Text>,
    is_integration_point: bool,
}

/// The text at the end of a node.
#[derive(Clone, Copy, Default)]
struct Text {
    length: usize,
    /// How many bytes are `&`, or begin characters of which some are escaped.
    escapes: usize,
}

impl Text {
    /// The work of writing it: after each `&` the writer searches the rest for the next `<`.
    const fn work(self) -> usize {
        self.length + self.length * self.escapes / BYTES_PER_STEP
    }
}

impl MeasuredTree {
    fn is_exceeded(&self) -> bool {
        self.levels() > MAX_DEPTH || self.work() > MAX_WORK
    }

    /// How many elements are in one another. The root of the fragment is none of them.
    fn levels(&self) -> usize {
        self.depth.get().saturating_sub(1)
    }

    fn work(&self) -> usize {
        self.size.get().saturating_add(self.steps.get())
    }

    fn add_size(&self, work: usize) {
        self.size.set(self.size.get().saturating_add(work));
    }

    fn add_steps(&self, work: usize) {
        self.steps.set(self.steps.get().saturating_add(work));
    }

    /// Adds the work of finding a node among its siblings.
    fn add_search(&self) {
        self.add_steps(self.nodes.get() / SIBLINGS_PER_STEP);
    }

    fn node(&self, name: QualName, is_integration_point: bool) -> Rc<Node> {
        self.nodes.set(self.nodes.get() + 1);
        self.add_size(WORK_OF_PIECE);
        let (depth, text) = (Cell::default(), Cell::default());
        Rc::new(Node { name, depth, text, is_integration_point })
    }

    fn nameless(&self) -> Rc<Node> {
        self.node(QualName::new(None, ns!(), local_name!("")), false)
    }

    /// Puts a child at this depth, beside the text of a node.
    fn put(&self, child: NodeOrText<Rc<Node>>, depth: usize, beside: &Node) {
        match child {
            NodeOrText::AppendNode(node) => {
                node.depth.set(depth);
                self.depth.set(self.depth.get().max(depth));
                beside.text.take();
            }
            NodeOrText::AppendText(added) => {
                let before = beside.text.get();
                let escapes = added.bytes().filter(|byte| matches!(byte, b'&' | 0xc2)).count();
                let after =
                    Text { length: before.length + added.len(), escapes: before.escapes + escapes };
                beside.text.set(after);
                self.add_size(WORK_OF_PIECE + after.work() - before.work());
            }
        }
    }
}

impl TreeSink for MeasuredTree {
    type Handle = Rc<Node>;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }

    fn get_document(&self) -> Rc<Node> {
        self.nameless()
    }

    /// A step of a search among the open elements, of which there may be more than levels.
    fn elem_name<'a>(&'a self, node: &'a Rc<Node>) -> ExpandedName<'a> {
        self.add_steps(1);
        node.name.expanded()
    }

    fn create_element(
        &self,
        name: QualName,
        attrs: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Rc<Node> {
        self.add_size(attrs.iter().map(|attr| WORK_OF_PIECE + attr.value.len()).sum());
        self.node(name, flags.mathml_annotation_xml_integration_point)
    }

    fn create_comment(&self, _: StrTendril) -> Rc<Node> {
        self.nameless()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<Node> {
        self.nameless()
    }

    fn append(&self, parent: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        self.put(child, parent.depth.get() + 1, parent);
    }

    fn append_before_sibling(&self, sibling: &Rc<Node>, child: NodeOrText<Rc<Node>>) {
        self.add_search();
        self.put(child, sibling.depth.get(), sibling);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Rc<Node>,
        _: &Rc<Node>,
        child: NodeOrText<Rc<Node>>,
    ) {
        self.append_before_sibling(element, child);
    }

    fn remove_from_parent(&self, _: &Rc<Node>) {
        self.add_search();
    }

    fn reparent_children(&self, _: &Rc<Node>, _: &Rc<Node>) {
        self.add_search();
    }

    fn get_template_contents(&self, template: &Rc<Node>) -> Rc<Node> {
        Rc::clone(template)
    }

    fn same_node(&self, one: &Rc<Node>, other: &Rc<Node>) -> bool {
        self.add_steps(1);
        Rc::ptr_eq(one, other)
    }

    fn is_mathml_annotation_xml_integration_point(&self, node: &Rc<Node>) -> bool {
        node.is_integration_point
    }

    fn parse_error(&self, _: Cow<'static, str>) {
        self.add_steps(WORK_OF_ERROR);
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, _: &Rc<Node>, attrs: Vec<Attribute>) {
        self.add_steps(attrs.len() * WORK_OF_PIECE);
    }
}

/// How deep the tree of HTML is, and how much work.
#[cfg(test)]
pub(super) fn measured(html: &str) -> (usize, usize) {
    let mut parser = begin_tree();
    parser.process(StrTendril::from_slice(html));
    let tree = parser.finish();
    (tree.levels(), tree.work())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_cut_before_the_first_tag_that_is_too_deep() {
        assert_eq!(find_clean_limit(&"<div>".repeat(MAX_DEPTH)), None);
        assert_eq!(find_clean_limit(&"<div>".repeat(MAX_DEPTH + 1)), Some(5 * MAX_DEPTH));
        // What is closed, by itself or by another tag, is not around what follows.
        for closed in ["<div></div>", "<p>a", "<li>a", "<h2>a</h2>", "<table><td>a<td>b</table>"] {
            assert_eq!(find_clean_limit(&closed.repeat(100)), None, "{closed}");
        }
        // What comes back in each block after it is.
        let repeated: Vec<_> = (0..40).map(|n| format!("<p><b id={n}>a</p>")).collect();
        assert!(find_clean_limit(&repeated.concat()).is_some());
    }

    #[test]
    fn html_is_cut_before_it_is_too_much_work() {
        let elements = "<br>".repeat(MAX_WORK / WORK_OF_PIECE + 1);
        assert!(find_clean_limit(&elements).is_some_and(|end| end > elements.len() / 2));
        // Each copy of a tag has its attributes.
        let title = "x".repeat(MAX_TAG_BYTES / 2);
        let repeated = format!("<p><b title={title}>{}", "<div>x</div>".repeat(2_000));
        assert!(find_clean_limit(&repeated).is_some());
        // Each piece is put before the table, which is found anew.
        let before = format!("{}<table>{}", "<br>".repeat(5_000), "<b></b>".repeat(5_000));
        assert!(find_clean_limit(&before).is_some());
        // Elements that stay open, though others are not in them, are searched for each tag.
        let open = "<i x=1><details><strong><form></strong>".repeat(2_000);
        assert!(find_clean_limit(&open).is_some_and(|end| end < open.len() / 2));
        // Text in a table is put before it once something else comes, or nothing.
        let pending = format!("{}{}", "<table>".repeat(5_000), "\0a".repeat(4_000));
        assert_eq!(find_clean_limit(&pending), Some(7 * 5_000));
        // In raw text nothing ends the search for the next character to escape.
        assert!(find_clean_limit(&format!("<xmp>{}", "&".repeat(60_000))).is_some());
    }

    #[test]
    fn html_is_cut_before_a_tag_without_an_end() {
        let text = "a".repeat(100_000);
        assert_eq!(find_clean_limit(&text), None);
        for begin in ["a", "<"] {
            let attributes: Vec<_> = (0..3_000).map(|n| format!(" {begin}{n}")).collect();
            let html = format!("<p>{text}<b{}>", attributes.concat());
            assert_eq!(find_clean_limit(&html), Some(3 + text.len()), "{begin}");
        }
    }
}
