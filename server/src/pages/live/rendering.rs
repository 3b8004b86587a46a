//! A page's main part, as somebody would be shown it.

use std::sync::Arc;

use app::PageKind;
use axum::{
    body::{Body, to_bytes},
    extract::Request,
};
use http::{Method, StatusCode, Uri, header::COOKIE, request::Parts};
use leptos::nonce::Nonce;

use crate::{Site, pages::load_told};

/// The most that a page is, in bytes.
const LARGEST: usize = 64 << 20;

/// The main part of the page at an address, for whom a request came from; or the status of the page in
/// its place. Nothing that is told once is taken from whoever it is for.
pub(super) async fn render(
    site: Arc<Site>,
    mut parts: Parts,
    address: Uri,
) -> Result<String, StatusCode> {
    parts.method = Method::GET;
    parts.uri = address;
    parts.headers.remove(COOKIE);
    let nonce = parts.extensions.get::<Nonce>().cloned();
    let request = Request::from_parts(parts, Body::empty());
    let page = load_told(site, request, PageKind::Reading, || ()).await;
    if page.status() != StatusCode::OK {
        return Err(page.status());
    }
    let broken = StatusCode::INTERNAL_SERVER_ERROR;
    let page = to_bytes(page.into_body(), LARGEST).await.map_err(|_| broken)?;
    let main = main_of(std::str::from_utf8(&page).map_err(|_| broken)?).ok_or(broken)?;
    // Its scripts run already, under the nonce that each reader's page came with.
    Ok(nonce
        .map_or_else(|| main.to_owned(), |nonce| main.replace(&format!(" nonce=\"{nonce}\""), "")))
}

fn main_of(page: &str) -> Option<&str> {
    let main = &page[page.find("<main")?..];
    Some(&main[..main.rfind("</main>")? + "</main>".len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_part_is_found_with_its_tags() {
        let page = "<body><header>Ada</header><main id=\"main\"><p>0.8</p></main></body>";
        assert_eq!(main_of(page), Some("<main id=\"main\"><p>0.8</p></main>"));
        assert_eq!(main_of("<body></body>"), None);
    }
}
