//! Webhooks: signed, tried again, logged, against a listener of the test's own.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicI64, Ordering},
};

use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};
use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{AlertSubject, AlertsView, Error as Refusal, Measure, NewAlertRule, Range, Span};
use hmac::{Hmac, Mac};
use services::{Clock, Services, alerts};
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
    world.services = Services::new(world.store.clone(), clock, None);
    second
}

async fn save(world: &World, url: &str) {
    let (services, manager) = (&world.services, &world.manager.actor);
    alerts::save_webhook(services, manager, world.project, url.to_owned()).await.unwrap();
}

async fn try_it(world: &World) {
    let manager = &world.manager.actor;
    alerts::try_webhook(&world.services, manager, world.project).await.unwrap();
}

async fn deliver(world: &World) {
    alerts::deliver_due(&world.services).await.unwrap();
}

async fn view(world: &World) -> AlertsView {
    alerts::load(&world.services, &world.manager.actor, world.project).await.unwrap()
}

#[tokio::test]
async fn an_alert_is_sent_with_a_signature_of_its_time_and_body() {
    for mut world in worlds(2, 2).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[]).await;
        save(&world, &url).await;
        let secret = view(&world).await.webhook.unwrap().secret.unwrap();
        let rule = NewAlertRule {
            subject: AlertSubject::LabelerPair,
            measure: Measure::Kappa,
            limit: 0.6,
            ..NewAlertRule::default()
        };
        let manager = &world.manager.actor;
        alerts::add_rule(&world.services, manager, world.project, rule).await.unwrap();
        for labeler in 0..2 {
            let spans: Vec<_> = [(0, 3), (4, 11), (15, 21)]
                .iter()
                .enumerate()
                .map(|(place, &(start, end))| Span {
                    range: Range::new(start, end),
                    label: world.labels[(place + labeler) % 3],
                })
                .collect();
            world.mark(labeler, 0, &spans).await;
        }
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
        let standing = &view(&world).await.standing[0];
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
        assert_eq!(header("concord-delivery"), view(&world).await.deliveries[0].id.to_string());
    }
}

#[tokio::test]
async fn what_does_not_arrive_is_sent_again_later_and_later_and_given_up_after_five_times() {
    for mut world in worlds(1, 1).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[500, 302, 404, 503, 500, 500]).await;
        save(&world, &url).await;
        try_it(&world).await;
        let tries = async || {
            deliver(&world).await;
            desk.arrived.lock().unwrap().len()
        };
        assert_eq!(tries().await, 1);
        let mut arrived = 1;
        for wait in [10, 60, 300, 1_500] {
            let logged = &view(&world).await.deliveries[0];
            let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(second.load(Ordering::Relaxed));
            assert_eq!(logged.next_at, Some(now + TimeDelta::seconds(wait)));
            second.fetch_add(wait - 1, Ordering::Relaxed);
            assert_eq!(tries().await, arrived, "it is not time yet");
            second.fetch_add(1, Ordering::Relaxed);
            arrived += 1;
            assert_eq!(tries().await, arrived);
        }
        let logged = &view(&world).await.deliveries[0];
        assert_eq!((logged.attempts, logged.status), (5, Some(500)));
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
        save(&world, &url).await;
        try_it(&world).await;
        for _ in 0..3 {
            deliver(&world).await;
            second.fetch_add(10, Ordering::Relaxed);
        }
        assert_eq!(desk.arrived.lock().unwrap().len(), 2);
        let logged = &view(&world).await.deliveries[0];
        assert_eq!((logged.attempts, logged.status, logged.next_at), (2, Some(204), None));
        assert!(logged.delivered_at.is_some());
    }
}

#[tokio::test]
async fn nobody_there_is_a_problem_in_words() {
    for mut world in worlds(1, 1).await {
        set_clock(&mut world);
        // A port that was free a moment ago.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        save(&world, &format!("http://{address}/hook")).await;
        try_it(&world).await;
        deliver(&world).await;
        let logged = &view(&world).await.deliveries[0];
        assert_eq!((logged.attempts, logged.status), (1, None));
        assert!(logged.problem.as_ref().unwrap().contains("refused"), "{logged:?}");
        assert!(logged.next_at.is_some());
    }
}

#[tokio::test]
async fn the_secret_is_shown_until_it_is_copied_and_a_new_address_has_a_new_one() {
    for world in worlds(1, 1).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        save(&world, "https://example.org/hook").await;
        let first = view(&world).await.webhook.unwrap();
        alerts::hide_secret(services, manager, world.project).await.unwrap();
        let hidden = view(&world).await.webhook.unwrap();
        assert_eq!((hidden.url.as_str(), hidden.secret), ("https://example.org/hook", None));
        save(&world, "https://example.org/other").await;
        let second = view(&world).await.webhook.unwrap();
        assert!(second.secret.is_some() && second.secret != first.secret);
        let bad = alerts::save_webhook(services, manager, world.project, "gopher://x".to_owned());
        assert_eq!(invalid_field(bad.await), "url");
    }
}

#[tokio::test]
async fn without_a_webhook_nothing_is_queued_and_only_the_last_fifty_are_kept() {
    for world in worlds(1, 1).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        let nowhere = alerts::try_webhook(services, manager, world.project).await;
        assert_eq!(refused(nowhere), Refusal::NotFound);
        let (_, url) = listen(&[]).await;
        save(&world, &url).await;
        for _ in 0..52 {
            try_it(&world).await;
        }
        deliver(&world).await;
        deliver(&world).await;
        try_it(&world).await;
        let kept = view(&world).await.deliveries;
        assert_eq!(kept.len(), 50);
        assert!(kept.iter().skip(1).all(|delivery| delivery.delivered_at.is_some()));
        assert!(kept[0].delivered_at.is_none());
        alerts::remove_webhook(services, manager, world.project).await.unwrap();
        assert!(view(&world).await.webhook.is_none());
        let given_up = &view(&world).await.deliveries[0];
        assert_eq!(given_up.problem.as_deref(), Some("the webhook was removed"));
        let gone = alerts::remove_webhook(services, manager, world.project).await;
        assert_eq!(refused(gone), Refusal::NotFound);
        for actor in [&world.labelers[0].actor, &world.reviewer.actor] {
            let denied = alerts::save_webhook(services, actor, world.project, url.clone()).await;
            assert!(matches!(refused(denied), Refusal::Denied(_)));
        }
    }
}
