//! The demo: people with passwords of this run, two sample projects, labelers that work by
//! themselves when asked to.

mod classics;
mod dice;
mod generated;
mod habits;
mod hamlet;
mod passages;
mod people;
mod sample;
mod simulate;

use domain::DemoSignIn;
use services::{Clock, Result};
use store::Store;

pub use generated::{GeneratedSize, NoSize};
pub use simulate::simulate_labelers;

/// Creates the demo's people and projects where they are missing, and gives every one of the people a
/// fresh password of this run, which is kept nowhere else.
pub async fn prepare(store: &Store, clock: &Clock) -> Result<Vec<DemoSignIn>> {
    prepare_with(store, clock, None).await
}

/// As [`prepare`]; with a size there is a generated project too, unless there was one before.
pub async fn prepare_with(
    store: &Store,
    clock: &Clock,
    generated: Option<GeneratedSize>,
) -> Result<Vec<DemoSignIn>> {
    let now = clock.now();
    let (mut people, sign_ins) = people::prepare(store, now).await?;
    sample::create_if_missing(store, now, &people, hamlet::NAME, hamlet::sample).await?;
    sample::create_if_missing(store, now, &people, classics::NAME, classics::sample).await?;
    if let Some(size) = generated {
        people::add_labelers(store, &mut people, size.labelers(), now).await?;
        let sample = move || generated::sample(size);
        sample::create_if_missing(store, now, &people, generated::NAME, sample).await?;
    }
    Ok(sign_ins)
}

/// Keeps the demo's people, if a demo was here before, from a server that is none: nobody signs in
/// as one of them, and what was open to them is closed.
pub async fn lock(store: &Store) -> Result<()> {
    people::lock(store).await
}
