//! The archive: unpacked, its program runs wherever the kernel is Linux.

use super::job::{Installed, USER};
use super::network::{Loopback, PATH};
use crate::process;
use crate::release::dist::machine::Machine;
use crate::release::dist::packages::Packages;
use anyhow::{Result, bail};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Unpacks it, starts the server as nobody, and works with it.
pub(super) fn check(packages: &Packages, machine: Machine) -> Result<()> {
    let (folder, binary) = unpack(packages, machine)?;
    let headers = process::read(Command::new("readelf").args(["--program-headers"]).arg(&binary))?;
    if headers.contains("INTERP") {
        bail!("the program is not static: {headers}");
    }
    let data = folder.path().join("data");
    fs::create_dir(&data)?;
    chown(&data, Some(USER.parse()?), Some(USER.parse()?))?;
    let network = Loopback::make()?;
    let program = |args: &[&str]| {
        let mut command = as_nobody(&machine.command(&binary));
        command.args(args).env_clear().env("CONCORD_DATA_DIR", &data).env("PATH", PATH);
        command
    };
    Installed {
        network: &network,
        serve: network.inside(&program(&["serve", "--print-json"])),
        beside: &program,
        client: &|| program(&[]),
    }
    .do_main_job()
}

/// The program in the archive, and the folder that it is in as long as it is there.
pub(super) fn unpack(packages: &Packages, machine: Machine) -> Result<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    // Others come in, too.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
    let mut tar = Command::new("tar");
    tar.args(["--no-same-owner", "-xzf"]).arg(packages.archive(machine)).arg("-C");
    process::run(tar.arg(folder.path()))?;
    let binary = folder.path().join(Packages::stem(machine)).join("bin/concord");
    Ok((folder, binary))
}

/// The command, without any rights of root's.
fn as_nobody(command: &Command) -> Command {
    let mut nobody = Command::new("setpriv");
    nobody.args(["--reuid", USER, "--regid", USER, "--clear-groups", "--no-new-privs", "--"]);
    nobody.arg(Path::new(command.get_program())).args(command.get_args());
    nobody
}
