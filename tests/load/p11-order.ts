/** P11: what adding and moving one photo costs in a gallery of 50,000 photos, against one of 500. */
import { compareCpu, WARMING } from '#tests/load/interleaved.ts';
import type { MadeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner, type Owner } from '#tests/load/made-owner.ts';
import { UNCACHED, type Bench } from '#tests/load/open-bench.ts';
import type { Product } from '#tests/load/product.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const LARGE = 50_000;
const SMALL = 500;
const LIMITS = { must: 1.3, aim: 1.05 };

type Session = MadeGallery & { owner: Owner; size: number };

async function openInvite(bench: Bench, product: Product, size: number): Promise<Session> {
  const made = await bench.gallery(size);
  return { ...made, size, owner: await makeOwner(product, made.organizationId) };
}

async function call(product: Product, { owner }: Session, method: string, path: string): Promise<void> {
  const response = await fetch(product.url + path, { method, headers: { authorization: owner.authorization } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** What is done to a gallery at each step; positions are given as fractions of its size. */
type Action = (product: Product, session: Session, step: number) => Promise<void>;

const byPlaces =
  (from: number, to: number): Action =>
  (product, session, step) => {
    const place = (part: number) =>
      Math.max(1, Math.min(session.size - 1, Math.round(part * session.size) + (step % 7)));
    const query = `from=${place(from)}&to=${place(to)}`;
    return call(product, session, 'POST', `/api/v1/galleries/${session.galleryId}/update_ordering?${query}`);
  };

/** With the rounds that are not counted: the first move warms up the call for the others. */
const ACTIONS: readonly [string, Action, number][] = [
  ['move near the beginning', byPlaces(0, 0.01), WARMING],
  ['move from the middle', byPlaces(0.5, 0), 1],
  ['move from the end', byPlaces(1, 0), 1],
  [
    'move behind a photo',
    (product, session, step) => {
      const [id, after] = [session.photoIds[2 + (step % 400)], session.photoIds[session.size - 1 - (step % 50)]];
      const query = `photo_id=${id}&after_id=${after}`;
      return call(product, session, 'POST', `/api/v1/galleries/${session.galleryId}/update_ordering?${query}`);
    },
    1,
  ],
  [
    'a page of the layout',
    (product, session) =>
      call(product, session, 'GET', `/api/v1/galleries/${session.galleryId}/photo_layout?limit=200`),
    WARMING,
  ],
];

async function measure(bench: Bench): Promise<BenchResult> {
  const moves = bench.pick(60, 25);
  const product = await bench.product(UNCACHED);
  const pids = [product.pid, product.postgresPid];
  const [large, small] = [await openInvite(bench, product, LARGE), await openInvite(bench, product, SMALL)];
  const result: BenchResult = { figures: {}, details: {} };
  const note = (name: string, { ratio, productMs, yardstickMs }: Awaited<ReturnType<typeof compareCpu>>) => {
    result.figures[name] = { value: ratio, ...LIMITS };
    result.details[`${name}, 50,000: cpu ms`] = productMs;
    result.details[`${name}, 500: cpu ms`] = yardstickMs;
  };
  for (const [name, action, warming] of ACTIONS) {
    const run = async (session: Session) => {
      for (let step = 0; step < moves; step++) await action(product, session, step);
    };
    note(
      name,
      await compareCpu(
        { pids, run: () => run(large) },
        { pids, run: () => run(small) },
        { rounds: bench.rounds, count: moves, warming },
      ),
    );
  }
  note('add', await compareAdding(bench, pids, large, small));
  return result;
}

const ADDED = 12;

/** Claims only; the files are already stored. The worker's later work is the same for both. */
async function compareAdding(bench: Bench, pids: readonly number[], large: Session, small: Session) {
  const waiting = new Map<Session, string[]>();
  const store = async () => {
    for (const session of [large, small]) {
      const keys: string[] = [];
      for (let file = 0; file < ADDED; file++)
        keys.push(await session.owner.store(session.galleryId, Buffer.from(`no picture ${file}`), `${file}.jpg`));
      waiting.set(session, keys);
    }
  };
  const run = async (session: Session) => {
    for (const key of waiting.get(session) ?? []) await session.owner.claim(session.galleryId, key);
  };
  await store();
  return compareCpu(
    { pids, run: () => run(large) },
    { pids, run: () => run(small) },
    { rounds: bench.rounds, count: ADDED, between: store },
  );
}

export const orderingRow: BenchRow = {
  name: 'P11',
  what: 'CPU of adding or moving one photo in a gallery of 50,000 / of 500',
  notQuick: '50,000 photos',
  measure,
};
