//! The audit trail: who sees it, what stands in it, and that nothing can be done to it unnoticed.

use std::io::Read;

use chrono::TimeDelta;
use domain::{
    Actor, AuditEvent, AuditQuery, AuditView, LabelSet, NewApiToken, NewLabel, Range, Role, Scope,
    Verdict, base::policy::Reach,
};
use serde_json::{Value, json};
use services::{
    Client, ServerKey, Services,
    account::{self, administration},
    document,
    outside::{
        audit::{self, ExportedHeads},
        verification,
    },
    project::{self, members},
};
use store::testing::{columns_with, tamper};

use crate::{
    house::{House, Project, houses, new_account},
    world::worlds,
};

const ALL: AuditQuery =
    AuditQuery { who: None, event: None, since: None, until: None, before: None };

async fn load(project: &Project<'_>, query: AuditQuery) -> AuditView {
    audit::load(project.services(), &project.manager, project.id, query).await.unwrap()
}

/// What is wrong with all trails, given what was exported of their ends.
async fn problems(house: &House, heads: &ExportedHeads) -> Vec<String> {
    let key = ServerKey::from([7; 32]);
    let reports = verification::trails(&house.store, &key, heads).await.unwrap();
    reports.into_iter().flat_map(|report| report.problems).collect()
}

async fn exported(services: &Services) -> ExportedHeads {
    let heads = audit::heads(services).await.unwrap();
    let lines: String = heads.iter().map(|head| audit::line(head).unwrap()).collect();
    ExportedHeads::read(lines.as_bytes()).unwrap()
}

#[tokio::test]
async fn a_trail_is_for_managers() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let load = async |actor: &Actor| audit::load(services, actor, project.id, ALL).await;
        project.is_for_managers(load).await;
        let export = async |actor: &Actor| audit::export(services, actor, project.id).await;
        project.is_for_managers(export).await;
    }
}

#[tokio::test]
async fn rows_are_found_by_person_event_and_day_and_page_by_page() {
    for house in houses().await {
        let project = house.project().await;
        for _ in 0..60 {
            house.pass(TimeDelta::hours(1));
            let name = "Tragedies".to_owned();
            let settings = store::project::find(&*house.store, project.id).await.unwrap();
            let settings = domain::ProjectSettings { name, ..settings.unwrap().settings };
            let services = project.services();
            project::save_settings(services, &project.manager, project.id, settings).await.unwrap();
        }
        let first = load(&project, ALL).await;
        assert_eq!((first.rows.len(), first.goes_on), (50, true));
        let before = first.rows.last().map(|row| row.place);
        let second = load(&project, AuditQuery { before, ..ALL }).await;
        assert!(!second.goes_on);
        let places: Vec<_> = first.rows.iter().chain(&second.rows).map(|row| row.place).collect();
        let last = i64::try_from(places.len()).unwrap();
        assert_eq!(places, (1..=last).rev().collect::<Vec<_>>(), "every row once");

        let event = Some(AuditEvent::Join);
        let joined = load(&project, AuditQuery { event, ..ALL }).await.rows;
        let names: Vec<_> = joined.iter().filter_map(|row| row.by.as_deref()).collect();
        assert_eq!(names, ["reviewer", "labeler"]);
        let who = joined[0].user;
        assert_eq!(load(&project, AuditQuery { who, ..ALL }).await.rows.len(), 1);
        let people: Vec<_> = first.people.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(people, ["labeler", "manager", "reviewer"]);

        let day = Some("1970-01-02".parse().unwrap());
        let on_the_day = load(&project, AuditQuery { since: day, until: day, ..ALL }).await.rows;
        assert_eq!(on_the_day.len(), 24);
    }
}

#[tokio::test]
async fn what_is_deleted_leaves_its_name_and_how_much_work_went_with_it() {
    for world in worlds(2, 2).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        world.mark_by_both(0, 1).await;
        for labeler in 0..2 {
            world.submit(labeler, 0).await;
        }
        let label = LabelSet::one(world.labels[0]);
        world.decide(0, Range::new(0, 3), Verdict::Accept, label).await;
        let (project, document) = (world.project, world.documents[0]);
        document::delete(services, manager, project, document).await.unwrap();
        project::delete_label(services, manager, project, world.labels[2]).await.unwrap();
        let rows = audit::load(services, manager, project, ALL).await.unwrap().rows;
        let told: Vec<_> = rows[..2]
            .iter()
            .map(|row| {
                let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                (row.event.as_str(), json(row.note.as_ref().unwrap()), json(&row.detail))
            })
            .collect();
        let lost = json!({
            "assignments": 2, "spans": 6, "decisions": 1, "comments": 0, "model_spans": 0,
        });
        assert_eq!(
            told[0],
            ("delete label", json!({ "name": "YEAR" }), json!({ "attributes": 0 }))
        );
        assert_eq!(told[1], ("delete document", json!({ "name": "document 0" }), lost));
    }
}

#[tokio::test]
async fn a_thousand_refusals_are_one_row_and_no_writer_waits_for_them() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let rows = load(&project, ALL).await.rows.len();
        for _ in 0..1000 {
            let refused = members::list(services, &project.labeler, project.id).await;
            assert!(refused.is_err());
        }
        assert!(members::list(services, &project.outsider, project.id).await.is_err());
        let nowhere = domain::ProjectId(999);
        assert!(members::list(services, &project.outsider, nowhere).await.is_err());
        // A stranger is nobody that could be told of.
        assert!(members::list(services, &Actor::Anonymous, project.id).await.is_err());
        assert_eq!(load(&project, ALL).await.rows.len(), rows, "nothing is written yet");

        services.note_refusals().await.unwrap();
        let noted = load(&project, ALL).await.rows;
        assert_eq!(noted.len(), rows + 2);
        let told: Vec<_> = noted[..2]
            .iter()
            .map(|row| (row.by.as_deref().unwrap(), row.event.as_str(), row.detail.as_str()))
            .collect();
        let of = |who, times| {
            let one = r#"{"times":1,"what":"manage members"}"#;
            let many = r#"{"times":1000,"what":"manage members"}"#;
            (who, "refuse", if times == 1 { one } else { many })
        };
        assert_eq!(told, [of("labeler", 1000), of("outsider", 1)]);
        let elsewhere =
            store::outside::audit::Filter { event: Some(AuditEvent::Refuse), ..<_>::default() };
        let server =
            store::outside::audit::list(&*house.store, None, &elsewhere, 10).await.unwrap();
        assert_eq!(server.len(), 1);
        assert_eq!(server[0].subject, "project 999");
        services.note_refusals().await.unwrap();
        assert_eq!(load(&project, ALL).await.rows.len(), rows + 2, "once");
        assert_eq!(problems(&house, &ExportedHeads::default()).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn verifying_finds_what_was_done_to_a_trail() {
    for house in houses().await {
        let project = house.project().await;
        let heads = exported(project.services()).await;
        assert_eq!(problems(&house, &heads).await, Vec::<String>::new());
        let live = async || {
            let report = verification::live(project.services(), &project.manager, project.id).await;
            report.unwrap().problems
        };
        assert_eq!(live().await, Vec::<String>::new());

        let rows = format!("FROM audit WHERE chain = {}", project.id);
        tamper(&house.store, &format!("DELETE {rows} AND place = (SELECT MAX(place) {rows})"))
            .await;
        let wrong = problems(&house, &heads).await;
        assert_eq!(wrong.len(), 1);
        assert!(wrong[0].starts_with("the end is cut off"), "{wrong:?}");
        assert_eq!(problems(&house, &ExportedHeads::default()).await, Vec::<String>::new());

        let row = format!("chain = {} AND place = 2", project.id);
        tamper(&house.store, &format!("UPDATE audit SET user_id = 1000 WHERE {row}")).await;
        let found = "row 2 was changed, or does not belong here";
        assert_eq!(problems(&house, &heads).await[0], found);
        assert_eq!(live().await, [format!("the audit trail: {found}")]);

        // A project's whole trail is missed, too.
        tamper(&house.store, &format!("DELETE {rows}")).await;
        assert!(problems(&house, &heads).await[0].starts_with("the end is cut off"));
    }
}

#[tokio::test]
async fn who_is_renamed_or_erased_leaves_the_trail_as_it_is() {
    for house in houses().await {
        let project = house.project().await;
        let heads = exported(project.services()).await;
        let name = "UPDATE user_account SET name = 'Somebody', email = 'gone@example.invalid'
                    WHERE name = 'labeler'";
        tamper(&house.store, name).await;
        let event = Some(AuditEvent::Join);
        let joined = load(&project, AuditQuery { event, ..ALL }).await.rows;
        assert_eq!(joined[1].by.as_deref(), Some("Somebody"));
        assert_eq!(problems(&house, &heads).await, Vec::<String>::new());
        let content =
            format!("{:?}", store::outside::audit::stretch(&*house.store, None, None, 100).await);
        assert!(!content.contains("labeler@"), "{content}");
    }
}

#[tokio::test]
async fn a_trail_is_taken_away_row_by_row_and_that_is_noted() {
    for house in houses().await {
        let project = house.project().await;
        let rows = load(&project, ALL).await.rows;
        let file = audit::export(project.services(), &project.manager, project.id).await.unwrap();
        let (mut content, mut text) = (file.content, String::new());
        content.read_to_string(&mut text).unwrap();
        assert_eq!(text.len(), usize::try_from(file.length).unwrap());
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), rows.len());
        assert_eq!((&lines[0]["place"], &lines[0]["event"]), (&1.into(), &"create project".into()));
        assert_eq!(lines[0]["name"], "manager");
        assert_eq!(lines[0]["mac"].as_str().unwrap().len(), 64);
        assert_eq!(project.actions().await.last().unwrap(), "export audit trail");
    }
}

#[tokio::test]
async fn the_first_use_of_a_token_on_a_day_is_noted() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let new = NewApiToken {
            name: "script".to_owned(),
            scopes: [Scope::Read].into(),
            projects: None,
            days: 30,
        };
        let token = account::create_token(services, &project.manager, new).await.unwrap();
        let uses = async || {
            let used = store::outside::audit::Filter {
                event: Some(AuditEvent::UseToken),
                ..<_>::default()
            };
            store::outside::audit::list(&*house.store, None, &used, 10).await.unwrap().len()
        };
        for expected in [1, 1, 2] {
            if expected == 2 {
                house.pass(TimeDelta::days(1));
            }
            account::actor_of_token(services, &token, Reach::Read).await.unwrap();
            assert_eq!(uses().await, expected);
        }
        let joined = project.with("late", Role::Labeler).await;
        assert!(joined.person().is_ok());
        assert_eq!(problems(&house, &ExportedHeads::default()).await, Vec::<String>::new());
    }
}

/// The events of the server's trail with what is said of them, of this kind.
async fn of_server(house: &House, event: AuditEvent) -> Vec<(String, Value)> {
    let filter = store::outside::audit::Filter { event: Some(event), ..<_>::default() };
    let rows = store::outside::audit::list(&*house.store, None, &filter, 10).await.unwrap();
    rows.into_iter().map(|row| (row.subject, serde_json::from_str(&row.detail).unwrap())).collect()
}

#[tokio::test]
async fn wrong_passwords_are_noted_together_and_so_is_what_is_for_administrators() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let ann = account::add_user(services, new_account("ann"), false).await.unwrap();
        for email in ["ann@example.org", "nobody@example.org"] {
            for _ in 0..3 {
                let wrong = "wrong password".to_owned();
                assert!(
                    crate::house::sign_in(services, &Client::LOCAL, email, wrong).await.is_err()
                );
            }
        }
        let query = domain::SearchQuery::default();
        let accounts = administration::list_accounts(services, &project.labeler, &query).await;
        assert!(accounts.is_err());
        services.note_refusals().await.unwrap();
        let mut told = of_server(&house, AuditEvent::RefuseSignIn).await;
        told.sort_by(|a, b| a.0.cmp(&b.0));
        let subjects: Vec<_> = told.iter().map(|(subject, _)| subject.clone()).collect();
        assert_eq!(subjects, ["unknown addresses".to_owned(), format!("user {ann}")]);
        for (_, said) in told {
            assert_eq!((&said["why"], &said["times"]), (&"wrong password".into(), &3.into()));
        }
        let refused = of_server(&house, AuditEvent::Refuse).await;
        assert_eq!(refused.len(), 1);
        assert_eq!(refused[0].1["what"], "administer");
    }
}

#[tokio::test]
async fn who_is_removed_takes_their_words_and_places_along_and_the_trail_stays_whole() {
    for house in houses().await {
        let adele = account::add_user(&house.services, new_account("adele"), false).await;
        let adele =
            store::account::users::find(&*house.store, adele.unwrap()).await.unwrap().unwrap();
        let project = house.project().await;
        let services = project.services();
        let ann = account::add_user(services, new_account("ann"), false).await.unwrap();
        let client = Client { address: [192, 0, 2, 77].into(), ..Client::LOCAL };
        let wrong = account::sign_in(services, &client, "ann@example.org", "wrong".to_owned());
        assert!(wrong.await.is_err());
        services.note_refusals().await.unwrap();
        project::create_label(services, &project.manager, project.id, label("Zyxwyck"))
            .await
            .unwrap();
        let heads = exported(services).await;
        let noted = async |words: &str| columns_with(&house.store, words).await;
        assert_eq!(noted("192.0.2.77").await, ["audit.note"]);
        assert_eq!(noted("Zyxwyck").await, ["audit.note", "label.name"]);
        let told = load(&project, AuditQuery { event: Some(AuditEvent::CreateLabel), ..ALL }).await;
        assert_eq!(told.rows[0].note.as_deref(), Some(r#"{"name":"Zyxwyck"}"#));

        let adele = Actor::Person(adele);
        administration::remove_account(services, &adele, ann, "ann@example.org").await.unwrap();
        assert_eq!(noted("192.0.2.77").await, Vec::<String>::new());
        assert_eq!(noted("Zyxwyck").await.len(), 2);
        project::delete(services, &project.manager, project.id, "Tragedies").await.unwrap();
        assert_eq!(noted("Zyxwyck").await, Vec::<String>::new());
        assert_eq!(problems(&house, &heads).await, Vec::<String>::new());
        let key = ServerKey::from([7; 32]);
        let trails = verification::trails(&house.store, &key, &heads).await.unwrap();
        let erased: Vec<_> = trails.iter().map(|trail| (trail.erased, trail.amended)).collect();
        assert_eq!(erased, [(1, 0), (1, 0)]);

        // Whoever takes a note away without the key is found.
        tamper(&house.store, "UPDATE audit SET amended = NULL WHERE note_mac IS NOT NULL").await;
        let changed = problems(&house, &heads).await;
        assert!(changed.len() == 2 && changed[0].contains("was changed or removed"), "{changed:?}");
    }
}

#[tokio::test]
async fn a_restore_without_the_key_is_noted_by_whoever_has_it() {
    for house in houses().await {
        let unsigned = services::Store::open(house.store.url()).await.unwrap();
        services::outside::backup::end_access(&unsigned, &house.clock(), true).await.unwrap();
        assert_eq!(of_server(&house, AuditEvent::RestoreBackup).await, []);
        let at = house.now();
        house.pass(TimeDelta::days(1));
        for _ in 0..2 {
            let key = ServerKey::from([7; 32]);
            let store =
                audit::open(unsigned.clone(), &key, house.now(), audit::Known::Signed).await;
            let filter = store::outside::audit::Filter {
                until: Some(at + TimeDelta::hours(1)),
                ..<_>::default()
            };
            let rows =
                store::outside::audit::list(&store.unwrap(), None, &filter, 10).await.unwrap();
            let noted: Vec<_> =
                rows.iter().map(|row| (row.event.as_str(), row.detail.as_str())).collect();
            let detail = r#"{"ended":{"links":0,"sessions":0,"tokens":null},"with_key":false}"#;
            assert_eq!(noted, [("restore backup", detail)]);
        }
        assert_eq!(problems(&house, &ExportedHeads::default()).await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn another_key_takes_over_what_is_there() {
    for house in houses().await {
        let project = house.project().await;
        project::create_label(project.services(), &project.manager, project.id, label("Ghost"))
            .await
            .unwrap();
        let heads = exported(project.services()).await;
        let (old, new) = (ServerKey::from([7; 32]), ServerKey::from([8; 32]));
        audit::replace_key(&house.store, &old, house.now()).await.unwrap();
        assert_eq!(of_server(&house, AuditEvent::ChangeSecretKey).await, [], "it is the same");
        audit::replace_key(&house.store, &new, house.now()).await.unwrap();
        let trails = verification::trails(&house.store, &new, &heads).await.unwrap();
        assert!(trails.iter().all(|trail| trail.problems.is_empty()), "{trails:?}");
        let rows: u64 = trails.iter().map(|trail| trail.amended).sum();
        let said = of_server(&house, AuditEvent::ChangeSecretKey).await;
        assert_eq!(said, [("server".to_owned(), json!({ "rows": rows }))]);
        // From now on whatever is done to them is found.
        tamper(&house.store, "UPDATE audit SET note = REPLACE(note, 'Ghost', 'Banquo')").await;
        let trails = verification::trails(&house.store, &new, &heads).await.unwrap();
        assert_eq!(trails.iter().filter(|trail| !trail.problems.is_empty()).count(), 1);
    }
}

fn label(name: &str) -> NewLabel {
    NewLabel::numbered(name, 0)
}
