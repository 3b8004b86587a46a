//! Models: raters who are no people, compared with these and apart from all that is told of them.

mod answers;
mod tested;

use domain::{
    Actor, AgreementSnapshot, Code, Confidence, DocumentId, Error as Refusal, Fact, Filter,
    LabelSet, Measure, ModelCell, ModelId, ModelWork, NewModel, NoInterval, PolicyChoice,
    ProjectId, Range, Role, Span, Switches, Verdict,
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

fn work(spans: impl IntoIterator<Item: Into<Fact>>) -> ModelWork {
    ModelWork { spans: spans.into_iter().map(Into::into).collect(), prompt_hash: None }
}

impl World {
    async fn model(&self, version: &str) -> ModelId {
        let (actor, new) = (&self.manager.actor, tagger(version, ""));
        models::add(&self.services, actor, self.project, new).await.unwrap()
    }

    async fn hand_in(&self, model: ModelId, document: usize, spans: &[Span]) {
        self.hand_in_facts(model, document, spans.iter().copied().map(Fact::from)).await;
    }

    /// The same with answers.
    async fn hand_in_facts(
        &self,
        model: ModelId,
        document: usize,
        facts: impl IntoIterator<Item = Fact>,
    ) {
        let (actor, of) = (&self.manager.actor, (self.project, model));
        let document = self.documents[document];
        models::save_work(&self.services, actor, of, document, work(facts)).await.unwrap();
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
        assert_eq!((shown.spans, shown.labels.len()), (vec![Fact::from(span)], 3));
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
            |hash: &str| ModelWork { spans: vec![good.into()], prompt_hash: Some(hash.to_owned()) };
        assert_eq!(invalid_field(save(document, of_prompt("sha256:01")).await), "prompt_hash");
        assert_eq!(
            refused(save(DocumentId(i64::MAX), work(Vec::<Span>::new())).await),
            Refusal::NotFound
        );
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
            let nothing = work(Vec::<Span>::new());
            models::save_work(services, actor, of, document, nothing).await
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
