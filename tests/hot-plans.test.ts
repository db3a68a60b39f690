/** The plans of the most frequent statements, and of others that could grow with a table (docs/capacity.md). */
import pg from 'pg';
import { beforeAll, afterAll, expect, test } from 'vitest';
import { typeParsers } from '#src/platform/db/kysely-driver.ts';
import { HOT_STATEMENTS, OTHER_STATEMENTS, readSamples, type Sample } from '#tests/load/hot-statements.ts';
import { fillLargeTables } from '#tests/load/large-tables.ts';
import { measurePlans, openPlanSession } from '#tests/load/plans.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
let samples: Sample[];
let session: pg.Client;

beforeAll(async () => {
  await fillLargeTables(db.superUrl, { organizations: 200, photos: 40_000, orders: 12_000 }, () => undefined);
  const owner = new pg.Client({ connectionString: db.ownerUrl, types: typeParsers });
  await owner.connect();
  samples = await readSamples(owner, 10);
  await owner.end();
  session = await openPlanSession(db.appUrl);
});
afterAll(() => session.end());

/** A full scan of one of these would be slow for everyone once the table is large. */
const LARGE =
  /^all of (photos|renditions|photo_keywords|orders|order_photos|payment_attempts|ledger_txs|ledger_entries)$/;

test.each(HOT_STATEMENTS)('$name reads few pages, all of them found by an index', async (hot) => {
  const { pages, ways } = await measurePlans(session, hot, samples);
  expect(ways.filter((way) => LARGE.test(way))).toEqual([]);
  expect(pages).toBeGreaterThan(0);
  expect(pages).toBeLessThan(200);
});

test.each(OTHER_STATEMENTS)('$name reads as much as it shows, and scans no table', async (other) => {
  const { rows, pages, ways } = await measurePlans(session, other, samples);
  expect(rows).toBeGreaterThan(0);
  expect(ways.filter((way) => LARGE.test(way))).toEqual([]);
  expect(pages).toBeLessThan(100 + 20 * rows + (other.reads ?? 0));
});
