//! Options that several commands have.

use std::collections::BTreeMap;

use domain::RatersFrom;
use services::document::comparison::check_raters;

use crate::cli::Error;

/// Where rater names come from.
pub(in crate::cli) fn raters(text: &str) -> Result<RatersFrom, domain::Error> {
    let from = text.parse()?;
    check_raters(&from)?;
    Ok(from)
}

/// What is before the last equals sign of each, and what becomes of it.
pub(in crate::cli) fn pairs<T>(
    option: &'static str,
    values: &[String],
    read: impl Fn(&str, &str) -> T,
) -> Result<BTreeMap<String, T>, Error> {
    let pair = |value: &String| {
        let (from, to) = value
            .rsplit_once('=')
            .ok_or_else(|| Error::Mapping { option, value: value.clone() })?;
        Ok((from.to_owned(), read(from, to)))
    };
    values.iter().map(pair).collect()
}
