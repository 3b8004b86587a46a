//! PostgreSQL whose connections break.

use std::{env, time::Instant};

use rand::{
    Rng, SeedableRng,
    rngs::StdRng,
    seq::{IteratorRandom, SliceRandom},
};
use store::testing::contents;

use super::{
    commands::{Change, Claim, Command, changing_rows, check_recovered, commands, give, outside},
    keys::{check_resent, create_project},
    proxy::{Break, Proxy},
};
use crate::world::{Facts, World};

/// How many rows of the tables of routes are tried; `CONCORD_STORAGE_ERRORS` has all tried, so many times each.
const ROWS: usize = 30;

/// How many breaks are tried of a request with a key.
const KEYED: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_is_stored_and_refused_is_not_wherever_postgresql_breaks_off() {
    let mut worlds = World::on_each_engine().await;
    if worlds.len() < 2 {
        return;
    }
    let template = worlds.pop().unwrap().into_template().await.unwrap();
    let number = |name: &str| env::var(name).ok().and_then(|number| number.parse::<usize>().ok());
    let seed = number("CONCORD_STORAGE_SEED").unwrap_or(1);
    let of_each = number("CONCORD_STORAGE_ERRORS");
    let mut random = StdRng::seed_from_u64(seed.try_into().unwrap());
    let (began, mut tried, mut wrong) = (Instant::now(), 0, Vec::new());
    let mut rows: Vec<_> = changing_rows().collect();
    rows.shuffle(&mut random);
    rows.truncate(if of_each.is_some() { rows.len() } else { ROWS });
    let commands = commands(rows, || (), |()| ()).await;
    let all = commands.len();
    for (command, ()) in commands {
        let (messages, change) = measure(&template, &command).await;
        for _ in 0..of_each.unwrap_or(2) {
            let how = if random.random() { Break::Cut } else { Break::Terminate };
            let at = random.random_range(0..messages);
            tried += 1;
            if let Err(why) = attempt(&template, &command, &change, (at, how)).await {
                let (path, person) = (command.row.path, command.person);
                wrong.push(format!("{path} as {person:?}, {how:?} at {at}: {why}"));
            }
        }
    }
    let seconds = began.elapsed().as_secs();
    eprintln!("PostgreSQL: {all} commands, {tried} combinations, seed {seed}, in {seconds} s");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_with_a_key_is_carried_out_once_wherever_postgresql_breaks_off() {
    let mut worlds = World::on_each_engine().await;
    if worlds.len() < 2 {
        return;
    }
    let template = worlds.pop().unwrap().into_template().await.unwrap();
    let (unbroken, proxy) = world(&template).await;
    proxy.arm(None);
    create_project(&unbroken).await;
    let messages = proxy.messages();
    assert!(messages > 5, "{messages}");
    let mut wrong = Vec::new();
    let mut random = StdRng::seed_from_u64(1);
    for at in (0..messages).choose_multiple(&mut random, KEYED) {
        let how = if random.random() { Break::Cut } else { Break::Terminate };
        let (world, proxy) = world(&template).await;
        proxy.arm(Some((at, how)));
        let first = create_project(&world).await;
        proxy.arm(None);
        if let Err(why) = check_resent(&world, &first).await {
            wrong.push(format!("{how:?} at {at} of {messages}: {why}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

type Template = (Facts, store::testing::TestStore);

/// A world that reaches its database by a way that can break.
async fn world(template: &Template) -> (World, Proxy) {
    let mut proxy = None;
    let world = World::duplicate(template, async |url| {
        let made = Proxy::to(url);
        let url = made.url();
        proxy = Some(made);
        url
    })
    .await;
    (world, proxy.unwrap())
}

/// How many messages a command takes, and what it changes.
async fn measure(template: &Template, command: &Command) -> (u64, Change) {
    let (world, proxy) = world(template).await;
    let before = outside(&world, contents).await.unwrap();
    proxy.arm(None);
    give(&world, command.person, &command.row).await;
    let messages = proxy.messages();
    let change = Change::between(&before, &outside(&world, contents).await.unwrap());
    (messages.max(1), change)
}

/// Gives a command during which a connection breaks.
async fn attempt(
    template: &Template,
    command: &Command,
    done: &Change,
    at: (u64, Break),
) -> Result<(), String> {
    let (world, proxy) = world(template).await;
    let before = outside(&world, contents).await?;
    proxy.arm(Some(at));
    let claim = give(&world, command.person, &command.row).await;
    proxy.arm(None);
    let change = Change::between(&before, &outside(&world, contents).await?);
    let is_right = match claim {
        Claim::Done => change == *done,
        Claim::NotDone(_) => change.is_empty(),
        Claim::Unknown => change.is_empty() || change == *done,
    };
    if !is_right {
        return Err(format!("{claim:?}, but: {change:?}; done: {done:?}"));
    }
    check_recovered(&world).await.map_err(|why| format!("after {claim:?}, {why}"))
}
