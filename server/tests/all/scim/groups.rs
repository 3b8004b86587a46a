//! The groups of a directory, and what they lead to.

use std::slice;

use domain::{ImportAs, Role};
use serde_json::{Value, json};
use store::document::imports::{self, NewImport};

use super::{
    super::world::{Person, template},
    Directory, GROUP, USER,
};

impl Directory {
    /// One whose group "annotators" labels in the tests' project, "leads" manages it, and "admins"
    /// administers the server.
    async fn leading() -> Self {
        let project = template().await.facts.project;
        Self::new(json!({
            "join-by-email": true,
            "administrators": ["admins"],
            "projects": [
                { "group": "annotators", "project": project, "role": "labeler" },
                { "group": "leads", "project": project, "role": "manager" },
            ],
        }))
        .await
    }

    async fn group(&self, name: &str, members: &[&str]) -> String {
        let members: Vec<_> = members.iter().map(|id| json!({ "value": id })).collect();
        let sent = json!({ "schemas": [GROUP], "displayName": name, "members": members });
        let made = self.said(201, "POST", "Groups", Some(&sent)).await;
        made["id"].as_str().unwrap().to_owned()
    }

    /// What somebody is in the tests' project.
    async fn role(&self, id: &str) -> Option<Role> {
        let (project, user) = (self.world.facts.project, id.parse().unwrap());
        let member = store::project::members::find(&self.world.store, project, user).await;
        member.unwrap().map(|member| member.role)
    }

    async fn administers(&self, id: &str) -> bool {
        let user = store::account::users::find(&self.world.store, id.parse().unwrap()).await;
        user.unwrap().unwrap().is_administrator
    }

    async fn members(&self, group: &str) -> Vec<String> {
        let group = self.get(&format!("Groups/{group}")).await;
        let members = group["members"].as_array().unwrap().iter();
        members.map(|it| it["value"].as_str().unwrap().to_owned()).collect()
    }
}

#[tokio::test]
async fn entra_id_makes_a_group_and_moves_people_in_and_out() {
    let directory = Directory::leading().await;
    let ann = directory.add("ann@example.org").await;
    let ben = directory.add("ben@example.org").await;
    let sent = json!({
        "schemas": [GROUP, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
        "externalId": "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
        "displayName": "annotators",
        "meta": { "resourceType": "Group" },
    });
    let made = directory.said(201, "POST", "Groups", Some(&sent)).await;
    let group = made["id"].as_str().unwrap().to_owned();
    let path = format!("Groups/{group}");
    let add = json!([{ "op": "Add", "path": "members", "value": [{ "$ref": null, "value": ann }, { "value": ben }] }]);
    assert_eq!(directory.patch(&path, add).await.status, 204);
    assert_eq!(directory.members(&group).await, [ann.clone(), ben.clone()]);
    assert_eq!(directory.role(&ann).await, Some(Role::Labeler));
    let shown = directory.get(&format!("Users/{ann}")).await;
    assert_eq!(shown["groups"][0]["display"], "annotators");
    assert_eq!(shown["groups"][0]["value"], group);

    // In Entra ID's older words, and in those of the standard.
    let remove = json!([{ "op": "Remove", "path": "members", "value": [{ "value": ann }] }]);
    assert_eq!(directory.patch(&path, remove).await.status, 204);
    assert_eq!(directory.members(&group).await, slice::from_ref(&ben));
    let noted = directory.noted("change directory group").await;
    let id: i64 = ann.parse().unwrap();
    assert_eq!((&noted["left"], &noted["came"]), (&json!([id]), &json!([])));
    let by_filter = format!("members[value eq \"{ben}\"]");
    let remove = json!([{ "op": "remove", "path": by_filter }]);
    assert_eq!(directory.patch(&path, remove).await.status, 204);
    assert_eq!(directory.members(&group).await, Vec::<String>::new());
    assert_eq!((directory.role(&ann).await, directory.role(&ben).await), (None, None));
    let nothing = json!({ "Operations": [] });
    let shown = format!("{path}?attributes=displayName");
    let shown = directory.said(200, "PATCH", &shown, Some(&nothing)).await;
    assert_eq!(shown["displayName"], "annotators");

    let found = directory
        .get("Groups?excludedAttributes=members&filter=displayName%20eq%20%22Annotators%22")
        .await;
    assert_eq!(found["totalResults"], 1);
    assert!(found["Resources"][0].get("members").is_none());
    let acts = directory.acts().await;
    let of_groups: Vec<_> = acts.iter().filter(|act| act.contains("group")).collect();
    assert_eq!(of_groups.len(), 4, "{acts:?}");
}

#[tokio::test]
async fn okta_pushes_a_group_renames_it_and_replaces_its_members() {
    let directory = Directory::leading().await;
    let ann = directory.add("ann@example.org").await;
    let ben = directory.add("ben@example.org").await;
    let group = directory.group("Test SCIMv2", &[&ann]).await;
    let path = format!("Groups/{group}");
    assert_eq!(directory.role(&ann).await, None, "the settings do not name it");
    let rename =
        json!([{ "op": "replace", "value": { "id": group, "displayName": "annotators" } }]);
    assert_eq!(directory.patch(&path, rename).await.status, 204);
    assert_eq!(directory.role(&ann).await, Some(Role::Labeler));
    let members = json!([{ "value": ben, "display": "ben@example.org" }]);
    let replace = json!([{ "op": "replace", "path": "members", "value": members }]);
    assert_eq!(directory.patch(&path, replace).await.status, 204);
    assert_eq!(
        (directory.role(&ann).await, directory.role(&ben).await),
        (None, Some(Role::Labeler))
    );
    let by_member = directory.get(&format!("Groups?filter=members%20eq%20%22{ben}%22")).await;
    assert_eq!(by_member["totalResults"], 1);
    let whole = json!({ "schemas": [GROUP], "displayName": "annotators", "members": [] });
    let replaced = directory.said(200, "PUT", &path, Some(&whole)).await;
    assert_eq!(replaced["members"], json!([]));
    assert_eq!(directory.role(&ben).await, None);
    let again = json!({ "schemas": [GROUP], "displayName": "Annotators" });
    directory.refused((409, "uniqueness"), "POST", "Groups", Some(&again)).await;
    let strange =
        json!({ "schemas": [GROUP], "displayName": "x", "members": [{ "value": "999" }] });
    directory.refused((400, "invalidValue"), "POST", "Groups", Some(&strange)).await;
    assert_eq!(directory.get("Groups").await["totalResults"], 1);
}

#[tokio::test]
async fn a_group_is_named_by_its_id_or_as_it_is_called_and_not_by_another_s() {
    let id = "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159";
    let administrators = json!({ "administrators": [format!("id:{id}")] });
    let directory = Directory::new(administrators).await;
    let ann = directory.add("ann@example.org").await;
    for called in [id.to_owned(), format!("id:{id}")] {
        directory.group(&called, &[&ann]).await;
        assert!(!directory.administers(&ann).await, "{called}");
    }
    let sent = json!({ "displayName": "Any", "externalId": id, "members": [{ "value": ann }] });
    directory.said(201, "POST", "Groups", Some(&sent)).await;
    assert!(directory.administers(&ann).await);

    let long = "x".repeat(256);
    let group = directory.group(&long, &[]).await;
    let nested = json!({ "displayName": "y", "members": [{ "value": group, "type": "Group" }] });
    directory.refused((400, "invalidValue"), "POST", "Groups", Some(&nested)).await;
}

#[tokio::test]
async fn many_who_come_into_a_group_or_leave_it_move_a_project_once() {
    let directory = Directory::leading().await;
    let mut ids = Vec::new();
    for name in ["ann", "ben", "cleo"] {
        ids.push(directory.add(&format!("{name}@example.org")).await);
    }
    // Who was there before is not dismissed by another group than theirs.
    ids.push(directory.join(Person::Manager).await);
    let project = directory.world.facts.project;
    let revision = async || {
        let project = store::project::find(&directory.world.store, project).await;
        project.unwrap().unwrap().revision.0
    };
    let before = revision().await;
    let members: Vec<_> = ids.iter().map(String::as_str).collect();
    let group = directory.group("annotators", &members).await;
    assert_eq!(revision().await, before + 1);
    let roles = async || {
        let mut roles = Vec::new();
        for id in &ids {
            roles.push(directory.role(id).await);
        }
        roles
    };
    let [labeler, manager] = [Some(Role::Labeler), Some(Role::Manager)];
    assert_eq!(roles().await, [labeler, labeler, labeler, manager]);
    directory.said(204, "DELETE", &format!("Groups/{group}"), None).await;
    assert_eq!(revision().await, before + 2);
    assert_eq!(roles().await, [None, None, None, manager]);
    directory.group("annotators", &members).await;
    assert_eq!(roles().await, [labeler, labeler, labeler, manager]);
}

#[tokio::test]
async fn a_deleted_group_leads_nowhere() {
    let directory = Directory::leading().await;
    let ann = directory.add("ann@example.org").await;
    let group = directory.group("annotators", &[&ann]).await;
    assert_eq!(directory.role(&ann).await, Some(Role::Labeler));
    directory.said(204, "DELETE", &format!("Groups/{group}"), None).await;
    assert_eq!(directory.role(&ann).await, None);
    directory.refused((404, ""), "GET", &format!("Groups/{group}"), None).await;
}

#[tokio::test]
async fn administrators_come_and_go_with_their_group_and_the_last_one_stays() {
    let directory = Directory::leading().await;
    let ann = directory.add("ann@example.org").await;
    let group = directory.group("admins", &[&ann]).await;
    assert!(directory.administers(&ann).await);
    let noted = directory.noted("make administrator").await;
    assert_eq!(noted, json!({ "provider": "example" }));
    let path = format!("Groups/{group}");
    let none = json!([{ "op": "remove", "path": "members" }]);
    assert_eq!(directory.patch(&path, none.clone()).await.status, 204);
    assert!(!directory.administers(&ann).await);

    let ben = directory.add("ben@example.org").await;
    let add = json!([{ "op": "add", "path": "members", "value": [{ "value": ben }] }]);
    assert_eq!(directory.patch(&path, add).await.status, 204);
    directory.said(204, "DELETE", &format!("Users/{ben}"), None).await;
    assert!(!directory.administers(&ben).await, "nor do they come back as one");

    let adele = directory.join(Person::Administrator).await;
    let add = json!([{ "op": "add", "path": "members", "value": [{ "value": adele }] }]);
    assert_eq!(directory.patch(&path, add).await.status, 204);
    assert_eq!(directory.patch(&path, none).await.status, 204);
    assert!(directory.administers(&adele).await, "the last one");
    assert_eq!(directory.members(&group).await, Vec::<String>::new());
}

#[tokio::test]
async fn the_last_manager_stays_and_what_somebody_has_otherwise_stays() {
    let directory = Directory::leading().await;
    let mara = directory.join(Person::Manager).await;
    let leads = directory.group("leads", &[&mara]).await;
    let annotators = directory.group("annotators", &[&mara]).await;
    assert_eq!(directory.role(&mara).await, Some(Role::Manager), "they are there already");
    let none = json!([{ "op": "remove", "path": "members" }]);
    for group in [annotators, leads] {
        assert_eq!(directory.patch(&format!("Groups/{group}"), none.clone()).await.status, 204);
        assert_eq!(directory.role(&mara).await, Some(Role::Manager));
    }
}

#[tokio::test]
async fn who_is_not_let_in_gets_what_their_groups_give_when_they_are() {
    let directory = Directory::leading().await;
    let sent = json!({ "schemas": [USER], "userName": "ann@example.org", "active": false });
    let ann = directory.said(201, "POST", "Users", Some(&sent)).await;
    let ann = ann["id"].as_str().unwrap().to_owned();
    directory.group("annotators", &[&ann]).await;
    assert_eq!(directory.role(&ann).await, None);
    let on: Value = json!([{ "op": "replace", "value": { "active": true } }]);
    assert_eq!(directory.patch(&format!("Users/{ann}"), on).await.status, 200);
    assert_eq!(directory.role(&ann).await, Some(Role::Labeler));
    directory.said(204, "DELETE", &format!("Users/{ann}"), None).await;
    assert_eq!(directory.role(&ann).await, None);
}

#[tokio::test]
async fn leaving_waits_for_an_import_and_who_is_to_be_out_is_out_at_once() {
    let directory = Directory::leading().await;
    let store = &directory.world.store;
    let ann = directory.add("ann@example.org").await;
    let group = directory.group("annotators", &[&ann]).await;
    let now = directory.world.services.now();
    let tx = store.begin().await.unwrap();
    let new = NewImport { by: None, at: now, import_as: ImportAs::Work, files: Vec::new() };
    let import = imports::insert(&tx, directory.world.facts.project, new).await.unwrap();
    assert!(imports::decide(&tx, import, &7, now).await.unwrap());
    tx.commit().await.unwrap();

    let (path, user) = (format!("Groups/{group}"), format!("Users/{ann}"));
    let none = json!({ "Operations": [{ "op": "remove", "path": "members" }] });
    directory.refused((503, ""), "PATCH", &path, Some(&none)).await;
    assert_eq!(directory.members(&group).await, slice::from_ref(&ann));
    directory.refused((503, ""), "DELETE", &user, None).await;
    assert_eq!(directory.get(&user).await["active"], false);
    assert_eq!(directory.role(&ann).await, Some(Role::Labeler));

    let tx = store.begin().await.unwrap();
    imports::end_undone(&tx, import, now).await.unwrap();
    tx.commit().await.unwrap();
    directory.said(204, "DELETE", &user, None).await;
    assert_eq!(directory.role(&ann).await, None);
}

#[tokio::test]
async fn nobody_reaches_the_groups_of_another_directory() {
    let directory = Directory::leading().await;
    let ann = directory.add("ann@example.org").await;
    let group = directory.group("annotators", &[&ann]).await;
    let other = services::account::scim::create_token(&directory.world.services, "other").await;
    let other = other.unwrap();
    for (method, path) in [
        ("GET", format!("Groups/{group}")),
        ("DELETE", format!("Groups/{group}")),
        ("GET", format!("Users/{ann}")),
        ("DELETE", format!("Users/{ann}")),
    ] {
        let answer = directory.with_token(&other, (method, &path), None).await;
        assert_eq!(answer.status, 404, "{method} {path}");
    }
    let listed = directory.with_token(&other, ("GET", "Users"), None).await.json();
    assert_eq!(listed["totalResults"], 0);
    let taking = json!({ "displayName": "mine", "members": [{ "value": ann }] });
    let answer = directory.with_token(&other, ("POST", "Groups"), Some(&taking)).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
}
