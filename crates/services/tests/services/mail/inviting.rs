//! To whom invitations are sent, and how many.

use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use domain::{Code, Error as Refusal, MailKind, Role};
use services::{Clock, Error, ServerKey, Services, project::members};
use store::outside::mail::{NewMail, Recipient, enqueue};

use super::{invite, log, settings, world_with};
use crate::world::{World, worlds};

/// Why somebody is not invited.
async fn refusal(world: &World, address: &str) -> Refusal {
    let (manager, role) = (&world.manager.actor, Role::Labeler);
    let address = Some(address.to_owned());
    let invited = members::invite(&world.services, manager, world.project, role, address).await;
    match invited.unwrap_err() {
        Error::Refused(refusal) => refusal,
        error => panic!("{error}"),
    }
}

#[tokio::test]
async fn the_demo_writes_to_nobody() {
    for mut world in worlds(1, 1).await {
        let (store, key) = (world.store.clone(), ServerKey::from([7; 32]));
        let demo = Some(Vec::new());
        world.services = Services::with(store, Clock::system(), demo, key, settings("127.0.0.1:9"));
        invite(&world, "nina@example.org").await;
        assert!(log(&world).await.is_empty());
        assert!(!members::sends_invitations(&world.services));
    }
}

#[tokio::test]
async fn an_address_is_not_written_to_more_often_than_a_few_times_a_day() {
    for (world, _, second) in world_with(1, &[]).await {
        for _ in 0..5 {
            invite(&world, "nina@example.org").await;
        }
        assert_eq!(refusal(&world, "nina@example.org").await.code(), Code::LimitReached);
        invite(&world, "noor@example.org").await;
        second.fetch_add(24 * 60 * 60 + 1, Ordering::Relaxed);
        invite(&world, "nina@example.org").await;
    }
}

#[tokio::test]
async fn a_manager_does_not_write_to_more_than_some_addresses_a_day() {
    for (world, _, second) in world_with(1, &[]).await {
        let now = world.services.now();
        let new = |n| NewMail {
            kind: MailKind::Invitation,
            to: Recipient::Address(format!("n{n}@example.org")),
            project: Some(world.project),
            key: format!("of the test {n}"),
            link: None,
            due_at: now + TimeDelta::days(9),
        };
        let tx = world.store.begin().await.unwrap();
        enqueue(&tx, (0..199).map(new).collect(), now).await.unwrap();
        tx.commit().await.unwrap();
        invite(&world, "nina@example.org").await;
        assert_eq!(refusal(&world, "noor@example.org").await.code(), Code::LimitReached);
        let (services, manager) = (&world.services, &world.manager.actor);
        let open = members::invite(services, manager, world.project, Role::Labeler, None).await;
        open.unwrap();
        second.fetch_add(24 * 60 * 60 + 1, Ordering::Relaxed);
        invite(&world, "noor@example.org").await;
    }
}
