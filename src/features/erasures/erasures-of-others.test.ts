/** Anyone can choose another person's name or address: erasing one person must change nothing of anyone else. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { ErasureAnswer } from '#src/features/erasures/erasures.contract.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleAnother(server);
});

const sql = <Row extends object>(text: string, values: unknown[] = []) => server.data.ownerQuery<Row>(text, values);

async function erase(email: string): Promise<ErasureAnswer> {
  const answer = await server.call({
    method: 'POST',
    url: '/api/v1/erasures',
    as: people.tokens.admin,
    payload: { email },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<ErasureAnswer>();
}

/** A contributor of the club: the least that a person can leave behind. */
async function contribute(email: string, name: string): Promise<void> {
  await sql(
    `with made as (insert into galleries (organization_id, name, price_cents) values ($1, 'Any', 0) returning id)
     insert into gallery_contributors (gallery_id, organization_id, name, email) select id, $1, $3, $2 from made`,
    [people.hawks.id, email, name],
  );
}

/** Data of others: a log entry, an email, an imported order, a job and a counter. */
async function othersHave(text: string, email: string): Promise<() => Promise<object[]>> {
  const [line] = await sql<{ id: number }>(
    `insert into audit_log (organization_id, action, object_type, object_id, details) values ($1, 'gallery.changed', 'gallery', '1', jsonb_build_object('note', $2::text, 'sizes', '[1, 2]'::jsonb, 'list', '["x", "y"]'::jsonb)) returning id`,
    [people.hawks.id, text],
  );
  const [mail] = await sql<{ id: number }>(
    `insert into mail_outbox (dedupe_key, recipient, subject, html, body_text) values ('to:' || $1::text || random(), $1, $2, $2, $2) returning id`,
    [email, text],
  );
  const [job] = await sql<{ id: string }>(
    `insert into pgboss.job (name, data, state) values ('password.reset', jsonb_build_object('email', $1::text), 'created') returning id`,
    [email],
  );
  const [record] = await sql<{ id: number }>(
    `with made as (insert into organization_imports (sha256) values (random()::text) returning id)
     insert into imported_records (import_id, dataset, place, organization_id, facts)
     select id, 'orders', 1, $1, jsonb_build_object('email_address', $2::text, 'first_name', 'Joe', 'last_name', 'Other', 'sizes', '[1, 2]'::jsonb) from made
     returning import_id as id`,
    [people.hawks.id, email],
  );
  await sql(`insert into rate_counters (bucket, window_start, hits) values ('reset:to:' || $1::text, now(), 1)`, [
    email,
  ]);
  return () =>
    sql(
      `select (select details from audit_log where id = $1) as line, (select jsonb_build_array(recipient, subject, html, body_text, dedupe_key) from mail_outbox where id = $2) as mail,
              (select data from pgboss.job where id = $3) as job, (select facts from imported_records where import_id = $4) as record,
              (select count(*)::int from rate_counters where bucket = 'reset:to:' || $5::text) as counters`,
      [line?.id, mail?.id, job?.id, record?.id, email],
    );
}

describe('erasing a person changes nothing of others', () => {
  test.each([
    ['an address that ends as theirs', 'm@gmail.test', 'sam@gmail.test'],
    ['an address that theirs goes on after', 'ann@club.co', 'ann@club.com'],
    ['a domain that theirs goes on after', 'kim@club.co', 'kim@club.co.uk'],
    ['an address behind a dot', 'lee@club.test', 'ann.lee@club.test'],
    ['an address in front of a dash', 'pat@club.te', 'pat@club.te-st.test'],
  ])('who have %s', async (_what, email, other) => {
    const look = await othersHave(`Please write to ${other}.`, other);
    const before = await look();
    await contribute(email, 'Zed Person');
    await erase(email);
    expect(await look()).toEqual(before);
  });

  test.each([
    ['a phrase of everyone’s emails', 'your photos'],
    ['a part of words', 'r ph'],
    ['someone else’s own name', 'Joe Other'],
  ])('when they call themselves %s', async (_what, name) => {
    const look = await othersHave('Joe Other, see your photos here', 'joe@others.test');
    const before = await look();
    await contribute('prankster@people.test', name);
    await erase('prankster@people.test');
    expect(await look()).toEqual(before);
  });

  test.each([
    ['JSON', '1, 2'],
    ['JSON with quotes', 'x", "y'],
    ['an expression', '.* (a|'],
    ['letters of other languages', 'José Ñúñez'],
    ['a backslash', 'a\\ \\Z'],
  ])('and it works for people whose name reads as %s', async (_what, name) => {
    const email = `odd-${name.length}-${name.charCodeAt(0)}@people.test`;
    const look = await othersHave('Nothing of theirs', 'ola@others.test');
    const before = await look();
    await contribute(email, name);
    const mine = await othersHave(`${email} is ${name}, and ${name}s`, email);
    await erase(email);
    expect(await look()).toEqual(before);
    const [left] = await mine();
    expect(left).toMatchObject({
      line: { note: `erased is erased, and ${name}s`, sizes: [1, 2], list: ['x', 'y'] },
      record: { email_address: 'erased', first_name: 'Erased', last_name: 'buyer', sizes: [1, 2] },
      job: null,
      counters: 0,
    });
  });
});

describe('exports of an organization’s data', () => {
  const stateOf = async (exportId: number) =>
    (
      await sql<{ state: string; is_open: boolean }>(
        'select state, coalesce(expires_at > now(), false) as is_open from exports where id = $1',
        [exportId],
      )
    )[0];
  const addExport = async (organizationId: number, state: string) =>
    (
      await sql<{ id: number }>(
        `insert into exports (organization_id, state, expires_at) values ($1, $2::text, case when $2::text = 'ready' then now() + interval '7 days' end) returning id`,
        [organizationId, state],
      )
    )[0]?.id ?? 0;

  test('are deleted if they were made before the person was erased', async () => {
    const others = await settleAnother(server);
    const url = `/api/v1/organizations/${others.hawks.id}/members`;
    const email = `former${others.hawks.id}@people.test`;
    const added = await server.call({
      method: 'POST',
      url,
      as: others.tokens.admin,
      payload: { email, first_name: 'Fay', last_name: 'Former' },
    });
    expect(added.statusCode, added.body).toBe(201);
    const [user] = await sql<{ id: number }>('select id from users where email = $1', [email]);
    const ready = await addExport(others.hawks.id, 'ready');
    const neighbors = await addExport(others.stranger.id, 'ready');
    const removed = await server.call({ method: 'DELETE', url: `${url}/${user?.id}`, as: others.tokens.admin });
    expect(removed.statusCode, removed.body).toBeLessThan(300);
    await erase(email);
    expect([(await stateOf(ready))?.is_open, (await stateOf(neighbors))?.is_open]).toEqual([false, true]);
  });

  test('start again if they are being made, so that they contain nothing of the person', async () => {
    const others = await settleAnother(server);
    const email = `buyer${others.hawks.id}@people.test`;
    const asked = await server.call({
      method: 'POST',
      url: `/api/v1/affiliates/${others.hawks.id}/exports`,
      as: others.tokens.owner,
    });
    const { id } = asked.json<{ id: number }>();
    people = { ...people, hawks: others.hawks };
    await contribute(email, 'Bea Buyer');
    // Between reading all rows and marking it as ready.
    const { put } = server.platform.storage;
    let isErased = false;
    server.platform.storage.put = async (key, ...rest) => {
      if (key.endsWith('readme.txt') && !isErased) {
        isErased = true;
        await erase(email);
      }
      return put(key, ...rest);
    };
    try {
      await expect(server.app.exports.make(id)).rejects.toThrow('erased');
    } finally {
      server.platform.storage.put = put;
    }
    expect(isErased).toBe(true);
    expect(await stateOf(id)).toMatchObject({ state: 'waiting' });
    await server.app.exports.make(id);
    expect(await stateOf(id)).toMatchObject({ state: 'ready' });
    const texts: string[] = [];
    for await (const { key } of server.platform.storage.list(`exports/${id}/`))
      texts.push(String(await server.platform.storage.get(key)));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => text.includes(email))).toEqual([]);
  });
});
