//! Disagreement as data: who said what on each position, under pseudonyms, and what becomes of a minority.

use domain::{Actor, Error as Refusal, Filter, LabelSet, Range, Span, Switches, Verdict};
use serde_json::{Value, json};
use services::{Error, agreement, document::export};

use crate::world::{World, worlds};

const THE: Range = Range::new(0, 3);
const TRAGEDY: Range = Range::new(4, 11);
const HAMLET: Range = Range::new(15, 21);
const DENMARK: Range = Range::new(33, 40);

/// Three labelers have submitted the first document, a fourth goes on; of the second one is done.
async fn worked_on(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    let span = |range, label| Span { range, label };
    world.mark(0, 0, &[span(THE, per), span(HAMLET, title)]).await;
    world.mark(1, 0, &[span(THE, per), span(HAMLET, per)]).await;
    world.mark(2, 0, &[span(THE, per), span(HAMLET, per), span(TRAGEDY, title)]).await;
    world.mark(3, 0, &[span(DENMARK, per)]).await;
    world.mark(0, 1, &[span(THE, title)]).await;
    for labeler in 0..3 {
        world.submit(labeler, 0).await;
    }
    world.submit(0, 1).await;
    world.decide(0, TRAGEDY, Verdict::Accept, LabelSet::one(title)).await;
}

fn lines(body: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(body).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn each_position_has_the_share_of_those_who_had_the_document_to_do() {
    for world in worlds(4, 2).await {
        worked_on(&world).await;
        for actor in [&world.manager.actor, &world.reviewer.actor] {
            let file = export::soft_labels(&world.services, actor, world.project).await.unwrap();
            let text = std::str::from_utf8(&file.body).unwrap();
            assert!(!text.contains("labeler-"), "{text}");
            let rows = lines(&file.body);
            let [the, tragedy, hamlet, alone] = &rows[..] else { panic!("{text}") };
            let document = world.documents[0];
            assert_eq!(the["item"], format!("{document}:0-3"));
            assert_eq!((&the["text"], &the["people"]), (&json!("The"), &json!(3)));
            assert_eq!(the["soft_label"], json!({ "PER": 1.0 }));
            assert_eq!(tragedy["soft_label"], json!({ "∅": 2.0 / 3.0, "TITLE": 1.0 / 3.0 }));
            assert_eq!(hamlet["soft_label"], json!({ "PER": 2.0 / 3.0, "TITLE": 1.0 / 3.0 }));
            let said = json!({ "Labeler 1": "TITLE", "Labeler 2": "PER", "Labeler 3": "PER" });
            assert_eq!(hamlet["judgements"], said);
            assert_eq!(alone["judgements"], json!({ "Labeler 1": "TITLE" }));
            assert!(rows.iter().all(|row| {
                let shares = row["soft_label"].as_object().unwrap().values();
                (shares.filter_map(Value::as_f64).sum::<f64>() - 1.0).abs() < 1e-12
            }));
        }
    }
}

#[tokio::test]
async fn people_are_counted_under_the_same_pseudonyms() {
    for world in worlds(4, 2).await {
        worked_on(&world).await;
        let actor = &world.reviewer.actor;
        let file = export::soft_label_people(&world.services, actor, world.project).await.unwrap();
        let people = lines(&file.body);
        let [first, second, third] = &people[..] else { panic!("{people:?}") };
        let counts = json!({ "PER": 1, "TITLE": 2, "∅": 1 });
        let expected = json!({
            "person": "Labeler 1", "documents": 2, "positions": 4, "alone": 1, "judgements": counts,
        });
        assert_eq!(*first, expected);
        assert_eq!((&second["person"], &second["alone"]), (&json!("Labeler 2"), &json!(0)));
        assert_eq!((&third["person"], &third["alone"]), (&json!("Labeler 3"), &json!(1)));
    }
}

#[tokio::test]
async fn labelers_and_strangers_are_refused() {
    for world in worlds(4, 2).await {
        worked_on(&world).await;
        let both = async |actor: &Actor| {
            let (services, project) = (&world.services, world.project);
            let rows = export::soft_labels(services, actor, project).await.map(|_| ());
            [rows, export::soft_label_people(services, actor, project).await.map(|_| ())]
        };
        for refused in both(&world.labelers[0].actor).await {
            assert!(matches!(refused, Err(Error::Refused(Refusal::Denied(_)))));
        }
        for refused in both(&world.outsider).await {
            assert!(matches!(refused, Err(Error::Refused(Refusal::NotFound))));
        }
    }
}

#[tokio::test]
async fn a_report_keeps_minority_judgements_if_it_is_asked_to() {
    for world in worlds(4, 2).await {
        worked_on(&world).await;
        let report = async |switches, keep_minority| {
            let (services, actor) = (&world.services, &world.manager.actor);
            let report = agreement::report(services, actor, world.project, switches, keep_minority);
            String::from_utf8(report.await.unwrap().body).unwrap()
        };
        let plain = report(Switches::default(), false).await;
        assert!(!plain.contains("Minority judgements"));
        let kept = report(Switches::default(), true).await;
        let (_, section) = kept.split_once("Minority judgements").unwrap();
        for words in [
            "<th scope=\"row\">document 0: 15–21</th><td>Hamlet</td>",
            "PER (2 of 3): Labeler 2, Labeler 3; TITLE (1 of 3): Labeler 1",
            "∅ (2 of 3): Labeler 1, Labeler 2; TITLE (1 of 3): Labeler 3",
        ] {
            assert!(section.contains(words), "{words}\n{section}");
        }
        // Nothing else in the file tells who that is.
        assert!(plain.contains("labeler-") && !kept.contains("labeler-"));
        // All say the same of it, and of the other document one alone.
        assert!(!section.contains("0–3"), "{section}");
        let filter = Filter { document: Some(world.documents[1]), ..Filter::NONE };
        let narrowed = report(Switches { filter, ..Switches::default() }, true).await;
        let (_, section) = narrowed.split_once("Minority judgements").unwrap();
        assert!(!section.contains("Hamlet"), "{section}");
    }
}
