//! A chapter as mdBook gets it: its links stay in the book, and its formulas are set.

use anyhow::{Context, Result};
use mdbook_driver::book::Chapter;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::{formulas, links};

/// A stretch of a chapter's source, in bytes, and what stands there instead.
type Change = (Range<usize>, String);

/// Prepares a chapter of a book that has these pages.
///
/// # Errors
/// A formula that cannot be set.
pub(crate) fn prepare(chapter: &mut Chapter, pages: &BTreeSet<PathBuf>) -> Result<()> {
    let Some(path) = chapter.path.clone() else { return Ok(()) };
    chapter.content =
        rewritten(&chapter.content, &path, pages).with_context(|| path.display().to_string())?;
    // The theme lists chapters by their paths, and links lead to pages.
    chapter.path = Some(path.with_extension("html"));
    Ok(())
}

fn rewritten(source: &str, path: &Path, pages: &BTreeSet<PathBuf>) -> Result<String> {
    let mut changes: Vec<Change> = Vec::new();
    // A link that leads out of the book: where it begins and ends, and what of it is words so far.
    let mut leaving: Option<(Range<usize>, Option<Range<usize>>)> = None;
    let options = Options::ENABLE_TABLES | Options::ENABLE_MATH;
    for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
        match event {
            Event::InlineMath(latex) => changes.push((range, formulas::inline(&latex)?)),
            Event::DisplayMath(latex) => changes.push((range, formulas::display(&latex)?)),
            // A picture leads to itself, in full size: mdBook would enlarge it by means that need its style.
            Event::Start(Tag::Image { dest_url, .. }) => {
                changes.push((range.end..range.end, format!("]({dest_url})")));
                changes.push((range.start..range.start, "[".to_owned()));
            }
            Event::Start(Tag::Link { dest_url, .. }) if !links::stays(&dest_url, path, pages) => {
                leaving = Some((range, None));
            }
            Event::End(TagEnd::Link) => {
                if let Some((link, Some(words))) = leaving.take() {
                    changes.push((words.end..link.end, String::new()));
                    changes.push((link.start..words.start, String::new()));
                }
            }
            _ => {
                if let Some((_, words)) = &mut leaving {
                    let begin = words.as_ref().map_or(range.start, |words| words.start);
                    *words = Some(begin..range.end);
                }
            }
        }
    }
    // From the end, so that what is before stays where it is.
    changes.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = source.to_owned();
    for (range, by) in changes {
        text.replace_range(range, &by);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> String {
        let pages = ["index.md", "people/labelers.md"].map(PathBuf::from).into();
        rewritten(source, Path::new("people/labelers.md"), &pages).unwrap()
    }

    #[test]
    fn a_link_out_of_the_book_is_its_words() {
        assert_eq!(of("See [the *code*](../../crates/a/README.md)."), "See the *code*.");
        assert_eq!(of("[`a`](../b.md#c) and [d](../index.md)"), "`a` and [d](../index.md)");
        assert_eq!(
            of("[up](#here), [far](https://a.example)"),
            "[up](#here), [far](https://a.example)"
        );
    }

    #[test]
    fn a_picture_leads_to_itself() {
        assert_eq!(of("See ![a *b*](../c.webp)."), "See [![a *b*](../c.webp)](../c.webp).");
    }

    #[test]
    fn formulas_are_set_and_code_stays() {
        assert!(of("with $n$ items").contains("<math"));
        assert!(of("$$\\frac{a}{b}$$").starts_with("<div class=\"formula\""));
        assert_eq!(of("`$n$` for $5 or $6"), "`$n$` for $5 or $6");
    }
}
