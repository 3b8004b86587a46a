//! Where things are: the root of the workspace, its target directory, what cargo leaves there.

use crate::frontend::Profile;
use anyhow::{Context, Result};
use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

/// The directories of the workspace, as cargo itself reports them.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// Cargo's output; elsewhere than `root/target` when `CARGO_TARGET_DIR` says so.
    target: PathBuf,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn find() -> Result<Self> {
        let mut command = Command::new(crate::process::cargo_path());
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let metadata: serde_json::Value =
            serde_json::from_str(&crate::process::read(&mut command)?)
                .context("cargo metadata does not print JSON")?;
        let path = |key: &str| {
            let value = metadata.get(key).and_then(serde_json::Value::as_str);
            value.map(PathBuf::from).with_context(|| format!("cargo metadata has no {key}"))
        };
        Ok(Self { root: path("workspace_root")?, target: path("target_directory")? })
    }

    /// A workspace of a test.
    #[cfg(test)]
    pub(crate) fn at(root: &std::path::Path) -> Self {
        Self { root: root.to_owned(), target: root.join("target") }
    }

    /// The site folder of a profile: each has its own, so that a build for release takes nothing away
    /// from a server that runs. The server crate embeds the one for release by this path relative to its
    /// own manifest, so it does not move with `CARGO_TARGET_DIR`.
    pub(crate) fn site(&self, profile: Profile) -> PathBuf {
        match profile {
            Profile::Dev => self.target.join("site-dev"),
            Profile::Release => self.root.join("target/site"),
        }
    }

    /// What is printed by work beside the steps.
    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.target.join(name).with_extension("log")
    }

    /// Programs that are installed for this workspace alone.
    pub(crate) fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// The programs that formats are compared with, and the files that are exchanged with them.
    pub(crate) fn reference(&self) -> PathBuf {
        self.target.join("reference")
    }

    /// What holds the REST interface against its description.
    pub(crate) fn schema(&self) -> PathBuf {
        self.target.join("schema")
    }

    /// What runs the Python of the documentation.
    pub(crate) fn notebook(&self) -> PathBuf {
        self.target.join("notebook")
    }

    /// The server's binary; `folder` is `debug`, `release` or `dist`.
    pub(crate) fn binary(&self, folder: &str) -> PathBuf {
        self.target.join(folder).join(format!("concord{EXE_SUFFIX}"))
    }

    /// The debug build of an example.
    pub(crate) fn example(&self, name: &str) -> PathBuf {
        self.target.join("debug/examples").join(format!("{name}{EXE_SUFFIX}"))
    }

    /// A crate of the front end as rustc leaves it.
    pub(crate) fn wasm(&self, profile: &str, name: &str) -> PathBuf {
        let folder = self.target.join("wasm32-unknown-unknown").join(profile);
        folder.join(name).with_extension("wasm")
    }
}
