//! The log, and traces beside it.

use std::io::stderr;

use clap::ValueEnum;
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt::layer, layer::SubscriberExt, util::SubscriberInitExt,
};

use super::traces::Traces;

/// How the log is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// Starts the log, of what the filter lets through, and traces, if there are any.
///
/// # Errors
///
/// If the filter cannot be read, or a log was started before in this process.
pub(crate) fn start(
    filter: &str,
    format: LogFormat,
    traces: Option<&Traces>,
) -> Result<(), String> {
    let filter = EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    let lines = layer::<Registry>().with_writer(stderr);
    let lines = match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_span_list(false).boxed(),
    };
    let subscriber =
        Registry::default().with(lines.with_filter(filter)).with(traces.map(Traces::layer));
    subscriber.try_init().map_err(|error| error.to_string())
}
