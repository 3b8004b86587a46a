//! What an import would do in a project: found from the first look at the files and from what the
//! project has, before anything is written.

use std::collections::{BTreeSet, HashMap};

use domain::{
    AssignmentId, DocumentId, Fact, ImportAs, ImportChanges, ImportProblem, Label, MemberId,
    ModelId, NewModel, ProjectId, Span, WorkState, saturating,
};
use store::{Db, document::imports::KnownAssignment, work::versions::Pass};

use super::{
    Order,
    names::people::{People, Who},
    scan::{NamedSpans, Scan, WorkDigest},
};
use crate::{
    Result,
    base::secrets::checksum::in_digits,
    document::reading::{Entry, EntryWork, same_documents},
    work::assignment_updates::spans_of,
};

/// Assignments whose spans are read at once, to see whether they are the same.
const AT_ONCE: usize = 200;

/// What becomes of a work of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Todo {
    /// It stays out, or is there already.
    Nothing,
    /// It is stored, in the assignment that is there or a new one, as the person at this place.
    Store(usize),
}

/// What is to be done.
pub(super) struct Plan {
    pub(super) people: People,
    /// The project's document of each group, if it has it.
    pub(super) documents: Vec<Option<DocumentId>>,
    /// For each entry, what becomes of its work.
    pub(super) todo: Vec<Vec<Todo>>,
    pub(super) changes: ImportChanges,
}

/// Finds out what is to be done; what cannot be is a problem of the scan.
pub(super) async fn plan(
    db: &impl Db,
    project: ProjectId,
    scan: &mut Scan,
    order: &Order,
) -> Result<Plan> {
    let people = find_people(db, project, scan, order).await?;
    let documents = known(db, project, scan, order.options.import_as).await?;
    let nothing =
        |work: &crate::document::reading::raters::RatedEntry| vec![Todo::Nothing; work.work.len()];
    let todo = scan.rated.entries.iter().map(nothing).collect();
    let known_documents = documents.iter().flatten().count();
    let changes = ImportChanges {
        known_documents: saturating::<u64>(known_documents),
        new_documents: saturating::<u64>(documents.len() - known_documents),
        ..ImportChanges::default()
    };
    let mut plan = Plan { people, documents, todo, changes };
    if order.options.import_as == ImportAs::Work {
        plan.give(db, project, scan, order).await?;
    }
    Ok(plan)
}

/// Whose the work of the raters is.
pub(super) async fn find_people(
    db: &impl Db,
    project: ProjectId,
    scan: &Scan,
    order: &Order,
) -> Result<People> {
    let names: &[String] = match order.options.import_as {
        ImportAs::Suggestions => &[],
        ImportAs::Work => &scan.rated.raters,
    };
    People::find(db, project, names, &order.options.mapping.people).await
}

/// Which of the files' documents the project has: by their ids, else by name and text, else by a
/// text that one document alone has.
async fn known(
    db: &impl Db,
    project: ProjectId,
    scan: &mut Scan,
    import_as: ImportAs,
) -> Result<Vec<Option<DocumentId>>> {
    let present = store::document::imports::known_documents(db, project).await?;
    let mut by_id = HashMap::new();
    let mut by_name: HashMap<(&str, &str), DocumentId> = HashMap::new();
    let mut by_text: HashMap<&str, Vec<DocumentId>> = HashMap::new();
    for document in &present {
        if let Some(id) = &document.external_id {
            by_id.insert(id.as_str(), document);
        }
        by_name.entry((&document.name, &document.sha256)).or_insert(document.id);
        by_text.entry(&document.sha256).or_default().push(document.id);
    }
    let mut taken: BTreeSet<DocumentId> = BTreeSet::new();
    let mut found = vec![None; scan.groups.len()];
    // Ids first: a document is not to be taken for its text by one, and for its id by another.
    for (group, found) in scan.groups.iter().zip(&mut found) {
        let entries = entries_of(&scan.reading.entries, group);
        let with_id = entries.iter().find_map(|entry| Some((*entry, entry.id.as_deref()?)));
        let Some((entry, id)) = with_id else { continue };
        let Some(same) = by_id.get(id) else { continue };
        let message = match import_as {
            ImportAs::Suggestions => {
                Some(format!("the project already has a document with the id \"{id}\""))
            }
            ImportAs::Work if !hashes(&entries).contains(&same.sha256) => Some(format!(
                "the project's document with the id \"{id}\" has a different text, so spans do not \
                 fit"
            )),
            ImportAs::Work => None,
        };
        if let Some(message) = message {
            let field = if import_as == ImportAs::Work { "text" } else { "id" };
            scan.problems.add(ImportProblem {
                file: scan.reading.file_of(entry).to_owned(),
                line: Some(saturating::<u64>(entry.line)),
                field: Some(field.to_owned()),
                message,
            });
        }
        taken.insert(same.id);
        *found = Some(same.id);
    }
    if import_as == ImportAs::Suggestions {
        return Ok(found);
    }
    for (group, found) in scan.groups.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
        let entries = entries_of(&scan.reading.entries, group);
        let has_id = entries.iter().any(|entry| entry.id.is_some());
        let hashes = hashes(&entries);
        let name = same_documents::name_of(&scan.reading, &scan.rated, group);
        let by_name = hashes.iter().find_map(|hash| by_name.get(&(name, hash.as_str()))).copied();
        let mut of_text = hashes.iter().filter_map(|hash| by_text.get(hash.as_str()));
        let alone = || match of_text.next().map(Vec::as_slice) {
            Some([one]) if !has_id => Some(*one),
            _ => None,
        };
        *found = by_name.or_else(alone).filter(|document| taken.insert(*document));
    }
    Ok(found)
}

/// The entries of a group.
fn entries_of<'a>(entries: &'a [Entry], group: &[usize]) -> Vec<&'a Entry> {
    group.iter().filter_map(|place| entries.get(*place)).collect()
}

/// The hashes of the texts that a document of these entries may have. Copies differ by white space: the
/// project may have any in which all spans have their place.
fn hashes(entries: &[&Entry]) -> Vec<String> {
    let reach = entries.iter().map(|entry| entry.reach).max().unwrap_or_default();
    let fitting = entries.iter().filter(|entry| entry.length >= reach);
    fitting.map(|entry| in_digits(&entry.text)).collect()
}

/// Which document work is on: one of the project, or that of a group.
type On = Result<DocumentId, usize>;

/// Whose work is, if it is stored for somebody who may have some already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner<'a> {
    Member(MemberId),
    /// By name and version.
    Model(&'a str, &'a str),
    /// Somebody new, by the place of the rater.
    New(usize),
}

/// Whose work of the files it is: the place of an entry, and its own among the entry's.
#[derive(Clone, Copy, Debug)]
struct Of {
    place: usize,
    at: usize,
    /// Whether the same person has work on the document before it, to which this adds.
    adds: bool,
}

/// The work of models that is there.
type OfModels = HashMap<(DocumentId, ModelId), Vec<Fact>>;

impl Plan {
    /// Whether the same is to be done by another.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (&self.people.who, &self.documents, &self.todo)
            == (&other.people.who, &other.documents, &other.todo)
    }

    /// Says of each work what becomes of it.
    async fn give(
        &mut self,
        db: &impl Db,
        project: ProjectId,
        scan: &mut Scan,
        order: &Order,
    ) -> Result<()> {
        let members: Vec<MemberId> = self.people.who.iter().filter_map(member).collect();
        let knows = self.changes.known_documents > 0;
        let assignments = if knows {
            store::document::imports::known_assignments(db, &members).await?
        } else {
            Vec::new()
        };
        let assignments: HashMap<_, _> = assignments
            .into_iter()
            .map(|assignment| ((assignment.document, assignment.member), assignment))
            .collect();
        let of_models = if knows { self.works_of_models(db).await? } else { OfModels::new() };
        let labels = store::project::labels::list(db, project).await?;
        let mut to_compare: Vec<(KnownAssignment, Of)> = Vec::new();
        let mut to_hold: Vec<(&[Fact], String, Of)> = Vec::new();
        let mut seen: HashMap<(On, Owner<'_>), usize> = HashMap::new();
        for (at, (group, document)) in scan.groups.iter().zip(&self.documents).enumerate() {
            let on = document.ok_or(at);
            for place in group {
                let Some(entry) = scan.rated.entries.get(*place) else { continue };
                for (at, rater) in entry.work.iter().enumerate() {
                    let Some(rater) = *rater else { continue };
                    let Some(who) = self.people.who.get(rater) else { continue };
                    let read = scan.reading.entries.get(*place).and_then(|it| it.work.get(at));
                    let first = owner(who, rater).and_then(|it| seen.insert((on, it), rater));
                    // Answers to several questions may come in several files.
                    let adds =
                        first == Some(rater) && read.is_some_and(EntryWork::has_only_answers);
                    let is_known = !matches!(who, Who::New(_));
                    if let Some(first) = first.filter(|_| !adds && is_known) {
                        let (first, second) =
                            (name(&scan.rated.raters, first), name(&scan.rated.raters, rater));
                        let twice = if first == second {
                            format!("{first} has this document twice")
                        } else {
                            format!(
                                "{first} and {second} cannot be the same person: they share a \
                                 document"
                            )
                        };
                        let problem = problem(scan.reading.entries.get(*place), scan, twice);
                        scan.problems.add(problem);
                    }
                    let assignment =
                        member(who).and_then(|member| assignments.get(&((*document)?, member)));
                    let todo = match (who, assignment) {
                        (Who::Nobody, _) => Todo::Nothing,
                        (Who::Model(Some(model), new), _) => {
                            let there = document.and_then(|it| of_models.get(&(it, *model)));
                            if let Some(there) = there {
                                let title = format!("{} {}", new.name, new.version);
                                to_hold.push((there, title, Of { place: *place, at, adds }));
                                Todo::Nothing
                            } else {
                                Todo::Store(rater)
                            }
                        }
                        (_, None) => Todo::Store(rater),
                        (_, Some(assignment)) if assignment.state == WorkState::Open => {
                            Todo::Store(rater)
                        }
                        (_, Some(assignment)) => {
                            to_compare.push((*assignment, Of { place: *place, at, adds }));
                            Todo::Nothing
                        }
                    };
                    self.changes.new += u64::from(todo != Todo::Nothing && !adds);
                    if let Some(mine) = self.todo.get_mut(*place).and_then(|it| it.get_mut(at)) {
                        *mine = todo;
                    }
                }
            }
        }
        for (facts, title, at) in to_hold {
            let spans = spans_of(facts);
            self.hold(scan, order, ((&labels, &spans, facts), &title), at);
        }
        self.compare(db, &labels, scan, order, &to_compare).await
    }

    /// What the models have in the project whose work is in the files.
    async fn works_of_models(&self, db: &impl Db) -> Result<OfModels> {
        let known = self.people.who.iter().filter_map(|who| match who {
            Who::Model(id, _) => *id,
            Who::Member(..) | Who::New(_) | Who::Nobody => None,
        });
        let known: BTreeSet<ModelId> = known.collect();
        let mut works = OfModels::new();
        for model in known {
            let of_model = store::agreement::model_work::list(db, model).await?;
            works.extend(of_model.into_iter().map(|it| ((it.document, model), it.facts)));
        }
        Ok(works)
    }

    /// Holds what people have saved against what the files say of them.
    async fn compare(
        &mut self,
        db: &impl Db,
        labels: &[Label],
        scan: &mut Scan,
        order: &Order,
        assignments: &[(KnownAssignment, Of)],
    ) -> Result<()> {
        for some in assignments.chunks(AT_ONCE) {
            let ids: Vec<_> = some.iter().map(|(assignment, _)| assignment.id).collect();
            let mut stored: HashMap<AssignmentId, Vec<Span>> = HashMap::new();
            for (assignment, span) in store::document::imports::spans_of(db, &ids).await? {
                stored.entry(assignment).or_default().push(span);
            }
            let has_answers = |Of { place, at, .. }: Of| {
                let digest = scan.digests.get(place).and_then(|digests| digests.get(at));
                digest.is_some_and(WorkDigest::has_answers)
            };
            let answering = some.iter().filter(|(_, at)| has_answers(*at));
            let passes: Vec<_> =
                answering.map(|(it, _)| Pass { assignment: it.id, repeat: None }).collect();
            let facts = store::work::choices::facts(db, &passes).await?;
            let with_answers = passes.iter().zip(facts).map(|(pass, facts)| {
                let answers = facts.into_iter().filter(|fact| fact.choice.is_some());
                (pass.assignment, answers.collect::<Vec<Fact>>())
            });
            let answers: HashMap<_, _> = with_answers.collect();
            for (assignment, at) in some {
                let answers = answers.get(&assignment.id).map_or(&[][..], Vec::as_slice);
                let spans = stored.get(&assignment.id).map_or(&[][..], Vec::as_slice);
                let who = self.people.labelers.iter().find(|it| it.id == assignment.member);
                let name = who.map_or_else(|| "this labeler".to_owned(), |who| who.name.clone());
                self.hold(scan, order, ((labels, spans, answers), &name), *at);
            }
        }
        Ok(())
    }

    /// Holds what somebody has against the work at a place of the files.
    fn hold(
        &mut self,
        scan: &mut Scan,
        order: &Order,
        ((labels, spans, answers), name): (Stored<'_>, &str),
        Of { place, at, adds }: Of,
    ) {
        let digest = scan.digests.get(place).and_then(|digests| digests.get(at));
        let questions = &scan.questions;
        let answers = answers.iter().filter_map(|fact| questions.read_chosen(fact)).collect();
        let spans = named(labels, spans);
        let is_same = digest.is_some_and(|digest| digest.is_of(spans, answers, questions));
        if is_same {
            self.changes.same += u64::from(!adds);
        } else if order.options.keep_differing {
            self.changes.kept += 1;
        } else {
            self.changes.refused += 1;
            let answers = digest.is_some_and(WorkDigest::has_answers);
            let entry = scan.reading.entries.get(place).and_then(|entry| entry.work.get(at));
            let what = match entry {
                Some(work) if work.has_only_answers() => "answers about",
                _ if answers => "spans or answers in",
                _ => "spans in",
            };
            let alone = entry.is_some_and(EntryWork::has_only_answers);
            // What is handed in is not added to.
            let once = if alone { "; tables of several questions come in one import" } else { "" };
            let message = format!(
                "{name} already has different {what} this document; keep those, or leave this \
                 person out{once}"
            );
            let problem = problem(scan.reading.entries.get(place), scan, message);
            scan.problems.add(problem);
        }
    }
}

/// What somebody has: spans, under the project's labels, and answers about these and the document.
type Stored<'a> = (&'a [Label], &'a [Span], &'a [Fact]);

/// Spans that are stored, as those of files.
fn named<'a>(labels: &'a [Label], spans: &[Span]) -> NamedSpans<'a> {
    let name = |span: &Span| {
        labels.iter().find(|label| label.id == span.label).map_or("", |label| label.name.as_str())
    };
    let key = |span: &Span| (span.range.start.into(), span.range.end.into(), name(span));
    spans.iter().map(key).collect()
}

fn owner(who: &Who, rater: usize) -> Option<Owner<'_>> {
    match who {
        Who::Member(id, _) => Some(Owner::Member(*id)),
        Who::Model(_, NewModel { name, version, .. }) => Some(Owner::Model(name, version)),
        Who::New(_) => Some(Owner::New(rater)),
        Who::Nobody => None,
    }
}

fn member(who: &Who) -> Option<MemberId> {
    match who {
        Who::Member(id, _) => Some(*id),
        Who::New(_) | Who::Model(..) | Who::Nobody => None,
    }
}

fn name(names: &[String], place: usize) -> &str {
    names.get(place).map_or("", String::as_str)
}

/// What is wrong with the work of an entry.
fn problem(entry: Option<&Entry>, scan: &Scan, message: String) -> ImportProblem {
    let file = entry.map_or("", |entry| scan.reading.file_of(entry));
    ImportProblem {
        file: file.to_owned(),
        line: entry.map(|entry| saturating::<u64>(entry.line)),
        field: Some("work".to_owned()),
        message,
    }
}
