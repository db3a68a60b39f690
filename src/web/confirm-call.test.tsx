// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ApiResult } from '#src/web/api-client.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { show } from '#tests/support/shown-screen.tsx';

type Call = () => Promise<ApiResult<string> | null>;
const refused = (status: number, errors = {}): ApiResult<string> => ({
  ok: false,
  status,
  error: 'Someone else has changed it.',
  errors,
  body: {},
  retryAfterSeconds: null,
});

function ask(call: Call) {
  const [onDone, onRefused, onCancel] = [vi.fn<(answer: string) => void>(), vi.fn(), vi.fn()];
  const handlers = { call, onDone, onRefused, onCancel };
  const shown = show(
    <ConfirmCall title="Delete it?" confirmLabel="Delete" busy="Deleting..." {...handlers}>
      This cannot be undone.
    </ConfirmCall>,
  );
  const press = (name: string) => shown.user.click(screen.getByRole('button', { name, hidden: true }));
  return { press, onDone, onRefused, onCancel };
}

test('a call that is confirmed is sent once, and says that it is under way', async () => {
  const waiting = Promise.withResolvers<ApiResult<string>>();
  const call = vi.fn<Call>(() => waiting.promise);
  const { press, onDone } = ask(call);
  await press('Delete');
  await press('Deleting...');
  await press('Cancel');
  waiting.resolve({ ok: true, status: 200, data: 'deleted' });
  await expect.poll(() => onDone.mock.calls).toEqual([['deleted']]);
  expect(call).toHaveBeenCalledOnce();
});

test.each([
  ['its sentence', {}, 'Someone else has changed it.'],
  ['what is wrong with its fields', { org_id: ['Too old.', 'Too new.'] }, 'Too old. Too new.'],
])('a refusal shows %s, and the call can be sent again', async (_, errors, sentence) => {
  const call = vi
    .fn<Call>()
    .mockResolvedValueOnce(refused(409, errors))
    .mockResolvedValue({ ok: true, status: 200, data: 'done' });
  const { press, onDone, onRefused } = ask(call);
  await press('Delete');
  expect(screen.getByRole('alert', { hidden: true }).textContent).toBe(sentence);
  expect(onRefused).toHaveBeenCalledWith(expect.objectContaining({ status: 409 }));
  await press('Delete');
  expect(screen.queryByRole('alert', { hidden: true })).toBeNull();
  expect(onDone).toHaveBeenCalledWith('done');
});

test('a password that is not given leaves the question open', async () => {
  const { press, onDone, onRefused } = ask(async () => null);
  await press('Delete');
  expect(screen.getByText('This cannot be undone.')).toBeTruthy();
  expect([onDone, onRefused].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

test('the focus is on the page after the button that asked was removed', async () => {
  function Page() {
    const [step, setStep] = useState<'shown' | 'asking' | 'gone'>('shown');
    return (
      <main id="main" tabIndex={-1}>
        {step !== 'gone' && <button onClick={() => setStep('asking')}>Delete…</button>}
        {step === 'asking' && (
          <ConfirmCall
            title="Delete it?"
            confirmLabel="Delete"
            busy="Deleting..."
            call={async () => ({ ok: true, status: 200, data: 'deleted' })}
            onDone={() => setStep('gone')}
            onCancel={() => setStep('shown')}
          >
            This cannot be undone.
          </ConfirmCall>
        )}
      </main>
    );
  }
  const { user } = show(<Page />);
  for (const name of ['Delete…', 'Delete']) await user.click(screen.getByRole('button', { name, hidden: true }));
  await expect.poll(() => document.activeElement?.id).toBe('main');
});

type ListProps = {
  names: string[];
  /** What its call leaves, when the list has loaded again. */ reload: Promise<string[]>;
};

/** A list that shows what was deleted until it has loaded again. */
function List({ names, reload }: ListProps) {
  const [rows, setRows] = useState(names);
  const [asking, setAsking] = useState<string | null>(null);
  return (
    <main id="main" tabIndex={-1}>
      <h1>Page</h1>
      <section>
        <h2>People</h2>
        {rows.length === 0 && <p>Nobody yet.</p>}
        {rows.length > 0 && (
          <ul>
            {rows.map((name) => (
              <li key={name} aria-label={name}>
                <button onClick={() => setAsking(name)}>Remove {name}</button>
              </li>
            ))}
          </ul>
        )}
        <button>Invite</button>
      </section>
      {asking !== null && (
        <ConfirmCall
          title="Remove?"
          confirmLabel="Remove"
          busy="Removing..."
          call={async () => ({ ok: true, status: 200, data: null })}
          onDone={() => {
            setAsking(null);
            void reload.then(setRows);
          }}
          onCancel={() => setAsking(null)}
        >
          It cannot be undone.
        </ConfirmCall>
      )}
    </main>
  );
}

async function remove(name: string, names: string[]) {
  const reload = Promise.withResolvers<string[]>();
  const { user } = show(<List names={names} reload={reload.promise} />);
  // The one who uses a keyboard.
  screen.getByRole('button', { name: `Remove ${name}` }).focus();
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: 'Remove', hidden: true }));
  const opener = screen.getByRole('button', { name: `Remove ${name}` });
  // Browsers return the focus of a closed dialog.
  opener.focus();
  return { user, reload };
}
const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;

test.each([
  ['Ada', ['Ada', 'Leo', 'Maya'], ['Leo', 'Maya'], 'Leo'],
  ['Ada', ['Ada', 'Leo', 'Maya'], ['Maya'], 'Maya'],
  ['Maya', ['Ada', 'Leo', 'Maya'], ['Ada', 'Leo'], 'Leo'],
  ['Ada', ['Ada'], [], 'People'],
])('after %s of %j is removed and %j is loaded, the focus is on %s', async (name, names, left, place) => {
  const { reload } = await remove(name, names);
  expect(focused()).toBe(`Remove ${name}`);
  reload.resolve(left);
  await expect.poll(focused).toBe(place);
});

test('the focus stays where it was moved before the list has loaded', async () => {
  const { reload } = await remove('Ada', ['Ada', 'Leo']);
  screen.getByRole('button', { name: 'Invite' }).focus();
  reload.resolve([]);
  await screen.findByText('Nobody yet.');
  expect(focused()).toBe('Invite');
});

test('in a browser that does not focus a clicked button, the page has the focus afterwards', async () => {
  show(<List names={['Ada', 'Leo']} reload={Promise.resolve(['Leo'])} />);
  fireEvent.click(screen.getByRole('button', { name: 'Remove Ada' }));
  fireEvent.click(screen.getByRole('button', { name: 'Remove', hidden: true }));
  await expect.poll(() => document.activeElement?.id).toBe('main');
});

test('without a network the question is asked as always, and nothing fails unnoticed', async () => {
  const failed = vi.fn();
  process.on('unhandledRejection', failed);
  vi.doMock('#src/ui/focus-nearby.ts', () => {
    throw new Error('no network');
  });
  onTestFinished(() => {
    process.off('unhandledRejection', failed);
    vi.doUnmock('#src/ui/focus-nearby.ts');
  });
  ask(async () => null);
  await vi.dynamicImportSettled();
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.getByText('This cannot be undone.')).toBeTruthy();
  expect(failed).not.toHaveBeenCalled();
});
