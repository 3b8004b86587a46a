//! Links to a new password that are sent to whoever has forgotten theirs.

use std::sync::{Arc, atomic::Ordering};

use domain::{Code, Error as Refusal, MailOutcome};
use services::{
    Client, Error, Result, Services,
    account::{self, passwords::NOBODYS},
};

use super::{
    SITE, deliver, email, log, outcomes, post_office::Office, serving, settings, world_with,
};
use crate::world::World;

/// Asks for a link from an address of the network, and waits until it was looked for.
async fn ask_from(services: &Arc<Services>, place: u8, email: &str) -> Result<()> {
    let client = Client { address: [192, 0, 2, place].into(), ..Client::LOCAL };
    account::send_reset_link(services, &client, email)?.await.unwrap();
    Ok(())
}

async fn ask(world: &World, email: &str) {
    ask_from(&world.services, 1, email).await.unwrap();
}

async fn opens(world: &World, token: &str) -> bool {
    account::load_reset(&world.services, token).await.is_ok()
}

/// The token of the last link that arrived.
async fn arrived(world: &World, office: &Office) -> String {
    deliver(world).await;
    office.mails().last().unwrap().link(&format!("{SITE}/reset/"))
}

#[tokio::test]
async fn a_forgotten_password_is_reset_by_a_link_that_is_sent_to_its_owner_alone() {
    for (world, office, _) in world_with(1, &[]).await {
        let labeler = email(&world.labelers[0].actor);
        for address in [&*labeler, "nobody@example.org", &*labeler] {
            ask(&world, address).await;
        }
        let token = arrived(&world, &office).await;
        let mails = office.mails();
        assert_eq!((mails.len(), &*mails[0].to), (1, &*labeler));
        assert_eq!(mails[0].header("List-Unsubscribe"), "");
        let reset = account::load_reset(&world.services, &token).await.unwrap();
        assert_eq!(reset.email, labeler);
    }
}

#[tokio::test]
async fn links_that_are_sent_leave_each_other_and_one_made_by_hand_alone() {
    for (world, office, second) in world_with(1, &[]).await {
        let labeler = email(&world.labelers[0].actor);
        let made = account::create_reset_link_of(&world.services, &labeler).await.unwrap();
        // Whatever quarter of an hour it is.
        second.store(15 * 60 - 1, Ordering::Relaxed);
        ask(&world, &labeler).await;
        let first = arrived(&world, &office).await;
        second.fetch_add(2, Ordering::Relaxed);
        ask(&world, &labeler).await;
        assert_eq!(log(&world).await.len(), 1, "one was sent two seconds ago");
        second.fetch_add(15 * 60, Ordering::Relaxed);
        ask(&world, &labeler).await;
        let other = arrived(&world, &office).await;
        for token in [&made, &first, &other] {
            assert!(opens(&world, token).await);
        }

        let (services, password) = (&world.services, "copper walnut lantern".to_owned());
        account::choose_password(services, &Client::LOCAL, &first, password).await.unwrap();
        for token in [made, first, other] {
            assert!(!opens(&world, &token).await, "all are used up by one");
        }
        ask(&world, &labeler).await;
        let next = arrived(&world, &office).await;
        assert_eq!(office.mails().len(), 3, "who has used one gets another at once");
        // A link made by hand takes the place of all; what waits is not sent any more.
        second.fetch_add(15 * 60, Ordering::Relaxed);
        ask(&world, &labeler).await;
        account::create_reset_link_of(&world.services, &labeler).await.unwrap();
        deliver(&world).await;
        assert!(!opens(&world, &next).await);
        assert_eq!(outcomes(&world).await[0], Some(MailOutcome::Outdated));
    }
}

#[tokio::test]
async fn an_account_has_a_few_links_and_a_place_asks_so_often() {
    for (world, _, second) in world_with(1, &[]).await {
        let labeler = email(&world.labelers[0].actor);
        for _ in 0..8 {
            ask(&world, &labeler).await;
            second.fetch_add(15 * 60, Ordering::Relaxed);
        }
        assert_eq!(log(&world).await.len(), 5);
        for n in 0..30 {
            ask_from(&world.services, 2, &format!("n{n}@example.org")).await.unwrap();
        }
        let refused = ask_from(&world.services, 2, &labeler).await.unwrap_err();
        assert!(matches!(refused, Error::Refused(Refusal::TooManyAttempts { .. })), "{refused}");
        ask_from(&world.services, 3, &labeler).await.unwrap();
    }
}

#[tokio::test]
async fn nobody_who_signs_in_through_a_provider_is_sent_a_link_to_a_password() {
    for (world, _, second) in world_with(1, &[]).await {
        let labeler = world.labelers[0].actor.person().unwrap();
        let provider = r#"{"name":"a","title":"Ä","issuer":"https://a.example","client-id":"c"}"#;
        let mut only = settings("127.0.0.1:9");
        only.providers = vec![provider.parse().unwrap()];
        only.only_providers = true;
        let strict = serving(&world, &second, only);
        let refused = ask_from(&strict, 1, &labeler.email).await.unwrap_err();
        let Error::Refused(refused) = refused else { panic!("{refused}") };
        assert_eq!(refused.code(), Code::NotOffered);

        let tx = world.store.begin().await.unwrap();
        store::account::users::set_password(&tx, labeler.id, NOBODYS).await.unwrap();
        tx.commit().await.unwrap();
        ask(&world, &labeler.email).await;
        assert!(log(&world).await.is_empty());
    }
}
