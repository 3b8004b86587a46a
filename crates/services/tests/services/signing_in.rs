//! What limits signing in: for whom, from where, and what nobody can tell by it.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use chrono::TimeDelta;
use domain::{Error as Refusal, NewAccount};
use services::{Client, Error, NewSession, Result, account};

use crate::house::{House, PASSWORD, houses, invalid_field, new_account, refused};

/// A browser at an address of its own.
fn browser(n: u8) -> Client {
    Client { address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, n)), ..Client::LOCAL }
}

/// The same browser with what signing in has left there.
fn after(client: &Client, session: &NewSession) -> Client {
    let (device, session) = (session.device.clone(), session.token.clone());
    Client { device: Some(device), session: Some(session), ..client.clone() }
}

async fn ann(house: &House) -> String {
    let account = new_account("ann");
    let email = account.email.clone();
    account::add_user(&house.services, account, false).await.unwrap();
    email
}

async fn sign_in(house: &House, from: &Client, email: &str, password: &str) -> Result<NewSession> {
    crate::house::sign_in(&house.services, from, email, password.to_owned()).await
}

async fn is_signed_in(house: &House, session: &NewSession) -> bool {
    account::actor_of(&house.services, &session.token).await.unwrap().person().is_ok()
}

#[tokio::test]
async fn who_has_signed_in_before_is_not_kept_out_by_others() {
    for house in houses().await {
        let email = ann(&house).await;
        let own = browser(1);
        let own = after(&own, &sign_in(&house, &own, &email, PASSWORD).await.unwrap());
        for n in 0..15 {
            drop(sign_in(&house, &browser(100 + n), &email, "wrong password").await);
            house.pass(TimeDelta::minutes(15));
        }
        drop(sign_in(&house, &browser(200), &email, "wrong password").await);
        let elsewhere = refused(sign_in(&house, &browser(2), &email, PASSWORD).await);
        assert!(matches!(elsewhere, Refusal::TooManyAttempts { seconds: 800.. }), "{elsewhere:?}");
        sign_in(&house, &own, &email, PASSWORD).await.unwrap();
        let still = refused(sign_in(&house, &browser(2), &email, PASSWORD).await);
        assert!(matches!(still, Refusal::TooManyAttempts { .. }), "the lock stays for others");
    }
}

#[tokio::test]
async fn a_browser_that_is_known_has_limits_of_its_own() {
    for house in houses().await {
        let email = ann(&house).await;
        let own =
            after(&browser(1), &sign_in(&house, &browser(1), &email, PASSWORD).await.unwrap());
        for _ in 0..5 {
            let wrong = refused(sign_in(&house, &own, &email, "wrong password").await);
            assert_eq!(wrong, Refusal::WrongCredentials);
        }
        let locked = refused(sign_in(&house, &own, &email, PASSWORD).await);
        assert_eq!(locked, Refusal::TooManyAttempts { seconds: 1 });
        sign_in(&house, &browser(2), &email, PASSWORD).await.unwrap();
    }
}

#[tokio::test]
async fn one_place_is_slowed_at_many_addresses_and_a_right_password_does_not_count() {
    for house in houses().await {
        let email = ann(&house).await;
        for _ in 0..40 {
            sign_in(&house, &browser(1), &email, PASSWORD).await.unwrap();
        }
        let mut tested = 0;
        for n in 0..40 {
            let address = format!("person{n}@example.org");
            match refused(sign_in(&house, &browser(2), &address, "wrong password").await) {
                Refusal::WrongCredentials => tested += 1,
                Refusal::TooManyAttempts { seconds } => assert_eq!(seconds, 20),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(tested, 30);
        let there = refused(sign_in(&house, &browser(2), &email, PASSWORD).await);
        assert_eq!(there, Refusal::TooManyAttempts { seconds: 20 });
        sign_in(&house, &browser(3), &email, PASSWORD).await.unwrap();
        house.pass(TimeDelta::seconds(20));
        sign_in(&house, &browser(2), &email, PASSWORD).await.unwrap();
    }
}

#[tokio::test]
async fn an_import_that_writes_makes_no_difference_between_known_and_unknown() {
    for house in houses().await {
        let known = ann(&house).await;
        // Whoever holds this keeps everybody else on SQLite from writing.
        let writing = house.store.begin().await.unwrap();
        for email in [known.as_str(), "nobody@example.org"] {
            let from = browser(1);
            let tried = sign_in(&house, &from, email, "wrong password");
            let answer = tokio::time::timeout(Duration::from_secs(8), tried).await;
            let answer = answer.expect("a wrong password waits for whoever writes");
            assert_eq!(refused(answer), Refusal::WrongCredentials, "{email}");
        }
        drop(writing);
    }
}

#[tokio::test]
async fn failures_of_known_and_unknown_addresses_are_stored_alike() {
    for house in houses().await {
        let known = ann(&house).await;
        for email in [known.as_str(), "nobody@example.org"] {
            for _ in 0..5 {
                refused(sign_in(&house, &browser(1), email, "wrong password").await);
            }
        }
        house.services.store_failures().await.unwrap();
        let key = services::ServerKey::from([7; 32]);
        let restarted = services::Services::new(house.store.clone(), house.clock(), None, key);
        for email in [known.as_str(), "nobody@example.org"] {
            let tried =
                crate::house::sign_in(&restarted, &browser(2), email, PASSWORD.to_owned()).await;
            assert_eq!(refused(tried), Refusal::TooManyAttempts { seconds: 1 }, "{email}");
        }
    }
}

#[tokio::test]
async fn signing_in_again_ends_the_session_that_the_browser_had() {
    for house in houses().await {
        let email = ann(&house).await;
        let first = sign_in(&house, &browser(1), &email, PASSWORD).await.unwrap();
        let elsewhere = sign_in(&house, &browser(2), &email, PASSWORD).await.unwrap();
        let again = after(&browser(1), &first);
        let second = sign_in(&house, &again, &email, PASSWORD).await.unwrap();
        assert_eq!(second.device, first.device, "it is the same browser");
        assert!(!is_signed_in(&house, &first).await);
        assert!(is_signed_in(&house, &second).await && is_signed_in(&house, &elsewhere).await);
    }
}

#[tokio::test]
async fn easily_guessed_passwords_are_refused_wherever_one_is_chosen() {
    for house in houses().await {
        let services = &house.services;
        let email = ann(&house).await;
        let link = account::create_reset_link_of(services, &email).await.unwrap();
        let session = sign_in(&house, &browser(1), &email, PASSWORD).await.unwrap();
        let actor = account::actor_of(services, &session.token).await.unwrap();
        for weak in ["password12", "qwertyuiop", "Concord2026!", "correct horse battery staple"] {
            let weak = weak.to_owned();
            let account = NewAccount { password: weak.clone(), ..new_account("ben") };
            let added = account::add_user(services, account, false).await;
            assert_eq!(invalid_field(added), "password");
            let reset = account::reset_password(services, &email, weak.clone()).await;
            assert_eq!(invalid_field(reset), "password");
            let chosen = account::choose_password(services, &browser(1), &link, weak.clone()).await;
            assert_eq!(invalid_field(chosen), "password");
            let present = PASSWORD.to_owned();
            let changed =
                account::change_password(services, &actor, &browser(1), present, weak).await;
            assert_eq!(invalid_field(changed), "password");
        }
    }
}

#[tokio::test]
async fn many_sign_ins_from_one_place_do_not_keep_others_waiting() {
    for house in houses().await {
        let email = ann(&house).await;
        let flood = browser(9);
        let flood = (0..200).map(|n| {
            let (house, flood) = (&house, flood.clone());
            async move { sign_in(house, &flood, &format!("{n}@example.org"), "wrong").await }
        });
        let honest = async {
            tokio::task::yield_now().await;
            sign_in(&house, &browser(1), &email, PASSWORD).await
        };
        let (flooded, honest) = tokio::join!(futures::future::join_all(flood), honest);
        honest.unwrap();
        let turned_away = flooded.iter().filter(|answer| {
            matches!(answer, Err(Error::Refused(Refusal::TooManyAttempts { .. })))
        });
        assert!(turned_away.count() >= 170);
    }
}
