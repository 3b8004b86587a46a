//! What the command line says of schedules of faults.

use std::{num::NonZeroU64, path::PathBuf};

use clap::{Args, ValueEnum};

/// Has labelers save at servers of one database while servers are killed, stopped and paused, PostgreSQL is
/// restarted, and connections to it are cut, refused, delayed and lost.
///
/// After each schedule all servers show the same within three seconds, each save that was acknowledged is
/// there once, and `verify` finds no difference.
#[derive(Args)]
pub(crate) struct Options {
    /// How many schedules.
    #[arg(long, default_value = "100")]
    pub(crate) schedules: NonZeroU64,
    /// The seed of the first schedule; each other has the next number. Default: another one each time.
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many servers share the database.
    #[arg(long, default_value = "3")]
    pub(crate) servers: NonZeroU64,
    /// How many labelers save, at any server.
    #[arg(long, default_value = "6")]
    pub(crate) labelers: NonZeroU64,
    /// The database: four schedules out of five on PostgreSQL, or all on one of the two.
    #[arg(long, default_value = "both")]
    pub(crate) database: Databases,
    /// A `concord` to try. Default: the one of this tree without optimisation, which is built.
    #[arg(long)]
    pub(crate) binary: PathBuf,
    /// The program that servers are started with before they are upgraded.
    #[arg(long, hide = true)]
    pub(crate) older: Option<PathBuf>,
    /// Whether it may be started on the tables of the newer one.
    #[arg(long, hide = true)]
    pub(crate) older_again: bool,
    /// The folder of a PostgreSQL that is restarted.
    #[arg(long, hide = true)]
    pub(crate) postgres: Option<PathBuf>,
    /// With pgBouncer in transaction mode between the servers and PostgreSQL: 1.21 or later, in `PATH` or
    /// named by `CONCORD_PGBOUNCER`.
    #[arg(long)]
    pooler: bool,
    /// Its socket.
    #[arg(long, hide = true)]
    pub(crate) pooler_socket: Option<PathBuf>,
}

/// Which databases there are schedules on.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Databases {
    Both,
    Postgres,
    Sqlite,
}

impl Options {
    /// How many of the schedules are on PostgreSQL; the others come after them.
    pub(crate) fn on_postgres(&self) -> u64 {
        match self.database {
            Databases::Both => self.schedules.get().saturating_mul(4).div_ceil(5),
            Databases::Postgres => self.schedules.get(),
            Databases::Sqlite => 0,
        }
    }
}
