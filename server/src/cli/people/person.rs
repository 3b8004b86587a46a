//! `concord user export` and `erase`: requests about personal data.

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use domain::{Code, Removal, UserId};
use services::account::administration::{Whose, erase_person_of, export_person_of};
use tempfile::NamedTempFile;

use super::no_such_user;
use crate::cli::{Error, base::output::say, database::Database};

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Named {
    /// E-mail address of the account.
    #[arg(long)]
    email: Option<String>,
    /// Its number instead, as a project’s members page shows it of labelers from an import whom nobody has claimed.
    #[arg(long, value_name = "ID")]
    account: Option<UserId>,
}

#[derive(Args)]
pub(in crate::cli) struct Export {
    #[command(flatten)]
    named: Named,
    /// File to write, readable only by its owner. An existing one stays as it is.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

#[derive(Args)]
pub(in crate::cli) struct Erase {
    #[command(flatten)]
    named: Named,
    /// The address or the number once more, to confirm. Default: asked for in a terminal.
    #[arg(long, value_name = "EMAIL|ID")]
    confirm: Option<String>,
    #[command(flatten)]
    database: Database,
}

impl Named {
    /// The account; clap sees to it that one of both is there.
    fn whose(&self) -> Whose {
        let by_id = || Whose::Account(self.account.unwrap_or_default());
        self.email.clone().map_or_else(by_id, Whose::Email)
    }

    /// What confirms that it is meant.
    fn is_meant_by(&self, typed: &str) -> bool {
        match self.whose() {
            Whose::Email(email) => typed.trim().eq_ignore_ascii_case(email.trim()),
            Whose::Account(id) => typed.trim() == id.to_string(),
        }
    }
}

impl Export {
    pub(in crate::cli) async fn run(self) -> Result<(), Error> {
        let unwritten = |source| Error::WriteFile { path: self.file.clone(), source };
        let services = self.database.services().await?;
        // Before anything is noted: there is a place for the file.
        let mut new = self.new_file().map_err(unwritten)?;
        let mut exported =
            export_person_of(&services, &self.named.whose()).await.map_err(no_such_user)?;
        let mut write = || {
            io::copy(&mut exported.content, &mut new)?;
            new.as_file().sync_all()
        };
        write().map_err(unwritten)?;
        new.persist_noclobber(&self.file).map_err(|error| unwritten(error.error))?;
        Ok(say(&format!("{}: {} bytes.", self.file.display(), exported.length))?)
    }

    /// A file beside the one that is to be, readable only by its owner, which goes unless it gets that name.
    fn new_file(&self) -> io::Result<NamedTempFile> {
        if self.file.try_exists()? {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))
    }
}

impl Erase {
    pub(in crate::cli) async fn run(self) -> Result<(), Error> {
        let services = self.database.services().await?;
        if !self.is_confirmed()? {
            let why = "not erased: confirm with the account’s address or number (--confirm)";
            return Err(Error::Refused(Code::WrongProof.of("confirm", why)));
        }
        let removed =
            erase_person_of(&services, &self.named.whose()).await.map_err(no_such_user)?;
        Ok(say(match removed {
            Removal::Deleted => "Account erased. It was never in a project, so nothing remains.",
            Removal::MadeAnonymous => {
                "Account erased. Its work in projects stays, as that of a former member."
            }
        })?)
    }

    /// Whether the account was named twice, or typed by somebody who can be asked.
    fn is_confirmed(&self) -> io::Result<bool> {
        if let Some(confirmed) = &self.confirm {
            return Ok(self.named.is_meant_by(confirmed));
        }
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Ok(false);
        }
        let mut asked = io::stderr().lock();
        write!(asked, "This cannot be undone. Type the account’s address, or its number: ")?;
        asked.flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(self.named.is_meant_by(&answer))
    }
}
