// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PassAnswer } from '#src/features/order-offers/sold-passes.contract.ts';
import { PassBlock } from '#src/features/passes/ui/pass-block.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const PASS: PassAnswer = {
  id: 5,
  kind: 'gallery_pass',
  name: 'The whole gallery “Cup final”',
  gallery_id: 7,
  until: '2027-06-30',
  text: '62 photos today. New ones appear here until 06.30.2027.',
  photo_count: 62,
  new_since_download: 12,
  order_key: 'key',
};
const news = () => screen.queryByRole('link', { name: 'Download the 12 new ones' });

test.each(['Download all', 'Download the 12 new ones'])(
  'after “%s” the new photos are not offered a second time, and a line says what to do if it stops',
  async (pressed) => {
    const { user } = show(<PassBlock vanityId="v" pass={PASS} first={{ photos: [], next: null }} />);
    expect(news()?.getAttribute('href')).toBe('/api/v1/orders/v/download.zip?pass=5&new=true');
    await user.click(screen.getByRole('link', { name: pressed }));
    await screen.findByText('Your download has begun. If it stops, reload this page and start it again.');
    expect(news()).toBeNull();
    expect(screen.getByRole('link', { name: 'Download all' })).toBeDefined();
  },
);

const photo = (id: number) => ({
  id,
  gallery_id: 7,
  name: `Goal ${id}`,
  image_url: '/x',
  added_at: '2026-10-10T10:00:00Z',
});

/** Photos, and the rest of the list, from a server, which answers `gone` with their status; shared files are recorded. */
function aPhone(rest: object, gone: readonly (readonly [id: number, status: number])[] = [], status = 200) {
  const shared: string[] = [];
  const share = async ({ files }: { files: File[] }) => void shared.push(...files.map(({ name }) => name));
  Object.assign(navigator, { canShare: () => true, share });
  onTestFinished(() => {
    for (const name of ['canShare', 'share']) Reflect.deleteProperty(navigator, name);
    vi.unstubAllGlobals();
  });
  vi.stubGlobal('fetch', async (address: string) => {
    if (!address.includes('download=true')) return Response.json(rest, { status });
    const refusal = gone.find(([id]) => address.includes(`/gallery_photos/${id}?`))?.[1];
    return refusal === undefined ? new Response('jpeg') : Response.json({}, { status: refusal });
  });
  return shared;
}

test('on a phone all photos of a pass are saved together, also those that are not shown yet', async () => {
  const shared = aPhone({ photos: [photo(3)], next: null });
  const first = { photos: [photo(1), photo(2)], next: 'after 2' };
  const { user } = show(<PassBlock vanityId="v" pass={{ ...PASS, photo_count: 3 }} first={first} />);
  await user.click(await screen.findByRole('button', { name: 'Save all 3 to my phone' }));
  await screen.findByText('Done. All 3 photos went to the place you chose.');
  expect(shared).toEqual(['Goal 1.jpg', 'Goal 2.jpg', 'Goal 3.jpg']);
  screen.getByRole('link', { name: 'Download Goal 3' });
});

test('a list that cannot be loaded says that another press continues, and saves nothing', async () => {
  const shared = aPhone({ error: 'Something went wrong.' }, [], 500);
  const first = { photos: [photo(1), photo(2)], next: 'after 2' };
  const { user } = show(<PassBlock vanityId="v" pass={{ ...PASS, photo_count: 3 }} first={first} />);
  await user.click(await screen.findByRole('button', { name: 'Save all 3 to my phone' }));
  await screen.findByText('The connection was lost. Your photos are safe: press again to continue.');
  expect(shared).toEqual([]);
});

test('a list that breaks off is read in large pages, and continues where it stopped', async () => {
  const shared = aPhone({});
  const calls: string[] = [];
  const answers = [
    Response.json({ photos: [photo(3)], next: 'after 3' }),
    Response.json({ error: 'Something went wrong.' }, { status: 500 }),
    Response.json({ photos: [photo(4)], next: null }),
  ];
  const answerDownload = fetch;
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.includes('download=true')) return answerDownload(address);
    calls.push(new URL(address, 'http://club.test').search);
    return answers[calls.length - 1];
  });
  const first = { photos: [photo(1), photo(2)], next: 'after 2' };
  const { user } = show(<PassBlock vanityId="v" pass={{ ...PASS, photo_count: 4 }} first={first} />);
  const save = await screen.findByRole('button', { name: 'Save all 4 to my phone' });
  await user.click(save);
  await screen.findByText('The connection was lost. Your photos are safe: press again to continue.');
  await user.click(save);
  await screen.findByText('Done. All 4 photos went to the place you chose.');
  expect(shared).toEqual(['Goal 1.jpg', 'Goal 2.jpg', 'Goal 3.jpg', 'Goal 4.jpg']);
  expect(calls).toEqual(['2', '3', '3'].map((id) => `?after=after+${id}&limit=100`));
});

test.each([
  [[[2, 404]], 'Done. All 2 photos went to the place you chose. 1 photo is no longer available.', [1, 3]],
  [
    [
      [1, 403],
      [2, 410],
    ],
    'Done. Your photo went to the place you chose. 2 photos are no longer available.',
    [3],
  ],
  [
    [
      [1, 404],
      [2, 404],
      [3, 404],
    ],
    '3 photos are no longer available.',
    [],
  ],
] as const)(
  'the photos that are gone (%j) do not keep the others of a pass from being saved',
  async (gone, said, saved) => {
    const shared = aPhone({}, gone);
    const first = { photos: [photo(1), photo(2), photo(3)], next: null };
    const { user } = show(<PassBlock vanityId="v" pass={{ ...PASS, photo_count: 3 }} first={first} />);
    await user.click(await screen.findByRole('button', { name: 'Save all 3 to my phone' }));
    await screen.findByText(said);
    expect(shared).toEqual(saved.map((id) => `Goal ${id}.jpg`));
  },
);

test.each([
  [404, 'This photo is no longer available for download.'],
  [410, "This photo was withdrawn at a family's wish. It cannot be downloaded."],
])('a photo that is gone (%i) says why where it is downloaded alone', async (status, said) => {
  aPhone({}, [[1, status]]);
  const { user } = show(<PassBlock vanityId="v" pass={PASS} first={{ photos: [photo(1)], next: null }} />);
  await user.click(screen.getByRole('link', { name: 'Download Goal 1' }));
  await screen.findByText(said);
});
