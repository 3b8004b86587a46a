//! What labels forbid and ask: saves take everything, handing in asks for what is right.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use domain::{
    AnswerKind, AssignmentView, AttributeId, DisagreementQuery, DocumentId, Error as Refusal, Fact,
    LabelDetail, Limits, NewAttribute, ProjectId, ProjectSettings, RepeatAsk, Revision,
    SaveOutcome, Span, SuggestionSettings, WalkList, WalkQuery, base::text,
};
use services::{
    document::export,
    project::{self, guidelines},
    review::{self, walk},
    work::{annotation, history, repeats},
};
use store::document::NewDocument;

use crate::world::{TEXT, World, worlds};

/// "Tragedy of Hamlet", "Hamlet, Prince", "Hamlet", "Denmark".
const TRAGEDY: (u32, u32) = (4, 21);
const PRINCE: (u32, u32) = (15, 29);
const HAMLET: (u32, u32) = (15, 21);
const DENMARK: (u32, u32) = (33, 40);

fn span(world: &World, (start, end): (u32, u32), label: usize) -> Span {
    Span::new(start, end, world.labels[label])
}

async fn describe(world: &World, label: usize, limits: Limits) {
    let detail = LabelDetail { id: world.labels[label], limits, ..LabelDetail::default() };
    let actor = &world.manager.actor;
    project::describe_label(&world.services, actor, world.project, detail).await.unwrap();
}

async fn ask(world: &World, label: usize, choices: &str, required: bool) -> AttributeId {
    let new = NewAttribute::typed("Gender", (AnswerKind::One, choices), required, true).unwrap();
    let (actor, label) = (&world.manager.actor, world.labels[label]);
    project::create_attribute(&world.services, actor, world.project, label, new).await.unwrap()
}

async fn open(world: &World, labeler: usize, document: usize) -> AssignmentView {
    let assignment = world.assignment(labeler, document).await;
    let actor = &world.labelers[labeler].actor;
    annotation::load(&world.services, actor, assignment).await.unwrap()
}

async fn refused_submit(world: &World, labeler: usize) -> (String, String) {
    let view = open(world, labeler, 0).await;
    let (actor, base) = (&world.labelers[labeler].actor, view.content.revision);
    match annotation::submit(&world.services, actor, view.id, base).await {
        Err(services::Error::Refused(Refusal::Invalid { field, problem })) => {
            (field, problem.to_string())
        }
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn a_save_is_never_refused_for_a_limit_but_handing_in_is_and_says_where() {
    for world in worlds(1, 1).await {
        let spans = [span(&world, TRAGEDY, 1), span(&world, PRINCE, 0), span(&world, HAMLET, 0)];
        world.mark(0, 0, &spans[..2]).await;
        let limits = Limits { crosses_others: false, within: Some(vec![]), ..Limits::default() };
        describe(&world, 0, limits).await;
        world.mark(0, 0, &spans[2..]).await;

        let (field, problem) = refused_submit(&world, 0).await;
        assert_eq!(field, "spans.4-21");
        let lines: Vec<_> = problem.lines().collect();
        assert_eq!(
            lines,
            [
                "3 things to fix before submitting:",
                "TITLE \"Tragedy of Hamlet\" (4 to 21) and PER \"Hamlet\" (15 to 21) cannot overlap here",
                "TITLE \"Tragedy of Hamlet\" (4 to 21) and PER \"Hamlet, Prince\" (15 to 29) cannot overlap here",
                "PER \"Hamlet\" (15 to 21) and PER \"Hamlet, Prince\" (15 to 29) cannot overlap here",
            ]
        );
        let view = open(&world, 0, 0).await;
        assert_eq!(view.content.spans.len(), 3, "nothing that was saved is gone");

        world.change(0, 0, &[spans[1].into(), spans[2].into()], &[]).await;
        world.submit(0, 0).await;
    }
}

#[tokio::test]
async fn what_is_chosen_stands_on_its_span_and_goes_with_it() {
    for world in worlds(1, 1).await {
        let attribute = ask(&world, 0, "female\nmale", false).await;
        let (hamlet, denmark) = (span(&world, HAMLET, 0), span(&world, DENMARK, 0));
        let chosen = |span, number| Fact::chosen(span, attribute, number);
        world.change(0, 0, &[], &[hamlet.into(), chosen(hamlet, 1), chosen(denmark, 0)]).await;
        let content = open(&world, 0, 0).await.content;
        assert_eq!(content.spans, [hamlet, denmark], "a choice brings its span");
        assert_eq!(content.choices, [chosen(hamlet, 1), chosen(denmark, 0)]);

        world.change(0, 0, &[], &[chosen(hamlet, 0)]).await;
        let content = open(&world, 0, 0).await.content;
        assert_eq!(content.choices, [chosen(hamlet, 0), chosen(denmark, 0)], "one at a time");

        world.change(0, 0, &[hamlet.into()], &[]).await;
        let content = open(&world, 0, 0).await.content;
        assert_eq!(content.choices, [chosen(denmark, 0)]);
        let report = services::outside::verification::all(&world.store).await;
        assert!(report.unwrap().iter().all(|project| project.problems.is_empty()));
    }
}

#[tokio::test]
async fn a_choice_is_saved_once_under_its_key_and_told_in_a_conflict() {
    for world in worlds(1, 1).await {
        let attribute = ask(&world, 0, "female\nmale", false).await;
        let hamlet = span(&world, HAMLET, 0);
        let chosen = Fact::chosen(hamlet, attribute, 1);
        let mut command = world.adding(0, 0, &[hamlet]).await;
        command.added.push(chosen);
        let actor = &world.labelers[0].actor;
        let first = annotation::save(&world.services, actor, command.clone()).await.unwrap();
        let again = annotation::save(&world.services, actor, command.clone()).await.unwrap();
        assert_eq!(first, again);
        command.key = world.key();
        match annotation::save(&world.services, actor, command).await.unwrap() {
            SaveOutcome::Conflict(content) => assert_eq!(content.choices, [chosen]),
            other @ SaveOutcome::Saved { .. } => panic!("no conflict: {other:?}"),
        }
    }
}

#[tokio::test]
async fn only_choices_that_the_label_has_are_taken_also_those_no_longer_offered() {
    for world in worlds(1, 1).await {
        let attribute = ask(&world, 0, "female\nmale", false).await;
        let actor = &world.labelers[0].actor;
        let save = async |fact: Fact| {
            let mut command = world.adding(0, 0, &[]).await;
            command.added.push(fact);
            annotation::save(&world.services, actor, command).await
        };
        let (per, title) = (span(&world, HAMLET, 0), span(&world, HAMLET, 1));
        for wrong in [
            Fact::chosen(per, attribute, 2),
            Fact::chosen(title, attribute, 0),
            Fact::chosen(per, AttributeId(attribute.0 + 1), 0),
        ] {
            let refused = save(wrong).await.unwrap_err();
            let field = match refused {
                services::Error::Refused(Refusal::Invalid { field, .. }) => field,
                other => panic!("{other:?}"),
            };
            assert_eq!(field, "choice");
        }
        // Its name makes a choice: "male" keeps its number, and comes back to it.
        let list = |choices: &str| {
            NewAttribute::typed("Gender", (AnswerKind::One, choices), true, true).unwrap()
        };
        for choices in ["unknown\nfemale", "male\nunknown"] {
            let (manager, new) = (&world.manager.actor, list(choices));
            project::save_attribute(&world.services, manager, world.project, attribute, new)
                .await
                .unwrap();
        }
        let asked = store::project::attributes::list(&*world.store, world.project).await.unwrap();
        let choices: Vec<_> =
            asked[0].choices.iter().map(|it| (it.name.as_str(), it.number, it.offered)).collect();
        assert_eq!(choices, [("male", 1, true), ("unknown", 2, true), ("female", 0, false)]);
        save(Fact::chosen(per, attribute, 0)).await.unwrap();
    }
}

#[tokio::test]
async fn a_required_attribute_without_a_choice_is_named_when_the_assignment_is_handed_in() {
    for world in worlds(1, 1).await {
        let attribute = ask(&world, 0, "female\nmale", true).await;
        world.mark(0, 0, &[span(&world, HAMLET, 0), span(&world, DENMARK, 1)]).await;
        let (field, problem) = refused_submit(&world, 0).await;
        assert_eq!(field, "spans.15-21");
        assert!(problem.ends_with("PER \"Hamlet\" (15 to 21): answer Gender"));
        world.change(0, 0, &[], &[Fact::chosen(span(&world, HAMLET, 0), attribute, 1)]).await;
        world.submit(0, 0).await;
    }
}

#[tokio::test]
async fn a_version_is_restored_with_what_was_chosen_in_it() {
    for world in worlds(1, 1).await {
        let attribute = ask(&world, 0, "female\nmale", false).await;
        let hamlet = span(&world, HAMLET, 0);
        let chosen = |number| Fact::chosen(hamlet, attribute, number);
        world.change(0, 0, &[], &[chosen(0)]).await;
        world.change(0, 0, &[], &[chosen(1)]).await;
        let view = open(&world, 0, 0).await;
        let (actor, base) = (&world.labelers[0].actor, view.content.revision);
        let first = Revision(base.0 - 1);
        let shown = history::load(&world.services, actor, view.id, Some(first)).await.unwrap();
        let opened = shown.opened.unwrap();
        assert_eq!((opened.kept, opened.choices), (vec![hamlet], 2));
        history::restore(&world.services, actor, view.id, first, base).await.unwrap();
        assert_eq!(open(&world, 0, 0).await.content.choices, [chosen(0)]);
    }
}

#[tokio::test]
async fn a_repeat_has_choices_of_its_own() {
    for world in worlds(1, 1).await {
        let attribute = ask(&world, 0, "female\nmale", false).await;
        let hamlet = span(&world, HAMLET, 0);
        world.change(0, 0, &[], &[Fact::chosen(hamlet, attribute, 0)]).await;
        world.submit(0, 0).await;
        let (manager, asked) = (&world.manager.actor, RepeatAsk { documents: 5, days: 0 });
        let seen = repeats::load(&world.services, manager, world.project, asked).await.unwrap();
        repeats::give(&world.services, manager, world.project, asked, &seen.plan.seen)
            .await
            .unwrap();
        assert_eq!(open(&world, 0, 0).await.content.choices, [], "it begins with nothing");
        world.change(0, 0, &[], &[Fact::chosen(hamlet, attribute, 1)]).await;
        let content = open(&world, 0, 0).await.content;
        assert_eq!(content.choices, [Fact::chosen(hamlet, attribute, 1)]);
        let first =
            store::work::choices::of_document(&*world.store, world.documents[0]).await.unwrap();
        let first: Vec<_> = first.into_iter().map(|(_, fact)| fact).collect();
        assert_eq!(first, [Fact::chosen(hamlet, attribute, 0)], "the first pass stays");
    }
}

#[tokio::test]
async fn a_reviewer_reads_what_each_labeler_chose_and_what_labels_mean() {
    for world in worlds(2, 1).await {
        let attribute = ask(&world, 0, "female\nmale", false).await;
        let detail = LabelDetail {
            id: world.labels[0],
            group: "People".to_owned(),
            description: "*Anybody* <script>".to_owned(),
            ..LabelDetail::default()
        };
        let manager = &world.manager.actor;
        project::describe_label(&world.services, manager, world.project, detail).await.unwrap();
        let hamlet = span(&world, HAMLET, 0);
        for (labeler, number) in [(0, 1), (1, 0)] {
            world.change(labeler, 0, &[], &[Fact::chosen(hamlet, attribute, number)]).await;
        }
        let reviewer = &world.reviewer.actor;
        let view = review::load(&world.services, reviewer, world.documents[0]).await.unwrap();
        let words = |labeler: usize, words: &str| {
            (world.labelers[labeler].member, hamlet.range, words.to_owned())
        };
        assert_eq!(view.choices, [words(0, "PER: Gender male"), words(1, "PER: Gender female")]);
        assert!(view.guidelines_html.contains("<h3><bdi>PER</bdi></h3>"));
        assert!(view.guidelines_html.contains("<em>Anybody</em>"));
        let file = export::choices(&world.services, manager, world.project).await.unwrap();
        let lines = String::from_utf8(file.body).unwrap();
        assert_eq!(lines.lines().count(), 2);
        assert!(lines.starts_with(&format!(
            r#"{{"document_id":{},"document":"document 0","start":15,"end":21,"quote":"Hamlet","#,
            world.documents[0]
        )));
        assert!(lines.contains(
            r#""rater":"labeler-2","role":"labeler","label":"PER","attribute":"Gender","choice":"male"}"#
        ));
        // Not every format holds them, and that is told.
        let query = domain::ExportQuery {
            what: domain::ExportWhat::Labelers,
            ..domain::ExportQuery::default()
        };
        let told = export::preview(&world.services, manager, world.project, query).await;
        let told = told.unwrap().losses;
        assert_eq!((told.len(), told[0].reason.as_str()), (1, "choices-left-out"));
        assert_eq!(told[0].count, 2);
        let hidden = export::choices(&world.services, reviewer, world.project).await.unwrap();
        assert!(String::from_utf8(hidden.body).unwrap().contains(r#""rater":"Labeler 1""#));
        let shown = open(&world, 0, 0).await;
        assert_eq!(shown.details[0].group, "People");
        assert!(!shown.details[0].description.contains("<script"));
    }
}

#[tokio::test]
async fn nested_markdown_is_cut_off_wherever_it_is_shown_and_holds_up_nobody() {
    const CUT_OFF: &str = "Cut off here: ";
    for world in worlds(2, 1).await {
        let World { services, project, .. } = &world;
        let (manager, reviewer) = (&world.manager.actor, &world.reviewer.actor);
        let settings = ProjectSettings {
            name: "Nested".to_owned(),
            guidelines: ">".repeat(100_000),
            ..ProjectSettings::default()
        };
        project::save_settings(services, manager, *project, settings).await.unwrap();
        for label in &world.labels {
            let description = format!("{label:?} {}", "<ul>".repeat(2_400));
            let detail = LabelDetail { id: *label, description, ..LabelDetail::default() };
            project::describe_label(services, manager, *project, detail).await.unwrap();
        }
        // All tests run on one thread: whoever renders there is seen by who else wants to run.
        let longest = Arc::new(AtomicU64::new(0));
        let watch = tokio::spawn({
            let longest = Arc::clone(&longest);
            async move {
                loop {
                    let before = Instant::now();
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    let waited = u64::try_from(before.elapsed().as_millis()).unwrap();
                    longest.fetch_max(waited, Ordering::Relaxed);
                }
            }
        });
        let whole = project::load(services, manager, *project).await.unwrap();
        let version = guidelines::load(services, manager, *project, None).await.unwrap();
        let assignment = open(&world, 0, 0).await;
        let review = review::load(services, reviewer, world.documents[0]).await.unwrap();
        let list = WalkList::Disagreements(DisagreementQuery::default());
        let query = WalkQuery { list, at: None, act: None };
        let walk = walk::load(services, reviewer, *project, query).await.unwrap();
        watch.abort();
        for html in [
            &whole.guidelines_html,
            &version.html,
            &assignment.guidelines_html,
            &review.guidelines_html,
            &walk.guidelines_html,
        ] {
            assert!(html.contains(CUT_OFF), "{html}");
        }
        assert!(assignment.details.iter().all(|it| it.description.contains(CUT_OFF)));
        let count = review.guidelines_html.matches(CUT_OFF).count();
        assert_eq!(count, 1 + world.labels.len());
        let longest = longest.load(Ordering::Relaxed);
        assert!(longest < 1_500, "others waited for {longest} ms");
    }
}

/// A further document that one labeler alone has.
async fn alone(world: &World, labeler: usize) -> DocumentId {
    let new = NewDocument {
        external_id: None,
        name: "alone".to_owned(),
        text: TEXT.to_owned(),
        characters: text::length(TEXT),
        sha256: String::new(),
        overlap: Some(1),
    };
    let tx = world.store.begin().await.unwrap();
    let now = chrono::DateTime::UNIX_EPOCH;
    let made = store::document::insert_many(&tx, world.project, vec![new], now).await.unwrap();
    let assignments = [(made[0], world.labelers[labeler].member)];
    store::work::assignments::insert_many(&tx, &assignments).await.unwrap();
    tx.commit().await.unwrap();
    made[0]
}

async fn offer(world: &World, settings: SuggestionSettings) {
    let (manager, project): (_, ProjectId) = (&world.manager.actor, world.project);
    project::save_suggestions(&world.services, manager, project, settings).await.unwrap();
}

#[tokio::test]
async fn what_is_agreed_elsewhere_is_offered_only_where_it_is_wanted_and_nothing_is_measured() {
    for world in worlds(2, 3).await {
        let hamlet = span(&world, HAMLET, 0);
        alone(&world, 0).await;
        let on = SuggestionSettings { agreed: true, ..SuggestionSettings::default() };
        for labeler in 0..2 {
            for document in 0..2 {
                world.mark(labeler, document, &[hamlet]).await;
            }
            world.mark(labeler, 0, &[span(&world, DENMARK, 2 - labeler)]).await;
            world.submit(labeler, 0).await;
        }
        world.submit(0, 1).await;
        offer(&world, on).await;
        assert_eq!(open(&world, 0, 3).await.agreed, [], "one document is not enough");
        world.submit(1, 1).await;
        assert_eq!(open(&world, 0, 3).await.agreed, [hamlet]);
        assert_eq!(open(&world, 0, 2).await.agreed, [], "two label it: it measures agreement");

        offer(&world, SuggestionSettings { shields_agreed: false, ..on }).await;
        assert_eq!(open(&world, 0, 2).await.agreed, [hamlet]);
        assert_eq!(open(&world, 0, 1).await.agreed, [], "it is submitted");
        offer(&world, SuggestionSettings::default()).await;
        assert_eq!(open(&world, 0, 3).await.agreed, [], "off unless somebody wants it");

        // Offered is not marked: nothing of it is counted.
        assert_eq!(open(&world, 0, 3).await.content.spans, []);
    }
}

#[tokio::test]
async fn whoever_takes_a_submission_back_cannot_try_marks_on_suggestions() {
    for world in worlds(2, 3).await {
        let hamlet = span(&world, HAMLET, 0);
        alone(&world, 0).await;
        offer(&world, SuggestionSettings { agreed: true, ..SuggestionSettings::default() }).await;
        for document in 0..2 {
            world.mark(1, document, &[hamlet]).await;
            world.submit(1, document).await;
            // Another guess than what the peer has.
            world.mark(0, document, &[span(&world, DENMARK, 0)]).await;
            world.submit(0, document).await;
        }
        assert_eq!(open(&world, 0, 3).await.agreed, []);
        for document in 0..2 {
            let (actor, view) = (&world.labelers[0].actor, open(&world, 0, document).await);
            let base = view.content.revision;
            annotation::reopen(&world.services, actor, view.id, base).await.unwrap();
            world.mark(0, document, &[hamlet]).await;
            world.submit(0, document).await;
        }
        assert_eq!(open(&world, 0, 3).await.agreed, [], "the right guess looks like the wrong one");
    }
}

#[tokio::test]
async fn imported_suggestions_are_withheld_from_shared_documents_if_the_manager_says_so() {
    for world in worlds(2, 1).await {
        let hamlet = span(&world, HAMLET, 0);
        let single = alone(&world, 0).await;
        let tx = world.store.begin().await.unwrap();
        let given = [(world.documents[0], hamlet), (single, hamlet)];
        store::work::suggestions::insert_many(&tx, &given).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(open(&world, 0, 0).await.suggestions, [hamlet]);
        let strict = SuggestionSettings { shields_imported: true, ..SuggestionSettings::default() };
        offer(&world, strict).await;
        assert_eq!(open(&world, 0, 0).await.suggestions, []);
        assert_eq!(open(&world, 0, 1).await.suggestions, [hamlet]);
    }
}

#[tokio::test]
async fn a_save_reads_no_more_for_suggestions_and_opening_twice_reads_the_marks_once() {
    for world in worlds(2, 2).await {
        alone(&world, 0).await;
        offer(&world, SuggestionSettings { agreed: true, ..SuggestionSettings::default() }).await;
        for document in 0..2 {
            for labeler in 0..2 {
                world.mark(labeler, document, &[span(&world, HAMLET, 0)]).await;
                world.submit(labeler, document).await;
            }
        }
        let opening = async || {
            let before = world.services.statements();
            assert_eq!(open(&world, 0, 2).await.agreed.len(), 1);
            world.services.statements() - before
        };
        let (first, second) = (opening().await, opening().await);
        assert_eq!(first, second + 1, "what is submitted has not changed");
        world.mark(0, 2, &[span(&world, DENMARK, 0)]).await;
        assert_eq!(opening().await, second, "a save changes nothing of it");
    }
}
