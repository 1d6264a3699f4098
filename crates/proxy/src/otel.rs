//! Exports traces to an OpenTelemetry collector (feature `otel`), by OTLP over HTTP.
//!
//! It is configured by OpenTelemetry's own environment variables, such as
//! `OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318` and `OTEL_SERVICE_NAME`. Without an endpoint
//! nothing is exported. A span has what the log has: no headers, bodies or secrets.

use std::env;

use opentelemetry::trace::{
    SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState, TracerProvider as _,
};
use opentelemetry::{Context, global};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter};
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tracing::{Span, Subscriber};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt as _};
use tracing_subscriber::registry::LookupSpan;

/// The variables that name a collector (OpenTelemetry, "OTLP Exporter Configuration").
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// Exports spans of a subscriber.
pub type Layer<S> = OpenTelemetryLayer<S, SdkTracer>;

/// Sends the last spans when it is dropped.
pub struct Exporting(SdkTracerProvider);

impl Drop for Exporting {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            eprintln!("can't export the last traces: {error}");
        }
    }
}

/// A layer that exports spans, and the exporter behind it; `None` if no collector is configured.
///
/// # Errors
/// The variables name no usable exporter.
pub fn layer<S>() -> Result<Option<(Layer<S>, Exporting)>, ExporterBuildError>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    if ENDPOINTS.iter().all(|name| env::var_os(name).is_none()) {
        return Ok(None);
    }
    let exporter = SpanExporter::builder().with_http().build()?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .build();
    global::set_tracer_provider(provider.clone());
    let tracer = provider.tracer("tender-proxy");
    let layer = tracing_opentelemetry::layer().with_tracer(tracer);
    Ok(Some((layer, Exporting(provider))))
}

/// Makes a span part of the caller's trace, given the fields of its `traceparent`.
pub(crate) fn set_parent(span: &Span, id: &str, parent: &str, is_sampled: bool) {
    let (Ok(id), Ok(parent)) = (TraceId::from_hex(id), SpanId::from_hex(parent)) else {
        return;
    };
    let flags = TraceFlags::default().with_sampled(is_sampled);
    let caller = SpanContext::new(id, parent, flags, true, TraceState::default());
    let context = Context::new().with_remote_span_context(caller);
    if let Err(error) = span.set_parent(context) {
        tracing::debug!(%error, "a span is not exported");
    }
}

/// The `traceparent` of the current span, if it is exported.
pub(crate) fn traceparent() -> Option<String> {
    let context = Span::current().context();
    let span = context.span().span_context().clone();
    span.is_valid().then(|| {
        let flags = u8::from(span.is_sampled());
        format!("00-{}-{}-{flags:02x}", span.trace_id(), span.span_id())
    })
}
