/** A month in which an organization paid Sideline by invoice: the list of months and the email show the same. */
import { postings } from '#src/features/ledger/ledger.rules.ts';
import { expect, test } from 'vitest';
import { createLedgerService } from '#src/features/ledger/ledger.service.ts';
import type { StatementAnswer, StatementsAnswer } from '#src/features/statements/statements.contract.ts';
import { addMonths } from '#src/features/statements/statements.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { cents } from '#src/shared/money.ts';
import { sellDue, shareOf } from '#tests/support/due-orders.ts';
import { settleNeighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

let now = new Date();
const server = useTestServer({ clock: { now: () => now } });

test('a paid invoice counts with the payouts, not as earned', async () => {
  const { hawks, tokens } = await settleNeighborhood(server);
  const [order] = await sellDue(server, hawks.id, { amounts: [10_000] });
  const [sale] = await server.data.ownerQuery<{ posted_at: Date }>('select posted_at from ledger_txs limit 1');
  const soldAt = sale?.posted_at ?? now;
  const month = machineDay(soldAt, 'America/New_York').slice(0, 7);
  const ledger = createLedgerService(server.platform);
  const invoice = {
    id: 1,
    organizationId: hawks.id,
    shareCents: cents(0),
    orders: [{ orderId: order?.id ?? 0, amountCents: cents(-1_234) }],
  };
  await server.platform.database.write({ kind: 'system', why: 'test' }, (tx) =>
    ledger.post(tx, postings.settlement(invoice), soldAt),
  );
  now = new Date(`${addMonths(month, 1)}-03T12:00:00Z`);
  const read = async <T>(path: string) =>
    (
      await server.call({
        method: 'GET',
        url: `/api/v1/affiliates/${hawks.id}/statements${path}`,
        as: tokens.parentMember,
      })
    ).json<T>();

  const earned = shareOf(10_000) / 100;
  const listed = (await read<StatementsAnswer>('')).statements.find((each) => each.month === month);
  expect(listed).toMatchObject({ earned, paid_out: 12.34 });
  const { movements } = await read<StatementAnswer>(`/${month}`);
  expect(movements.settled).toBe(12.34);
  expect(await server.app.statementEmails.notifyReady()).toBe(2);
  const emails = await server.data.ownerQuery<{ body_text: string }>(
    `select body_text from mail_outbox where dedupe_key like 'statement-%'`,
  );
  for (const { body_text } of emails) {
    expect(body_text).toContain(`You get: $${earned.toFixed(2)}`);
    expect(body_text).toContain('Payouts: $12.34');
  }
});
