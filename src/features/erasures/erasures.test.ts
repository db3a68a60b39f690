/** Erases a person, and then searches the whole database for their address and name. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { changedFrom, changedTo, type ErasureAnswer } from '#src/features/erasures/erasures.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { buyCredit, offerCredit } from '#tests/support/credit-codes.ts';
import { payWith } from '#tests/support/payer.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { meetAtLock, WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const now = new Date();
const server = useTestServer({ clock: { now: () => now }, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let email: string;
const FIRST = 'Zerlina';
const LAST = 'Quittenbaum';
let persons = 0;
/** The account’s address before. */
const former = () => `former.${persons}@families.test`;

/** Every text, JSON and list column of the database that contains this, ignoring case. */
async function placesOf(text: string): Promise<string[]> {
  const columns = await server.data.ownerQuery<{ place: string; relation: string; column: string }>(
    `select format('%I.%I', n.nspname, c.relname) as relation, quote_ident(a.attname) as column, n.nspname || '.' || c.relname || '.' || a.attname as place
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace join pg_type t on t.oid = a.atttypid
      where c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped and n.nspname in ('public', 'sandbox_provider', 'pgboss')
        and t.typname in ('text', 'varchar', 'citext', 'json', 'jsonb', '_text', 'name', 'bytea', 'inet')`,
  );
  expect(columns.length).toBeGreaterThan(200);
  const found: string[] = [];
  const held = columns.map(
    ({ place, relation, column }) =>
      `select '${place}' as place where exists (select from ${relation} where ${column}::text ilike $1 or ${column}::text ilike $2)`,
  );
  for (let at = 0; at < held.length; at += 100) {
    const rows = await server.data.ownerQuery<{ place: string }>(held.slice(at, at + 100).join(' union all '), [
      `%${text}%`,
      `%${Buffer.from(text).toString('hex')}%`,
    ]);
    found.push(...rows.map(({ place }) => place));
  }
  return found;
}

const post = (body: object, as: string | null = people.tokens.admin) =>
  server.call({ method: 'POST', url: '/api/v1/erasures', as, payload: body });

/** Buys, contributes, is invited, asks, administers: everything that a person can leave behind. */
async function leaveTraces(): Promise<void> {
  const { hawks, tokens } = people;
  const sale = await openSale(server, tokens.owner, hawks.id, { photos: 1 });
  await buyPhotos(server, [sale]);
  const sql = (text: string, values: unknown[] = []) => server.data.ownerQuery(text, values);
  const buyer = [email, FIRST, LAST];
  await sql(
    `update orders set email_address = $1, first_name = $2::text, last_name = $3::text, card_last4 = '4242' where organization_id = $4`,
    [...buyer, hawks.id],
  );
  await sql(
    `update mail_outbox set recipient = $1, body_text = 'Dear ' || $2::text || ' ' || $3::text where dedupe_key in (select 'receipt-' || vanity_id from orders where organization_id = $4)`,
    [...buyer, hawks.id],
  );
  await offerCredit(server, hawks.id);
  const gift = { email, message: `For ${FIRST} ${LAST}` };
  // With another card than the person's: its digits stay with its order.
  const give = async (name: string) =>
    buyCredit(server, hawks.id, {
      gift: { ...gift, name },
      checkout_key: `erasures-${name}-${persons}`,
      stripe_token: await payWith(server, '5555555555554444'),
    });
  expect((await give('grandmother')).statusCode).toBe(201);
  await server.app.creditShop.sendGifts();
  expect((await give('grandfather')).statusCode).toBe(201);
  const [user] = await server.data.ownerQuery<{ id: number }>(
    `with u as (insert into users (email, first_name, last_name, password_hash) values ($1, $2, $3, 'x') returning id),
          m as (insert into memberships (user_id, organization_id, role) select id, $4, 2 from u),
          s as (insert into sessions (token_hash, user_id, expires_at) select sha256(id::text::bytea), id, now() + interval '1 day' from u)
     select id from u`,
    [...buyer, hawks.id],
  );
  await sql(
    `insert into audit_log (actor_id, organization_id, action, object_type, object_id, details, ip)
     values ($1, $2::bigint, 'organization.settings_changed', 'organization', $2::bigint::text, jsonb_build_object('before', $3::text, 'after', $4::text || ' ' || $5::text), '10.9.8.7')`,
    [user?.id, hawks.id, ...buyer],
  );
  await sql(
    `insert into audit_log (actor_id, action, object_type, object_id, details)
     values ($1::bigint, 'account.email_changed', 'user', $1::bigint::text, jsonb_build_object('from', $2::text, 'to', $3::text))`,
    [user?.id, former(), email],
  );
  const [contributor] = await server.data.ownerQuery<{ id: number }>(
    `insert into gallery_contributors (gallery_id, organization_id, name, email, site, visitor_id)
     values ($1, $2, $4::text || ' ' || $5::text, $3, 'https://example.com', gen_random_uuid()) returning id`,
    [sale.galleryId, hawks.id, ...buyer],
  );
  await sql('update photos set gallery_contributor_id = $1 where gallery_id = $2', [contributor?.id, sale.galleryId]);
  await sql(
    'insert into photo_likes (photo_id, visitor_id) select $1, visitor_id from gallery_contributors where id = $2',
    [sale.photoIds[0], contributor?.id],
  );
  await sql(
    `insert into gallery_invites (gallery_id, organization_id, email, key_hash) values ($1, $2, $3::text, sha256($3::text::bytea))`,
    [sale.galleryId, hawks.id, email],
  );
  await sql(
    `insert into takedowns (gallery_id, organization_id, photo_id, contact, reason, guardian, hid_first, asker) values ($1, $2, $3, $4, 'It shows ' || $5::text || ' ' || $6::text, true, true, 'x')`,
    [sale.galleryId, hawks.id, sale.photoIds[0], ...buyer],
  );
  await sql(
    `insert into expert_questions (organization_id, first_name, last_name, email, phone_number, company_name, question) values (1, $2, $3, $1, '1', 'C', 'Q')`,
    buyer,
  );
  await sql(
    `with i as (insert into roster_imports (organization_id, status, row_count, finished_at) values ($4, 'finished', 1, now()) returning id)
     insert into roster_import_rows (import_id, row_no, organization_id, cells, result, messages)
     select id, 2, $4, jsonb_build_object('first_name', $2::text, 'last_name', $3::text, 'family_email', 'a@b.test; ' || $1::text), 'failed', '{}' from i`,
    [...buyer, hawks.id],
  );
  const importFile = (fileName: string, startedBy: string, rowEmail: string) =>
    sql(
      `with i as (insert into bulk_imports (kind, file_name, content_mac, started_by, row_count)
                  select 'users', $1, sha256($1::text::bytea), id, 1 from users where email = $2 returning id)
       insert into bulk_import_rows (import_id, row_no, row_mac, cells) select id, 2, 'x', jsonb_build_object('email', $3::text) from i`,
      [fileName, startedBy, rowEmail],
    );
  await importFile(`${LAST}-${persons}.csv`, people.emails.owner, email);
  await importFile(`from ${FIRST} ${LAST}.csv`, email, 'another@clubs.test');
  await importFile(`for ${email}.csv`, people.emails.owner, 'another@clubs.test');
  await importFile(`accounts-${persons}.csv`, people.emails.owner, 'another@clubs.test');
  await sql(`insert into rate_counters (bucket, window_start, hits) values ('reset:to:' || $1::text, now(), 1)`, [
    email,
  ]);
  await sql(
    `insert into mail_outbox (dedupe_key, recipient, subject, html, body_text) values ('a-note:' || $1::text, 'office@clubs.test', $2::text || ' ' || $3::text || ' asks', '<p>' || upper($1::text) || '</p>', 'from ' || $1::text)`,
    buyer,
  );
  await sql(`update organizations set contact_email = $1, contact_name = $2::text || ' ' || $3::text where id = $4`, [
    ...buyer,
    hawks.id,
  ]);
  await sql(
    `update organization_private set billing_email = $1, billing_name = $2::text || ' ' || $3::text where organization_id = $4`,
    [...buyer, hawks.id],
  );
  await server.call({ method: 'POST', url: '/api/v1/orders/find', payload: { email } });
}

beforeAll(async () => {
  people = await settleAnother(server);
});
beforeEach(() => {
  persons += 1;
  email = `z.quittenbaum+${persons}@families.test`;
});

describe('erasing a person', () => {
  test('leaves no address and no name anywhere in the database, and keeps the books unchanged', async () => {
    await leaveTraces();
    expect((await placesOf(email)).length).toBeGreaterThan(10);
    const sums = () =>
      server.data.ownerQuery(
        'select count(*)::int as orders, sum(total_cents)::int as cents, (select sum(abs(amount_cents))::int from ledger_entries) as moved from orders',
      );
    const broken = () => checkInvariants({ database: server.platform.database, sandboxCards: true });
    const before = [await sums(), await broken()];

    const dry = await post({ email: email.toUpperCase(), dry_run: true });
    expect(dry.statusCode, dry.body).toBe(200);
    const plan = dry.json<ErasureAnswer>();
    expect((await placesOf(email)).length, 'a dry run changes nothing').toBeGreaterThan(10);
    const answer = await post({ email });
    expect(answer.statusCode, answer.body).toBe(200);
    const report = answer.json<ErasureAnswer>();
    expect(report.goes).toEqual(plan.goes);
    expect(report.goes).toEqual(
      expect.arrayContaining([
        { what: 'Name, address and card digits on orders', rows: 1 },
        { what: 'Gifts of credit to this address (one that was not sent yet stays with its giver)', rows: 2 },
        { what: 'Names of imported files with the person', rows: 3 },
        { what: 'Account: name, address and password', rows: 1 },
        // One is about both addresses, and another one has both names.
        { what: 'Lines of the audit log: mentions and network addresses', rows: 2 },
      ]),
    );
    expect(report.stays).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: expect.stringMatching(/^Orders without name/) as string, rows: 1 }),
        expect.objectContaining({ what: 'Photos that the person brought to galleries', rows: 1 }),
      ]),
    );
    for (const trace of [email, former(), FIRST, LAST, '10.9.8.7']) expect(await placesOf(trace), trace).toEqual([]);
    // The card provider's own books are not ours, and neither are the sandbox's.
    const ours = (await placesOf('4242')).filter((place) => !place.startsWith('sandbox_provider.'));
    expect(ours).toEqual([]);
    expect([await sums(), await broken()]).toEqual(before);
    const [line] = await server.data.ownerQuery<{ details: object }>(
      "select details from audit_log where action = 'person.erased'",
    );
    expect(JSON.stringify(line?.details)).not.toContain('@');
    expect((await post({ email })).json()).toMatchObject({ error: 'Nothing is kept under this email address.' });
    await expect(
      server.data.ownerQuery("update audit_log set action = 'x' where action = 'person.erased'"),
    ).rejects.toThrow('append-only');
  });

  test('names the other addresses of an account before, and erases nothing of the one for the other', async () => {
    const [present, past] = ['present@families.test', 'past@families.test'];
    const changed = async (to: string, from: string) => {
      await server.data.ownerQuery(
        `with made as (insert into users (email, first_name, last_name) values ($1, 'Fay', $3) returning id)
         insert into audit_log (actor_id, action, object_type, object_id, details)
         select id, 'account.email_changed', 'user', id::text, jsonb_build_object('from', $2::text, 'to', $1::text) from made`,
        [to, from, 'Later'],
      );
    };
    await changed(present, past);
    const plan = async (of: string) => (await post({ email: of, dry_run: true })).json<ErasureAnswer>();
    expect((await plan(present)).notes).toEqual([changedFrom(past)]);
    expect((await plan(past.toUpperCase())).notes).toEqual([changedTo(present)]);
    // Its next owner has an account, and is told of the first one only.
    await changed(past, 'first@families.test');
    expect((await plan(present)).notes).toEqual([]);
    expect((await plan(past)).notes).toEqual([changedTo(present), changedFrom('first@families.test')]);
    const erased = await post({ email: past });
    expect([erased.statusCode, erased.json<ErasureAnswer>().notes]).toEqual([200, []]);
    expect(await server.data.ownerQuery('select from users where email = $1', [present])).toHaveLength(1);
  });

  test('leaves no password link that is requested meanwhile', async () => {
    await server.data.ownerQuery(`insert into users (email, first_name, last_name) values ($1, $2, $3)`, [
      email,
      FIRST,
      LAST,
    ]);
    await server.app.passwords.sendReset(email);
    const lock = `select from password_resets where user_id = (select id from users where email = '${email}') for update`;
    const [erased] = await meetAtLock(server.data, { lock, sessions: 2 }, async () => {
      const erasing = post({ email });
      await vi.waitFor(async () => expect(await server.data.ownerQuery(WAITING_SESSIONS)).toHaveLength(1), 15_000);
      return Promise.all([erasing, server.app.passwords.sendReset(email)]);
    });
    expect(erased.statusCode, erased.body).toBe(200);
    expect(await placesOf(email)).toEqual([]);
  });

  test('is refused, with every reason, while it would leave an organization without an administrator', async () => {
    const { neighbor: owner } = people.emails;
    const dry = await post({ email: owner, dry_run: true });
    expect(dry.json<ErasureAnswer>().blocked).toEqual([expect.stringContaining('has no other administrator')]);
    const answer = await post({ email: owner });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      { error: expect.stringContaining('give someone else access first') as string },
    ]);
    expect((await post({ email: people.emails.admin })).json()).toMatchObject({
      error: 'Another platform admin has to erase your account.',
    });
  });

  test('is for platform admins with a fresh password; bad addresses are refused', async () => {
    for (const [as, status] of [
      [null, 401],
      [people.tokens.owner, 403],
    ] as const)
      expect((await post({ email, dry_run: true }, as)).statusCode).toBe(status);
    expect((await post({ email: 'nobody' })).statusCode).toBe(422);
    await server.data.ownerQuery("update sessions set confirmed_at = now() - interval '11 minutes'");
    expect((await post({ email })).json()).toMatchObject({ error: 'Please confirm your password.' });
    await server.data.ownerQuery('update sessions set confirmed_at = now()');
  });
});
