import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createContribution, type Contribution } from '#src/features/contributors/contribution.client.ts';
import { CONTRIBUTION_NOT_SUBMITTED } from '#src/features/contributors/contributors.contract.ts';
import { UPLOAD_CLAIMED } from '#src/features/uploads/uploads.contract.ts';

vi.mock('#src/features/uploads/send-photo.client.ts', () => ({
  storeFile: async (file: File) => ({ storedKey: `uploads/${file.name}` }),
}));

const PERSON = { name: 'Ana', email: 'ana@families.test', site: null, instagram: null };
/** What the club's site has received; each call may lose its response. */
let taken: string[];
let isAway: boolean;
let contribution: Contribution;

beforeEach(() => {
  vi.useFakeTimers();
  taken = [];
  isAway = false;
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    const keys = (JSON.parse(body) as { photos: { key: string }[] }).photos.map(({ key }) => key);
    const isKnown = keys.some((key) => taken.includes(key));
    if (!isKnown) taken.push(...keys);
    if (isAway) throw new TypeError('Failed to fetch');
    return isKnown
      ? Response.json({ error: UPLOAD_CLAIMED, errors: {} }, { status: 409 })
      : Response.json({ accepted: keys.length });
  });
  contribution = createContribution({ key: 'k', galleryId: 1, affiliateId: 2 }, PERSON);
});
afterEach(() => {
  contribution.end();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function store(...names: string[]): Promise<void> {
  const before = contribution.storedCount();
  contribution.start(names.map((name, at) => new File(['x'], name, { type: 'image/jpeg', lastModified: before + at })));
  await vi.waitFor(() => expect(contribution.storedCount()).toBe(before + names.length), { timeout: 10_000 });
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
