import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createContribution,
  settleUnanswered,
  type Contribution,
} from '#src/features/contributors/contribution.client.ts';
import { wasSentTo } from '#src/features/contributors/sent-photos.client.ts';
import { CONTRIBUTION_NOT_SUBMITTED } from '#src/features/contributors/contributors.contract.ts';
import { UPLOAD_CLAIMED } from '#src/features/uploads/uploads.contract.ts';

vi.mock('#src/features/uploads/send-photo.client.ts', () => ({
  storeFile: async (file: File) => {
    stores.push(file.name);
    return { storedKey: `uploads/${file.name}` };
  },
}));

const PERSON = { name: 'Ana', email: 'ana@families.test', site: null, instagram: null };
/** What the club's site has received; each call may lose its response. */
let taken: string[];
let isAway: boolean;
let isRefused: boolean;
/** After which the site accepts submissions again. */
let busySeconds: number | null;
/** Names of uploaded files. */
let stores: string[];
/** Sent while the page was hidden. */
let sentHidden: Blob[];
let page: EventTarget & { visibilityState: string };
let contribution: Contribution;
const createOne = () => createContribution({ key: 'k', galleryId: 1, affiliateId: 2 }, PERSON);
const imageOf = (name: string) => new File(['x'], name, { type: 'image/jpeg' });

beforeEach(() => {
  vi.useFakeTimers();
  taken = [];
  isAway = false;
  sentHidden = [];
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', { sendBeacon: (_address: string, body: Blob) => sentHidden.push(body) > 0 });
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    if (busySeconds !== null)
      return Response.json(
        { error: 'Too many attempts.', errors: {} },
        { status: 429, headers: { 'retry-after': String(busySeconds) } },
      );
    if (isRefused) return Response.json({ error: 'This link has ended.', errors: {} }, { status: 404 });
    const keys = keysIn(body);
    const isKnown = keys.some((key) => taken.includes(key));
    if (!isKnown) taken.push(...keys);
    if (isAway) throw new TypeError('Failed to fetch');
    return isKnown
      ? Response.json({ error: UPLOAD_CLAIMED, errors: {} }, { status: 409 })
      : Response.json({ accepted: keys.length });
  });
  isRefused = false;
  busySeconds = null;
  stores = [];
  contribution = createOne();
});
afterEach(() => {
  contribution.end();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function keysIn(body: string): string[] {
  return (JSON.parse(body) as { photos: { key: string }[] }).photos.map(({ key }) => key);
}
function hide(): void {
  for (const state of ['hidden', 'visible']) {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
  }
}
const untilStored = ({ storedCount }: typeof contribution, count: number) =>
  vi.waitFor(() => expect(storedCount()).toBe(count), { timeout: 15_000 });
async function store(...names: string[]): Promise<void> {
  const before = contribution.storedCount();
  contribution.start(names.map((name, at) => new File(['x'], name, { type: 'image/jpeg', lastModified: before + at })));
  await untilStored(contribution, before + names.length);
}
async function handOver() {
  const asked = contribution.handOver();
  await vi.runAllTimersAsync();
  return asked;
}

test('a contribution with lost responses arrives, and a retry loses or sends nothing twice', async () => {
  await store('a.jpg', 'b.jpg');
  isAway = true;
  expect(await handOver()).toMatchObject({
    mayRetry: true,
    messages: [CONTRIBUTION_NOT_SUBMITTED, expect.any(String)],
  });
  isAway = false;
  await store('c.jpg');
  expect(await handOver()).toEqual({ accepted: 3 });
  expect(taken).toEqual(['uploads/a.jpg', 'uploads/b.jpg', 'uploads/c.jpg']);
});

test('photos that are stored are submitted when the page is hidden, each once, also if the page never comes back', async () => {
  hide();
  await store('a.jpg', 'b.jpg');
  hide();
  hide();
  await store('c.jpg');
  hide();
  const bodies = await Promise.all(sentHidden.map((body) => body.text()));
  expect(bodies.map(keysIn)).toEqual([['uploads/a.jpg', 'uploads/b.jpg'], ['uploads/c.jpg']]);
  expect(bodies.map((body) => JSON.parse(body) as object)).toEqual([
    expect.objectContaining({ contributeKey: 'k', batch: expect.any(String), ...PERSON }),
    expect.objectContaining({ batch: (JSON.parse(bodies[0] ?? '') as { batch: string }).batch }),
  ]);
  // The first has arrived, the second was lost.
  taken.push(...keysIn(bodies[0] ?? ''));
  await store('d.jpg');
  expect(await handOver()).toEqual({ accepted: 4 });
  expect(taken).toEqual(['uploads/a.jpg', 'uploads/b.jpg', 'uploads/c.jpg', 'uploads/d.jpg']);
});

test('a page that is opened again finds out what arrived of the photos that were sent while it closed', async () => {
  const kept = new Map<string, string>();
  const localStorage = { getItem: (name: string) => kept.get(name), setItem: kept.set.bind(kept) };
  vi.stubGlobal('window', { localStorage });
  await store('a.jpg');
  hide();
  await store('b.jpg');
  hide();
  // The first has arrived, the second was lost. The network is away at first.
  taken.push('uploads/a.jpg');
  isAway = true;
  const settle = async () => {
    const asked = settleUnanswered({ key: 'new', galleryId: 1 });
    await vi.runAllTimersAsync();
    return asked;
  };
  expect(await settle()).toBe(0);
  taken = ['uploads/a.jpg'];
  isAway = false;
  expect(await settle()).toBe(2);
  expect(taken).toEqual(['uploads/a.jpg', 'uploads/b.jpg']);
  expect(['a.jpg', 'b.jpg', 'c.jpg'].map((name) => wasSentTo(1)(imageOf(name)))).toEqual([true, true, false]);
  expect(wasSentTo(2)(imageOf('a.jpg'))).toBe(false);
  // Keys of invites are not stored beyond their tab.
  expect([...kept.values()].join('')).not.toContain('contributeKey');
  expect(await settle()).toBe(0);
});

test('who cancels keeps each photo for which no answer says that it arrived, and sends none of them twice', async () => {
  const [a, b, c] = ['a.jpg', 'b.jpg', 'c.jpg'].map(imageOf) as [File, File, File];
  const canceled = contribution;
  for (const [at, file] of [a, b].entries()) {
    canceled.start([file]);
    await untilStored(canceled, at + 1);
    hide();
  }
  canceled.end();
  expect([a, b].map(canceled.hasArrived)).toEqual([false, false]);
  // The first was lost, the second has arrived.
  taken.push('uploads/b.jpg');
  contribution = createOne();
  contribution.start([a, b, c], canceled.unanswered());
  await untilStored(contribution, 3);
  expect(await handOver()).toEqual({ accepted: 3 });
  expect(taken.toSorted()).toEqual(['uploads/a.jpg', 'uploads/b.jpg', 'uploads/c.jpg']);
  expect(stores).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
  expect(contribution.hasArrived(b)).toBe(true);
});

test('a photo that was removed after canceling is not sent with the others of its submission', async () => {
  const [a, b] = ['a.jpg', 'b.jpg'].map(imageOf) as [File, File];
  const canceled = contribution;
  canceled.start([a, b]);
  await untilStored(canceled, 2);
  hide();
  canceled.end();
  contribution = createOne();
  contribution.start([b], canceled.unanswered());
  await untilStored(contribution, 1);
  expect(await handOver()).toEqual({ accepted: 1 });
  expect(taken).toEqual(['uploads/b.jpg']);
});

test('after a refusal all photos that were not accepted stay on the form', async () => {
  const [a, b] = ['a.jpg', 'b.jpg'].map(imageOf) as [File, File];
  for (const [at, file] of [a, b].entries()) {
    contribution.start([file]);
    await untilStored(contribution, at + 1);
    hide();
  }
  isRefused = true;
  expect(await handOver()).toEqual({ messages: ['This link has ended.'], mayRetry: false });
  expect([a, b].map(contribution.hasArrived)).toEqual([false, false]);
});

test('who has to wait for more than 15 seconds is told so at once, and can try again', async () => {
  await store('a.jpg');
  busySeconds = 2_400;
  const asked = contribution.handOver();
  await vi.advanceTimersByTimeAsync(15_000);
  busySeconds = null;
  await vi.runAllTimersAsync();
  expect(await asked).toEqual({ mayRetry: true, messages: [CONTRIBUTION_NOT_SUBMITTED, 'Too many attempts.'] });
  expect(await handOver()).toEqual({ accepted: 1 });
});

test('a page that is hidden again and again leaves the other photos to the last submission', async () => {
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']) {
    await store(name);
    hide();
  }
  expect(sentHidden).toHaveLength(2);
  expect(await handOver()).toEqual({ accepted: 4 });
});
