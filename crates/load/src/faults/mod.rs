//! `cargo xtask faults`: schedules of faults, drawn from seeds, while labelers save at several servers.

mod database;
mod options;
mod places;
mod proxy;
mod schedule;
pub(crate) mod upgrade;
mod watching;
mod working;
mod world;

use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, ensure};

use self::{database::Database, world::World};
use crate::latency::Latencies;

pub(crate) use self::options::Options;

/// How many schedules there are on one database: its audit trail, which is verified each time, grows.
const OF_A_WORLD: u64 = 25;

/// Runs the schedules one after the other, and fails if one has.
pub(crate) async fn run(options: &Options) -> Result<()> {
    let seed = options.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        now.as_secs() % 1_000_000 * 1_000
    });
    println!("seeds {seed} and up (--seed {seed} runs the same again)");
    let postgres = options.postgres.as_deref().map(Database::of).transpose()?;
    let mut all = Totals::default();
    let mut world: Option<(World, bool, u64)> = None;
    for number in 0..options.schedules.get() {
        let is_postgres = number < options.on_postgres();
        let fits = |of: bool, had: u64| of == is_postgres && had < OF_A_WORLD;
        if let Some((former, ..)) = world.take_if(|(_, of, had)| !fits(*of, *had)) {
            former.end().await?;
        }
        let (current, _, had) = match &mut world {
            Some(world) => world,
            none => {
                let database = is_postgres
                    .then(|| postgres.clone().context("`cargo xtask faults` starts PostgreSQL"));
                let made = World::create(options, database.transpose()?, number).await?;
                none.insert((made, is_postgres, 0))
            }
        };
        *had += 1;
        let is_right = schedule(current, seed.wrapping_add(number), is_postgres, options, &mut all);
        if !is_right.await {
            // What is wrong in it would be wrong in the next schedule, too.
            *had = OF_A_WORLD;
        }
    }
    if let Some((world, ..)) = world {
        world.end().await?;
    }
    println!("{}", all.summary());
    ensure!(all.failed == 0, "{} schedules failed", all.failed);
    Ok(())
}

/// Runs one schedule and says what came of it; false if something is wrong.
async fn schedule(
    world: &mut World,
    seed: u64,
    is_postgres: bool,
    options: &Options,
    all: &mut Totals,
) -> bool {
    let faults = schedule::draw(seed, options.servers.get(), is_postgres);
    let database = if is_postgres { "PostgreSQL" } else { "SQLite" };
    let began = Instant::now();
    let outcome = match world.suffer(seed, &faults).await {
        Ok(outcome) => outcome,
        Err(error) => {
            let problems = vec![format!("{error:#}")];
            world::Suffered { problems, ..world::Suffered::default() }
        }
    };
    let world::Suffered { worked, answered, same, problems, .. } = &outcome;
    let is_right = problems.is_empty();
    println!(
        "{} {database}, seed {seed}: {} faults, {} saves, {} sent again; {} ms until the last was \
         answered, {} ms until all showed the same; {:.1} s in all",
        if is_right { "ok    " } else { "FAILED" },
        faults.len(),
        worked.acknowledged,
        worked.sent_again,
        answered.as_millis(),
        same.as_millis(),
        began.elapsed().as_secs_f64(),
    );
    if !is_right {
        for fault in &faults {
            println!("         {fault}");
        }
        for problem in problems {
            println!("       ! {problem}");
        }
        let engine = database.to_lowercase();
        println!("         again: --schedules 1 --seed {seed} --database {engine}");
    }
    all.add(&outcome);
    is_right
}

/// What came of all schedules.
#[derive(Default)]
struct Totals {
    passed: u64,
    failed: u64,
    saves: u64,
    sent_again: u64,
    same: Latencies,
}

impl Totals {
    fn add(&mut self, outcome: &world::Suffered) {
        if outcome.problems.is_empty() {
            self.passed += 1;
            self.same.add(outcome.same);
        } else {
            self.failed += 1;
        }
        self.saves += outcome.worked.acknowledged;
        self.sent_again += outcome.worked.sent_again;
    }

    fn summary(&self) -> String {
        let same = self.same.percentiles().map_or_else(String::new, |same| {
            format!(
                "; all servers showed the same after {:.0} ms at the median, {:.0} ms at the 99th \
                 percentile, {:.0} ms at most",
                same.p50, same.p99, same.max
            )
        });
        let Self { passed, failed, saves, sent_again, .. } = self;
        format!(
            "{saves} saves, {sent_again} of them sent more than once{same}\n{passed} passed, {failed} failed"
        )
    }
}
