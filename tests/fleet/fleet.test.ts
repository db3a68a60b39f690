/**
 * Sideline on many machines, each part killed under load (issue: "lost nothing"). One story from top to bottom: the
 * tests follow one another, while people look at pages, buy and upload all the time; the last ones count the results.
 * `npm run test:fleet`; it needs haproxy and Ceph from Debian.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '#src/platform/db/client.ts';
import { makeGallery } from '#tests/load/made-gallery.ts';
import { makeOwner } from '#tests/load/made-owner.ts';
import { startFleet, untilTrue, type Fleet } from '#tests/fleet/support/fleet.ts';
import { letPeopleIn, ORDER_CENTS, type People } from '#tests/fleet/support/people.ts';
import { promote, type PostgresServer } from '#tests/fleet/support/postgres-pair.ts';
import type { Program } from '#tests/fleet/support/program.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** How long a killed part stays down, as on a machine that restarts it. */
const AWAY_MS = 2_000;
/** Far more than it takes, here and below: a busy machine is not a failure. */
const SETTLED_WITHIN_MS = 300_000;
/** Four seconds of a quiet machine: the second until the decision, and two checks. */
const AWAY_AT_MOST_MS = 120_000;
/**
 * More programs for each core are too many: the product itself refuses some pages for lack of time ("This site is very
 * busy."), and haproxy takes slow processes for dead. The fleet alone makes two or three.
 */
const BUSY_PROGRAMS_A_CORE = 8;
/** What happened so long before something was lost may be the reason. */
const BUSY_BEFORE_MS = 3_000;
const run = promisify(execFile);

let fleet: Fleet;
let people: People;
/** How many programs ran or waited for a core, all the time. */
const crowds: { at: number; programs: number }[] = [];
let looking: NodeJS.Timeout | undefined;
/** Printed at the end, for docs/operations.md. */
const figures: string[] = [];

beforeAll(async () => {
  looking = setInterval(() => crowds.push({ at: Date.now(), programs: programsThatRun() }), 100);
  fleet = await startFleet();
  const made = await makeGallery(fleet.ownerUrl, 0);
  const owner = await makeOwner(fleet, made.organizationId);
  const bytes = await picture(1);
  let sold = 0;
  const isSent = async () => {
    sold = await owner.claim(made.galleryId, await owner.store(made.galleryId, bytes, 'sold.jpg'));
    return true;
  };
  await untilTrue('a photo is sent', isSent, SETTLED_WITHIN_MS);
  await untilTrue('the photo for sale', () => owner.isReady(made.galleryId, sold), SETTLED_WITHIN_MS);
  people = letPeopleIn({ url: fleet.url, shop: { ...made, photoIds: [sold] }, owner, cards: fleet.cards, picture });
  await untilServed(Date.now());
}, 900_000);

afterAll(async () => {
  clearInterval(looking);
  const troubles = [...(people?.troubles ?? [])].map(([trouble, count]) => `  ${count} × ${trouble}`);
  process.stdout.write(`${[...figures, 'not acknowledged at once:', ...troubles].join('\n')}\n`);
  await people?.leave().catch(() => undefined);
  await fleet?.stop();
}, 300_000);

/** Small enough that two processors develop it while everything else runs. */
const picture = (seed: number): Promise<Buffer> =>
  sharp({
    create: {
      width: 900,
      height: 600,
      channels: 3,
      background: { r: seed % 256, g: (seed >> 8) % 256, b: 90 },
      noise: { type: 'gaussian', mean: 120, sigma: 20 },
    },
  })
    .jpeg({ quality: 80 })
    .toBuffer();

/** Waits until an order and an upload that began after this moment are acknowledged. @returns ms until then */
async function untilServed(since: number): Promise<{ order: number; upload: number }> {
  const first = (list: readonly { sentAt: number; acknowledgedAt: number }[]) =>
    list.find(({ sentAt }) => sentAt > since);
  await untilTrue(
    'an order and an upload',
    async () => Boolean(first(people.orders) && first(people.uploads)),
    SETTLED_WITHIN_MS,
  );
  const after = (list: Parameters<typeof first>[0]) => (first(list)?.acknowledgedAt ?? 0) - since;
  return { order: after(people.orders), upload: after(people.uploads) };
}

/** Pages that were requested since then and not shown. */
const failedPages = (since: number) => people.pages.filter(({ askedAt, status }) => askedAt >= since && status !== 200);

/** How many programs of this machine run or wait for a core at this moment. */
const programsThatRun = (): number => Number(/ (\d+)\/\d+ /.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1]);

/** How many programs wanted each core between two moments; infinitely many where not even this process had its turn. */
function programsACore(from: number, to: number): number {
  const counts = crowds.filter(({ at }) => at >= from && at <= to).map(({ programs }) => programs);
  return counts.reduce((total, count) => total + count, 0) / counts.length / availableParallelism() || Infinity;
}

/** Whether others kept the machine so busy around something that nothing could be served or started in time. */
const wasBusyAround = (from: number, to: number): boolean =>
  programsACore(from - BUSY_BEFORE_MS, to) > BUSY_PROGRAMS_A_CORE;

/**
 * What happened to people on the site while something was done. `failed`: pages that they did not get. Those that failed
 * while other programs kept the machine too busy are printed at the end, and are not counted.
 */
async function during(
  what: string,
  work: () => Promise<void>,
): Promise<{ since: number; failed: typeof people.pages }> {
  const since = Date.now();
  const before = { pages: people.pages.length, orders: people.orders.length, uploads: people.uploads.length };
  await work();
  const now = Date.now();
  const all = failedPages(since);
  const failed = all.filter(({ askedAt, answeredAt }) => !wasBusyAround(askedAt, answeredAt));
  const sum = (name: 'pages' | 'orders' | 'uploads') => people[name].length - before[name];
  figures.push(
    `${what}: ${((now - since) / 1000).toFixed(1)} s, ${sum('pages')} pages, ${all.length} not shown, ${sum('orders')} orders, ${sum('uploads')} uploads, ${programsACore(since, now).toFixed(1)} programs a core`,
  );
  return { since, failed };
}

async function restart(program: Program, isServer: boolean): Promise<void> {
  const code = await program.stop();
  expect(code, `${program.name} stops in order; its last words: ${program.lastWords()}`).toBe(0);
  await program.start();
  if (isServer) await fleet.balancer.untilServer(`web/${program.name}`, 'UP');
}

const one = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no ${index}`);
  return found;
};

test('every page is answered while a web process is killed and started again', async () => {
  const { failed } = await during('web process killed', async () => {
    const web = one(fleet.webs, 1);
    await web.kill();
    await sleep(AWAY_MS);
    await web.start();
    await fleet.balancer.untilServer(`web/${web.name}`, 'UP');
  });
  expect(failed).toEqual([]);
});

test('a killed worker leaves its jobs to the other', async () => {
  const { failed } = await during('worker killed', async () => {
    const worker = one(fleet.workers, 0);
    await worker.kill();
    await sleep(AWAY_MS);
    await worker.start();
  });
  expect(failed).toEqual([]);
});

test('restarted one after the other, all processes lose no page', async () => {
  const { failed } = await during('rolling restart', async () => {
    const each = async (programs: readonly Program[], isServer: boolean) => {
      for (const program of programs) await restart(program, isServer);
    };
    await Promise.all([each(fleet.webs, true), each(fleet.workers, false)]);
  });
  expect(failed).toEqual([]);
});

test('pages are shown and orders are taken while the store is down', async () => {
  const { failed } = await during('store killed', async () => {
    await fleet.store.killGateway();
    const awaySince = Date.now();
    await sleep(2 * AWAY_MS);
    const isTaken = async () => people.orders.some(({ sentAt }) => sentAt > awaySince);
    await untilTrue('an order without the store', isTaken, SETTLED_WITHIN_MS);
    await fleet.store.startGateway();
    await untilServed(Date.now());
  });
  expect(failed).toEqual([]);
});

test('orders wait for a killed standby, and none is lost', async () => {
  await during('standby killed', async () => {
    await fleet.standby.kill();
    await sleep(2 * AWAY_MS);
    await fleet.standby.start();
    await untilServed(Date.now());
  });
});

/** Kills the server that takes writes and promotes the other. */
async function failOver(from: PostgresServer, to: PostgresServer, name: string): Promise<void> {
  const { since, failed } = await during(`primary killed, ${name} promoted`, async () => {
    const killedAt = Date.now();
    await from.kill();
    // A failover manager needs a moment to be sure.
    await sleep(1_000);
    const decidedAt = Date.now();
    await promote(to);
    const promotedAt = Date.now();
    await fleet.balancer.untilServer(`database/${name}`, 'UP');
    const seenAt = Date.now();
    const { order, upload } = await untilServed(killedAt);
    figures.push(
      `  promoted in ${promotedAt - decidedAt} ms, seen by haproxy after ${seenAt - promotedAt} ms more; first order ${order} ms, first upload ${upload} ms after the kill`,
    );
    await untilServed(seenAt);
  });
  const away = failedPages(since);
  const last = Math.max(since, ...away.map(({ askedAt }) => askedAt));
  const answers = [...new Set(away.map(({ status }) => status))].join(', ');
  figures.push(`  pages were away for ${last - since} ms at most: ${answers}`);
  // Our page says so and retries automatically; haproxy's own would stay.
  expect(failed.filter(({ saysSo }) => !saysSo)).toEqual([]);
  expect(last - since).toBeLessThan(AWAY_AT_MOST_MS);
}

test('the standby takes over from a killed primary', () => failOver(fleet.primary, fleet.standby, 'postgres_2'));

test('a new standby, in place of the old primary, takes over in turn', async () => {
  await during('new standby made', () => fleet.replacePrimary());
  await failOver(fleet.standby, fleet.primary, 'postgres_1');
});

test('all web processes and haproxy, killed together, work again', async () => {
  await during('haproxy and all web processes killed', async () => {
    await Promise.all([fleet.balancer.kill(), ...fleet.webs.map((web) => web.kill())]);
    await fleet.balancer.start();
    // haproxy takes every server for healthy until its first check, the standby too, and then closes the connections
    // that it sent there. A process that starts just then exits, for its host to restart it; here no other process may
    // exit on its own.
    await Promise.any(['postgres_1', 'postgres_2'].map((one) => fleet.balancer.untilServer(`database/${one}`, 'DOWN')));
    await Promise.all(fleet.webs.map((web) => web.start()));
    await untilServed(Date.now());
  });
});

const query = <Row extends object>(text: string): Promise<Row[]> =>
  withClient(fleet.ownerUrl, async (client) => (await client.query<Row>(text)).rows);
const numberOf = async (text: string): Promise<number> =>
  Number((await query<{ n: string }>(`select count(*) as n from ${text}`))[0]?.n);

test('no process exited on its own', () => {
  const ownEnds = [...fleet.webs, ...fleet.workers].flatMap((program) => program.ownEnds());
  figures.push(`processes that ended by themselves: ${ownEnds.length}`);
  expect(ownEnds.filter(({ at }) => !wasBusyAround(at, at))).toEqual([]);
});

test('every order and every upload was acknowledged in the end', async () => {
  await people.leave();
  await untilTrue(
    'all photos and emails',
    async () =>
      (await numberOf("photos where status = 'processing'")) === 0 &&
      (await numberOf('mail_outbox where sent_at is null')) === 0,
    SETTLED_WITHIN_MS,
  );
  const repeated = (list: readonly { attempts: number }[]) => list.filter(({ attempts }) => attempts > 1).length;
  figures.push(
    `in all: ${people.pages.length} pages, ${failedPages(0).length} not shown; ${people.orders.length} orders (${repeated(people.orders)} sent more than once), ${people.uploads.length} uploads (${repeated(people.uploads)})`,
  );
});

test('each order exists once, charged once, in the books once', async () => {
  const rows = await query<{ checkout_key: string; vanity_id: string; status: string; total: number }>(
    'select checkout_key, vanity_id, status, (subtotal_cents + tax_cents + donation_cents)::int as total from orders order by checkout_key',
  );
  const acknowledged = people.orders.map(({ key }) => ({
    checkout_key: key.checkoutKey,
    vanity_id: key.vanityId,
    status: 'paid',
    total: ORDER_CENTS,
  }));
  expect(rows).toEqual(acknowledged.toSorted((a, b) => (a.checkout_key < b.checkout_key ? -1 : 1)));
  const charged = [...fleet.cards.books.charges.values()];
  expect(charged.map(({ amount }) => amount)).toEqual(rows.map(({ total }) => total));
  expect(fleet.cards.books.refunds).toEqual([]);
  expect(await numberOf("ledger_txs where kind = 'sale'")).toBe(rows.length);
});

test('each buyer got their receipt, and a second one only under the same Message-ID', async () => {
  const mails = fleet.mail.messages.map((text) => ({ to: headerOf(text, 'To'), id: headerOf(text, 'Message-ID') }));
  const distinct = new Map(mails.map((mail) => [mail.id, mail.to]));
  const buyers = [...distinct.values()].filter((to) => to.endsWith('@buyers.test'));
  figures.push(`emails: ${mails.length} delivered, ${mails.length - distinct.size} of them again`);
  expect(buyers.toSorted()).toEqual(people.orders.map(({ key }) => `${key.checkoutKey}@buyers.test`).toSorted());
});

const headerOf = (message: string, name: string): string =>
  new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(message)?.[1] ?? '';

test('each uploaded photo exists once, and is ready', async () => {
  const photos = await query<{ name: string; status: string; problem: string | null }>(
    "select name, status, problem from photos where name <> 'bench'",
  );
  const acknowledged = people.uploads.map(({ key }) => ({ name: key, status: 'ready', problem: null }));
  expect(photos.toSorted(byName)).toEqual(acknowledged.toSorted(byName));
});

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);

test.each(['check-invariants.ts', 'storage-check.ts'])('%s finds nothing wrong', async (script) => {
  const env = { PATH: process.env.PATH, ...fleet.env, DATABASE_URL: fleet.ownerUrl };
  const { stdout } = await run(process.execPath, [path.join(ROOT, 'scripts', script)], { cwd: ROOT, env });
  figures.push(`${script}: ${stdout.trim().split('\n').at(-1)}`);
});
