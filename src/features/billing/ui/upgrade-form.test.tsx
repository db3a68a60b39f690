// @vitest-environment happy-dom
import { setTimeout as pause } from 'node:timers/promises';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createRoutesStub } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CARD_ADDED } from '#src/features/billing/billing.contract.ts';
import { UpgradeForm } from '#src/features/billing/ui/upgrade-form.tsx';
import { CARD_REQUIRED } from '#src/shared/card-token.ts';
import { toastStore } from '#src/ui/toast.ts';

const PAY = 'Pay $89.00 and upgrade';
const TOKEN = { id: 'tok_1', card: { brand: 'visa', last4: '0002', exp_month: 12, exp_year: 2040 } };

/** A member's upgrade page; `answers` are those of its calls, by the end of their address. */
function showForm(answers: Record<string, () => Response>): { sent: string[] } {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    sent.push(address);
    // No network answers before the screen has changed.
    await pause(0);
    const answer = Object.entries(answers).find(([end]) => address.endsWith(end))?.[1];
    if (!answer) throw new Error(`no answer for ${address}`);
    return answer();
  });
  onTestFinished(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const Page = createRoutesStub([
    {
      path: '/',
      Component: () => (
        <UpgradeForm
          affiliate={{ id: 3, path: 'hawks' }}
          backTo="/hawks/dashboard"
          mayUpgrade
          isSignedIn
          isPending={false}
          cards={{ provider: 'sandbox', publishableKey: null }}
        />
      ),
    },
  ]);
  render(<Page />);
  return { sent };
}

const pay = () => fireEvent.click(screen.getByRole('button', { name: PAY }));
const number = () => screen.getByLabelText<HTMLInputElement>('Card number');
const typeCard = (text: string) => fireEvent.change(number(), { target: { value: text } });
const newest = () => toastStore.read().at(-1)?.message;

test('without a card nothing is sent', async () => {
  const { sent } = showForm({});
  await screen.findByRole('button', { name: PAY });
  pay();
  await waitFor(() => expect(newest()).toBe(CARD_REQUIRED));
  expect(sent).toEqual([]);
});

test('a number that the provider refuses is reported in its words, and cleared', async () => {
  const error = 'Your card number is incorrect.';
  const { sent } = showForm({
    tokens: () => Response.json({ error, errors: { number: [error] } }, { status: 422 }),
  });
  await screen.findByRole('button', { name: PAY });
  typeCard('4242 4242 4242 4241');
  pay();
  await waitFor(() => expect(newest()).toBe(error));
  await waitFor(() => expect(number().value).toBe(''));
  expect(sent).toEqual(['/sandbox/tokens']);
});

test('a card that is declined is forgotten, and another one can be typed', async () => {
  const error = 'Your card was declined.';
  showForm({
    tokens: () => Response.json(TOKEN),
    '/charges/': () => Response.json({ error, errors: {} }, { status: 402 }),
  });
  await screen.findByRole('button', { name: PAY });
  typeCard('4000 0000 0000 0002');
  pay();
  await waitFor(() => expect(newest()).toBe(error));
  expect(toastStore.read().map(({ message }) => message)).toContain(CARD_ADDED);
  await waitFor(() => expect(number().value).toBe(''));
  expect(screen.queryByRole('button', { name: 'Reset Card' })).toBeNull();
});
