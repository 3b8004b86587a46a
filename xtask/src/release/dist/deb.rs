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

#[cfg(test)]
mod tests {
    use super::{SETTINGS, package};
    use crate::process;
    use crate::release::dist::archive::Tree;
    use crate::release::dist::machine::Machine;
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn dpkg_reads_what_is_in_it_and_whose_it_is() {
        let mut files = Tree::default();
        files.add("usr/bin/concord", 0o755, "program");
        files.add(SETTINGS, 0o600, "bind = \"127.0.0.1:3000\"\n");
        let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
        let bytes = package(&files, Machine::Arm, "1.2.3", &deploy, 1_700_000_000).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("concord.deb");
        fs::write(&file, bytes).unwrap();
        let said =
            |option: &str| process::read(Command::new("dpkg-deb").arg(option).arg(&file)).unwrap();
        let contents = said("--contents");
        for line in contents.lines() {
            let rights = match line.rsplit('/').next() {
                Some("concord") => "-rwxr-xr-x",
                Some("concord.toml") => "-rw-------",
                _ => "drwxr-xr-x",
            };
            assert!(line.starts_with(rights), "{line}");
            assert!(line.contains("0/0") || line.contains("root/root"), "{line}");
        }
        assert!(contents.contains("2023-11-14"), "{contents}");
        let info = said("--info");
        for word in ["Architecture: arm64", "Version: 1.2.3", "conffiles", "postinst", "prerm"] {
            assert!(info.contains(word), "{info}");
        }
    }
}
