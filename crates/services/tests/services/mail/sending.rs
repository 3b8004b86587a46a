//! Mail servers that are silent, slow or refuse us, and servers that send beside each other.

use std::{
    collections::BTreeSet,
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use domain::{MailOutcome, WorkloadKind};
use services::{
    Settings,
    document::import::{self, ImportOptions},
    outside::mail,
};

use super::{
    deliver, email, give, invite, log, outcomes, post_office::open, serving, settings, wait,
    world_with,
};
use crate::{
    endless::{Endless, MUCH},
    house::uploaded,
    world::worlds,
};

#[tokio::test]
async fn a_silent_mail_server_is_not_waited_for_for_ever() {
    for mut world in worlds(1, 1).await {
        let (office, address) = open("127.0.0.1:0", &[]).await;
        let mut settings = settings(&address);
        settings.mail.as_mut().unwrap().patience = Duration::from_millis(200);
        let second = super::Second::default();
        world.services = serving(&world, &second, settings);
        office.is_silent.store(true, Ordering::Relaxed);
        invite(&world, "nina@example.org").await;
        tokio::time::timeout(Duration::from_mins(1), deliver(&world)).await.unwrap();
        let row = log(&world).await.remove(0);
        assert_eq!((row.outcome, row.attempts), (None, 1));
        assert_eq!(row.problem.as_deref(), Some("the mail server did not answer in time"));
        office.is_silent.store(false, Ordering::Relaxed);
        wait(&world, &second, 60).await;
        assert_eq!(outcomes(&world).await, [Some(MailOutcome::Sent)]);
        assert_eq!(office.mails().len(), 1);
    }
}

#[tokio::test]
async fn two_servers_send_each_mail_once_however_slow_the_mail_server_is() {
    for world in worlds(1, 1).await {
        let (office, address) = open("127.0.0.1:0", &[]).await;
        let second = super::Second::default();
        let server = || serving(&world, &second, settings(&address));
        let (first, other) = (server(), server());
        let addresses: BTreeSet<_> = (0..8).map(|n| format!("n{n}@example.org")).collect();
        let manager = &world.manager.actor;
        for address in addresses.clone() {
            let (project, role) = (world.project, domain::Role::Labeler);
            let invited =
                services::project::members::invite(&first, manager, project, role, Some(address));
            invited.await.unwrap();
        }
        office.is_silent.store(true, Ordering::Relaxed);
        let asked = async |count| {
            while office.asked.load(Ordering::Relaxed) < count {
                tokio::task::yield_now().await;
            }
        };
        let sending = tokio::spawn(async move { mail::deliver_due(&first).await.unwrap() });
        asked(4).await;
        second.fetch_add(5 * 60, Ordering::Relaxed);
        let beside = tokio::spawn(async move { mail::deliver_due(&other).await.unwrap() });
        asked(8).await;
        office.is_silent.store(false, Ordering::Relaxed);
        sending.await.unwrap();
        beside.await.unwrap();
        let mut arrived: Vec<_> = office.mails().into_iter().map(|mail| mail.to).collect();
        arrived.sort();
        assert_eq!(arrived, addresses.into_iter().collect::<Vec<_>>());
        assert_eq!(outcomes(&world).await, [Some(MailOutcome::Sent); 8]);
    }
}

#[tokio::test]
async fn an_answer_that_is_about_us_is_not_taken_for_one_about_the_recipient() {
    let answers = ["550 5.7.1 relaying denied", "554 blocked"];
    for (world, office, second) in world_with(1, &answers).await {
        invite(&world, "nina@example.org").await;
        deliver(&world).await;
        assert_eq!(outcomes(&world).await, [None]);
        wait(&world, &second, 60).await;
        assert_eq!(outcomes(&world).await, [None]);
        wait(&world, &second, 5 * 60).await;
        assert_eq!(outcomes(&world).await, [Some(MailOutcome::Sent)]);
        assert_eq!(office.mails().len(), 1);
    }
}

#[tokio::test]
async fn the_log_keeps_the_address_that_a_mail_went_to() {
    for (world, office, second) in world_with(1, &[]).await {
        give(&world, WorkloadKind::TakeBack).await;
        give(&world, WorkloadKind::Person).await;
        let labeler = world.labelers[0].actor.person().unwrap();
        wait(&world, &second, 16 * 60).await;
        let tx = world.store.begin().await.unwrap();
        store::account::users::set_email(&tx, labeler.id, "elsewhere@example.org").await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(office.mails()[0].to, labeler.email);
        assert_eq!(log(&world).await[0].address.as_deref(), Some(&*labeler.email));
    }
}

#[tokio::test]
async fn an_import_is_written_of_to_those_whom_it_gives_documents() {
    for (world, office, second) in world_with(2, &[]).await {
        let files = uploaded(&[("new.txt", "A new document.")]);
        let options =
            ImportOptions { assign: domain::AssignTo::Some(1), ..ImportOptions::default() };
        let (services, manager) = (&world.services, &world.manager.actor);
        let summary =
            import::import(services, manager, world.project, files, options).await.unwrap();
        assert_eq!(summary.assignments, 1);
        wait(&world, &second, 16 * 60).await;
        let mails = office.mails();
        assert_eq!(mails.len(), 1, "both have older documents to label");
        let own = [&world.labelers[0], &world.labelers[1]].map(|labeler| email(&labeler.actor));
        assert!(own.contains(&mails[0].to));
        assert!(mails[0].body().contains("You have 4 documents to label"));
    }
}

#[tokio::test]
async fn a_test_mail_arrives_or_says_why_not() {
    let (office, address) = open("127.0.0.1:0", &["550 5.1.1 no such user"]).await;
    let Settings { mail: Some(settings), .. } = settings(&address) else { panic!() };
    let refused = mail::send_test(&settings, "nobody@example.org").await.unwrap_err();
    assert!(refused.contains("no such user"), "{refused}");
    mail::send_test(&settings, "ada@example.org").await.unwrap();
    assert_eq!(office.mails()[0].to, "ada@example.org");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mail_server_that_says_more_than_a_limit_is_left() {
    for (scheme, beginning, repeated) in [
        ("smtp", "220 ", "hello "),
        ("smtp", "220-", "hello hello hello hello hello hello hello hello\r\n220-"),
        ("smtp", "220 hello\r\n250-", "x"),
        ("smtp", "220 hello\r\n250-here\r\n250 8BITMIME\r\n250 ok\r\n", "y"),
        ("smtps", "", "220 hello\r\n"),
    ] {
        let peer = Endless::start(beginning, repeated).await;
        let Settings { mail: Some(mut settings), .. } = settings("127.0.0.1:25") else { panic!() };
        settings.server = format!("{scheme}://{}", peer.address).parse().unwrap();
        let began = Instant::now();
        let why = mail::send_test(&settings, "ada@example.org").await.unwrap_err();
        assert!(began.elapsed() < Duration::from_secs(10), "{beginning}: {:?}", began.elapsed());
        assert!(!why.contains("in time"), "{beginning}: {why}");
        assert!(peer.sent() < MUCH, "{beginning}: {} bytes", peer.sent());
    }
}
