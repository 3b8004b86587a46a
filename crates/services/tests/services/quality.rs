//! The quality statement: every point from the project's own rows.

use crate::{
    house::refused,
    second_reviews::{another, end, preview},
    world::{World, worlds},
};
use domain::{Actor, LabelSet, Range, Span, Verdict};
use services::{overview, review::second_reviews};

/// The text of the statement without its markup, a cell after the other.
async fn statement(world: &World) -> String {
    let file = overview::quality(&world.services, &world.manager.actor, world.project).await;
    let html = String::from_utf8(file.unwrap().body).unwrap();
    let mut text = String::new();
    for part in html.split('<') {
        let words = part.split_once('>').map_or(part, |(_, words)| words).trim();
        if !words.is_empty() {
            text.push_str(words);
            text.push('\n');
        }
    }
    text
}

/// The answer to a point.
fn answer<'a>(statement: &'a str, point: &str) -> &'a str {
    let mut lines = statement.lines().skip_while(|line| *line != point);
    lines.nth(1).unwrap_or_else(|| panic!("no {point} in {statement}"))
}

#[tokio::test]
async fn each_point_is_answered_from_rows_or_marked_as_not_recorded() {
    for world in worlds(2, 3).await {
        let empty = statement(&world).await;
        assert_eq!(answer(&empty, "Labelers"), "2, of these 0 with submitted work");
        assert_eq!(answer(&empty, "Decisions"), "0, of these 0 with a reason");
        assert_eq!(answer(&empty, "Background and pay"), "not recorded");
        assert!(answer(&empty, "Error rate").starts_with("not known"));
        assert!(empty.contains("The gold standard was not validated by a random sample."));
        assert!(empty.contains("3 of 3 documents have fewer than two submitted annotations"));

        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        let (same, differ) = (Range::new(0, 3), Range::new(4, 11));
        for labeler in [0, 1] {
            let other = if labeler == 0 { per } else { title };
            let spans = [Span { range: same, label: per }, Span { range: differ, label: other }];
            world.mark(labeler, 0, &spans).await;
            world.submit(labeler, 0).await;
        }
        world.decide(0, differ, Verdict::Accept, LabelSet::one(per)).await;
        end(&world, &world.reviewer, 0).await;
        let rosa = another(&world).await;
        let plan = preview(&world, rosa.member, 100).await;
        let manager = &world.manager.actor;
        second_reviews::give(&world.services, manager, world.project, plan.ask, &plan.seen)
            .await
            .unwrap();
        let waiting = statement(&world).await;
        assert!(waiting.contains("The gold standard was not validated by a random sample."));

        let theirs = [(same, per), (differ, title)];
        for (range, label) in theirs {
            world.decide_as(&rosa, 0, range, Verdict::Accept, LabelSet::one(label)).await;
        }
        end(&world, &rosa, 0).await;
        let found = statement(&world).await;
        assert_eq!(answer(&found, "Labelers"), "2, of these 2 with submitted work");
        assert_eq!(answer(&found, "Reviewers"), "2, of these 2 with submitted work");
        assert_eq!(answer(&found, "Decisions"), "3, of these 0 with a reason");
        assert_eq!(answer(&found, "Gold positions judged again"), "2");
        assert_eq!(answer(&found, "Of these decided otherwise"), "1");
        // Half of two, after Clopper and Pearson (1934).
        assert!(
            answer(&found, "Error rate").starts_with("50.0 % (exact 95 % interval 1.3 % to 98.7 %")
        );
        assert!(answer(&found, "Samples").contains(&plan.seed));
        assert!(found.contains("2 of 3 documents have fewer than two submitted annotations"));
        // People are not named.
        for person in [&world.labelers[0], &world.labelers[1], &world.reviewer, &rosa] {
            let Actor::Person(user) = &person.actor else { panic!("a person") };
            assert!(!found.contains(&user.name), "{} is named", user.name);
        }
        for name in ["Labeler 1", "Labeler 2", "Reviewer 1", "Reviewer 2"] {
            assert!(found.lines().any(|line| line == name), "{name}");
        }
    }
}

#[tokio::test]
async fn it_is_for_managers() {
    for world in worlds(1, 1).await {
        let others = [&world.labelers[0].actor, &world.reviewer.actor, &world.outsider];
        for actor in others.into_iter().chain([&Actor::Anonymous]) {
            refused(overview::quality(&world.services, actor, world.project).await);
        }
    }
}
