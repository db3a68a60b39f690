import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { orderErrors, sendUnderKey } from '#src/features/checkout/ui/send-under-key.ts';
import { CHECKOUT_KEY_TAKEN, NOTHING_CHARGED, type OrderPlaced } from '#src/features/orders/orders.contract.ts';
import type { ApiResult } from '#src/web/api-client.ts';

const TOKEN = { id: 'tok_1' };
const refused = (status: number, error = 'No'): ApiResult<OrderPlaced> => ({
  ok: false,
  status,
  error,
  errors: {},
  body: {},
  retryAfterSeconds: null,
});
const placed = (more: Partial<OrderPlaced> = {}): ApiResult<OrderPlaced> => ({
  ok: true,
  status: 201,
  data: { vanity_id: 'new', status: 'paid', total: 4, ...more },
});
const TAKEN = refused(409, CHECKOUT_KEY_TAKEN);
const BANK = placed({ status: 'pending', requires_action: { client_secret: 'secret' } });
const NONE = { vanity_id: null, status: null };
const EARLIER = { vanity_id: 'old', status: 'paid' };

/** What the server knows of a key; null when it does not answer. */
let known: object | null;
beforeEach(() => {
  vi.stubGlobal('fetch', async () => {
    if (known === null) throw new TypeError('no network');
    return Response.json(known);
  });
});
afterEach(() => vi.unstubAllGlobals());

const ordered = (vanityId: string, before: boolean, key = 'key 1', status = 'paid') => ({
  kind: 'ordered',
  key,
  order: { vanityId, status },
  before,
});

test.each<[string, ApiResult<OrderPlaced>[], object | null, string | null, object, string[]]>([
  ['is placed', [placed()], NONE, null, ordered('new', false), ['key 1 tok_1']],
  ['is refused', [refused(402)], NONE, null, { kind: 'refused' }, ['key 1 tok_1']],
  ['whose answer is lost is found', [refused(0)], EARLIER, null, ordered('old', false), ['key 1 tok_1']],
  ['behind a failing gateway is found', [refused(502)], EARLIER, null, ordered('old', false), ['key 1 tok_1']],
  ['that never arrived is refused', [refused(0)], NONE, null, { kind: 'refused' }, ['key 1 tok_1']],
  ['may have arrived while no one answers', [refused(0)], null, null, { kind: 'lost' }, ['key 1 tok_1']],
  ['was ordered by an earlier try', [TAKEN], EARLIER, null, ordered('old', true), ['key 1 tok_1']],
  [
    'gets its own key after an earlier try was declined',
    [TAKEN, placed()],
    NONE,
    null,
    ordered('new', false, 'key 2'),
    ['key 1 tok_1', 'key 2 tok_1'],
  ],
  ['gets no third key', [TAKEN, TAKEN], NONE, null, { kind: 'refused' }, ['key 1 tok_1', 'key 2 tok_1']],
  ['is confirmed by the bank', [BANK, placed()], NONE, null, ordered('new', false), ['key 1 tok_1', 'key 1 none']],
  [
    'stays open when the bank did not confirm it',
    [BANK, BANK],
    NONE,
    'Not confirmed',
    { kind: 'unconfirmed', trouble: 'Not confirmed' },
    ['key 1 tok_1', 'key 1 none'],
  ],
])('an order %s', async (_name, answers, found, trouble, outcome, sent) => {
  known = found;
  const posted: string[] = [];
  let keysMade = 1;
  const keys = { key: () => `key ${keysMade}`, renewKey: () => `key ${++keysMade}` };
  const post = async (key: string, token: { id: string } | null) =>
    answers[posted.push(`${key} ${token?.id ?? 'none'}`) - 1] ?? refused(500);
  expect(await sendUnderKey({ keys, post, token: TOKEN, askBank: async () => trouble })).toMatchObject(outcome);
  expect(posted).toEqual(sent);
});

test.each([
  ['a missing card', 422, { stripe_token: ['A card is required.'], zip: ['Wrong'] }, ['number', 'zip']],
  ['fields', 422, { email: ['Wrong'] }, ['email']],
  ['too many cards', 429, {}, ['card']],
  ['payments that are not available', 503, {}, ['card']],
  ['anything else', 409, {}, ['form']],
])('the refusal of %s is shown where it belongs', (_name, status, errors, fields) => {
  expect(Object.keys(orderErrors({ status, error: 'No', errors })).toSorted()).toEqual(fields);
});

test('a declined card is said to cost nothing', () => {
  expect(orderErrors({ status: 402, error: 'Declined.', errors: {} })).toEqual({
    card: ['Declined.', NOTHING_CHARGED],
  });
});
