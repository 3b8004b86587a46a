//! Writes what parcels bring: documents, suggestions, and people's work.

use std::collections::{BTreeMap, BTreeSet, HashMap, btree_map::Entry};

use chrono::{DateTime, Utc};
use domain::{
    AssignTo, Chosen, Code, Delta, DocumentId, Fact, ImportId, LabelId, MemberId, ModelId,
    ProjectId, Range, Span, VersionKind, WorkState, saturating,
};
use store::{
    Tx,
    document::{
        imports::{Filling, NewWork},
        shelf::Shelved,
    },
    work::versions::{NewVersion, Pass},
};

use super::{
    decision::Decision,
    parcel::{Destination, GivenAnswer, Parcel, Stretch},
};
use crate::{
    Error, Result,
    document::{self, Has},
};

/// What was brought to a project.
#[derive(Debug, Default)]
pub(super) struct Brought {
    /// New documents, and those on which somebody has got work.
    pub(super) documents: BTreeSet<DocumentId>,
    /// Whose work it is, and on which document.
    pub(super) works: Vec<(DocumentId, MemberId)>,
}

/// Writes all that parcels bring, each document whole, and adds it to what the import has come to. Nothing
/// that stands in the database refuses it for good: it is decided.
///
/// # Errors
/// [`Code::ChangedMeanwhile`] if somebody was faster: nothing of it is to be kept.
pub(super) async fn write(
    tx: &Tx,
    (project, import): (ProjectId, ImportId),
    decision: &mut Decision,
    parcels: Vec<Shelved<Parcel>>,
    now: DateTime<Utc>,
) -> Result<Brought> {
    // Servers of a version that does not know of what is decided may have taken labels and people away.
    let there: BTreeSet<_> =
        store::project::labels::list(tx, project).await?.into_iter().map(|it| it.id).collect();
    let labels = decision.labels.iter().map(|label| label.filter(|it| there.contains(it)));
    let labels = labels.collect();
    let members: Vec<_> = decision.members.iter().flatten().copied().collect();
    let there = store::project::members::labelers_among(tx, project, &members).await?;
    let members = decision.members.iter().map(|member| member.filter(|it| there.contains(it)));
    let members = members.collect();
    let there = store::project::models::list(tx, project).await?;
    let there: BTreeSet<_> = there.into_iter().map(|model| model.id).collect();
    let models = decision.models.iter().map(|model| model.filter(|it| there.contains(it)));
    let models = models.collect();
    let there = store::project::attributes::list(tx, project).await?;
    let found = |chosen: &Chosen| {
        let attribute = there.iter().find(|attribute| attribute.id == chosen.attribute)?;
        attribute.words(chosen.answer).map(|_| (attribute.label, *chosen))
    };
    let chosen = |answers: &Vec<Chosen>| answers.iter().map(found).collect();
    let answers = decision.answers.iter().map(chosen).collect();
    let brought = Brought::default();
    let mut writing =
        Writing { tx, project, import, now, labels, members, models, answers, decision, brought };
    let bound = writing.bind(parcels).await?;
    writing.suggest(&bound).await?;
    let has = writing.give(bound).await?;
    writing.assign(has).await?;
    Ok(writing.brought)
}

/// The work of models by document.
type OfModels = BTreeMap<ModelId, BTreeMap<DocumentId, Vec<Fact>>>;

struct Writing<'a> {
    tx: &'a Tx,
    project: ProjectId,
    import: ImportId,
    now: DateTime<Utc>,
    /// The labels, labelers and models of the decision, as far as they are there.
    labels: Vec<Option<LabelId>>,
    members: Vec<Option<MemberId>>,
    models: Vec<Option<ModelId>>,
    /// And the answers with what they are asked of, by the places of their questions and their own.
    answers: Vec<Vec<Option<(LabelId, Chosen)>>>,
    decision: &'a mut Decision,
    brought: Brought,
}

/// That somebody was faster, if it is that.
fn meanwhile(error: store::Error, what: &str) -> Error {
    if let store::Error::Duplicate(_) = error {
        let why = format!("{what} has just been taken; check the preview again");
        return Code::ChangedMeanwhile.of("files", why).into();
    }
    error.into()
}

/// What a document gets.
struct Bound {
    document: DocumentId,
    /// Whether it was there before.
    is_known: bool,
    parcel: Parcel,
}

/// Adds answers to work that has none to the same questions; false if it has one.
fn add_answers(work: &mut Vec<Fact>, answers: &[Fact]) -> bool {
    let asked = |fact: &Fact| (fact.span, fact.choice.map(|choice| choice.attribute));
    let is_answered = |new: &Fact| work.iter().any(|it| asked(it) == asked(new));
    if answers.iter().any(is_answered) {
        return false;
    }
    work.extend(answers);
    true
}

impl Writing<'_> {
    /// Stores new documents, and says which document each parcel is of. What was for a document that has
    /// been deleted meanwhile is gone with it.
    async fn bind(&mut self, mut parcels: Vec<Shelved<Parcel>>) -> Result<Vec<Bound>> {
        parcels.sort_by_key(|parcel| parcel.place);
        self.recognise(&mut parcels).await?;
        let known = parcels.iter().filter_map(|parcel| match parcel.content.to {
            Destination::Known(document) => Some(document),
            Destination::New(_) | Destination::Same => None,
        });
        let mut known: Vec<_> = known.collect();
        known.dedup();
        let known = if known.is_empty() {
            BTreeSet::new()
        } else {
            store::document::present(self.tx, self.project, &known).await?
        };
        let new = parcels.iter_mut().filter_map(|parcel| match &mut parcel.content.to {
            Destination::New(document) => document.take(),
            Destination::Known(_) | Destination::Same => None,
        });
        let new = new.collect();
        let ids = store::document::insert_many(self.tx, self.project, new, self.now).await;
        let ids = ids.map_err(|error| meanwhile(error, "a document with one of these ids"))?;
        store::document::imports::own_documents(self.tx, self.import, &ids).await?;
        self.decision.summary.documents += saturating::<u64>(ids.len());
        self.brought.documents.extend(&ids);
        let (mut ids, mut last) = (ids.into_iter(), None);
        let mut bound = Vec::with_capacity(parcels.len());
        for Shelved { content: parcel, .. } in parcels {
            let found = match parcel.to {
                Destination::Known(document) => known.get(&document).map(|known| (*known, true)),
                Destination::New(_) => ids.next().map(|id| (id, false)),
                Destination::Same => last,
            };
            last = found;
            match found {
                Some((document, is_known)) => bound.push(Bound { document, is_known, parcel }),
                None => self.leave_out(parcel.works.len()),
            }
        }
        Ok(bound)
    }

    /// Finds documents that have come from elsewhere since it was decided, by a server that does not know of
    /// what is decided: a text under its id gets the work, and another one under this id keeps the id.
    async fn recognise(&mut self, parcels: &mut [Shelved<Parcel>]) -> Result<()> {
        let ids = parcels.iter().filter_map(|parcel| match &parcel.content.to {
            Destination::New(Some(document)) => document.external_id.clone(),
            _ => None,
        });
        let ids: Vec<_> = ids.collect();
        if ids.is_empty() {
            return Ok(());
        }
        let there = store::document::with_external_ids(self.tx, self.project, &ids).await?;
        for Shelved { content: parcel, .. } in parcels {
            let Destination::New(Some(document)) = &mut parcel.to else { continue };
            let found = document.external_id.as_ref().and_then(|id| there.get(id));
            let Some((found, sha256)) = found else { continue };
            if *sha256 == document.sha256 {
                parcel.to = Destination::Known(*found);
                parcel.suggestions.clear();
                let changes = &mut self.decision.summary.changes;
                changes.new_documents = changes.new_documents.saturating_sub(1);
                changes.known_documents += 1;
            } else {
                document.external_id = None;
            }
        }
        Ok(())
    }

    /// Notes that work does not come, since what it is on or whose it is has gone.
    fn leave_out(&mut self, works: usize) {
        let changes = &mut self.decision.summary.changes;
        changes.new = changes.new.saturating_sub(saturating(works));
    }

    /// Notes that somebody keeps the work that they have.
    fn keep(&mut self) {
        self.leave_out(1);
        self.decision.summary.changes.kept += 1;
    }

    /// Stores spans as suggestions.
    async fn suggest(&mut self, bound: &[Bound]) -> Result<()> {
        let suggestions = bound.iter().flat_map(|Bound { document, parcel, .. }| {
            self.spans(&parcel.suggestions).into_iter().map(|span| (*document, span))
        });
        let suggestions: Vec<_> = suggestions.collect();
        store::work::suggestions::insert_many(self.tx, &suggestions).await?;
        self.decision.summary.suggestions += saturating::<u64>(suggestions.len());
        Ok(())
    }

    /// Stores spans as people's work, and says who has new documents by that. Whoever has begun with an
    /// assignment since it was decided keeps what they have; and what comes twice comes once, whether in one
    /// piece or in two.
    async fn give(&mut self, bound: Vec<Bound>) -> Result<Has> {
        let known: BTreeSet<_> =
            bound.iter().filter(|it| it.is_known).map(|it| it.document).collect();
        let known: Vec<_> = known.into_iter().collect();
        let present = store::document::imports::assignments_of(self.tx, &known).await?;
        let present: HashMap<_, _> =
            present.into_iter().map(|it| ((it.document, it.member), it)).collect();
        let (mut new, mut has) = (Vec::<NewWork>::new(), Has::new());
        let mut given: HashMap<_, usize> = HashMap::new();
        let mut of_models = OfModels::new();
        if self.decision.assign != AssignTo::Nobody {
            has.extend(bound.iter().filter(|it| !it.is_known).map(|it| (it.document, Vec::new())));
        }
        for Bound { document, parcel, .. } in bound {
            for (rater, spans) in parcel.works {
                let spans = self.spans(&spans);
                let answers = self.chosen(&parcel.answers, rater, &spans);
                if let Some(model) = self.models.get(rater).copied().flatten() {
                    let works = of_models.entry(model).or_default();
                    match works.entry(document) {
                        Entry::Vacant(place) => {
                            let spans = spans.into_iter().map(Fact::from);
                            place.insert(spans.chain(answers).collect());
                        }
                        Entry::Occupied(mut place) => {
                            if !spans.is_empty() || !add_answers(place.get_mut(), &answers) {
                                self.keep();
                            }
                        }
                    }
                    continue;
                }
                let Some(member) = self.members.get(rater).copied().flatten() else {
                    self.leave_out(1);
                    continue;
                };
                let found = present.get(&(document, member));
                let is_begun = found.is_some_and(|found| found.state != WorkState::Open);
                let place = given.get(&(document, member)).copied();
                if let Some(work) = place.and_then(|place| new.get_mut(place))
                    && spans.is_empty()
                    && !answers.is_empty()
                    && add_answers(&mut work.answers, &answers)
                {
                    continue;
                }
                if is_begun || place.is_some() {
                    self.keep();
                    continue;
                }
                given.insert((document, member), new.len());
                let assignment = found.map(|found| (found.id, found.revision));
                if let Some(has) = has.get_mut(&document) {
                    has.push(member);
                }
                let spans = spans.into_iter().collect();
                new.push(NewWork { document, member, assignment, spans, answers });
            }
        }
        self.fill(new).await?;
        for (model, works) in of_models {
            self.give_model(model, works).await?;
        }
        Ok(has)
    }

    /// Stores spans and answers as a model's work. What it has got since it was decided it keeps.
    async fn give_model(
        &mut self,
        model: ModelId,
        mut works: BTreeMap<DocumentId, Vec<Fact>>,
    ) -> Result<()> {
        // Held until the end of the piece: nobody saves the model's work meanwhile.
        if !store::project::models::advance(self.tx, self.project, model).await? {
            self.leave_out(works.len());
            return Ok(());
        }
        let documents: Vec<_> = works.keys().copied().collect();
        for document in store::agreement::model_work::present(self.tx, model, &documents).await? {
            works.remove(&document);
            self.keep();
        }
        let works: Vec<_> = works.into_iter().collect();
        let from = (self.now, Some(self.import));
        store::agreement::model_work::replace(self.tx, model, &works, from).await?;
        let summary = &mut self.decision.summary;
        summary.model_documents += saturating::<u64>(works.len());
        let facts = || works.iter().flat_map(|(_, facts)| facts);
        let answers = facts().filter(|fact| fact.choice.is_some()).count();
        summary.answers += saturating::<u64>(answers);
        summary.spans += saturating::<u64>(facts().count() - answers);
        Ok(())
    }

    async fn fill(&mut self, new: Vec<NewWork>) -> Result<()> {
        let (Decision { by, state, .. }, at) = (&*self.decision, self.now);
        let (by, state) = (*by, *state);
        let filling = Filling { import: self.import, state, now: at };
        let filled = store::document::imports::fill_assignments(self.tx, &new, filling).await;
        let filled = filled.map_err(|error| meanwhile(error, "one of these assignments"))?;
        for (member, load) in &mut self.decision.loads {
            let begun = new.iter().filter(|it| it.member == *member && it.assignment.is_none());
            *load += saturating::<u64>(begun.count());
        }
        let (mut spans, mut history) = (Vec::new(), Vec::with_capacity(new.len()));
        let mut answers = Vec::new();
        self.decision.summary.worked += saturating::<u64>(new.len());
        for (work, (assignment, revision)) in new.into_iter().zip(filled) {
            self.brought.documents.insert(work.document);
            self.brought.works.push((work.document, work.member));
            spans.extend(work.spans.iter().map(|span| (assignment, *span)));
            let pass = Pass { assignment, repeat: None };
            answers.extend(work.answers.iter().map(|fact| (pass, *fact)));
            let added = work.spans.into_iter().map(Fact::from).chain(work.answers).collect();
            history.push(NewVersion {
                pass,
                revision,
                at,
                by,
                kind: match state {
                    WorkState::Submitted => VersionKind::Submit,
                    WorkState::Open | WorkState::Saved => VersionKind::Save,
                },
                restored: None,
                state,
                delta: Delta { removed: Vec::new(), added },
            });
        }
        self.decision.summary.spans += saturating::<u64>(spans.len());
        self.decision.summary.answers += saturating::<u64>(answers.len());
        store::document::imports::add_spans(self.tx, &spans, &history).await?;
        store::work::choices::insert_many(self.tx, &answers).await.map_err(Error::from)
    }

    /// Gives new documents to others, too.
    async fn assign(&mut self, has: Has) -> Result<()> {
        let (tx, project, assign) = (self.tx, self.project, self.decision.assign);
        if has.is_empty() || assign == AssignTo::Nobody {
            return Ok(());
        }
        let labelers = store::work::assignments::labelers(tx, project).await?;
        let loads = &mut self.decision.loads;
        // All assignments are counted once, not for each piece, unless labelers have come or gone.
        if !loads.iter().map(|(member, _)| member).eq(&labelers) {
            *loads = store::work::assignments::loads(tx, project).await?;
        }
        let given = document::assign(tx, loads, has, assign).await?;
        self.decision.summary.assignments += saturating::<u64>(given);
        Ok(())
    }

    /// What a rater has answered about these spans and the document, as the project has it: each question
    /// once.
    fn chosen(&self, answers: &[GivenAnswer], rater: usize, spans: &BTreeSet<Span>) -> Vec<Fact> {
        let of_rater = answers.iter().filter(|answer| answer.rater == rater);
        let chosen = of_rater.filter_map(|GivenAnswer { question, answer, about, .. }| {
            let (label, chosen) = self.answers.get(*question)?.get(*answer).copied().flatten()?;
            let span = match about {
                Some((start, end)) => Span { range: Range::new(*start, *end), label },
                None => Span::DOCUMENT,
            };
            let is_there = span.label == label && (about.is_none() || spans.contains(&span));
            let fact = Fact::chosen(span, chosen.attribute, chosen.answer);
            is_there.then_some(((chosen.attribute, span), fact))
        });
        chosen.collect::<BTreeMap<_, _>>().into_values().collect()
    }

    /// Spans as the project has them: those whose labels stay out are none, and two that become the same
    /// are one.
    fn spans(&self, stretches: &[Stretch]) -> BTreeSet<Span> {
        let span = |(start, end, label): &Stretch| {
            let label = self.labels.get(*label).copied().flatten()?;
            Some(Span { range: Range::new(*start, *end), label })
        };
        stretches.iter().filter_map(span).collect()
    }
}
