//! What is in the packages of a machine beside the binary.

use super::archive::{Tree, gzip};
use super::deb::SETTINGS;
use super::machine::Machine;
use crate::process;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// The completions of each shell, and where it looks for them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/concord"),
    ("fish", "usr/share/fish/vendor_completions.d/concord.fish"),
    ("zsh", "usr/share/zsh/vendor-completions/_concord"),
];

/// Folders of `deploy` that are there to be read and changed.
const EXAMPLES: [&str; 6] = ["caddy", "compose", "grafana", "nginx", "postgresql", "prometheus"];

/// The documentation's folder.
const DOCUMENTS: &str = "usr/share/doc/concord";

/// All files as they are installed, by their paths from the root.
pub(super) fn files(
    workspace: &Workspace,
    machine: Machine,
    binary: &Path,
    materials: &Path,
) -> Result<Tree> {
    let mut files = Tree::default();
    let deploy = workspace.root.join("deploy");
    files.add("usr/bin/concord", 0o755, fs::read(binary)?);
    let pages = tempfile::tempdir()?;
    process::run(machine.command(binary).args(["man", "--dir"]).arg(pages.path()))?;
    for page in fs::read_dir(pages.path())? {
        let page = page?;
        let name = page.file_name();
        let name = name.to_str().context("a man page is named in UTF-8")?;
        files.add(format!("usr/share/man/man1/{name}.gz"), 0o644, gzip(&fs::read(page.path())?)?);
    }
    for (shell, path) in COMPLETIONS {
        let script = process::read(machine.command(binary).args(["completions", shell]))?;
        files.add(path, 0o644, script);
    }
    let service = fs::read(deploy.join("systemd/concord.service"))?;
    files.add("usr/lib/systemd/system/concord.service", 0o644, service);
    // It may be given the password of a database.
    files.add(SETTINGS, 0o600, fs::read(deploy.join("systemd/concord.toml"))?);
    files.add(format!("{DOCUMENTS}/copyright"), 0o644, copyright(workspace)?);
    files.add(format!("{DOCUMENTS}/concord.cdx.json"), 0o644, fs::read(materials)?);
    let changes = gzip(&fs::read(workspace.root.join("CHANGELOG.md"))?)?;
    files.add(format!("{DOCUMENTS}/changelog.gz"), 0o644, changes);
    files.add(format!("{DOCUMENTS}/README.md"), 0o644, fs::read(deploy.join("README.md"))?);
    for folder in EXAMPLES {
        files.add_all(&format!("{DOCUMENTS}/examples/{folder}"), &deploy.join(folder))?;
    }
    Ok(files)
}

/// The licence, in the form that Debian reads.
fn copyright(workspace: &Workspace) -> Result<String> {
    let licence = fs::read_to_string(workspace.root.join("LICENSE"))?;
    let indented = licence.lines().map(|line| match line.trim_end() {
        "" => " .".to_owned(),
        line => format!(" {line}"),
    });
    let indented: Vec<_> = indented.collect();
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: Concord\n\
         Comment: concord.cdx.json beside this file lists what the program is made of, with licences.\n\n\
         Files: *\nCopyright: the Concord authors\nLicense: Apache-2.0\n{}\n",
        indented.join("\n"),
    ))
}
