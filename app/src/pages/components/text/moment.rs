//! A moment, for people: UTC as the server writes it, and the reader's own time once their script runs.

use chrono::{DateTime, SecondsFormat, Utc};
use leptos::prelude::*;

use crate::{display, view::view};

/// When something was or will be.
#[component]
pub(crate) fn Moment(at: DateTime<Utc>) -> impl IntoView {
    view! {
        <time datetime=at.to_rfc3339_opts(SecondsFormat::Secs, true)>{display::time(at)}</time>
    }
}
