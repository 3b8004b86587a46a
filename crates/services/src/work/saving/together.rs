//! Saves that wait for their project: whoever gets its lock writes all that wait in one transaction, so
//! that many who save at the same time wait for few commits instead of each for all before.

use std::{
    collections::{BTreeSet, HashMap},
    mem,
    sync::{Mutex, PoisonError},
};

use domain::{Error as Refusal, ProjectId, SaveOutcome};
use store::{base::answered_requests::RequestKey, work::assignments::Assignment};
use tokio::sync::oneshot;

use super::assignments::{AssignmentChange, Save, Written, write};
use crate::{Error, Result, Services, base::access::Access};

/// The most saves of one transaction: enough for the commit to cost little, few enough to answer soon.
const MOST: usize = 64;

/// How often saves are written anew that another server's change of the same project was in the way of.
const TRIES: u8 = 4;

type Answer = Result<SaveOutcome>;

/// A save with whom to answer.
type Asked = (Save, oneshot::Sender<Answer>);

/// The saves that wait, by project, the first first.
#[derive(Default)]
pub(crate) struct Waiting(Mutex<HashMap<ProjectId, Vec<Asked>>>);

impl Waiting {
    fn add(&self, project: ProjectId, save: Save) -> oneshot::Receiver<Answer> {
        let (asker, answer) = oneshot::channel();
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.entry(project).or_default().push((save, asker));
        answer
    }

    /// Those whose turn it is: no two of one assignment, since the second is based on the first.
    fn next(&self, project: ProjectId) -> Vec<Asked> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(all) = waiting.get_mut(&project) else { return Vec::new() };
        let (mut next, mut left) = (Vec::new(), Vec::new());
        let mut assignments = BTreeSet::new();
        for one in mem::take(all) {
            let is_next = next.len() < MOST && assignments.insert(one.0.assignment);
            if is_next { &mut next } else { &mut left }.push(one);
        }
        if left.is_empty() {
            waiting.remove(&project);
        } else {
            *all = left;
        }
        next
    }
}

/// Commits a change of an assignment with the others of its project that wait, then moves the tallies.
///
/// To be run to its end: whoever gets the lock writes for others, too.
pub(crate) async fn commit(
    services: &Services,
    found: &Assignment,
    access: Access,
    change: AssignmentChange,
) -> Result<SaveOutcome> {
    let project = found.project;
    let request = RequestKey::of_present_task();
    let save = Save { request, assignment: found.id, access, change };
    let mut answer = services.saves.add(project, save);
    loop {
        let _lock = tokio::select! {
            biased;
            answer = &mut answer => return answer.map_err(Error::broken)?,
            lock = services.live.lock_project(project) => lock,
        };
        let (saves, askers): (Vec<_>, Vec<_>) = services.saves.next(project).into_iter().unzip();
        for (asker, answer) in askers.into_iter().zip(write_all(services, project, &saves).await) {
            // Nobody waits where a server is being stopped.
            let _ = asker.send(answer);
        }
    }
}

/// Writes saves together, or each by itself where one has broken it for all.
async fn write_all(services: &Services, project: ProjectId, saves: &[Save]) -> Vec<Answer> {
    let mut tries = TRIES;
    let error = loop {
        match write_together(services, project, saves).await {
            Ok(answers) => return answers,
            Err(Error::Overtaken) if tries > 1 => tries -= 1,
            Err(error) => break error,
        }
    };
    let mut answers = Vec::with_capacity(saves.len());
    match error {
        // Each by itself would wait as long in vain, or leave open whether it is stored.
        Error::Refused(
            refusal @ (Refusal::Busy | Refusal::DatabaseUnavailable | Refusal::OutcomeUnknown),
        ) => answers.extend(saves.iter().map(|_| Err(refusal.clone().into()))),
        error if saves.len() == 1 => answers.push(Err(error)),
        _ => {
            for save in saves.chunks(1) {
                match write_together(services, project, save).await {
                    Ok(answer) => answers.extend(answer),
                    Err(error) => answers.push(Err(error)),
                }
            }
        }
    }
    answers
}

async fn write_together(
    services: &Services,
    project: ProjectId,
    saves: &[Save],
) -> Result<Vec<Answer>> {
    if saves.is_empty() {
        return Ok(Vec::new());
    }
    let tx = services.store.begin().await?;
    let Written { answers, change } = write(&tx, project, saves, services.clock.now()).await?;
    let stored = saves.iter().zip(&answers).filter(|(_, answer)| answer.is_ok());
    let requests = stored.filter_map(|(save, _)| save.request.clone()).collect();
    super::commit(services, project, tx.for_requests(requests), change).await?;
    for outcome in answers.iter().flatten() {
        super::count(match outcome {
            SaveOutcome::Saved { .. } => "done",
            SaveOutcome::Conflict(_) => "conflict",
        });
    }
    Ok(answers)
}
