//! Which rows of a list are on screen, and the way to the others.

use domain::Page;
use leptos::prelude::*;

use crate::display;
use crate::view::view;

/// Links to the page before and after; nothing where there is only one page.
#[component]
pub(crate) fn Pager<T, F>(
    page: Page<T>,
    /// The address of a page by its number.
    address: F,
) -> impl IntoView
where
    F: Fn(u64) -> String,
{
    let pages = page.pages();
    // What is beyond the last page leads back to it.
    let previous = page.number.checked_sub(1).map(|number| {
        let number = number.min(pages.saturating_sub(1));
        view! { <a class="button small" rel="prev" href=address(number)>"Previous"</a> }
    });
    let next = (page.number + 1 < pages).then(|| {
        view! { <a class="button small" rel="next" href=address(page.number + 1)>"Next"</a> }
    });
    (pages > 1 || page.number > 0).then(|| {
        view! {
            <nav class="pager" aria-label="Pages">
                <span>{format!("Page {} of {}", display::thousands(page.number + 1), display::thousands(pages))}</span>
                <span class="row">{previous}{next}</span>
            </nav>
        }
    })
}

/// What a page says that the list is too short for.
pub(crate) const PAST_END: &str = "Past the end of the list.";

/// "51 to 100 of 1,234 disagreements".
pub(crate) fn rows_in_words<T>(page: &Page<T>) -> String {
    counted_rows(page, "disagreement")
}

/// The same of other things.
pub(crate) fn counted_rows<T>(page: &Page<T>, noun: &str) -> String {
    let count = |n| display::count(n, noun);
    let on_page = u64::try_from(page.rows.len()).unwrap_or(u64::MAX);
    if on_page == page.total || on_page == 0 {
        return count(page.total);
    }
    let before = page.number.saturating_mul(page.size);
    format!(
        "{} to {} of {}",
        display::thousands(before + 1),
        display::thousands(before + on_page),
        count(page.total)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rows: usize, number: u64, total: u64) -> Page<()> {
        Page { rows: vec![(); rows], total, number, size: 50 }
    }

    #[test]
    fn the_rows_on_screen_are_named_by_their_place_in_the_list() {
        assert_eq!(rows_in_words(&page(50, 1, 1234)), "51 to 100 of 1,234 disagreements");
        assert_eq!(rows_in_words(&page(34, 24, 1234)), "1,201 to 1,234 of 1,234 disagreements");
    }

    #[test]
    fn a_list_on_one_page_is_only_counted() {
        assert_eq!(rows_in_words(&page(1, 0, 1)), "1 disagreement");
        assert_eq!(rows_in_words(&page(0, 0, 0)), "0 disagreements");
        assert_eq!(rows_in_words(&page(0, 9, 60)), "60 disagreements");
    }
}
