// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
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
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledWith('deleted'));
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
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('main'));
});
