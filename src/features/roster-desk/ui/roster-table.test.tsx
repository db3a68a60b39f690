// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { createRoutesStub } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AthleteAnswer } from '#src/features/roster/roster.contract.ts';
import { RosterTable } from '#src/features/roster-desk/ui/roster-table.tsx';

const LEO: AthleteAnswer = {
  id: 4,
  first_name: 'Leo',
  last_name: 'Park',
  external_id: null,
  entries: [{ team_id: 2, team: 'Hawks U12', season_id: 1, number: '7' }],
  consent: 'yes',
  families: 0,
  card_opened: false,
  devices: 0,
  photo_count: 0,
};

const ADA: AthleteAnswer = { ...LEO, id: 5, first_name: 'Ada' };

function Roster() {
  const [athletes, setAthletes] = useState([ADA, LEO]);
  const nothing = () => undefined;
  return (
    <RosterTable
      organizationId={3}
      season={1}
      athletes={athletes}
      teams={[]}
      team={null}
      onChanged={(changed) => setAthletes((all) => all.map((one) => (one.id === changed.id ? changed : one)))}
      onAdded={nothing}
      onOpen={nothing}
    />
  );
}

/** The table within a router that can ask before someone leaves. */
async function showRoster() {
  const Page = createRoutesStub([{ path: '/', Component: Roster }]);
  onTestFinished(cleanup);
  render(<Page />);
  await screen.findByLabelText('Number of Leo Park');
  return userEvent.setup();
}
const mayClose = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

type Change = { last_name?: string; entries?: { number: string }[] };

/** A server that saves each change immediately, and whose answers arrive when the test says so. */
function slowServer() {
  let saved = LEO;
  const answers: (() => void)[] = [];
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    const { last_name: lastName, entries } = (JSON.parse(body) as { athlete: Change }).athlete;
    const number = entries?.[0]?.number;
    saved = {
      ...saved,
      ...(lastName === undefined ? {} : { last_name: lastName }),
      ...(number === undefined ? {} : { entries: LEO.entries.map((entry) => ({ ...entry, number })) }),
    };
    const answer = Response.json({ athlete: saved, warnings: [], hidden: 0, shown: 0 });
    return new Promise<Response>((resolve) => void answers.push(() => resolve(answer)));
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return answers;
}

test('two quick changes of an athlete are both shown, whichever answer arrives first', async () => {
  const answers = slowServer();
  const user = await showRoster();
  for (const [label, typed] of [
    ['Number of Leo Park', '8'],
    ['Last name of Leo Park', 'P.'],
  ] as const) {
    await user.clear(screen.getByLabelText(label));
    await user.type(screen.getByLabelText(label), `${typed}{Enter}`);
  }
  // The newest one first.
  for (let answered = 0; answered < 2; answered += 1) {
    await waitFor(() => expect(answers).not.toHaveLength(0));
    answers.pop()?.();
  }
  await screen.findByLabelText('Number of Leo P.');
  expect(screen.getByLabelText<HTMLInputElement>('Number of Leo P.').value).toBe('8');
});

test('a change of one athlete does not wait for that of another, and the page asks before it closes', async () => {
  const answers = slowServer();
  const user = await showRoster();
  expect(mayClose()).toBe(true);
  await user.type(screen.getByLabelText('Number of Ada Park'), '9{Enter}');
  await user.type(screen.getByLabelText('Number of Leo Park'), '8{Enter}');
  await waitFor(() => expect(answers).toHaveLength(2));
  expect(mayClose()).toBe(false);
  answers.forEach((answer) => answer());
  await waitFor(() => expect(mayClose()).toBe(true));
});

test('a request that hangs does not block later changes of the same athlete', async () => {
  const user = await showRoster();
  const sent: string[] = [];
  const hanging = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(hanging.signal);
  vi.stubGlobal('fetch', (_url: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    sent.push(body);
    if (signal !== hanging.signal)
      return Promise.resolve(
        Response.json({ athlete: { ...LEO, last_name: 'P.' }, warnings: [], hidden: 0, shown: 0 }),
      );
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('ended')));
    });
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  await user.selectOptions(screen.getByLabelText('Consent of Leo Park'), 'no');
  await user.clear(screen.getByLabelText('Last name of Leo Park'));
  await user.type(screen.getByLabelText('Last name of Leo Park'), 'P.{Enter}');
  expect(sent).toHaveLength(1);
  hanging.abort();
  await screen.findByLabelText('Last name of Leo P.');
  expect(sent).toHaveLength(2);
  screen.getByText('The server did not respond:');
});
