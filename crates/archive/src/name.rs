//! What a backup is called: by when it was begun and what it is of, so that a listing says all there is to know.

use std::{fmt, str::FromStr};

use chrono::{DateTime, NaiveDateTime, SubsecRound, Utc};
use serde::{Deserialize, Serialize};

const BEGINNING: &str = "concord-";
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// Compressed by zstd, then encrypted by age.
const SEALED: &str = "zst.age";
const MANIFEST: &str = "json";
const DRILL: &str = "drill.json";
const CHANGES: &str = "changes-";

/// What a backup is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// A database of SQLite: the file itself.
    Sqlite,
    /// A database of PostgreSQL: what `pg_dump` writes in its custom format.
    Postgres,
}

impl Engine {
    const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];

    const fn ending(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite3",
            Self::Postgres => "pgdump",
        }
    }
}

/// Which database a backup is of, also after that was restored or moved: a random number, written as 16
/// hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Lineage(u64);

/// The text is not 16 small hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this names no database: 16 hexadecimal digits do")]
pub struct NoLineage;

impl From<u64> for Lineage {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl fmt::Display for Lineage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Lineage {
    type Err = NoLineage;

    fn from_str(text: &str) -> Result<Self, NoLineage> {
        let read = u64::from_str_radix(text, 16).map(Self).map_err(|_| NoLineage)?;
        if read.to_string() == text { Ok(read) } else { Err(NoLineage) }
    }
}

impl TryFrom<String> for Lineage {
    type Error = NoLineage;

    fn try_from(text: String) -> Result<Self, NoLineage> {
        text.parse()
    }
}

impl From<Lineage> for String {
    fn from(lineage: Lineage) -> Self {
        lineage.to_string()
    }
}

/// What the names of all files of one backup begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Stem {
    pub(crate) at: DateTime<Utc>,
    pub(crate) lineage: Lineage,
}

impl fmt::Display for Stem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{BEGINNING}{}-{}", self.at.format(TIME), self.lineage)
    }
}

/// The name of a backup. Names are in the order of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    stem: Stem,
    engine: Engine,
}

impl Name {
    /// The name of a backup that is begun at this time, to the second.
    pub fn new(at: DateTime<Utc>, lineage: Lineage, engine: Engine) -> Self {
        Self { stem: Stem { at: at.trunc_subsecs(0), lineage }, engine }
    }

    /// When it was begun.
    pub const fn at(self) -> DateTime<Utc> {
        self.stem.at
    }

    /// Which database it is of.
    pub const fn lineage(self) -> Lineage {
        self.stem.lineage
    }

    pub const fn engine(self) -> Engine {
        self.engine
    }

    pub(crate) const fn stem(self) -> Stem {
        self.stem
    }

    /// Where its manifest lies.
    pub fn manifest(self) -> String {
        format!("{}.{MANIFEST}", self.stem)
    }

    /// Where it lies what has changed since, the first time, the second, and so on.
    pub(crate) fn changes(self, number: u32) -> String {
        format!("{}.{CHANGES}{number:06}.{SEALED}", self.stem)
    }

    /// Where it lies how a drill with it ended.
    pub(crate) fn drill(self) -> String {
        format!("{}.{DRILL}", self.stem)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{SEALED}", self.stem, self.engine.ending())
    }
}

/// The text is no name of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this is no backup's name, such as concord-20261126T091500Z-5b1e77d20c9a4f38.sqlite3.zst.age"
)]
pub struct NoName;

impl FromStr for Name {
    type Err = NoName;

    fn from_str(text: &str) -> Result<Self, NoName> {
        let (stem, rest) = split(text).ok_or(NoName)?;
        let ending = rest.strip_suffix(SEALED).and_then(|rest| rest.strip_suffix('.'));
        let engine = Engine::ALL.into_iter().find(|engine| Some(engine.ending()) == ending);
        Ok(Self { stem, engine: engine.ok_or(NoName)? })
    }
}

/// What a file in a place of backups is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Backup(Name),
    /// The manifest, or a drill, of the backup whose names begin so.
    Manifest(Stem),
    Drill(Stem),
    /// What has changed since, and the how many-th time.
    Changes(Stem, u32),
}

impl Kind {
    /// What a file is by its name; none if it is no concern of ours.
    pub(crate) fn of(text: &str) -> Option<Self> {
        if let Ok(name) = text.parse() {
            return Some(Self::Backup(name));
        }
        match split(text)? {
            (stem, MANIFEST) => Some(Self::Manifest(stem)),
            (stem, DRILL) => Some(Self::Drill(stem)),
            (stem, rest) => {
                let number = rest.strip_prefix(CHANGES)?.strip_suffix(SEALED)?.strip_suffix('.')?;
                Some(Self::Changes(stem, number.parse().ok()?))
            }
        }
    }
}

fn split(text: &str) -> Option<(Stem, &str)> {
    let (stem, rest) = text.strip_prefix(BEGINNING)?.split_once('.')?;
    let (time, lineage) = stem.split_once('-')?;
    let at = NaiveDateTime::parse_from_str(time, TIME).ok()?.and_utc();
    Some((Stem { at, lineage: lineage.parse().ok()? }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_when_and_of_what_and_is_read_again() {
        let at = "2026-11-26T09:15:00.75Z".parse().unwrap();
        let lineage = Lineage::from(0x5b1e_77d2_0c9a_4f38);
        let name = Name::new(at, lineage, Engine::Sqlite);
        assert_eq!(name.to_string(), "concord-20261126T091500Z-5b1e77d20c9a4f38.sqlite3.zst.age");
        for name in [name, Name::new(at, Lineage::from(0), Engine::Postgres)] {
            assert_eq!(name.to_string().parse(), Ok(name));
            assert_eq!(Kind::of(&name.to_string()), Some(Kind::Backup(name)));
            assert_eq!(Kind::of(&name.manifest()), Some(Kind::Manifest(name.stem())));
            assert_eq!(Kind::of(&name.drill()), Some(Kind::Drill(name.stem())));
            assert_eq!(Kind::of(&name.changes(7)), Some(Kind::Changes(name.stem(), 7)));
        }
    }

    #[test]
    fn what_is_called_otherwise_is_no_backup() {
        for text in [
            "",
            "concord.sqlite3",
            "concord-20261126T091500Z-5b1e77d20c9a4f38.sqlite3",
            "concord-20261126T091500Z-5b1e77d20c9a4f38.sqlite3.zst.age#1",
            "concord-20261126T091500Z-5b1e77d20c9a4f38.zst.age",
            "concord-20261326T091500Z-5b1e77d20c9a4f38.sqlite3.zst.age",
            "concord-20261126T091500Z-5b1e77d20c9a4f38.other.zst.age",
            "concord-20261126T091500Z.sqlite3.zst.age",
            "concord-20261126T091500Z-5B1E77D20C9A4F38.sqlite3.zst.age",
            "concord-20261126T091500Z-5b1e.sqlite3.zst.age",
        ] {
            assert_eq!(text.parse::<Name>(), Err(NoName), "{text}");
            assert_eq!(Kind::of(text), None, "{text}");
        }
    }
}
