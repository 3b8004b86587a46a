//! Tags of tokens in the scheme IOB2, which is also called BIO: what may follow what, and spans.

use std::collections::BTreeSet;

use super::Span;
use crate::arithmetic::number::count64;

/// A tag of a token: `B-X` opens a span of the label `X`, `I-X` goes on with it, and `O` is outside of
/// all. `B` and `I` alone are of a label without a name.
///
/// # Reference
/// Tjong Kim Sang, E. F. and Veenstra, J. (1999). Representing text chunks. *Proceedings of EACL*, 173–179.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Iob2<'a> {
    /// Outside of all spans.
    Outside,
    /// The first token of a span of this label.
    Begin(&'a str),
    /// A later token of one.
    Inside(&'a str),
}

impl<'a> Iob2<'a> {
    /// What a tag says; nothing if it is none of the scheme.
    pub fn parse(tag: &'a str) -> Option<Self> {
        match tag.split_once('-') {
            Some(("B", label)) if !label.is_empty() => Some(Self::Begin(label)),
            Some(("I", label)) if !label.is_empty() => Some(Self::Inside(label)),
            Some(_) => None,
            None => match tag {
                "O" => Some(Self::Outside),
                "B" => Some(Self::Begin("")),
                "I" => Some(Self::Inside("")),
                _ => None,
            },
        }
    }

    /// All tags of a study, if its tags are IOB2: no other occurs, and of every label that goes on there
    /// is a tag that opens.
    ///
    /// IOB1, where `I-X` opens most spans, cannot be told from IOB2 once `B-X` occurs, and has to be
    /// rewritten before.
    ///
    /// ```
    /// # use agreement::Iob2;
    /// assert!(Iob2::parse_all(["B-PER", "I-PER", "O"]).is_some());
    /// assert!(Iob2::parse_all(["B-PER", "I-LOC", "O"]).is_none());
    /// assert!(Iob2::parse_all(["NOUN", "O"]).is_none());
    /// ```
    pub fn parse_all(tags: impl IntoIterator<Item = &'a str>) -> Option<Vec<Self>> {
        let tags: Vec<Self> = tags.into_iter().map(Self::parse).collect::<Option<_>>()?;
        let known: BTreeSet<Self> = tags.iter().copied().collect();
        let is_opened = |tag: &Self| match tag {
            Self::Inside(label) => known.contains(&Self::Begin(label)),
            Self::Begin(_) | Self::Outside => true,
        };
        let has_spans = known.iter().any(|tag| *tag != Self::Outside);
        (has_spans && tags.iter().all(is_opened)).then_some(tags)
    }

    /// Whether it may follow a tag, or begin a sequence: `I-X` only after `B-X` or `I-X`.
    pub fn may_follow(self, before: Option<Self>) -> bool {
        match self {
            Self::Inside(label) => {
                before == Some(Self::Begin(label)) || before == Some(Self::Inside(label))
            }
            Self::Begin(_) | Self::Outside => true,
        }
    }

    /// The spans of a sequence of tags, in tokens from 0; no tag ends a span as `O` does.
    ///
    /// An `I-X` that may not stand where it does opens a span, as the evaluation of CoNLL has it.
    ///
    /// ```
    /// # use agreement::{Iob2, Span};
    /// let tags = ["B-PER", "I-PER", "O", "I-LOC"].map(Iob2::parse);
    /// let spans = Iob2::spans(tags);
    /// assert_eq!(spans, [Span { start: 0, end: 2, label: "PER" }, Span { start: 3, end: 4, label: "LOC" }]);
    /// ```
    ///
    /// # Reference
    /// Tjong Kim Sang, E. F. and Buchholz, S. (2000). Introduction to the CoNLL-2000 shared task: chunking.
    /// *Proceedings of CoNLL-2000*, 127–132; its program `conlleval`.
    pub fn spans(tags: impl IntoIterator<Item = Option<Self>>) -> Vec<Span<&'a str>> {
        let mut spans: Vec<Span<&str>> = Vec::new();
        let mut before = None;
        for (place, tag) in tags.into_iter().enumerate() {
            let start = count64(place);
            let end = start + 1;
            match (tag, spans.last_mut()) {
                (Some(tag @ Self::Inside(_)), Some(open)) if tag.may_follow(before) => {
                    open.end = end;
                }
                (Some(Self::Begin(label) | Self::Inside(label)), _) => {
                    spans.push(Span { start, end, label });
                }
                (Some(Self::Outside) | None, _) => {}
            }
            before = tag;
        }
        spans
    }
}

#[cfg(test)]
mod tests {
    use super::Iob2;

    fn ranges(tags: &[&str]) -> Vec<(u64, u64, String)> {
        let spans = Iob2::spans(tags.iter().copied().map(Iob2::parse));
        spans.into_iter().map(|span| (span.start, span.end, span.label.to_owned())).collect()
    }

    #[test]
    fn a_tag_opens_or_goes_on_as_conlleval_has_it() {
        let spans = |of: &[(u64, u64, &str)]| -> Vec<(u64, u64, String)> {
            of.iter().map(|&(start, end, label)| (start, end, label.to_owned())).collect()
        };
        assert_eq!(ranges(&["B-X", "B-X", "I-X"]), spans(&[(0, 1, "X"), (1, 3, "X")]));
        assert_eq!(ranges(&["I-X", "I-X", "I-Y"]), spans(&[(0, 2, "X"), (2, 3, "Y")]));
        assert_eq!(ranges(&["B", "I", "O", "I"]), spans(&[(0, 2, ""), (3, 4, "")]));
        assert_eq!(ranges(&["B-X", "?", "I-X"]), spans(&[(0, 1, "X"), (2, 3, "X")]));
        assert_eq!(ranges(&["O", "O"]), spans(&[]));
    }

    #[test]
    fn inside_follows_its_own_label_only() {
        let tags = Iob2::parse_all(["B-X", "B-Y", "I-X", "I-Y", "O"]).unwrap();
        let inside = Iob2::Inside("X");
        let before: Vec<_> =
            tags.iter().filter(|before| inside.may_follow(Some(**before))).collect();
        assert_eq!(before, [&Iob2::Begin("X"), &Iob2::Inside("X")]);
        assert!(!inside.may_follow(None) && Iob2::Begin("X").may_follow(None));
        assert_eq!(Iob2::parse("B-"), None);
        assert_eq!(Iob2::parse("I-a-b"), Some(Iob2::Inside("a-b")));
        assert_eq!(Iob2::parse_all(["O"]), None);
    }
}
