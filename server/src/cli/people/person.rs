//! `concord user export` and `erase`: requests about personal data.

use std::{
    fs::OpenOptions,
    io::{self, IsTerminal, Write},
    os::unix::fs::OpenOptionsExt,
    path::PathBuf,
};

use clap::Args;
use domain::{Code, Removal};
use services::account::administration::{erase_person_of, export_person_of};

use super::no_such_user;
use crate::cli::{Error, base::output::say, database::Database};

#[derive(Args)]
pub(in crate::cli) struct Export {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    /// File to write, readable only by its owner. An existing one stays as it is.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct Erase {
    /// E-mail address of the account.
    #[arg(long)]
    email: String,
    /// The address once more, to confirm. Default: asked for in a terminal.
    #[arg(long, value_name = "EMAIL")]
    confirm: Option<String>,
    #[command(flatten)]
    database: Database,
}

impl Export {
    pub(in crate::cli) async fn run(self) -> Result<(), Error> {
        let services = self.database.services().await?;
        let mut exported = export_person_of(&services, &self.email).await.map_err(no_such_user)?;
        let write = || {
            let mut new = OpenOptions::new();
            let mut file = new.write(true).create_new(true).mode(0o600).open(&self.file)?;
            io::copy(&mut exported.content, &mut file)?;
            file.sync_all()
        };
        write().map_err(|source| Error::WriteFile { path: self.file.clone(), source })?;
        Ok(say(&format!("{}: {} bytes.", self.file.display(), exported.length))?)
    }
}

impl Erase {
    pub(in crate::cli) async fn run(self) -> Result<(), Error> {
        let services = self.database.services().await?;
        if !self.is_confirmed()? {
            let why = "not erased: confirm with the account’s address (--confirm EMAIL)";
            return Err(Error::Refused(Code::WrongProof.of("confirm", why)));
        }
        let removed = erase_person_of(&services, &self.email).await.map_err(no_such_user)?;
        Ok(say(match removed {
            Removal::Deleted => "Account erased. It was never in a project, so nothing remains.",
            Removal::MadeAnonymous => {
                "Account erased. Its work in projects stays, as that of a former member."
            }
        })?)
    }

    /// Whether the address was given twice, or typed by somebody who can be asked.
    fn is_confirmed(&self) -> io::Result<bool> {
        let is_it = |typed: &str| typed.trim().eq_ignore_ascii_case(self.email.trim());
        if let Some(confirmed) = &self.confirm {
            return Ok(is_it(confirmed));
        }
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Ok(false);
        }
        let mut asked = io::stderr().lock();
        write!(asked, "This cannot be undone. Type the address of the account to erase: ")?;
        asked.flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(is_it(&answer))
    }
}
