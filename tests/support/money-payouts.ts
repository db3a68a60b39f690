/** The steps of a history that pay an organization, or collect its debt. */
import { randomUUID } from 'node:crypto';
import type { App } from '#src/app.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { cents } from '#src/shared/money.ts';
import { debtOf, linesOf, mayPayOut, type Model } from '#tests/support/money-model.ts';
import { pick, refusable, type Step } from '#tests/support/money-steps.ts';
import type { TestServer } from '#tests/support/test-server.ts';

type World = { app: App; model: Model; sellerIds: readonly number[]; server: TestServer; admin: Caller };

/** Each performs its step on the product and on the model, and throws if they disagree. */
export function payoutSteps({ app, model, sellerIds, server, admin }: World) {
  async function payOut(step: Extract<Step, { do: 'pay out' }>): Promise<void> {
    const ids = model.orders.map(({ id }) => id);
    if (ids.length === 0) return;
    const wanted = new Map(sellerIds.map((sellerId) => [sellerId, linesOf(model.orders, sellerId)]));
    const answers = await Promise.all(
      Array.from({ length: step.presses }, () => refusable(app.payouts.payOutOrders(admin, ids, { key: null }))),
    );
    const made = answers.flatMap((answer) => answer?.payouts ?? []);
    for (const payout of made) {
      const lines = wanted.get(payout.organization_id);
      const kept = await server.data.ownerQuery<{ id: number; amount: number }>(
        'select order_id as id, amount_cents as amount from payout_lines where payout_id = $1 order by order_id',
        [payout.id],
      );
      const got = kept.map(({ id, amount }) => `${id}:${amount}`).join(' ');
      const should = [...(lines ?? [])].map(([id, amount]) => `${id}:${amount}`).join(' ');
      if (!lines || got !== should) throw new Error(`payout ${payout.id} has ${got} and should have ${should}`);
      wanted.delete(payout.organization_id);
      model.payouts.push({ id: payout.id, seller: payout.organization_id, lines, status: 'created' });
      for (const order of model.orders.filter(({ id }) => lines.has(id))) {
        if (mayPayOut(order)) order.saleIn = payout.id;
        order.paidOut += lines.get(order.id) ?? 0;
      }
    }
    for (const [seller, lines] of wanted) if (lines) throw new Error(`seller ${seller} was not paid out`);
  }

  async function decide(step: Extract<Step, { do: 'decide' }>): Promise<void> {
    const open = model.payouts.filter(({ status }) => status === 'created');
    const payout = pick(open, step.payout);
    if (!payout) return;
    const verdict = () =>
      step.arrives
        ? app.payouts.confirm(admin, payout.id, `wire ${payout.id}`)
        : app.payouts.fail(admin, payout.id, 'The account is closed.');
    await Promise.all([verdict(), verdict()]);
    payout.status = step.arrives ? 'paid' : 'failed';
    if (!step.arrives) freeOrders(payout);
  }

  /** Days later the bank returns a confirmed one. */
  async function returnPayout(step: Extract<Step, { do: 'return' }>): Promise<void> {
    const payout = pick(
      model.payouts.filter(({ status }) => status === 'paid'),
      step.payout,
    );
    if (!payout) return;
    const press = () => app.payouts.markReturned(admin, payout.id, 'The account is closed.');
    await Promise.all([press(), press()]);
    payout.status = 'returned';
    freeOrders(payout);
  }

  function freeOrders(payout: Model['payouts'][number]): void {
    for (const order of model.orders) {
      order.paidOut -= payout.lines.get(order.id) ?? 0;
      if (order.saleIn === payout.id) order.saleIn = null;
    }
  }

  /** A seller pays its debt by invoice; a seller without debt is told so. */
  async function settle(step: Extract<Step, { do: 'settle' }>): Promise<void> {
    const seller = pick(sellerIds, step.seller) ?? 0;
    const debt = debtOf(model, seller);
    const amount = debt.share - [...debt.lines.values()].reduce((sum, cents) => sum + cents, 0);
    const wanted = { organization_id: seller, amount: cents(Math.max(1, amount)), reference: `INV ${randomUUID()}` };
    const answers = await Promise.all(
      Array.from({ length: step.presses }, () => refusable(app.payouts.settle(admin, wanted))),
    );
    if (answers.some((answer) => (answer === null) !== (amount === 0)))
      throw new Error(`a debt of ${amount} was ${amount === 0 ? 'settled' : 'refused'}`);
    if (amount === 0) return;
    model.settlements.push(debt);
    for (const order of model.orders) order.paidOut += debt.lines.get(order.id) ?? 0;
  }

  return { payOut, decide, returnPayout, settle };
}
