//! Where somebody starts: their projects, what waits in each for them, and its agreement as far as they
//! may see it. What is in memory is shown; what is not is counted meanwhile.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, Confidence, Found, MemberId, PolicyChoice, ProjectId, Role, SeveralMeasure,
    StartAgreement, StartCard, StartPage, StartValue, Waiting,
    base::policy::{Action, Standpoint, offers},
};
use live::{Tallies, items, labelers_counted};
use store::project::OwnProject;

use super::{list, list_either};
use crate::{
    Result, Services,
    agreement::{
        breakdowns::Remembered,
        latest_decision, over_time, own, several_row, snapshot,
        target::{SWITCHES, headline_switches},
    },
};

/// Whose decisions end a conflict: a reviewer's own, or anybody's.
type DecidedBy = Option<MemberId>;

/// How many conflicts there are, by the tallies that they were counted from.
pub(crate) struct Conflicts(Remembered<u64, DecidedBy>);

impl Default for Conflicts {
    fn default() -> Self {
        Self(Remembered::of(256))
    }
}

/// The projects that one is a member of, as one starts from them.
pub async fn start(services: &Arc<Services>, actor: &Actor) -> Result<StartPage> {
    let projects = list_either(services, actor, false).await?;
    let archived = list_either(services, actor, true).await?;
    let may_see = |role, action| offers(action, Standpoint::inside(actor, Some(role), false));
    let labelers: Vec<_> = projects
        .iter()
        .filter(|own| may_see(own.card.role, Action::ViewOwnWork))
        .map(|own| (own.member, own.release_level))
        .collect();
    let mut shown = own::load_many(&services.store, &labelers).await?;
    let (mut cards, mut cold) = (Vec::new(), Vec::new());
    for OwnProject { card: project, member, waiting, .. } in projects {
        let own = shown.remove(&member).map(StartAgreement::Own);
        let (agreement, conflicts) = match (own, services.live.ready(project.id)) {
            (Some(own), _) => (own, None),
            (None, Some(tallies)) if may_see(project.role, Action::ViewAgreement) => {
                let values = values(services, project.id, &tallies);
                if values.iter().any(|value| value.confidence == Confidence::Pending) {
                    cold.push(project.id);
                }
                let by = (project.role == Role::Reviewer).then_some(member);
                let conflicts = conflicts(services, tallies, by).await?;
                (StartAgreement::All(values), Some(conflicts))
            }
            (None, _) => {
                cold.push(project.id);
                (StartAgreement::Counting, None)
            }
        };
        cards.push(StartCard { project, waiting: Waiting { conflicts, ..waiting }, agreement });
    }
    if !cold.is_empty() {
        tokio::spawn(count(Arc::clone(services), actor.clone(), cold));
    }
    let archived = archived.into_iter().map(|own| own.card).collect();
    Ok(StartPage { cards, archived })
}

/// The projects of which one is a member, and the documents in them that one works with, whose names
/// have in them what was typed.
pub async fn search(services: &Arc<Services>, actor: &Actor, typed: &str) -> Result<Found> {
    let text = typed.trim().to_lowercase();
    let mut projects = list(services, actor).await?;
    if text.is_empty() {
        return Ok(Found::default());
    }
    let user = actor.person()?.id;
    let mut documents =
        store::project::search_documents(&services.store, user, &text, FOUND).await?;
    documents.retain(|found| actor.leads_to(found.project));
    projects.retain(|project| project.name.to_lowercase().contains(&text));
    Ok(Found { projects, documents })
}

/// As many documents are found at once.
const FOUND: u64 = 12;

/// Brings what is shown of these projects into memory, one after the other. What goes wrong is said
/// where somebody asks for the matrix and waits for it.
async fn count(services: Arc<Services>, actor: Actor, projects: Vec<ProjectId>) {
    for project in projects {
        for policy in PolicyChoice::HEADLINES {
            if snapshot(&services, &actor, project, headline_switches(policy)).await.is_err() {
                break;
            }
        }
    }
}

/// α of all labelers under each policy.
fn values(services: &Arc<Services>, project: ProjectId, tallies: &Tallies) -> Vec<StartValue> {
    let value = |&policy| {
        let switches = headline_switches(policy);
        let question = services.live.ask(project, switches);
        let row = several_row((&question, tallies), switches, SeveralMeasure::Alpha);
        let change = over_time::latest_change(services, (project, tallies.revision), policy);
        StartValue { policy, measured: row.measured, confidence: row.confidence, change }
    };
    PolicyChoice::HEADLINES.iter().map(value).collect()
}

/// On how many positions labelers differ that are not decided, as it is remembered, or counted on a
/// thread that may block.
async fn conflicts(services: &Services, tallies: Arc<Tallies>, by: DecidedBy) -> Result<u64> {
    Ok(*services.conflicts.0.find_or_count(&tallies, by, count_conflicts).await?)
}

fn count_conflicts(tallies: &Tallies, by: &DecidedBy) -> u64 {
    let mut conflicts = 0;
    for (_, work) in tallies.documents() {
        for (range, said) in items(&labelers_counted(work, SWITCHES), SWITCHES.policy) {
            let different: BTreeSet<_> = said.iter().map(|(_, labels)| *labels).collect();
            let is_decided = match by {
                Some(reviewer) => {
                    work.get(reviewer).is_some_and(|own| own.verdicts.contains_key(&range))
                }
                None => latest_decision(work, range).is_some(),
            };
            conflicts += u64::from(different.len() > 1 && !is_decided);
        }
    }
    conflicts
}
