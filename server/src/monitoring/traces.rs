//! Traces: a span for each request, with the statements that it waits for, told to a collector by OTLP over
//! HTTP. What people send stays out of them, as it stays out of the log.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
use reqwest::Url;
use services::base::access::answers::{AnswerError, MAX_ANSWER, read_answer};
use tokio::{runtime::Handle, task};
use tracing::{Subscriber, level_filters::LevelFilter};
use tracing_subscriber::{Layer, filter::Targets, registry::LookupSpan};

use crate::middleware::trace::TRACED;

/// What the statements of the database belong to.
const STATEMENTS: &str = "store::base::connection::connect";

/// How long a collector may take for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long the server waits for a collector when it ends.
const LAST: Duration = Duration::from_secs(1);

/// Where traces go.
pub(crate) struct Traces(SdkTracerProvider);

impl Traces {
    /// Traces for the collector at this address; within a runtime. How many requests are traced, and what
    /// the collector is told to let us in, is said by the variables that `OpenTelemetry` names.
    ///
    /// # Errors
    ///
    /// If one of those variables cannot be read.
    pub(crate) fn to(collector: &Url) -> Result<Self, ExporterBuildError> {
        let mut address = collector.clone();
        address.set_path(&format!("{}/v1/traces", collector.path().trim_end_matches('/')));
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(address.as_str())
            .with_timeout(PATIENCE)
            .with_http_client(Client { http: reqwest::Client::new(), runtime: Handle::current() })
            .build()?;
        let version = opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource =
            Resource::builder().with_service_name("concord").with_attribute(version).build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        Ok(Self(provider))
    }

    /// What notes spans and events for them.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let targets = Targets::new()
            .with_target(TRACED, LevelFilter::TRACE)
            .with_target(STATEMENTS, LevelFilter::TRACE);
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("concord"))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(targets)
    }

    /// Tells what has not been told, and ends.
    pub(crate) async fn end(self) {
        let ended = task::spawn_blocking(move || self.0.shutdown_with_timeout(LAST)).await;
        if let Ok(Err(error)) = ended {
            tracing::warn!(%error, "the last traces were not taken");
        }
    }
}

/// Asks as all of the server does, from the thread that collects spans.
#[derive(Debug)]
struct Client {
    http: reqwest::Client,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let mut request = reqwest::Request::try_from(request)?;
        *request.timeout_mut() = Some(PATIENCE);
        let http = self.http.clone();
        // Its timer has to be begun on the runtime.
        let answered = self.runtime.spawn(async move {
            let answer = http.execute(request).await?;
            let status = answer.status();
            Ok::<_, AnswerError>((status, read_answer(answer, MAX_ANSWER).await?))
        });
        let (status, body) = answered.await??;
        Ok(Response::builder().status(status).body(body.into())?)
    }
}
