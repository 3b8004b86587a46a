//! Mail: sent once, tried again, refused, wanted or not, against a mail server of the test's own.

mod inviting;
mod post_office;
mod resets;
mod sending;
mod weeks;

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    Actor, AlertSubject, MailKind, MailOutcome, MailRow, Measure, NewAccount, NewAlertRule, Role,
    WorkloadAsk, WorkloadKind,
};
use services::{
    Client, Clock, ServerKey, Services, Settings, account,
    agreement::alerts,
    outside::{
        mail::{self, MailSettings},
        standing::{self, Waiting},
    },
    project::members,
    workload,
};

use self::post_office::{Office, open};
use crate::world::{World, worlds};

/// A Monday, two hours before summaries fall due.
const MONDAY: &str = "2026-11-23T06:00:00Z";

const SITE: &str = "https://concord.example";

/// A clock that is set by hand, in seconds from [`MONDAY`].
type Second = Arc<AtomicI64>;

/// The settings of a server that hands its mail over at this address.
fn settings(office: &str) -> Settings {
    let mail = MailSettings {
        server: format!("smtp://{office}").parse().unwrap(),
        from: "Concord <concord@example.org>".parse().unwrap(),
        site: SITE.to_owned(),
        patience: MailSettings::PATIENCE,
    };
    Settings { mail: Some(mail), ..Settings::default() }
}

/// A server of the world's database.
fn serving(world: &World, second: &Second, settings: Settings) -> Arc<Services> {
    let shown = Arc::clone(second);
    let monday: DateTime<Utc> = MONDAY.parse().unwrap();
    let clock = Clock::from_fn(move || monday + TimeDelta::seconds(shown.load(Ordering::Relaxed)));
    Services::with(world.store.clone(), clock, None, ServerKey::from([7; 32]), settings)
}

/// Gives the world a mail server at this address, and a clock.
fn mailing(world: &mut World, office: &str) -> Second {
    let second = Second::default();
    world.services = serving(world, &second, settings(office));
    second
}

async fn world_with(
    labelers: usize,
    answers: &[&'static str],
) -> Vec<(World, Arc<Office>, Second)> {
    let mut all = Vec::new();
    for mut world in worlds(labelers, 3).await {
        let (office, address) = open("127.0.0.1:0", answers).await;
        let second = mailing(&mut world, &address);
        all.push((world, office, second));
    }
    all
}

async fn invite(world: &World, address: &str) {
    let (manager, role) = (&world.manager.actor, Role::Labeler);
    let address = Some(address.to_owned());
    members::invite(&world.services, manager, world.project, role, address).await.unwrap();
}

async fn deliver(world: &World) {
    mail::deliver_due(&world.services).await.unwrap();
}

async fn wait(world: &World, second: &Second, seconds: i64) {
    second.fetch_add(seconds, Ordering::Relaxed);
    deliver(world).await;
}

async fn log(world: &World) -> Vec<MailRow> {
    store::outside::mail::list(&*world.store, None, 100).await.unwrap()
}

async fn outcomes(world: &World) -> Vec<Option<MailOutcome>> {
    log(world).await.into_iter().map(|row| row.outcome).collect()
}

/// Takes everything back that the labelers have not begun, and gives it to the first of them again.
async fn give(world: &World, kind: WorkloadKind) {
    let (services, manager) = (&world.services, &world.manager.actor);
    let first = Some(world.labelers[0].member);
    let ask = match kind {
        WorkloadKind::TakeBack => WorkloadAsk { kind, from: first, ..WorkloadAsk::default() },
        kind => WorkloadAsk { kind, to: first, ..WorkloadAsk::default() },
    };
    let query = domain::BoardQuery { ask: Some(ask), ..domain::BoardQuery::default() };
    let board = workload::load(services, manager, world.project, query).await.unwrap();
    let seen = board.plan.unwrap().unwrap().seen;
    workload::give(services, manager, world.project, ask, &seen).await.unwrap();
}

fn email(actor: &Actor) -> String {
    actor.person().unwrap().email.clone()
}

#[tokio::test]
async fn an_invitation_arrives_once_and_lets_in_whom_it_was_sent_to() {
    for (world, office, _) in world_with(1, &[]).await {
        invite(&world, "nina@example.org").await;
        deliver(&world).await;
        deliver(&world).await;
        let mails = office.mails();
        assert_eq!(mails.len(), 1);
        assert_eq!(mails[0].to, "nina@example.org");
        assert_eq!(mails[0].header("Subject"), "Invitation to Tragedies");
        assert_eq!(mails[0].header("Auto-Submitted"), "auto-generated");
        assert!(mails[0].header("Content-Type").starts_with("multipart/alternative"));
        let token = mails[0].link(&format!("{SITE}/invitations/"));
        let account = NewAccount {
            email: "nina@example.org".to_owned(),
            name: "Nina New".to_owned(),
            password: "correct horse battery".to_owned(),
        };
        account::accept(&world.services, &Client::LOCAL, &token, account).await.unwrap();
        let rows = log(&world).await;
        assert_eq!(rows[0].kind, MailKind::Invitation);
        assert_eq!(rows[0].address.as_deref(), Some("nina@example.org"));
        assert_eq!(rows[0].name.as_deref(), Some("Nina New"), "it goes with her account");
        assert_eq!((rows[0].outcome, rows[0].attempts), (Some(MailOutcome::Sent), 1));
    }
}

#[tokio::test]
async fn what_is_put_off_is_tried_again_and_arrives_once() {
    let greylisting = ["451 4.7.1 come back", "451 4.7.1 come back"];
    for (world, office, second) in world_with(1, &greylisting).await {
        invite(&world, "nina@example.org").await;
        deliver(&world).await;
        let row = log(&world).await.remove(0);
        assert_eq!((row.outcome, row.attempts), (None, 1));
        assert!(row.problem.unwrap().contains("451"));
        wait(&world, &second, 59).await;
        assert_eq!(log(&world).await[0].attempts, 1, "not before a minute");
        wait(&world, &second, 1).await;
        assert_eq!(log(&world).await[0].attempts, 2);
        let backlog = async || standing::backlog(&world.services).await.unwrap().mail;
        assert_eq!(backlog().await, Waiting::default());
        second.fetch_add(305, Ordering::Relaxed);
        assert_eq!(backlog().await, Waiting { count: 1, seconds: 5 });
        deliver(&world).await;
        assert_eq!(office.mails().len(), 1);
        let row = log(&world).await.remove(0);
        assert_eq!((row.outcome, row.attempts), (Some(MailOutcome::Sent), 3));
        assert_eq!(row.problem, None);
    }
}

#[tokio::test]
async fn a_mail_server_that_is_away_is_waited_for_and_given_up_in_the_end() {
    for mut world in worlds(1, 1).await {
        // Nobody listens there any more.
        let address = {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().to_string()
        };
        let second = mailing(&mut world, &address);
        invite(&world, "nina@example.org").await;
        deliver(&world).await;
        assert_eq!(outcomes(&world).await, [None]);
        let (office, _) = open(&address, &[]).await;
        wait(&world, &second, 60).await;
        assert_eq!(outcomes(&world).await, [Some(MailOutcome::Sent)]);
        assert_eq!(office.mails().len(), 1);

        *office.answers.lock().unwrap() = vec!["452 4.3.1 full"; 50];
        invite(&world, "noor@example.org").await;
        for _ in 0..20 {
            wait(&world, &second, 24 * 60 * 60).await;
        }
        let row = log(&world).await.remove(0);
        // The invitation has expired before it could be sent eight times, or it was given up.
        assert!(matches!(row.outcome, Some(MailOutcome::GivenUp)) && row.attempts == 8, "{row:?}");
    }
}

#[tokio::test]
async fn what_is_refused_for_good_is_given_up_at_once() {
    for (world, office, second) in world_with(1, &["550 5.1.1 no such user"]).await {
        invite(&world, "nobody@example.org").await;
        deliver(&world).await;
        wait(&world, &second, 100_000).await;
        assert!(office.mails().is_empty());
        let row = log(&world).await.remove(0);
        assert_eq!((row.outcome, row.attempts), (Some(MailOutcome::Refused), 1));
        assert!(row.problem.unwrap().contains("no such user"));
    }
}

#[tokio::test]
async fn a_labeler_is_written_to_once_of_what_was_given_and_of_nobody_else() {
    for (world, office, second) in world_with(2, &[]).await {
        for _ in 0..2 {
            give(&world, WorkloadKind::TakeBack).await;
            give(&world, WorkloadKind::Person).await;
        }
        deliver(&world).await;
        assert!(office.mails().is_empty(), "it is gathered");
        wait(&world, &second, 16 * 60).await;
        let mails = office.mails();
        assert_eq!(mails.len(), 1);
        assert_eq!(mails[0].to, email(&world.labelers[0].actor));
        assert!(mails[0].body().contains("You have 3 documents to label in “Tragedies”."));
        for other in [&world.labelers[1].actor, &world.reviewer.actor, &world.manager.actor] {
            assert!(!mails[0].raw.contains(&other.person().unwrap().name));
        }
        // What is taken back before it is sent is not spoken of.
        give(&world, WorkloadKind::TakeBack).await;
        give(&world, WorkloadKind::Person).await;
        give(&world, WorkloadKind::TakeBack).await;
        wait(&world, &second, 16 * 60).await;
        assert_eq!(office.mails().len(), 1);
        assert_eq!(outcomes(&world).await[0], Some(MailOutcome::Outdated));
    }
}

#[tokio::test]
async fn who_unsubscribes_by_the_link_gets_no_more_of_that_kind() {
    for (world, office, second) in world_with(1, &[]).await {
        give(&world, WorkloadKind::TakeBack).await;
        give(&world, WorkloadKind::Person).await;
        wait(&world, &second, 16 * 60).await;
        let sent = office.mails().remove(0);
        let header = sent.header("List-Unsubscribe");
        let token = sent.link(&format!("{SITE}/unsubscribe/"));
        assert_eq!(header, format!("<{SITE}/unsubscribe/{token}>"));
        assert_eq!(sent.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
        // What waits is not sent any more either.
        give(&world, WorkloadKind::TakeBack).await;
        give(&world, WorkloadKind::Person).await;
        let services = &world.services;
        assert!(mail::load_subscription(services, &token).await.unwrap().is_wanted);
        mail::unsubscribe(services, &token).await.unwrap();
        mail::unsubscribe(services, &token).await.unwrap();
        assert!(!mail::load_subscription(services, &token).await.unwrap().is_wanted);
        wait(&world, &second, 16 * 60).await;
        assert_eq!(office.mails().len(), 1);
        assert_eq!(outcomes(&world).await[0], Some(MailOutcome::Unsubscribed));
        give(&world, WorkloadKind::TakeBack).await;
        give(&world, WorkloadKind::Person).await;
        assert_eq!(log(&world).await.len(), 2, "nothing is queued");

        let labeler = &world.labelers[0].actor;
        let choices = mail::load_choices(services, labeler).await.unwrap();
        assert!(choices.kinds.contains(&(MailKind::NewWork, false)));
        assert!(choices.kinds.contains(&(MailKind::Alert, true)));
        mail::choose(services, labeler, &[MailKind::NewWork].into()).await.unwrap();
        wait(&world, &second, 16 * 60).await;
        give(&world, WorkloadKind::TakeBack).await;
        give(&world, WorkloadKind::Person).await;
        wait(&world, &second, 16 * 60).await;
        assert_eq!(office.mails().len(), 2);
    }
}

#[tokio::test]
async fn managers_are_written_to_of_alerts() {
    for (world, office, second) in world_with(2, &[]).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        let rule = NewAlertRule {
            subject: AlertSubject::LabelerPair,
            measure: Measure::Kappa,
            limit: 0.6,
            ..NewAlertRule::default()
        };
        alerts::add_rule(services, manager, world.project, rule).await.unwrap();
        world.mark_by_both(0, 1).await;
        alerts::evaluate_due(services).await.unwrap();
        wait(&world, &second, 16 * 60).await;
        let sent = office.mails();
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].to, email(manager));
        assert!(sent[0].body().contains("Cohen’s κ of labeler-2 × labeler-3: lower bound "));
    }
}

#[tokio::test]
async fn without_mail_nothing_is_queued() {
    for world in worlds(1, 2).await {
        invite(&world, "nina@example.org").await;
        give(&world, WorkloadKind::TakeBack).await;
        give(&world, WorkloadKind::Person).await;
        let labeler = email(&world.labelers[0].actor);
        let sent = account::send_reset_link(&world.services, &Client::LOCAL, &labeler);
        sent.unwrap().await.unwrap();
        mail::deliver_due(&world.services).await.unwrap();
        assert!(log(&world).await.is_empty());
        assert!(!account::sends_mail(&world.services));
    }
}
