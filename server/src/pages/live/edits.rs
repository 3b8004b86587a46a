//! What has changed in the text of a page, so that a browser that has the former one need not be sent
//! all of it again.

use std::iter;

use imara_diff::{Algorithm, Diff, InternedInput, TokenSource};
use serde_json::{Value, json};

/// How to make one text of another: for each place that differs, where it is in the former text, how
/// much of it goes, and what comes instead, in order. Places are counted in UTF-16 units, as browsers
/// count.
pub(super) fn edits(before: &str, after: &str) -> Value {
    let input = InternedInput::new(Tags(before), Tags(after));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut former = input.before.iter().map(|piece| input.interner[*piece]);
    let mut new = input.after.iter().map(|piece| input.interner[*piece]);
    let (mut at, mut seen) = (0, 0);
    let edits = diff.hunks().map(|hunk| {
        // As many pieces are the same in both.
        let same = hunk.before.start - seen;
        at += (0..same).filter_map(|_| new.next().and(former.next())).map(units).sum::<usize>();
        let removed: usize = hunk.before.clone().filter_map(|_| former.next()).map(units).sum();
        let added: String = hunk.after.clone().filter_map(|_| new.next()).collect();
        let edit = json!([at, removed, added]);
        (at, seen) = (at + removed, hunk.before.end);
        edit
    });
    edits.collect()
}

fn units(piece: &str) -> usize {
    piece.encode_utf16().count()
}

/// The tags of a page, and the text between them.
#[derive(Clone, Copy)]
struct Tags<'a>(&'a str);

impl<'a> TokenSource for Tags<'a> {
    type Token = &'a str;
    type Tokenizer = Box<dyn Iterator<Item = &'a str> + 'a>;

    fn tokenize(&self) -> Self::Tokenizer {
        let mut rest = self.0;
        Box::new(iter::from_fn(move || {
            let end = if rest.starts_with('<') {
                rest.find('>').map(|end| end + 1)
            } else {
                rest.find('<')
            };
            let (token, left) = rest.split_at(end.unwrap_or(rest.len()));
            rest = left;
            (!token.is_empty()).then_some(token)
        }))
    }

    fn estimate_tokens(&self) -> u32 {
        // A tag or a text of a page of numbers has some twenty bytes.
        u32::try_from(self.0.len() / 20).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As the browser's script does it.
    fn edited(before: &str, edits: &Value) -> String {
        let before: Vec<u16> = before.encode_utf16().collect();
        let (mut after, mut from) = (Vec::new(), 0);
        for edit in edits.as_array().unwrap() {
            let place = |place: usize| usize::try_from(edit[place].as_u64().unwrap()).unwrap();
            after.extend(&before[from..place(0)]);
            after.extend(edit[2].as_str().unwrap().encode_utf16());
            from = place(0) + place(1);
        }
        after.extend(&before[from..]);
        String::from_utf16(&after).unwrap()
    }

    #[test]
    fn a_cell_that_moves_is_one_edit() {
        let page = |number: &str| format!("<table><td>0.81</td><td>{number}</td></table>");
        let edits = edits(&page("0.42"), &page("0.43"));
        assert_eq!(edits, json!([[24, 4, "0.43"]]));
        assert_eq!(edited(&page("0.42"), &edits), page("0.43"));
    }

    proptest! {
        #[test]
        fn edits_lead_from_one_page_to_the_other(
            before in "(<[abé>]{0,3}>?|[xy\u{1F600}é]){0,12}",
            after in "(<[abé>]{0,3}>?|[xy\u{1F600}é]){0,12}",
        ) {
            prop_assert_eq!(edited(&before, &edits(&before, &after)), after);
        }
    }
}
