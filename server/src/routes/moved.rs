//! Where pages are found that once stood at other addresses.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    response::Redirect,
    routing::{MethodRouter, get},
};
use http::Uri;

use crate::Site;

/// Old paths, and the paths of [`super::PAGES`] that they lead to.
pub const MOVED: &[(&str, &str)] = &[
    ("/projects/{project}/documents", "/projects/{project}/work/documents"),
    ("/projects/{project}/documents/assignments", "/projects/{project}/work/assignments"),
    ("/projects/{project}/documents/repeats", "/projects/{project}/work/repeats"),
    ("/projects/{project}/documents/second", "/projects/{project}/work/second"),
    ("/projects/{project}/documents/second-reviews", "/projects/{project}/work/second-reviews"),
    ("/projects/{project}/documents/workload", "/projects/{project}/work/people"),
    ("/projects/{project}/positions", "/projects/{project}/agreement/positions"),
    ("/projects/{project}/time", "/projects/{project}/agreement/trend"),
    ("/projects/{project}/comments", "/projects/{project}/review/comments"),
    ("/projects/{project}/disagreements", "/projects/{project}/review/disagreements"),
    ("/projects/{project}/gold", "/projects/{project}/review/gold"),
    ("/projects/{project}/gold/compare", "/projects/{project}/review/gold/compare"),
    (
        "/projects/{project}/gold/documents/{document}",
        "/projects/{project}/review/gold/documents/{document}",
    ),
    ("/projects/{project}/reviews", "/projects/{project}/review"),
    ("/projects/{project}/reviews/rules", "/projects/{project}/review/rules"),
    ("/projects/{project}/walk", "/projects/{project}/review/walk"),
    ("/projects/{project}/walk/alike", "/projects/{project}/review/walk/alike"),
    ("/projects/{project}/alerts", "/projects/{project}/settings/targets"),
    ("/projects/{project}/audit", "/projects/{project}/settings/audit"),
    ("/projects/{project}/guidelines", "/projects/{project}/settings/guidelines"),
    (
        "/projects/{project}/guidelines/{version}",
        "/projects/{project}/settings/guidelines/{version}",
    ),
    ("/projects/{project}/members", "/projects/{project}/settings/members"),
    ("/projects/{project}/webhooks", "/projects/{project}/settings/webhooks"),
];

/// Leads whoever asks for an old path to the new one, for good.
pub(crate) fn lead_on((old, new): (&'static str, &'static str)) -> MethodRouter<Arc<Site>> {
    get(move |asked: Uri| async move { Redirect::permanent(&address(old, new, &asked)) })
}

/// What was asked for at the old path, at the new one.
fn address<'a>(old: &'a str, new: &'a str, asked: &'a Uri) -> String {
    let named: BTreeMap<&'a str, &'a str> = old.split('/').zip(asked.path().split('/')).collect();
    let filled = |part: &'a str| match named.get(part) {
        Some(value) if part.starts_with('{') => *value,
        _ => part,
    };
    let path = new.split('/').map(filled).collect::<Vec<_>>().join("/");
    asked.query().map_or_else(|| path.clone(), |query| format!("{path}?{query}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_address_keeps_what_it_names() {
        let asked = Uri::from_static("/projects/3/gold/documents/7?version=2&page=4");
        let (old, new) = MOVED.iter().find(|(old, _)| old.contains("{document}")).unwrap();
        assert_eq!(
            address(old, new, &asked),
            "/projects/3/review/gold/documents/7?version=2&page=4"
        );
        let plain = Uri::from_static("/projects/3/time");
        let (old, new) = MOVED.iter().find(|(old, _)| old.ends_with("/time")).unwrap();
        assert_eq!(address(old, new, &plain), "/projects/3/agreement/trend");
    }
}
