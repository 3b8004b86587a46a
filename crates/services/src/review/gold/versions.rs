//! Locked gold standards: made once, exported and checked for ever after.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use domain::{
    Actor, AuditEvent, Code, DocumentId, Error as Refusal, NewGoldVersion, ProjectId, WebhookEvent,
    base::policy::Action,
};
use formats::{GoldDocument, GoldId, write_gold_json_line};
use live::Tallies;
use serde_json::json;
use sha2::{Digest, Sha256};
use store::{
    Db, Store,
    review::gold_versions::{LockedDocument, NewVersion},
};

use super::{
    Answered,
    list::{sums, total},
    positions::{document_gold, written},
    words::{Words, answer_of, locked},
};
use crate::{
    Error, Result, Services,
    base::{
        access::permit,
        change::events::{Event, about, announce},
        change::{ProjectChange, refuse_unpublished},
    },
    review::quorum::Quorums,
    work::saving::to_the_end,
};

/// How many documents are read at a time to be written.
const BATCH: usize = 500;

/// Locks what is gold now as a version, and says which number it has.
pub async fn lock(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    new: NewGoldVersion,
) -> Result<i64> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let store = &services.store;
        let access = permit(store, &actor, project, Action::ManageProject).await?;
        let asked = new.checked()?;
        let _lock = services.live.lock_project(project).await;
        refuse_unpublished(store, project).await?;
        let words = Words::load(store, project).await?;
        let names = store::document::names(store, project).await?;
        if names.is_empty() {
            let why = "no documents yet: nothing to lock";
            return Err(Code::NothingToDo.of("name", why).into());
        }
        let tallies = services.live.read(project).await?;
        let quorums = Quorums::load(&services, project).await?;
        let counts = total(&*sums(&services, project, &tallies, Arc::clone(&quorums)).await?);
        let documents = held(store, (names, words), &tallies, &quorums).await?;
        let sha256 = hash(store, &documents, true).await?;

        let change = ProjectChange::begin(&services, access, project).await?;
        let (tx, at) = (&change.tx, change.at);
        refuse_unpublished(tx, project).await?;
        let found = store::project::find(tx, project).await?.ok_or(Refusal::NotFound)?;
        if found.revision != tallies.revision {
            let why = "someone is saving right now; try again";
            return Err(Code::ChangedMeanwhile.of("name", why).into());
        }
        let version = NewVersion {
            asked: &asked,
            by: change.access.person.id,
            at,
            revision: tallies.revision,
            guidelines_version: found.guidelines_version,
            positions: counts.gold(),
            open: counts.open(),
            sha256: &sha256,
        };
        let number =
            match store::review::gold_versions::insert(tx, project, version, &documents).await {
                Err(store::Error::Duplicate(_)) => {
                    let why = "another version has this name";
                    return Err(Code::Taken.of("name", why).into());
                }
                inserted => inserted?,
            };
        let version = json!({
            "number": number,
            "name": asked.name,
            "positions": counts.gold(),
            "open": counts.open(),
            "sha256": sha256,
        });
        let event = Event {
            kind: WebhookEvent::GoldLocked,
            at,
            project,
            about: about([("version", version)]),
            path: format!("/projects/{project}/review/gold"),
        };
        announce(tx, event).await?;
        let detail = json!({ "name": asked.name, "positions": counts.gold(), "sha256": sha256 });
        change.end(AuditEvent::LockGoldStandard, format!("gold standard {number}"), detail).await?;
        Ok(number)
    })
    .await
}

/// What holds in these documents.
async fn held(
    store: &Store,
    (names, words): (Vec<(DocumentId, String)>, Words),
    tallies: &Arc<Tallies>,
    quorums: &Arc<Quorums>,
) -> Result<Vec<LockedDocument>> {
    let words = Arc::new(words);
    let mut documents = Vec::with_capacity(names.len());
    for batch in names.chunks(BATCH) {
        let ids: Vec<DocumentId> = batch.iter().map(|(document, _)| *document).collect();
        let ratings = if words.asks() {
            store::agreement::ratings::load_documents(store, &ids).await?
        } else {
            Vec::new()
        };
        let (batch, words) = (batch.to_vec(), Arc::clone(&words));
        let (tallies, quorums) = (Arc::clone(tallies), Arc::clone(quorums));
        let lock = move || {
            let answered = ratings.iter().map(|of| (of.document, Answered::of(of)));
            let mut answered: BTreeMap<_, _> = answered.collect();
            let lock = |(document, name)| {
                let quorum = quorums.of(document);
                let work = tallies.document(document);
                let positions = work.map(|work| document_gold(work, &words.labels, quorum).gold);
                let facts = answered.remove(&document).zip(work);
                let facts = facts.map(|(answered, work)| answered.gold(work, quorum));
                let answers = words.answers(&facts.unwrap_or_default()).into_iter().map(locked);
                LockedDocument {
                    document,
                    name,
                    positions: positions.unwrap_or_default(),
                    answers: answers.collect(),
                }
            };
            batch.into_iter().map(lock).collect::<Vec<_>>()
        };
        documents.extend(tokio::task::spawn_blocking(lock).await.map_err(Error::broken)?);
    }
    Ok(documents)
}

/// The locked gold standards of a project whose content is not what was locked, one sentence each.
pub(crate) async fn problems(db: &impl Db, project: ProjectId) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for version in store::review::gold_versions::list(db, project).await? {
        let documents =
            store::review::gold_versions::documents(db, project, version.number).await?;
        let has_own_ids =
            store::review::gold_versions::has_own_ids(db, project, version.number).await?;
        let sha256 = hash(db, &documents, has_own_ids.unwrap_or_default()).await?;
        if sha256 != version.sha256 {
            problems.push(format!(
                "the locked gold standard {} (“{}”) has the hash {sha256}, not {}",
                version.number, version.name, version.sha256
            ));
        }
    }
    Ok(problems)
}

/// The SHA-256 of the documents as JSON Lines: whoever has the file can check it.
async fn hash(db: &impl Db, documents: &[LockedDocument], has_own_ids: bool) -> Result<String> {
    let mut hasher = Sha256::new();
    for batch in documents.chunks(BATCH) {
        let batch = with_texts(db, batch, has_own_ids).await?;
        hasher = tokio::task::spawn_blocking(move || {
            let mut lines = Vec::new();
            for document in &batch {
                write_gold_json_line(&mut lines, document).map_err(Error::broken)?;
            }
            hasher.update(&lines);
            Ok::<_, Error>(hasher)
        })
        .await
        .map_err(Error::broken)??;
    }
    Ok(format!("{:x}", hasher.finalize()))
}

/// The id of a document in the lines of a gold standard.
pub(crate) fn gold_id(
    has_own_ids: bool,
    document: DocumentId,
    own: Option<String>,
) -> Option<GoldId> {
    if has_own_ids { own.map(GoldId::Own) } else { Some(GoldId::Number(document.0)) }
}

/// Documents as files have them.
async fn with_texts(
    db: &impl Db,
    batch: &[LockedDocument],
    has_own_ids: bool,
) -> Result<Vec<GoldDocument>> {
    let ids: Vec<_> = batch.iter().map(|document| document.document).collect();
    let mut texts = store::document::texts(db, &ids).await?;
    let mut own =
        if has_own_ids { store::document::external_ids(db, &ids).await? } else { HashMap::new() };
    let whole = |document: &LockedDocument| {
        let (_, text) = texts.remove(&document.document).unwrap_or_default();
        GoldDocument {
            id: gold_id(has_own_ids, document.document, own.remove(&document.document)),
            name: document.name.clone(),
            text,
            spans: written(&document.positions),
            answers: document.answers.iter().cloned().map(answer_of).collect(),
        }
    };
    Ok(batch.iter().map(whole).collect())
}
