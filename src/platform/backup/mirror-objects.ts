/**
 * Copies the objects that are not there yet from one store into another. Objects never change under their name, so an
 * object of the same size is left alone; both listings are read in parallel, so a million objects take no memory.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ListedObject, Storage } from '#src/platform/storage/storage.ts';

export type Mirrored = {
  objects: number;
  bytes: number;
  /** Named by their hash, but with other bytes: they were not copied. */
  damaged: string[];
};

const AT_A_TIME = 8;
const MEDIA_TYPES: Readonly<Record<string, string>> = { webp: 'image/webp', avif: 'image/avif', png: 'image/png' };

/** `onGone` is called with objects that only the target has, in key order. */
export async function mirrorObjects(
  from: Storage,
  to: Storage,
  onGone: (key: string) => void = () => undefined,
): Promise<Mirrored> {
  const done: Mirrored = { objects: 0, bytes: 0, damaged: [] };
  let batch: ListedObject[] = [];
  const copyBatch = async () => {
    const copied = await Promise.all(batch.map((object) => copyObject(from, to, object)));
    for (const [index, bytes] of copied.entries()) {
      if (bytes === 'damaged') done.damaged.push(batch[index]?.key ?? '');
      else if (bytes !== null) {
        done.objects += 1;
        done.bytes += bytes;
      }
    }
    batch = [];
  };
  for await (const step of sideBySide(from.list(''), to.list(''))) {
    if (step.source === null) onGone(step.key);
    else if (step.target?.bytes !== step.source.bytes) batch.push(step.source);
    if (batch.length === AT_A_TIME) await copyBatch();
  }
  await copyBatch();
  return done;
}

/** Null if it was removed meanwhile. */
async function copyObject(from: Storage, to: Storage, { key }: ListedObject): Promise<number | 'damaged' | null> {
  const found = await from.stream(key);
  if (!found) return null;
  const { bytes } = found.info;
  const pieces = found.body as AsyncIterable<Buffer>;
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  }
  const contentType = MEDIA_TYPES[key.slice(key.lastIndexOf('.') + 1)] ?? 'image/jpeg';
  await to.put(key, Readable.from(hashed(), { objectMode: false }), { contentType, bytes });
  const named = /\/([0-9a-f]{64})\.\w+$/.exec(key)?.[1];
  if (named === undefined || named === hash.digest('hex')) return bytes;
  await to.remove(key);
  return 'damaged';
}

type Step = { key: string; source: ListedObject | null; target: ListedObject | null };

/** Both listings are in the order of their bytes. */
async function* sideBySide(
  source: AsyncIterable<ListedObject>,
  target: AsyncIterable<ListedObject>,
): AsyncGenerator<Step> {
  const [sources, targets] = [source[Symbol.asyncIterator](), target[Symbol.asyncIterator]()];
  const next = async (list: AsyncIterator<ListedObject>) => {
    const step = await list.next();
    return step.done ? null : step.value;
  };
  let [one, other] = await Promise.all([next(sources), next(targets)]);
  while (one !== null || other !== null) {
    const key = one === null || (other !== null && other.key < one.key) ? (other?.key ?? '') : one.key;
    const step: Step = { key, source: one?.key === key ? one : null, target: other?.key === key ? other : null };
    yield step;
    if (step.source) one = await next(sources);
    if (step.target) other = await next(targets);
  }
}
