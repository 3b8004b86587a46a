//! Scripts as they are sent: as small as they can be written.

use crate::{frontend::site, process, setup, workspace::Workspace};
use anyhow::Result;
use std::path::Path;
use std::process::Command;

/// Rewrites every script in a folder and below without the words that are for their authors. They
/// stay as they are when the tool cannot be had: larger, but right.
pub(crate) fn minify_all(workspace: &Workspace, folder: &Path) -> Result<()> {
    let scripts: Vec<_> = site::files(folder)?.into_iter().filter(|file| is_script(file)).collect();
    let minified = setup::esbuild(&workspace.tools()).and_then(|esbuild| {
        let mut command = Command::new(esbuild);
        command.args(["--minify", "--format=esm", "--log-level=warning", "--allow-overwrite"]);
        command.args(["--outdir=.", "--outbase=."]).args(scripts).current_dir(folder);
        process::run(&mut command)
    });
    if let Err(error) = minified {
        println!("warning: the front end is larger than needed: {error:#}");
    }
    Ok(())
}

/// Whether a file of the site is a script.
pub(crate) fn is_script(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "js")
}
