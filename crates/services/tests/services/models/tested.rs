//! What a model is worth: beside labelers, and against what reviewers decided.

use domain::{
    Confidence, Error as Refusal, LabelSet, ModelId, NewModel, NoInterval, OtherModel,
    PolicyChoice, Role, Span, StandInFor, Switches, Verdict,
};
use services::{agreement, work::models};

use crate::{
    house::refused,
    world::{World, worlds},
};

impl World {
    pub(super) async fn report(&self, switches: Switches) -> String {
        let actor = &self.manager.actor;
        let report = agreement::report(&self.services, actor, self.project, switches, false);
        String::from_utf8(report.await.unwrap().body).unwrap()
    }
}

/// As many documents as the alternative annotator test asks of each labeler, and one more.
const TESTED: usize = 31;

#[tokio::test]
async fn a_model_that_marks_as_most_do_may_stand_in_and_one_that_does_not_may_not() {
    for world in worlds(3, TESTED).await {
        let [per, title] = [world.labels[0], world.labels[1]];
        let (same, other) = (Span::new(0, 3, per), Span::new(4, 7, title));
        let (good, bad) = (world.model("good").await, world.model("bad").await);
        let found = async |model, policy| {
            let switches = Switches { policy, ..Switches::default() };
            let (actor, of) = (&world.manager.actor, (world.project, model));
            let asked = (switches, StandInFor::Crowd);
            agreement::stand_in(&world.services, actor, of, asked).await.unwrap()
        };
        for document in 0..TESTED {
            for labeler in 0..3 {
                world.mark(labeler, document, &[same]).await;
            }
            world.hand_in(good, document, &[same]).await;
            world.hand_in(bad, document, &[other]).await;
        }
        let drafts = found(good, PolicyChoice::Cleaned).await.whole;
        assert_eq!(
            drafts.passes(),
            None,
            "what is not submitted says nothing of what is not marked"
        );
        assert_eq!(drafts.comparisons.len(), 3);
        for document in 0..TESTED {
            for labeler in 0..3 {
                world.submit(labeler, document).await;
            }
        }
        let report = world.report(Switches::default()).await;
        for words in ["tagger good may stand in for one", "tagger bad may not stand in for one"] {
            assert!(report.contains(words), "{words}");
        }
        for policy in [PolicyChoice::Cleaned, PolicyChoice::Overlap] {
            let passed = found(good, policy).await;
            let whole = &passed.whole;
            assert_eq!((whole.winning_rate, whole.passes()), (Some(1.0), Some(true)));
            assert!(whole.comparisons.iter().all(|it| it.documents == 31 && it.won));
            let failed = found(bad, policy).await;
            assert_eq!(
                (failed.whole.winning_rate, failed.whole.passes()),
                (Some(0.0), Some(false))
            );
            // Of a label that nobody gives there is nothing to test, however many documents are without it.
            let by_label: Vec<_> = failed.labels.iter().map(|it| it.test.passes()).collect();
            assert_eq!(by_label[..3], [Some(false), Some(false), None]);
        }
    }
}

#[tokio::test]
async fn labelers_are_told_of_no_stand_in() {
    for world in worlds(2, 1).await {
        let model = world.model("1").await;
        let asked = (Switches::default(), StandInFor::default());
        let of = (world.project, model);
        let labeler = &world.labelers[0].actor;
        let refusal = agreement::stand_in(&world.services, labeler, of, asked).await.unwrap_err();
        assert!(matches!(refusal, services::Error::Refused(Refusal::Denied(_))), "{refusal:?}");
        let unknown = (world.project, ModelId(model.0 + 1));
        let manager = &world.manager.actor;
        let missing = agreement::stand_in(&world.services, manager, unknown, asked).await;
        assert!(matches!(missing, Err(services::Error::Refused(Refusal::NotFound))));
    }
}

#[tokio::test]
async fn a_model_is_scored_against_what_reviewers_decided_and_against_another() {
    for world in worlds(2, 3).await {
        let [per, org] = [world.labels[0], world.labels[1]];
        let (first, second) = (world.model("1").await, world.model("2").await);
        // Decided: three of PER and one of ORG; a rejected position is none.
        let marked = [Span::new(0, 3, per), Span::new(4, 11, per), Span::new(15, 21, org)];
        for document in 0..3 {
            for labeler in 0..2 {
                world.mark(labeler, document, &marked).await;
                world.submit(labeler, document).await;
            }
        }
        for document in 0..2 {
            for span in &marked[..2 + document] {
                let is_reject = document == 0 && span.range.start == 4;
                let (verdict, labels) = if is_reject {
                    (Verdict::Reject, LabelSet::EMPTY)
                } else {
                    (Verdict::Accept, LabelSet::one(span.label))
                };
                world.decide(document, span.range, verdict, labels).await;
            }
            if document == 0 {
                let accepted = LabelSet::one(org);
                world.decide(document, marked[2].range, Verdict::Accept, accepted).await;
            }
            world.finish(document).await;
        }
        // The third document is not reviewed: whatever a model has there says nothing.
        world.hand_in(first, 2, &marked).await;
        world.hand_in(first, 0, &[marked[0], marked[1]]).await;
        world.hand_in(first, 1, &[marked[0], Span::new(4, 10, per), marked[2]]).await;
        world.hand_in(second, 1, &[marked[0]]).await;
        let (services, manager) = (&world.services, &world.manager.actor);
        let scored = async |model, policy| {
            let switches = Switches { policy, ..Switches::default() };
            let of = (world.project, model);
            agreement::against_decisions(services, manager, of, switches).await.unwrap()
        };
        let exact = scored(first, PolicyChoice::Cleaned).await;
        // Decided: 2 in the first, 3 in the second; found 2 and 3; in both 1 and 2.
        let whole = exact.whole;
        assert_eq!((exact.documents, whole.decided, whole.found, whole.matched), (2, 5, 5, 3));
        assert_eq!((whole.precision.value, whole.recall.value), (Some(0.6), Some(0.6)));
        let Confidence::Interval { lower, upper } = whole.f1.confidence else {
            panic!("{:?}", whole.f1.confidence)
        };
        // Of two documents with F1 of 1/2 and 2/3, resamples lie between these.
        assert!((lower - 0.5).abs() < 1e-9 && (upper - 2.0 / 3.0).abs() < 1e-9, "{lower} {upper}");
        let of = |label| exact.labels.iter().find(|it| it.label.id == label).unwrap().scores;
        assert_eq!((of(org).precision.value, of(org).recall.value), (Some(1.0), Some(0.5)));
        let nothing = exact.labels.last().unwrap().scores;
        assert_eq!((nothing.f1.value, nothing.decided), (None, 0));
        let report = world.report(Switches::default()).await;
        assert!(report.contains("Against what reviewers decided"));
        assert!(report.contains("<td>0.6000 (0.5000 to 0.6667)</td>"), "{report}");
        let overlap = scored(first, PolicyChoice::Overlap).await.whole;
        assert_eq!(overlap.matched, 4);

        // Both have one document: F1 2/3 against 1/2, and nothing to exchange that is not as far apart.
        let [OtherModel { model, difference }] = &exact.others[..] else {
            panic!("{:?}", exact.others)
        };
        assert_eq!((model.title().as_str(), difference.documents), ("tagger 2", 1));
        assert!((difference.f1.unwrap() - 1.0 / 6.0).abs() < 1e-9);
        assert_eq!(difference.p_value, Some(1.0));
        assert_eq!((difference.only_this, difference.only_other), (1, 0));
        assert_eq!(difference.mcnemar, Some(1.0));
        let back = scored(second, PolicyChoice::Cleaned).await;
        assert!((back.others[0].difference.f1.unwrap() + 1.0 / 6.0).abs() < 1e-9);

        let labeler = &world.labelers[0].actor;
        let of = (world.project, first);
        let denied = agreement::against_decisions(services, labeler, of, Switches::default());
        assert!(matches!(refused(denied.await), Refusal::Denied(_)));
    }
}

#[tokio::test]
async fn a_report_says_nothing_of_models_without_work() {
    for world in worlds(2, 1).await {
        assert!(!world.report(Switches::default()).await.contains("Models"));
        world.model("idle").await;
        assert!(!world.report(Switches::default()).await.contains("tagger idle"));
    }
}

#[tokio::test]
async fn versions_of_a_name_stand_in_the_order_of_time_with_what_each_comes_to() {
    for world in worlds(2, 3).await {
        let per = world.labels[0];
        let (services, manager) = (&world.services, &world.manager.actor);
        let made = |version: &str, day: &str| NewModel {
            made_on: Some(day.parse().unwrap()),
            ..super::tagger(version, "")
        };
        let add = async |new| models::add(services, manager, world.project, new).await.unwrap();
        let newer = add(made("a", "1969-12-31")).await;
        let older = add(made("b", "1969-12-30")).await;
        let undated = add(super::tagger("c", "")).await;
        add(NewModel { name: "other".to_owned(), ..super::tagger("1", "") }).await;
        let marked = [Span::new(0, 3, per), Span::new(4, 11, world.labels[1])];
        for document in 0..3 {
            for labeler in 0..2 {
                world.mark(labeler, document, &marked).await;
                world.submit(labeler, document).await;
            }
            for span in marked {
                let labels = LabelSet::one(span.label);
                world.decide(document, span.range, Verdict::Accept, labels).await;
            }
            world.finish(document).await;
            let other = Span::new(0, 3, world.labels[2]);
            world.hand_in(older, document, &[other, marked[1]]).await;
            let first = if document == 0 { other } else { marked[0] };
            world.hand_in(newer, document, &[first, marked[1]]).await;
        }
        let of = async |actor, model| {
            let asked = (Switches::default(), StandInFor::default());
            agreement::versions(services, actor, (world.project, model), asked).await
        };
        let found = of(&world.reviewer.actor, newer).await.unwrap();
        let ids: Vec<_> = found.iter().map(|it| it.model.id).collect();
        assert_eq!(ids, [older, newer, undated], "who has no day has that of being added");
        assert_eq!(of(&world.reviewer.actor, undated).await.unwrap(), found);
        // Of six decided spans three are found, and then five.
        let f1: Vec<_> = found.iter().map(|it| it.f1.value).collect();
        assert_eq!(f1, [Some(0.5), Some(5.0 / 6.0), None]);
        let pooled = |at: usize| found[at].agreement.unwrap();
        for (at, model) in [(0, older), (1, newer)] {
            let of = (world.project, model);
            let view = agreement::model(services, manager, of, Switches::default()).await.unwrap();
            assert_eq!(view.rows[0].pooled_with(Role::Labeler), Some(&pooled(at)));
        }
        let value = |at: usize| pooled(at).measured.value().unwrap();
        assert!(value(0) < value(1));
        let Confidence::Interval { lower, upper } = found[1].confidence else {
            panic!("{:?}", found[1].confidence)
        };
        // One document of three is wrong: resamples have none of it, or nothing else.
        assert!((upper - 1.0).abs() < 1e-9 && lower < value(1), "{lower} {upper}");
        assert_eq!((pooled(2).n, found[2].confidence), (0, Confidence::None(NoInterval::NoValue)));
        assert_eq!(found[0].stand_in.passes(), None);
        for person in [&world.labelers[0].actor, &world.outsider] {
            let refusal = refused(of(person, newer).await);
            assert!(matches!(refusal, Refusal::Denied(_) | Refusal::NotFound), "{refusal:?}");
        }
        let unknown = ModelId(i64::MAX);
        assert_eq!(refused(of(manager, unknown).await), Refusal::NotFound);
    }
}

#[tokio::test]
async fn documents_that_no_labeler_has_are_no_units_of_an_interval() {
    for world in worlds(2, 3).await {
        let marked = [Span::new(0, 3, world.labels[0]), Span::new(4, 11, world.labels[1])];
        for labeler in 0..2 {
            world.mark(labeler, 0, &marked).await;
            world.submit(labeler, 0).await;
        }
        let model = world.model("1").await;
        for document in 0..3 {
            let of_model = [marked[0], Span::new(4, 11, world.labels[document])];
            world.hand_in(model, document, &of_model).await;
        }
        let asked = (Switches::default(), StandInFor::default());
        let of = (world.project, model);
        let manager = &world.manager.actor;
        let found = agreement::versions(&world.services, manager, of, asked).await.unwrap();
        assert!(found[0].agreement.unwrap().measured.value().is_some());
        assert_eq!(found[0].confidence, Confidence::None(NoInterval::OneDocument));
    }
}
