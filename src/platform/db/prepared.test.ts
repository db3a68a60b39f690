import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Reader, type Writer } from '#src/platform/db/db.ts';
import { asPrepared, namesOfPrepared, prepared } from '#src/platform/db/prepared.ts';
import { grouped, statementOf } from '#src/platform/db/statement-group.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const db = useTestDatabase();
const SYSTEM = { kind: 'system', why: 'test' } as const;

/** The statements that the session has prepared, among texts with `words`. */
const keptWith = async (tx: Reader, words: string) =>
  (
    await sql<{ generic: number; custom: number }>`
      select generic_plans as generic, custom_plans as custom from pg_prepared_statements
       where statement like ${`%${words}%`} and name like 'prepared_%'`.execute(tx)
  ).rows;

describe('a prepared statement', () => {
  it('is parsed once per session, and its plan is kept', async () => {
    await db.database.write(SYSTEM, async (tx) => {
      for (let id = 0; id < 8; id++)
        await sql`${prepared} select id from orders where id = ${id} /* often */`.execute(tx);
      const [kept, ...others] = await keptWith(tx, 'often');
      expect(others).toEqual([]);
      expect(kept).toEqual({ generic: 3, custom: 5 });
    });
  });

  it('may be built', async () => {
    await db.database.write(SYSTEM, async (tx) => {
      await tx.selectFrom('orders').modifyFront(prepared).select('zip').where('id', '=', 1).execute();
      expect(await keptWith(tx, '"zip"')).toHaveLength(1);
    });
  });

  it('is the exception: every other statement is planned for its values each time', async () => {
    await db.database.write(SYSTEM, async (tx) => {
      for (let id = 0; id < 8; id++) await sql`select id from orders where id = ${id} /* seldom */`.execute(tx);
      expect(await keptWith(tx, 'seldom')).toEqual([]);
    });
  });

  it('sees only what its scope allows after another scope used the session', async () => {
    const look = (tx: Writer) =>
      sql<{ id: number }>`${prepared} select organization_id as id from organization_private`.execute(tx);
    for (let turn = 0; turn < 8; turn++) {
      expect((await db.database.write(SYSTEM, look)).rows).toHaveLength(1);
      expect((await db.database.write({ kind: 'tenants', organizationIds: [77] }, look)).rows).toEqual([]);
    }
  });

  it('works after a migration changed its columns, after one failure', async () => {
    await db.ownerQuery(
      'create table changing (id int); grant select on changing to public; insert into changing values (1)',
    );
    const look = () => db.database.write(SYSTEM, (tx) => sql`${prepared} select * from changing`.execute(tx));
    for (let turn = 0; turn < 8; turn++) await look();
    await db.ownerQuery("alter table changing add column name text default 'x'");
    await expect(look()).rejects.toThrow('cached plan must not change result type');
    expect((await look()).rows).toEqual([{ id: 1, name: 'x' }]);
  });

  it('gets no name unless prepared, nor when there are too many', () => {
    // Names for this test only: using the product's names would take them from every later test.
    const nameOf = namesOfPrepared();
    expect(nameOf('select 1')).toBeUndefined();
    const names = new Set(Array.from({ length: 300 }, (_, n) => nameOf(asPrepared(`select ${n}`))));
    expect(names.size).toBe(201);
    expect(names).toContain(undefined);
    expect(nameOf(asPrepared('select 1'))).toMatch(/^prepared_\d+$/);
  });
});

describe('statements that start together', () => {
  it('run in the order in which they started', async () => {
    const { rows } = await db.database.write(SYSTEM, async (tx) => {
      await sql`create temporary table steps (n int generated always as identity, word text) on commit drop`.execute(
        tx,
      );
      const add = (word: string) => sql`insert into steps (word) values (${word})`.execute(tx);
      await Promise.all(['a', 'b', 'c', 'd'].map(add));
      return sql<{ words: string }>`select string_agg(word, '' order by n) as words from steps`.execute(tx);
    });
    expect(rows).toEqual([{ words: 'abcd' }]);
  });

  it('fail together, with the first error, and leave nothing', async () => {
    await db.ownerQuery('create table kept (n int primary key); grant select, insert on kept to public');
    const insert = (tx: Writer, n: number) => sql`insert into kept values (${n})`.execute(tx);
    const work = (tx: Writer) => Promise.all([insert(tx, 1), insert(tx, 1), insert(tx, 2)]);
    await expect(db.database.write(SYSTEM, work)).rejects.toMatchObject({ code: '23505' });
    expect(await db.ownerQuery('select n from kept')).toEqual([]);
  });

  it('each fail with the stack of their caller, the cause first', async () => {
    await db.ownerQuery('create table named (n int primary key); grant select, insert on named to public');
    async function failing(tx: Writer) {
      await sql`insert into named values (1), (1)`.execute(tx);
    }
    async function skipped(tx: Writer) {
      await sql`insert into named values (2)`.execute(tx);
    }
    const outcomes: PromiseSettledResult<void>[] = [];
    let first: unknown;
    const work = async (tx: Writer) => {
      const both = [failing(tx), skipped(tx)];
      await Promise.all(both.toReversed()).catch((error: unknown) => (first = error));
      outcomes.push(...(await Promise.allSettled(both)));
    };
    await expect(db.database.write(SYSTEM, work)).rejects.toThrow('rolled back');
    const [failure, after] = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null));
    expect(first).toBe(failure);
    expect(failure.stack).toContain('failing');
    expect(failure.cause).toBeUndefined();
    expect(after.stack).toContain('skipped');
    expect(after).toMatchObject({
      code: '23505',
      constraint: 'named_pkey',
      message: failure.message,
      cause: failure,
    });
  });

  it.each([3, 4])('have their own answers beside one whose value cannot be sent, of %i', async (count) => {
    const circular: { self?: object } = {};
    circular.self = circular;
    const ask = (tx: Writer, n: number) =>
      sql<{ n: unknown }>`${prepared} select ${n === 1 ? circular : { n }}::jsonb -> 'n' as n`.execute(tx);
    const work = (tx: Writer) => Promise.allSettled(Array.from({ length: count }, (_, n) => ask(tx, n)));
    const answers = await db.database.write(SYSTEM, work);
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : answer.reason))).toEqual(
      Array.from({ length: count }, (_, n) => (n === 1 ? expect.any(TypeError) : [{ n }])),
    );
    // Its session is closed, or it would miss the prepared statement.
    expect((await db.database.write(SYSTEM, (tx) => ask(tx, 7))).rows).toEqual([{ n: 7 }]);
  });

  it('fail if PostgreSQL is ready without having answered them', async () => {
    const asked = [1, 2].map((n) =>
      statementOf({ name: undefined, text: `select ${n}`, values: [] }, { getTypeParser: () => String }),
    );
    const group = grouped(asked.map(({ query }) => query)) as unknown as { handleReadyForQuery(wire: object): void };
    group.handleReadyForQuery({});
    for (const { answer } of asked) await expect(answer).rejects.toThrow('not answered');
  });

  it('are observed without what begins their transaction', async () => {
    const seen: string[] = [];
    const watched = await openDatabase({
      url: db.appUrl,
      applicationName: 'watched',
      onStatement: ({ text }) => void seen.push(text),
    });
    try {
      seen.length = 0;
      await watched.write(SYSTEM, (tx) => sql`select pg_sleep(0.01)`.execute(tx));
      expect(seen).toEqual(['select pg_sleep(0.01)', 'commit']);
    } finally {
      await watched.close();
    }
  });

  it('prepare later what PostgreSQL did not read after a failure', async () => {
    const ask = (tx: Writer) => sql<{ n: number }>`${prepared} select 7 as n /* unread */`.execute(tx);
    const fail = (tx: Writer) => sql`select 1 / 0`.execute(tx);
    await expect(db.database.write(SYSTEM, (tx) => Promise.all([fail(tx), ask(tx)]))).rejects.toMatchObject({
      code: '22012',
    });
    await db.database.write(SYSTEM, async (tx) => {
      expect((await ask(tx)).rows).toEqual([{ n: 7 }]);
      expect(await keptWith(tx, 'unread')).toHaveLength(1);
    });
  });

  it('each have their own answer, however long it is', async () => {
    const count = (tx: Writer, last: number) =>
      sql<{ n: number }>`select n from generate_series(1, ${last}::int) as n`.execute(tx);
    const [many, none, changed] = await db.database.write(SYSTEM, (tx) =>
      Promise.all([count(tx, 20_000), count(tx, 0), sql`update orders set zip = null where id = -1`.execute(tx)]),
    );
    expect(many.rows.at(-1)).toEqual({ n: 20_000 });
    expect([none.rows, changed.numAffectedRows]).toEqual([[], 0n]);
  });

  it('write nothing after their transaction has ended', async () => {
    await db.ownerQuery('create table late (n int); grant select, insert on late to public');
    const ended = Promise.withResolvers<void>();
    let straggler: Promise<unknown> = Promise.resolve();
    await db.database.write(SYSTEM, async (tx) => {
      await sql`select 1`.execute(tx);
      straggler = ended.promise.then(() => sql`insert into late values (1)`.execute(tx));
    });
    ended.resolve();
    await expect(straggler).rejects.toThrow('The transaction has ended.');
    expect(await db.ownerQuery('select n from late')).toEqual([]);
  });
});
