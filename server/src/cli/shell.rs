//! `concord completions` and `concord man`: what a shell and a reader need to know of the rest.

use std::{
    io::{self, Write, stdout},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Error};

/// What the program is called.
const NAME: &str = "concord";

#[derive(Args)]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<ExitCode, Error> {
        // Into memory first: a pipe that is closed early is no reason to panic.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), NAME, &mut script);
        print(&script)
    }
}

#[derive(Args)]
pub(super) struct Man {
    /// Write one page per command into this folder.
    #[arg(long)]
    dir: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(self) -> Result<ExitCode, Error> {
        if let Some(dir) = self.dir {
            let write = || {
                std::fs::create_dir_all(&dir)?;
                clap_mangen::generate_to(Cli::command(), &dir)
            };
            write().map_err(|source| Error::WriteFile { path: dir.clone(), source })?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        print(&page)
    }
}

/// Prints it; whoever has seen enough of it may go.
fn print(bytes: &[u8]) -> Result<ExitCode, Error> {
    match stdout().lock().write_all(bytes) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(ExitCode::SUCCESS),
    }
}
