//! Lists, a page at a time: each page has the cursor of the next one, which means something to the
//! server only.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::Code;
use http::{HeaderValue, Uri, header::LINK};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::site::problem::Problem;

/// The rows of a page, unless another number is asked for.
const USUAL: u16 = 50;

/// The most rows of a page.
const MOST: u16 = 200;

/// Which page of a list is wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ListQuery {
    /// The cursor of the page before, from its `next`; the first page without.
    #[param(nullable = false)]
    after: Option<String>,
    /// The most rows of a page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: u16,
}

impl Default for ListQuery {
    fn default() -> Self {
        Self { after: None, limit: USUAL }
    }
}

impl ListQuery {
    /// Where to go on: after 0, from the beginning.
    pub(in crate::rest) fn after(&self) -> Result<i64, Problem> {
        Cursor::read(self.after.as_deref()).map(|Cursor(after)| after)
    }

    /// How many rows are wanted.
    pub(in crate::rest) fn limit(&self) -> Result<u16, Problem> {
        if (1..=MOST).contains(&self.limit) {
            Ok(self.limit)
        } else {
            Err(Code::OutOfRange.of("limit", "a page has 1 to 200 rows").into())
        }
    }
}

/// Where a page goes on.
pub(in crate::rest) struct Cursor(pub(in crate::rest) i64);

impl Cursor {
    /// What a program sends back; 0 without.
    pub(in crate::rest) fn read(sent: Option<&str>) -> Result<Self, Problem> {
        let why = "invalid cursor: use `next` of the previous page";
        let after = sent.map_or(Some(0), read);
        Ok(Self(after.ok_or_else(|| Code::Malformed.of("after", why))?))
    }
}

fn written(after: i64) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(format!("after:{after}"))
}

fn read(cursor: &str) -> Option<i64> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?;
    str::from_utf8(&bytes).ok()?.strip_prefix("after:")?.parse().ok().filter(|after| *after >= 0)
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Listed<T> {
    pub(in crate::rest) items: Vec<T>,
    /// The cursor of the next page; none if this is the last.
    next: Option<String>,
}

impl<T: Serialize> Listed<T> {
    /// All there is.
    pub(in crate::rest) fn all(items: Vec<T>) -> Self {
        Self { items, next: None }
    }

    /// A page that goes on after its last row where it is as long as was asked for.
    pub(in crate::rest) fn page(items: Vec<T>, limit: u16, place: impl Fn(&T) -> i64) -> Self {
        let is_full = items.len() >= usize::from(limit);
        let next = items.last().filter(|_| is_full).map(|last| written(place(last)));
        Self { items, next }
    }

    /// A page that another follows at `next`.
    pub(in crate::rest) fn followed_by(items: Vec<T>, next: Option<i64>) -> Self {
        Self { items, next: next.map(written) }
    }

    /// The page, with the address of the next one as a link of the answer (RFC 8288).
    pub(in crate::rest) fn answer(self, asked: &Uri) -> Response {
        let link = self.next.as_deref().and_then(|cursor| {
            let others = asked.query().unwrap_or_default().split('&');
            let others = others.filter(|part| !part.is_empty() && !part.starts_with("after="));
            let query: Vec<_> =
                others.chain([&*format!("after={cursor}")]).map(str::to_owned).collect();
            let link = format!("<{}?{}>; rel=\"next\"", asked.path(), query.join("&"));
            HeaderValue::try_from(link).ok()
        });
        let mut response = Json(self).into_response();
        if let Some(link) = link {
            response.headers_mut().insert(LINK, link);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_leads_back_to_where_it_was_made() {
        assert_eq!(read(&written(17)), Some(17));
        for strange in ["", "17", "YWZ0ZXI6LTE", "ü", "YWZ0ZXI6"] {
            assert_eq!(read(strange), None, "{strange}");
        }
    }

    #[test]
    fn the_next_page_keeps_what_else_was_asked() {
        let asked: Uri = "/api/v1/x?after=old&limit=2".parse().unwrap();
        let response = Listed::page(vec![3, 4], 2, |row| *row).answer(&asked);
        let expected = format!("</api/v1/x?limit=2&after={}>; rel=\"next\"", written(4));
        assert_eq!(response.headers()[LINK], expected);
        assert!(!Listed::page(vec![3], 2, |row| *row).answer(&asked).headers().contains_key(LINK));
    }
}
