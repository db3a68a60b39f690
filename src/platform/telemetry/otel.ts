/**
 * Traces and metrics for an OpenTelemetry collector (OTLP over HTTP). Loaded only if it is configured: the libraries
 * take megabytes in each process. The destination and the headers are read by the libraries from the standard settings.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { metricsAsOtlp, type ReadMetrics } from '#src/platform/telemetry/otlp-metrics.ts';
import type { TelemetrySettings } from '#src/platform/telemetry/settings.ts';
import type { BeginSpan, Span } from '#src/platform/telemetry/work.ts';

type TelemetryLog = { warn(details: object, message: string): void };

export type TelemetryOptions = {
  settings: TelemetrySettings;
  /** `web 1`, `worker`. */
  processName: string;
  readMetrics: ReadMetrics;
  log: TelemetryLog;
};

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER };
/** A collector that does not answer must not keep a process from ending. */
const STOP_MS = 3_000;
/** Trouble of the libraries is logged once in this time. */
const QUIET_MS = 60_000;

/** Starts sending what is configured. `close` sends the rest. */
export function startOpenTelemetry({ settings, processName, readMetrics, log }: TelemetryOptions) {
  logTrouble(log);
  const resource = resourceOf(settings, processName);
  const spans = settings.traces ? sendSpans(settings, resource) : null;
  const metrics = settings.metrics ? sendMetrics(settings, resource, readMetrics) : null;
  return {
    begin: spans && beginWith(spans.getTracer('sideline')),
    async close(): Promise<void> {
      const ended = Promise.allSettled([spans?.shutdown(), metrics?.shutdown()]);
      await Promise.race([ended, sleep(STOP_MS, null, { ref: false })]);
    },
  };
}

function resourceOf({ serviceName }: TelemetrySettings, processName: string): Resource {
  const given = detectResources({ detectors: [resourceAttributesEnvDetector] });
  const own = { 'service.name': serviceName, 'service.instance.id': `${hostname()} ${processName}` };
  return defaultResource().merge(resourceFromAttributes(own)).merge(given);
}

function sendSpans(settings: TelemetrySettings, resource: Resource): TracerProvider {
  return new TracerProvider({
    resource,
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: settings.spanDelayMs }),
    ],
  });
}

function sendMetrics({ metricIntervalMs }: TelemetrySettings, resource: Resource, read: ReadMetrics): MeterProvider {
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: metricIntervalMs,
    exportTimeoutMillis: Math.min(metricIntervalMs, 30_000),
    metricProducers: [metricsAsOtlp(read)],
  });
  return new MeterProvider({ resource, readers: [reader] });
}

function samplerOf({ sampler, samplerArg }: TelemetrySettings): Sampler {
  const name = sampler.replace('parentbased_', '');
  const root =
    name === 'always_off'
      ? new AlwaysOffSampler()
      : name === 'traceidratio'
        ? new TraceIdRatioBasedSampler(samplerArg)
        : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Logs errors of the libraries, which mostly are a collector that does not answer. */
function logTrouble(log: TelemetryLog): void {
  let reportedAt = -Infinity;
  const report = (message: string): void => {
    if (performance.now() - reportedAt < QUIET_MS) return;
    reportedAt = performance.now();
    log.warn({ reason: message.slice(0, 500) }, 'telemetry could not be sent');
  };
  const ignore = (): void => undefined;
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}

function beginWith(tracer: Tracer): BeginSpan {
  return (name, facts, { kind, traceparent }) =>
    spanOf(tracer, tracer.startSpan(name, { kind: KINDS[kind], attributes: facts }, contextOf(traceparent)));
}

function contextOf(traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, remote);
}

function spanOf(tracer: Tracer, span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    child: (name, facts) =>
      spanOf(
        tracer,
        tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: facts }, trace.setSpan(ROOT_CONTEXT, span)),
      ),
    rename: (name) => void span.updateName(name),
    note: (facts) => void span.setAttributes(facts),
    fail: (error) => void span.setAttribute('error.type', kindOf(error)).setStatus({ code: SpanStatusCode.ERROR }),
    end: () => span.end(),
  };
}

/** A code or a class. The message may repeat user input. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
