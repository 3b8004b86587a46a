//! The file of the server's secret key: made where it is missing, and readable by nobody else.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    os::unix::fs::PermissionsExt,
    path::Path,
};

use services::ServerKey;

use crate::cli::Error;

/// The line below the key of a database whose audit trail is signed.
const SIGNED: &str = "audit-trail: signed";

/// The key that a file holds; a new one, if there is no file yet.
pub(in crate::cli) fn open_or_create(file: &Path) -> Result<ServerKey, Error> {
    match open(file) {
        Err(Error::SecretKeyMissing(_)) => {
            create(file)?;
            open(file)
        }
        opened => opened,
    }
}

/// The key that a file holds.
pub(in crate::cli) fn open(file: &Path) -> Result<ServerKey, Error> {
    let failed = |source: io::Error| match source.kind() {
        ErrorKind::NotFound => Error::SecretKeyMissing(file.to_owned()),
        _ => Error::SecretKeyFile { path: file.to_owned(), source },
    };
    let mode = fs::metadata(file).map_err(failed)?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(Error::SecretKeyOpen(file.to_owned()));
    }
    let text = fs::read(file).map_err(failed)?;
    let text = String::from_utf8(text).unwrap_or_default();
    ServerKey::read(text.lines().next().unwrap_or_default())
        .map_err(|_| Error::SecretKeyMalformed(file.to_owned()))
}

/// Whether the file says that the audit trail of its database is signed, from the first row on.
pub(in crate::cli) fn says_signed(file: &Path) -> Result<bool, Error> {
    let read = |source| Error::SecretKeyFile { path: file.to_owned(), source };
    let text = fs::read(file).map_err(read)?;
    Ok(text.split(|byte| *byte == b'\n').skip(1).any(|line| line == SIGNED.as_bytes()))
}

/// Has the file say so.
pub(in crate::cli) fn say_signed(file: &Path) -> Result<(), Error> {
    let say = || {
        let mut file = OpenOptions::new().append(true).open(file)?;
        // Also where the last line was broken off.
        write!(file, "\n{SIGNED}\n")?;
        file.sync_all()
    };
    say().map_err(|source| Error::SecretKeyUnsaid { path: file.to_owned(), line: SIGNED, source })
}

/// Makes a key, unless another server was quicker: the file is there whole, or not at all.
fn create(file: &Path) -> Result<(), Error> {
    let make = || {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        // Readable by its owner only.
        let mut new = tempfile::NamedTempFile::new_in(folder)?;
        writeln!(new, "{}", ServerKey::generate().text())?;
        new.as_file().sync_all()?;
        match new.persist_noclobber(file) {
            Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
            _ => File::open(folder)?.sync_all(),
        }
    };
    make().map_err(|source| Error::WriteFile { path: file.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use std::{fs::Permissions, thread};

    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_its_owners_only() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("secret.key");
        let keys: Vec<_> = thread::scope(|scope| {
            let open = || open_or_create(&file).unwrap().text();
            let opening: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            opening.into_iter().map(|open| open.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("secret.key");
        open_or_create(&file).unwrap();
        for mode in [0o640, 0o604, 0o660, 0o644] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
            let said = open_or_create(&file).unwrap_err().to_string();
            assert!(said.ends_with(&format!("chmod 600 {}", file.display())), "{said}");
        }
        fs::set_permissions(&file, Permissions::from_mode(0o400)).unwrap();
        open_or_create(&file).unwrap();
    }

    #[test]
    fn what_is_no_key_is_refused_and_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("secret.key");
        open_or_create(&file).unwrap();
        for content in [&b""[..], b"password", b"\xff\xfe", b"concord-secret-key-1:AAAA"] {
            fs::write(&file, content).unwrap();
            let said = open_or_create(&file).unwrap_err().to_string();
            assert!(said.contains("is not a secret key"), "{said}");
            assert_eq!(fs::read(&file).unwrap(), content);
        }
        let said = open_or_create(dir.path()).unwrap_err().to_string();
        assert!(said.starts_with("the secret key"), "{said}");
    }
}
