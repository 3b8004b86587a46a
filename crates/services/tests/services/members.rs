//! Members and invitations: who may, who comes in with what, who cannot go.

use crate::house::{houses, invalid_field, refused};
use chrono::TimeDelta;
use domain::{Error as Refusal, Role, SaveKey, SaveSpans, Span};
use services::{
    account,
    document::import::ImportOptions,
    project::{self, members},
    work::{self, annotation},
};

#[tokio::test]
async fn members_and_invitations_are_for_managers() {
    for house in houses().await {
        let project = house.project().await;
        let (services, id) = (&house.services, project.id);
        let invited = members::invite(services, &project.manager, id, Role::Labeler, None);
        invited.await.unwrap();
        let open = members::list_invitations(services, &project.manager, id).await.unwrap();
        let labeler = project.member(&project.labeler).await;
        project.is_for_managers(async |actor| members::list(services, actor, id).await).await;
        project
            .is_for_managers(async |actor| members::list_invitations(services, actor, id).await)
            .await;
        project
            .is_for_managers(async |actor| {
                members::invite(services, actor, id, Role::Manager, None).await
            })
            .await;
        project
            .is_for_managers(async |actor| {
                members::delete_invitation(services, actor, id, open[0].id).await
            })
            .await;
        project
            .is_for_managers(async |actor| members::remove(services, actor, id, labeler).await)
            .await;
        let members = members::list(services, &project.manager, id).await.unwrap();
        assert_eq!(members.len(), 3);
        let open = members::list_invitations(services, &project.manager, id).await.unwrap();
        assert_eq!(open.len(), 1);
    }
}

#[tokio::test]
async fn an_invitation_is_listed_until_it_is_used_expires_or_is_taken_back() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (&house.services, &project.manager);
        let invite = async |email: &str| {
            let email = Some(email.to_owned());
            members::invite(services, manager, project.id, Role::Labeler, email).await
        };
        let open = async || members::list_invitations(services, manager, project.id).await.unwrap();
        assert_eq!(invalid_field(invite("not an address").await), "email");
        assert_eq!(invalid_field(invite("LABELER@example.org").await), "email");
        let back = invite("ann@example.org").await.unwrap();
        invite(" ").await.unwrap();
        let listed = open().await;
        assert_eq!(listed.iter().filter(|invitation| invitation.email.is_none()).count(), 1);
        let taken_back = listed.iter().find(|invitation| invitation.email.is_some()).unwrap().id;
        members::delete_invitation(services, manager, project.id, taken_back).await.unwrap();
        assert_eq!(refused(account::load_invitation(services, &back).await), Refusal::NotFound);
        let again = members::delete_invitation(services, manager, project.id, taken_back).await;
        assert_eq!(refused(again), Refusal::NotFound);
        assert_eq!(open().await.len(), 1);
        house.pass(TimeDelta::days(14));
        assert!(open().await.is_empty());
    }
}

#[tokio::test]
async fn invitations_of_other_projects_are_out_of_reach() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let mine =
            project::create(services, &project.outsider, "Mine".to_owned(), None).await.unwrap();
        let token = members::invite(services, &project.manager, project.id, Role::Labeler, None);
        let token = token.await.unwrap();
        let open = members::list_invitations(services, &project.manager, project.id).await.unwrap();
        let deleted =
            members::delete_invitation(services, &project.outsider, mine, open[0].id).await;
        assert_eq!(refused(deleted), Refusal::NotFound);
        let member = project.member(&project.labeler).await;
        let removed = members::remove(services, &project.outsider, mine, member).await;
        assert_eq!(refused(removed), Refusal::NotFound);
        account::load_invitation(services, &token).await.unwrap();
    }
}

#[tokio::test]
async fn the_last_manager_cannot_leave() {
    for house in houses().await {
        let project = house.project().await;
        let last = refused(project.remove(&project.manager).await);
        assert!(matches!(last, Refusal::Conflict(_)), "{last:?}");
        let second = project.with("second", Role::Manager).await;
        project.remove(&project.manager).await.unwrap();
        let member = project.member(&second).await;
        let last = members::remove(&house.services, &second, project.id, member).await;
        assert!(matches!(refused(last), Refusal::Conflict(_)));
    }
}

#[tokio::test]
async fn two_managers_who_remove_each_other_at_once_do_not_both_go() {
    for house in houses().await {
        let project = house.project().await;
        let second = project.with("second", Role::Manager).await;
        let (one, other) = (project.member(&project.manager).await, project.member(&second).await);
        let (first, then) = tokio::join!(
            members::remove(&house.services, &project.manager, project.id, other),
            members::remove(&house.services, &second, project.id, one),
        );
        assert!(first.is_ok() != then.is_ok());
        let members = store::project::members::list(&*house.store, project.id).await.unwrap();
        assert_eq!(members.iter().filter(|member| member.role == Role::Manager).count(), 1);
    }
}

#[tokio::test]
async fn a_removed_member_has_no_access_from_then_on() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        project.remove(&project.labeler).await.unwrap();
        let loaded = project::load(services, &project.labeler, project.id).await;
        assert_eq!(refused(loaded), Refusal::NotFound);
        let work = work::load(services, &project.labeler, project.id).await;
        assert_eq!(refused(work), Refusal::NotFound);
        assert!(project::list(services, &project.labeler).await.unwrap().is_empty());
        let actions = project.actions().await;
        assert_eq!(actions.last().unwrap(), "remove member");
    }
}

#[tokio::test]
async fn a_labeler_who_joins_gets_an_assignment_of_what_everyone_gets() {
    for house in houses().await {
        let project = house.project().await;
        let everyone = ImportOptions::default();
        project.import(&[("a.txt", "one"), ("b.txt", "two")], everyone.clone()).await.unwrap();
        let one = ImportOptions { assign: domain::AssignTo::Some(1), ..everyone };
        project.import(&[("c.txt", "three")], one).await.unwrap();
        let late = project.with("late", Role::Labeler).await;
        let assignments = work::load(&house.services, &late, project.id).await.unwrap().assignments;
        let names: Vec<_> =
            assignments.iter().map(|assignment| assignment.document_name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        let reviewer = project.with("late-reviewer", Role::Reviewer).await;
        let member = project.member(&reviewer).await;
        let assignments =
            store::work::assignments::list_of_member(&*house.store, member).await.unwrap();
        assert!(assignments.is_empty());
    }
}

#[tokio::test]
async fn whoever_comes_back_finds_their_work_and_keeps_their_role() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let options = ImportOptions { create_labels: true, ..Default::default() };
        let file = r#"{"text": "EU rejects", "spans": [{"start": 0, "end": 2, "label": "ORG"}]}"#;
        project.import(&[("a.jsonl", file)], options).await.unwrap();
        let assignments =
            work::load(services, &project.labeler, project.id).await.unwrap().assignments;
        let label = store::project::labels::list(&*house.store, project.id).await.unwrap()[0].id;
        let command = SaveSpans {
            assignment: assignments[0].id,
            base: domain::Revision(0),
            key: SaveKey("only-save".to_owned()),
            removed: Vec::new(),
            added: vec![Span::new(0, 2, label).into()],
        };
        annotation::save(services, &project.labeler, command).await.unwrap();

        project.remove(&project.labeler).await.unwrap();
        project.import(&[("b.txt", "later")], ImportOptions::default()).await.unwrap();
        let other = refused(project.join(&project.labeler, Role::Reviewer).await);
        assert!(matches!(other, Refusal::Conflict(_)), "{other:?}");
        project.join(&project.labeler, Role::Labeler).await.unwrap();
        let assignments =
            work::load(services, &project.labeler, project.id).await.unwrap().assignments;
        let spans: Vec<_> = assignments.iter().map(|assignment| assignment.spans).collect();
        assert_eq!(spans, [1, 0], "the old copy with its span, and the document that came since");
    }
}

#[tokio::test]
async fn whoever_did_nothing_may_come_back_in_another_role() {
    for house in houses().await {
        let project = house.project().await;
        project.remove(&project.labeler).await.unwrap();
        project.join(&project.labeler, Role::Reviewer).await.unwrap();
        let view = project::load(&house.services, &project.labeler, project.id).await.unwrap();
        assert_eq!(view.role, Role::Reviewer);
    }
}
