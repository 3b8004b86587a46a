//! Projects, label sets, members.

use domain::{Colour, NewLabel, ReleaseLevel, Revision, Role, Span, WorkState};
use store::{
    Error,
    project::{
        self,
        guidelines::{self, Edit},
        labels, members,
    },
    testing::{on, stores},
    work::{assignments, spans, suggestions},
};

use crate::sample::{at, person, sample};

#[tokio::test]
async fn other_guidelines_are_a_new_version() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let id = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        let project = project::find(&tx, id).await.unwrap().unwrap();
        assert_eq!((project.guidelines_version, project.revision), (1, Revision(0)));
        assert_eq!(project.settings.release_level, ReleaseLevel::AfterRelease);

        let mut settings = project.settings;
        let user = person(&tx, "mia").await;
        let edit = |note, second| Edit { author: Some(user), note, at: at(second) };
        settings.guidelines = "Mark *people*.".to_owned();
        settings.release_level = ReleaseLevel::Open;
        project::save_settings(&tx, id, &settings, edit("people first", 1)).await.unwrap();
        settings.name = "Hamlet, Prince of Denmark".to_owned();
        settings.reviewers_see_names = true;
        project::save_settings(&tx, id, &settings, edit("", 2)).await.unwrap();

        let project = project::find(&tx, id).await.unwrap().unwrap();
        assert_eq!(project.guidelines_version, 2, "the second save left the guidelines alone");
        assert_eq!(project.settings, settings);
        assert_eq!(guidelines::change(&tx, id, "Mark names.", edit("", 3)).await.unwrap(), 3);
        assert_eq!(guidelines::change(&tx, id, "Mark names.", edit("", 4)).await.unwrap(), 3);

        let versions = guidelines::list(&tx, id).await.unwrap();
        let told: Vec<_> = versions
            .iter()
            .map(|of| (of.number, of.note.as_str(), of.author.as_deref(), of.created_at))
            .collect();
        let mia = Some("mia");
        assert_eq!(
            told,
            [(3, "", mia, at(3)), (2, "people first", mia, at(1)), (1, "", None, at(0))]
        );
        let text = async |number| guidelines::text(&tx, id, number).await.unwrap();
        assert_eq!(text(1).await.as_deref(), Some(""));
        assert_eq!(text(2).await.as_deref(), Some("Mark *people*."));
        assert_eq!(text(4).await, None);
    }
}

#[tokio::test]
async fn each_advance_is_one_revision() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let one = project::create(&tx, "one", at(0)).await.unwrap();
        let two = project::create(&tx, "two", at(0)).await.unwrap();
        assert_eq!(project::advance(&tx, one).await.unwrap(), Revision(1));
        assert_eq!(project::advance(&tx, one).await.unwrap(), Revision(2));
        tx.commit().await.unwrap();
        let revisions = project::revisions(&*store, &[two, one]).await.unwrap();
        assert_eq!(revisions, [(one, Revision(2)), (two, Revision(0))]);
        assert_eq!(project::list_ids(&*store).await.unwrap(), [one, two]);
    }
}

#[tokio::test]
async fn a_release_is_noted_and_a_project_is_found_by_name() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let id = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        project::set_released(&tx, id, at(7)).await.unwrap();
        let found = project::find_by_name(&tx, "Hamlet").await.unwrap().unwrap();
        assert_eq!((found.id, found.released_at), (id, Some(at(7))));
        assert_eq!(project::find_by_name(&tx, "hamlet").await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_card_counts_own_assignments_for_labelers_and_all_for_others() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [one, two, _] = sample.documents[..] else { panic!("three documents") };
        let tx = store.begin().await.unwrap();
        let assignments =
            [(one, sample.ann), (two, sample.ann), (one, sample.ben), (two, sample.ben)];
        assignments::insert_many(&tx, &assignments).await.unwrap();
        let assignment = assignments::list_of_member(&tx, sample.ben).await.unwrap()[0].id;
        let submitted = WorkState::Submitted;
        assert!(
            assignments::save(&tx, &[(assignment, Revision(0))], submitted, at(1)).await.unwrap()
        );

        let counts = async |user, tx| {
            let cards = project::list_of_user(tx, user, false).await.unwrap();
            let counts = |own: &project::OwnProject| {
                (own.card.documents, own.card.submitted, own.card.assigned, own.waiting.to_label)
            };
            cards.iter().map(counts).collect()
        };
        let [ann, ben, ray] = sample.users;
        let of_ann: Vec<_> = counts(ann, &tx).await;
        let of_ben: Vec<_> = counts(ben, &tx).await;
        let of_ray: Vec<_> = counts(ray, &tx).await;
        assert_eq!(of_ann, [(3, 0, 2, 2)]);
        assert_eq!(of_ben, [(3, 1, 2, 1)]);
        assert_eq!(of_ray, [(3, 1, 4, 0)]);

        members::remove(&tx, sample.project, sample.ben, at(2)).await.unwrap();
        let of_ben: Vec<_> = counts(ben, &tx).await;
        let of_ray: Vec<_> = counts(ray, &tx).await;
        assert_eq!(of_ben, [], "who was removed has no card");
        assert_eq!(of_ray, [(3, 1, 3, 0)], "of who was removed, what was begun counts");
    }
}

#[tokio::test]
async fn a_name_and_a_hotkey_occur_once_in_a_label_set() {
    for store in stores().await {
        let sample = sample(&store).await;
        let listed = labels::list(&*store, sample.project).await.unwrap();
        let names: Vec<_> = listed.iter().map(|label| (label.id, label.name.as_str())).collect();
        assert_eq!(names, [(sample.labels[0], "EVE"), (sample.labels[1], "PER")]);
        assert_eq!(listed[1].hotkey, Some('2'));
        assert_eq!(listed[1].colour, Colour::nth(1));

        let with =
            |name: &str, hotkey| NewLabel { name: name.to_owned(), colour: Colour::nth(5), hotkey };
        for (label, what) in [(with("EVE", None), "name"), (with("LOC", Some('1')), "hotkey")] {
            let tx = store.begin().await.unwrap();
            let error = labels::create(&tx, sample.project, &label).await.unwrap_err();
            assert!(matches!(error, Error::Duplicate(is) if is == what), "{error:?}");
            drop(tx);
            let tx = store.begin().await.unwrap();
            let id = sample.labels[1];
            let error = labels::save(&tx, sample.project, id, &label).await.unwrap_err();
            assert!(matches!(error, Error::Duplicate(is) if is == what), "{error:?}");
        }

        let tx = store.begin().await.unwrap();
        for name in ["LOC", "ORG"] {
            labels::create(&tx, sample.project, &with(name, None)).await.unwrap();
        }
        let id = sample.labels[0];
        assert!(labels::save(&tx, sample.project, id, &with("EVENT", Some('e'))).await.unwrap());
        let listed = labels::list(&tx, sample.project).await.unwrap();
        let names: Vec<_> = listed.iter().map(|label| label.name.as_str()).collect();
        assert_eq!(names, ["EVENT", "PER", "LOC", "ORG"], "new ones come last, changed ones stay");
    }
}

#[tokio::test]
async fn a_label_in_use_is_not_deleted() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [eve, per] = sample.labels;
        let tx = store.begin().await.unwrap();
        let document = sample.documents[0];
        assignments::insert_many(&tx, &[(document, sample.ann)]).await.unwrap();
        let assignment = assignments::list_of_member(&tx, sample.ann).await.unwrap()[0].id;
        spans::insert_many(&tx, &on(assignment, &[Span::new(0, 2, eve)])).await.unwrap();
        suggestions::insert_many(&tx, &[(document, Span::new(0, 2, per))]).await.unwrap();
        tx.commit().await.unwrap();
        for label in [eve, per] {
            let tx = store.begin().await.unwrap();
            let refused = labels::delete(&tx, sample.project, label).await;
            assert!(matches!(refused, Err(Error::InUse)), "{refused:?}");
        }
        let tx = store.begin().await.unwrap();
        spans::delete_many(&tx, &on(assignment, &[Span::new(0, 2, eve)])).await.unwrap();
        assert!(labels::delete(&tx, sample.project, eve).await.unwrap());
        assert!(!labels::delete(&tx, sample.project, eve).await.unwrap());
    }
}

#[tokio::test]
async fn a_member_who_was_removed_comes_back_as_the_same_member() {
    for store in stores().await {
        let sample = sample(&store).await;
        let (project, ann, user) = (sample.project, sample.ann, sample.users[0]);
        let tx = store.begin().await.unwrap();
        let again = members::add(&tx, project, user, Role::Reviewer, at(1)).await;
        assert!(matches!(again, Err(Error::Duplicate("member"))), "{again:?}");
        assert!(members::remove(&tx, project, ann, at(1)).await.unwrap());
        assert!(!members::remove(&tx, project, ann, at(2)).await.unwrap());
        assert_eq!(members::find(&tx, project, user).await.unwrap(), None);
        assert_eq!(members::find_by_id(&tx, project, ann).await.unwrap(), None);
        assert_eq!(members::list(&tx, project).await.unwrap().len(), 2);

        let back = members::add(&tx, project, user, Role::Reviewer, at(3)).await.unwrap();
        assert_eq!(back, ann);
        let member = members::find(&tx, project, user).await.unwrap().unwrap();
        assert_eq!((member.id, member.role, member.name.as_str()), (ann, Role::Reviewer, "ann"));
        assert_eq!(members::find_by_id(&tx, project, ann).await.unwrap(), Some(member));
    }
}

#[tokio::test]
async fn raters_are_labelers_then_reviewers_and_removed_ones_with_work() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let user = person(&tx, "cal").await;
        let cal = members::add(&tx, sample.project, user, Role::Labeler, at(0)).await.unwrap();
        let user = person(&tx, "mia").await;
        members::add(&tx, sample.project, user, Role::Manager, at(0)).await.unwrap();
        let raters = async |tx| {
            let raters = members::list_all_raters(tx, sample.project).await.unwrap();
            raters.iter().map(|rater| rater.id).collect::<Vec<_>>()
        };
        assert_eq!(raters(&tx).await, [sample.ann, sample.ben, cal, sample.ray]);

        let assignments = [(sample.documents[0], sample.ann), (sample.documents[0], sample.ben)];
        assignments::insert_many(&tx, &assignments).await.unwrap();
        let assignment = assignments::list_of_member(&tx, sample.ben).await.unwrap()[0].id;
        assert!(
            assignments::save(&tx, &[(assignment, Revision(0))], WorkState::Saved, at(1))
                .await
                .unwrap()
        );
        for member in [sample.ann, sample.ben] {
            members::remove(&tx, sample.project, member, at(2)).await.unwrap();
        }
        assert_eq!(raters(&tx).await, [sample.ben, cal, sample.ray], "ann had done nothing");
    }
}
