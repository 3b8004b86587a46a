//! Pages that follow what moves: what has changed of one is told to all who see the same of it, and to
//! nobody who sees something else.

use std::{collections::BTreeMap, time::Duration};

use axum::body::BodyDataStream;
use futures::StreamExt;
use http::StatusCode;
use serde_json::Value;
use server::routes::PAGES;
use services::{account, project::members};
use tokio::time::timeout;

use super::world::{Person, World};

const PATIENCE: Duration = Duration::from_mins(1);

/// As a query's value.
fn escaped(text: &str) -> String {
    text.replace('%', "%25")
        .replace('&', "%26")
        .replace('+', "%2B")
        .replace('?', "%3F")
        .replace('=', "%3D")
}

/// Somebody's browser with one page open.
struct Browser<'a> {
    world: &'a World,
    person: Person,
    of: String,
    body: BodyDataStream,
    read: String,
    version: String,
    html: String,
}

impl<'a> Browser<'a> {
    /// Opens the stream for the page at an address, which is not loaded.
    async fn open(world: &'a World, person: Person, address: &str) -> Self {
        let of = escaped(&format!("{}@{address}", world.facts.project));
        let answer = world.open(world.getting(person, &format!("/events/revisions?of={of}"))).await;
        assert_eq!(answer.status(), StatusCode::OK);
        let body = answer.into_body().into_data_stream();
        let (read, version, html) = (String::new(), String::new(), String::new());
        Self { world, person, of, body, read, version, html }
    }

    /// The next event that is none of the stream itself: its name and its lines; none at the end.
    async fn event(&mut self) -> Option<(String, Vec<String>)> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let lines = |name: &str| -> Vec<String> {
                    event
                        .lines()
                        .filter_map(|line| line.strip_prefix(name).map(str::to_owned))
                        .collect()
                };
                let (names, data) = (lines("event: "), lines("data: "));
                let rest = rest.to_owned();
                self.read = rest;
                if let Some(name) = names.into_iter().next() {
                    return Some((name, data));
                }
            } else {
                let chunk =
                    timeout(PATIENCE, self.body.next()).await.expect("neither an event nor an end");
                self.read.push_str(std::str::from_utf8(&chunk?.unwrap()).unwrap());
            }
        }
    }

    /// Loads the page's main part as it was last sent.
    async fn load(&mut self) {
        let answer = self.world.get(self.person, &page_of(self.world, &self.of)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        answer.header("concord-version").clone_into(&mut self.version);
        self.html = answer.text();
    }

    /// Waits for what comes next, and takes it as a browser does; the name of the event.
    async fn change(&mut self) -> Option<String> {
        let (name, data) = self.event().await?;
        match name.as_str() {
            "moved" => self.load().await,
            "edited" => {
                let change: Value = serde_json::from_str(&data[1]).unwrap();
                if change["from"] == self.version {
                    change["to"].as_str().unwrap().clone_into(&mut self.version);
                    self.html = edited(&self.html, &change["edits"]);
                } else if change["to"] != self.version {
                    self.load().await;
                }
            }
            _ => {}
        }
        Some(name)
    }

    /// Takes in what comes until the page shows a revision.
    async fn until(&mut self, revision: i64) -> Vec<String> {
        let shows = format!("data-revision=\"{revision}\"");
        let mut names = Vec::new();
        while !self.html.contains(&shows) || self.html.contains("data-pending") {
            names.push(self.change().await.expect("the stream goes on"));
        }
        names
    }
}

fn edited(before: &str, edits: &Value) -> String {
    let before: Vec<u16> = before.encode_utf16().collect();
    let (mut after, mut from) = (Vec::new(), 0);
    for edit in edits.as_array().unwrap() {
        let place = |place: usize| usize::try_from(edit[place].as_u64().unwrap()).unwrap();
        after.extend(&before[from..place(0)]);
        after.extend(edit[2].as_str().unwrap().encode_utf16());
        from = place(0) + place(1);
    }
    after.extend(&before[from..]);
    String::from_utf16(&after).unwrap()
}

/// Where the main part of what is followed is.
fn page_of(world: &World, of: &str) -> String {
    format!("/events/projects/{}/page?of={of}", world.facts.project)
}

/// The main part of a page that is loaded as a whole, without what is of this answer alone.
async fn loaded(world: &World, person: Person, address: &str) -> String {
    let answer = world.get(person, address).await;
    assert_eq!(answer.status, StatusCode::OK, "{address}");
    let page = answer.text();
    let main = &page[page.find("<main").unwrap()..page.rfind("</main>").unwrap() + "</main>".len()];
    without_nonce(main)
}

fn without_nonce(html: &str) -> String {
    let mut pieces = html.split(" nonce=\"");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |page, piece| page + piece.split_once('"').map_or("", |(_, rest)| rest))
}

/// Two pages are long: the first place says where they differ.
fn assert_same(told: &str, loaded: &str, what: &str) {
    if let Some(at) = told.bytes().zip(loaded.bytes()).position(|(told, loaded)| told != loaded) {
        let from = at.saturating_sub(80);
        let near = |text: &str| {
            String::from_utf8_lossy(&text.as_bytes()[from..text.len().min(at + 80)]).into_owned()
        };
        panic!("{what}: told {:?}, loaded {:?}", near(told), near(loaded));
    }
    assert_eq!(told.len(), loaded.len(), "{what}");
}

fn matrix(world: &World) -> String {
    format!("/projects/{}/agreement", world.facts.project)
}

#[tokio::test]
async fn what_changes_on_a_page_is_told_as_edits_that_lead_to_the_page_as_it_is() {
    let world = World::new().await;
    let address = matrix(&world);
    let mut browser = Browser::open(&world, Person::Manager, &address).await;
    let (name, data) = browser.event().await.unwrap();
    assert_eq!(name, "stands");
    let revision: i64 = data[0].split_once(' ').unwrap().1.parse().unwrap();
    world.save_a_span().await;
    assert_eq!(browser.until(revision + 1).await[0], "moved", "nothing is known to be edited yet");
    assert_same(&browser.html, &loaded(&world, Person::Manager, &address).await, "loaded");
    world.save_a_span().await;
    let names = browser.until(revision + 2).await;
    assert!(names.iter().all(|name| name == "edited"), "{names:?}");
    assert_same(&browser.html, &loaded(&world, Person::Manager, &address).await, "edited");
}

#[tokio::test]
async fn whoever_has_the_page_before_anything_moves_is_told_edits_from_the_first_change_on() {
    let world = World::new().await;
    let address = matrix(&world);
    let mut browser = Browser::open(&world, Person::Manager, &address).await;
    let mut later = Browser::open(&world, Person::Manager, &address).await;
    let (_, data) = browser.event().await.unwrap();
    let revision: i64 = data[0].split_once(' ').unwrap().1.parse().unwrap();
    later.event().await.unwrap();
    // Once everything that is computed beside the page is there.
    let mut shown = loaded(&world, Person::Manager, &address).await;
    while shown.contains("data-pending") {
        shown = loaded(&world, Person::Manager, &address).await;
    }
    browser.load().await;
    world.save_a_span().await;
    let names = browser.until(revision + 1).await;
    assert_eq!(names.last().unwrap(), "edited", "{names:?}");
    let after = loaded(&world, Person::Manager, &address).await;
    assert_same(&browser.html, &after, "edited");
    later.until(revision + 1).await;
    assert_same(&later.html, &after, "loaded at the change");
}

#[tokio::test]
async fn those_of_one_role_are_told_the_same_bytes() {
    let world = World::new().await;
    let address = matrix(&world);
    let mut first = Browser::open(&world, Person::Manager, &address).await;
    let mut second = Browser::open(&world, Person::Manager, &address).await;
    let mut reviewer = Browser::open(&world, Person::Reviewer, &address).await;
    let (_, data) = first.event().await.unwrap();
    let revision: i64 = data[0].split_once(' ').unwrap().1.parse().unwrap();
    for step in 1..=3 {
        world.save_a_span().await;
        for browser in [&mut first, &mut second, &mut reviewer] {
            browser.until(revision + step).await;
        }
        assert_eq!(first.version, second.version);
        assert_same(&reviewer.html, &loaded(&world, Person::Reviewer, &address).await, "reviewer");
    }
}

#[tokio::test]
async fn a_page_that_is_sent_to_all_of_a_role_is_the_same_for_each_of_them() {
    let world = World::new().await;
    let (project, mara) = (world.facts.project, world.actor(Person::Manager).await);
    for (person, role) in [
        (Person::OtherManager, domain::Role::Manager),
        (Person::Administrator, domain::Role::Reviewer),
    ] {
        let token = members::invite(&world.services, &mara, project, role, None).await.unwrap();
        account::join(&world.services, &world.actor(person).await, &token).await.unwrap();
    }
    let parameters = BTreeMap::from([
        ("{project}", project.to_string()),
        ("{first}", world.facts.labeler.to_string()),
        ("{second}", world.facts.peer.to_string()),
    ]);
    let mut seen = 0;
    for page in PAGES.iter().filter(|page| page.is_shared) {
        let filled = |path: String, (name, value): (&&str, &String)| path.replace(*name, value);
        let address = parameters.iter().fold(page.path.to_owned(), filled);
        for (one, other) in
            [(Person::Manager, Person::OtherManager), (Person::Reviewer, Person::Administrator)]
        {
            if world.get(one, &address).await.status != StatusCode::OK {
                continue;
            }
            // What is computed beside the page may be there for the second and not for the first.
            let both = async || {
                (loaded(&world, one, &address).await, loaded(&world, other, &address).await)
            };
            let _computed = both().await;
            let (mine, theirs) = both().await;
            assert_same(&mine, &theirs, &format!("{address} of {one:?} and {other:?}"));
            seen += 1;
        }
    }
    assert!(seen > 12, "{seen} pages were compared");
}

#[tokio::test]
async fn a_page_is_followed_by_those_only_who_may_see_it() {
    let world = World::new().await;
    let address = matrix(&world);
    for person in [
        Person::Labeler,
        Person::Bystander,
        Person::Outsider,
        Person::OtherManager,
        Person::Administrator,
    ] {
        let mut browser = Browser::open(&world, person, &address).await;
        assert_eq!(browser.event().await.unwrap().0, "ended", "{person:?}");
        assert_eq!(browser.event().await, None);
        let page = world.get(person, &page_of(&world, &browser.of)).await;
        assert!(matches!(page.status, StatusCode::FORBIDDEN | StatusCode::NOT_FOUND), "{person:?}");
    }
}

#[tokio::test]
async fn whoever_leaves_the_project_is_told_nothing_more_of_its_pages() {
    let world = World::new().await;
    let address = matrix(&world);
    let mut reviewer = Browser::open(&world, Person::Reviewer, &address).await;
    assert_eq!(reviewer.change().await.as_deref(), Some("stands"));
    let manager = world.actor(Person::Manager).await;
    let (project, member) = (world.facts.project, world.facts.reviewer);
    members::remove(&world.services, &manager, project, member).await.unwrap();
    world.save_a_span().await;
    assert_eq!(reviewer.change().await.as_deref(), Some("ended"));
    assert_eq!(reviewer.change().await, None);
}

#[tokio::test]
async fn of_what_is_no_page_of_the_project_only_the_project_is_told() {
    let world = World::new().await;
    for page in [
        "/projects/999/agreement",
        "/account",
        "/projects/1/agreement/../../../account",
        "/projects/1/agreement/..\\..\\..\\account",
        "https://example.org/",
        "/assignments/1",
    ] {
        let mut browser = Browser::open(&world, Person::Manager, page).await;
        assert_eq!(browser.event().await.unwrap().0, "stands", "{page}");
        world.save_a_span().await;
        assert_eq!(browser.event().await.unwrap().0, "moved", "{page}");
        let kept = world.get(Person::Manager, &page_of(&world, &browser.of)).await;
        assert_eq!(kept.status, StatusCode::NO_CONTENT, "{page}");
    }
}

#[tokio::test]
async fn another_site_makes_nobody_the_one_as_whom_a_page_is_rendered() {
    let world = World::new().await;
    let of = escaped(&format!("{}@{}", world.facts.project, matrix(&world)));
    let mut led = world.getting(Person::Manager, &page_of(&world, &of));
    led.headers_mut().insert("sec-fetch-site", "cross-site".parse().unwrap());
    assert_eq!(world.send(led).await.status, StatusCode::NO_CONTENT);
}
