//! Compressing and encrypting: what comes out is opened by `age --decrypt` and `zstd --decompress` as well.

use std::{
    cell::RefCell,
    fmt,
    io::{self, BufReader, Read, Write},
    str::FromStr,
};

use age::{DecryptError, Decryptor, Encryptor, x25519};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use zstd::stream::{read::Decoder, write::Encoder};

use crate::Error;

/// How hard it is tried to make it small: what is usual for zstd.
const LEVEL: i32 = 3;

const PIECE: usize = 128 * 1024;

/// Somebody for whom backups are encrypted: `age1…`.
#[derive(Clone)]
pub struct Recipient(x25519::Recipient);

impl Recipient {
    fn as_dyn(&self) -> &dyn age::Recipient {
        &self.0
    }
}

impl FromStr for Recipient {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = text.trim().parse().map(Self);
        read.map_err(|why| {
            format!("use a recipient of age, such as age1…, from age-keygen ({why})")
        })
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What opens backups.
#[derive(Clone)]
pub struct Identities(Vec<x25519::Identity>);

impl Identities {
    /// Reads a file of `age-keygen`: an identity a line, and comments.
    ///
    /// # Errors
    /// Which line is none; nothing of what it holds.
    pub fn read(text: &str) -> Result<Self, String> {
        let lines = text.lines().map(str::trim).enumerate();
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let read = lines.map(|(at, line)| {
            let wrong = |_| format!("line {} is no identity of age (AGE-SECRET-KEY-1…)", at + 1);
            line.parse().map_err(wrong)
        });
        let read: Vec<x25519::Identity> = read.collect::<Result<_, _>>()?;
        if read.is_empty() { Err("it holds no identity of age".to_owned()) } else { Ok(Self(read)) }
    }

    fn each(&self) -> impl Iterator<Item = &dyn age::Identity> {
        fn as_dyn(identity: &x25519::Identity) -> &dyn age::Identity {
            identity
        }
        self.0.iter().map(as_dyn)
    }
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identities(..)")
    }
}

/// How long something is, and what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    pub bytes: u64,
    /// SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// What is inside, and what lies there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    pub plain: Digest,
    pub stored: Digest,
}

/// How many bytes a backup may have: inside, and as it is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Most {
    pub(crate) plain: u64,
    pub(crate) stored: u64,
}

/// Counts and hashes what passes.
struct Counted<T> {
    inner: T,
    bytes: u64,
    hash: Sha256,
}

impl<T> Counted<T> {
    fn new(inner: T) -> Self {
        Self { inner, bytes: 0, hash: Sha256::new() }
    }

    fn note(&mut self, piece: &[u8]) {
        self.bytes += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.hash.update(piece);
    }

    fn digest(self) -> Digest {
        let hash = self.hash.finalize();
        Digest { bytes: self.bytes, sha256: format!("{hash:x}") }
    }
}

impl<T: Read> Read for Counted<T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.note(buffer.get(..read).unwrap_or_default());
        Ok(read)
    }
}

impl<T: Write> Write for Counted<T> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(piece)?;
        self.note(piece.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Remembers why something could not be read, as whoever reads it takes that for damage.
struct Source<'a, T> {
    inner: T,
    failed: &'a RefCell<Option<String>>,
}

impl<T: Read> Read for Source<'_, T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer);
        if let Err(error) = &read
            && error.kind() != io::ErrorKind::Interrupted
        {
            *self.failed.borrow_mut() = Some(error.to_string());
        }
        read
    }
}

/// Compresses and encrypts all that there is to read.
pub(crate) fn seal(
    recipients: &[Recipient],
    plain: impl Read,
    stored: impl Write,
) -> Result<Sealed, Error> {
    let (mut plain, mut stored) = (Counted::new(plain), Counted::new(stored));
    let encryptor = Encryptor::with_recipients(recipients.iter().map(Recipient::as_dyn));
    let encryptor = encryptor.map_err(|error| Error::Write(error.to_string()))?;
    let seal = || {
        let encrypted = encryptor.wrap_output(&mut stored)?;
        let mut compressed = Encoder::new(encrypted, LEVEL)?;
        compressed.include_checksum(true)?;
        io::copy(&mut plain, &mut compressed)?;
        compressed.finish()?.finish()?;
        stored.flush()
    };
    seal().map_err(|error| Error::Write(error.to_string()))?;
    Ok(Sealed { plain: plain.digest(), stored: stored.digest() })
}

/// Decrypts and decompresses a backup, which is called `name` in what is said of it.
///
/// # Errors
/// Also if it is larger than it may be: nothing more is read or written then.
pub(crate) fn unseal(
    name: &str,
    identities: &Identities,
    most: Most,
    stored: impl Read,
    plain: impl Write,
) -> Result<Sealed, Error> {
    let failed = RefCell::new(None);
    let damaged = |problem: String| match failed.borrow_mut().take() {
        Some(problem) => Error::Unread { name: name.to_owned(), problem },
        None => Error::Damaged { name: name.to_owned(), problem },
    };
    let refused = |error: DecryptError| match error {
        DecryptError::NoMatchingKeys => Error::OtherIdentity(name.to_owned()),
        other => damaged(other.to_string()),
    };
    let unread = |error: io::Error| damaged(error.to_string());
    // One more shows that it is larger.
    let stored = Source { inner: stored.take(most.stored.saturating_add(1)), failed: &failed };
    let (mut stored, mut plain) = (Counted::new(stored), Counted::new(plain));
    let mut open = || {
        let decryptor = Decryptor::new_buffered(BufReader::new(&mut stored)).map_err(refused)?;
        let compressed = decryptor.decrypt(identities.each()).map_err(refused)?;
        let mut content = Decoder::new(compressed).map_err(unread)?;
        let mut buffer = vec![0; PIECE];
        while plain.bytes <= most.plain {
            let read = content.read(&mut buffer).map_err(unread)?;
            if read == 0 {
                break;
            }
            plain.write_all(buffer.get(..read).unwrap_or_default()).map_err(Error::Unpack)?;
        }
        plain.flush().map_err(Error::Unpack)
    };
    let opened = open();
    if stored.bytes > most.stored || plain.bytes > most.plain {
        let problem = "it is larger than it should be".to_owned();
        return Err(Error::Damaged { name: name.to_owned(), problem });
    }
    opened?;
    Ok(Sealed { plain: plain.digest(), stored: stored.digest() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use age::secrecy::ExposeSecret;

    const ANY: Most = Most { plain: u64::MAX, stored: u64::MAX };

    fn person() -> (Recipient, Identities) {
        let identity = x25519::Identity::generate();
        let text = format!("# created: today\n\n{}\n", identity.to_string().expose_secret());
        let recipient = identity.to_public().to_string().parse().unwrap();
        (recipient, Identities::read(&text).unwrap())
    }

    fn sealed(recipients: &[Recipient], plain: &[u8]) -> (Vec<u8>, Sealed) {
        let mut stored = Vec::new();
        let sealed = seal(recipients, plain, &mut stored).unwrap();
        (stored, sealed)
    }

    fn opened(identities: &Identities, stored: &[u8]) -> Result<(Vec<u8>, Sealed), Error> {
        let mut plain = Vec::new();
        let sealed = unseal("it", identities, ANY, stored, &mut plain)?;
        Ok((plain, sealed))
    }

    #[test]
    fn each_recipient_opens_what_was_sealed_and_nobody_else() {
        let ((ada, adas), (bob, bobs), (_, evas)) = (person(), person(), person());
        for plain in [&b""[..], b"words", &vec![7; 3 * PIECE + 5]] {
            let (stored, said) = sealed(&[ada.clone(), bob.clone()], plain);
            assert_eq!(said.plain.bytes, u64::try_from(plain.len()).unwrap());
            for identities in [&adas, &bobs] {
                assert_eq!(opened(identities, &stored).unwrap(), (plain.to_vec(), said.clone()));
            }
            let refused = opened(&evas, &stored).unwrap_err();
            assert!(matches!(refused, Error::OtherIdentity(_)), "{refused}");
        }
    }

    #[test]
    fn what_was_changed_or_cut_off_is_not_opened() {
        let (ada, adas) = person();
        let plain: Vec<u8> = (0..200_000_u32).flat_map(|n| (n ^ (n >> 7)).to_le_bytes()).collect();
        let (stored, _) = sealed(&[ada], &plain);
        for at in [0, 30, stored.len() / 2, stored.len() - 1] {
            let mut changed = stored.clone();
            changed[at] ^= 1;
            assert!(opened(&adas, &changed).is_err(), "changed at {at}");
            assert!(opened(&adas, &stored[..at]).is_err(), "cut off at {at}");
        }
    }

    #[test]
    fn what_is_larger_than_it_may_be_is_neither_read_nor_written_to_its_end() {
        let (ada, adas) = person();
        let plain = vec![7; 100 * PIECE];
        let (stored, said) = sealed(&[ada], &plain);
        let most = Most { plain: said.plain.bytes, stored: said.stored.bytes };
        let opened = |most: Most, stored: &mut dyn Read| {
            let mut opened = Vec::new();
            let unsealed = unseal("it", &adas, most, stored, &mut opened);
            (unsealed, opened.len())
        };
        assert_eq!(opened(most, &mut &*stored).0.unwrap(), said);
        let (bomb, written) = opened(Most { plain: 1_000, ..most }, &mut &*stored);
        assert!(matches!(bomb, Err(Error::Damaged { .. })) && written <= PIECE, "{written}");
        let mut endless = stored.as_slice().chain(io::repeat(7));
        assert!(matches!(opened(most, &mut endless).0, Err(Error::Damaged { .. })));
    }

    #[test]
    fn a_connection_that_breaks_off_is_no_damage() {
        struct BrokenOff<'a>(&'a [u8]);
        impl Read for BrokenOff<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                match self.0.read(buffer)? {
                    0 => Err(io::Error::other("reset by peer")),
                    read => Ok(read),
                }
            }
        }
        let (ada, adas) = person();
        let (stored, _) = sealed(&[ada], &vec![7; 3 * PIECE]);
        for end in [0, 30, stored.len() - 1] {
            let refused =
                unseal("it", &adas, ANY, BrokenOff(&stored[..end]), io::sink()).unwrap_err();
            assert!(matches!(refused, Error::Unread { .. }), "{end}: {refused}");
        }
    }

    #[test]
    fn files_of_other_kinds_are_refused_without_telling_what_they_hold() {
        for (text, words) in [
            ("", "no identity"),
            ("# only words\n", "no identity"),
            ("# words\nAGE-SECRET-KEY-1QQ", "line 2"),
        ] {
            let said = Identities::read(text).unwrap_err();
            assert!(said.contains(words) && !said.contains("QQ"), "{said}");
        }
        assert!("age1wrong".parse::<Recipient>().is_err());
    }
}
