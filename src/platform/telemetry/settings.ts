/** The standard settings of OpenTelemetry that its libraries do not read themselves. */
import { z } from 'zod';
import { address, number, oneOf } from '#src/platform/config/variables.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const collector = address(['http', 'https'], { path: true }).optional();
const exporter = oneOf(['otlp', 'none']).default('otlp');

export const telemetryVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: collector,
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(['http/protobuf']).optional(),
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: number({ min: 0, max: 1, whole: false }).default(1),
  OTEL_METRIC_EXPORT_INTERVAL: number({ min: 100, max: 3_600_000, whole: true }).default(60_000),
  OTEL_BSP_SCHEDULE_DELAY: number({ min: 100, max: 3_600_000, whole: true }).default(5_000),
  OTEL_SDK_DISABLED: oneOf(['true', 'false']).default('false'),
  OTEL_SERVICE_NAME: z.string().default('sideline'),
};

const variables = z.object(telemetryVariables);

export type TelemetrySettings = ReturnType<typeof telemetryOf>;

/** On as soon as one of the settings names a collector. */
export function telemetryOf(given: z.output<typeof variables>) {
  const isOn = given.OTEL_SDK_DISABLED !== 'true';
  const isSent = (to: 'otlp' | 'none', own: string | undefined) =>
    isOn && to === 'otlp' && (own ?? given.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
  return Object.freeze({
    traces: isSent(given.OTEL_TRACES_EXPORTER, given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT),
    metrics: isSent(given.OTEL_METRICS_EXPORTER, given.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT),
    serviceName: given.OTEL_SERVICE_NAME,
    sampler: given.OTEL_TRACES_SAMPLER,
    samplerArg: given.OTEL_TRACES_SAMPLER_ARG,
    metricIntervalMs: given.OTEL_METRIC_EXPORT_INTERVAL,
    spanDelayMs: given.OTEL_BSP_SCHEDULE_DELAY,
  });
}
