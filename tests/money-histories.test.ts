/**
 * Random histories of money against a small reference model (money M13): orders paid, free, declined and sent twice,
 * over the platform and over sellers' own accounts, with price sheets, passes, early birds and codes; credit that is
 * bought, spent alone or with a card, at children of its seller, too, and refunded; refunds of amounts, photos and
 * passes, here and at the provider; disputes, also of charges that bought credit, late fees, crashes and lost answers;
 * payouts requested six times, confirmed, failed or returned by the bank; debts settled by invoice; upgrades and
 * transfers to our bank. After each step the books have the model's balances; after each history every invariant is
 * true, the stored sums of sales included, the reports match the books, and the provider's books match ours.
 * `MONEY_HISTORIES=100` runs this many, `MONEY_STEPS=40` with this many steps, `MONEY_CARTS=12` with up to this many
 * concurrent visitors; `MONEY_SEED` and `MONEY_PATH` repeat a failed one.
 */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { createReportCheck } from '#src/features/reports/reports.service.ts';
import { balancesOf } from '#tests/support/money-model.ts';
import type { Purchase, Step } from '#tests/support/money-steps.ts';
import { openWorld } from '#tests/support/money-world.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000000', PAYOUT_HOLD_DAYS: '0' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const HISTORIES = Number(process.env['MONEY_HISTORIES'] ?? 8);
const STEPS = Number(process.env['MONEY_STEPS'] ?? 11);
const CARTS = Number(process.env['MONEY_CARTS'] ?? 4);
const SEED = Number(process.env['MONEY_SEED'] ?? 20_261_121);

const loss = fc.oneof(
  { weight: 4, arbitrary: fc.constant('none' as const) },
  fc.constantFrom('before' as const, 'after' as const),
);
const index = fc.nat({ max: 50 });
const purchase: fc.Arbitrary<Purchase> = fc.record({
  seller: fc.nat({ max: 2 }),
  photos: fc.integer({ min: 1, max: 3 }),
  donation: fc.oneof(fc.constant(0), fc.integer({ min: 100, max: 2_500 })),
  taxed: fc.boolean(),
  card: fc.oneof({ weight: 6, arbitrary: fc.constant('good' as const) }, fc.constant('poor' as const)),
  loss,
  twice: fc.boolean(),
  pass: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  code: fc.boolean(),
  credit: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: fc.nat({ max: 50 }) }),
  lateFee: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -20, max: 40 })),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('buy' as const),
      carts: fc.array(purchase, { minLength: 1, maxLength: CARTS }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('buy credit' as const),
      seller: fc.nat({ max: 3 }),
      cents: fc.integer({ min: 500, max: 2_500 }),
      bonus: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 500 })),
      card: fc.oneof({ weight: 6, arbitrary: fc.constant('good' as const) }, fc.constant('poor' as const)),
      loss,
      twice: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      order: index,
      part: fc.integer({ min: 1, max: 110 }),
      loss,
      times: fc.integer({ min: 1, max: 3 }),
      elsewhere: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('refund photos' as const),
      order: index,
      photos: fc.array(fc.nat({ max: 2 }), { minLength: 1, maxLength: 3 }),
      pass: fc.boolean(),
      loss,
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('dispute' as const), order: index, half: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), order: index, won: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pay out' as const), presses: fc.constantFrom(1, 2, 6) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('decide' as const), payout: index, arrives: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('return' as const), payout: index }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      seller: fc.nat({ max: 2 }),
      presses: fc.constantFrom(1, 6),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'upgrade' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'transfer' as const }) },
);

/** These photos have no pictures, and emails to these users do not matter. */
const violations = async () =>
  (await checkInvariants({ database: server.platform.database, sandboxCards: true })).filter(
    (line) => !line.startsWith('I7:'),
  );

test(
  `${HISTORIES} histories of up to ${STEPS} steps end as the model says`,
  { timeout: 60_000 + HISTORIES * STEPS * 1_500 },
  async () => {
    const admin = await callerOf(server, people.tokens.admin);
    const played: Record<string, number> = {};
    const history = fc.array(step, { minLength: Math.ceil(STEPS / 2), maxLength: STEPS });
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const world = await openWorld(server, admin, people.tokens.admin);
        for (const each of steps) {
          await world.play(each);
          played[each.do] = (played[each.do] ?? 0) + 1;
          expect(await world.gained()).toEqual(balancesOf(world.model));
          // A later step that changes something without noting its day leaves the stored sums wrong, and breaks their
          // invariant.
          await server.app.keptSales.bringSumsUpToDate();
        }
        await world.hearFees();
        await world.play({ do: 'transfer' });
        expect(await world.gained()).toEqual(balancesOf(world.model));
        expect(await violations()).toEqual([]);
        expect(await createReportCheck(server.platform).differences()).toEqual([]);
      }),
      {
        numRuns: HISTORIES,
        seed: SEED,
        endOnFailure: HISTORIES > 50,
        ...(process.env['MONEY_PATH'] === undefined ? {} : { path: process.env['MONEY_PATH'] }),
      },
    );
    // Recent rows are not compared: an hour later everything is.
    for (const table of ['charges', 'refunds', 'disputes', 'payouts'])
      await server.data.ownerQuery(`update sandbox_provider.${table} set created_at = created_at - interval '2 hours'`);
    await server.data.ownerQuery(
      `update payment_attempts set sent_at = sent_at - interval '2 hours', created_at = created_at - interval '2 hours'`,
    );
    await server.app.reconciliation.runNightly();
    const { runs, differences } = await server.app.reconciliation.overview(admin, 'open', null);
    expect(differences).toEqual([]);
    for (const { ours, theirs } of Object.values(runs[0]?.figures ?? {})) expect(ours).toEqual(theirs);
    expect(Object.keys(played)).toHaveLength(12);
    const moved = await server.data.ownerQuery<{ kind: string; times: number }>(
      'select kind, count(*)::int as times from credit_movements group by kind order by kind',
    );
    expect(moved.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['sold', 'spent']));
    if (process.env['MONEY_HISTORIES'] !== undefined) {
      const [sum] = await server.data.ownerQuery<object>(
        `select (select count(*)::int from orders) as orders, (select count(*)::int from payment_attempts where kind = 'refund') as refunds,
              (select count(*)::int from payouts) as payouts, (select count(*)::int from payment_disputes) as disputes,
              (select count(*)::int from ledger_entries) as entries, (select sum(amount_cents)::int from ledger_entries) as zero`,
      );
      process.stdout.write(`${JSON.stringify({ played, moved, ...sum, figures: runs[0]?.figures })}\n`);
    }
  },
);
