//! A moment, for people: UTC as the server writes it, and the reader's own time once their script runs.

use chrono::{DateTime, SecondsFormat, Utc};
use leptos::prelude::*;

use crate::{display, view::view};

/// When something was or will be.
#[component]
pub(crate) fn Moment(
    at: DateTime<Utc>,
    /// Whether seconds matter.
    #[prop(optional)]
    seconds: bool,
) -> impl IntoView {
    let datetime = at.to_rfc3339_opts(SecondsFormat::Secs, true);
    let seconds = seconds.then_some("");
    view! { <time datetime=datetime data-seconds=seconds>{display::time(at)}</time> }
}

/// When something was or will be, if ever.
#[component]
pub(crate) fn MomentIfAny(at: Option<DateTime<Utc>>) -> impl IntoView {
    match at {
        Some(at) => view! { <Moment at/> }.into_any(),
        None => "–".into_any(),
    }
}

/// How long ago something was, as the page's script keeps telling it.
#[component]
pub(crate) fn Ago(at: DateTime<Utc>) -> impl IntoView {
    let datetime = at.to_rfc3339_opts(SecondsFormat::Secs, true);
    view! { <time datetime=datetime title=display::time(at) data-ago="">{display::time(at)}</time> }
}
