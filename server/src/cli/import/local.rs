//! An import into a database that this machine reaches.

use std::{
    fs::{self, File},
    io::{self, BufReader},
    path::PathBuf,
};

use services::{
    document::import::{Content, Source, import_for_owner, preview_for_owner},
    project,
};

use super::{Database, Error, FilesImported, Order, Target};
use crate::cli::people::no_such_user;

/// Imports the files, or says what they would bring.
pub(super) async fn carry_out(
    database: &Database,
    order: Order<'_>,
) -> Result<FilesImported, Error> {
    let Order { project, files, options, dry_run } = order;
    let services = database.services().await?;
    let project = match project {
        Target::There(project) => {
            let found = project::find(&services, project).await?;
            found.ok_or_else(|| Error::NoSuchProject(project.to_owned()))?
        }
        Target::New { manager: None, .. } => return Err(Error::NoManager),
        Target::New { name, manager: Some(email) } => {
            project::create_of(&services, email, name.to_owned()).await.map_err(no_such_user)?
        }
    };
    let files = files.into_iter().map(OnDisk::boxed).collect();
    if dry_run {
        let preview = preview_for_owner(&services, project, files, options).await?;
        return Ok(FilesImported::Read(Box::new(preview)));
    }
    Ok(FilesImported::Imported(import_for_owner(&services, project, files, options).await?))
}

/// A file that is read from where it lies.
struct OnDisk {
    name: String,
    path: PathBuf,
}

impl OnDisk {
    fn boxed(path: PathBuf) -> Box<dyn Source> {
        Box::new(Self { name: path.to_string_lossy().into_owned(), path })
    }
}

impl Source for OnDisk {
    fn name(&self) -> &str {
        &self.name
    }

    fn length(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |about| about.len())
    }

    fn open(&self) -> io::Result<Box<dyn Content + '_>> {
        Ok(Box::new(BufReader::new(File::open(&self.path)?)))
    }
}
