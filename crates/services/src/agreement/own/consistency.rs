//! How far labelers agree with themselves: the first pass against the second, as a pair of raters.

use std::{collections::BTreeMap, sync::Arc};

use agreement::inference::Resampling;
use domain::{
    Confidence, Documents, Filter, Measure, MemberId, NoInterval, OwnRepeats, PolicyChoice,
    PositionKind, ProjectId, Role, ScaleChoice, SelfPart, Switches, saturating,
};
use live::{
    IntraRater, LabelChoices, RESAMPLES, Recent, Subject, Tokens, agreements,
    confidence_by_formula, counted_positions, coverage, measured, seed,
};
use store::work::repeats::{Twice, Whose};

use crate::{
    Error, Result, Services,
    base::{access::Access, categories::Categories},
};

/// Fewer documents done twice say nothing, and would point at those that they are.
const ENOUGH: u64 = 3;

/// Answers that are kept, whatever projects they are of.
const KEPT: usize = 8;

/// A state of a project's repeats, and what was asked of it.
type Key = (ProjectId, (i64, i64, i64), Switches, Categories);

/// Each labeler's agreement with themselves.
type Everybody = Arc<BTreeMap<MemberId, Themselves>>;

/// A labeler's agreement with themselves, and what was counted.
pub(crate) struct Themselves {
    pub(crate) part: SelfPart,
    pub(crate) passes: IntraRater,
    /// q.
    pub(crate) choices: u64,
    /// Of the resamples.
    pub(crate) seed: u64,
}

/// What was counted, for as long as it holds.
pub(crate) struct Known(Recent<Key, Everybody>);

impl Default for Known {
    fn default() -> Self {
        Self(Recent::of(KEPT))
    }
}

/// The labelers of a project who have submitted a repeat, each with themselves, under the switches
/// of the matrix. Managers alone know of repeats.
pub(crate) async fn for_viewer(
    services: &Services,
    access: &Access,
    project: ProjectId,
    switches: Switches,
    labels: &Categories,
) -> Result<Everybody> {
    if access.member.role != Role::Manager {
        return Ok(Everybody::default());
    }
    let snapshot = services.store.begin_read().await?;
    let stamp = store::work::repeats::stamp(&snapshot, project).await?;
    let key = (project, stamp, switches.without_scale(), labels.clone());
    if let Some(known) = services.repeats.0.find(|of| *of == key) {
        return Ok(known);
    }
    let twice = store::work::repeats::list_twice(&snapshot, Whose::Everybody(project)).await?;
    drop(snapshot);
    let tokens = match switches.policy.positions() {
        PositionKind::Tokens => {
            let documents: Vec<_> = twice.iter().map(|one| one.document).collect();
            services.live.tokens(project, &documents).await?
        }
        PositionKind::Exact | PositionKind::Overlapping => Arc::default(),
    };
    let choices = labels.choices(switches.filter);
    let counted = tokio::task::spawn_blocking(move || {
        let mut of_members: BTreeMap<MemberId, Vec<Twice>> = BTreeMap::new();
        for one in twice {
            of_members.entry(one.member).or_default().push(one);
        }
        let counted = |(member, twice): (MemberId, Vec<Twice>)| {
            let seed = seed_of(project, member);
            (member, themselves((&twice, &tokens), switches, &choices, seed))
        };
        Arc::new(of_members.into_iter().map(counted).collect())
    });
    let counted = counted.await.map_err(Error::broken)?;
    services.repeats.0.keep(key, Arc::clone(&counted), |_| false);
    Ok(counted)
}

/// What a labeler is shown: nothing moves in it while a repeat is before them, and so nothing tells
/// them which of their documents are repeats.
pub(crate) async fn of_labeler(
    services: &Arc<Services>,
    project: ProjectId,
    labeler: MemberId,
) -> Result<Option<OwnRepeats>> {
    let snapshot = services.store.begin_read().await?;
    let mut twice = store::work::repeats::list_twice(&snapshot, Whose::Member(labeler)).await?;
    drop(snapshot);
    twice.retain(|one| one.finished);
    if saturating::<u64>(twice.len()) < ENOUGH {
        return Ok(None);
    }
    let labels = store::project::labels::list(&services.store, project).await?;
    let choices = LabelChoices::of(&labels, Filter::NONE);
    let counted = tokio::task::spawn_blocking(move || {
        let part = |measure| {
            let switches = Switches {
                measure,
                policy: PolicyChoice::Cleaned,
                scale: ScaleChoice::LandisKoch,
                documents: Documents::Submitted,
                filter: Filter::NONE,
            };
            let exact = (twice.as_slice(), &Tokens::default());
            themselves(exact, switches, &choices, seed_of(project, labeler)).part
        };
        OwnRepeats {
            kappa: part(Measure::Kappa),
            alpha: part(Measure::Alpha),
            f1: part(Measure::F1),
        }
    });
    Ok(Some(counted.await.map_err(Error::broken)?))
}

/// A labeler and themselves are a pair like any other.
fn seed_of(project: ProjectId, labeler: MemberId) -> u64 {
    seed(project, Subject::pair(labeler, labeler))
}

fn themselves(
    (twice, tokens): (&[Twice], &Tokens),
    switches: Switches,
    labels: &LabelChoices,
    seed: u64,
) -> Themselves {
    let in_filter = |one: &&Twice| switches.filter.has_document(one.document, Some(one.round));
    let passes = IntraRater::count(
        twice.iter().filter(in_filter).map(|one| (one.document, &one.first, &one.second)),
        switches,
        tokens,
    );
    let counted = &passes.pooled;
    let choices = labels.under(&counted.tally.table, switches.policy).all;
    let measured = measured(counted, labels, switches);
    let confidence = if measured.value().is_none() {
        Confidence::None(NoInterval::NoValue)
    } else if let Some(confidence) =
        confidence_by_formula(&counted.tally.table, switches, labels.scores())
    {
        confidence
    } else {
        let resampling = Resampling { resamples: RESAMPLES, seed };
        passes.interval(switches.measure, (choices, labels.scores()), resampling)
    };
    let part = SelfPart {
        documents: counted.documents,
        measured,
        confidence,
        comparisons: counted_positions(&counted.tally.table, switches.measure),
        agreements: agreements(&counted.tally.table, switches.measure),
        coverage: coverage(counted),
    };
    Themselves { part, passes, choices, seed }
}
