//! Plain forms of pages that are only read: where they lead, and what they leave there.

use domain::base::policy::Action;
use http::{StatusCode, header};
use server::routes::FUNCTIONS;
use server_fn::error::ServerFnUrlError;

use super::world::{Answer, Options, Person, World};

/// Sends a form of the manager's as a browser does, from one of the project's pages.
async fn send(world: &World, page: &str, function: &str, fields: &str) -> Answer {
    let project = world.facts.project;
    let request = world
        .request("POST", Person::Manager, &format!("/fn/{function}"))
        .header(header::ACCEPT, "text/html")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::REFERER, format!("http://localhost:3000/projects/{project}/{page}"))
        .body(format!("project={project}&{fields}").into())
        .unwrap();
    world.send(request).await
}

/// Loads one of the project's pages with a further cookie.
async fn load(world: &World, page: &str, cookie: &str) -> Answer {
    let path = format!("/projects/{}/{page}", world.facts.project);
    let request = world
        .request("GET", Person::Manager, &path)
        .header(header::ACCEPT, "text/html")
        .header(header::COOKIE, cookie)
        .body(axum::body::Body::empty())
        .unwrap();
    world.send(request).await
}

/// The cookie that the answer leaves: its name and value, and what else it says.
fn note(answer: &Answer) -> (String, String) {
    let (cookie, attributes) = answer.header("set-cookie").split_once("; ").unwrap();
    (cookie.to_owned(), attributes.to_owned())
}

#[tokio::test]
async fn the_link_of_an_invitation_is_shown_once_and_stands_in_no_address() {
    let world = World::new().await;
    let project = world.facts.project;
    let answer =
        send(&world, "settings/members", "members/invite_member", "role=labeler&email=").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), format!("/projects/{project}/settings/members"));
    let (cookie, attributes) = note(&answer);
    assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Strict; Max-Age=60");

    // Other pages leave it alone.
    let other = load(&world, "settings", &cookie).await;
    assert_eq!(other.header("set-cookie"), "");

    let page = load(&world, "settings/members", &cookie).await;
    let token = cookie.rsplit_once('.').unwrap().1;
    assert_eq!(token.len(), 43);
    assert!(page.text().contains(&format!("http://localhost:3000/invitations/{token}")));
    assert!(page.header("set-cookie").starts_with("concord-note=; "));
    assert!(page.header("set-cookie").contains("Max-Age=0"));

    let again = load(&world, "settings/members", "theme=dark").await.text();
    assert!(!again.contains(token) && again.contains("Create invitation link"));
}

#[tokio::test]
async fn a_note_goes_by_https_only_where_the_site_does() {
    let public_url = Some("https://concord.example");
    let world = World::with(Options { public_url, ..Options::default() }).await;
    let project = world.facts.project;
    let token = world.facts.token(Person::Manager).unwrap();
    let request = world
        .request("POST", Person::Anonymous, "/fn/members/invite_member")
        .header(header::COOKIE, format!("__Host-concord={token}"))
        .header(header::ACCEPT, "text/html")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(format!("project={project}&role=labeler").into())
        .unwrap();
    let answer = world.send(request).await;
    let (cookie, attributes) = note(&answer);
    assert!(cookie.starts_with("__Host-concord-note="), "{cookie}");
    assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure");
}

#[tokio::test]
async fn a_program_has_the_token_in_its_answer_and_nowhere_else() {
    let world = World::new().await;
    let request = world
        .request("POST", Person::Manager, "/fn/members/invite_member")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(format!("project={}&role=labeler", world.facts.project).into())
        .unwrap();
    let answer = world.send(request).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.json().as_str().unwrap().len(), 43);
    assert_eq!(answer.header("set-cookie"), "");
}

#[tokio::test]
async fn settings_that_were_saved_say_so_once() {
    let world = World::new().await;
    let fields = "name=Odes&guidelines=a%0D%0Ab&release_level=open&reviewers_see_names=true";
    let answer = send(&world, "settings", "projects/save_settings", fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let page = load(&world, "settings", &note(&answer).0).await.text();
    assert!(page.contains("Saved."), "{page}");
    assert!(page.contains("\na\nb</textarea>"), "{page}");
    assert!(!load(&world, "settings", "theme=dark").await.text().contains("Saved."));
}

#[tokio::test]
async fn a_form_that_was_refused_is_led_back_with_the_reason() {
    let world = World::new().await;
    let fields = format!("name={}&colour=1&hotkey=", world.facts.labels[0].name);
    let answer =
        send(&world, "settings/labels?__err=old&refused=old", "projects/create_label", &fields)
            .await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let location = answer.header("location").to_owned();
    let (_, query) = location.split_once('?').unwrap();
    assert!(query.starts_with("refused=") && !query.contains(['&', '_']), "{location}");
    let (cookie, attributes) = note(&answer);
    assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Strict; Max-Age=60");

    let refused = async |query: &str, cookie: &str| {
        let page = load(&world, &format!("settings/labels?{query}"), cookie).await;
        let removed = page.header("set-cookie").starts_with("concord-refusal=; ");
        let text = page.text();
        let dialog = text.split("<dialog").find(|piece| piece.contains("id=\"new-label\""));
        let dialog = dialog.unwrap().to_owned();
        assert_eq!(dialog.contains("data-open"), dialog.contains("aria-invalid=\"true\""));
        assert_eq!(removed, dialog.contains("data-open"));
        removed
    };
    assert!(refused(query, &cookie).await);
    // Another tab does not take it away, and without it the address says nothing.
    assert!(!refused("sort=name", &cookie).await);
    assert!(!refused("refused=0", &cookie).await);
    assert!(!refused(query, "theme=dark").await);
}

#[tokio::test]
async fn an_address_puts_no_words_into_the_boxes_that_say_what_went_wrong() {
    let world = World::new().await;
    let words = "Call the administrator at 555 0100";
    let told = app::ApiError::App(domain::Code::Denied.because(words));
    let path = "/fn/accounts/sign_in";
    let url = ServerFnUrlError::new(path, told).to_url("http://localhost:3000/sign-in").unwrap();
    let written = url.query().unwrap();
    let own = format!("concord-refusal=7.{written}");
    for (query, cookie, is_shown) in [
        (written.to_owned(), "theme=dark", false),
        (format!("{written}&refused=7"), "theme=dark", false),
        (format!("refused=8&{written}"), own.as_str(), false),
        ("refused=7".to_owned(), own.as_str(), true),
    ] {
        let request = world
            .request("GET", Person::Anonymous, &format!("/sign-in?back=/keys&{query}"))
            .header(header::ACCEPT, "text/html")
            .header(header::COOKIE, cookie)
            .body(axum::body::Body::empty())
            .unwrap();
        let page = world.send(request).await.text();
        assert_eq!(page.contains(words), is_shown, "{query} with {cookie}");
        assert!(page.contains("value=\"/keys\""), "what else the address says is kept");
    }
}

#[tokio::test]
async fn a_refusal_that_is_too_long_for_a_cookie_says_so() {
    let world = World::new().await;
    let name = "x".repeat(9_000);
    let answer = send(&world, "settings", "workload/give", &format!("ask={name}&seen=")).await;
    let location = answer.header("location").to_owned();
    let (cookie, _) = note(&answer);
    assert!(cookie.len() < 4_096 && location.contains("?refused="), "{location}");
}

#[tokio::test]
async fn deleting_a_document_leads_back_to_the_page_of_the_list_it_stood_on() {
    let world = World::new().await;
    let fields = format!("document={}", world.facts.fresh);
    let answer = send(&world, "documents?page=2", "documents/delete_document", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(answer.header("location").ends_with("/documents?page=2"), "{answer:?}");
}

/// Calls a function with nothing, as a browser or a program does.
async fn call_with_nothing(path: &str, action: Action, accept: &str) -> Answer {
    let world = World::new().await;
    let person = if action == Action::Administer { Person::Administrator } else { Person::Manager };
    let request = world
        .request("POST", person, path)
        .header(header::ACCEPT, accept)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::REFERER, "http://localhost:3000/keys")
        .body(axum::body::Body::empty())
        .unwrap();
    world.send(request).await
}

#[tokio::test]
async fn a_function_that_is_sent_nothing_says_what_is_missing_and_never_breaks() {
    let mut named = 0;
    for (path, action, _) in FUNCTIONS {
        for accept in ["text/html", "*/*"] {
            let answer = call_with_nothing(path, *action, accept).await;
            assert!(!answer.status.is_server_error(), "{path} for {accept}: {answer:?}");
            if answer.status == StatusCode::BAD_REQUEST {
                let text = answer.text().replace("\\\"", "\"").replace("&quot;", "\"");
                let says_which = text.contains("the field \"") && text.contains("\" is missing");
                assert!(
                    says_which || text.contains("the request cannot be read"),
                    "{path}: {text}"
                );
                named += usize::from(says_which);
            }
        }
    }
    assert!(named > 100, "only {named} named a field");
}

#[tokio::test]
async fn a_browser_whose_form_lacks_a_field_gets_a_page_that_names_it() {
    let path = "/fn/administration/change_account";
    let page = call_with_nothing(path, Action::Administer, "text/html").await;
    assert_eq!((page.status, page.header("location")), (StatusCode::BAD_REQUEST, ""));
    let text = page.text();
    assert!(text.contains("<h1>This form could not be read</h1>"), "{text}");
    assert!(text.contains("the field \"account\" is missing"), "{text}");
}
