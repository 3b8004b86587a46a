//! A package for Debian, and what is made of it: Ubuntu and others.

use super::archive::{Tree, gzip};
use super::machine::Machine;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// What runs before and after files come or go, in `deploy/deb`.
const SCRIPTS: [&str; 3] = ["postinst", "postrm", "prerm"];

/// The file of settings, which an upgrade leaves as it is.
pub(super) const SETTINGS: &str = "etc/concord/concord.toml";

/// The bytes of the package; `deploy` is the folder with its scripts and its description.
pub(super) fn package(
    files: &Tree,
    machine: Machine,
    version: &str,
    deploy: &Path,
    epoch: u64,
) -> Result<Vec<u8>> {
    let mut control = Tree::default();
    let description = fs::read_to_string(deploy.join("deb/description"))
        .context("a package has a description")?;
    control.add(
        "control",
        0o644,
        format!(
            "Package: concord\nVersion: {version}\nArchitecture: {}\nMaintainer: The Concord authors \
             <concord@localhost>\nInstalled-Size: {}\nSuggests: caddy | nginx, postgresql\nSection: \
             web\nPriority: optional\n{description}",
            machine.architecture(),
            files.size().div_ceil(1024),
        ),
    );
    control.add("conffiles", 0o644, format!("/{SETTINGS}\n"));
    for script in SCRIPTS {
        control.add(script, 0o755, fs::read(deploy.join("deb").join(script))?);
    }
    let mut package = ar::Builder::new(Vec::new());
    for (name, content) in [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", gzip(&control.tar(epoch)?)?),
        ("data.tar.gz", gzip(&files.tar(epoch)?)?),
    ] {
        let size = u64::try_from(content.len())?;
        let mut header = ar::Header::new(name.as_bytes().to_vec(), size);
        header.set_mode(0o100_644);
        header.set_mtime(epoch);
        package.append(&header, content.as_slice())?;
    }
    Ok(package.into_inner()?)
}
