// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SeasonDialog } from '#src/features/roster-desk/ui/season-dialog.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const NOTHING = () => undefined;
const SLOW = { timeout: 20_000 };

test.each([
  ['2027-07-31', '2027-08-01', '2028-07-31'],
  ['2028-02-29', '2028-03-01', '2029-02-28'],
])('the season after one that ends on %s is proposed from the next day to a year later', (last, from, to) => {
  const season = { id: 1, name: 'Fall', first_day: '2026-08-01', last_day: last, current: true, teams: 1, athletes: 1 };
  show(<SeasonDialog organizationId={1} from={season} isYearly={false} onClose={NOTHING} onMade={NOTHING} />);
  const valueOf = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
  expect([valueOf(/First day/), valueOf(/Last day/)]).toEqual([from, to]);
});

const FALL = {
  id: 1,
  name: 'Fall',
  first_day: '2026-08-01',
  last_day: '2027-07-31',
  current: true,
  teams: 1,
  athletes: 9,
};

/** Starts the next season; answers the dialog's questions about its athletes with `done` of nine, and counts them. */
async function startSeason(done: () => number) {
  let questions = 0;
  vi.stubGlobal('fetch', async (_address: string, { method }: RequestInit) => {
    if (method === 'GET') questions += 1;
    const now = method === 'GET' ? done() : 0;
    return Response.json({ season_id: 7, status: now < 9 ? 'running' : 'finished', done: now, total: 9 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const [onClose, onMade] = [vi.fn<(isCopying: boolean) => void>(), vi.fn<(id: number, asks: boolean) => void>()];
  const { user, unmount } = show(
    <SeasonDialog organizationId={1} from={FALL} isYearly={true} onClose={onClose} onMade={onMade} />,
  );
  await user.type(screen.getByLabelText(/^Name/), 'Spring');
  await user.click(screen.getByRole('button', { name: 'Start the season' }));
  await screen.findByText(/ of 9 athletes$/, {}, SLOW);
  return { user, unmount, onClose, onMade, asked: () => questions };
}

test('the dialog shows how many athletes have followed, and is done when all have', async () => {
  let done = 4;
  const { onMade } = await startSeason(() => done);
  await screen.findByText('4 of 9 athletes', {}, SLOW);
  expect(onMade).not.toHaveBeenCalled();
  done = 9;
  await waitFor(() => expect(onMade.mock.calls).toEqual([[7, true]]), SLOW);
});

test('once the dialog is closed it asks no more, and changes nothing when the athletes have followed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  let done = 4;
  const { user, unmount, onClose, onMade, asked } = await startSeason(() => done);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose.mock.calls).toEqual([[true]]);
  const before = asked();
  unmount();
  done = 9;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked() - before, onMade.mock.calls]).toEqual([0, []]);
});
