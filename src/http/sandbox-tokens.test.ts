import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pino from 'pino';
import { buildServer } from '#src/http/build-server.ts';
import { sandboxTokenRoutes } from '#src/http/sandbox-tokens.ts';
import { openSandboxProvider, type SandboxProvider } from '#src/platform/payments/sandbox-provider.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
let provider: SandboxProvider;
let built: Awaited<ReturnType<typeof buildServer>>;

beforeAll(async () => {
  provider = openSandboxProvider({ url: db.appUrl });
  built = await buildServer({
    log: pino({ level: 'silent' }),
    baseDomain: 'sideline.localhost',
    caller: { actorOf: async () => ({ kind: 'visitor' }), visitorOf: () => null },
    metricsToken: null,
    observe: () => undefined,
    takeRequest: () => undefined,
    modules: [sandboxTokenRoutes(provider)],
  } as Parameters<typeof buildServer>[0]);
});
afterAll(async () => {
  await built?.server.close();
  await provider?.close();
});

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', zip: '12345' };
const post = (payload: Record<string, unknown>) =>
  built.server.inject({ method: 'POST', url: '/sandbox/tokens', headers: { host: 'www.sideline.localhost' }, payload });

describe('POST /sandbox/tokens', () => {
  test('returns a token that pays', async () => {
    const answer = await post(card);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^tok_/),
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 },
    });
    expect(await provider.cardOf(answer.json<{ id: string }>().id)).toMatchObject({ last4: '4242' });
  });

  test("refuses a wrong check digit with 402 and the provider's message", async () => {
    const answer = await post({ ...card, number: '4242424242424241' });
    expect(answer.statusCode).toBe(402);
    expect(answer.json()).toMatchObject({
      error: 'Your card number is incorrect.',
      errors: { number: ['Your card number is incorrect.'] },
    });
  });

  test('refuses invalid card data with 422 and all fields together', async () => {
    const answer = await post({ ...card, exp_month: 13, cvc: '1', zip: '' });
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual(['exp_month', 'cvc', 'zip']);
  });

  test.each([
    ['a missing field', { ...card, cvc: undefined }, 'cvc'],
    ['a number that is no text', { ...card, number: 4242424242424242 }, 'number'],
    ['a list for a field', { ...card, exp_year: [2040] }, 'exp_year'],
    ['null for a field', { ...card, zip: null }, 'zip'],
    ['an endless number', { ...card, number: '4'.repeat(10_000) }, 'number'],
    ['an unknown field', { ...card, name: 'x' }, 'name'],
  ])('refuses %s under its field', async (_what, body, field) => {
    const answer = await post(body);
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual([field]);
  });
});
