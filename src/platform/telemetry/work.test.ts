import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { watchCalls, type CallObservation } from './calls.ts';
import { asWork, currentWork, inSpan, originOfNow, outside, within, type Span } from './work.ts';

/** A span that records its outcome. */
function spanCalled(name: string, told: string[]): Span {
  return {
    traceparent: `00-trace-${name}-01`,
    child: (own) => spanCalled(`${name} > ${own}`, told),
    rename: (to) => void told.push(`${name} is ${to}`),
    note: () => undefined,
    fail: (error) => void told.push(`${name} failed: ${(error as Error).name}`),
    end: () => void told.push(`${name} ended`),
  };
}

test('work follows what it awaits, and not what is begun outside of it', async () => {
  const work = { requestId: 'abcdefgh', name: '/login', span: null };
  const seen = await within(work, async () => {
    const before = outside(() => currentWork());
    await sleep(1);
    return { before, after: currentWork(), origin: originOfNow() };
  });
  expect(seen).toEqual({ before: undefined, after: work, origin: { requestId: 'abcdefgh', traceparent: null } });
  expect(originOfNow()).toBeNull();
});

test('steps are nested spans, which end with their failure', async () => {
  const told: string[] = [];
  const origin = { requestId: 'abcdefgh', traceparent: '00-of-the-request-01' };
  const begin = (name: string, _facts: object, from: { traceparent: string | null }) =>
    spanCalled(`${name} of ${from.traceparent}`, told);
  const job = asWork({ begin, name: 'photo.ingest', facts: {}, origin }, () =>
    inSpan('store put', {}, () => inSpan('postgresql select', {}, () => Promise.reject(new TypeError('no')))),
  );
  await expect(job).rejects.toThrow('no');
  const root = 'photo.ingest of 00-of-the-request-01';
  expect(told).toEqual([
    `${root} > store put > postgresql select failed: TypeError`,
    `${root} > store put > postgresql select ended`,
    `${root} > store put failed: TypeError`,
    `${root} > store put ended`,
    `${root} failed: TypeError`,
    `${root} ended`,
  ]);
});

test('calls to other systems are observed by their outcome, and answer as before', async () => {
  const observed: CallObservation[] = [];
  const service = {
    charge: async (token: string) => ({ state: token === 'good' ? 'succeeded' : 'declined' }),
    head: async () => null,
    get: async (): Promise<Buffer> => Promise.reject(new Error('the store is away')),
    kind: 'disk',
  };
  const watched = watchCalls({
    system: 'store',
    service,
    calls: ['charge', 'head', 'get'],
    observe: (call) => void observed.push(call),
  });
  expect(await watched.charge('good')).toEqual({ state: 'succeeded' });
  await watched.charge('bad');
  expect(await watched.head()).toBeNull();
  await expect(watched.get()).rejects.toThrow('away');
  expect(watched.kind).toBe('disk');
  expect(observed.map(({ system, call, outcome }) => [system, call, outcome])).toEqual([
    ['store', 'charge', 'succeeded'],
    ['store', 'charge', 'declined'],
    ['store', 'head', 'ok'],
    ['store', 'get', 'failed'],
  ]);
});

test('a job is counted from its beginning to its end, and to its failure', async () => {
  const changes: number[] = [];
  const job = { name: 'photo.ingest', facts: {}, origin: { requestId: 'abcdefgh', traceparent: null } };
  const run = (work: () => Promise<void>) => asWork({ ...job, countWork: (change) => changes.push(change) }, work);
  await run(async () => expect(changes).toEqual([1]));
  await expect(run(() => Promise.reject(new TypeError('no')))).rejects.toThrow('no');
  expect(changes).toEqual([1, -1, 1, -1]);
});
