//! What a monitoring server asks for, on an address of its own, in the text format of Prometheus:
//! numbers of the whole server, nothing of anybody.

use std::{fmt::Write as _, io, sync::Arc};

use axum::{Router, extract::State, routing::get};
use http::{HeaderName, header::CONTENT_TYPE};
use services::Connections;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::Site;

/// Answers `/metrics` until the server stops.
pub(crate) async fn serve(
    listener: TcpListener,
    site: Arc<Site>,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let router = Router::new().route("/metrics", get(load)).with_state(site);
    axum::serve(listener, router).with_graceful_shutdown(shutdown.cancelled_owned()).await
}

async fn load(State(site): State<Arc<Site>>) -> ([(HeaderName, &'static str); 1], String) {
    let services = &site.services;
    let counters = Counters {
        statements: services.statements(),
        refused: site.busy.refused(),
        counts: services.counts(),
    };
    let text = written(&services.connections(), counters);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text)
}

/// A kind of number, and its values by label.
struct Metric<'a> {
    name: &'static str,
    kind: &'static str,
    help: &'static str,
    values: &'a [(&'static str, u64)],
}

/// What only grows.
struct Counters {
    statements: u64,
    /// Requests that were asked to come back.
    refused: u64,
    /// Projects whose rows were counted.
    counts: u64,
}

fn written(connections: &Connections, counters: Counters) -> String {
    let Counters { statements, refused, counts } = counters;
    let (reading, writing) = (connections.reading, connections.writing);
    let metrics = [
        Metric {
            name: "concord_database_connections",
            kind: "gauge",
            help: "Connections to the database in use.",
            values: &[
                ("{for=\"reading\"}", reading.used.into()),
                ("{for=\"writing\"}", writing.used.into()),
            ],
        },
        Metric {
            name: "concord_database_connections_max",
            kind: "gauge",
            help: "Connections to the database that there may be.",
            values: &[
                ("{for=\"reading\"}", reading.most.into()),
                ("{for=\"writing\"}", writing.most.into()),
            ],
        },
        Metric {
            name: "concord_database_statements_total",
            kind: "counter",
            help: "SQL statements run.",
            values: &[("", statements)],
        },
        Metric {
            name: "concord_busy_answers_total",
            kind: "counter",
            help: "Requests that were asked to come back, because no connection was free in time.",
            values: &[("", refused)],
        },
        Metric {
            name: "concord_live_counts_total",
            kind: "counter",
            help: "Times that the rows of a project were counted: when it is first looked at, and after \
                   changes that are more than saves.",
            values: &[("", counts)],
        },
    ];
    let mut text = String::new();
    for Metric { name, kind, help, values } in metrics {
        let _infallible = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n");
        for (labels, value) in values {
            let _infallible = writeln!(text, "{name}{labels} {value}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_kind_and_a_word_of_help() {
        let counters = Counters { statements: 7, refused: 3, counts: 2 };
        let text = written(&Connections::default(), counters);
        assert!(text.contains("# TYPE concord_database_connections gauge\n"));
        assert!(text.contains("concord_database_connections{for=\"reading\"} 0\n"));
        assert!(text.contains("concord_database_statements_total 7\n"));
        assert!(text.contains("concord_busy_answers_total 3\n"));
        assert!(text.ends_with("concord_live_counts_total 2\n"));
        assert_eq!(text.matches("# HELP ").count(), text.matches("# TYPE ").count());
    }
}
