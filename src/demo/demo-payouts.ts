/** The demo's payouts, made by the platform's admin over HTTP: one press of three weeks ago that arrived, one of yesterday on its way. */
import { DemoClient, type DemoDeps } from '#src/demo/demo-client.ts';
import { DEMO_ADMIN, DEMO_PASSWORD } from '#src/demo/demo-plan.ts';
import * as demoSql from '#src/demo/demo.sql.ts';

const SYSTEM = { kind: 'system', why: 'the demo is filled before anyone can log in' } as const;
const DAY_MS = 86_400_000;
const FIRST_PRESS_DAYS_AGO = 22;
const CONFIRMED_DAYS_AGO = 20;
/** Younger ones are left to be paid out by anyone who looks at the demo. */
const LEFT_YOUNGER_THAN_DAYS = 45;

/** Each step looks first whether it was done. */
export async function makeDemoPayouts(deps: DemoDeps): Promise<void> {
  const { platform, built, setClock } = deps;
  const nowMs = Date.now();
  const daysAgo = (days: number) => new Date(nowMs - days * DAY_MS);
  const holdDays = platform.config.payoutHoldDays;
  const standing = () => platform.database.read(SYSTEM, demoSql.listPayouts);
  const payOut = async (at: Date, soldUntil: Date) => {
    const ids = await platform.database.read(SYSTEM, (db) => demoSql.listUnpaidOrders(db, soldUntil));
    if (ids.length === 0) return;
    setClock(at);
    const admin = await DemoClient.signIn(built, DEMO_ADMIN.email, DEMO_PASSWORD);
    await admin.post('/api/v1/orders/bulk-pay-out', { ids });
  };

  if ((await standing()).length === 0)
    await payOut(daysAgo(FIRST_PRESS_DAYS_AGO), daysAgo(FIRST_PRESS_DAYS_AGO + holdDays));
  const first = await standing();
  // Where a second person must confirm, the demo's only admin leaves them waiting.
  const mayConfirm = platform.config.payoutSecondApprovalCents === null;
  if (mayConfirm && first.every((payout) => payout.status === 'created') && first.length > 0) {
    setClock(daysAgo(CONFIRMED_DAYS_AGO));
    const admin = await DemoClient.signIn(built, DEMO_ADMIN.email, DEMO_PASSWORD);
    for (const [index, { id }] of first.entries())
      await admin.post(`/api/v1/payouts/${id}/confirm`, { reference: `ACH 20${4711 + index}` });
  }
  if ((await standing()).every((payout) => payout.status === 'paid'))
    await payOut(daysAgo(1), daysAgo(Math.max(LEFT_YOUNGER_THAN_DAYS, holdDays + 1)));
  setClock(new Date());
}
