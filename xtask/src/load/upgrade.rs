//! `upgrade`: servers of an older version and of this one beside each other, on one database with the new
//! schema.

use crate::process;
use crate::steps::Steps;
use crate::test::postgres::{Durability, Postgres};
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Builds both and has servers of the one replaced by the other while people save.
pub(crate) fn run(workspace: &Workspace, from: Option<&str>, is_killed: bool) -> Result<()> {
    let commit = match from {
        Some(named) => git(workspace, &["rev-parse", "--verify", &format!("{named}^{{commit}}")])?,
        None => before(workspace)?,
    };
    let mut steps = Steps::new(4);
    let older = steps.run("older server", || build(workspace, &commit))?;
    steps.run("server", || {
        let build = ["build", "--package", "server", "--package", "load", "--bins"];
        process::run(workspace.cargo().args(build))
    })?;
    let database = steps.run("postgres", || Postgres::start_with(Durability::OfProcesses))?;
    steps.run("upgrade", || {
        let binary = workspace.binary("debug");
        let mut command = Command::new(binary.with_file_name(format!("load{EXE_SUFFIX}")));
        command.arg("upgrade").arg("--older").arg(&older).arg("--binary").arg(&binary);
        command.arg("--postgres").arg(database.folder());
        command.args(is_killed.then_some("--older-again"));
        process::run(&mut command)
    })
}

/// The newest tag before this commit, or else the commit before the newest migration's.
fn before(workspace: &Workspace) -> Result<String> {
    let tag = git(workspace, &["describe", "--tags", "--abbrev=0", "HEAD^"]);
    if let Ok(tag) = tag {
        return git(workspace, &["rev-parse", &format!("{tag}^{{commit}}")]);
    }
    let mut newest = None;
    for entry in fs::read_dir(workspace.root.join("migrations/src"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        // Their names begin with the day and a number.
        if name.starts_with("m2") {
            newest = newest.max(Some(name));
        }
    }
    let file = format!("migrations/src/{}", newest.context("there is no migration")?);
    // What came with a branch is what its merge added: commits within it may not build.
    let by_merges = ["log", "--first-parent", "--diff-merges=first-parent", "--no-patch"];
    let first = ["--diff-filter=A", "--format=%H", "-1", "--", &file];
    let added = git(workspace, &[by_merges.as_slice(), &first].concat())?;
    git(workspace, &["rev-parse", "--verify", &format!("{added}^")])
}

/// Builds the server of a commit, with what is compiled already of what it needs.
fn build(workspace: &Workspace, commit: &str) -> Result<std::path::PathBuf> {
    let folder = workspace.upgrade();
    let kept = folder.join(format!("concord-{commit}{EXE_SUFFIX}"));
    if kept.is_file() {
        println!("{} is there already", kept.display());
        return Ok(kept);
    }
    let tree = folder.join("tree");
    fs::create_dir_all(&folder)?;
    forget(workspace, &tree);
    let path = tree.to_str().context("the workspace has a name of letters")?;
    git(workspace, &["worktree", "add", "--force", "--detach", path, commit])?;
    let binary = workspace.binary("debug");
    let built = process::run(
        workspace
            .cargo()
            .args(["build", "--package", "server", "--bin", "concord"])
            .current_dir(&tree)
            .env("CARGO_TARGET_DIR", binary.parent().and_then(Path::parent).context("target")?),
    );
    forget(workspace, &tree);
    built?;
    // A copy that was broken off is none.
    let copy = kept.with_extension("part");
    fs::copy(&binary, &copy)?;
    fs::rename(copy, &kept)?;
    // What is there now is the older one: the newer is linked anew.
    fs::remove_file(&binary)?;
    Ok(kept)
}

/// Takes a worktree away, if it is there.
fn forget(workspace: &Workspace, tree: &Path) {
    let mut remove = Command::new("git");
    remove.args(["worktree", "remove", "--force"]).arg(tree).current_dir(&workspace.root);
    let _was_there = process::succeeds(&mut remove);
}

/// What git says, in one line.
fn git(workspace: &Workspace, words: &[&str]) -> Result<String> {
    let mut command = Command::new("git");
    command.args(words).current_dir(&workspace.root);
    Ok(process::read(&mut command)?.trim().to_owned())
}
