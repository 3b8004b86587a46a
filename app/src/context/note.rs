//! Notes from a form to the page that it leads to: shown there once.
//!
//! A note may be a secret, as the link of an invitation is: whoever has it can accept. So it goes
//! neither by the address, which browsers keep and proxies log, nor by the page's script, but by a
//! cookie that scripts cannot read (`HttpOnly`), that no other site's link brings along
//! (`SameSite=Strict`), that is sent to this one page only (`Path`), and that the page removes as
//! it shows the note. A browser that never asks for the page forgets it after a minute.

use domain::ProjectId;
use http::{HeaderMap, header::COOKIE, request::Parts};
use leptos::prelude::use_context;

use super::{SessionCookie, extension, lead_to, set_cookie, wants_html};

/// The name of the cookie.
const NAME: &str = "concord-note";

/// Leads to a project's page and leaves a note there; see [`lead_to_with_note`].
pub fn lead_with_note(project: ProjectId, page: &str, note: &str) {
    lead_to_with_note(&format!("/projects/{project}/{page}"), note);
}

/// Leads to a page and leaves a note there, a word of base64url. A program, which has the answer
/// itself, gets none.
pub fn lead_to_with_note(path: &str, note: &str) {
    if use_context::<Parts>().is_some_and(|parts| wants_html(&parts.headers)) {
        set_cookie(&written(path, note, 60));
    }
    lead_to(path);
}

/// The note that was left for a project's page, if any; it is gone with that.
pub fn take_note(project: ProjectId, page: &str) -> Option<String> {
    take_note_at(&format!("/projects/{project}/{page}"))
}

/// The note that was left for a page, if any; it is gone with that.
pub fn take_note_at(path: &str) -> Option<String> {
    let note = cookie(&use_context::<Parts>()?.headers, NAME)?.to_owned();
    set_cookie(&written(path, "", 0));
    Some(note)
}

/// The `Set-Cookie` value of a note that is kept for so many seconds.
fn written(path: &str, note: &str, seconds: u32) -> String {
    let secure = extension::<SessionCookie>().is_ok_and(|cookie| cookie.secure);
    let secure = if secure { "; Secure" } else { "" };
    format!("{NAME}={note}; Path={path}; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
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
    fn an_empty_cookie_is_none() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "concord=".parse().unwrap());
        assert_eq!(cookie(&headers, "concord"), None);
    }
}
