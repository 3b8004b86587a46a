//! Directories: their tokens, their people and groups, and what their filters find, on both engines.

use domain::{DirectoryId, UserId};
use store::{
    Error, Tx,
    account::users::{
        self,
        directories::{
            self, groups,
            people::{self, Names},
            wanted::{Comparison, Text, Wanted},
        },
    },
    testing::stores,
};

use crate::sample::{at, person};

async fn directory(tx: &Tx, provider: &str) -> DirectoryId {
    directories::set_token(tx, provider, &format!("hash of {provider}"), at(0)).await.unwrap()
}

fn named(user_name: &str, external_id: Option<&str>) -> Names {
    Names {
        user_name: user_name.to_owned(),
        external_id: external_id.map(str::to_owned),
        ..Names::default()
    }
}

#[tokio::test]
async fn a_directory_has_one_token_at_a_time() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let first = directory(&tx, "example").await;
        let again = directories::set_token(&tx, "example", "other hash", at(5)).await.unwrap();
        assert_eq!(first, again);
        let find = async |hash: &str| directories::find_by_token(&tx, hash).await.unwrap();
        assert_eq!(find("hash of example").await, None);
        let (found, used) = find("other hash").await.unwrap();
        assert_eq!((found.id, found.provider.as_str(), used), (first, "example", None));
        assert!(directories::touch(&tx, first, at(6)).await.unwrap());
        assert!(!directories::touch(&tx, first, at(7)).await.unwrap(), "once a day");
        directory(&tx, "another").await;
        let kept = directories::list_tokens(&tx).await.unwrap();
        let providers: Vec<_> = kept.iter().map(|token| token.provider.as_str()).collect();
        assert_eq!(providers, ["another", "example"]);
        assert_eq!(directories::delete_token(&tx, "example").await.unwrap(), Some(first));
        assert_eq!(directories::delete_token(&tx, "example").await.unwrap(), None);
        assert_eq!(find("other hash").await, None);
        assert_eq!(directories::delete_all_tokens(&tx).await.unwrap(), 1);
        directories::lock(&tx, first).await.unwrap();
    }
}

#[tokio::test]
async fn people_are_known_by_their_names_in_any_case_also_when_they_were_removed() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (own, other) = (directory(&tx, "example").await, directory(&tx, "other").await);
        let (ann, ben) = (person(&tx, "ann").await, person(&tx, "ben").await);
        people::put(&tx, own, ann, &named("Ann@Example.org", Some("00u")), at(1)).await.unwrap();
        people::put(&tx, own, ben, &named("ben", None), at(1)).await.unwrap();
        let known = async |names: &Names| {
            people::find_known(&tx, own, names).await.unwrap().map(|known| known.user)
        };
        assert_eq!(known(&named("ANN@example.ORG", None)).await, Some(ann));
        assert_eq!(known(&named("nobody", Some("00u"))).await, Some(ann));
        assert_eq!(known(&named("nobody", None)).await, None);
        assert_eq!(people::find(&tx, other, ann).await.unwrap(), None);
        let by_id = async |provider: &str, id: &str| {
            people::find_by_external_id(&tx, provider, id).await.unwrap()
        };
        assert_eq!(by_id("example", "00u").await, Some(ann));
        assert_eq!((by_id("other", "00u").await, by_id("example", "00U").await), (None, None));

        let group = groups::create(&tx, own, ("staff", None), at(2)).await.unwrap();
        groups::add_members(&tx, group, &[ann, ben].into()).await.unwrap();
        people::remove(&tx, ann, at(3)).await.unwrap();
        assert_eq!(people::find(&tx, own, ann).await.unwrap(), None);
        assert_eq!(by_id("example", "00u").await, None);
        let before = people::find_of_any(&tx, ann).await.unwrap().unwrap();
        assert!(before.is_removed && before.directory == own);
        assert_eq!(before.external_id.as_deref(), Some("00u"));
        assert_eq!(known(&named("ann@example.org", None)).await, Some(ann));
        let members = groups::members(&tx, &[group]).await.unwrap();
        assert_eq!(members, [(group, ben, "ben".to_owned())]);
        people::put(&tx, own, ann, &named("annie", None), at(4)).await.unwrap();
        let back = people::find(&tx, own, ann).await.unwrap().unwrap();
        assert_eq!((back.created_at, back.changed_at), (at(1), at(4)));
        assert_eq!(back.names.user_name, "annie");
        tx.commit().await.unwrap();

        let tx = store.begin().await.unwrap();
        let taken = people::put(&tx, own, ben, &named("ANNIE", None), at(5)).await;
        assert!(matches!(taken, Err(Error::Duplicate("user_name_key"))), "{taken:?}");
    }
}

#[tokio::test]
async fn a_group_s_name_is_its_own_in_any_case() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let (own, other) = (directory(&tx, "example").await, directory(&tx, "other").await);
        let staff = groups::create(&tx, own, ("Staff", Some("g1")), at(0)).await.unwrap();
        groups::create(&tx, other, ("staff", None), at(0)).await.unwrap();
        assert_eq!(groups::find(&tx, other, staff).await.unwrap(), None);
        groups::rename(&tx, staff, ("Crew", None), at(1)).await.unwrap();
        let found = groups::find(&tx, own, staff).await.unwrap().unwrap();
        assert_eq!(
            (found.name.as_str(), found.external_id, found.changed_at),
            ("Crew", None, at(1))
        );
        tx.commit().await.unwrap();
        let tx = store.begin().await.unwrap();
        let taken = groups::create(&tx, own, ("CREW", None), at(2)).await;
        assert!(matches!(taken, Err(Error::Duplicate("name_key"))), "{taken:?}");
        drop(tx);
        let tx = store.begin().await.unwrap();
        groups::delete(&tx, staff).await.unwrap();
        assert_eq!(groups::find(&tx, own, staff).await.unwrap(), None);
    }
}

#[tokio::test]
async fn what_is_wanted_is_found_and_counted() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let own = directory(&tx, "example").await;
        let mut ids: Vec<UserId> = Vec::new();
        for (name, external_id) in [("ann", Some("A%")), ("ben", Some("b")), ("cleo_c", None)] {
            let user = person(&tx, name).await;
            let names = named(&format!("{name}@Example.org"), external_id);
            people::put(&tx, own, user, &names, at(0)).await.unwrap();
            ids.push(user);
        }
        users::set_name(&tx, ids[0], "Élodie").await.unwrap();
        users::set_name(&tx, ids[1], "Ben of Berlin").await.unwrap();
        store::account::administration::set_disabled(&tx, ids[2], Some(at(1))).await.unwrap();
        let staff = groups::create(&tx, own, ("Staff", Some("g1")), at(0)).await.unwrap();
        let crew = groups::create(&tx, own, ("Crew", None), at(0)).await.unwrap();
        groups::add_members(&tx, staff, &[ids[0], ids[1]].into()).await.unwrap();

        let text = |text, comparison: Comparison| Wanted::Text(text, comparison);
        let equal = |said: &str| Comparison::Equal(said.to_owned());
        let people_found = async |wanted: Wanted| {
            let (total, found) = people::list(&tx, own, &wanted, (0, 10)).await.unwrap();
            assert_eq!(total, u64::try_from(found.len()).unwrap());
            found
                .iter()
                .map(|it| ids.iter().position(|id| *id == it.user).unwrap())
                .collect::<Vec<_>>()
        };
        let contains = |said: &str| Comparison::Contains(said.to_owned());
        for (wanted, found) in [
            (Wanted::All(Vec::new()), vec![0, 1, 2]),
            (Wanted::Any(Vec::new()), vec![]),
            (text(Text::UserName, equal("ANN@example.org")), vec![0]),
            (text(Text::UserName, contains("N@")), vec![0, 1]),
            (text(Text::UserName, contains("_")), vec![2]),
            (text(Text::UserName, Comparison::Begins("cleo".to_owned())), vec![2]),
            (text(Text::UserName, Comparison::Begins("leo".to_owned())), vec![]),
            (text(Text::UserName, Comparison::Ends(".ORG".to_owned())), vec![0, 1, 2]),
            (text(Text::UserName, Comparison::Ends("@".to_owned())), vec![]),
            (text(Text::ExternalId, equal("A%")), vec![0]),
            (text(Text::ExternalId, equal("a%")), vec![]),
            (text(Text::ExternalId, contains("a")), vec![]),
            (text(Text::ExternalId, contains("%")), vec![0]),
            (text(Text::ExternalId, Comparison::Begins("a".to_owned())), vec![]),
            (text(Text::ExternalId, Comparison::Begins("A".to_owned())), vec![0]),
            (text(Text::ExternalId, Comparison::Ends("more than is there".to_owned())), vec![]),
            (text(Text::ExternalId, contains("")), vec![0, 1, 2]),
            (text(Text::DisplayName, equal("Élodie")), vec![0]),
            (text(Text::DisplayName, contains("lODIE")), vec![0]),
            (text(Text::DisplayName, Comparison::Ends("DIE".to_owned())), vec![0]),
            (text(Text::ExternalId, Comparison::Present), vec![0, 1]),
            (Wanted::Not(Box::new(text(Text::ExternalId, equal("b")))), vec![0, 2]),
            (text(Text::DisplayName, equal("ben of berlin")), vec![1]),
            (text(Text::Email, equal("Ann@example.org")), vec![0]),
            (Wanted::Active(false), vec![2]),
            (Wanted::Id(Some(ids[1].0)), vec![1]),
            (Wanted::Id(None), vec![]),
            (
                Wanted::All(vec![Wanted::Active(true), text(Text::UserName, contains("ann"))]),
                vec![0],
            ),
            (Wanted::Any(vec![Wanted::Id(Some(ids[0].0)), Wanted::Active(false)]), vec![0, 2]),
        ] {
            let shown = format!("{wanted:?}");
            assert_eq!(people_found(wanted).await, found, "{shown}");
        }
        let (total, part) = people::list(&tx, own, &Wanted::All(Vec::new()), (1, 1)).await.unwrap();
        assert_eq!((total, part.len(), part[0].user), (3, 1, ids[1]));

        let groups_found = async |wanted: Wanted| {
            let (_, found) = groups::list(&tx, own, &wanted, (0, 10)).await.unwrap();
            found.iter().map(|group| group.id).collect::<Vec<_>>()
        };
        assert_eq!(groups_found(text(Text::DisplayName, equal("STAFF"))).await, [staff]);
        assert_eq!(groups_found(text(Text::ExternalId, equal("g1"))).await, [staff]);
        assert_eq!(groups_found(Wanted::Member(Some(ids[1]))).await, [staff]);
        assert_eq!(groups_found(Wanted::Member(None)).await, []);
        assert_eq!(groups_found(Wanted::Not(Box::new(Wanted::Id(Some(staff.0))))).await, [crew]);
        let strangers = [ids[0], UserId(i64::MAX)].into();
        let known = groups::known_among(&tx, own, &strangers).await.unwrap();
        assert_eq!(known, [ids[0]].into());
        let disabled = groups::disabled_among(&tx, &ids.iter().copied().collect()).await.unwrap();
        assert_eq!(disabled, [ids[2]].into());
        let names = people::group_names(&tx, "example", ids[0]).await.unwrap();
        assert_eq!(names, [("Staff".to_owned(), Some("g1".to_owned()))]);
        groups::remove_members(&tx, staff, &[ids[0]].into()).await.unwrap();
        let left = people::groups(&tx, &ids).await.unwrap();
        assert_eq!(left, [(ids[1], staff, "Staff".to_owned(), Some("g1".to_owned()))]);
    }
}
