//! Models against the people of their project, under the switches of the matrix. Nothing of it is in the tallies
//! that people's numbers come from: models are compared with what these hold, and leave them as they are.

pub(crate) mod gold;
pub(crate) mod stand_in;
pub(crate) mod versions;

use std::sync::Arc;

use domain::{
    Actor, Confidence, Error as Refusal, Filter, Label, Measured, Model, ModelCell, ModelId,
    ModelPooled, ModelRow, ModelsView, NoInterval, ProjectId, Rater, Revision, Role, Switches,
    base::policy::Action,
};
use live::{
    Against, Counted, LabelChoices, Narrowing, Outsider, Recent, Scores, Tallies,
    confidence_by_formula, counted_positions, coverage, measured, pooled_measured,
};
use store::agreement::model_work::DocumentOfModel;

use crate::{
    Result, Services,
    agreement::{breakdowns::Remembered, by_role},
    base::{
        access::{Access, permit},
        categories::Categories,
        names::Names,
    },
};

/// How many models' work is kept in memory, whatever projects they are of: with a million spans, one's is tens
/// of megabytes.
const WORKS: usize = 32;

/// How many models' counts are kept: a few people on pages with a few models each.
const COUNTS: usize = 128;

/// A model in one state of its work.
type State = (ModelId, Revision);

/// What was read and counted of models of late.
pub(crate) struct Known {
    works: Recent<State, Arc<Outsider>>,
    counts: Remembered<Against, (State, Switches)>,
    tested: stand_in::Tested,
    scored: gold::Scored,
    resampled: versions::Resampled,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            works: Recent::of(WORKS),
            counts: Remembered::of(COUNTS),
            tested: stand_in::Tested::of(COUNTS),
            scored: gold::Scored::of(COUNTS),
            resampled: versions::Resampled::of(COUNTS),
        }
    }
}

/// The project's models against its people, as of now.
pub async fn models(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<ModelsView> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let models = store::project::models::list(&services.store, project).await?;
    view(services, &access, (project, models), switches).await
}

/// One model against the people of its project, as of now.
pub async fn model(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    switches: Switches,
) -> Result<ModelsView> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let found = store::project::models::find(&services.store, project, model).await?;
    let models = vec![found.ok_or(Refusal::NotFound)?];
    view(services, &access, (project, models), switches).await
}

async fn view(
    services: &Arc<Services>,
    access: &Access,
    (project, models): (ProjectId, Vec<Model>),
    switches: Switches,
) -> Result<ModelsView> {
    let names = Names::load(&services.store, project, &access.member).await?;
    let raters = names.raters().to_vec();
    if models.is_empty() {
        let found = store::project::find(&services.store, project).await?;
        let revision = found.ok_or(Refusal::NotFound)?.revision;
        return Ok(ModelsView { project, revision, switches, raters, rows: Vec::new() });
    }
    let categories = Categories::of(&services.store, project, switches).await?;
    let choices = categories.choices(switches.filter);
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let mut rows = Vec::with_capacity(models.len());
    for model in models {
        let against = counted(services, &tallies, &model, switches).await?;
        rows.push(row(model, &against, (&raters, &choices), switches));
    }
    Ok(ModelsView { project, revision: tallies.revision, switches, raters, rows })
}

/// What is counted of a model with each rater of these tallies.
async fn counted(
    services: &Services,
    tallies: &Arc<Tallies>,
    model: &Model,
    switches: Switches,
) -> Result<Arc<Against>> {
    let state = (model.id, model.revision);
    let question = (state, switches.without_scale());
    if let Some(known) = services.models.counts.find(tallies, &question) {
        return Ok(known);
    }
    let work = work(services, state).await?;
    let count = move |tallies: &Tallies, (_, switches): &(State, Switches)| {
        tallies.against(&work, *switches)
    };
    services.models.counts.find_or_count(tallies, question, count).await
}

/// What a model's spans or answers are held against: the work of people under the switches of the matrix, of all
/// labels or choices, and those that are asked for; of the numbers of a scale, none.
pub(crate) struct Beside {
    project: ProjectId,
    switches: Switches,
    categories: Categories,
    labels: Vec<Label>,
    tallies: Arc<Tallies>,
}

impl Beside {
    pub(crate) async fn load(
        services: &Arc<Services>,
        project: ProjectId,
        switches: Switches,
    ) -> Result<Self> {
        let categories = Categories::of(&services.store, project, switches).await?;
        let listed = if categories.are_all_listed() { categories.offered() } else { &[] };
        let is_wanted = |label: &&Label| switches.filter.label.is_none_or(|it| it == label.id);
        let labels = listed.iter().filter(is_wanted).cloned().collect();
        let filter = Filter { label: None, ..switches.filter };
        let tallies = services.live.read_part(project, Narrowing::exact(filter)).await?;
        Ok(Self { project, switches, categories, labels, tallies })
    }

    /// All that a model has marked, or answered to the question.
    async fn work(&self, services: &Services, model: &Model) -> Result<Arc<Outsider>> {
        let work = work(services, (model.id, model.revision)).await?;
        let asked = self.switches.filter.question;
        Ok(asked.map_or(work.clone(), |question| Arc::new(work.answers(question))))
    }
}

/// All work of a model. It may have one save more than its state says, and is read again after the next.
async fn work(services: &Services, state: State) -> Result<Arc<Outsider>> {
    let works = &services.models.works;
    if let Some(known) = works.find(|known| *known == state) {
        return Ok(known);
    }
    let (model, _) = state;
    let snapshot = services.store.begin_read().await?;
    let read = store::agreement::model_work::list(&snapshot, model).await?;
    drop(snapshot);
    let of = |DocumentOfModel { document, saved_at, facts }| (document, saved_at, facts);
    let work: Arc<Outsider> = Arc::new(read.into_iter().map(of).collect());
    works.keep(state, Arc::clone(&work), |(of, _)| *of == model);
    Ok(work)
}

/// A model's row: a cell for each rater, then everybody of a role together.
fn row(
    model: Model,
    against: &Against,
    (raters, choices): (&[Rater], &LabelChoices),
    switches: Switches,
) -> ModelRow {
    let cell = |rater: &Rater| {
        let counted = &*against.with(rater.id);
        let measured = measured(counted, choices, switches);
        ModelCell {
            rater: rater.id,
            measured,
            confidence: confidence(counted, measured, (switches, choices.scores())),
            n: counted_positions(&counted.tally.table, switches.measure),
            coverage: coverage(counted),
            documents: counted.documents,
        }
    };
    let pooled = [Role::Labeler, Role::Reviewer].into_iter().filter_map(|with| {
        let mut people = by_role(raters, with).peekable();
        people.peek()?;
        let pooled = against.pooled(people);
        Some(ModelPooled {
            with,
            measured: pooled_measured(&pooled, choices, switches),
            n: counted_positions(&pooled.tally.table, switches.measure),
            coverage: coverage(&pooled),
        })
    });
    let (cells, pooled) = (raters.iter().map(cell).collect(), pooled.collect());
    ModelRow { model, cells, pooled }
}

/// The interval of a value, where a formula says it: resampling takes too long for a request.
fn confidence(
    counted: &Counted,
    measured: Measured,
    (switches, scores): (Switches, &Scores),
) -> Confidence {
    match measured {
        Measured::Undefined(_) => Confidence::None(NoInterval::NoValue),
        Measured::Value { .. } => confidence_by_formula(&counted.tally.table, switches, scores)
            .unwrap_or(Confidence::None(NoInterval::OfModel)),
    }
}
