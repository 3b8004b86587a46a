//! `help ROOT OUT`: builds the book of a clone into a folder.

use anyhow::{Context, Result};
use std::env;
use std::path::PathBuf;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let mut argument = |name| arguments.next().with_context(|| format!("{name} is missing"));
    help::build(&argument("ROOT")?, &argument("OUT")?)
}
