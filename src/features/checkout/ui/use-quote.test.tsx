// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CODE_UNKNOWN, codeEnded, codeMinimum, TOO_MANY_TRIED } from '#src/features/coupons/coupons.contract.ts';
import { useQuote, type Moved } from '#src/features/checkout/ui/use-quote.ts';
import { show } from '#tests/support/shown-screen.tsx';

let asked: { codes?: string[]; order: { donation: string } }[] = [];
/** The server's answer to a request with a code. */
let answerToCode: () => Response;

const json = (status: number, body: object) => Response.json(body, { status });
const priced = (more: object = {}) =>
  json(200, { subtotal: 4, tax: 0, donation: 0, total: 4, items: [], galleries: [], ...more });

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    const question = JSON.parse(body) as (typeof asked)[number];
    asked.push(question);
    return question.codes ? answerToCode() : priced();
  });
});
afterEach(() => vi.unstubAllGlobals());

test('photos that moved are reported, and no problem is shown for them', async () => {
  const place = { id: 9, gallery_id: 2, name: 'Goal' };
  const gone = { id: 5, gallery_id: 1, reason: 'gone' };
  answerToCode = () =>
    json(422, {
      error: 'Gone',
      errors: {},
      unavailable: [
        { ...gone, moved_to: place },
        { ...gone, id: 6 },
      ],
    });
  const moved: Moved[] = [];
  function Cart() {
    const onMoved = (found: Moved) => moved.push(found);
    const { problem } = useQuote({
      sellerId: 1,
      items: [],
      passes: [],
      codes: HAWKS20,
      donation: '',
      zip: '',
      onMoved,
    });
    return <p>{problem ?? 'No problem'}</p>;
  }
  show(<Cart />);
  await waitFor(() => expect(moved).toEqual([new Map([[5, place]])]));
  screen.getByText('No problem');
});

const HAWKS20 = ['HAWKS20'];
const NO_CODES: string[] = [];

function Review() {
  const [donation, setDonation] = useState('');
  const [codes, setCodes] = useState(HAWKS20);
  const quote = useQuote({ sellerId: 1, items: [], passes: [], codes, donation, zip: '', onMoved: () => undefined });
  return (
    <>
      <p role="status">{quote.codeErrors.join(' ')}</p>
      <p>{quote.subtotalBefore === null ? 'No price changed' : `Before ${quote.subtotalBefore}`}</p>
      <p>{`Total ${quote.totals?.total ?? 'unknown'}, sends ${quote.codes.join() || 'no code'}`}</p>
      <button type="button" onClick={() => setDonation('$5')}>
        Give
      </button>
      <button type="button" onClick={() => setCodes(NO_CODES)}>
        Remove code
      </button>
    </>
  );
}

test.each([
  ['is unknown', () => priced({ refused_codes: [{ code: 'HAWKS20', error: CODE_UNKNOWN }] }), CODE_UNKNOWN],
  ['can be none', () => json(422, { error: CODE_UNKNOWN, errors: { 'codes.0': [CODE_UNKNOWN] } }), CODE_UNKNOWN],
  ['is one too many', () => json(429, { error: TOO_MANY_TRIED }), TOO_MANY_TRIED],
])(
  'a code that %s is requested once, however the order changes, and is not sent with it',
  async (_what, answer, error) => {
    answerToCode = answer;
    const { user } = show(<Review />);
    await waitFor(() => screen.getByText('Total 4, sends no code'));
    expect(screen.getByRole('status').textContent).toBe(error);
    await user.click(screen.getByRole('button', { name: 'Give' }));
    await waitFor(() => expect(asked.at(-1)?.order.donation).toBe('$5'));
    expect(asked.filter(({ codes }) => codes)).toHaveLength(1);
    expect(screen.getByRole('status').textContent).toBe(error);
  },
);

test('a code for larger orders is requested again with each change', async () => {
  const error = codeMinimum('$20.00');
  answerToCode = () => priced({ refused_codes: [{ code: 'HAWKS20', error }] });
  const { user } = show(<Review />);
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(error));
  await user.click(screen.getByRole('button', { name: 'Give' }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked.every(({ codes }) => codes?.[0] === 'HAWKS20')).toBe(true);
  screen.getByText('Total 4, sends no code');
});

test('a price that changes while the cart stays is shown with the one before, also without a press of the buyer', async () => {
  let subtotal = 9;
  answerToCode = () => priced({ subtotal, total: subtotal });
  const { user } = show(<Review />);
  await waitFor(() => screen.getByText('Total 9, sends HAWKS20'));
  screen.getByText('No price changed');
  subtotal = 11;
  await user.click(screen.getByRole('button', { name: 'Give' }));
  await waitFor(() => screen.getByText('Total 11, sends HAWKS20'));
  screen.getByText('Before 9');
  answerToCode = () => priced({ subtotal, total: subtotal + 5 });
  window.dispatchEvent(new Event('online'));
  await waitFor(() => screen.getByText('Total 16, sends HAWKS20'));
  screen.getByText('Before 9');
});

test('a code that ends while the cart is open: both prices stay until the buyer changes the cart or the codes', async () => {
  answerToCode = () => priced({ subtotal: 3, total: 3 });
  const { user } = show(<Review />);
  await waitFor(() => screen.getByText('Total 3, sends HAWKS20'));
  const error = codeEnded('11.29.2026');
  answerToCode = () => priced({ refused_codes: [{ code: 'HAWKS20', error }] });
  window.dispatchEvent(new Event('online'));
  await waitFor(() => screen.getByText('Total 4, sends no code'));
  // The cart is asked for again without the code.
  await waitFor(() => expect(asked.at(-1)?.codes).toBeUndefined());
  await user.click(screen.getByRole('button', { name: 'Give' }));
  await waitFor(() => expect(asked.at(-1)?.order.donation).toBe('$5'));
  await waitFor(() => screen.getByText('Before 3'));
  expect(screen.getByRole('status').textContent).toBe(error);
  await user.click(screen.getByRole('button', { name: 'Remove code' }));
  await waitFor(() => screen.getByText('No price changed'));
  screen.getByText('Total 4, sends no code');
});
