//! People, sessions, invitations.

use chrono::{DateTime, Utc};
use domain::{Role, UserId};
use store::{
    Error,
    account::{
        devices,
        invitations::{self, NewInvitation},
        password_resets,
        sessions::{self, NewSession},
        sign_in_failures::{self, Failures},
        users::{
            self,
            identities::{self, NewIdentity},
        },
    },
    project,
    testing::stores,
};

use crate::sample::{at, person};

#[tokio::test]
async fn an_address_is_one_account_in_any_case() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let id = users::create(&tx, "Ann@Example.org", "Ann", "h", true, at(0)).await.unwrap();
        tx.commit().await.unwrap();

        let found = users::find_by_email(&*store, "ANN@example.ORG").await.unwrap().unwrap();
        assert_eq!((found.user.id, found.user.email.as_str()), (id, "ann@example.org"));
        assert_eq!(found.password_hash, "h");
        assert!(found.user.may_create_projects);

        let tx = store.begin().await.unwrap();
        let again = users::create(&tx, "ANN@EXAMPLE.ORG", "Other", "h", true, at(0)).await;
        assert!(matches!(again, Err(Error::Duplicate("email"))), "{again:?}");
    }
}

#[tokio::test]
async fn wrong_passwords_are_stored_in_the_place_of_the_ones_before() {
    for store in stores().await {
        let failures = |count, locked_until| Failures { count, locked_until, failed_at: at(0) };
        let tx = store.begin().await.unwrap();
        let first = ("one".to_owned(), failures(4, None));
        let other = ("other".to_owned(), failures(1, None));
        sign_in_failures::save(&tx, &[first, other]).await.unwrap();
        let more = failures(5, Some(at(60)));
        sign_in_failures::save(&tx, &[("one".to_owned(), more)]).await.unwrap();
        sign_in_failures::save(&tx, &[]).await.unwrap();
        assert_eq!(sign_in_failures::find(&tx, "one").await.unwrap(), Some(more));
        sign_in_failures::delete(&tx, "one").await.unwrap();
        assert_eq!(sign_in_failures::find(&tx, "one").await.unwrap(), None);
        assert_eq!(sign_in_failures::delete_older_than(&tx, at(0)).await.unwrap(), 0);
        assert_eq!(sign_in_failures::delete_older_than(&tx, at(1)).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn a_person_is_known_in_their_latest_browsers() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        for (n, token) in ["a", "b", "a", "c"].into_iter().enumerate() {
            devices::note(&tx, token, ann, at(i64::try_from(n).unwrap()), 2).await.unwrap();
        }
        devices::note(&tx, "b", ben, at(9), 2).await.unwrap();
        let known = async |token: &str, name: &str| {
            devices::is_known(&tx, token, &format!("{name}@example.org")).await.unwrap()
        };
        assert!(known("a", "ann").await && known("c", "ann").await);
        assert!(!known("b", "ann").await, "the least used is forgotten");
        assert!(known("b", "ben").await && !known("a", "ben").await);
        assert!(devices::exists(&tx, "b").await.unwrap());
        devices::delete_of_user(&tx, ann, Some("c")).await.unwrap();
        assert!(!known("a", "ann").await && known("c", "ann").await);
        assert_eq!(devices::delete_older_than(&tx, at(9)).await.unwrap(), 1);
        assert!(known("b", "ben").await);
    }
}

#[tokio::test]
async fn a_link_to_a_new_password_replaces_the_one_before_and_works_once() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        password_resets::create(&tx, "old", ann, None, at(0), at(100)).await.unwrap();
        password_resets::create(&tx, "new", ann, Some(ben), at(1), at(101)).await.unwrap();
        assert_eq!(password_resets::find(&tx, "old", at(2)).await.unwrap(), None);
        let found = password_resets::find(&tx, "new", at(100)).await.unwrap().unwrap();
        assert_eq!((found.user, found.expires_at), (ann, at(101)));
        assert_eq!(password_resets::find(&tx, "new", at(101)).await.unwrap(), None);
        assert!(password_resets::use_up(&tx, "new").await.unwrap());
        assert!(!password_resets::use_up(&tx, "new").await.unwrap());
    }
}

#[tokio::test]
async fn links_that_are_sent_stand_beside_each_other_and_the_one_that_was_made() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        password_resets::create(&tx, "made", ann, Some(ben), at(0), at(100)).await.unwrap();
        for (token, second) in [("one", 1), ("two", 2)] {
            password_resets::add_sent(&tx, token, ann, at(second), at(second + 100)).await.unwrap();
        }
        for token in ["made", "one", "two"] {
            let found = password_resets::find(&tx, token, at(99)).await.unwrap();
            assert_eq!(found.unwrap().user, ann, "{token}");
        }
        let sent =
            async |user, second| password_resets::list_sent(&tx, user, at(second)).await.unwrap();
        assert_eq!(sent(ann, 3).await, [at(2), at(1)]);
        assert_eq!(sent(ann, 101).await, [at(2)]);
        assert!(sent(ben, 3).await.is_empty());
        assert!(password_resets::use_up(&tx, "one").await.unwrap());
        assert!(!password_resets::use_up(&tx, "one").await.unwrap());
        assert_eq!(password_resets::delete_expired(&tx, at(100)).await.unwrap(), 1);
        password_resets::delete_of_user(&tx, ann).await.unwrap();
        assert!(sent(ann, 3).await.is_empty());
    }
}

#[tokio::test]
async fn people_are_counted_listed_and_allowed_to_create_projects() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        assert_eq!(users::count(&tx).await.unwrap(), 0);
        let ann = person(&tx, "ann").await;
        let ben = person(&tx, "ben").await;
        users::set_may_create_projects(&tx, ben, true).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(users::count(&*store).await.unwrap(), 2);
        let listed = users::list(&*store).await.unwrap();
        let listed: Vec<_> =
            listed.into_iter().map(|user| (user.id, user.may_create_projects)).collect();
        assert_eq!(listed, [(ann, false), (ben, true)]);
        assert_eq!(users::find(&*store, ann).await.unwrap().unwrap().name, "ann");
    }
}

#[tokio::test]
async fn a_session_is_found_until_the_moment_it_expires() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let ann = person(&tx, "ann").await;
        sessions::create(&tx, session("token", ann, at(100))).await.unwrap();
        tx.commit().await.unwrap();

        let found = sessions::find(&*store, "token", at(99)).await.unwrap().unwrap();
        assert_eq!((found.user.id, found.last_seen_at), (ann, at(0)));
        assert_eq!((found.created_at, found.expires_at), (at(0), at(100)));
        assert_eq!(sessions::find(&*store, "token", at(100)).await.unwrap(), None);
        assert_eq!(sessions::find(&*store, "other", at(1)).await.unwrap(), None);

        let tx = store.begin().await.unwrap();
        sessions::touch(&tx, "token", at(50), at(150)).await.unwrap();
        let touched = sessions::find(&tx, "token", at(149)).await.unwrap().unwrap();
        assert_eq!((touched.last_seen_at, touched.expires_at), (at(50), at(150)));
        assert_eq!(sessions::delete_expired(&tx, at(150)).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn times_within_a_second_keep_their_order() {
    // SQLite compares times as text: with and without a fraction they must sort alike.
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let ann = person(&tx, "ann").await;
        let half = at(0) + chrono::TimeDelta::milliseconds(500);
        let more = half + chrono::TimeDelta::microseconds(1);
        for (now, expires_at, alive) in [
            (at(0), half, true),
            (half, at(0), false),
            (half, more, true),
            (more, half, false),
            (half, at(1), true),
            (at(1), half, false),
        ] {
            sessions::create(&tx, session("token", ann, expires_at)).await.unwrap();
            let found = sessions::find(&tx, "token", now).await.unwrap();
            assert_eq!(found.is_some(), alive, "{expires_at} as of {now}");
            assert!(found.is_none_or(|found| found.expires_at == expires_at));
            sessions::delete(&tx, "token").await.unwrap();
        }
    }
}

#[tokio::test]
async fn ending_the_sessions_of_a_person_spares_others_and_the_one_in_use() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        for (token, user) in [("a1", ann), ("a2", ann), ("b", ben)] {
            sessions::create(&tx, session(token, user, at(100))).await.unwrap();
        }
        sessions::delete_of_user(&tx, ann, Some("a2")).await.unwrap();
        for (token, there) in [("a1", false), ("a2", true), ("b", true)] {
            let found = sessions::find(&tx, token, at(1)).await.unwrap();
            assert_eq!(found.is_some(), there, "{token}");
        }
        sessions::delete_of_user(&tx, ann, None).await.unwrap();
        assert_eq!(sessions::find(&tx, "a2", at(1)).await.unwrap(), None);
    }
}

fn session(token: &str, user: UserId, expires_at: DateTime<Utc>) -> NewSession {
    NewSession {
        has_factor_elsewhere: false,
        token_hash: token.to_owned(),
        user,
        device: "Firefox on Linux".to_owned(),
        address: "192.0.2.1".to_owned(),
        identity: None,
        provider_session: None,
        proven_at: None,
        created_at: at(0),
        expires_at,
    }
}

#[tokio::test]
async fn an_identity_is_one_account_s_and_ends_the_sessions_that_it_started() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        let new = |user, issuer, subject| NewIdentity {
            user,
            issuer,
            subject,
            external_id: None,
            label: "a@b.c",
        };
        let own = identities::create(&tx, new(ann, "https://a", "7"), at(0)).await.unwrap();
        let other = identities::create(&tx, new(ann, "https://b", "7"), at(0)).await.unwrap();
        for (token, identity, provider_session) in [
            ("1", Some(own), Some("x")),
            ("2", Some(own), Some("y")),
            ("3", Some(other), None),
            ("4", None, None),
        ] {
            let provider_session = provider_session.map(str::to_owned);
            let new = NewSession { identity, provider_session, ..session(token, ann, at(100)) };
            sessions::create(&tx, new).await.unwrap();
        }
        tx.commit().await.unwrap();
        let open = async |token: &str| sessions::find(&*store, token, at(1)).await.unwrap();
        let by = async |token| {
            let session = open(token).await.unwrap();
            (session.is_by_provider, session.issuer)
        };
        assert_eq!(by("1").await, (true, Some("https://a".to_owned())));
        assert_eq!(by("4").await, (false, None));
        let known = identities::find(&*store, "https://a", "7").await.unwrap().unwrap();
        assert_eq!((known.id, known.user), (own, ann));
        assert_eq!(identities::find(&*store, "https://a", "8").await.unwrap(), None);

        let tx = store.begin().await.unwrap();
        assert!(!identities::delete(&tx, ben, own).await.unwrap(), "it is not theirs");
        assert_eq!(sessions::delete_of_identity(&tx, own, Some("x")).await.unwrap(), 1);
        assert_eq!(sessions::delete_of_identity(&tx, own, None).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert!(open("1").await.is_none() && open("2").await.is_none());
        assert!(open("3").await.is_some() && open("4").await.is_some());

        let tx = store.begin().await.unwrap();
        assert!(identities::note_use(&tx, other, ("d@e.f", Some("x")), at(2)).await.unwrap());
        let called =
            async |issuer| identities::find_by_external_id(&tx, issuer, "x").await.unwrap();
        assert_eq!(called("https://b").await.map(|found| found.id), Some(other));
        assert_eq!(called("https://a").await, None);
        let twin = NewIdentity { external_id: Some("x"), ..new(ben, "https://b", "8") };
        let twin = identities::create(&tx, twin, at(2)).await.unwrap();
        assert_eq!(called("https://b").await, None, "it says the same of two");
        identities::delete(&tx, ben, twin).await.unwrap();
        assert_eq!(identities::lock_of_user(&tx, ann).await.unwrap().len(), 2);
        assert_eq!(identities::delete_of_user(&tx, ann).await.unwrap(), 2);
        assert!(
            !identities::note_use(&tx, other, ("d@e.f", None), at(2)).await.unwrap(),
            "it is gone"
        );
        tx.commit().await.unwrap();
        assert_eq!(by("3").await, (true, None));

        let tx = store.begin().await.unwrap();
        identities::create(&tx, new(ann, "https://a", "7"), at(0)).await.unwrap();
        let again = identities::create(&tx, new(ben, "https://a", "7"), at(0)).await;
        assert!(matches!(again, Err(Error::Duplicate("subject"))), "{again:?}");
    }
}

#[tokio::test]
async fn sessions_are_listed_and_ended_by_when_they_were_started() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        for (token, user, started) in [("a1", ann, 1), ("a2", ann, 2), ("b", ben, 1)] {
            let new = NewSession { created_at: at(started), ..session(token, user, at(100)) };
            sessions::create(&tx, new).await.unwrap();
        }
        let list = async |user, now| {
            let rows = sessions::list_of_user(&tx, user, now).await.unwrap();
            rows.into_iter().map(|row| row.token_hash).collect::<Vec<_>>()
        };
        assert_eq!(list(ann, at(3)).await, ["a2", "a1"]);
        assert_eq!(list(ann, at(100)).await, [""; 0]);
        assert!(sessions::delete_started(&tx, ann, at(1)).await.unwrap());
        assert!(!sessions::delete_started(&tx, ann, at(1)).await.unwrap());
        assert_eq!(
            (list(ann, at(3)).await, list(ben, at(3)).await),
            (vec!["a2".into()], vec!["b".into()])
        );
        assert_eq!(sessions::delete_all(&tx).await.unwrap(), 2);
    }
}

fn invitation(token_hash: &str) -> NewInvitation {
    NewInvitation {
        token_hash: token_hash.to_owned(),
        project: None,
        role: None,
        email: None,
        claims: None,
        created_by: None,
        created_at: at(0),
        expires_at: at(100),
    }
}

#[tokio::test]
async fn an_invitation_is_accepted_once() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        let project = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        let new = NewInvitation {
            project: Some(project),
            role: Some(Role::Labeler),
            email: Some("ann@example.org".to_owned()),
            created_by: Some(ben),
            ..invitation("token")
        };
        let id = invitations::create(&tx, new).await.unwrap();
        let found = invitations::find(&tx, "token", at(1)).await.unwrap().unwrap();
        assert_eq!(found.project, Some((project, "Hamlet".to_owned())));
        assert_eq!((found.id, found.role), (id, Some(Role::Labeler)));
        assert_eq!(found.email.as_deref(), Some("ann@example.org"));
        assert_eq!(invitations::find(&tx, "token", at(100)).await.unwrap(), None);
        assert_eq!(invitations::list_open(&tx, project, at(1)).await.unwrap().len(), 1);

        assert!(invitations::accept(&tx, id, ann, at(2)).await.unwrap());
        assert!(!invitations::accept(&tx, id, ben, at(3)).await.unwrap());
        assert_eq!(invitations::find(&tx, "token", at(4)).await.unwrap(), None);
        assert_eq!(invitations::list_open(&tx, project, at(4)).await.unwrap(), []);
        assert!(!invitations::delete(&tx, project, id).await.unwrap(), "accepted ones stay");
    }
}

#[tokio::test]
async fn an_invitation_is_taken_back_only_by_its_project() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        let other = project::create(&tx, "Macbeth", at(0)).await.unwrap();
        let new = NewInvitation {
            project: Some(project),
            role: Some(Role::Reviewer),
            ..invitation("token")
        };
        let id = invitations::create(&tx, new).await.unwrap();
        assert!(!invitations::delete(&tx, other, id).await.unwrap());
        assert!(invitations::delete(&tx, project, id).await.unwrap());
        assert_eq!(invitations::find(&tx, "token", at(1)).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_new_set_up_link_replaces_the_one_before() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        invitations::create(&tx, invitation("old")).await.unwrap();
        invitations::delete_set_up(&tx).await.unwrap();
        invitations::create(&tx, invitation("new")).await.unwrap();
        assert_eq!(invitations::find(&tx, "old", at(1)).await.unwrap(), None);
        let found = invitations::find(&tx, "new", at(1)).await.unwrap().unwrap();
        assert_eq!((found.project, found.role), (None, None));
    }
}
