//! Webhooks: signed, tried again, logged, against a listener of the test's own.

mod guarded;
mod noted;

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicI64, Ordering},
};

use crate::{
    house::{invalid_field, refused, uploaded},
    world::{World, started, worlds},
};
use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    AlertSubject, Delivery, DeliveryId, Error as Refusal, Measure, NewAlertRule, NewGoldVersion,
    NewWebhook, Range, Revision, Role, Span, WebhookChange, WebhookEvent, WebhookId,
    WebhookOutcome, WebhookView,
};
use hmac::{Hmac, Mac};
use services::{
    Clock,
    agreement::alerts,
    document::import::{self, ImportOptions},
    outside::{
        standing::{self, Waiting},
        webhooks::{self, Secret},
    },
    review::{self, gold},
};
use sha2::Sha256;

/// What arrived, and what is answered: the first statuses in order, then 204.
#[derive(Default)]
struct Desk {
    arrived: Mutex<Vec<(HeaderMap, String)>>,
    answers: Mutex<Vec<u16>>,
}

async fn receive(State(desk): State<Arc<Desk>>, headers: HeaderMap, body: String) -> StatusCode {
    desk.arrived.lock().unwrap().push((headers, body));
    let mut answers = desk.answers.lock().unwrap();
    let status = if answers.is_empty() { 204 } else { answers.remove(0) };
    StatusCode::from_u16(status).unwrap()
}

/// A listener that answers so, and its address.
async fn listen(answers: &[u16]) -> (Arc<Desk>, String) {
    let desk = Arc::new(Desk::default());
    *desk.answers.lock().unwrap() = answers.to_vec();
    let router = Router::new().route("/hook", post(receive)).with_state(Arc::clone(&desk));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (desk, url)
}

/// Gives the world a clock that is set by hand, in seconds.
fn set_clock(world: &mut World) -> Arc<AtomicI64> {
    let second = Arc::new(AtomicI64::new(1_000_000));
    let shown = Arc::clone(&second);
    let clock = Clock::from_fn(move || {
        DateTime::<Utc>::UNIX_EPOCH + TimeDelta::seconds(shown.load(Ordering::Relaxed))
    });
    world.services = started(&world.store, clock);
    second
}

async fn add(world: &World, url: &str, events: &[WebhookEvent]) -> WebhookId {
    let (services, manager) = (&world.services, &world.manager.actor);
    let new = NewWebhook { url: url.to_owned(), events: events.iter().copied().collect() };
    webhooks::add(services, manager, world.project, new, Secret::UntilCopied).await.unwrap().id
}

/// A webhook that is told of everything.
async fn save(world: &World, url: &str) -> WebhookId {
    add(world, url, &WebhookEvent::choices().collect::<Vec<_>>()).await
}

async fn try_it(world: &World, id: WebhookId) -> DeliveryId {
    let manager = &world.manager.actor;
    webhooks::send_test(&world.services, manager, world.project, id).await.unwrap()
}

async fn change(world: &World, id: WebhookId, change: WebhookChange) -> WebhookOutcome {
    let (services, manager) = (&world.services, &world.manager.actor);
    let there = (world.project, id);
    webhooks::change(services, manager, there, None, change, Secret::UntilCopied).await.unwrap()
}

async fn pause(world: &World, id: WebhookId, paused: bool) {
    change(world, id, WebhookChange { paused: Some(paused), ..WebhookChange::default() }).await;
}

async fn deliver(world: &World) {
    webhooks::deliver_due(&world.services).await.unwrap();
}

async fn view(world: &World, id: WebhookId) -> WebhookView {
    webhooks::find(&world.services, &world.manager.actor, world.project, id).await.unwrap()
}

async fn log(world: &World, id: WebhookId) -> Vec<Delivery> {
    let (services, manager) = (&world.services, &world.manager.actor);
    let there = (world.project, id);
    webhooks::deliveries(services, manager, there, DeliveryId(0), 200).await.unwrap()
}

/// The events that arrived, in order.
fn events(desk: &Desk) -> Vec<String> {
    let arrived = desk.arrived.lock().unwrap();
    arrived.iter().map(|(headers, _)| headers["concord-event"].to_str().unwrap().into()).collect()
}

#[tokio::test]
async fn an_alert_is_sent_with_a_signature_of_its_time_and_body() {
    for mut world in worlds(2, 2).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[]).await;
        let id = save(&world, &url).await;
        let secret = view(&world, id).await.secret.unwrap();
        let rule = NewAlertRule {
            subject: AlertSubject::LabelerPair,
            measure: Measure::Kappa,
            limit: 0.6,
            ..NewAlertRule::default()
        };
        let manager = &world.manager.actor;
        alerts::add_rule(&world.services, manager, world.project, rule).await.unwrap();
        world.mark_by_both(0, 1).await;
        alerts::evaluate_due(&world.services).await.unwrap();
        alerts::evaluate_due(&world.services).await.unwrap();
        deliver(&world).await;
        deliver(&world).await;

        let arrived = desk.arrived.lock().unwrap().clone();
        assert_eq!(arrived.len(), 1, "an alert is sent once");
        let (headers, body) = &arrived[0];
        let header = |name: &str| headers[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "application/json");
        assert_eq!(header("concord-event"), "alert.fired");
        let time = second.load(Ordering::Relaxed).to_string();
        assert_eq!(header("concord-timestamp"), time);
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{time}.{body}").as_bytes());
        let expected = format!("v1={:x}", mac.finalize().into_bytes());
        assert_eq!(header("concord-signature"), expected);

        let told: serde_json::Value = serde_json::from_str(body).unwrap();
        let there = alerts::load(&world.services, manager, world.project).await.unwrap();
        assert_eq!(there.sent_to, [url]);
        let standing = &there.standing[0];
        assert_eq!(told["event"], "alert.fired");
        assert_eq!(told["project"]["name"], "Tragedies");
        assert_eq!(told["rule"]["measure"], "kappa");
        assert_eq!(told["rule"]["limit"], 0.6);
        assert_eq!(told["value"], standing.value);
        assert_eq!(told["lower"], standing.lower);
        assert_eq!((told["n"].as_u64(), standing.n), (Some(3), 3));
        assert_eq!(told["raters"][0]["name"], "labeler-2");
        let (first, other) = (world.labelers[0].member, world.labelers[1].member);
        let path = format!(
            "/projects/{}/agreement/{first}/{other}?measure=kappa&policy=cleaned&documents=saved",
            world.project
        );
        assert_eq!(told["path"], path);
        assert_eq!(header("concord-delivery"), log(&world, id).await[0].id.to_string());
    }
}

#[tokio::test]
async fn what_does_not_arrive_is_sent_again_later_and_later_and_given_up_after_five_times() {
    for mut world in worlds(1, 1).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[500, 302, 404, 503, 500, 500]).await;
        let id = save(&world, &url).await;
        try_it(&world, id).await;
        let tries = async || {
            deliver(&world).await;
            desk.arrived.lock().unwrap().len()
        };
        assert_eq!(tries().await, 1);
        let mut arrived = 1;
        for wait in [10, 60, 300, 1_500] {
            let logged = &log(&world, id).await[0];
            let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(second.load(Ordering::Relaxed));
            assert_eq!(logged.next_at, Some(now + TimeDelta::seconds(wait)));
            second.fetch_add(wait - 1, Ordering::Relaxed);
            assert_eq!(tries().await, arrived, "it is not time yet");
            second.fetch_add(1, Ordering::Relaxed);
            arrived += 1;
            assert_eq!(tries().await, arrived);
        }
        let logged = &log(&world, id).await[0];
        assert_eq!((logged.attempts, logged.status), (5, None));
        assert_eq!((logged.next_at, logged.delivered_at), (None, None));
        second.fetch_add(1_000_000, Ordering::Relaxed);
        assert_eq!(tries().await, 5, "it was given up");
        // Each try has a signature of its own time, and the same id and body.
        let arrived = desk.arrived.lock().unwrap().clone();
        let of = |name: &str| -> std::collections::BTreeSet<String> {
            arrived.iter().map(|(headers, _)| headers[name].to_str().unwrap().to_owned()).collect()
        };
        assert_eq!(of("concord-signature").len(), 5);
        assert_eq!(of("concord-delivery").len(), 1);
        assert!(arrived.iter().all(|(_, body)| *body == arrived[0].1));
    }
}

#[tokio::test]
async fn it_arrives_at_the_second_try_and_is_not_sent_a_third_time() {
    for mut world in worlds(1, 1).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[503]).await;
        let id = save(&world, &url).await;
        try_it(&world, id).await;
        for _ in 0..3 {
            deliver(&world).await;
            second.fetch_add(10, Ordering::Relaxed);
        }
        assert_eq!(desk.arrived.lock().unwrap().len(), 2);
        let logged = &log(&world, id).await[0];
        assert_eq!((logged.attempts, logged.status, logged.next_at), (2, Some(204), None));
        assert!(logged.delivered_at.is_some());
    }
}

#[tokio::test]
async fn the_secret_is_shown_until_it_is_copied_and_a_new_address_has_a_new_one() {
    for world in worlds(1, 1).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        let id = save(&world, "https://example.org/hook").await;
        let first = view(&world, id).await;
        webhooks::hide_secret(services, manager, world.project, id).await.unwrap();
        let hidden = view(&world, id).await;
        assert_eq!((hidden.url.as_str(), hidden.secret), ("https://example.org/hook", None));
        let same = WebhookChange { url: Some(hidden.url), ..WebhookChange::default() };
        change(&world, id, same).await;
        assert_eq!(view(&world, id).await.secret, None, "the address is the same");
        let other = Some("https://example.org/other".to_owned());
        let other = WebhookChange { url: other, ..WebhookChange::default() };
        let changed = change(&world, id, other).await;
        let second = view(&world, id).await;
        assert!(second.secret.is_some() && second.secret != first.secret);
        let told = WebhookOutcome::Changed { revision: Revision(2), secret: second.secret };
        assert_eq!(changed, told);
        for (url, events, field) in [
            ("gopher://x", vec![WebhookEvent::GoldLocked], "url"),
            ("https://example.org", vec![], "events"),
            ("https://example.org", vec![WebhookEvent::Test], "events"),
        ] {
            let new = NewWebhook { url: url.to_owned(), events: events.into_iter().collect() };
            let bad = webhooks::add(services, manager, world.project, new, Secret::Told).await;
            assert_eq!(invalid_field(bad), field);
        }
    }
}

#[tokio::test]
async fn of_what_is_finished_the_last_fifty_are_kept_of_each_webhook() {
    for world in worlds(1, 1).await {
        let (_, url) = listen(&[]).await;
        let (id, other) = (save(&world, &url).await, save(&world, &url).await);
        try_it(&world, other).await;
        for _ in 0..52 {
            try_it(&world, id).await;
        }
        deliver(&world).await;
        deliver(&world).await;
        try_it(&world, id).await;
        let kept = log(&world, id).await;
        assert_eq!(kept.len(), 51, "50 that are finished, and one that waits");
        assert!(kept.iter().skip(1).all(|delivery| delivery.delivered_at.is_some()));
        assert!(kept[0].delivered_at.is_none());
        assert_eq!(log(&world, other).await.len(), 1);
    }
}

/// Everything that a webhook can be told of but alerts, once each, and a second submission.
async fn live(world: &World) {
    let (services, project) = (&world.services, world.project);
    let manager = &world.manager.actor;
    let file = uploaded(&[("secret.txt", "Secret words of a document.")]);
    import::import(services, manager, project, file, ImportOptions::default()).await.unwrap();
    world.mark(0, 0, &[Span { range: Range::new(0, 3), label: world.labels[0] }]).await;
    world.submit(0, 0).await;
    world.mark(1, 0, &[Span { range: Range::new(0, 3), label: world.labels[0] }]).await;
    world.submit(1, 0).await;
    let document = world.documents[0];
    let reviewer = &world.reviewer.actor;
    review::submit(services, reviewer, document, Revision(0)).await.unwrap();
    let new = NewGoldVersion { name: "first".to_owned(), note: String::new() };
    gold::lock(services, manager, project, new).await.unwrap();
}

#[tokio::test]
async fn a_webhook_is_told_of_the_events_that_were_chosen_and_never_of_texts() {
    for world in worlds(2, 1).await {
        let (all, everything) = listen(&[]).await;
        let (some, url) = listen(&[]).await;
        save(&world, &everything).await;
        add(&world, &url, &[WebhookEvent::AssignmentSubmitted, WebhookEvent::GoldLocked]).await;
        live(&world).await;
        deliver(&world).await;
        let (mut of_all, mut of_some) = (events(&all), events(&some));
        of_all.sort();
        of_some.sort();
        let submitted = "assignment.submitted";
        let expected = [submitted, submitted, "gold.locked", "import.finished", "review.submitted"];
        assert_eq!(of_all, expected);
        assert_eq!(of_some, [submitted, submitted, "gold.locked"]);

        let project = world.project;
        for (_, body) in all.arrived.lock().unwrap().iter() {
            assert!(!body.contains("Secret words") && !body.contains("Tragedy of"), "{body}");
            let told: serde_json::Value = serde_json::from_str(body).unwrap();
            let of = serde_json::json!({ "id": project, "name": "Tragedies" });
            assert_eq!(told["project"], of);
            assert!(told["at"].is_string());
            let document = world.documents[0];
            let path = told["path"].as_str().unwrap();
            match told["event"].as_str().unwrap() {
                "assignment.submitted" => {
                    assert_eq!(told["document"]["id"], document.0);
                    assert!(told["labeler"]["name"].as_str().unwrap().starts_with("labeler-"));
                    assert_eq!(path, format!("/assignments/{}/history", told["assignment"]["id"]));
                }
                "review.submitted" => {
                    assert_eq!(told["reviewer"]["id"], world.reviewer.member.0);
                    assert_eq!(
                        path,
                        format!("/projects/{project}/review/gold/documents/{document}")
                    );
                }
                "gold.locked" => assert_eq!(told["version"]["name"], "first"),
                "import.finished" => {
                    assert_eq!(told["import"]["state"], "done");
                    assert_eq!(told["import"]["documents"], 1);
                }
                other => panic!("{other} was not chosen"),
            }
        }
    }
}

#[tokio::test]
async fn what_happens_while_a_webhook_is_paused_is_never_sent_and_what_waited_is_sent_later() {
    for mut world in worlds(2, 1).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[]).await;
        let id = save(&world, &url).await;
        try_it(&world, id).await;
        let waiting = async || standing::backlog(&world.services).await.unwrap().deliveries;
        second.fetch_add(5, Ordering::Relaxed);
        assert_eq!(waiting().await, Waiting { count: 1, seconds: 5 });
        pause(&world, id, true).await;
        assert_eq!(waiting().await, Waiting::default(), "nobody is to send it");
        live(&world).await;
        deliver(&world).await;
        assert_eq!(events(&desk), Vec::<String>::new());
        let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
        let test = webhooks::send_test(services, manager, project, id).await;
        assert_eq!(invalid_field(test), "webhook");
        pause(&world, id, false).await;
        deliver(&world).await;
        assert_eq!(events(&desk), ["test"]);
    }
}

#[tokio::test]
async fn a_delivery_is_sent_again_as_another_one_with_the_same_body() {
    for mut world in worlds(1, 1).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[]).await;
        let id = save(&world, &url).await;
        let sent = try_it(&world, id).await;
        deliver(&world).await;
        second.fetch_add(100, Ordering::Relaxed);
        let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
        let there = (project, id);
        let again = webhooks::send_again(services, manager, there, sent).await.unwrap();
        assert_ne!(again, sent);
        deliver(&world).await;
        let arrived = desk.arrived.lock().unwrap().clone();
        assert_eq!(arrived.len(), 2);
        assert_eq!(arrived[0].1, arrived[1].1);
        assert_ne!(arrived[0].0["concord-signature"], arrived[1].0["concord-signature"]);
        assert_eq!(arrived[1].0["concord-delivery"], again.to_string());
        // Only where it was sent.
        let other = save(&world, &url).await;
        let elsewhere = webhooks::send_again(services, manager, (project, other), sent).await;
        assert_eq!(refused(elsewhere), Refusal::NotFound);
    }
}

#[tokio::test]
async fn another_project_is_told_nothing_and_reaches_nothing() {
    for world in worlds(2, 1).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        let (desk, url) = listen(&[]).await;
        let id = save(&world, &url).await;
        let sent = try_it(&world, id).await;
        let (user, now) = (manager.person().unwrap().id, services.now());
        let tx = world.store.begin().await.unwrap();
        let other = store::project::create(&tx, "Comedies", now).await.unwrap();
        store::project::members::add(&tx, other, user, Role::Manager, now).await.unwrap();
        tx.commit().await.unwrap();
        let new = NewGoldVersion { name: "first".to_owned(), note: String::new() };
        let file = uploaded(&[("one.txt", "One.")]);
        import::import(services, manager, other, file, ImportOptions::default()).await.unwrap();
        gold::lock(services, manager, other, new).await.unwrap();
        deliver(&world).await;
        assert_eq!(events(&desk), ["test"]);

        let wish = WebhookChange { paused: Some(true), ..WebhookChange::default() };
        let there = (other, id);
        let gone = Refusal::NotFound;
        assert_eq!(refused(webhooks::find(services, manager, other, id).await), gone);
        let changed = webhooks::change(services, manager, there, None, wish, Secret::Told).await;
        assert_eq!(refused(changed), gone);
        assert_eq!(refused(webhooks::remove(services, manager, other, id).await), gone);
        assert_eq!(refused(webhooks::hide_secret(services, manager, other, id).await), gone);
        assert_eq!(refused(webhooks::send_test(services, manager, other, id).await), gone);
        assert_eq!(refused(webhooks::send_again(services, manager, there, sent).await), gone);
        let listed = webhooks::deliveries(services, manager, there, DeliveryId(0), 50).await;
        assert_eq!(refused(listed), gone);
        assert_eq!(webhooks::list(services, manager, other).await.unwrap(), []);
        assert!(!view(&world, id).await.paused);
    }
}

#[tokio::test]
async fn what_waits_is_given_up_with_its_webhook() {
    for mut world in worlds(1, 1).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[503]).await;
        let (id, other) = (save(&world, &url).await, save(&world, &url).await);
        try_it(&world, id).await;
        deliver(&world).await;
        try_it(&world, id).await;
        let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
        webhooks::remove(services, manager, project, id).await.unwrap();
        second.fetch_add(1_000, Ordering::Relaxed);
        deliver(&world).await;
        assert_eq!(events(&desk).len(), 1, "only what was sent before");
        let gone = webhooks::remove(services, manager, project, id).await;
        assert_eq!(refused(gone), Refusal::NotFound);
        assert_eq!(view(&world, other).await.id, other);
        for actor in [&world.labelers[0].actor, &world.reviewer.actor] {
            let denied = webhooks::remove(services, actor, project, other).await;
            assert!(matches!(refused(denied), Refusal::Denied(_)));
        }
    }
}

#[tokio::test]
async fn a_project_has_at_most_ten_and_a_change_is_made_on_the_revision_it_knows() {
    for world in worlds(1, 1).await {
        let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
        let first = save(&world, "https://example.org/1").await;
        for _ in 1..10 {
            save(&world, "https://example.org/1").await;
        }
        let events = [WebhookEvent::GoldLocked].into();
        let new = NewWebhook { url: "https://example.org/11".to_owned(), events };
        let eleventh = webhooks::add(services, manager, project, new, Secret::Told).await;
        assert_eq!(invalid_field(eleventh), "url");

        let wish = || WebhookChange { paused: Some(true), ..WebhookChange::default() };
        let on = |base| {
            let base = Some(Revision(base));
            webhooks::change(services, manager, (project, first), base, wish(), Secret::Told)
        };
        let changed = WebhookOutcome::Changed { revision: Revision(1), secret: None };
        assert_eq!(on(0).await.unwrap(), changed);
        assert_eq!(on(0).await.unwrap(), WebhookOutcome::Conflict(Revision(1)));
    }
}
