//! A moment in the reader's own zone, as the pages that are read tell it.

use chrono::{DateTime, Utc};
use js_sys::{Date, JSON};

use crate::{RENDERS, display};

/// How much of a moment is told, as the browser is asked for it.
const STYLE: &str = r#"{"dateStyle":"medium","timeStyle":"short"}"#;

/// A moment; the server knows no zone, and tells it in UTC.
pub(crate) fn moment(at: DateTime<Utc>) -> String {
    if RENDERS {
        return display::time(at);
    }
    let style = JSON::parse(STYLE).unwrap_or_default();
    Date::new(&at.to_rfc3339().into()).to_locale_string("default", &style).into()
}
