/** Sandbox cards, and buyers who pay with them without HTTP: for races and for providers with faults. */
import { createApp, type App } from '#src/app.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { PaymentProvider } from '#src/platform/payments/payments.ts';
import { sealText } from '#src/platform/secrets.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { listCharges } from '#tests/support/sandbox-books.ts';

export const GOOD_CARD = '4242424242424242';
export const DECLINED_CARD = '4000000000000002';
/** Accepted by the form and declined by the bank. */
export const POOR_CARD = '4000000000009995';

/** The sandbox's whole response for a card; calls accept it unchanged. */
export async function payWith(server: TestServer, number = GOOD_CARD): Promise<{ id: string }> {
  const payload = { number, exp_month: 12, exp_year: 2040, cvc: '123', zip: '55401' };
  const answer = await server.call({ method: 'POST', url: '/sandbox/tokens', payload });
  if (answer.statusCode !== 200) throw new Error(`the card was not taken: ${answer.body}`);
  return answer.json<{ id: string }>();
}

/** Another process of the same server, whose provider has its own faults. */
export function appWith(server: TestServer, faults: Partial<PaymentProvider>): App {
  const { payments } = server.platform;
  const faulty: PaymentProvider = { ...payments, close: () => Promise.resolve(), ...faults };
  return createApp({ ...server.platform, payments: faulty });
}

/** The caller behind a bearer token; a visitor without one. */
export async function callerOf(server: TestServer, token: string | null): Promise<Caller> {
  return { actor: await server.app.accounts.actorOf(token), visitorId: null, unlocks: new Map(), ip: '203.0.113.7' };
}

/** Gives an organization a card account of its own, or takes its keys away; orders of the account stay as they are. */
export async function setOwnAccount(server: TestServer, organizationId: number, { hasKeys }: { hasKeys: boolean }) {
  const sealed = sealText(server.platform.keys.processorKeys, 'sk_test_own');
  await server.data.ownerQuery(
    `with secret as (update organization_private set stripe_sk_encrypted = $2 where organization_id = $1)
     update organizations set can_add_custom_payment = true, stripe_pk = $3 where id = $1`,
    [organizationId, hasKeys ? sealed : null, hasKeys ? 'pk_test_own' : null],
  );
  server.app.organizations.forget(organizationId);
}

/** Successful charges in the provider's own books, oldest first, with their refunds. */
export async function chargesOf(server: TestServer): Promise<{ amount: number; refunded: number }[]> {
  const charges = await listCharges(server.data);
  return charges
    .filter(({ status }) => status === 'succeeded')
    .map((charge) => ({ amount: charge.amount_cents, refunded: charge.refunded_cents }));
}

/** Sets the age of this server's payments. */
export async function letTimePass(server: TestServer, seconds: number): Promise<void> {
  await server.data.ownerQuery(
    `update account_payments set created_at = created_at - make_interval(secs => $1), sent_at = sent_at - make_interval(secs => $1),
            decided_at = decided_at - make_interval(secs => $1)`,
    [seconds],
  );
}
