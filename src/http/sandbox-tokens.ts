/**
 * The sandbox card provider's own route (docs/requirements/running.md, "Sandbox cards"). Registered only while that
 * provider is in use.
 */
import { call, routes } from '#src/http/call.ts';
import { z } from 'zod';
import type { SandboxProvider } from '#src/platform/payments/sandbox-provider.ts';

const text = (field: string) => z.string(`${field} is required.`).max(64, `${field} is too long.`);
const numberOrText = (field: string) => z.union([z.number(), z.string().max(8)], `${field} is required.`);

const tokenBody = z.strictObject({
  number: text('number'),
  exp_month: numberOrText('exp_month'),
  exp_year: numberOrText('exp_year'),
  cvc: text('cvc'),
  zip: text('zip'),
});

const token = z.object({
  id: z.string(),
  card: z.object({ brand: z.string(), last4: z.string(), exp_month: z.number(), exp_year: z.number() }),
});

export const sandboxTokenRoutes = routes((server, provider: SandboxProvider) => {
  server.post(
    '/sandbox/tokens',
    call(
      { who: 'anyone', why: 'it plays a card provider, which takes test cards from any browser' },
      'A token of a test card; only without Stripe keys',
      { body: tokenBody, response: { 200: token } },
      { number: '4242 4242 4242 4242', exp_month: '12', exp_year: '2040', cvc: '123', zip: '02139' },
    ),
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return provider.createToken(request.body);
    },
  );
});
