import { describe, expect, test } from 'vitest';
import { payloadOf } from '#src/features/webhooks/webhook-payloads.rules.ts';
import { shortened } from '#src/features/webhooks/webhook-sending.rules.ts';
import * as rules from '#src/features/webhooks/webhook-words.rules.ts';

describe('a webhook in words', () => {
  const on = { active: true, paused_at: null, failing_since: null };
  test.each([
    [on, 'On'],
    [{ ...on, failing_since: '2026-05-09T12:00:00Z' }, 'Failing'],
    [{ ...on, active: false, failing_since: '2026-05-09T12:00:00Z' }, 'Off'],
    [{ ...on, active: false, paused_at: '2026-05-09T12:00:00Z' }, 'Paused'],
  ])('%j is %s', (endpoint, word) => {
    expect(rules.statusOf(endpoint).word).toBe(word);
  });

  test.each([
    [{ state: 'delivered', attempts: 2, status: 204 } as const, 'Delivered', '204'],
    [{ state: 'failed', attempts: 9, status: null } as const, 'Failed', 'No answer'],
    [{ state: 'waiting', attempts: 0, status: null } as const, 'Waiting', 'Not sent yet'],
    [{ state: 'waiting', attempts: 1, status: 500 } as const, 'Waiting to try again', '500'],
  ])('a delivery that is %j is "%s", with "%s"', (delivery, outcome, status) => {
    expect([rules.outcomeOf(delivery).word, rules.statusWords(delivery)]).toEqual([outcome, status]);
  });

  test('names events, times and hosts', () => {
    expect([
      rules.eventWords('payout.paid'),
      rules.eventWords('webhook.test'),
      rules.eventWords('order.stolen'),
    ]).toEqual(['A payout was sent', 'A test', 'order.stolen']);
    expect([rules.durationWords(85), rules.durationWords(2_345)]).toEqual(['85 ms', '2.3 s']);
    expect([rules.hostWords('https://a.org:8443/x?y'), rules.hostWords('no address')]).toEqual([
      'a.org:8443',
      'no address',
    ]);
  });
});

test.each([
  ['short', 'ok', 'ok'],
  ['with controls', '  a\u0000b\u001b[31m\u202e ', 'ab[31m'],
  ['as long as may be', 'x'.repeat(500), 'x'.repeat(500)],
  ['longer', 'x'.repeat(501), `${'x'.repeat(499)}…`],
  ['with half a character', 'half \ud83d', 'half \ufffd'],
  ['cut within a character', `${'x'.repeat(498)}😀😀`, `${'x'.repeat(498)}\ufffd…`],
])('a response that is %s is stored as text', (_which, answer, stored) => {
  expect(shortened(answer)).toBe(stored);
});

test('an unknown type is not sent', () => {
  const occurred = { facts: {}, occurredAt: new Date(), organizationId: 1 };
  for (const type of ['order.stolen', 'toString']) expect(() => payloadOf({ type, ...occurred })).toThrow(type);
});
