//! What is to be done, as the command line says it.

use std::{
    num::{NonZeroU64, NonZeroUsize},
    path::PathBuf,
    time::Duration,
};

use clap::{Args, ValueEnum};

use crate::people::project::Size;

/// Starts servers on one database, has labelers save and dashboards follow, and reports what it took.
///
/// All of it runs on this machine: the generator's own share of the CPU is in the report.
#[derive(Args)]
pub(crate) struct Options {
    /// How many servers share the database.
    #[arg(long, default_value = "4")]
    pub(crate) servers: NonZeroUsize,
    /// How many labelers save, at the servers in turn.
    #[arg(long, default_value = "1000")]
    pub(crate) labelers: NonZeroU64,
    /// How many pages of the matrix are open, at the servers in turn.
    #[arg(long, default_value_t = 1000)]
    pub(crate) dashboards: u64,
    /// How many people have these pages open. Default: one for each.
    #[arg(long)]
    watchers: Option<u64>,
    /// No manager goes from page to page meanwhile: what pages take does not add to the rest.
    #[arg(long)]
    pub(crate) no_pages: bool,
    /// Saves a second, of all labelers together.
    #[arg(long, default_value_t = 200.0)]
    pub(crate) rate: f64,
    /// How long saves are sent.
    #[arg(long, default_value_t = 2.0)]
    minutes: f64,
    /// The database: `postgres` is started for this, `sqlite` is a file that all servers open.
    #[arg(long, default_value = "postgres")]
    pub(crate) database: Engine,
    /// A `concord` to measure. Default: the optimised one of this tree, which is built.
    #[arg(long)]
    pub(crate) binary: PathBuf,
    /// Names in a document: about as many spans has the work on it, and a third of them differ from one
    /// save to the next.
    #[arg(long, default_value_t = 20)]
    spans: usize,
    /// How many documents. Default: as many that each labeler has six.
    #[arg(long)]
    documents: Option<u64>,
    /// How many labelers have each document.
    #[arg(long, default_value = "3")]
    overlap: NonZeroU64,
    /// A file that somebody imports into the project while labelers save, as `cargo xtask corpus` writes it.
    #[arg(long, value_name = "FILE")]
    pub(crate) import: Option<PathBuf>,
    /// Write the report to this file, too, as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// An empty database of a PostgreSQL that runs already, or of a pooler before it. Default: one that is
    /// started for this.
    #[arg(long, value_name = "URL")]
    pub(crate) database_url: Option<String>,
    /// The id of its first process.
    #[arg(long, hide = true)]
    pub(crate) database_process: Option<u32>,
    /// Where its tables and indexes are.
    #[arg(long, hide = true)]
    pub(crate) database_folder: Option<PathBuf>,
}

/// An engine of the database.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Postgres,
    Sqlite,
}

impl Options {
    /// How long saves are sent.
    pub(crate) fn duration(&self) -> Duration {
        Duration::try_from_secs_f64(self.minutes * 60.0).unwrap_or_default()
    }

    /// From one save of a labeler to their next.
    pub(crate) fn interval(&self) -> Duration {
        let labelers = u32::try_from(self.labelers.get()).unwrap_or(u32::MAX);
        let seconds = f64::from(labelers) / self.rate;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// How much there is of everything.
    pub(crate) fn size(&self) -> Size {
        let (labelers, overlap) = (self.labelers.get(), self.overlap.get());
        let watchers = self.watchers.unwrap_or(self.dashboards).clamp(1, self.dashboards.max(1));
        let documents = self.documents.unwrap_or((labelers * 6).div_ceil(overlap));
        Size { labelers, watchers, documents, overlap, spans: self.spans }
    }
}
