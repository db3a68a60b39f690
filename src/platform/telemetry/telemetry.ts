import type { TelemetryOptions } from '#src/platform/telemetry/otel.ts';
import type { BeginSpan } from '#src/platform/telemetry/work.ts';

type Telemetry = {
  /** Null if tracing is off. */
  begin: BeginSpan | null;
  /** Sends what is left; waits three seconds at most. */
  close(): Promise<void>;
};

/** Sends traces and metrics to the configured collector; without one nothing is loaded and nothing is done. */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const { traces, metrics } = options.settings;
  if (!traces && !metrics) return { begin: null, close: async () => undefined };
  const { startOpenTelemetry } = await import('#src/platform/telemetry/otel.ts');
  return startOpenTelemetry(options);
}
