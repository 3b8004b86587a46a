//! What is marked in the text while annotating: the labeler's spans and the suggestions that they
//! have not taken, in order of position. Pure.

use std::{collections::BTreeMap, ops, sync::Arc};

use domain::{
    Fact, Label, LabelId, Range, Span,
    base::{collect_unsorted, text},
};

use super::saving::change::{Spans, all_spans};
use crate::islands::editor::text_view::{Layout, Mark};

/// How many characters of a label's name the text shows.
const TAG: u32 = 14;

/// How many characters of a span's text its name has.
const QUOTE: u32 = 60;

/// A span or a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Item {
    pub span: Span,
    pub is_suggestion: bool,
}

impl Item {
    pub(crate) const fn marked(span: Span) -> Self {
        Self { span, is_suggestion: false }
    }

    pub(crate) const fn suggested(span: Span) -> Self {
        Self { span, is_suggestion: true }
    }
}

/// All items in order; a suggestion that has been taken is one no more.
pub(crate) fn items(spans: &Spans, suggestions: &[Span]) -> Vec<Item> {
    let mut items: Vec<_> = all_spans(spans).map(Item::marked).collect();
    let open = suggestions.iter().copied().filter(|span| !spans.contains(&Fact::from(*span)));
    items.extend(open.map(Item::suggested));
    items.sort_unstable();
    items
}

/// The item after (or before) a place in the text; from the last one on to the first again.
pub(crate) fn neighbour(items: &[Item], from: Place, forward: bool) -> Option<Item> {
    let index = match (from, forward) {
        (Place::On(item), true) => items.partition_point(|other| *other <= item),
        (Place::On(item), false) => items.partition_point(|other| *other < item).wrapping_sub(1),
        (Place::At(offset), true) => items.partition_point(|other| other.span.range.start < offset),
        (Place::At(offset), false) => {
            items.partition_point(|other| other.span.range.start < offset).wrapping_sub(1)
        }
    };
    let around = if forward { items.first() } else { items.last() };
    items.get(index).or(around).copied()
}

/// Where a walk through the items begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    On(Item),
    At(u32),
}

/// Labels by id, and their ids in the order of the label set.
#[derive(Clone, Debug)]
pub(crate) struct Labels {
    list: Vec<Label>,
    places: BTreeMap<LabelId, usize>,
    /// What the text shows of each label's name, in the order of the list.
    tags: Vec<Arc<str>>,
}

impl Labels {
    pub(crate) fn new(list: Vec<Label>) -> Self {
        let places =
            collect_unsorted(list.iter().enumerate().map(|(place, label)| (label.id, place)));
        let tags = list.iter().map(|label| shortened(&label.name).into()).collect();
        Self { list, places, tags }
    }

    pub(crate) fn all(&self) -> &[Label] {
        &self.list
    }

    pub(crate) fn find(&self, id: LabelId) -> Option<&Label> {
        self.places.get(&id).and_then(|place| self.list.get(*place))
    }

    /// The label's name; labels in use cannot be deleted, so that there always is one.
    pub(crate) fn name(&self, id: LabelId) -> &str {
        self.find(id).map_or("?", |label| label.name.as_str())
    }

    fn tag(&self, id: LabelId) -> Arc<str> {
        let tag = self.places.get(&id).and_then(|place| self.tags.get(*place));
        tag.map_or_else(|| "?".into(), Arc::clone)
    }

    pub(crate) fn ids(&self) -> Vec<LabelId> {
        self.list.iter().map(|label| label.id).collect()
    }
}

/// Items and how they are marked in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    pub items: Arc<Vec<Item>>,
    pub marks: Arc<Vec<Mark>>,
}

impl Marked {
    /// Marks the items; the spans of those that were marked before are taken over.
    pub(crate) fn new(
        items: Vec<Item>,
        labels: &Labels,
        layout: &Layout,
        before: Option<&Self>,
    ) -> Self {
        // Both are in order: one walk through both finds them.
        let pairs = before.map(|before| before.items.iter().zip(before.marks.iter()));
        let mut earlier = pairs.into_iter().flatten().peekable();
        let mut known = |item: &Item| {
            while earlier.next_if(|(other, _)| *other < item).is_some() {}
            earlier.next_if(|(other, _)| *other == item).map(|(_, mark)| mark.clone())
        };
        let marks = items
            .iter()
            .map(|item| known(item).unwrap_or_else(|| mark(*item, labels, layout)))
            .collect();
        Self { items: Arc::new(items), marks: Arc::new(marks) }
    }

    pub(crate) fn index_of(&self, item: Item) -> Option<usize> {
        self.items.binary_search(&item).ok()
    }
}

fn mark(Item { span, is_suggestion }: Item, labels: &Labels, layout: &Layout) -> Mark {
    let label = labels.find(span.label);
    let name = labels.name(span.label);
    let quote = layout.quote(span.range, QUOTE);
    let (class, suffix) = if is_suggestion { ("suggested", " (suggested)") } else { ("", "") };
    Mark {
        range: span.range,
        tag: labels.tag(span.label),
        colour: label.map(|label| label.colour),
        class,
        title: format!("{name}: {quote}{suffix}").into(),
    }
}

fn shortened(name: &str) -> String {
    if text::length(name) <= TAG {
        return name.to_owned();
    }
    let mut short = text::slice(name, Range::new(0, TAG - 1)).to_owned();
    short.push('…');
    short
}

/// How many spans carry each label.
pub(crate) fn counts(spans: &Spans) -> BTreeMap<LabelId, usize> {
    all_spans(spans).fold(BTreeMap::new(), |mut counts, span| {
        *counts.entry(span.label).or_default() += 1;
        counts
    })
}

/// Which of `total` rows to show when at most `limit` are: those from `first` on as long as the
/// active one is among them, or else those around it.
pub(crate) fn window(
    total: usize,
    limit: usize,
    first: usize,
    active: Option<usize>,
) -> ops::Range<usize> {
    let stays = active.is_none_or(|active| (first..first + limit).contains(&active));
    let wanted = active.filter(|_| !stays).map_or(first, |active| active.saturating_sub(limit / 2));
    let start = wanted.min(total.saturating_sub(limit));
    start..total.min(start.saturating_add(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32) -> Span {
        Span::new(start, start + 2, LabelId(1))
    }

    fn facts<const N: usize>(spans: [Span; N]) -> Spans {
        spans.map(Fact::from).into()
    }

    fn labels() -> Labels {
        Labels::new(vec![Label {
            id: LabelId(1),
            name: "Work of literature".to_owned(),
            colour: domain::Colour::nth(2),
            hotkey: Some('1'),
        }])
    }

    #[test]
    fn a_suggestion_that_was_taken_is_one_no_more() {
        let items = items(&facts([span(5), span(1)]), &[span(3), span(5)]);
        assert_eq!(items, [Item::marked(span(1)), Item::suggested(span(3)), Item::marked(span(5))]);
    }

    #[test]
    fn walking_past_the_last_begins_with_the_first() {
        let items = items(&facts([span(1), span(3), span(5)]), &[]);
        let walk =
            |from, forward| neighbour(&items, from, forward).map(|item| item.span.range.start);
        assert_eq!(walk(Place::On(Item::marked(span(1))), true), Some(3));
        assert_eq!(walk(Place::On(Item::marked(span(5))), true), Some(1));
        assert_eq!(walk(Place::On(Item::marked(span(1))), false), Some(5));
        assert_eq!(walk(Place::On(Item::marked(span(4))), false), Some(3));
        assert_eq!(walk(Place::At(2), true), Some(3));
        assert_eq!(walk(Place::At(2), false), Some(1));
        assert_eq!(neighbour(&[], Place::At(2), true), None);
    }

    #[test]
    fn marks_name_their_label_and_quote_and_are_kept_for_what_stays() {
        let layout = Layout::new("a bc de".into());
        let first = Marked::new(vec![Item::marked(span(2))], &labels(), &layout, None);
        let more = vec![Item::suggested(span(0)), Item::marked(span(2))];
        let second = Marked::new(more.clone(), &labels(), &layout, Some(&first));
        assert_eq!(second, Marked::new(more, &labels(), &layout, None));
        let [suggestion, mark] = second.marks.as_slice() else { panic!("two marks") };
        assert_eq!((suggestion.class, mark.class), ("suggested", ""));
        assert_eq!((&*mark.tag, &*mark.title), ("Work of liter…", "Work of literature: bc"));
        assert_eq!(second.index_of(Item::marked(span(2))), Some(1));
    }

    #[test]
    fn a_long_list_stays_where_it_is_as_long_as_the_active_row_is_in_it() {
        assert_eq!(window(2_000, 200, 0, None), 0..200);
        assert_eq!(window(2_000, 200, 0, Some(199)), 0..200);
        assert_eq!(window(2_000, 200, 0, Some(1_000)), 900..1_100);
        assert_eq!(window(2_000, 200, 900, Some(1_099)), 900..1_100);
        assert_eq!(window(2_000, 200, 900, None), 900..1_100);
        assert_eq!(window(2_000, 200, 900, Some(20)), 0..200);
        assert_eq!(window(2_000, 200, 0, Some(1_999)), 1_800..2_000);
        assert_eq!(window(950, 200, 900, None), 750..950);
        assert_eq!(window(50, 200, 0, Some(10)), 0..50);
    }

    #[test]
    fn spans_are_counted_by_label() {
        assert_eq!(counts(&facts([span(1), span(4)])), BTreeMap::from([(LabelId(1), 2)]));
    }
}
