//! What came of it: a table for people, JSON for programs.

use std::fmt::Write as _;

use serde::Serialize;

use crate::latency::Percentiles;

/// All that was measured.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) database: &'static str,
    pub(crate) servers: Vec<ServerUse>,
    pub(crate) labelers: u64,
    pub(crate) dashboards: u64,
    pub(crate) watchers: u64,
    pub(crate) documents: u64,
    /// Spans that there were before anybody saved.
    pub(crate) spans: u64,
    /// MiB of the database's files with them, as they were then.
    pub(crate) database_size: u64,
    /// Seconds that it took to make the project and open everything.
    pub(crate) set_up_seconds: f64,
    /// Seconds in which saves were sent.
    pub(crate) seconds: f64,
    /// Seconds that an import beside the saves took.
    pub(crate) import_seconds: Option<f64>,
    /// Saves a second that were asked for, and that were acknowledged.
    pub(crate) wanted_rate: f64,
    pub(crate) reached_rate: f64,
    pub(crate) acknowledged: u64,
    pub(crate) conflicts: u64,
    pub(crate) failed: Vec<String>,
    pub(crate) latencies: Vec<Row>,
    pub(crate) generator_cpu_seconds: f64,
    /// Of PostgreSQL, where it is known.
    pub(crate) database_cpu_seconds: Option<f64>,
    /// Streams that were lost and opened again.
    pub(crate) lost_streams: u64,
    /// Pairs of a save and a stream that had not told it at the end.
    pub(crate) unseen: u64,
    pub(crate) pages_failed: u64,
    /// Acknowledged saves that are not in the audit trail.
    pub(crate) lost_saves: u64,
    /// What is wrong with tallies or rows.
    pub(crate) problems: Vec<String>,
    /// Seconds from SIGTERM until the last server had ended, with all streams open.
    pub(crate) stop_seconds: f64,
    /// Streams that were ended, not broken off, as their server stopped.
    pub(crate) streams_ended: u64,
}

/// What a server took while saves were sent.
#[derive(Serialize)]
pub(crate) struct ServerUse {
    pub(crate) cpu_seconds: f64,
    /// MiB.
    pub(crate) peak_memory: Option<u64>,
    pub(crate) statements: u64,
    /// How many times it counted a project from its rows.
    pub(crate) counts: Option<u64>,
    pub(crate) busy_answers: u64,
    /// Lines of its log that are warnings or worse.
    pub(crate) warnings: Vec<String>,
}

/// Latencies with their name.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// None if it never happened.
    pub(crate) milliseconds: Option<Percentiles>,
}

/// The report for people.
pub(crate) fn table(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _infallible = write_table(&mut text, report);
    text
}

fn write_table(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        text,
        "{}, {} servers, {} labelers, {} dashboards of {} people, {} documents, {} spans in {} MiB; set up in {:.0} s",
        report.database,
        report.servers.len(),
        report.labelers,
        report.dashboards,
        report.watchers,
        report.documents,
        report.spans,
        report.database_size,
        report.set_up_seconds,
    )?;
    writeln!(
        text,
        "saves a second: {:.1} of {:.1} for {:.0} s; {} acknowledged, {} conflicts, {} failed",
        report.reached_rate,
        report.wanted_rate,
        report.seconds,
        report.acknowledged,
        report.conflicts,
        report.failed.len(),
    )?;
    if let Some(seconds) = report.import_seconds {
        writeln!(text, "an import beside that took {seconds:.1} s")?;
    }
    let heads = ["milliseconds", "n", "p50", "p95", "p99", "p99.9", "max"];
    let [name, n, p50, p95, p99, p999, max] = heads;
    writeln!(text, "\n{name:44}{n:>11}{p50:>9}{p95:>9}{p99:>9}{p999:>9}{max:>9}")?;
    for Row { name, milliseconds } in &report.latencies {
        match milliseconds {
            None => writeln!(text, "{name:44}{:>11}", "none")?,
            Some(Percentiles { n, p50, p95, p99, p999, max }) => writeln!(
                text,
                "{name:44}{n:>11}{p50:>9.1}{p95:>9.1}{p99:>9.1}{p999:>9.1}{max:>9.1}"
            )?,
        }
    }
    let heads = [
        "server",
        "CPU s",
        "of a core",
        "peak MiB",
        "statements/s",
        "recounts",
        "busy",
        "warnings",
    ];
    let [name, cpu, share, memory, statements, counts, busy, warnings] = heads;
    writeln!(
        text,
        "\n{name:10}{cpu:>9}{share:>11}{memory:>10}{statements:>14}{counts:>10}{busy:>7}{warnings:>10}"
    )?;
    let or_unknown = |number: Option<u64>| number.map_or("?".to_owned(), |it| it.to_string());
    let of_core = |seconds: f64| format!("{:.0} %", seconds / report.seconds * 100.0);
    for (server, place) in report.servers.iter().zip(1..) {
        let statements = u32::try_from(server.statements).map_or(f64::INFINITY, f64::from);
        writeln!(
            text,
            "{place:<10}{:>9.1}{:>11}{:>10}{:>14.0}{:>10}{:>7}{:>10}",
            server.cpu_seconds,
            of_core(server.cpu_seconds),
            or_unknown(server.peak_memory),
            statements / report.seconds,
            or_unknown(server.counts),
            server.busy_answers,
            server.warnings.len(),
        )?;
    }
    if let Some(seconds) = report.database_cpu_seconds {
        writeln!(text, "{:10}{seconds:>9.1}{:>11}", "PostgreSQL", of_core(seconds))?;
    }
    let seconds = report.generator_cpu_seconds;
    writeln!(text, "{:10}{seconds:>9.1}{:>11}", "generator", of_core(seconds))?;
    writeln!(
        text,
        "\nstreams lost: {}; not told at the end: {}; pages failed: {}",
        report.lost_streams, report.unseen, report.pages_failed
    )?;
    writeln!(
        text,
        "stopped {:.2} s after SIGTERM; {} of {} streams ended and not broken off",
        report.stop_seconds, report.streams_ended, report.dashboards
    )?;
    writeln!(
        text,
        "verification: {} acknowledged saves lost, {} problems",
        report.lost_saves,
        report.problems.len()
    )?;
    let wrong = report.problems.iter().chain(&report.failed).take(5);
    wrong.into_iter().try_for_each(|problem| writeln!(text, "  {problem}"))
}
