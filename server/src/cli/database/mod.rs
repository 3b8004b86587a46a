//! Which database a command works on, who may read its file, and which secret key goes with it.

pub(super) mod migrate;
pub(super) mod moving;
pub(super) mod secret_key;
pub(super) mod verify;

use std::{
    fs::{DirBuilder, OpenOptions},
    io::ErrorKind,
    os::unix::{
        ffi::OsStringExt,
        fs::{DirBuilderExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
pub(super) use services::outside::backup::sqlite_url;
use services::{
    Clock, ServerKey, Services, Store,
    base::secrets::server_key,
    outside::audit::{self, Known},
};

use super::Error;

/// The file in the data folder.
const FILE: &str = "concord.sqlite3";

/// The files beside it: of the secret key, and of the ends of the audit trail.
const SECRET_KEY: &str = "secret.key";
const AUDIT_HEADS: &str = "audit-heads.jsonl";

/// Where everything is stored.
#[expect(clippy::struct_field_names, reason = "these are the names of its options")]
#[derive(Args)]
#[cfg_attr(test, derive(Default))]
pub(super) struct Database {
    /// Database: `sqlite:///path/to/file` or `postgres://user@host/name`. Default: an SQLite file
    /// in the data folder.
    #[arg(long, env = "CONCORD_DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    /// Folder of the SQLite file. Created if missing, readable only by its owner.
    #[arg(long, env = "CONCORD_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
    /// File of the secret key, which encrypts secrets in the database. Servers of one database
    /// share it. Default: `secret.key` beside the SQLite file, or in the data folder with
    /// PostgreSQL; created if missing.
    #[arg(long, env = "CONCORD_SECRET_KEY_FILE", value_name = "FILE")]
    secret_key: Option<PathBuf>,
    /// File of settings in TOML: the options of `concord serve` by their names, such as `bind =
    /// "0.0.0.0:3000"`. Options and the environment go before it.
    #[arg(long, env = "CONCORD_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
}

impl Database {
    /// The file of settings, if one is named.
    pub(super) fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

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

    /// The database that is there, with what people can do in it.
    pub(super) async fn services(&self) -> Result<Arc<Services>, Error> {
        let store = self.open().await?;
        self.services_of(store).await
    }

    /// The database, a new one if there is none, with what people can do in it.
    pub(super) async fn services_or_create(&self) -> Result<Arc<Services>, Error> {
        let store = self.open_or_create().await?;
        self.services_of(store).await
    }

    async fn services_of(&self, store: Store) -> Result<Arc<Services>, Error> {
        let (key, clock) = (self.key(&store).await?, Clock::system());
        let store = self.with_trail(store, &key, &clock).await?;
        Ok(Services::new(store, clock, None, key))
    }

    /// The store, in which what is done can be noted. The file of the key says whether its audit trail
    /// is signed: whoever can write to the database alone cannot have it signed again.
    pub(super) async fn with_trail(
        &self,
        store: Store,
        key: &ServerKey,
        clock: &Clock,
    ) -> Result<Store, Error> {
        let file = self.key_file();
        if secret_key::says_signed(&file)? {
            return Ok(audit::open(store, key, clock.now(), Known::Signed).await?);
        }
        let store = audit::open(store, key, clock.now(), Known::Nothing).await?;
        secret_key::say_signed(&file)?;
        Ok(store)
    }

    /// The secret key that goes with the database; a new one only if none did before.
    pub(super) async fn key(&self, store: &Store) -> Result<ServerKey, Error> {
        let file = self.key_file_to_write()?;
        let key = if server_key::is_needed(store).await? {
            secret_key::open(&file)?
        } else {
            secret_key::open_or_create(&file)?
        };
        if server_key::goes_with(store, &key).await? {
            Ok(key)
        } else {
            Err(Error::SecretKeyOther(file))
        }
    }

    /// The secret key that goes with the database, if it is at hand; none is made.
    pub(super) async fn key_if_there(&self, store: &Store) -> Option<ServerKey> {
        if self.key_file().exists() { self.key(store).await.ok() } else { None }
    }

    /// The secret key that is there, or a new one, whichever went with the database before.
    pub(super) async fn replace_key(&self, store: &Store) -> Result<ServerKey, Error> {
        let file = self.key_file_to_write()?;
        let key = secret_key::open_or_create(&file)?;
        if server_key::is_needed(store).await? && !secret_key::says_signed(&file)? {
            secret_key::say_signed(&file)?;
        }
        audit::replace_key(store, &key, Clock::system().now()).await?;
        Ok(key)
    }

    /// Where the secret key is, or would be.
    pub(super) fn key_file(&self) -> PathBuf {
        self.secret_key.clone().unwrap_or_else(|| self.folder().join(SECRET_KEY))
    }

    fn key_file_to_write(&self) -> Result<PathBuf, Error> {
        match &self.secret_key {
            Some(named) => Ok(named.clone()),
            None => self.beside(SECRET_KEY),
        }
    }

    /// Where the ends of the audit trail are written, unless another file is named.
    pub(super) fn audit_heads(&self) -> PathBuf {
        self.folder().join(AUDIT_HEADS)
    }

    /// The same, in a folder that is there.
    pub(super) fn audit_heads_to_write(&self) -> Result<PathBuf, Error> {
        self.beside(AUDIT_HEADS)
    }

    /// A file beside the database, in a folder that is there.
    fn beside(&self, name: &str) -> Result<PathBuf, Error> {
        Ok(self.folder_to_write()?.join(name))
    }

    /// Where everything is that is not in the database; it is made if it is missing.
    pub(super) fn folder_to_write(&self) -> Result<PathBuf, Error> {
        let folder = self.folder();
        if !folder.as_os_str().is_empty() {
            create_folder(&folder)?;
        }
        Ok(folder)
    }

    /// Where everything is that is not in the database.
    fn folder(&self) -> PathBuf {
        let beside = self.sqlite_file().and_then(|file| Some(file.parent()?.to_owned()));
        beside.unwrap_or_else(|| self.data_dir.clone())
    }

    /// The file of an SQLite database; none if it is another engine's.
    pub(super) fn sqlite_file(&self) -> Option<PathBuf> {
        self.database_url.as_deref().map_or_else(|| Some(self.file()), sqlite_path)
    }

    /// The address of the database that is there.
    pub(super) fn url_of_existing(&self) -> Result<String, Error> {
        match self.sqlite_file() {
            Some(file) if !file.exists() => Err(Error::NoDatabase(file)),
            _ => Ok(self.url()),
        }
    }

    /// The address of the database.
    pub(super) fn url(&self) -> String {
        self.database_url.clone().unwrap_or_else(|| sqlite_url(&self.file()))
    }

    async fn connect(&self) -> Result<Store, Error> {
        open(&self.url()).await
    }

    fn file(&self) -> PathBuf {
        self.data_dir.join(FILE)
    }
}

/// Opens the database that an address names.
pub(super) async fn open(url: &str) -> Result<Store, Error> {
    Store::open(url).await.map_err(|error| Error::Database(error.to_string()))
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

    use services::outside::audit::ExportedHeads;

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
        let database = Database { data_dir: data_dir.clone(), ..Database::default() };
        let store = database.open_or_create().await.unwrap();
        database.key(&store).await.unwrap();

        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&data_dir), 0o700);
        let files: Vec<_> = fs::read_dir(&data_dir).unwrap().map(|f| f.unwrap().path()).collect();
        assert!(files.contains(&data_dir.join(FILE)) && files.contains(&data_dir.join(SECRET_KEY)));
        for file in files {
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
    }

    #[test]
    fn the_key_lies_beside_the_database_unless_a_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let at = |path: &str| dir.path().join(path);
        let [data_dir, file] = ["data", "elsewhere/a b.sqlite3"].map(at);
        let sqlite = Some(sqlite_url(&file));
        let postgres = Some("postgres://a@b/c".to_owned());
        for (database_url, secret_key, expected) in [
            (None, None, "data/secret.key"),
            (sqlite.clone(), None, "elsewhere/secret.key"),
            (postgres.clone(), None, "data/secret.key"),
            (sqlite, Some(at("elsewhere/named")), "elsewhere/named"),
            (postgres, Some(at("elsewhere/named")), "elsewhere/named"),
        ] {
            let database =
                Database { database_url, data_dir: data_dir.clone(), secret_key, config: None };
            assert_eq!(database.key_file(), at(expected));
        }
    }

    #[tokio::test]
    async fn a_database_is_opened_with_its_own_key_or_with_a_new_one_on_purpose() {
        let dir = tempfile::tempdir().unwrap();
        let database = Database { data_dir: dir.path().to_owned(), ..Database::default() };
        let store = database.open_or_create().await.unwrap();
        let first = database.key(&store).await.unwrap();
        assert_eq!(database.key(&store).await.unwrap().text(), first.text());
        let file = dir.path().join(SECRET_KEY);

        fs::remove_file(&file).unwrap();
        let said = database.key(&store).await.unwrap_err().to_string();
        assert!(said.contains("is missing"), "{said}");
        assert!(!file.exists(), "no other key takes its place by itself");
        let second = database.replace_key(&store).await.unwrap();
        assert_ne!(second.text(), first.text());
        assert_eq!(database.key(&store).await.unwrap().text(), second.text());

        fs::write(&file, first.text()).unwrap();
        let said = database.key(&store).await.unwrap_err().to_string();
        assert!(said.contains("another database"), "{said}");
    }

    #[tokio::test]
    async fn what_is_signed_is_never_signed_again() {
        let dir = tempfile::tempdir().unwrap();
        let database = Database { data_dir: dir.path().to_owned(), ..Database::default() };
        let [email, name, password] =
            ["ada@example.org", "Ada", "correct horse battery"].map(str::to_owned);
        let ada = domain::NewAccount { email, name, password };
        let services = database.services_or_create().await.unwrap();
        services::account::add_user(&services, ada, false).await.unwrap();
        let url = sqlite_url(&dir.path().join(FILE));
        store::testing::tamper_at(&url, "UPDATE audit SET mac = NULL").await;

        let problems = async || {
            database.services().await.unwrap();
            let store = database.open().await.unwrap();
            let key = database.key(&store).await.unwrap();
            let trails =
                services::outside::verification::trails(&store, &key, &ExportedHeads::default())
                    .await;
            trails.unwrap().into_iter().flat_map(|trail| trail.problems).collect::<Vec<_>>()
        };
        assert_eq!(problems().await, ["row 1 is not signed"]);
        // Rows of before there were signatures are signed by a key that does not say that it did.
        let file = dir.path().join(SECRET_KEY);
        let text = fs::read_to_string(&file).unwrap();
        fs::write(&file, text.lines().next().unwrap()).unwrap();
        assert_eq!(problems().await, Vec::<String>::new());
        store::testing::tamper_at(&url, "UPDATE audit SET mac = NULL").await;
        assert_eq!(problems().await.len(), 2);
    }

    #[tokio::test]
    async fn a_database_that_is_not_there_is_not_made_by_looking_at_it() {
        let dir = tempfile::tempdir().unwrap();
        let database = Database { data_dir: dir.path().to_owned(), ..Database::default() };
        let error = database.open().await.err().unwrap();
        assert!(error.to_string().starts_with("no database at /"), "{error}");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
