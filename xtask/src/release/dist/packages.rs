//! Where packages are, and what they are called.

use super::machine::Machine;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};

/// The version of the workspace.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The checksums of all other files.
pub(super) const SUMS: &str = "SHA256SUMS";

/// The folder of all packages.
pub(super) struct Packages(PathBuf);

impl Packages {
    pub(super) fn of(workspace: &Workspace) -> Self {
        Self(workspace.packages())
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    pub(super) fn archive(&self, machine: Machine) -> PathBuf {
        self.0.join(format!("{}.tar.gz", Self::stem(machine)))
    }

    pub(super) fn deb(&self, machine: Machine) -> PathBuf {
        self.0.join(format!("concord_{VERSION}_{}.deb", machine.architecture()))
    }

    pub(super) fn image(&self, machine: Machine) -> PathBuf {
        self.0.join(format!("{}.oci.tar", Self::stem(machine)))
    }

    /// The list of what the binary is made of.
    pub(super) fn materials(&self, machine: Machine) -> PathBuf {
        self.0.join(format!("{}.cdx.json", Self::stem(machine)))
    }

    pub(super) fn chart(&self) -> PathBuf {
        self.0.join(format!("concord-{VERSION}.tgz"))
    }

    /// The folder in the archive for a machine.
    pub(super) fn stem(machine: Machine) -> String {
        format!("concord-{VERSION}-linux-{}", machine.name())
    }
}
