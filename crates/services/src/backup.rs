//! Whole databases of SQLite, for whoever runs the server: copied while people work, and proven to
//! be good before anybody relies on them. No actor is asked about: who has the file has everything.

use std::path::Path;

use serde::Serialize;
use store::Store;

use crate::{
    Result,
    verify::{self, Verification},
};

/// What was found out about a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Soundness {
    /// What SQLite finds wrong with the file, a sentence each.
    pub problems: Vec<String>,
    /// Each project, with every number recomputed.
    pub projects: Vec<Verification>,
}

impl Soundness {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.complaints().next().is_none()
    }

    /// Everything that is wrong.
    pub fn complaints(&self) -> impl Iterator<Item = &String> {
        self.problems.iter().chain(self.projects.iter().flat_map(|project| &project.problems))
    }
}

/// Copies the database as it is at one moment into a file that is empty or not there.
pub async fn copy(url: &str, to: &Path) -> Result<()> {
    Ok(store::files::copy(url, to).await?)
}

/// Checks a database as `concord verify` does, after the file itself. This brings its tables up to
/// date: a copy that is to stay as it is has to be copied for it.
pub async fn check(url: &str) -> Result<Soundness> {
    let problems = store::files::problems(url).await?;
    if !problems.is_empty() {
        return Ok(Soundness { problems, projects: Vec::new() });
    }
    let store = Store::open(url).await?;
    let projects = verify::all(&store).await;
    store.close().await?;
    Ok(Soundness { problems, projects: projects? })
}

/// Makes a database one file; false if somebody has it open, such as a server.
pub async fn settle(url: &str) -> Result<bool> {
    Ok(store::files::settle(url).await?)
}
