/** New sessions that take too long to open, while existing ones work: a busy machine, not a database that hangs. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, PUBLIC, type Reader } from '#src/platform/db/db.ts';
import { useTestDatabase } from '#tests/support/test-database.ts';

const data = useTestDatabase();
const UNAVAILABLE = { code: 'unavailable' };

/** The database behind a way that `close` makes silent for sessions that begin later. */
async function openBehindWay() {
  const url = new URL(data.appUrl);
  const socket = `${url.searchParams.get('host') ?? ''}/.s.PGSQL.${url.port || '5432'}`;
  const ends: Socket[] = [];
  let isOpen = true;
  const way = createServer((near) => {
    ends.push(near);
    near.on('error', () => undefined);
    if (!isOpen) return;
    const far = connect(socket);
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const { port } = way.address() as AddressInfo;
  const database = await openDatabase({
    url: `postgres://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`,
    applicationName: 'slow sessions',
    slotWaitMs: 3_000,
  });
  onTestFinished(async () => {
    for (const end of ends) end.destroy();
    await database.close();
    await new Promise((resolve) => way.close(resolve));
  });
  return { database, close: () => (isOpen = false) };
}

const ask = (db: Reader) => sql`select 1`.execute(db);

test('a session that cannot be opened in time fails its own call only, if others are answered meanwhile', async () => {
  const { database, close } = await openBehindWay();
  close();
  const holding = Promise.withResolvers<void>();
  const held = database.read({ kind: 'system', why: 'test' }, async (db) => {
    await holding.promise;
    return ask(db);
  });
  const late = database.read(PUBLIC, ask).catch((error: unknown) => error);
  holding.resolve();
  await held;
  expect(await late).toMatchObject(UNAVAILABLE);
  await expect(database.read(PUBLIC, ask)).resolves.toBeDefined();
});
