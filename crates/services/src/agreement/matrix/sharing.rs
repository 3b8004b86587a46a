//! One answer for all who ask: a snapshot is made and written once for each change, whoever is the
//! first to ask for it, and everybody else waits for that one. So is the question whether somebody
//! may follow, who has many streams.

use std::{
    collections::BTreeMap,
    ops::Deref,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use domain::{Actor, AgreementSnapshot, ProjectId, Role, Switches, base::policy::Action};
use tokio::{sync::OnceCell, time::Instant};

use live::Recent;

use crate::agreement::computed;
use crate::{
    Error, Result, Services,
    base::access::{Access, permit},
};

/// How many answers are kept.
const KEPT: usize = 64;

/// How long an answer is given to newcomers too: names, say, may change without a change of the
/// numbers.
const FRESH: Duration = Duration::from_secs(1);

/// How many renderings of a snapshot are kept: people arrange the same numbers in few ways.
const RENDERINGS: usize = 16;

/// A snapshot, its JSON and what has been rendered of it, for as many as are told it.
#[derive(Debug)]
pub struct SharedSnapshot {
    snapshot: Arc<AgreementSnapshot>,
    /// Written when somebody asks for it: the page of many raters shows few, and its JSON has all pairs.
    json: OnceCell<Arc<str>>,
    rendered: Mutex<BTreeMap<String, Arc<str>>>,
}

impl SharedSnapshot {
    fn new(snapshot: AgreementSnapshot) -> Self {
        Self { snapshot: Arc::new(snapshot), json: OnceCell::new(), rendered: Mutex::default() }
    }

    /// The snapshot as JSON, on one line. It is there without the snapshot, for those who are slow to
    /// take it.
    pub async fn json(&self) -> Result<Arc<str>> {
        let write = || async {
            let snapshot = Arc::clone(&self.snapshot);
            let json = tokio::task::spawn_blocking(move || serde_json::to_string(&*snapshot));
            Ok::<_, Error>(json.await.map_err(Error::broken)?.map_err(Error::broken)?.into())
        };
        Ok(Arc::clone(self.json.get_or_try_init(write).await?))
    }

    /// What has been rendered of it `so`, or is now; it must follow from the snapshot and from that
    /// name alone, since all who ask for it get the same.
    pub fn rendered(&self, so: String, render: impl FnOnce() -> String) -> Arc<str> {
        let rendered = || self.rendered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = rendered().get(&so) {
            return Arc::clone(found);
        }
        // Not under the lock: two who come at once may both render, and nobody waits.
        let new: Arc<str> = render().into();
        let mut rendered = rendered();
        if rendered.len() < RENDERINGS {
            rendered.insert(so, Arc::clone(&new));
        }
        new
    }
}

impl Deref for SharedSnapshot {
    type Target = AgreementSnapshot;

    fn deref(&self) -> &AgreementSnapshot {
        &self.snapshot
    }
}

/// For how long streams of the same person share what one of them was permitted, at most.
const PERMITTED: Duration = Duration::from_millis(100);

/// What an answer is to. Managers know names that others may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    project: ProjectId,
    switches: Switches,
    of_manager: bool,
}

/// Who follows a project, and with what rights.
type Following = (Actor, ProjectId);

/// What an answer is to, and since when.
struct Begun<Q> {
    asked: Q,
    /// It was begun after all changes up to this one.
    sequence: u64,
    at: Instant,
}

/// What somebody is making or has made.
type Made<T> = Arc<OnceCell<Arc<T>>>;

/// The answers of late to one kind of question.
struct Kept<Q, T>(Recent<Begun<Q>, Made<T>>);

impl<Q, T> Default for Kept<Q, T> {
    fn default() -> Self {
        Self(Recent::of(KEPT))
    }
}

impl<Q: PartialEq + Clone, T> Kept<Q, T> {
    /// The place of a fresh answer that was begun after the change `wanted`; a new one, after all
    /// changes up to `newest`, if there is none.
    fn place(
        &self,
        asked: Q,
        (wanted, newest): (u64, u64),
        (now, fresh): (Instant, Duration),
    ) -> Made<T> {
        self.0.find_or_keep(
            |begun| now >= begun.at + fresh,
            |begun| begun.asked == asked && begun.sequence >= wanted,
            || (Begun { asked: asked.clone(), sequence: newest, at: now }, Made::default()),
        )
    }
}

/// What was answered of late.
#[derive(Default)]
pub(crate) struct Answers {
    snapshots: Kept<Asked, SharedSnapshot>,
    permitted: Kept<Following, Access>,
}

/// Asks whether somebody who follows a project may see its numbers, to tell them the change `wanted`:
/// once for all their streams, so that who has many asks the database no more often than who has one,
/// and never by an answer from before that change.
pub(crate) async fn permitted(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    wanted: u64,
) -> Result<Arc<Access>> {
    let newest = services.live.follow(project).borrow().sequence;
    let permitted = &services.answers.permitted;
    let when = (Instant::now(), PERMITTED);
    let place = permitted.place((actor.clone(), project), (wanted, newest), when);
    // Boxed, here as below: whoever follows waits for most of the time, and then holds no room for this.
    let access = place.get_or_try_init(|| {
        Box::pin(async {
            permit(&services.store, actor, project, Action::ViewAgreement).await.map(Arc::new)
        })
    });
    Ok(Arc::clone(access.await?))
}

/// The matrix with the change `wanted` and maybe later ones, for somebody who may see it.
pub(crate) async fn shared(
    services: &Arc<Services>,
    access: &Access,
    project: ProjectId,
    switches: Switches,
    wanted: u64,
) -> Result<Arc<SharedSnapshot>> {
    let asked = Asked { project, switches, of_manager: access.member.role == Role::Manager };
    // Numbers are in place before they are told, so an answer begun now has them.
    let newest = services.live.follow(project).borrow().sequence;
    let snapshots = &services.answers.snapshots;
    let place = snapshots.place(asked, (wanted, newest), (Instant::now(), FRESH));
    let made = place
        .get_or_try_init(|| {
            Box::pin(async {
                let snapshot = computed(services, &access.member, project, switches).await?;
                Ok::<_, Error>(Arc::new(SharedSnapshot::new(snapshot)))
            })
        })
        .await?;
    Ok(Arc::clone(made))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Snapshots = Kept<Asked, SharedSnapshot>;

    fn asked(project: i64) -> Asked {
        let switches = Switches::default();
        Asked { project: ProjectId(project), switches, of_manager: true }
    }

    #[test]
    fn an_answer_is_shared_by_all_whose_change_it_holds_and_no_others() {
        let (answers, now) = (Snapshots::default(), (Instant::now(), FRESH));
        let first = answers.place(asked(1), (3, 4), now);
        assert!(Arc::ptr_eq(&first, &answers.place(asked(1), (4, 4), now)));
        assert!(!Arc::ptr_eq(&first, &answers.place(asked(1), (5, 5), now)), "a later change");
        assert!(!Arc::ptr_eq(&first, &answers.place(asked(2), (3, 4), now)), "another project");
        let reviewer = Asked { of_manager: false, ..asked(1) };
        assert!(!Arc::ptr_eq(&first, &answers.place(reviewer, (3, 4), now)), "other names");
    }

    #[test]
    fn what_is_rendered_of_a_snapshot_is_rendered_once_for_each_arrangement() {
        let snapshot = AgreementSnapshot {
            project: ProjectId(1),
            revision: domain::Revision(1),
            switches: Switches::default(),
            raters: Vec::new(),
            cells: Vec::new(),
            pooled: Vec::new(),
            several: None,
            last_change: None,
        };
        let shared = SharedSnapshot::new(snapshot);
        let mut times = 0;
        let mut ask = |so: usize| {
            let rendered = shared.rendered(so.to_string(), || {
                times += 1;
                format!("as {so}")
            });
            assert_eq!(&*rendered, format!("as {so}"));
        };
        for _ in 0..3 {
            (0..RENDERINGS).for_each(&mut ask);
        }
        ask(RENDERINGS);
        ask(RENDERINGS);
        assert_eq!(times, RENDERINGS + 2, "what is not kept is rendered each time");
    }

    #[test]
    fn answers_grow_old_and_do_not_pile_up() {
        let (answers, now) = (Snapshots::default(), Instant::now());
        let first = answers.place(asked(1), (1, 1), (now, FRESH));
        let later = answers.place(asked(1), (1, 1), (now + FRESH, FRESH));
        assert!(!Arc::ptr_eq(&first, &later));
        for project in 0..200 {
            answers.place(asked(project), (1, 1), (now, FRESH));
        }
        assert_eq!(answers.0.len(), KEPT);
    }
}
