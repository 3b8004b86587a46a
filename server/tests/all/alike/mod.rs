//! Pairs of random histories that differ only in what others did and was not released are byte for byte
//! the same to a labeler, on every path. A pair follows from its seed; `CONCORD_BLIND_PAIRS` says how
//! many there are, `CONCORD_BLIND_SEED` asks for the one alone.

mod deeds;
mod looks;
mod past;

use std::{
    collections::BTreeMap,
    env,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    thread,
};

use chrono::TimeDelta;
use domain::ReleaseLevel;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use services::{Clock, project};

use self::{
    deeds::{Deed, Rules},
    looks::answer_to,
    past::{COUNTED, DOCUMENTS, LENA, Past, past},
};
use super::{
    calls::{Row, rows},
    world::{Answer, Options, Person, World},
};

/// How many pairs are compared unless more are asked for.
const PAIRS: u64 = 300;

/// How many paths are looked at for each pair, beside the labeler's own page.
const PATHS: usize = 8;

/// What ends the session: nothing comes after that.
const ENDS: [&str; 4] = [
    "/fn/accounts/change_address",
    "/fn/accounts/change_password",
    "/fn/accounts/end_session",
    "/fn/accounts/sign_out",
];

/// What makes a secret or a challenge: no two are the same.
const MAKES_SECRETS: [&str; 3] = [
    "/fn/accounts/begin_passkey",
    "/fn/accounts/begin_passkey_sign_in",
    "/fn/second_factors/begin_app",
];

fn is_left_out(row: &Row) -> bool {
    MAKES_SECRETS.contains(&row.path) || ENDS.iter().any(|end| row.path.starts_with(end))
}

/// Two worlds with the same past, and the time in both.
struct Pair {
    past: &'static Past,
    worlds: [World; 2],
    clock: Arc<AtomicI64>,
    level: ReleaseLevel,
    rules: Rules,
    dice: StdRng,
}

/// What came of comparing a pair.
#[derive(Default)]
struct Found {
    /// The paths on which they differ, with the place where they begin to.
    differences: Vec<String>,
    /// What happened: in the one history, in the other, or in both.
    story: Vec<String>,
    /// The paths that were looked at.
    paths: Vec<&'static str>,
    /// Whether the manager sees that the histories differ, and the labeler a value.
    is_told_apart: bool,
    is_shown: bool,
}

impl Pair {
    async fn new(seed: u64) -> Self {
        let past = past().await;
        let mut dice = StdRng::seed_from_u64(seed);
        let clock = Arc::new(AtomicI64::new(60));
        let tell = || {
            let (clock, since) = (Arc::clone(&clock), past.now);
            Clock::from_fn(move || since + TimeDelta::seconds(clock.load(Ordering::Relaxed)))
        };
        let options = || Options { clock: Some(tell()), ..Options::default() };
        let worlds = [
            World::of_files(&past.files, past.facts.clone(), options()).await,
            World::of_files(&past.files, past.facts.clone(), options()).await,
        ];
        let level = *ReleaseLevel::ALL.choose(&mut dice).unwrap();
        let is_told = matches!(level, ReleaseLevel::GoldOnly | ReleaseLevel::Open);
        let rules = Rules { is_told, draws: dice.random_bool(0.5) };
        Self { past, worlds, clock, level, rules, dice }
    }

    /// Lets time pass, and something happen in these of the worlds; says what was answered.
    async fn happen(&mut self, place: usize, happens: [Option<&Deed>; 2]) -> [String; 2] {
        self.clock.fetch_add(61, Ordering::Relaxed);
        let mut answers = [String::new(), String::new()];
        for ((world, deed), answer) in self.worlds.iter().zip(happens).zip(&mut answers) {
            if let Some(deed) = deed {
                *answer = deed.perform(world, self.past, &format!("deed-{place:04}")).await;
            }
        }
        answers
    }

    async fn set_level(&self) {
        for world in &self.worlds {
            let (manager, project) = (&self.past.manager, world.facts.project);
            let found = project::load_settings(&world.services, manager, project).await.unwrap();
            let release_level = self.level;
            let settings = domain::ProjectSettings { release_level, ..found.settings };
            project::save_settings(&world.services, manager, project, settings).await.unwrap();
        }
    }

    async fn compare(mut self) -> Found {
        let mut found = Found::default();
        if self.level != ReleaseLevel::default() {
            self.set_level().await;
        }
        let deeds = self.dice.random_range(6..14);
        for place in 0..deeds {
            let (dice, rules) = (&mut self.dice, self.rules);
            match dice.random_range(0..20) {
                0..=6 => {
                    let deed = deeds::own(dice, rules);
                    let [one, other] = self.happen(place, [Some(&deed), Some(&deed)]).await;
                    if one != other {
                        found.differences.push(format!("the answer to {deed:?}: {one} / {other}"));
                    }
                    found.story.push(format!("own: {deed:?}"));
                }
                7 | 8 => {
                    let deed = deeds::common(dice, rules);
                    self.happen(place, [Some(&deed), Some(&deed)]).await;
                    found.story.push(format!("both: {deed:?}"));
                }
                _ => {
                    let one = deeds::others(dice, rules);
                    let other = dice.random_bool(0.5).then(|| deeds::others(dice, rules));
                    let mut happens = [Some(&one), other.as_ref()];
                    if dice.random_bool(0.5) {
                        happens.reverse();
                    }
                    self.happen(place, happens).await;
                    found.story.push(format!("one or the other: {one:?}, {other:?}"));
                }
            }
        }
        self.look_around(&mut found).await;
        found
    }

    async fn look_around(&mut self, found: &mut Found) {
        let all = rows();
        let page = |path: &str| all.iter().find(|row| row.is_page && row.path == path).unwrap();
        let mut wanted = vec![page("/projects/{project}/work")];
        while wanted.len() <= PATHS {
            let row = all.choose(&mut self.dice).unwrap();
            // Passwords take long.
            let is_slow = row.path.contains("/sign_in") || row.path.contains("/accept_invitation");
            // What is drawn has an id that counts the assignments of imported work, too.
            let is_drawn = row.path == "/fn/workload/draw" && !self.rules.draws;
            if !is_left_out(row) && !is_drawn && (!is_slow || self.dice.random_bool(0.1)) {
                wanted.push(row);
            }
        }
        // Nothing comes after that.
        if self.dice.random_bool(0.05) {
            wanted.extend(all.iter().find(|row| row.path == "/fn/accounts/sign_out"));
        }
        for row in wanted {
            let person = match self.dice.random_range(0..20) {
                0 => Person::Outsider,
                1 => Person::Anonymous,
                _ => Person::Labeler,
            };
            let own = &self.past.assignments[LENA];
            let (fresh, finished) =
                (self.dice.random_range(COUNTED..DOCUMENTS), self.dice.random_range(0..COUNTED));
            if self.dice.random_bool(0.7) {
                for world in &mut self.worlds {
                    world.facts.fresh_assignment = own[fresh];
                    world.facts.finished_assignment = own[finished];
                }
            }
            let answers = [
                answer_to(&self.worlds[0], person, row).await,
                answer_to(&self.worlds[1], person, row).await,
            ];
            found.paths.push(row.path);
            found.is_shown |= answers[0].text().contains("or more positions labelled by both");
            if let Some(place) = difference(&answers) {
                found
                    .differences
                    .push(format!("{:?} {} as {person:?}: {place}", row.verb, row.path));
            }
        }
        let agreement = format!("/api/v1/projects/{}/agreement", self.past.facts.project);
        let one = self.worlds[0].get(Person::Manager, &agreement).await;
        let other = self.worlds[1].get(Person::Manager, &agreement).await;
        found.is_told_apart = one.bytes != other.bytes;
    }
}

/// Where two answers begin to differ.
fn difference([one, other]: &[Answer; 2]) -> Option<String> {
    if (one.status, &one.headers, &one.bytes) == (other.status, &other.headers, &other.bytes) {
        return None;
    }
    if one.bytes == other.bytes {
        let (one, other) = ((one.status, &one.headers), (other.status, &other.headers));
        return Some(format!("{one:?} / {other:?}"));
    }
    let at = one.bytes.iter().zip(&other.bytes).take_while(|(one, other)| one == other).count();
    let around = |answer: &Answer| {
        let (from, to) = (at.saturating_sub(120), answer.bytes.len().min(at + 120));
        String::from_utf8_lossy(&answer.bytes[from..to]).into_owned()
    };
    Some(format!("…{}… / …{}…", around(one), around(other)))
}

/// Compares the pairs of these seeds, on two threads.
fn compare(seeds: &[u64]) -> Vec<(u64, Found)> {
    let (next, found) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(&seed) = seeds.get(usize::try_from(place).unwrap()) else { return };
            let one = runtime.block_on(async { Pair::new(seed).await.compare().await });
            found.lock().unwrap().push((seed, one));
        }
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap()
}

fn env_number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

#[test]
fn random_histories_that_differ_in_what_was_not_released_are_the_same_to_a_labeler() {
    let seeds: Vec<u64> = match env_number("CONCORD_BLIND_SEED") {
        Some(seed) => vec![seed],
        None => (0..env_number("CONCORD_BLIND_PAIRS").unwrap_or(PAIRS)).collect(),
    };
    let found = compare(&seeds);
    let differ = found.iter().filter(|(_, found)| !found.differences.is_empty());
    let said = differ.map(|(seed, found)| {
        let (differences, story) = (found.differences.join("\n  "), found.story.join("\n  "));
        format!("\nCONCORD_BLIND_SEED={seed} differs:\n  {differences}\nafter\n  {story}\n")
    });
    let report: String = said.collect();
    assert!(report.is_empty(), "{report}");
    // A few pairs do not reach every path.
    if seeds.starts_with(&[0]) && seeds.contains(&(PAIRS - 1)) {
        has_teeth(&found);
    }
}

/// That the pairs do differ to whoever may see it, that numbers are shown, and that all paths are
/// looked at.
fn has_teeth(found: &[(u64, Found)]) {
    let count = |is: fn(&Found) -> bool| found.iter().filter(|(_, found)| is(found)).count();
    assert!(count(|found| found.is_told_apart) * 2 > found.len());
    assert!(count(|found| found.is_shown) * 4 > found.len());
    let mut looked: BTreeMap<_, usize> = rows().iter().map(|row| (row.path, 0)).collect();
    for path in found.iter().flat_map(|(_, found)| &found.paths).copied() {
        *looked.entry(path).or_default() += 1;
    }
    let never: Vec<_> = looked.iter().filter(|(_, times)| **times == 0).collect();
    assert!(never.len() * 20 < looked.len(), "{never:?}");
}
