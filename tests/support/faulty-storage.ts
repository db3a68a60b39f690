/** A store that fails on demand, in front of a real one (faults F17 to F20). */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { storageFull, storageUnavailable } from '#src/platform/storage/storage-faults.ts';
import type { Storage } from '#src/platform/storage/storage.ts';

export type StorageFault =
  /** The disk or the quota is full: writes and new forms are refused, reading works (ENOSPC). */
  | { kind: 'full' }
  /** Reading and writing fail (EIO). */
  | { kind: 'io' }
  /** The store answers 503 SlowDown to everything. */
  | { kind: 'busy' }
  /** Every call takes this much longer. */
  | { kind: 'slow'; waitMs: number }
  /** Bodies break off half-way: a put after half its bytes, a stream or get in the middle. */
  | { kind: 'partial' };

type Call = Exclude<keyof Storage, 'kind' | 'locationOf' | 'keyOfLocation' | 'close'>;

export type FaultyStorage = Storage & {
  /** From now on, for these calls (all if none are named) and this many times (until it is cleared if absent). */
  fail(fault: StorageFault, options?: { only?: readonly Call[]; times?: number }): void;
  heal(): void;
  /** Calls since the beginning, whether they failed or not. */
  calls(call: Call): number;
};

const WRITES: readonly Call[] = ['signUpload', 'put', 'copy'];

export function faultyStorage(real: Storage): FaultyStorage {
  let present: { fault: StorageFault; only: readonly Call[] | null; left: number } | null = null;
  const counts = new Map<Call, number>();

  /** The fault of this call; uses it up once. */
  function meet(call: Call): StorageFault | null {
    counts.set(call, (counts.get(call) ?? 0) + 1);
    if (present === null || present.left <= 0 || (present.only && !present.only.includes(call))) return null;
    if (present.fault.kind === 'full' && !WRITES.includes(call)) return null;
    present.left--;
    return present.fault;
  }

  async function suffer<T>(call: Call, work: (breaksOff: boolean) => Promise<T>): Promise<T> {
    const fault = meet(call);
    if (fault?.kind === 'slow') await sleep(fault.waitMs);
    if (fault?.kind === 'full') throw storageFull(osError('ENOSPC'));
    if (fault?.kind === 'io') throw storageUnavailable(osError('EIO'));
    if (fault?.kind === 'busy') throw storageUnavailable(new Error('503 SlowDown'));
    return work(fault?.kind === 'partial');
  }

  return {
    kind: real.kind,
    locationOf: (key, origin) => real.locationOf(key, origin),
    keyOfLocation: (location) => real.keyOfLocation(location),
    signUpload: (request) => suffer('signUpload', () => real.signUpload(request)),
    put: (key, body, options) =>
      suffer('put', async (breaksOff) => {
        if (!breaksOff) return real.put(key, body, options);
        const whole = body instanceof Uint8Array ? Buffer.from(body) : Buffer.concat(await piecesOf(body));
        try {
          return await real.put(key, brokenAfter(whole.subarray(0, whole.length / 2)), options);
        } catch (error) {
          throw storageUnavailable(error);
        }
      }),
    head: (key) => suffer('head', () => real.head(key)),
    get: (key) =>
      suffer('get', async (breaksOff) => {
        if (breaksOff) throw storageUnavailable(osError('ECONNRESET'));
        return real.get(key);
      }),
    stream: (key, range) =>
      suffer('stream', async (breaksOff) => {
        const found = await real.stream(key, range);
        if (!found || !breaksOff) return found;
        const whole = Buffer.concat(await piecesOf(found.body));
        return { info: found.info, body: brokenAfter(whole.subarray(0, whole.length / 2)) };
      }),
    copy: (from, to, options) => suffer('copy', () => real.copy(from, to, options)),
    remove: (key) => suffer('remove', () => real.remove(key)),
    spend: (key) => suffer('remove', () => real.spend(key)),
    hasSpace: () => real.hasSpace(),
    async *list(prefix) {
      yield* await suffer('list', async () => real.list(prefix));
    },
    check: () => suffer('check', () => real.check()),
    close: () => real.close(),
    fail(fault, { only, times } = {}) {
      present = { fault, only: only ?? null, left: times ?? Infinity };
    },
    heal() {
      present = null;
    },
    calls: (call) => counts.get(call) ?? 0,
  };
}

const osError = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

async function piecesOf(body: Readable): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of body as AsyncIterable<Buffer>) pieces.push(piece);
  return pieces;
}

function brokenAfter(bytes: Buffer): Readable {
  return Readable.from(
    (function* () {
      yield bytes;
      throw osError('ECONNRESET');
    })(),
    { objectMode: false },
  );
}
