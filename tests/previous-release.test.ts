/**
 * The previous release works on the schema of this version: its processes run while a new one changes the tables, and
 * it can be started again (decision record 0066). Its statements were recorded while its own tests ran
 * (`tests/upgrades/`); what they do not show, required columns and rules for rows, is compared between both schemas.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { PREVIOUS_RELEASE_SCHEMA } from '#src/platform/db/migrate.ts';
import { migrateTo, readRelease } from '#tests/support/release-data.ts';
import { createTestDatabase, useTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const PREVIOUS = '0.3.0';

/** Triggers that write a row of their own and do not change the written row (migration 0057). */
const NOTES_EVENTS = 'It only notes an event where someone listens.';
/**
 * New rules for rows of tables that the previous release writes, too, and why its rows follow them. Nothing else that
 * could refuse or change its rows may come with this release.
 */
const CREDIT = 'Its orders are of photos, and nothing of them is paid with credit.';
const COUNTS_TOGETHER = 'It counts the rows of a statement together (migration 0170).';
const NEW_RULES: Record<string, string> = {
  'photo_likes photo_likes_counted': COUNTS_TOGETHER,
  'photo_likes photo_likes_uncounted': COUNTS_TOGETHER,
  'photo_votes photo_votes_counted': COUNTS_TOGETHER,
  'photo_votes photo_votes_uncounted': COUNTS_TOGETHER,
  'orders orders_webhook_made_paid': NOTES_EVENTS,
  'orders orders_webhook_paid': NOTES_EVENTS,
  'orders orders_webhook_refunded': NOTES_EVENTS,
  'photos photos_webhook_ready': NOTES_EVENTS,
  'photos photos_webhook_approved': NOTES_EVENTS,
  'galleries galleries_webhook_published': NOTES_EVENTS,
  'payouts payouts_webhook_paid': NOTES_EVENTS,
  'galleries galleries_price_sheet_id_fkey': 'It gives galleries no price sheet (migration 0090).',
  'galleries galleries_price_sheet_added': 'It gives galleries no price sheet.',
  'galleries galleries_price_sheet_changed': 'It gives galleries no price sheet.',
  'photos photos_withheld_by_request':
    'It notes the request behind a moment that is set or cleared; only where consent hides the photo, too, does the moment stay.',
  'photos photos_wished': 'It changes causes alone, and not the photo.',
  'photos photos_forget_tags': 'It gives photos no tags (migration 0113).',
  'photos photos_move_tags': 'It gives photos no tags, and moves none.',
  'photos photos_moved_hold': 'As `photos_held`, for photos that come from another gallery.',
  'photos photos_held': 'It hides new photos where a gallery has teams, and that release gives galleries none.',
  'photos photos_review': 'It differs for changes by triggers alone.',
  'order_photos order_photos_order_offer_id_fkey': 'Its lines have no offer.',
  'orders orders_parts': 'The lines of its orders are their subtotal, which check:invariants has asked of them, too.',
  'orders orders_coupon_use': 'It changes uses of coupons alone, and the orders of that release have none.',
  'orders orders_allowance_use': 'It changes uses of allowances alone, and the orders of that release have none.',
  'orders orders_kind_check': CREDIT,
  'orders orders_credit_cents_check': CREDIT,
  'orders orders_bonus_cents_check': CREDIT,
  'orders orders_credit_returned_cents_check': CREDIT,
  'payment_attempts payment_attempts_credit_cents_check': CREDIT,
  'orders orders_credit_decided': CREDIT,
  'ledger_accounts ledger_accounts_kind_check': 'One kind of account more is allowed.',
  'ledger_entries ledger_entries_account_days': 'It keeps sums of entries and changes none of them (migration 0166).',
  'ledger_entries ledger_entries_open_balances': 'It keeps sums of entries and changes none of them (migration 0160).',
  'organizations organizations_codes_of_parent': 'It fills a column that the release does not know.',
  'sales_changes sales_changes_of_members': 'It lets more be read, and refuses nothing (migration 0161).',
  'sales_days sales_days_parts': 'It takes the parts of a day away with its sums (migration 0162).',
  'sales_days sales_days_of_older_release': 'It adds a note that a day is to be summed anew (migration 0105).',
};

const now = useTestDatabase();
const before = useTestDatabase((dir) =>
  createTestDatabase(dir, ({ ownerUrl }) => migrateTo(PREVIOUS_RELEASE_SCHEMA, ownerUrl)),
);

test('the release whose schema is named is the one whose data and statements are kept', () => {
  const root = path.join(import.meta.dirname, '..');
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  expect(version).toBe(PREVIOUS);
  expect(readRelease(PREVIOUS).schema).toBe(PREVIOUS_RELEASE_SCHEMA);
});

test('every statement of the previous release is understood and allowed', { timeout: 60_000 }, async () => {
  const packed = readFileSync(path.join(import.meta.dirname, 'upgrades', `${PREVIOUS}.statements.json.gz`));
  const statements = JSON.parse(gunzipSync(packed).toString()) as string[];
  expect(statements.length).toBeGreaterThan(700);
  const refused = await withClient(now.appUrl, async (app) => {
    const all: string[] = [];
    for (const text of statements)
      await app.query(`explain (generic_plan) ${text}`).catch((error: Error) => all.push(`${error.message}: ${text}`));
    return all;
  });
  expect(refused).toEqual([]);
});

type Column = { place: string; type: string; mustBeGiven: boolean };

const OURS = "n.nspname in ('public', 'sandbox_provider')";

async function columnsOf(db: TestDatabase): Promise<Map<string, Column>> {
  const rows = await db.ownerQuery<Column & { isNullable: boolean }>(
    `select format('%s.%s.%s', n.nspname, c.relname, a.attname) as place, format_type(a.atttypid, a.atttypmod) as type,
            a.attnotnull and not a.atthasdef and a.attidentity = '' as "mustBeGiven"
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped and ${OURS}`,
  );
  return new Map(rows.map((row) => [row.place, row]));
}

const tableOf = (place: string): string => place.split('.').slice(0, 2).join('.');

test('no column that it uses is missing, of another type, or newly required', async () => {
  const [old, fresh] = [await columnsOf(before), await columnsOf(now)];
  const tables = new Set([...old.keys()].map(tableOf));
  expect(tables.size).toBeGreaterThan(60);
  const wrong = [...old.values()].flatMap(({ place, type, mustBeGiven }) => {
    const column = fresh.get(place);
    if (!column) return [`${place} is gone`];
    if (column.type !== type) return [`${place} is ${column.type} and was ${type}`];
    return column.mustBeGiven && !mustBeGiven ? [`${place} has to be given now`] : [];
  });
  const added = [...fresh.values()].filter(({ place }) => !old.has(place) && tables.has(tableOf(place)));
  wrong.push(...added.filter(({ mustBeGiven }) => mustBeGiven).map(({ place }) => `${place} has to be given`));
  expect(wrong).toEqual([]);
});

/**
 * Constraints, unique indexes, triggers and policies: with their tables, in PostgreSQL's own format. Two schemas have a
 * table `payouts`, so tables that are not in `public` are named with their schema.
 */
async function rulesOf(db: TestDatabase): Promise<Map<string, string>> {
  const rows = await db.ownerQuery<{ place: string; rule: string }>(
    `select r.place, r.rule from (
       select c.oid, format('%s %s', c.oid::regclass, k.conname) as place, pg_get_constraintdef(k.oid) as rule
         from pg_constraint k join pg_class c on c.oid = k.conrelid where k.contype <> 'n'
       union all
       select c.oid, format('%s %s', c.oid::regclass, i.relname), pg_get_indexdef(x.indexrelid)
         from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid where x.indisunique
       union all
       select c.oid, format('%s %s', c.oid::regclass, t.tgname), pg_get_triggerdef(t.oid) || ' ' || md5(f.prosrc)
         from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc f on f.oid = t.tgfoid where not t.tgisinternal
       union all
       select c.oid, format('%s %s', c.oid::regclass, p.polname), concat_ws(' ', p.polcmd, pg_get_expr(p.polqual, c.oid), pg_get_expr(p.polwithcheck, c.oid))
         from pg_policy p join pg_class c on c.oid = p.polrelid
       union all
       select c.oid, format('%s (row-level security)', c.oid::regclass), format('%s %s', c.relrowsecurity, c.relforcerowsecurity)
         from pg_class c where c.relkind in ('r', 'p')
     ) r join pg_class c on c.oid = r.oid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  );
  return new Map(rows.map(({ place, rule }) => [place, rule]));
}

test('no rule for its rows is new or different, unless it is explained why they follow it', async () => {
  const [old, fresh] = [await rulesOf(before), await rulesOf(now)];
  const columns = [...(await columnsOf(before)).keys()];
  const tables = new Set(columns.map((place) => tableOf(place).replace(/^public\./, '')));
  const changed = [...fresh].filter(
    ([place, rule]) =>
      tables.has(place.split(' ', 1).join()) && !place.startsWith('schema_migrations') && old.get(place) !== rule,
  );
  expect(changed.filter(([place]) => NEW_RULES[place] === undefined)).toEqual([]);
  expect(Object.keys(NEW_RULES).filter((place) => !changed.some(([each]) => each === place))).toEqual([]);
});

test('no function that it calls is missing', async () => {
  const functionsOf = async (db: TestDatabase) => {
    const rows = await db.ownerQuery<{ name: string }>(
      `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS}`,
    );
    return rows.map(({ name }) => name);
  };
  const [old, fresh] = [await functionsOf(before), new Set(await functionsOf(now))];
  expect(old.length).toBeGreaterThan(5);
  expect(old.filter((name) => !fresh.has(name))).toEqual([]);
});
