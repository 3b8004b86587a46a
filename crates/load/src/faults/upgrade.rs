//! `cargo xtask upgrade`: servers of two versions beside each other, for the length of an upgrade.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::{
    database::Database,
    options::Options,
    schedule::{Fault, Kind},
    world::World,
};

/// Has the servers of an older version replaced one after the other while everybody saves, on either engine.
/// What is judged after a schedule of faults is judged after each stage.
pub(crate) async fn run(options: &Options) -> Result<()> {
    let postgres =
        options.postgres.as_deref().context("`cargo xtask upgrade` starts PostgreSQL")?;
    let mut failed = 0;
    for (engine, database) in [("PostgreSQL", Some(Database::of(postgres)?)), ("SQLite", None)] {
        println!("on {engine}");
        failed += upgrade(options, database).await?;
    }
    ensure!(failed == 0, "{failed} stages failed");
    Ok(())
}

/// Upgrades the servers of a database. The answer is how many stages failed.
async fn upgrade(options: &Options, database: Option<Database>) -> Result<u64> {
    let mut world = World::create(options, database, 0).await?;
    let mut failed = 0;
    for (number, (name, faults)) in (1..).zip(stages(options)) {
        if faults.iter().any(|fault| fault.kind == Kind::Upgrade) {
            // From here on the tables are those of the newer one.
            world.verify_with(&options.binary);
        }
        let began = Instant::now();
        let outcome = world.suffer(number, &faults).await?;
        let is_right = outcome.problems.is_empty();
        failed += u64::from(!is_right);
        println!(
            "{} {name}: {} saves, {} sent again; {} ms until all showed the same; {:.1} s in all",
            if is_right { "ok    " } else { "FAILED" },
            outcome.worked.acknowledged,
            outcome.worked.sent_again,
            outcome.same.as_millis(),
            began.elapsed().as_secs_f64(),
        );
        for problem in &outcome.problems {
            println!("       ! {problem}");
        }
    }
    world.end().await?;
    Ok(failed)
}

/// What happens in each stage of an upgrade.
fn stages(options: &Options) -> Vec<(&'static str, Vec<Fault>)> {
    let fault = |kind, server, at| Fault {
        kind,
        server,
        at: Duration::from_millis(at),
        lasts: Duration::from_millis(50),
    };
    let last = usize::try_from(options.servers.get() - 1).unwrap_or(0);
    let others = (1..=last).zip(1_u64..);
    let others = others.map(|(server, number)| fault(Kind::Upgrade, server, 1_000 * number));
    let mut stages = vec![
        ("the older version alone", vec![fault(Kind::Pause, 0, 2_000)]),
        ("the first server is upgraded", vec![fault(Kind::Upgrade, 0, 1_000)]),
        ("both versions beside each other", vec![fault(Kind::Pause, 0, 4_000)]),
    ];
    if options.older_again {
        let again = vec![fault(Kind::Kill, last, 1_000)];
        stages.push(("an older one is killed and starts again", again));
    }
    stages.push(("the others are upgraded", others.collect()));
    stages.push(("the newer version alone", vec![fault(Kind::Pause, 0, 2_000)]));
    stages
}
