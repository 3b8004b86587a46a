//! The log of what is not known to be saved: each edit as an operation with an id of its own, the
//! save that is on its way, and the steps that can be undone. Offsets and ids, never text.
//! Pure: what is to be written is carried out elsewhere.
//!
//! All keys of one person's assignment begin with the person and the assignment, so that nobody else finds
//! them. A page numbers its records, so that they come in the order in which they were made:
//!
//! ```text
//! person/assignment/page/00000001        an edit
//! person/assignment/page/00000001-save   the save of everything up to here
//! person/assignment/page/00000002        an edit made meanwhile
//! person/assignment/~history             steps to undo and to do again
//! person/assignment/~revision            what the assignment has become by a save from here
//! ```

pub(crate) mod database;
pub(crate) mod left_over;
mod record;

use domain::{AssignmentId, LabelId, Revision, SaveKey, SaveSpans, UserId};

use self::record::{Operation, read_steps, written, written_steps};
use super::{
    change::{Change, composed},
    history::Steps,
};

/// A key of the browser's database and what is under it.
pub(crate) type Record = (String, String);

/// The end of the key of a save.
const SAVE: &str = "-save";

/// The end of the key of the history.
const HISTORY: &str = "~history";

/// The end of the key of the revision that was saved last from here.
const REVISION: &str = "~revision";

/// What changes in the browser's database, all at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writes {
    pub gone: Vec<String>,
    pub put: Vec<Record>,
}

/// How the keys of one person's assignment begin.
pub(crate) fn place_of(person: UserId, assignment: AssignmentId) -> String {
    format!("{person}/{assignment}/")
}

/// What one page has written for one assignment.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    /// How the keys of the assignment begin.
    place: String,
    /// The page's own name.
    page: String,
    next: u32,
    /// The last save that was sent.
    sent: Option<SaveKey>,
    /// The records that are to go once the server has everything.
    records: Vec<String>,
    /// Earlier pages of which this one waits for the end, or has taken up what they left.
    met: Vec<String>,
    /// The steps of an earlier page that are yet to be given back.
    pub steps: Option<Steps>,
}

impl Log {
    /// The empty log of a page that has no name yet.
    pub(crate) const fn new(place: String) -> Self {
        Self {
            place,
            page: String::new(),
            next: 1,
            sent: None,
            records: Vec::new(),
            met: Vec::new(),
            steps: None,
        }
    }

    /// Gives the page its name; what pages have left comes in the order of their names.
    pub(crate) fn begin(&mut self, page: String) {
        self.page = page;
        self.met.push(self.name());
    }

    /// Whether a page was not met before; it is now.
    pub(crate) fn meet(&mut self, name: &str) -> bool {
        let is_new = !self.met.iter().any(|met| met == name);
        if is_new {
            self.met.push(name.to_owned());
        }
        is_new
    }

    /// How the keys of the assignment begin.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    /// The name that this page holds as long as it is there.
    pub(crate) fn name(&self) -> String {
        format!("{}{}", self.place, self.page)
    }

    /// An edit, with the steps that can be undone after it.
    pub(crate) fn edited(&mut self, base: Revision, change: &Change, steps: &Steps) -> Writes {
        let edit = self.append(base, change);
        let history = (format!("{}{HISTORY}", self.place), written_steps(steps));
        Writes { gone: Vec::new(), put: vec![edit, history] }
    }

    /// A save that is about to be sent: it holds every edit so far. None if it is sent again.
    pub(crate) fn sending(&mut self, command: &SaveSpans) -> Option<Writes> {
        if self.sent.as_ref() == Some(&command.key) {
            return None;
        }
        self.sent = Some(command.key.clone());
        let key = format!("{}/{:08}{SAVE}", self.name(), self.next.saturating_sub(1));
        self.records.push(key.clone());
        Some(saving(key, command))
    }

    /// Records of an earlier page that are this one's affair now.
    pub(crate) fn take_over(&mut self, records: &mut Vec<String>) {
        self.records.append(records);
    }

    /// No save is on its way: of all that was written only what is not saved stays, as one edit.
    /// None if nothing changes.
    pub(crate) fn settled(&mut self, base: Revision, pending: &Change) -> Option<Writes> {
        if self.records.is_empty() {
            return None;
        }
        let saved = (format!("{}{REVISION}", self.place), base.to_string());
        let mut writes = Writes { gone: std::mem::take(&mut self.records), put: vec![saved] };
        if !pending.is_empty() {
            writes.put.push(self.append(base, pending));
        }
        Some(writes)
    }

    /// The assignment was handed in: what led there is no longer to be undone after a reload.
    pub(crate) fn closed(&self) -> Writes {
        Writes { gone: vec![format!("{}{HISTORY}", self.place)], put: Vec::new() }
    }

    fn append(&mut self, base: Revision, change: &Change) -> Record {
        let number = self.next;
        self.next += 1;
        let key = format!("{}/{number:08}", self.name());
        self.records.push(key.clone());
        let id = SaveKey(format!("{}-{number}", self.page));
        (key, written(base, &id, change))
    }
}

/// Writes down a save.
fn saving(key: String, SaveSpans { base, key: id, added, removed, .. }: &SaveSpans) -> Writes {
    let change = Change { added: added.clone(), removed: removed.clone() };
    Writes { gone: Vec::new(), put: vec![(key, written(*base, id, &change))] }
}

/// What an earlier page has left of its work on this assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    /// The name that the page holds as long as it is there.
    pub name: String,
    pub records: Vec<String>,
    /// The save that had no answer yet, as it was sent.
    pub save: Option<SaveSpans>,
    /// The revision on which the first edit was made.
    pub base: Revision,
    /// All edits, and those that came after the save.
    pub all: Change,
    pub rest: Change,
}

impl Chain {
    /// Makes one save of all edits; the answer is what is to be written before it is sent.
    pub(crate) fn be_saved(&mut self, assignment: AssignmentId, key: SaveKey) -> Option<Writes> {
        let Change { added, removed } = self.all.clone();
        let save = SaveSpans { assignment, base: self.base, key, removed, added };
        let record = format!("{}{SAVE}", self.records.last()?);
        let writes = saving(record.clone(), &save);
        self.records.push(record);
        self.save = Some(save);
        self.rest = Change::default();
        Some(writes)
    }
}

/// What is kept for an assignment: what earlier pages have left, and the steps that can be undone. Of
/// edits only what this text and these labels still allow is given back.
pub(crate) fn read(
    assignment: AssignmentId,
    records: Vec<Record>,
    length: u32,
    labels: &[LabelId],
) -> (Vec<Chain>, Option<Steps>) {
    let (mut chains, mut steps) = (Vec::<Chain>::new(), None);
    for (key, value) in records {
        if key.ends_with(HISTORY) {
            steps = Some(read_steps(&value).allowed(length, labels));
            continue;
        }
        let (Some((name, _)), Some(operation)) = (key.rsplit_once('/'), record::read(&value))
        else {
            continue;
        };
        let Operation { base, id, change } = operation;
        if chains.last().is_none_or(|chain| chain.name != name) {
            let name = name.to_owned();
            let (all, rest) = (Change::default(), Change::default());
            chains.push(Chain { name, records: Vec::new(), save: None, base, all, rest });
        }
        let Some(chain) = chains.last_mut() else { continue };
        if key.ends_with(SAVE) {
            let Change { added, removed } = change.clone();
            chain.save = Some(SaveSpans { assignment, base, key: id, removed, added });
            // It is the net difference of the edits before it.
            (chain.all, chain.rest) = (change.allowed(length, labels), Change::default());
        } else {
            let change = change.allowed(length, labels);
            chain.all = composed(&chain.all, &change);
            chain.rest = composed(&chain.rest, &change);
        }
        chain.records.push(key);
    }
    (chains, steps)
}

/// Whether an assignment at this revision is older than what was saved from here: it was loaded while the
/// page before was still saving.
pub(crate) fn is_stale(records: &[Record], revision: Revision) -> bool {
    let saved = records.iter().find(|(key, _)| key.ends_with(REVISION));
    saved.and_then(|(_, saved)| saved.parse().ok()).is_some_and(|saved: Revision| saved > revision)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use domain::Span;

    use super::*;

    fn span(start: u32) -> domain::Fact {
        Span::new(start, start + 5, LabelId(1)).into()
    }

    fn adding(start: u32) -> Change {
        Change { added: vec![span(start)], removed: vec![] }
    }

    fn log(page: &str) -> Log {
        let mut log = Log::new(place_of(UserId(2), AssignmentId(7)));
        log.begin(page.to_owned());
        log
    }

    /// A database as the browser has it.
    #[derive(Default)]
    struct Kept(BTreeMap<String, String>);

    impl Kept {
        fn write(&mut self, writes: Writes) {
            for key in writes.gone {
                self.0.remove(&key);
            }
            self.0.extend(writes.put);
        }

        fn read(&self, person: i64) -> (Vec<Chain>, Option<Steps>) {
            let place = place_of(UserId(person), AssignmentId(7));
            let found = self.0.iter().filter(|(key, _)| key.starts_with(&place));
            read(
                AssignmentId(7),
                found.map(|(key, value)| (key.clone(), value.clone())).collect(),
                100,
                &[LabelId(1)],
            )
        }
    }

    fn save(base: i64, added: &[u32]) -> SaveSpans {
        SaveSpans {
            assignment: AssignmentId(7),
            base: Revision(base),
            key: SaveKey("save".to_owned()),
            removed: vec![],
            added: added.iter().map(|start| span(*start)).collect(),
        }
    }

    #[test]
    fn an_operation_holds_offsets_labels_revision_and_its_own_id_only() {
        let writes = log("page").edited(Revision(4), &adding(0), &Steps::default());
        assert_eq!(writes.put[0], ("2/7/page/00000001".to_owned(), "4 page-1 +0-5-1".to_owned()));
        assert_eq!(writes.put[1].0, "2/7/~history");
    }

    #[test]
    fn what_was_kept_for_one_person_is_not_found_by_another() {
        let mut kept = Kept::default();
        kept.write(log("a").edited(Revision(0), &adding(0), &Steps::default()));
        assert_eq!(kept.read(2).0.len(), 1);
        assert_eq!(kept.read(3), (vec![], None));
        // "2/7/…" must not be found as the beginning of "2/77/…" or "22/7/…" either.
        let mut other = Log::new(place_of(UserId(2), AssignmentId(77)));
        kept.write(other.edited(Revision(0), &adding(9), &Steps::default()));
        assert_eq!(kept.read(2).0.len(), 1);
    }

    #[test]
    fn an_edit_is_kept_until_the_server_has_it() {
        let (mut kept, mut log) = (Kept::default(), log("a"));
        kept.write(log.edited(Revision(0), &adding(0), &Steps::default()));
        kept.write(log.sending(&save(0, &[0])).unwrap());
        kept.write(log.edited(Revision(0), &adding(10), &Steps::default()));
        assert_eq!(log.sending(&save(0, &[0])), None, "sent again, it holds no more than before");
        let (chains, _) = kept.read(2);
        assert_eq!(chains[0].save, Some(save(0, &[0])));
        assert_eq!(chains[0].all.added, [span(0), span(10)]);
        assert_eq!(chains[0].rest.added, [span(10)]);

        // The save has been answered: the later edit is left, on the new revision.
        kept.write(log.settled(Revision(1), &adding(10)).unwrap());
        let (chains, _) = kept.read(2);
        assert_eq!((chains[0].save.as_ref(), chains[0].base), (None, Revision(1)));
        assert_eq!(chains[0].all.added, [span(10)]);

        kept.write(log.settled(Revision(2), &Change::default()).unwrap());
        assert_eq!(kept.read(2).0, []);
        assert_eq!(log.settled(Revision(2), &Change::default()), None);
    }

    #[test]
    fn a_page_that_was_loaded_before_the_last_save_is_told_from_one_after_it() {
        let (mut kept, mut log) = (Kept::default(), log("a"));
        kept.write(log.edited(Revision(0), &adding(0), &Steps::default()));
        kept.write(log.settled(Revision(1), &Change::default()).unwrap());
        let records: Vec<_> = kept.0.into_iter().collect();
        assert!(is_stale(&records, Revision(0)));
        assert!(!is_stale(&records, Revision(1)) && !is_stale(&[], Revision(0)));
    }

    #[test]
    fn work_of_several_pages_stays_apart_and_in_order() {
        let mut kept = Kept::default();
        for page in ["b", "a"] {
            kept.write(log(page).edited(Revision(0), &adding(0), &Steps::default()));
        }
        let names: Vec<_> = kept.read(2).0.into_iter().map(|chain| chain.name).collect();
        assert_eq!(names, ["2/7/a", "2/7/b"]);
    }

    #[test]
    fn records_that_were_taken_over_go_with_ones_own() {
        let mut kept = Kept::default();
        kept.write(log("a").edited(Revision(0), &adding(0), &Steps::default()));
        let (chains, _) = kept.read(2);
        let mut mine = log("b");
        mine.take_over(&mut chains[0].records.clone());
        kept.write(mine.settled(Revision(0), &adding(0)).unwrap());
        let (chains, _) = kept.read(2);
        assert_eq!((chains.len(), chains[0].name.as_str()), (1, "2/7/b"));
        kept.write(mine.settled(Revision(1), &Change::default()).unwrap());
        assert_eq!(kept.read(2).0, []);
    }

    #[test]
    fn labels_that_are_gone_and_places_outside_the_text_are_not_given_back() {
        let (mut kept, mut log) = (Kept::default(), log("a"));
        let gone = Span::new(0, 5, LabelId(9)).into();
        let change = Change { added: vec![span(0), span(98), gone], removed: vec![span(20)] };
        kept.write(log.edited(Revision(0), &change, &Steps::default()));
        let (chains, _) = kept.read(2);
        assert_eq!(chains[0].all, Change { added: vec![span(0)], removed: vec![span(20)] });
    }
}
