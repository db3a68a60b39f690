// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { ConfirmDialog, FormDialog } from '#src/ui/confirm-dialog.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { show } from '#tests/support/shown-screen.tsx';

function ask(state: { busy?: string; problem?: string } = {}) {
  const said = { onConfirm: vi.fn<() => void>(), onCancel: vi.fn<() => void>() };
  const shown = show(
    <ConfirmDialog open title="Remove Photo?" confirmLabel="Remove" {...state} {...said}>
      IMG_2041.jpg
    </ConfirmDialog>,
  );
  return { ...said, ...shown };
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

describe('a question before something that cannot be undone', () => {
  test('is named by its title', () => {
    ask();
    expect(screen.getByRole('alertdialog', { name: 'Remove Photo?' })).toBeTruthy();
  });

  test('acts only when it is confirmed', async () => {
    const { user, onConfirm, onCancel } = ask();
    await user.click(button('Cancel'));
    expect([onCancel, onConfirm].map((said) => said.mock.calls.length)).toEqual([1, 0]);
    await user.click(button('Remove'));
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  test('cannot be closed while it acts', async () => {
    const { user, onConfirm, onCancel } = ask({ busy: 'Removing...' });
    await user.click(button('Cancel'));
    await user.click(button('Removing...'));
    expect([onCancel, onConfirm].map((said) => said.mock.calls.length)).toEqual([0, 0]);
  });

  test('shows an error', () => {
    ask({ problem: 'This photo was sold and cannot be removed.' });
    expect(screen.getByRole('alert').textContent).toBe('This photo was sold and cannot be removed.');
  });
});

test.each([
  ['', ['Make a code', 'Make it']],
  [', also if another dialog shows it first', ['Make a code', 'Make it', 'Close']],
])('the heading has the focus after a form replaced the button that opened it%s', async (also, names) => {
  function Page() {
    const [step, setStep] = useState<'empty' | 'asking' | 'shown' | 'made'>('empty');
    return (
      <section>
        <h2>Codes</h2>
        {step === 'empty' || step === 'asking' ? (
          <button onClick={() => setStep('asking')}>Make a code</button>
        ) : (
          <p>HAWKS20</p>
        )}
        {step === 'asking' && (
          <FormDialog
            title="New code"
            action={{ label: 'Make it', busy: 'Making...' }}
            isSending={false}
            onSubmit={() => setStep(also === '' ? 'made' : 'shown')}
            onClose={() => setStep('empty')}
          >
            <p>20% off</p>
          </FormDialog>
        )}
        <Dialog open={step === 'shown'} title="Your code" onClose={() => setStep('made')} />
      </section>
    );
  }
  const { user } = show(<Page />);
  for (const name of names) await user.click(screen.getByRole('button', { name, hidden: true }));
  await expect.poll(() => document.activeElement?.textContent).toBe('Codes');
});

test('the first wrong field of a form gets the focus after a try, and keeps what is typed elsewhere alone', async () => {
  function Ask() {
    const [isWrong, setWrong] = useState(false);
    return (
      <FormDialog
        title="Create a code"
        action={{ label: 'Create', busy: 'Creating...' }}
        isSending={false}
        onSubmit={() => setWrong(true)}
        onClose={() => {}}
      >
        <input aria-label="Percent" />
        <input aria-label="Uses" aria-invalid={isWrong || undefined} />
        <input aria-label="Days" aria-invalid={isWrong || undefined} />
      </FormDialog>
    );
  }
  const { user } = show(<Ask />);
  const focused = () => document.activeElement?.getAttribute('aria-label');
  await user.type(screen.getByLabelText('Percent'), '5');
  expect(focused()).toBe('Percent');
  await user.click(button('Create'));
  expect(focused()).toBe('Uses');
  await user.type(screen.getByLabelText('Days'), '7');
  expect(focused()).toBe('Days');
});
