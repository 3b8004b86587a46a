//! What webhooks must not do: reach inside, tell what is there, hold up others, give secrets away.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta};
use domain::{Delivery, NewWebhook, Revision, Role, WebhookChange, WebhookEvent, WebhookId};
use hmac::{Hmac, Mac};
use services::{
    Clock, ServerKey, Services, Settings,
    outside::webhooks::{self, Destinations, Secret},
};
use sha2::Sha256;

use super::{deliver, events, listen, log, save, set_clock, try_it, view};
use crate::{
    endless::{ENDLESS_ANSWERS, Endless, MUCH},
    house::invalid_field,
    world::{World, worlds},
};

#[tokio::test]
async fn whatever_it_fails_of_a_manager_is_told_the_same() {
    for mut world in worlds(1, 1).await {
        set_clock(&mut world);
        // A port that was free a moment ago.
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let closed = format!("http://{}/hook", listener.local_addr().unwrap());
        drop(listener);
        let (_, broken) = listen(&[500]).await;
        let (_, elsewhere) = listen(&[302]).await;
        let inside = "http://localhost:9/hook".to_owned();
        let mut told = Vec::new();
        for url in [closed, broken, elsewhere, inside] {
            let id = save(&world, &url).await;
            try_it(&world, id).await;
            deliver(&world).await;
            let Delivery { attempts, next_at, delivered_at, status, problem, .. } =
                log(&world, id).await.remove(0);
            told.push((attempts, next_at, delivered_at, status, problem));
        }
        let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(1_000_000 + 10);
        let same = (1, Some(now), None, None, Some("not delivered".to_owned()));
        assert_eq!(told, vec![same; 4]);
    }
}

#[tokio::test]
async fn nothing_is_sent_inside_unless_whoever_runs_the_server_allows_it() {
    for mut world in worlds(1, 1).await {
        let (desk, url) = listen(&[]).await;
        let named = url.replace("127.0.0.1", "localhost");
        let key = ServerKey::from([7; 32]);
        // Made while it was allowed.
        let ids = [save(&world, &url).await, save(&world, &named).await];
        world.services = Services::new(world.store.clone(), Clock::system(), None, key.clone());
        for id in ids {
            try_it(&world, id).await;
        }
        deliver(&world).await;
        assert_eq!(events(&desk), Vec::<String>::new());
        let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
        let port = url.rsplit_once(':').unwrap().1;
        let outside = save(&world, "https://example.org/hook").await;
        for host in ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "169.254.169.254"] {
            let url = format!("http://{host}:{port}");
            let events = [WebhookEvent::GoldLocked].into();
            let new = NewWebhook { url: url.clone(), events };
            let added = webhooks::add(services, manager, project, new, Secret::Told).await;
            assert_eq!(invalid_field(added), "url");
            let wish = WebhookChange { url: Some(url), ..WebhookChange::default() };
            let there = (project, outside);
            let changed = webhooks::change(services, manager, there, None, wish, Secret::Told);
            assert_eq!(invalid_field(changed.await), "url");
        }

        let allowed = Destinations::with(vec!["localhost".parse().unwrap()]);
        let clock = Clock::system();
        world.services = Services::with(
            world.store.clone(),
            clock,
            None,
            key,
            Settings { destinations: allowed, ..Settings::default() },
        );
        try_it(&world, ids[0]).await;
        try_it(&world, ids[1]).await;
        deliver(&world).await;
        assert_eq!(events(&desk), ["test"], "the one that has the name");
    }
}

#[tokio::test]
async fn an_address_where_nobody_answers_does_not_hold_up_another_project() {
    for world in worlds(1, 1).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        // It takes connections and says nothing.
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let id = save(&world, &format!("http://{}/hook", silent.local_addr().unwrap())).await;
        for _ in 0..28 {
            try_it(&world, id).await;
        }
        let tx = world.store.begin().await.unwrap();
        let other = store::project::create(&tx, "Comedies", services.now()).await.unwrap();
        let user = manager.person().unwrap().id;
        store::project::members::add(&tx, other, user, Role::Manager, services.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        let (desk, url) = listen(&[]).await;
        let new = NewWebhook { url, events: [WebhookEvent::GoldLocked].into() };
        let id = webhooks::add(services, manager, other, new, Secret::Told).await.unwrap().id;
        for _ in 0..6 {
            webhooks::send_test(services, manager, other, id).await.unwrap();
        }

        // One silent try alone takes ten seconds.
        let serving = tokio::spawn(Arc::clone(services).serve_webhooks());
        let arrived = async {
            while events(&desk).len() < 6 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(9), arrived).await.unwrap();
        serving.abort();
    }
}

/// What is stored of a webhook's secret.
async fn stored(world: &World, id: WebhookId) -> String {
    let found = store::outside::webhooks::find(&*world.store, world.project, id).await.unwrap();
    found.unwrap().secret.unwrap()
}

#[tokio::test]
async fn secrets_are_stored_sealed_and_sign_for_their_own_address_only() {
    for mut world in worlds(1, 1).await {
        let (desk, url) = listen(&[]).await;
        let id = save(&world, &url).await;
        let secret = view(&world, id).await.secret.unwrap();
        let sealed = stored(&world, id).await;
        assert!(sealed.starts_with("v1.") && !sealed.contains(&secret));

        // Whoever writes the sealed secret beside another address gets nothing signed.
        let (stranger, other) = listen(&[]).await;
        let events = WebhookEvent::choices().collect();
        let changed = store::outside::webhooks::Changed {
            url: &other,
            events: &events,
            paused: false,
            secret: None,
        };
        let tx = world.store.begin().await.unwrap();
        assert!(store::outside::webhooks::save(&tx, id, Revision(0), changed).await.unwrap());
        tx.commit().await.unwrap();
        try_it(&world, id).await;
        deliver(&world).await;
        assert_eq!(log(&world, id).await[0].attempts, 1);
        assert!(desk.arrived.lock().unwrap().is_empty());
        assert!(stranger.arrived.lock().unwrap().is_empty());

        // With another key nothing is sent, and the manager is told what to do.
        let id = save(&world, &url).await;
        let here = Destinations::with(vec!["127.0.0.1".parse().unwrap()]);
        let (clock, key) = (Clock::system(), ServerKey::from([8; 32]));
        world.services = Services::with(
            world.store.clone(),
            clock,
            None,
            key,
            Settings { destinations: here, ..Settings::default() },
        );
        assert_eq!(view(&world, id).await.secret, None);
        try_it(&world, id).await;
        deliver(&world).await;
        let told = log(&world, id).await.remove(0).problem.unwrap();
        assert!(told.starts_with("its secret is lost"), "{told}");
        assert!(desk.arrived.lock().unwrap().is_empty());
    }
}

#[tokio::test]
async fn secrets_that_an_earlier_version_stored_in_clear_are_sealed_and_stay_the_same() {
    for world in worlds(1, 1).await {
        let (desk, url) = listen(&[]).await;
        let tx = world.store.begin().await.unwrap();
        let mut ids = Vec::new();
        for number in 0..3 {
            let secret = format!("clear-{number}");
            let new = store::outside::webhooks::NewWebhook {
                url: &url,
                secret: &secret,
                secret_hidden: false,
                events: &[WebhookEvent::GoldLocked].into(),
                by: world.manager.actor.person().unwrap().id,
                at: world.services.now(),
            };
            ids.push(store::outside::webhooks::insert(&tx, world.project, new).await.unwrap());
        }
        tx.commit().await.unwrap();
        let fresh = save(&world, &url).await;
        let secret = view(&world, fresh).await.secret;
        for _ in 0..2 {
            webhooks::seal_old(&world.services).await.unwrap();
            for (number, id) in ids.iter().enumerate() {
                assert!(stored(&world, *id).await.starts_with("v1."));
                let secret = view(&world, *id).await.secret.unwrap();
                assert_eq!(secret, format!("clear-{number}"));
            }
            assert_eq!(view(&world, fresh).await.secret, secret);
        }
        try_it(&world, ids[0]).await;
        deliver(&world).await;
        let (headers, body) = desk.arrived.lock().unwrap()[0].clone();
        let time = headers["concord-timestamp"].to_str().unwrap().to_owned();
        let mut mac = Hmac::<Sha256>::new_from_slice(b"clear-0").unwrap();
        mac.update(format!("{time}.{body}").as_bytes());
        let expected = format!("v1={:x}", mac.finalize().into_bytes());
        assert_eq!(headers["concord-signature"].to_str().unwrap(), expected);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_more_is_read_of_an_answer_than_its_head_and_a_head_has_an_end() {
    for mut world in worlds(1, 1).await {
        set_clock(&mut world);
        for (beginning, repeated) in ENDLESS_ANSWERS {
            let peer = Endless::start(beginning, repeated).await;
            let id = save(&world, &format!("http://{}/hook", peer.address)).await;
            try_it(&world, id).await;
            let began = Instant::now();
            deliver(&world).await;
            assert!(began.elapsed() < Duration::from_secs(9), "{beginning}");
            let logged = log(&world, id).await.remove(0);
            let is_whole = beginning.ends_with("\r\n\r\n{\"issuer\": \"");
            assert_eq!(logged.delivered_at.is_some(), is_whole, "{beginning}");
            assert!(peer.sent() > 0 && peer.sent() < MUCH, "{beginning}: {} bytes", peer.sent());
        }
    }
}
