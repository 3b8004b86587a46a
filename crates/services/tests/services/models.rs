//! Models: raters who are no people, compared with these and apart from all that is told of them.

use domain::{
    Actor, AgreementSnapshot, Code, Confidence, DocumentId, Error as Refusal, Filter, LabelSet,
    Measure, ModelCell, ModelId, ModelWork, NewModel, NoInterval, PolicyChoice, ProjectId, Range,
    Role, Span, StandInFor, Switches, Verdict,
};
use services::{agreement, project, review, work::models};

use crate::{
    house::{houses, invalid_field, refused},
    world::{World, worlds},
};

fn tagger(version: &str, prompt_hash: &str) -> NewModel {
    NewModel {
        name: "tagger".to_owned(),
        version: version.to_owned(),
        prompt_hash: prompt_hash.to_owned(),
        made_on: None,
    }
}

const fn work(spans: Vec<Span>) -> ModelWork {
    ModelWork { spans, prompt_hash: None }
}

impl World {
    async fn model(&self, version: &str) -> ModelId {
        let (actor, new) = (&self.manager.actor, tagger(version, ""));
        models::add(&self.services, actor, self.project, new).await.unwrap()
    }

    async fn hand_in(&self, model: ModelId, document: usize, spans: &[Span]) {
        let (actor, of) = (&self.manager.actor, (self.project, model));
        let document = self.documents[document];
        let work = work(spans.to_vec());
        models::save_work(&self.services, actor, of, document, work).await.unwrap();
    }

    /// Submits the review of a document.
    async fn finish(&self, document: usize) {
        let (actor, document) = (&self.reviewer.actor, self.documents[document]);
        let base = review::load(&self.services, actor, document).await.unwrap().content.revision;
        review::submit(&self.services, actor, document, base).await.unwrap();
    }

    async fn cells(&self, model: ModelId, switches: Switches) -> Vec<ModelCell> {
        let of = (self.project, model);
        let view = agreement::model(&self.services, &self.manager.actor, of, switches);
        let view = view.await.unwrap();
        assert_eq!(view.rows.len(), 1);
        view.rows[0].cells.clone()
    }

    /// What the matrix is, but for intervals, which come when they are there.
    async fn snapshot(&self, switches: Switches) -> AgreementSnapshot {
        let actor = &self.manager.actor;
        let shared = agreement::snapshot(&self.services, actor, self.project, switches);
        let mut snapshot = AgreementSnapshot::clone(&shared.await.unwrap());
        for cell in &mut snapshot.cells {
            cell.confidence = Confidence::None(NoInterval::NoValue);
        }
        if let Some(several) = &mut snapshot.several {
            several.unitizing = None;
            if let Some(row) = &mut several.graded {
                row.confidence = Confidence::None(NoInterval::NoValue);
            }
            for row in &mut several.rows {
                row.confidence = Confidence::None(NoInterval::NoValue);
            }
        }
        snapshot
    }

    /// Three labelers' work on three documents, and a reviewer's on one. The third's is returned.
    async fn worked(&self) -> [Vec<Span>; 3] {
        let [per, title, year] = [self.labels[0], self.labels[1], self.labels[2]];
        let spans = |of: &[(u32, u32, domain::LabelId)]| -> Vec<Span> {
            of.iter().map(|&(start, end, label)| Span::new(start, end, label)).collect()
        };
        let first = [(0, 3, per), (4, 11, title), (15, 21, per), (40, 46, year)];
        let second = [(0, 3, title), (4, 11, title), (23, 29, per), (15, 21, year)];
        let third = [(0, 3, per), (4, 13, title), (15, 21, year), (23, 29, per), (23, 29, title)];
        let thirds = [spans(&third), spans(&third[1..3]), Vec::new()];
        for document in 0..3 {
            self.mark(0, document, &spans(&first[document..])).await;
            self.mark(1, document, &spans(&second[..=document])).await;
            if !thirds[document].is_empty() {
                self.mark(2, document, &thirds[document]).await;
            }
            self.submit(0, document).await;
            self.submit(2, document).await;
        }
        self.submit(1, 0).await;
        let (range, label) = (Range::new(0, 3), LabelSet::one(per));
        self.decide(0, range, Verdict::Accept, label).await;
        self.decide(0, Range::new(4, 11), Verdict::Reject, LabelSet::EMPTY).await;
        self.finish(0).await;
        thirds
    }

    /// Switches of every kind.
    fn switches(&self) -> Vec<Switches> {
        let filters = [
            Filter::NONE,
            Filter { label: Some(self.labels[1]), ..Filter::NONE },
            Filter { document: Some(self.documents[0]), ..Filter::NONE },
        ];
        let mut all = Vec::new();
        for measure in Measure::ALL {
            for policy in PolicyChoice::ALL {
                for documents in domain::Documents::ALL {
                    for filter in filters {
                        let (measure, policy, documents) = (*measure, *policy, *documents);
                        let of = Switches::default();
                        all.push(Switches { measure, policy, documents, filter, ..of });
                    }
                }
            }
        }
        all
    }
}

#[tokio::test]
async fn a_model_agrees_as_a_labeler_with_the_same_spans_does() {
    for world in worlds(3, 3).await {
        let same = world.worked().await;
        let model = world.model("1").await;
        for (document, spans) in same.iter().enumerate() {
            world.hand_in(model, document, spans).await;
        }
        let third = world.labelers[2].member;
        let mut values = 0;
        for switches in world.switches() {
            let matrix = world.snapshot(switches).await;
            let cells = world.cells(model, switches).await;
            for cell in cells.iter().filter(|cell| cell.rater != third) {
                let expected = matrix.cell(third, cell.rater).unwrap();
                assert_eq!(cell.measured, expected.measured, "{switches:?}");
                assert_eq!((cell.n, cell.documents), (expected.n, expected.documents));
                assert_eq!(cell.coverage.positions(), expected.coverage.positions());
                assert_eq!(cell.coverage.both, expected.coverage.both);
                values += usize::from(cell.measured.value().is_some());
            }
        }
        assert!(values > 200, "{values}");
    }
}

#[tokio::test]
async fn all_labelers_together_are_counted_once_each() {
    for world in worlds(3, 3).await {
        let same = world.worked().await;
        let model = world.model("1").await;
        world.hand_in(model, 0, &same[0]).await;
        let switches = Switches::default();
        let actor = &world.reviewer.actor;
        let view =
            agreement::models(&world.services, actor, world.project, switches).await.unwrap();
        let row = &view.rows[0];
        let sum = |role| {
            let of_role = view.raters.iter().filter(move |rater| rater.role == role);
            let ids: Vec<_> = of_role.map(|rater| rater.id).collect();
            row.cells.iter().filter(|cell| ids.contains(&cell.rater)).map(|cell| cell.n).sum()
        };
        for role in [Role::Labeler, Role::Reviewer] {
            let expected: u64 = sum(role);
            assert_eq!(row.pooled_with(role).unwrap().n, expected);
        }
        assert!(view.raters.iter().any(|rater| rater.name == "Labeler 1"), "names are hidden");
    }
}

#[tokio::test]
async fn what_a_model_says_moves_no_number_of_people() {
    for world in worlds(3, 3).await {
        let same = world.worked().await;
        let mut before = Vec::new();
        for switches in world.switches() {
            before.push(world.snapshot(switches).await);
        }
        let revision = revision(&world).await;
        let model = world.model("1").await;
        for (document, spans) in same.iter().enumerate() {
            world.hand_in(model, document, &spans[spans.len() / 2..]).await;
            world.cells(model, Switches::default()).await;
        }
        let mut after = Vec::new();
        for switches in world.switches() {
            after.push(world.snapshot(switches).await);
        }
        assert_eq!(after, before);
        assert_eq!(self::revision(&world).await, revision);
        let (services, actor) = (&world.services, &world.manager.actor);
        models::remove(services, actor, world.project, model).await.unwrap();
        for (switches, before) in world.switches().into_iter().zip(before) {
            assert_eq!(world.snapshot(switches).await, before);
        }
        assert_eq!(self::revision(&world).await, revision);
    }
}

async fn revision(world: &World) -> domain::Revision {
    store::project::find(&*world.store, world.project).await.unwrap().unwrap().revision
}

#[tokio::test]
async fn only_documents_that_a_model_has_work_on_are_compared_and_none_found_is_work() {
    for world in worlds(2, 2).await {
        for document in 0..2 {
            world.mark_by_both(document, 0).await;
            world.submit(0, document).await;
        }
        let model = world.model("1").await;
        let switches = Switches {
            policy: PolicyChoice::EmptyLabel,
            measure: Measure::F1,
            ..Switches::default()
        };
        let first = async || world.cells(model, switches).await[0];
        assert_eq!(first().await.documents, 0);
        world.hand_in(model, 0, &[]).await;
        let nothing = first().await;
        assert_eq!((nothing.documents, nothing.coverage.only_second), (1, 3));
        assert_eq!(nothing.measured.value(), Some(0.0));
        // The second state takes the place of the first, whole.
        let span = Span::new(0, 3, world.labels[0]);
        world.hand_in(model, 0, &[Span::new(4, 11, world.labels[0])]).await;
        world.hand_in(model, 0, &[span, span]).await;
        let one = first().await;
        assert_eq!((one.coverage.both, one.coverage.only_first), (1, 0));
        let (services, actor) = (&world.services, &world.manager.actor);
        let of = (world.project, model);
        let shown = models::load_document(services, actor, of, world.documents[0]).await.unwrap();
        assert_eq!((shown.spans, shown.labels.len()), (vec![span], 3));
        let listed = models::list_documents(services, actor, of, DocumentId(0), 10).await.unwrap();
        assert_eq!(listed.len(), 2);
        assert!(listed[0].saved_at.is_some() && listed[1].saved_at.is_none());
        let found = models::load(services, actor, world.project, model).await.unwrap();
        assert_eq!((found.documents, found.revision.0), (1, 3));
    }
}

#[tokio::test]
async fn what_does_not_fit_is_refused_by_its_place_and_changes_nothing() {
    for world in worlds(1, 2).await {
        let (services, actor) = (&world.services, &world.manager.actor);
        let new = tagger("1", "sha256:00");
        let model = models::add(services, actor, world.project, new).await.unwrap();
        let label = world.labels[0];
        let good = Span::new(0, 3, label);
        let save = async |document, work| {
            models::save_work(services, actor, (world.project, model), document, work).await
        };
        let document = world.documents[0];
        for (span, field) in [
            (Span::new(3, 3, label), "spans.1.end"),
            (Span::new(0, 10_000, label), "spans.1.end"),
            (Span::new(0, 3, domain::LabelId(i64::MAX)), "spans.1.label"),
        ] {
            assert_eq!(invalid_field(save(document, work(vec![good, span])).await), field);
        }
        assert_eq!(invalid_field(save(document, work(vec![good; 50_001])).await), "spans");
        let of_prompt =
            |hash: &str| ModelWork { spans: vec![good], prompt_hash: Some(hash.to_owned()) };
        assert_eq!(invalid_field(save(document, of_prompt("sha256:01")).await), "prompt_hash");
        assert_eq!(refused(save(DocumentId(i64::MAX), work(vec![])).await), Refusal::NotFound);
        let shown = models::load(services, actor, world.project, model).await.unwrap();
        assert_eq!((shown.documents, shown.revision.0), (0, 0));
        save(document, of_prompt("sha256:00")).await.unwrap();

        // The same again is taken, with another prompt it is another version.
        let again = models::add(services, actor, world.project, tagger("1", "sha256:00")).await;
        assert_eq!(invalid_field(again), "version");
        let other = models::add(services, actor, world.project, tagger("1", "sha256:01")).await;
        let refusal = refused(other);
        assert_eq!(refusal.code(), Code::Unsuitable);
        assert!(refusal.to_string().contains("another prompt"), "{refusal}");
        models::add(services, actor, world.project, tagger("2", "sha256:01")).await.unwrap();
    }
}

#[tokio::test]
async fn a_model_goes_with_its_work_and_holds_what_its_work_needs() {
    for world in worlds(1, 2).await {
        let (services, actor) = (&world.services, &world.manager.actor);
        let (project, unused) = (world.project, world.labels[2]);
        let model = world.model("1").await;
        world.hand_in(model, 0, &[Span::new(0, 3, unused)]).await;
        world.hand_in(model, 1, &[Span::new(0, 3, world.labels[0])]).await;
        let delete = async || project::delete_label(services, actor, project, unused).await;
        assert_eq!(refused(delete().await).code(), Code::InUse);
        let document = world.documents[0];
        services::document::delete(services, actor, project, document).await.unwrap();
        assert_eq!(models::load(services, actor, project, model).await.unwrap().documents, 1);
        models::remove(services, actor, project, model).await.unwrap();
        delete().await.unwrap();
        assert_eq!(refused(models::load(services, actor, project, model).await), Refusal::NotFound);
        assert!(models::list(services, actor, project).await.unwrap().is_empty());
        // Nothing is left of it in the way of the project's end.
        let model = world.model("1").await;
        world.hand_in(model, 1, &[Span::new(0, 3, world.labels[0])]).await;
        project::delete(services, actor, project, "Tragedies").await.unwrap();
    }
}

#[tokio::test]
async fn managers_have_models_reviewers_see_them_and_labelers_do_not_know() {
    for house in houses().await {
        let project = house.project().await;
        let (services, id) = (&house.services, project.id);
        project
            .is_for_managers(async |actor| models::add(services, actor, id, tagger("1", "")).await)
            .await;
        let manager = &project.manager;
        let model = models::add(services, manager, id, tagger("2", "")).await.unwrap();
        let remove = async |actor: &Actor| models::remove(services, actor, id, model).await;
        let save = async |actor: &Actor| {
            let (of, document) = ((id, model), DocumentId(i64::MAX));
            models::save_work(services, actor, of, document, work(Vec::new())).await
        };
        for person in [&project.reviewer, &project.labeler] {
            assert!(matches!(refused(remove(person).await), Refusal::Denied(_)));
            assert!(matches!(refused(save(person).await), Refusal::Denied(_)));
            let token = models::create_token(services, person, (id, model), 1).await;
            assert!(matches!(refused(token), Refusal::Denied(_)));
        }
        let view = async |actor: &Actor, of: ProjectId| {
            let listed = models::list(services, actor, of).await?;
            let found = models::load(services, actor, of, model).await?;
            assert!(listed.contains(&found));
            let switches = Switches::default();
            agreement::model(services, actor, (of, model), switches).await?;
            agreement::models(services, actor, of, switches).await
        };
        for person in [manager, &project.reviewer] {
            view(person, id).await.unwrap();
        }
        assert!(matches!(refused(view(&project.labeler, id).await), Refusal::Denied(_)));
        assert_eq!(refused(view(&project.outsider, id).await), Refusal::NotFound);
        // What is of one project is none of another's.
        let other = project::create(services, manager, "Other".to_owned(), None).await.unwrap();
        let elsewhere = (other, model);
        let found = models::load(services, manager, other, model).await;
        assert_eq!(refused(found), Refusal::NotFound);
        let removed = models::remove(services, manager, other, model).await;
        assert_eq!(refused(removed), Refusal::NotFound);
        let token = models::create_token(services, manager, elsewhere, 1).await;
        assert_eq!(refused(token), Refusal::NotFound);
        project::archive(services, manager, id).await.unwrap();
        let refusal = refused(models::add(services, manager, id, tagger("3", "")).await);
        assert_eq!(refusal.code(), Code::Archived);
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
            let by_label: Vec<_> = failed.labels.iter().map(|(_, test)| test.passes()).collect();
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
        let of = |label| exact.labels.iter().find(|(it, _)| it.id == label).unwrap().1;
        assert_eq!((of(org).precision.value, of(org).recall.value), (Some(1.0), Some(0.5)));
        let nothing = exact.labels.last().unwrap().1;
        assert_eq!((nothing.f1.value, nothing.decided), (None, 0));
        let overlap = scored(first, PolicyChoice::Overlap).await.whole;
        assert_eq!(overlap.matched, 4);

        // Both have one document: F1 2/3 against 1/2, and nothing to exchange that is not as far apart.
        let [(title, difference)] = &exact.others[..] else { panic!("{:?}", exact.others) };
        assert_eq!((title.as_str(), difference.documents), ("tagger 2", 1));
        assert!((difference.f1.unwrap() - 1.0 / 6.0).abs() < 1e-9);
        assert_eq!(difference.p_value, Some(1.0));
        assert_eq!((difference.only_this, difference.only_other), (1, 0));
        assert_eq!(difference.mcnemar, Some(1.0));
        let back = scored(second, PolicyChoice::Cleaned).await;
        assert!((back.others[0].1.f1.unwrap() + 1.0 / 6.0).abs() < 1e-9);

        let labeler = &world.labelers[0].actor;
        let of = (world.project, first);
        let denied = agreement::against_decisions(services, labeler, of, Switches::default());
        assert!(matches!(refused(denied.await), Refusal::Denied(_)));
    }
}
