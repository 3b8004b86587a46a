//! What models answer about documents and about what they have marked.

use domain::{Answer, AnswerKind, AttributeId, Code, Fact, LabelId, NewAttribute, Span};
use services::{outside::verification, project, work::models};

use super::work;
use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};

impl World {
    async fn ask(&self, of: LabelId, kind: AnswerKind, choices: &str) -> AttributeId {
        let name = format!("Asked of {of}");
        let new = NewAttribute::typed(&name, (kind, choices), false, true).unwrap();
        let (actor, project) = (&self.manager.actor, self.project);
        project::create_attribute(&self.services, actor, project, of, new).await.unwrap()
    }
}

#[tokio::test]
async fn answers_stand_on_their_spans_and_on_documents_and_are_replaced_whole() {
    for world in worlds(1, 1).await {
        let (services, actor) = (&world.services, &world.manager.actor);
        let per = world.labels[0];
        let famous = world.ask(per, AnswerKind::One, "yes\nno").await;
        let topics = world.ask(LabelId::DOCUMENT, AnswerKind::Several, "war\npeace").await;
        let (model, span) = (world.model("1").await, Span::new(0, 3, per));
        let of = (world.project, model);
        let shown = async || {
            let shown = models::load_document(services, actor, of, world.documents[0]);
            shown.await.unwrap()
        };
        let both = Answer::several([0, 1]).unwrap();
        let about = Fact::chosen(Span::DOCUMENT, topics, both);
        let chosen = Fact::chosen(span, famous, 1);
        // A choice brings its span, and of an attribute the last stands.
        world.hand_in_facts(model, 0, [Fact::chosen(span, famous, 0), chosen, about]).await;
        let first = shown().await;
        assert_eq!(first.spans, [about, span.into(), chosen]);
        assert_eq!(first.attributes.iter().map(|it| it.id).collect::<Vec<_>>(), [famous, topics]);
        for report in verification::all(&world.store).await.unwrap() {
            assert!(report.problems.is_empty(), "{report:?}");
        }
        world.hand_in_facts(model, 0, [span.into(), chosen]).await;
        assert_eq!(shown().await.spans, [span.into(), chosen]);
        let found = models::load(services, actor, world.project, model).await.unwrap();
        assert_eq!((found.documents, found.revision.0), (1, 2));
        let used = project::delete_label(services, actor, world.project, per).await;
        assert_eq!(refused(used).code(), Code::InUse);
        project::delete(services, actor, world.project, "Tragedies").await.unwrap();
    }
}

#[tokio::test]
async fn an_answer_that_is_none_is_refused_by_its_place() {
    for world in worlds(1, 1).await {
        let (services, actor) = (&world.services, &world.manager.actor);
        let [per, title] = [world.labels[0], world.labels[1]];
        let famous = world.ask(per, AnswerKind::One, "yes\nno").await;
        let about = world.ask(LabelId::DOCUMENT, AnswerKind::One, "yes\nno").await;
        let model = world.model("1").await;
        let good = Fact::chosen(Span::DOCUMENT, about, 0);
        for (wrong, field) in [
            (Fact::chosen(Span::new(0, 3, title), famous, 0), "spans.1.choice"),
            (Fact::chosen(Span::new(0, 3, per), famous, 2), "spans.1.choice"),
            (Fact::chosen(Span::DOCUMENT, famous, 0), "spans.1.choice"),
            (Fact::chosen(Span::DOCUMENT, AttributeId(i64::MAX), 0), "spans.1.choice"),
            (Fact::chosen(Span::new(0, 3, per), about, 0), "spans.1.choice"),
            (Span::DOCUMENT.into(), "spans.1.label"),
        ] {
            let (of, document) = ((world.project, model), world.documents[0]);
            let saved = models::save_work(services, actor, of, document, work([good, wrong])).await;
            assert_eq!(invalid_field(saved), field, "{wrong:?}");
        }
        let found = models::load(services, actor, world.project, model).await.unwrap();
        assert_eq!((found.documents, found.revision.0), (0, 0));
    }
}
