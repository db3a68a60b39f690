/**
 * Traces and metrics as a collector gets them: one trace from the request through its statements and calls to its job
 * and email.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { startOtlpReceiver, type ReceivedSpan } from '#tests/support/otlp-receiver.ts';
import { addPhoto, untilDecided } from '#tests/support/photo-uploads.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const collector = await startOtlpReceiver();
// The libraries read these themselves.
const SETTINGS = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-test=of-the-operator' };
Object.assign(process.env, SETTINGS);
const SECRET_NAME = 'Ann Verysecret';
const server = useTestServer({
  works: true,
  metrics: true,
  env: {
    ...SETTINGS,
    OTEL_METRIC_EXPORT_INTERVAL: '300',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_SERVICE_NAME: 'sideline-test',
    TRUST_PROXY: '127.0.0.1',
  },
});
let people: Neighborhood;

beforeAll(async () => {
  people = await settleNeighborhood(server);
});
afterAll(async () => {
  for (const name of Object.keys(SETTINGS)) delete process.env[name];
  await collector.close();
});

/** Spans are sent a moment after they end. */
async function until<T>(look: () => T | undefined): Promise<T> {
  for (const deadline = Date.now() + 20_000; ; await sleep(100)) {
    const found = look();
    if (found !== undefined) return found;
    if (Date.now() > deadline)
      throw new Error(`not received; spans: ${collector.spans.map(({ name }) => name).join(', ')}`);
  }
}

const traceOf = ({ traceId }: ReceivedSpan) => collector.spans.filter((span) => span.traceId === traceId);
const names = (spans: readonly ReceivedSpan[]) => new Set(spans.map(({ name }) => name));
const parentOf = (span: ReceivedSpan) => collector.spans.find(({ id }) => id === span.parentId);

test('an order is one trace: statements, the card, and the receipt that the worker sends', async () => {
  const sale = await openSale(server, people.tokens.owner, people.hawks.id, { name: SECRET_NAME });
  await buyPhotos(server, [sale]);
  const email = await until(() =>
    collector.spans.find((span) => span.name === 'mail.send' && names(traceOf(span)).has('POST /api/v1/orders')),
  );
  const trace = traceOf(email);
  const [request] = trace.filter(({ name }) => name === 'POST /api/v1/orders');
  expect(request).toMatchObject({
    kind: 2,
    parentId: '',
    failed: false,
    facts: { 'http.route': '/api/v1/orders', 'http.request.method': 'POST', 'http.response.status_code': 201 },
    resource: { 'service.name': 'sideline-test' },
  });
  expect(names(trace)).toContain('cards charge');
  expect(names(trace)).toContain('postgresql insert');
  const card = trace.find(({ name }) => name === 'cards charge');
  expect(card).toMatchObject({ kind: 3, parentId: request?.id, facts: { 'sideline.outcome': 'succeeded' } });
  expect(email).toMatchObject({ kind: 5, parentId: request?.id });
  expect(parentOf(trace.find(({ name }) => name === 'mail deliver') as ReceivedSpan)?.id).toBe(email.id);
  const texts = trace.flatMap(({ facts }) =>
    typeof facts['db.query.text'] === 'string' ? [facts['db.query.text']] : [],
  );
  expect(texts.length).toBeGreaterThan(5);
  expect(JSON.stringify(collector.spans)).not.toMatch(/Verysecret|ann@buyers/i);
});

test('an upload is one trace: the claim, the job, the picture process and the store', async () => {
  const galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  const photo = await addPhoto(server, people.tokens.owner, galleryId);
  await untilDecided(server, people.tokens.owner, galleryId, [photo.id]);
  const job = await until(() => collector.spans.find(({ name }) => name === 'photo.ingest'));
  await until(() => parentOf(job));
  expect(parentOf(job)?.name).toBe('POST /api/v1/galleries/:id/gallery_photos');
  const steps = traceOf(job).filter(({ parentId }) => parentId === job.id);
  expect(names(steps)).toContain('pictures develop');
  expect(names(steps)).toContain('store put');
});

test('a request that a trusted proxy traces continues its trace', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  await server.call({ method: 'GET', url: '/api/v1/galleries/1/full', headers });
  const request = await until(() => collector.spans.find((span) => span.traceId === traceId && span.kind === 2));
  expect(request).toMatchObject({ parentId: 'b7ad6b7169203331', name: 'GET /api/v1/galleries/:id/full' });
});

test('the collector gets the metrics that Prometheus gets, with the operator’s headers', async () => {
  await server.call({ method: 'GET', url: '/healthz' });
  const metric = await until(() =>
    collector.metrics.findLast(({ name, points }) => name === 'sideline_http_seconds' && points.length > 0),
  );
  expect(metric).toMatchObject({ kind: 'histogram', unit: 's', resource: { 'service.name': 'sideline-test' } });
  for (const { count = 0, counts = [], bounds = [] } of metric.points) {
    expect(counts).toHaveLength(bounds.length + 1);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(count);
  }
  const text = await server.metricsText();
  const sent = new Set(collector.metrics.map(({ name }) => name));
  for (const [, name = ''] of text.matchAll(/^# TYPE (sideline_\S+) /gm)) expect(sent).toContain(name);
  expect(collector.metrics.find(({ name }) => name === 'process_cpu_seconds_total')).toMatchObject({ kind: 'sum' });
  expect(
    collector.requests.every(({ header, type }) => header === 'of-the-operator' && type === 'application/x-protobuf'),
  ).toBe(true);
});
