//! Plain forms of pages that are only read: where they lead, and what they leave there.

use http::{StatusCode, header};

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
    let answer = send(&world, "members", "members/invite_member", "role=labeler&email=").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), format!("/projects/{project}/members"));
    let (cookie, attributes) = note(&answer);
    assert_eq!(
        attributes,
        format!("Path=/projects/{project}/members; HttpOnly; SameSite=Strict; Max-Age=60")
    );

    let page = load(&world, "members", &cookie).await;
    let token = cookie.split_once('=').unwrap().1;
    assert_eq!(token.len(), 43);
    assert!(page.text().contains(&format!("http://localhost:3000/invitations/{token}")));
    assert!(page.header("set-cookie").starts_with("concord-note=; "));
    assert!(page.header("set-cookie").contains("Max-Age=0"));

    let again = load(&world, "members", "theme=dark").await.text();
    assert!(!again.contains(token) && again.contains("Make invitation link"));
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
    assert!(note(&answer).1.ends_with("; Secure"), "{answer:?}");
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
    let key = world.facts.labels[0].hotkey.unwrap();
    let fields = format!("name=NEW&colour=1&hotkey={key}");
    let answer = send(&world, "settings", "projects/create_label", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let location = answer.header("location").to_owned();
    let (_, query) = location.split_once('?').unwrap();
    assert!(query.contains("__err="), "{location}");

    let page = load(&world, &format!("settings?{query}"), "theme=dark").await.text();
    let dialog = page.split("<dialog").find(|piece| piece.contains("id=\"new-label\"")).unwrap();
    assert!(dialog.contains("data-open"), "{dialog}");
    assert!(dialog.contains("aria-invalid=\"true\""), "{dialog}");
}

#[tokio::test]
async fn deleting_a_document_leads_back_to_the_page_of_the_list_it_stood_on() {
    let world = World::new().await;
    let fields = format!("document={}", world.facts.fresh);
    let answer = send(&world, "documents?page=2", "documents/delete_document", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(answer.header("location").ends_with("/documents?page=2"), "{answer:?}");
}
