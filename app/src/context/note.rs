//! Notes from a form to the page that it leads to: shown there once.
//!
//! A note may be a secret, as the link of an invitation is: whoever has it can accept. So it goes
//! neither by the address, which browsers keep and proxies log, nor by the page's script, but by a
//! cookie that scripts cannot read (`HttpOnly`), that no other site's link brings along
//! (`SameSite=Strict`), that no other site of the same domain can plant (`__Host-`, which asks for
//! the path `/`), that names the one page which shows it, and that this page removes as it does. A
//! browser that never asks for the page forgets it after a minute.

use domain::ProjectId;
use http::{HeaderMap, header::COOKIE, request::Parts};
use leptos::prelude::use_context;

use super::{SessionCookie, extension, lead_to, set_cookie, wants_html};

/// The name of the cookie.
const fn name(cookie: &SessionCookie) -> &'static str {
    if cookie.secure { "__Host-concord-note" } else { "concord-note" }
}

/// Leads to a project's page and leaves a note there; see [`lead_to_with_note`].
pub fn lead_with_note(project: ProjectId, page: &str, note: &str) {
    lead_to_with_note(&format!("/projects/{project}/{page}"), note);
}

/// Leads to a page and leaves a note there, a word of base64url. A program, which has the answer
/// itself, gets none.
pub fn lead_to_with_note(path: &str, note: &str) {
    if use_context::<Parts>().is_some_and(|parts| wants_html(&parts.headers)) {
        leave(&format!("{path}.{note}"), 60);
    }
    lead_to(path);
}

/// The note that was left for a project's page, if any; it is gone with that.
pub fn take_note(project: ProjectId, page: &str) -> Option<String> {
    take_note_at(&format!("/projects/{project}/{page}"))
}

/// The note that was left for a page, if any; it is gone with that.
pub fn take_note_at(path: &str) -> Option<String> {
    let form = extension::<SessionCookie>().ok()?;
    let parts = use_context::<Parts>()?;
    let note = note_for(cookie(&parts.headers, name(&form))?, path)?.to_owned();
    leave("", 0);
    Some(note)
}

/// What a cookie holds for the page at this path.
fn note_for<'a>(cookie: &'a str, path: &str) -> Option<&'a str> {
    let (page, note) = cookie.rsplit_once('.')?;
    (page == path && !note.is_empty()).then_some(note)
}

/// Has the browser keep the cookie for so many seconds.
fn leave(value: &str, seconds: u32) {
    let Ok(form) = extension::<SessionCookie>() else { return };
    let (name, secure) = (name(&form), form.secure_attribute());
    set_cookie(&format!(
        "{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}"
    ));
}

/// The value of the cookie with this name.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|cookies| cookies.to_str().ok())
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
        .filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_by_its_whole_name_only() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "theme=dark; xconcord=a;concord=b".parse().unwrap());
        headers.append(COOKIE, "__Host-concord=c".parse().unwrap());
        assert_eq!(cookie(&headers, "concord"), Some("b"));
        assert_eq!(cookie(&headers, "__Host-concord"), Some("c"));
        assert_eq!(cookie(&headers, "cord"), None);
    }

    #[test]
    fn a_note_is_for_the_page_that_it_names() {
        let left = "/tokens.secret";
        assert_eq!(note_for(left, "/tokens"), Some("secret"));
        for other in ["/token", "/", ""] {
            assert_eq!(note_for(left, other), None, "{other}");
        }
        assert_eq!(note_for("/tokens.", "/tokens"), None);
        assert_eq!(note_for("secret", "/tokens"), None);
    }

    #[test]
    fn an_empty_cookie_is_none() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "concord=".parse().unwrap());
        assert_eq!(cookie(&headers, "concord"), None);
    }
}
