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
use store::Store;

pub use generated::{GeneratedSize, NoSize};
pub use simulate::simulate_labelers;

use crate::{Clock, Result};

/// The demo's people and their passwords of this run, which are kept nowhere else.
pub struct Demo {
    sign_ins: Vec<DemoSignIn>,
}

impl Demo {
    /// Creates the demo's people and projects where they are missing, and gives every one of the
    /// people a fresh password.
    pub async fn prepare(store: &Store, clock: &Clock) -> Result<Self> {
        Self::prepare_with(store, clock, None).await
    }

    /// As [`Self::prepare`]; with a size there is a generated project too, unless there was one
    /// before.
    pub async fn prepare_with(
        store: &Store,
        clock: &Clock,
        generated: Option<GeneratedSize>,
    ) -> Result<Self> {
        let now = clock.now();
        let (mut people, sign_ins) = people::prepare(store, now).await?;
        sample::create_if_missing(store, now, &people, hamlet::NAME, hamlet::sample).await?;
        sample::create_if_missing(store, now, &people, classics::NAME, classics::sample).await?;
        if let Some(size) = generated {
            people::add_labelers(store, &mut people, size.labelers(), now).await?;
            let sample = move || generated::sample(size);
            sample::create_if_missing(store, now, &people, generated::NAME, sample).await?;
        }
        Ok(Self { sign_ins })
    }

    /// Keeps the demo's people, if a demo was here before, from a server that is none: nobody signs in
    /// as one of them, and what was open to them is closed.
    pub async fn lock(store: &Store) -> Result<()> {
        people::lock(store).await
    }

    /// Who can sign in, with which password.
    pub fn sign_ins(&self) -> &[DemoSignIn] {
        &self.sign_ins
    }
}
