//! What was answered, in files of the formats that have a place for it.

use std::collections::BTreeSet;

use domain::{
    AnswerKind, AttributeId, DecisionChange, ExportFormat, ExportQuery, ExportWhat, Fact, LabelId,
    LabelSet, NewAttribute, NewGoldVersion, Range, RepeatAsk, SaveDecisions, Scale, Span, Verdict,
};
use serde_json::{Value, json};
use services::{
    document::export,
    project,
    review::{self, gold},
    work::{annotation, repeats},
};
use sha2::{Digest, Sha256};

use crate::world::{Person, World, worlds};

const THE: Range = Range::new(0, 3);
const HAMLET: Range = Range::new(15, 21);

/// Whose it is, the words that are marked (none of the document), the question, and what is answered.
type Given = BTreeSet<(String, String, String, String)>;

fn given(expected: &[[&str; 4]]) -> Given {
    let owned = expected.iter().map(|it| it.map(str::to_owned));
    owned.map(|[rater, words, question, answer]| (rater, words, question, answer)).collect()
}

/// The answers in a file of Label Studio's.
fn answers(file: &[u8]) -> Given {
    let tasks: Vec<Value> = serde_json::from_slice(file).unwrap();
    let mut found = Given::new();
    for task in &tasks {
        let list = |key: &str| task[key].as_array().cloned().unwrap_or_default();
        for work in list("annotations").iter().chain(&list("predictions")) {
            let rater = work["completed_by"]["email"].as_str().unwrap_or_default();
            for result in work["result"].as_array().unwrap() {
                let (kind, value) = (result["type"].as_str().unwrap(), &result["value"]);
                if kind == "labels" {
                    continue;
                }
                let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
                found.insert((
                    rater.to_owned(),
                    text(&value["text"]),
                    text(&result["from_name"]),
                    value[kind].to_string().replace('"', ""),
                ));
            }
        }
    }
    found
}

/// Questions of each kind about spans of the first label, and one about the document.
async fn ask(world: &World) -> [AttributeId; 4] {
    let scale = Scale::typed(["0", "5", "0.5"], ["", ""]).unwrap();
    let person = world.labels[0];
    let asked = [
        (person, "Gender", AnswerKind::One, "female\nmale"),
        (person, "Roles", AnswerKind::Several, "poet\nking, perhaps\nfool"),
        (person, "Sure", AnswerKind::Number(scale), ""),
        (LabelId::DOCUMENT, "Genre", AnswerKind::One, "verse\nprose"),
    ];
    let mut made = Vec::new();
    for (label, name, kind, choices) in asked {
        let new = NewAttribute::typed(name, (kind, choices), false, true).unwrap();
        let (services, manager) = (&world.services, &world.manager.actor);
        let id = project::create_attribute(services, manager, world.project, label, new);
        made.push(id.await.unwrap());
    }
    made.try_into().unwrap()
}

fn several(numbers: &[u16]) -> domain::Answer {
    domain::Answer::several(numbers.iter().copied()).unwrap()
}

/// Two labelers who agree on one span and one of its answers, and on nothing else; both have submitted.
async fn answered(world: &World) -> [AttributeId; 4] {
    let questions = ask(world).await;
    let [gender, roles, sure, genre] = questions;
    let on = |range| Span { range, label: world.labels[0] };
    let (the, hamlet) = (on(THE), on(HAMLET));
    let first = [
        Fact::chosen(the, gender, 0),
        Fact::chosen(the, sure, 3),
        Fact::chosen(hamlet, gender, 1),
        Fact::chosen(hamlet, roles, several(&[0, 1])),
        Fact::chosen(Span::DOCUMENT, genre, 0),
    ];
    let second = [
        Fact::chosen(the, gender, 0),
        Fact::chosen(the, sure, 10),
        Fact::chosen(hamlet, roles, several(&[2])),
        Fact::chosen(Span::DOCUMENT, genre, 1),
    ];
    for (labeler, facts) in [&first[..], &second[..]].into_iter().enumerate() {
        world.change(labeler, 0, &[], facts).await;
        world.submit(labeler, 0).await;
    }
    questions
}

async fn taken_away(world: &World, who: &Person, what: ExportWhat) -> Given {
    let file = world.exported(&who.actor, what, ExportFormat::LabelStudio).await;
    let mut bytes = Vec::new();
    file.unwrap().write_to(&mut bytes).unwrap();
    answers(&bytes)
}

#[tokio::test]
async fn each_labelers_answers_go_with_their_work() {
    for world in worlds(2, 2).await {
        let [gender, ..] = answered(&world).await;
        let first = |rater| {
            [
                [rater, "The", "Gender", "[female]"],
                [rater, "The", "Sure", "1.5"],
                [rater, "Hamlet", "Gender", "[male]"],
                [rater, "Hamlet", "Roles", "[poet,king, perhaps]"],
                [rater, "", "Genre", "[verse]"],
            ]
        };
        let second = [
            ["labeler-3", "The", "Gender", "[female]"],
            ["labeler-3", "The", "Sure", "5.0"],
            ["labeler-3", "Hamlet", "Roles", "[fool]"],
            ["labeler-3", "", "Genre", "[prose]"],
        ];
        let all: Vec<_> = first("labeler-2").into_iter().chain(second).collect();
        let found = taken_away(&world, &world.manager, ExportWhat::Labelers).await;
        assert_eq!(found, given(&all));
        // Their own, and as it is before them.
        let labeler = &world.labelers[0];
        let found = taken_away(&world, labeler, ExportWhat::Own).await;
        assert_eq!(found, given(&first("labeler-2")));
        let choice = Fact::chosen(Span { range: THE, label: world.labels[0] }, gender, 0);
        let assignment = world.assignment(0, 0).await;
        let view = annotation::load(&world.services, &labeler.actor, assignment);
        let base = view.await.unwrap().content.revision;
        annotation::reopen(&world.services, &labeler.actor, assignment, base).await.unwrap();
        world.change(0, 0, &[choice], &[]).await;
        let found = taken_away(&world, labeler, ExportWhat::Own).await;
        assert_eq!(found, given(&first("labeler-2")[1..]));
    }
}

#[tokio::test]
async fn what_is_answered_a_second_time_is_what_its_labeler_takes_away() {
    for world in worlds(1, 1).await {
        let [gender, .., genre] = ask(&world).await;
        let the = Span { range: THE, label: world.labels[0] };
        let of = |number| {
            [Fact::chosen(the, gender, number), Fact::chosen(Span::DOCUMENT, genre, number)]
        };
        world.change(0, 0, &[], &of(0)).await;
        world.submit(0, 0).await;
        let (services, manager) = (&world.services, &world.manager.actor);
        let ask = RepeatAsk { documents: 1, days: 0 };
        let plan = repeats::load(services, manager, world.project, ask).await.unwrap().plan;
        repeats::give(services, manager, world.project, plan.ask, &plan.seen).await.unwrap();
        let labeler = &world.labelers[0];
        assert_eq!(taken_away(&world, labeler, ExportWhat::Own).await, Given::new());
        world.change(0, 0, &[], &of(1)).await;
        let expected = |gender: &'static str, genre: &'static str| {
            given(&[["labeler-2", "The", "Gender", gender], ["labeler-2", "", "Genre", genre]])
        };
        let found = taken_away(&world, labeler, ExportWhat::Own).await;
        assert_eq!(found, expected("[male]", "[prose]"));
        let found = taken_away(&world, &world.manager, ExportWhat::Labelers).await;
        assert_eq!(found, expected("[female]", "[verse]"));
    }
}

#[tokio::test]
async fn gold_has_what_was_decided_and_what_all_who_are_unanimous_answered_alike() {
    for world in worlds(2, 2).await {
        let [_, roles, _, genre] = answered(&world).await;
        let unanimous = ["", "The", "Gender", "[female]"];
        let found = taken_away(&world, &world.manager, ExportWhat::Gold).await;
        assert_eq!(found, given(&[unanimous]), "nobody has decided about the document");
        let person = world.labels[0];
        let chosen = Fact::chosen(Span { range: HAMLET, label: person }, roles, several(&[0, 2]));
        let decided = DecisionChange {
            answers: Some(BTreeSet::from([chosen])),
            ..DecisionChange::new(HAMLET, Some((Verdict::Accept, LabelSet::one(person))))
        };
        let prose = Fact::chosen(Span::DOCUMENT, genre, 1);
        let about_document = DecisionChange::of_document(BTreeSet::from([prose]));
        let document = world.documents[0];
        let reviewer = &world.reviewer;
        let view = review::load(&world.services, &reviewer.actor, document).await.unwrap();
        let command = SaveDecisions {
            document,
            base: view.content.revision,
            key: world.key(),
            changes: vec![decided, about_document],
        };
        review::save(&world.services, &reviewer.actor, command).await.unwrap();
        let decisions =
            |rater| [[rater, "Hamlet", "Roles", "[poet,fool]"], [rater, "", "Genre", "[prose]"]];
        let expected: Vec<_> = decisions("").into_iter().chain([unanimous]).collect();
        let found = taken_away(&world, &world.manager, ExportWhat::Gold).await;
        assert_eq!(found, given(&expected));
        let what = ExportWhat::Rater(reviewer.member);
        let found = taken_away(&world, &world.manager, what).await;
        assert_eq!(found, given(&decisions("reviewer-1")));

        // Where the file has no place for them, that is told.
        let (services, manager) = (&world.services, &world.manager.actor);
        let (what, format) = (ExportWhat::Gold, ExportFormat::Conll);
        let query = ExportQuery { what, format, ..ExportQuery::default() };
        let told = export::preview(services, manager, world.project, query).await.unwrap();
        let told = told.losses.iter().find(|loss| loss.reason == "choices-left-out");
        assert!(told.is_some_and(|loss| loss.example.contains("3 answers")));

        // A version keeps its answers, in the words of its day.
        let lines = world.export_bytes(ExportWhat::Gold, ExportFormat::JsonLines).await;
        let new = NewGoldVersion { name: "first".to_owned(), note: String::new() };
        let version = gold::lock(services, manager, world.project, new).await.unwrap();
        let what = ExportWhat::GoldVersion(version);
        assert_eq!(world.export_bytes(what, ExportFormat::JsonLines).await, lines);
        let renamed = NewAttribute::typed("Kind", (AnswerKind::One, "verse\nprose"), false, true);
        let save =
            project::save_attribute(services, manager, world.project, genre, renamed.unwrap());
        save.await.unwrap();
        world.decide(0, HAMLET, Verdict::Reject, LabelSet::EMPTY).await;
        assert_ne!(world.export_bytes(ExportWhat::Gold, ExportFormat::JsonLines).await, lines);
        assert_eq!(world.export_bytes(what, ExportFormat::JsonLines).await, lines);
        let found = taken_away(&world, &world.manager, what).await;
        assert_eq!(found, given(&expected));
        let first = lines.split(|byte| *byte == b'\n').next().unwrap();
        let line: Value = serde_json::from_slice(first).unwrap();
        assert_eq!(
            line["answers"],
            json!([
                { "question": "Genre", "answer": "prose" },
                { "start": 0, "end": 3, "label": "PER", "question": "Gender", "answer": "female" },
                { "start": 15, "end": 21, "label": "PER", "question": "Roles", "answer": ["poet", "fool"] },
            ])
        );
        let listed =
            store::review::gold_versions::list(&*world.store, world.project).await.unwrap();
        assert_eq!(listed[0].sha256, format!("{:x}", Sha256::digest(&lines)));
    }
}
