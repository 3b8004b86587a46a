//! A page as a browser reads it: parsed by the rules of HTML, in which some elements hold text only.

use html5ever::{ParseOpts, parse_document, tendril::TendrilSink};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// An element of a page.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// All text in it.
    pub(crate) text: String,
    /// The names of the elements around it, the innermost first.
    pub(crate) around: Vec<String>,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// All elements of a page in their order, and its comments.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) elements: Vec<Element>,
    pub(crate) comments: Vec<String>,
}

impl Page {
    pub(crate) fn read(html: &str) -> Self {
        let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
        let mut page = Self::default();
        page.add(&dom.document, &[]);
        page
    }

    /// The one element with this name, or with this id.
    pub(crate) fn one(&self, which: &str) -> &Element {
        let is_it = |it: &&Element| it.name == which || it.attribute("id") == Some(which);
        let found: Vec<_> = self.elements.iter().filter(is_it).collect();
        assert_eq!(found.len(), 1, "{which}: {found:?}");
        found[0]
    }

    /// What the browser's window is called.
    pub(crate) fn title(&self) -> &str {
        let mut titles =
            self.elements.iter().filter(|it| it.name == "title" && it.around[0] == "head");
        let title = titles.next().unwrap();
        assert!(titles.next().is_none(), "there are two titles");
        &title.text
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.elements.iter().any(|it| it.name == name)
    }

    fn add(&mut self, node: &Handle, around: &[String]) {
        let mut inner = around.to_vec();
        match &node.data {
            NodeData::Comment { contents } => self.comments.push(contents.to_string()),
            NodeData::Element { name, attrs, .. } => {
                let name = name.local.to_string();
                let attributes = attrs.borrow();
                let attributes =
                    attributes.iter().map(|it| (it.name.local.to_string(), it.value.to_string()));
                self.elements.push(Element {
                    name: name.clone(),
                    attributes: attributes.collect(),
                    text: text_of(node),
                    around: around.to_vec(),
                });
                inner.insert(0, name);
            }
            _ => {}
        }
        for child in node.children.borrow().iter() {
            self.add(child, &inner);
        }
    }
}

fn text_of(node: &Handle) -> String {
    if let NodeData::Text { contents } = &node.data {
        return contents.borrow().to_string();
    }
    node.children.borrow().iter().map(text_of).collect()
}

/// Elements that begin a paragraph of their own: text in them does not turn what is around them.
const BLOCKS: [&str; 30] = [
    "article",
    "aside",
    "blockquote",
    "button",
    "caption",
    "dd",
    "div",
    "dt",
    "figcaption",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "legend",
    "li",
    "main",
    "nav",
    "option",
    "p",
    "pre",
    "section",
    "select",
    "summary",
    "td",
    "text",
    "th",
];

/// Pieces of text that hold a sign which turns the direction of writing, and stand in a line with
/// others without anything that keeps it to itself: `bdi`, `dir`, or a block of its own.
pub(crate) fn turning_others(html: &str, sign: char) -> Vec<String> {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let mut found = Vec::new();
    look_for_turning(&dom.document, &mut Vec::new(), sign, &mut found);
    found
}

fn look_for_turning(node: &Handle, around: &mut Vec<Handle>, sign: char, found: &mut Vec<String>) {
    if let NodeData::Text { contents } = &node.data {
        let text = contents.borrow().to_string();
        if text.contains(sign) && !keeps_to_itself(&text, around) {
            let names = around.iter().rev().take(4).filter_map(name_of).collect::<Vec<_>>();
            found.push(format!("{} > {text:?}", names.join(" < ")));
        }
    }
    around.push(node.clone());
    for child in node.children.borrow().iter() {
        look_for_turning(child, around, sign, found);
    }
    around.pop();
}

fn name_of(node: &Handle) -> Option<String> {
    match &node.data {
        NodeData::Element { name, .. } => Some(name.local.to_string()),
        _ => None,
    }
}

fn keeps_to_itself(text: &str, around: &[Handle]) -> bool {
    for node in around.iter().rev() {
        let NodeData::Element { name, attrs, .. } = &node.data else { return true };
        let name = &*name.local;
        let isolates = ["bdi", "script", "title", "textarea"].contains(&name)
            || attrs.borrow().iter().any(|it| &*it.name.local == "dir");
        if isolates {
            return true;
        }
        let is_alone = text_of(node).trim() == text.trim();
        if BLOCKS.contains(&name) || !is_alone {
            return is_alone;
        }
    }
    true
}

#[test]
fn text_that_turns_its_line_is_found() {
    let turning = |html| turning_others(html, '\u{202e}').len();
    assert_eq!(
        turning(
            "<p>By <bdi>a\u{202e}b</bdi>.</p><table><td><b>\u{202e}</b></table><p>\u{202e}</p>"
        ),
        0
    );
    assert_eq!(turning("<p dir=auto>By \u{202e}</p><p>By <b>a\u{202e}b</b>.</p>"), 1);
}

#[test]
fn what_holds_text_only_ends_at_its_own_end_and_knows_references() {
    let page = Page::read(
        "<title>a &lt;b></title><textarea>\n\n&amp;<i></textarea><script>'<i>&amp;'</script><i x=1>",
    );
    assert_eq!(page.one("title").text, "a <b>");
    assert_eq!(page.one("textarea").text, "\n&<i>");
    assert_eq!(page.one("script").text, "'<i>&amp;'");
    assert_eq!(page.one("i").attribute("x"), Some("1"));
}
