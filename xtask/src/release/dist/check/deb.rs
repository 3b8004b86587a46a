//! The package for Debian: into an empty root, as its service runs it, and out again.

use super::archive::unpack;
use super::job::{Installed, USER};
use super::network::{Loopback, PATH};
use crate::process;
use crate::release::dist::deb::SETTINGS;
use crate::release::dist::machine::Machine;
use crate::release::dist::packages::Packages;
use anyhow::{Result, bail};
use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::Command;

/// What systemd may find at most, in tenths: 10 is safe, 100 is not.
const EXPOSURE: &str = "--threshold=20";

/// Where the service finds its settings, which only root can read where they were installed.
const CREDENTIAL: &str = "/run/credentials/concord.service/concord.toml";

/// Installs it, has systemd judge its service, works with it and removes it.
pub(super) fn check(packages: &Packages, machine: Machine) -> Result<()> {
    let package = packages.deb(machine);
    process::run(Command::new("dpkg-deb").arg("--info").arg(&package))?;
    process::run(Command::new("dpkg-deb").arg("--contents").arg(&package))?;
    if !machine.is_here() {
        println!("not installed: it is for machines of another kind");
        return Ok(());
    }
    let root = tempfile::tempdir()?;
    let root = root.path();
    fs::set_permissions(root, fs::Permissions::from_mode(0o755))?;
    fs::create_dir_all(root.join("var/lib/dpkg/info"))?;
    fs::write(root.join("var/lib/dpkg/status"), "")?;
    process::run(dpkg(root).arg("--install").arg(&package))?;
    judge_service(root)?;

    let id = Some(USER.parse()?);
    for (folder, mode) in [("tmp", 0o1777), ("var/lib/concord", 0o700)] {
        let folder = root.join(folder);
        fs::create_dir_all(&folder)?;
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode))?;
        chown(&folder, id, id)?;
    }
    let credential = root.join(CREDENTIAL.trim_start_matches('/'));
    if let Some(folder) = credential.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(root.join(SETTINGS), &credential)?;
    chown(&credential, id, id)?;

    let network = Loopback::make()?;
    let program = |args: &[&str]| {
        let mut command = Command::new("chroot");
        command.arg(format!("--userspec={USER}:{USER}")).arg(root).arg("/usr/bin/concord");
        command.args(args).args(["--config", CREDENTIAL]);
        command.env_clear().env("PATH", PATH);
        command.env("CONCORD_DATA_DIR", "/var/lib/concord");
        command
    };
    let (_folder, client) = unpack(packages, machine)?;
    Installed {
        network: &network,
        serve: network.inside(&program(&["serve", "--print-json"])),
        beside: &program,
        client: &|| Command::new(&client),
    }
    .do_main_job()?;
    purge(root)
}

/// The dpkg of this machine at work in another root: its scripts, too, which have no shell there.
fn dpkg(root: &Path) -> Command {
    let mut command = Command::new("dpkg");
    command.arg(format!("--root={}", root.display()));
    command.args(["--force-script-chrootless", "--log=/dev/null"]);
    command
}

/// The service may do little, and starts with the machine.
fn judge_service(root: &Path) -> Result<()> {
    let root_option = format!("--root={}", root.display());
    let analyze = |args: &[&str]| {
        let mut command = Command::new("systemd-analyze");
        process::run(command.args(args).args([&root_option, "concord.service"]))
    };
    analyze(&["security", "--offline=true", "--no-pager", EXPOSURE])?;
    let wanted = root.join("etc/systemd/system/multi-user.target.wants/concord.service");
    if fs::symlink_metadata(&wanted).is_err() {
        bail!("the service does not start with the machine");
    }
    let settings = fs::metadata(root.join(SETTINGS))?.permissions().mode() & 0o777;
    if settings != 0o600 {
        bail!("the settings can be read by others than root: {settings:o}");
    }
    Ok(())
}

/// Takes the package away; what people did stays.
fn purge(root: &Path) -> Result<()> {
    process::run(dpkg(root).args(["--purge", "concord"]))?;
    for gone in ["usr/bin/concord", SETTINGS] {
        if root.join(gone).exists() {
            bail!("{gone} is still there");
        }
    }
    let data = fs::read_dir(root.join("var/lib/concord"))?;
    if data.count() == 0 {
        bail!("the data is gone with the package");
    }
    Ok(())
}
