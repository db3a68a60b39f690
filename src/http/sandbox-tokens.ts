/**
 * The sandbox card provider's own route (docs/requirements/running.md, "Sandbox cards"). Registered only while that
 * provider is in use.
 */
import { routes } from '#src/http/call.ts';
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

export const sandboxTokenRoutes = routes((server, provider: SandboxProvider) => {
  server.post(
    '/sandbox/tokens',
    {
      config: {
        access: { who: 'anyone', why: 'it plays a card provider, which takes test cards from any browser' },
      },
      schema: { body: tokenBody },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return provider.createToken(request.body);
    },
  );
});
