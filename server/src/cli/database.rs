//! Which database a command works on, and who may read its file.

use std::{
    fmt::Write,
    fs::{DirBuilder, OpenOptions},
    io::ErrorKind,
    os::unix::{
        ffi::OsStringExt,
        fs::{DirBuilderExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
};

use clap::Args;
use services::Store;

use super::Error;

/// The file in the data folder.
const FILE: &str = "concord.sqlite3";

/// Where everything is stored.
#[derive(Args)]
pub(super) struct Database {
    /// Where everything is stored: `sqlite:///path/to/file` or `postgres://user@host/name`.
    /// Without it, an SQLite file in the data folder.
    #[arg(long, env = "CONCORD_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// The folder of the SQLite file; it is made where it is missing, readable by nobody else.
    #[arg(long, env = "CONCORD_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
}

impl Database {
    /// Opens the database, a new one if there is none.
    pub(super) async fn open_or_create(&self) -> Result<Store, Error> {
        if self.database_url.is_none() {
            create_private(&self.data_dir, &self.file())?;
        }
        self.connect().await
    }

    /// Opens the database that is there.
    pub(super) async fn open(&self) -> Result<Store, Error> {
        if self.database_url.is_none() && !self.file().exists() {
            return Err(Error::NoDatabase(self.file()));
        }
        self.connect().await
    }

    /// The file of an SQLite database; none if it is another engine's.
    pub(super) fn sqlite_file(&self) -> Option<PathBuf> {
        self.database_url.as_deref().map_or_else(|| Some(self.file()), sqlite_path)
    }

    async fn connect(&self) -> Result<Store, Error> {
        let url = self.database_url.clone().unwrap_or_else(|| sqlite_url(&self.file()));
        Store::open(&url).await.map_err(|error| Error::Database(error.to_string()))
    }

    fn file(&self) -> PathBuf {
        self.data_dir.join(FILE)
    }
}

/// Makes a folder that only its owner can look into, unless it is there.
pub(super) fn create_folder(folder: &Path) -> Result<(), Error> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .map_err(|source| Error::DataDir { path: folder.to_owned(), source })
}

/// Makes the folder and the file, unless they are there, so that only their owner can read them.
/// SQLite gives the files that it puts next to it the same permissions.
fn create_private(folder: &Path, file: &Path) -> Result<(), Error> {
    create_folder(folder)?;
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(file) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(source) => Err(Error::DatabaseFile { path: file.to_owned(), source }),
    }
}

/// The file's path as an address, with everything escaped that an address could take for more.
pub(super) fn sqlite_url(file: &Path) -> String {
    let mut url = "sqlite://".to_owned();
    for byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                url.push(char::from(*byte));
            }
            // Writing to a string cannot fail.
            other => drop(write!(url, "%{other:02X}")),
        }
    }
    url + "?mode=rwc"
}

/// The file that an address names; none if it is not one of SQLite, or keeps nothing.
fn sqlite_path(url: &str) -> Option<PathBuf> {
    let rest = url.strip_prefix("sqlite:")?;
    let path = rest.strip_prefix("//").unwrap_or(rest);
    let path =
        path.split(['?', '#']).next().filter(|path| !path.is_empty() && *path != ":memory:")?;
    let mut bytes = Vec::new();
    let mut left = path.as_bytes();
    while let [first, rest @ ..] = left {
        let escaped = match (first, rest) {
            (b'%', [high, low, ..]) => {
                let digits = [*high, *low];
                std::str::from_utf8(&digits).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok())
            }
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        left = rest.get(if escaped.is_some() { 2.. } else { 0.. }).unwrap_or_default();
    }
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt};

    use super::*;

    #[test]
    fn a_path_with_anything_in_it_becomes_one_address() {
        assert_eq!(sqlite_url(Path::new("./data/a.sqlite3")), "sqlite://./data/a.sqlite3?mode=rwc");
        assert_eq!(sqlite_url(Path::new("/a b?c#ü")), "sqlite:///a%20b%3Fc%23%C3%BC?mode=rwc");
    }

    #[test]
    fn an_address_names_the_file_that_it_was_made_of() {
        for path in ["./data/a.sqlite3", "/a b?c#ü%41", "/"] {
            assert_eq!(sqlite_path(&sqlite_url(Path::new(path))), Some(PathBuf::from(path)));
        }
        for url in ["postgres://a@b/c", "sqlite::memory:", "sqlite://"] {
            assert_eq!(sqlite_path(url), None, "{url}");
        }
    }

    #[tokio::test]
    async fn what_is_stored_is_readable_by_its_owner_only() {
        let dir = tempfile::tempdir().unwrap();
        let data_dir = dir.path().join("da ta?").join("inner");
        let database = Database { database_url: None, data_dir: data_dir.clone() };
        drop(database.open_or_create().await.unwrap());

        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&data_dir), 0o700);
        let files: Vec<_> = fs::read_dir(&data_dir).unwrap().map(|f| f.unwrap().path()).collect();
        assert!(files.contains(&data_dir.join(FILE)));
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
    }

    #[tokio::test]
    async fn a_database_that_is_not_there_is_not_made_by_looking_at_it() {
        let dir = tempfile::tempdir().unwrap();
        let database = Database { database_url: None, data_dir: dir.path().to_owned() };
        let error = database.open().await.err().unwrap();
        assert!(error.to_string().starts_with("there is no database at /"), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
