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

/// The name of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    at: DateTime<Utc>,
    engine: Engine,
}

impl Name {
    /// The name of a backup that is begun at this time, to the second.
    pub fn new(at: DateTime<Utc>, engine: Engine) -> Self {
        Self { at: at.trunc_subsecs(0), engine }
    }

    /// When it was begun.
    pub const fn at(self) -> DateTime<Utc> {
        self.at
    }

    pub const fn engine(self) -> Engine {
        self.engine
    }

    fn stem(self) -> String {
        format!("{BEGINNING}{}", self.at.format(TIME))
    }

    /// Where its manifest lies.
    pub(crate) fn manifest(self) -> String {
        format!("{}.{MANIFEST}", self.stem())
    }

    /// Where it lies what has changed since, the first time, the second, and so on.
    pub(crate) fn changes(self, number: u32) -> String {
        format!("{}.{CHANGES}{number:06}.{SEALED}", self.stem())
    }

    /// Where it lies how a drill with it ended.
    pub(crate) fn drill(self) -> String {
        format!("{}.{DRILL}", self.stem())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{SEALED}", self.stem(), self.engine.ending())
    }
}

/// The text is no name of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no backup's name, such as concord-20261126T091500Z.sqlite3.zst.age")]
pub struct NoName;

impl FromStr for Name {
    type Err = NoName;

    fn from_str(text: &str) -> Result<Self, NoName> {
        let (at, rest) = timed(text).ok_or(NoName)?;
        let ending = rest.strip_suffix(SEALED).and_then(|rest| rest.strip_suffix('.'));
        let engine = Engine::ALL.into_iter().find(|engine| Some(engine.ending()) == ending);
        Ok(Self { at, engine: engine.ok_or(NoName)? })
    }
}

/// What a file in a place of backups is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Backup(Name),
    /// The manifest, or a drill, of the backup that was begun at this time.
    Manifest(DateTime<Utc>),
    Drill(DateTime<Utc>),
    /// What has changed since, and the how many-th time.
    Changes(DateTime<Utc>, u32),
}

impl Kind {
    /// What a file is by its name; none if it is no concern of ours.
    pub(crate) fn of(text: &str) -> Option<Self> {
        if let Ok(name) = text.parse() {
            return Some(Self::Backup(name));
        }
        match timed(text)? {
            (at, MANIFEST) => Some(Self::Manifest(at)),
            (at, DRILL) => Some(Self::Drill(at)),
            (at, rest) => {
                let number = rest.strip_prefix(CHANGES)?.strip_suffix(SEALED)?.strip_suffix('.')?;
                Some(Self::Changes(at, number.parse().ok()?))
            }
        }
    }
}

fn timed(text: &str) -> Option<(DateTime<Utc>, &str)> {
    let (time, rest) = text.strip_prefix(BEGINNING)?.split_once('.')?;
    Some((NaiveDateTime::parse_from_str(time, TIME).ok()?.and_utc(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_when_and_of_what_and_is_read_again() {
        let at = "2026-11-26T09:15:00.75Z".parse().unwrap();
        let name = Name::new(at, Engine::Sqlite);
        assert_eq!(name.to_string(), "concord-20261126T091500Z.sqlite3.zst.age");
        for name in [name, Name::new(at, Engine::Postgres)] {
            assert_eq!(name.to_string().parse(), Ok(name));
            assert_eq!(Kind::of(&name.to_string()), Some(Kind::Backup(name)));
            assert_eq!(Kind::of(&name.manifest()), Some(Kind::Manifest(name.at())));
            assert_eq!(Kind::of(&name.drill()), Some(Kind::Drill(name.at())));
            assert_eq!(Kind::of(&name.changes(7)), Some(Kind::Changes(name.at(), 7)));
        }
    }

    #[test]
    fn what_is_called_otherwise_is_no_backup() {
        for text in [
            "",
            "concord.sqlite3",
            "concord-20261126T091500Z.sqlite3",
            "concord-20261126T091500Z.sqlite3.zst.age#1",
            "concord-20261126T091500Z.zst.age",
            "concord-20261326T091500Z.sqlite3.zst.age",
            "concord-20261126T091500Z.other.zst.age",
        ] {
            assert_eq!(text.parse::<Name>(), Err(NoName), "{text}");
            assert_eq!(Kind::of(text), None, "{text}");
        }
    }
}
