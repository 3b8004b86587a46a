//! What a server function finds around it: the services, who is asking, and the response.

mod factors;
pub(crate) mod loading;
mod note;
mod unreadable;

use std::{
    net::{IpAddr, Ipv4Addr},
    sync::Arc,
};

use domain::{Actor, CommentThreadId, DocumentId, Error, ProjectId, User};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{ACCEPT, SET_COOKIE, USER_AGENT},
    request::Parts,
};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use services::{
    Client, NewSession, Services,
    account::{QUESTION_KEPT, RelyingParty, SignedIn},
};

use crate::ApiError;

pub use factors::{enter_with_factor, lead_with_codes, take_codes};
pub use note::{cookie, lead_to_with_note, lead_with_note, take_note, take_note_at};
pub use unreadable::UnreadableForm;
pub(crate) use unreadable::refuse_unreadable;

/// How long a browser keeps the token by which it is known, in seconds: 180 days.
const KNOWN_FOR: u32 = 180 * 24 * 60 * 60;

/// How long it keeps what the first step of signing in has proven, in seconds.
const STEP_KEPT: u32 = 10 * 60;

/// How the session cookie is written; the server knows, from the address it is reached at.
#[derive(Clone, Debug)]
pub struct SessionCookie {
    /// `__Host-concord` where the site is reached by https, `concord` on a plain loopback address.
    pub name: &'static str,
    pub secure: bool,
}

impl SessionCookie {
    /// The `Set-Cookie` value that stores `token`.
    pub fn stored(&self, token: &str) -> String {
        format!("{}={token}; Path=/; HttpOnly; SameSite=Lax{}", self.name, self.secure_attribute())
    }

    /// The `Set-Cookie` value that removes the cookie.
    pub fn removed(&self) -> String {
        format!(
            "{}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0{}",
            self.name,
            self.secure_attribute()
        )
    }

    /// The `Set-Cookie` value by which the browser is known as one that somebody has signed in with.
    fn device(&self, token: &str) -> String {
        format!(
            "{}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={KNOWN_FOR}{}",
            self.device_name(),
            self.secure_attribute()
        )
    }

    const fn device_name(&self) -> &'static str {
        if self.secure { "__Host-concord-device" } else { "concord-device" }
    }

    /// The `Set-Cookie` value that holds what the first step of signing in has proven.
    fn step(&self, token: &str, seconds: u32) -> String {
        format!(
            "{}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{}",
            self.step_name(),
            self.secure_attribute()
        )
    }

    const fn step_name(&self) -> &'static str {
        if self.secure { "__Host-concord-step" } else { "concord-step" }
    }

    /// The `Set-Cookie` value that holds what the browser brings back from a provider, which another site
    /// leads it back from; none has it forget that.
    pub fn question(&self, question: Option<&str>) -> String {
        let seconds = question.map_or(0, |_| QUESTION_KEPT.num_seconds());
        format!(
            "{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{}",
            self.question_name(),
            question.unwrap_or_default(),
            self.secure_attribute()
        )
    }

    /// The name of that cookie.
    pub const fn question_name(&self) -> &'static str {
        if self.secure { "__Host-concord-question" } else { "concord-question" }
    }

    /// The `Set-Cookie` values that store a new session.
    pub fn started(&self, session: &NewSession) -> [String; 3] {
        [self.stored(&session.token), self.step("", 0), self.device(&session.device)]
    }

    const fn secure_attribute(&self) -> &'static str {
        if self.secure { "; Secure" } else { "" }
    }
}

/// The token of the session that a request came with, if any; put there by the session layer.
#[derive(Clone)]
pub struct SessionToken(pub String);

/// The address that the site is reached at, as in `https://concord.example.org`; put there by the
/// session layer.
#[derive(Clone)]
pub struct SiteAddress(pub String);

/// The address that a request comes from: the peer's, or what a trusted proxy says; put there by the
/// outermost layer. Limits count by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(pub IpAddr);

/// The description of the REST interface (`OpenAPI`), for the page that shows it; put there by the
/// router.
#[derive(Clone, Copy)]
pub struct ApiDescription(pub &'static serde_json::Value);

/// Whether the answer is to be read by a person in a browser.
pub fn wants_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// The services and who is asking.
pub fn request() -> Result<(Arc<Services>, Actor), ApiError> {
    Ok((extension::<Arc<Services>>()?, extension::<Actor>()?))
}

/// Who is signed in, if anybody.
pub fn viewer() -> Result<Option<User>, ApiError> {
    let (_, actor) = request()?;
    Ok(services::account::viewer(actor))
}

/// Something that the server's layers put into the request.
pub fn extension<T: Clone + Send + Sync + 'static>() -> Result<T, ApiError> {
    use_context::<Parts>()
        .and_then(|parts| parts.extensions.get::<T>().cloned())
        .ok_or_else(|| ApiError::Transport("no request context".to_owned()))
}

/// Turns what a service or a check said into what the browser is told, with the HTTP status that says so.
pub fn answer<T, E: Into<Error>>(result: Result<T, E>) -> Result<T, ApiError> {
    result.map_err(|error| {
        let error = error.into();
        if let (Some(response), Ok(status)) =
            (use_context::<ResponseOptions>(), StatusCode::from_u16(error.status()))
        {
            response.set_status(status);
        }
        ApiError::App(error)
    })
}

/// Leads to a page of the site once something is done; what was refused is told as [`answer`] does.
pub fn answer_at<T, E: Into<Error>>(done: Result<T, E>, path: &str) -> Result<(), ApiError> {
    answer(done)?;
    lead_to(path);
    Ok(())
}

/// Adds a `Set-Cookie` header to the response.
pub fn set_cookie(value: &str) {
    if let (Some(response), Ok(value)) =
        (use_context::<ResponseOptions>(), HeaderValue::from_str(value))
    {
        response.append_header(SET_COOKIE, value);
    }
}

/// The browser that a request comes from.
pub fn client() -> Client {
    use_context::<Parts>().as_ref().map_or(Client::LOCAL, client_of)
}

/// The browser that a request with these headers comes from.
pub fn client_of(parts: &Parts) -> Client {
    let agent = parts.headers.get(USER_AGENT);
    let names = parts.extensions.get::<SessionCookie>();
    let held = |name: fn(&SessionCookie) -> &'static str| {
        cookie(&parts.headers, name(names?)).map(str::to_owned)
    };
    Client {
        address: parts
            .extensions
            .get::<ClientAddress>()
            .map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |client| client.0),
        agent: agent.and_then(|agent| agent.to_str().ok()).map(str::to_owned),
        device: held(SessionCookie::device_name),
        session: parts.extensions.get::<SessionToken>().map(|token| token.0.clone()),
        step: held(SessionCookie::step_name),
    }
}

/// The site that passkeys are made for; none where browsers make none.
pub fn relying_party() -> Option<RelyingParty> {
    extension::<RelyingParty>().ok()
}

/// Stores a new session in the browser and leads to a page of the site.
pub fn start_session(session: &NewSession, path: &str) -> Result<(), ApiError> {
    extension::<SessionCookie>()?.started(session).iter().for_each(|value| set_cookie(value));
    leptos_axum::redirect(path);
    Ok(())
}

/// Stores a new session in the browser and leads to a page of the site, or leads to the second step
/// of signing in, and there from here.
pub fn go_on(signed_in: &SignedIn, path: &str) -> Result<(), ApiError> {
    match signed_in {
        SignedIn::Done(session) => start_session(session, path),
        SignedIn::Further(step) => {
            set_cookie(&extension::<SessionCookie>()?.step(&step.token, STEP_KEPT));
            // What means something in an address would have to be written otherwise; none of our
            // links back has it.
            let is_plain =
                |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
            let back = Some(path).filter(|path| *path != "/" && path.chars().all(is_plain));
            let back = back.map(|path| format!("?back={path}")).unwrap_or_default();
            leptos_axum::redirect(&format!("/sign-in/second{back}"));
            Ok(())
        }
    }
}

/// Stores the token by which the browser is known as one that somebody has signed in with.
pub fn know_device(token: &str) -> Result<(), ApiError> {
    set_cookie(&extension::<SessionCookie>()?.device(token));
    Ok(())
}

/// The path of the page that is asked for.
pub fn page_path() -> String {
    use_context::<Parts>().map_or_else(|| "/".to_owned(), |parts| parts.uri.path().to_owned())
}

/// The page to come back to, if it is one of this site; else the list of projects.
pub fn way_back(path: Option<&str>) -> &str {
    // Browsers take "//" and "/\" for the beginning of another site's address.
    let is_ours = |path: &&str| {
        path.starts_with('/')
            && !path.starts_with("//")
            && path.chars().all(|c| c.is_ascii_graphic() && c != '\\')
    };
    path.filter(is_ours).unwrap_or("/")
}

/// Removes the session from the browser and leads to the sign-in page.
pub fn end_session() -> Result<(), ApiError> {
    // What the browser keeps of unsent work stays: it names nobody, and only the same person finds it.
    set_cookie(&extension::<SessionCookie>()?.removed());
    leptos_axum::redirect("/sign-in");
    Ok(())
}

/// The token of the session that the request came with.
pub fn session_token() -> Option<String> {
    extension::<SessionToken>().ok().map(|token| token.0)
}

/// Leads to a project.
pub fn enter(project: ProjectId) {
    lead_to(&format!("/projects/{project}"));
}

/// Leads to a page of the site.
pub fn lead_to(path: &str) {
    leptos_axum::redirect(path);
}

/// Leads to a thread where it was answered: on its document's page, if `back` is one, or else in the
/// list of all.
pub fn lead_to_thread(project: ProjectId, thread: CommentThreadId, back: &str) {
    match back.parse::<DocumentId>() {
        Ok(document) => lead_to(&format!("/documents/{document}/comments")),
        Err(_) => {
            lead_to(&format!("/projects/{project}/review/comments?state=all#thread-{thread}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::way_back;

    #[test]
    fn signing_in_leads_back_to_pages_of_this_site_only() {
        assert_eq!(way_back(Some("/assignments/7")), "/assignments/7");
        let others = ["https://evil.example", "//evil.example", "/\\evil.example", "", "/a\nb"];
        for other in others {
            assert_eq!(way_back(Some(other)), "/", "{other:?}");
        }
        assert_eq!(way_back(None), "/");
    }
}
