//! The links above a text that lead to what can be said about it; the server has made them.

use domain::Range;
use leptos::prelude::*;

/// The link to the comments.
pub(crate) const COMMENTS: &str = "comments-open";

/// Has the comments begin with the place that is looked at, as it changes.
pub(crate) fn point_comments_at(place: impl Fn() -> Option<Range> + 'static) {
    Effect::new(move |_| {
        let Some(link) = document().get_element_by_id(COMMENTS) else { return };
        let at = place().map(|Range { start, end }| format!("{start}-{end}")).unwrap_or_default();
        // It cannot fail for a name like this.
        drop(link.set_attribute("data-at", &at));
    });
}
