//! Where things are: the root of the workspace, its target directory, what cargo leaves there.

use crate::process;
use anyhow::{Context, Result};
use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

/// Which of the two front-end profiles of the root manifest to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// Quick to build again after a change.
    Dev,
    /// Small, as people get it.
    Release,
}

impl Profile {
    /// Its name for cargo.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Dev => "wasm-dev",
            Self::Release => "wasm-release",
        }
    }
}

/// The directories of the workspace, as cargo itself reports them.
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// Cargo's output; elsewhere than `root/target` when `CARGO_TARGET_DIR` says so.
    target: PathBuf,
}

impl Workspace {
    /// Asks cargo.
    pub(crate) fn find() -> Result<Self> {
        let mut command = Command::new(process::cargo_path());
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let metadata: serde_json::Value = serde_json::from_str(&process::read(&mut command)?)
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

    /// A cargo command that runs at the root.
    ///
    /// Where `CI` is set, nothing is kept for a next build of the same tree, nor for a debugger: there is
    /// neither, and both would take several gigabytes of what may be a small disk.
    pub(crate) fn cargo(&self) -> Command {
        let mut command = Command::new(process::cargo_path());
        command.current_dir(&self.root);
        // `cargo run` has set it for this program. Build scripts that ask for it, as ring's does, would be
        // run again, and all that needs them compiled again, whenever cargo is called by hand in between.
        command.env_remove("CARGO_MANIFEST_DIR");
        if std::env::var_os("CI").is_some() {
            command.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
        }
        command
    }

    /// A cargo command that holds our own crates against the lints while it compiles them, as `cargo
    /// clippy` does, but into what can be run: nothing is compiled once to be judged and once more to be
    /// tested. What others have compiled without the lints is kept beside it.
    pub(crate) fn linting_cargo(&self) -> Command {
        let mut command = self.cargo();
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
        command.env("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
        command
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

    /// Servers of older versions.
    pub(crate) fn upgrade(&self) -> PathBuf {
        self.target.join("upgrade")
    }

    /// What runs the Python of the documentation.
    pub(crate) fn notebook(&self) -> PathBuf {
        self.target.join("notebook")
    }

    /// What compiles for machines of another kind.
    pub(crate) fn cross_compiler(&self) -> PathBuf {
        self.target.join("cross")
    }

    /// What judges the chart.
    pub(crate) fn helm(&self) -> PathBuf {
        self.target.join("helm")
    }

    /// What `cargo xtask dist` makes.
    pub(crate) fn packages(&self) -> PathBuf {
        self.target.join("packages")
    }

    /// The server's binary; `folder` is `debug`, `release`, `dist` or one below.
    pub(crate) fn binary(&self, folder: &str) -> PathBuf {
        self.target.join(folder).join(format!("concord{EXE_SUFFIX}"))
    }

    /// The debug build of a program that is a tool of the build.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(format!("{name}{EXE_SUFFIX}"))
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
