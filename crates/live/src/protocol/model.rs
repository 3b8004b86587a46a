//! All courses that two servers can take that save into one project, also those in which a server
//! falls over between a commit and its tallies, a change overtakes another, the feed has been trimmed,
//! or nobody asks for it in time.

use std::collections::BTreeMap;

use domain::Revision;
use stateright::{Checker, Model, Property};

use super::{Carries, Follows, Place, State};

const SERVERS: usize = 2;

/// How many documents there are, each with a writer of its own.
const DOCUMENTS: usize = 2;

/// How many saves there are, in whatever order and by whichever server.
const SAVES: i64 = 3;

/// Which save each document has last: what the rows hold, and what is counted from them.
type Saves = [i64; DOCUMENTS];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Counted {
    revision: i64,
    saves: Saves,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Change {
    since: i64,
    revision: i64,
    /// Documents with the save that they have at `revision`.
    works: BTreeMap<usize, i64>,
}

impl Carries for Change {
    fn since(&self) -> Revision {
        Revision(self.since)
    }

    fn revision(&self) -> Revision {
        Revision(self.revision)
    }
}

impl Follows<Change> for Counted {
    fn revision(&self) -> Revision {
        Revision(self.revision)
    }

    fn advance(&mut self, change: &Change) -> bool {
        self.revision = change.revision;
        for (document, save) in &change.works {
            if let Some(kept) = self.saves.get_mut(*document) {
                *kept = *save;
            }
        }
        true
    }
}

/// What a server has read and not yet put to use.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Reading {
    Rows(Counted),
    /// None: the feed does not say what has moved.
    Feed(Option<Change>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Server {
    memory: State<Counted, Change>,
    /// Committed, but not yet told to what is in memory.
    committed: Vec<Change>,
    reading: Option<Reading>,
}

/// The database, and the servers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    /// The rows of each revision.
    rows: Vec<Saves>,
    /// What each revision after the first has moved; none if the feed does not say.
    feed: Vec<Option<usize>>,
    servers: [Server; SERVERS],
}

impl World {
    fn newest(&self) -> Counted {
        let revision = self.feed.len();
        let saves = self.rows.get(revision).copied().unwrap_or_default();
        Counted { revision: i64::try_from(revision).unwrap_or(i64::MAX), saves }
    }

    /// What the feed says after a revision.
    fn feed(&self, since: i64) -> Option<Change> {
        let Counted { revision, saves } = self.newest();
        let moved = self.feed.get(usize::try_from(since).ok()?..)?.iter().copied();
        let works = moved.map(|moved| moved.and_then(|it| Some((it, *saves.get(it)?))));
        Some(Change { since, revision, works: works.collect::<Option<_>>()? })
    }

    fn commit(&mut self, moved: Option<usize>) {
        let mut newest = self.newest();
        let save = newest.revision + 1;
        for (document, kept) in newest.saves.iter_mut().enumerate() {
            // What moves everything changes each document.
            if moved.is_none_or(|moved| moved == document) {
                *kept = save;
            }
        }
        self.rows.push(newest.saves);
        self.feed.push(moved);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Action {
    /// A document is saved.
    Save(usize),
    /// Something else is changed that moves numbers; the server lets go of what it has in memory.
    ChangeEverything,
    /// A change that has been committed reaches what is in memory, not always the first.
    Apply(usize),
    BeginReadingRows,
    ReadFeed,
    EndReading,
    /// To make room, or by a crash with all that was not committed to rows.
    LetGo,
    Crash,
}

struct Servers;

impl Model for Servers {
    type State = World;
    type Action = (usize, Action);

    fn init_states(&self) -> Vec<World> {
        let servers = Default::default();
        vec![World { rows: vec![Saves::default()], feed: Vec::new(), servers }]
    }

    fn actions(&self, world: &World, actions: &mut Vec<Self::Action>) {
        for (number, server) in world.servers.iter().enumerate() {
            let mut may = |action| actions.push((number, action));
            if world.newest().revision < SAVES {
                (0..DOCUMENTS).for_each(|document| may(Action::Save(document)));
                may(Action::ChangeEverything);
            }
            (0..server.committed.len()).for_each(|change| may(Action::Apply(change)));
            match (&server.reading, &server.memory) {
                (Some(_), _) => may(Action::EndReading),
                (None, State::Cold) => may(Action::BeginReadingRows),
                (None, State::Ready(_)) => may(Action::ReadFeed),
                (None, State::Building(_)) => {}
            }
            if matches!(server.memory, State::Ready(_)) {
                may(Action::LetGo);
            }
            if *server != Server::default() {
                may(Action::Crash);
            }
        }
    }

    fn next_state(&self, world: &World, (number, action): Self::Action) -> Option<World> {
        let mut next = world.clone();
        if let Action::Save(document) = action {
            next.commit(Some(document));
        } else if action == Action::ChangeEverything {
            next.commit(None);
        }
        let newest = next.newest();
        let server = next.servers.get_mut(number)?;
        match action {
            Action::Save(document) => {
                let works = BTreeMap::from([(document, newest.revision)]);
                let revision = newest.revision;
                server.committed.push(Change { since: revision - 1, revision, works });
            }
            Action::ChangeEverything | Action::LetGo => server.memory = State::Cold,
            Action::Apply(change) => {
                let change = server.committed.remove(change);
                server.take_in(change);
            }
            Action::BeginReadingRows => {
                server.memory.begin_building();
                server.reading = Some(Reading::Rows(newest));
            }
            Action::ReadFeed => {
                let State::Ready(counted) = &server.memory else { return None };
                server.reading = Some(Reading::Feed(world.feed(counted.revision)));
            }
            Action::EndReading => match server.reading.take()? {
                Reading::Rows(counted) => drop(server.memory.end_building(counted)),
                Reading::Feed(Some(change)) => server.take_in(change),
                Reading::Feed(None) => server.memory = State::Cold,
            },
            Action::Crash => *server = Server::default(),
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("what is in memory is what the rows said", |_, world: &World| {
                world.servers.iter().all(|server| match &server.memory {
                    State::Ready(Counted { revision, saves }) => {
                        usize::try_from(*revision).ok().and_then(|it| world.rows.get(it))
                            == Some(saves)
                    }
                    State::Cold | State::Building(_) => true,
                })
            }),
            Property::always(
                "asking the feed twice brings it up to the rows",
                |_, world: &World| {
                    world.servers.iter().all(|server| {
                    let mut server = server.clone();
                    for _ in 0..2 {
                        let State::Ready(counted) = &server.memory else { return true };
                        match world.feed(counted.revision) {
                            Some(change) => server.take_in(change),
                            None => server.memory = State::Cold,
                        }
                    }
                    !matches!(&server.memory, State::Ready(counted) if *counted != world.newest())
                })
                },
            ),
            Property::sometimes("a server takes in what another has saved", |_, world: &World| {
                world.servers.iter().any(|server| {
                    matches!(&server.memory, State::Ready(counted) if counted.revision == SAVES)
                        && world.feed.iter().all(Option::is_some)
                        && server.committed.is_empty()
                })
            }),
            Property::sometimes("a change waits while rows are read", |_, world: &World| {
                let waits = |server: &Server| matches!(&server.memory, State::Building(waiting) if !waiting.is_empty());
                world.servers.iter().any(waits)
            }),
        ]
    }
}

impl Server {
    /// As the engine does it: what leaves a gap is left to the feed.
    fn take_in(&mut self, change: Change) {
        if self.memory.place(&change) != Place::Next {
            return;
        }
        match &mut self.memory {
            State::Cold => {}
            State::Building(waiting) => waiting.push(change),
            State::Ready(counted) => {
                if !counted.advance(&change) {
                    self.memory = State::Cold;
                }
            }
        }
    }
}

#[test]
fn in_every_course_what_is_in_memory_is_what_the_rows_said_and_catches_up() {
    let checker = Servers.checker().threads(2).spawn_bfs().join();
    checker.assert_properties();
    assert!(checker.unique_state_count() > 400_000, "{}", checker.unique_state_count());
}
