/**
 * A small OpenTelemetry collector: accepts OTLP over HTTP as protobuf and keeps what the tests read. Nothing of the
 * product or of OpenTelemetry is imported.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Facts = Record<string, unknown>;
export type ReceivedSpan = {
  traceId: string;
  id: string;
  parentId: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 5 consumer. */
  kind: number;
  facts: Facts;
  failed: boolean;
  resource: Facts;
};
export type ReceivedMetric = {
  name: string;
  unit: string;
  kind: 'gauge' | 'sum' | 'histogram' | 'other';
  points: { facts: Facts; value?: number; count?: number; sum?: number; bounds?: number[]; counts?: number[] }[];
  resource: Facts;
};

export type OtlpReceiver = {
  url: string;
  spans: ReceivedSpan[];
  metrics: ReceivedMetric[];
  requests: { path: string; type: string | undefined; header: string | undefined }[];
  close(): Promise<void>;
};

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const received: Pick<OtlpReceiver, 'spans' | 'metrics' | 'requests'> = { spans: [], metrics: [], requests: [] };
  const server = createServer((request, response) => {
    void take(request, received).then(() => response.setHeader('content-type', 'application/x-protobuf').end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...received,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function take(request: IncomingMessage, { spans, metrics, requests }: Omit<OtlpReceiver, 'url' | 'close'>) {
  const body = await buffer(request);
  requests.push({
    path: request.url ?? '',
    type: request.headers['content-type'],
    header: request.headers['x-test']?.toString(),
  });
  if (request.url === '/v1/traces') spans.push(...readSpans(body));
  if (request.url === '/v1/metrics') metrics.push(...readMetrics(body));
}

/** Protobuf's wire format: fields by number, as numbers (varint and fixed) or bytes. */
type Message = Map<number, (bigint | Buffer)[]>;

function readMessage(bytes: Buffer): Message {
  const fields: Message = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at++] ?? 0);
      value |= (byte & 127n) << shift;
      if (byte < 128n) return value;
    }
  };
  const taken = (length: number) => bytes.subarray(at, (at += length));
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const value = wire === 0 ? varint() : taken(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const bytesOf = (message: Message, field: number): Buffer[] => (message.get(field) ?? []).filter(Buffer.isBuffer);
const within = (message: Message, field: number): Message[] => bytesOf(message, field).map(readMessage);
const first = (message: Message, field: number) => within(message, field)[0] ?? new Map();
const textOf = (message: Message, field: number): string => bytesOf(message, field)[0]?.toString() ?? '';
const hexOf = (message: Message, field: number): string => bytesOf(message, field)[0]?.toString('hex') ?? '';
const wholeOf = (message: Message, field: number): number => Number(message.get(field)?.[0] ?? 0);
const doubles = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 8 }, (_, index) => bytes.readDoubleLE(index * 8));
const counts = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 8 }, (_, index) => Number(bytes.readBigUInt64LE(index * 8)));

function factsOf(message: Message, field: number): Facts {
  return Object.fromEntries(
    within(message, field).map((pair) => {
      const value = first(pair, 2);
      const [kind] = value.keys();
      return [
        textOf(pair, 1),
        kind === 1
          ? textOf(value, 1)
          : kind === 4
            ? doubles(bytesOf(value, 4)[0] ?? Buffer.alloc(8))[0]
            : wholeOf(value, kind ?? 3),
      ];
    }),
  );
}

function readSpans(body: Buffer): ReceivedSpan[] {
  return within(readMessage(body), 1).flatMap((resourceSpans) => {
    const resource = factsOf(first(resourceSpans, 1), 1);
    return within(resourceSpans, 2)
      .flatMap((scope) => within(scope, 2))
      .map((span) => ({
        traceId: hexOf(span, 1),
        id: hexOf(span, 2),
        parentId: hexOf(span, 4),
        name: textOf(span, 5),
        kind: wholeOf(span, 6),
        facts: factsOf(span, 9),
        failed: wholeOf(first(span, 15), 3) === 2,
        resource,
      }));
  });
}

function readMetrics(body: Buffer): ReceivedMetric[] {
  return within(readMessage(body), 1).flatMap((resourceMetrics) => {
    const resource = factsOf(first(resourceMetrics, 1), 1);
    return within(resourceMetrics, 2)
      .flatMap((scope) => within(scope, 2))
      .map((metric) => ({ name: textOf(metric, 1), unit: textOf(metric, 3), ...dataOf(metric), resource }));
  });
}

function dataOf(metric: Message): Pick<ReceivedMetric, 'kind' | 'points'> {
  const number = (field: number) =>
    within(first(metric, field), 1).map((point) => ({
      facts: factsOf(point, 7),
      value: doubles(bytesOf(point, 4)[0] ?? Buffer.alloc(8))[0] ?? 0,
    }));
  if (metric.has(5)) return { kind: 'gauge', points: number(5) };
  if (metric.has(7)) return { kind: 'sum', points: number(7) };
  if (!metric.has(9)) return { kind: 'other', points: [] };
  const points = within(first(metric, 9), 1).map((point) => ({
    facts: factsOf(point, 9),
    count: counts(bytesOf(point, 4)[0] ?? Buffer.alloc(8))[0] ?? 0,
    sum: doubles(bytesOf(point, 5)[0] ?? Buffer.alloc(8))[0] ?? 0,
    counts: bytesOf(point, 6).flatMap(counts),
    bounds: bytesOf(point, 7).flatMap(doubles),
  }));
  return { kind: 'histogram', points };
}
