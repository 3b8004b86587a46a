//! The positions that are like one of them and open to a reviewer.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    Actor, AlikeRow, AlikeView, AttributeId, DocumentId, Documents, Error as Refusal, Likeness,
    MOST_AT_ONCE, MemberId, Position, ProjectId, Range, Role, SeenPosition, base::policy::Action,
    saturating,
};
use formats::TextIndex;
use live::DocumentWork;

use super::{
    about::About,
    given::{given, stand},
};

use crate::{
    Error, Result, Services,
    agreement::disagreements::judgement,
    base::{
        access::{independent, permit},
        names::Names,
        quoting::{Quote, slice},
    },
};

/// Documents whose texts are read at once.
const BATCH: usize = 200;

/// The likeness of a position in its text.
pub(super) fn likeness(work: &DocumentWork, index: &TextIndex<'_>, range: Range) -> Likeness {
    let (answers, absence) = stand(work, range);
    Likeness::new(&slice(index, range), answers, absence)
}

/// The position and all others that are like it, in documents whose review the reviewer has not
/// ended, and on which they have not decided; of answers, where the same labels stand. A position that no
/// labeler marked is like no other, and neither is one of a group, where what is decided is decided on all of it,
/// nor a document.
pub(super) async fn find(
    services: &Services,
    about: &About,
    reviewer: MemberId,
    like: Position,
) -> Result<Vec<Position>> {
    let tallies = &about.tallies;
    let none = DocumentWork::new();
    let work = tallies.document(like.document).unwrap_or(&none);
    let is_alone = about.groups.group(like).is_some()
        || about.asked.is_some() && about.comes_with(reviewer, like).is_none();
    if is_alone || stand(work, like.range).0.is_empty() {
        return Ok(vec![like]);
    }
    let texts = store::document::texts(&services.store, &[like.document]).await?;
    let (_, text) = texts.get(&like.document).ok_or(Refusal::NotFound)?;
    let wanted = likeness(work, &TextIndex::new(text), like.range);
    let (here, likeness_wanted) = (about.clone(), wanted.clone());
    let candidates =
        tokio::task::spawn_blocking(move || candidates(&here, reviewer, like, &likeness_wanted));
    let candidates = candidates.await.map_err(Error::broken)?;
    let documents: Vec<_> = candidates.keys().copied().collect();
    let mut found = Vec::new();
    for batch in documents.chunks(BATCH) {
        let texts = store::document::texts(&services.store, batch).await?;
        for document in batch {
            let Some((_, text)) = texts.get(document) else { continue };
            let Some(work) = tallies.document(*document) else { continue };
            let index = TextIndex::new(text);
            let ranges = candidates.get(document).into_iter().flatten();
            let alike = ranges.filter(|range| likeness(work, &index, **range) == wanted);
            found.extend(alike.map(|range| Position { document: *document, range: *range }));
        }
        tokio::task::yield_now().await;
    }
    Ok(found)
}

/// The positions on which labelers stand in the same way, whatever the words.
fn candidates(
    about: &About,
    reviewer: MemberId,
    like: Position,
    wanted: &Likeness,
) -> BTreeMap<DocumentId, Vec<Range>> {
    let mut candidates = BTreeMap::new();
    let with = about.comes_with(reviewer, like);
    for (document, work) in about.tallies.documents() {
        let at = |range: &Range| Position { document, range: *range };
        if !about.is_open(reviewer, at(&like.range)) {
            continue;
        }
        let is_open = |range: &Range| at(range) == like || !about.has_decided(reviewer, at(range));
        let is_with = |range: &Range| about.comes_with(reviewer, at(range)) == with;
        let marked: BTreeSet<Range> = work
            .values()
            .filter(|work| work.role == Role::Labeler)
            .flat_map(|work| work.judgements.keys().copied())
            .collect();
        let ranges: Vec<_> = marked
            .into_iter()
            .filter(|range| {
                let (answers, absence) = stand(work, *range);
                wanted.stands_like(&answers, absence)
            })
            .filter(|range| is_open(range) && is_with(range))
            .filter(|range| about.groups.group(at(range)).is_none())
            .collect();
        if !ranges.is_empty() {
            candidates.insert(document, ranges);
        }
    }
    candidates
}

/// The positions that are like one of them, as its reviewer looks at them before a decision on
/// all, on an answer to a question or on labels; none where no position is asked for.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    question: Option<AttributeId>,
    like: Option<Position>,
) -> Result<Option<AlikeView>> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::Review).await?;
    independent(store, &access).await?;
    let Some(like) = like else { return Ok(None) };
    let names = Names::load(store, project, &access.member).await?;
    let about = About::load(services, project, question).await?;
    let tallies = &about.tallies;
    tallies.round(like.document).ok_or(Refusal::NotFound)?;
    let mut found = find(services, &about, access.member.id, like).await?;
    // The one that it is about comes first.
    found.sort_by_key(|position| (*position != like, *position));
    let total = saturating::<u64>(found.len());
    found.truncate(MOST_AT_ONCE);
    let bases: BTreeMap<_, _> = store::review::list_of_member(store, project, access.member.id)
        .await?
        .into_iter()
        .collect();
    let mut documents: Vec<_> = found.iter().map(|position| position.document).collect();
    documents.push(like.document);
    documents.sort_unstable();
    documents.dedup();
    let texts = store::document::texts(store, &documents).await?;
    let indices: BTreeMap<_, _> = texts
        .iter()
        .map(|(document, (name, text))| (*document, (name, TextIndex::new(text))))
        .collect();
    let none = DocumentWork::new();
    let rows = found
        .into_iter()
        .filter_map(|position| {
            let (name, index) = indices.get(&position.document)?;
            let work = tallies.document(position.document).unwrap_or(&none);
            let Quote { words: quote, left, right } = Quote::of(index, position.range);
            let said = |rater: &domain::Rater| {
                judgement(work.get(&rater.id), position.range, Documents::Saved)
            };
            let base = bases.get(&position.document).map(|review| review.revision);
            Some(AlikeRow {
                seen: SeenPosition { position, base: base.unwrap_or_default() },
                document_name: (*name).clone(),
                quote,
                left,
                right,
                judgements: names.raters().iter().map(said).collect(),
            })
        })
        .collect();
    let (_, index) = indices.get(&like.document).ok_or(Refusal::NotFound)?;
    Ok(Some(AlikeView {
        raters: names.raters().to_vec(),
        like,
        quote: slice(index, like.range),
        given: given(tallies.document(like.document).unwrap_or(&none), like.range),
        comes_with: about.comes_with(access.member.id, like),
        rows,
        total,
    }))
}
