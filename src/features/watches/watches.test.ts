/** Emails about new photos: who may request them, when they are sent, and how they are stopped. */
import pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHILD_NOT_FOUND } from '#src/features/families/families.contract.ts';
import * as words from '#src/features/watches/watches.contract.ts';
import * as watchesSql from '#src/features/watches/watches.sql.ts';
import type { Clock } from '#src/platform/clock.ts';
import { sealText } from '#src/platform/secrets.ts';
import { tag } from '#tests/support/consent-rows.ts';
import { addCarded, addTeam, openCard } from '#tests/support/family-cards.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const NOTIFYING = { kind: 'system', why: 'a test notifies as the worker does' } as const;
const HOUR_MS = 3_600_000;
let aheadMs = 0;
const clock: Clock = { now: () => new Date(Date.now() + aheadMs) };
const server = useTestServer({ clock });
let people: Neighborhood;
let host: string;
let team: { id: number; organizationId: number };
let galleryId: number;

beforeAll(async () => {
  people = await settleAnother(server);
  host = `${people.parent.path}.localhost`;
  team = { id: await addTeam(server, people.hawks.id), organizationId: people.hawks.id };
  await setMode('numbers');
});
beforeEach(async () => {
  aheadMs = 0;
  await server.data.ownerQuery('delete from watches');
  await server.data.ownerQuery('delete from photo_tags');
  // Athletes with a number from another test would also decide about its photos.
  await server.data.ownerQuery('delete from entries');
  await setMode('numbers');
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
});

const setMode = (mode: string, id = people.hawks.id) =>
  server.data.ownerQuery(
    `insert into athlete_settings (organization_id, mode) values ($1, $2) on conflict (organization_id) do update set mode = $2`,
    [id, mode],
  );
let senders = 0;
let addresses = 0;
const address = () => `parent${++addresses}@families.test`;
const send = (
  payload: object,
  { cookie, on = host, from = `203.0.113.${++senders}` }: { cookie?: string; on?: string; from?: string } = {},
) =>
  server.call({
    method: 'POST',
    url: '/api/v1/watches',
    headers: { host: on, ...(cookie ? { cookie } : {}) },
    remoteAddress: from,
    payload,
  });
const ofNumber = (email: string, number = '10') => send({ email, team_id: team.id, number });
const linkIn = (text: string, what: string) =>
  new URL(new RegExp(`http\\S+/w/${what}\\?\\S+`).exec(text)?.[0].replace(/[)>\]]+$/, '') ?? 'x:');
const keyIn = (text: string, what = 'confirm') => linkIn(text, what).searchParams.get('key') ?? '';
async function watching(email: string, ask = () => ofNumber(email)): Promise<string> {
  expect((await ask()).statusCode).toBe(202);
  const key = keyIn((await server.data.emailsTo(email)).at(-1)?.text ?? '');
  await server.app.watches.confirm(key, false);
  return key;
}
const stop = (
  query: string,
  headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' },
  payload = 'List-Unsubscribe=One-Click',
) => server.call({ method: 'POST', url: `/w/stop?${query}`, headers: { host, ...headers }, payload });

async function addPhotos(count: number, number = '10', id = galleryId): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at++) ids.push(await addReadyPhoto(server, { id, organizationId: people.hawks.id }));
  await tag(
    server,
    people.hawks.id,
    ids.map((photoId) => ({ photoId, teamId: team.id, number })),
  );
  return ids;
}
const notifyAfter = (hours: number) => {
  aheadMs += hours * HOUR_MS;
  return server.app.watches.sendNews();
};

describe('a request', () => {
  test('gets the same answer for every address and team, and sends one email that names no child', async () => {
    await addCarded(server, team, { firstName: 'Quentinella' });
    const email = address();
    const message = words.watchRequested('number 10');
    expect(message).toBe(
      'We sent you an email. Press its button, and we will tell you about new photos of number 10, at most once a day.',
    );
    for (const answer of [await ofNumber(email), await send({ email: address(), team_id: 4711, number: '10' })])
      expect([answer.statusCode, answer.json()]).toEqual([202, { message }]);
    const [first] = await server.data.emailsTo(email);
    expect(first?.subject).toBe('New photos of number 10 of Hawks U12: please confirm');
    expect(JSON.stringify(first)).not.toContain('Quentinella');
  });

  test.each(['private', 'off'])(
    'sends nothing for a number where the mode is %s, nor for a team of another host',
    async (mode) => {
      const [email, other] = [address(), address()];
      await send({ email: other, team_id: team.id, number: '10' }, { on: `${people.stranger.path}.localhost` });
      await setMode(mode);
      expect((await ofNumber(email)).statusCode).toBe(202);
      expect([await server.data.emailsTo(email), await server.data.emailsTo(other)]).toEqual([[], []]);
    },
  );

  test.each([
    [{ email: 'nobody', team_id: 1, number: '10' }, 'email'],
    [{ email: 'a@b.test', team_id: 1, number: '12345' }, 'number'],
    [{ email: 'a@b.test', team_id: 1 }, 'child'],
    [{ email: 'a@b.test', child: 1, team_id: 1, number: '1' }, 'child'],
    [{ email: 'a@b.test' }, 'child'],
    [{ email: 'a@b.test', child: 1, name: 'Maya' }, 'name'],
  ])('with %o is refused under %s', async (payload, field) => {
    const answer = await send(payload);
    expect([answer.statusCode, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([422, [field]]);
  });

  test('about a child needs its card', async () => {
    const maya = await addCarded(server, team);
    const email = address();
    const refused = await send({ email, child: maya.athleteId });
    expect([refused.statusCode, refused.json()]).toMatchObject([404, { error: CHILD_NOT_FOUND }]);
    const cookie = await openCard(server, host, maya);
    expect((await send({ email, child: maya.athleteId }, { cookie })).json()).toEqual({
      message: words.watchRequested('number 10'),
    });
    expect(await server.data.emailsTo(email)).toHaveLength(1);
  });

  test('cannot flood a mailbox: five emails an hour to one address, then silence with the same answer', async () => {
    const email = address();
    for (let number = 1; number <= 8; number++) expect((await ofNumber(email, String(number))).statusCode).toBe(202);
    expect(await server.data.emailsTo(email)).toHaveLength(words.EMAILS_AN_HOUR);
  });

  test('of one sender who asks for many has to wait', async () => {
    const from = '198.51.100.9';
    for (let at = 0; at < words.ASKED_AN_HOUR; at++)
      expect((await send({ email: address(), team_id: 4711, number: '1' }, { from })).statusCode).toBe(202);
    expect((await send({ email: address(), team_id: 4711, number: '1' }, { from })).statusCode).toBe(429);
  });

  test('is kept for at most twenty watches of an address, and confirmed ones are not replaced by strangers’', async () => {
    const email = address();
    await server.data.ownerQuery(
      `insert into watches (organization_id, email, team_id, number, key_hash, key_encrypted, asked_at)
       select $1, $2, $3, n::text, sha256(n::text::bytea), '', now() - make_interval(mins => 100 - n) from generate_series(100, 119) n`,
      [people.hawks.id, email, team.id],
    );
    const count = async () =>
      (
        await server.data.ownerQuery<{ count: number }>(
          'select count(*)::integer as count from watches where email = $1',
          [email],
        )
      )[0]?.count;
    await watching(email);
    expect(await count()).toBe(words.MAX_OPEN_WATCHES);
    await server.data.ownerQuery('update watches set confirmed_at = now() where email = $1', [email]);
    await ofNumber(email, '99');
    expect([await count(), (await server.data.emailsTo(email)).length]).toEqual([words.MAX_OPEN_WATCHES, 1]);
  });
});

describe('new photos', () => {
  test('are never sent to anyone who has not confirmed', async () => {
    const email = address();
    await ofNumber(email);
    await addPhotos(3);
    for (const hours of [3, 30, 24 * 8]) await notifyAfter(hours);
    expect(await server.data.emailsTo(email)).toHaveLength(1);
    expect(await server.data.ownerQuery('select id from watches where email = $1', [email])).toEqual([]);
  });

  test('come in one email once the gallery was quiet for two hours, without withheld ones', async () => {
    const email = address();
    await watching(email);
    const photos = await addPhotos(25);
    const hidden = await addPhotos(2);
    await server.data.ownerQuery('update photos set show_in_gallery = false where id = any ($1)', [hidden]);
    expect(await notifyAfter(1.9)).toBe(0);
    expect(await notifyAfter(0.2)).toBe(1);
    const [, told, ...more] = await server.data.emailsTo(email);
    expect([told?.subject, more]).toEqual(['25 new photos of number 10 of Hawks U12', []]);
    expect(told?.text).toContain(`/gallery/${galleryId}?search=10`);
    expect(photos).toHaveLength(25);
    for (const hours of [0, 1, 30]) expect(await notifyAfter(hours)).toBe(0);
  });

  test('of one day are sent at most once, and later ones the day after', async () => {
    const email = address();
    await watching(email);
    await addPhotos(2);
    await notifyAfter(3);
    await addPhotos(3, '10', await openGallery(server, people.tokens.owner, people.hawks.id));
    await server.data.ownerQuery(`update photo_tags set at = at + interval '3 hours' where gallery_id <> $1`, [
      galleryId,
    ]);
    expect(await notifyAfter(3)).toBe(0);
    expect(await notifyAfter(22)).toBe(1);
    expect((await server.data.emailsTo(email)).slice(1).map(({ subject }) => subject)).toEqual([
      '2 new photos of number 10 of Hawks U12',
      '3 new photos of number 10 of Hawks U12',
    ]);
  });

  test('of a private gallery or of another number are not sent', async () => {
    const email = address();
    await watching(email);
    await addPhotos(2, '11');
    await addPhotos(2, '10', await openGallery(server, people.tokens.owner, people.hawks.id, { is_private: true }));
    expect(await notifyAfter(3)).toBe(0);
  });

  test('of a child are those that its family sees, and of two children in one email with a stop link for each', async () => {
    const [maya, leo] = [
      await addCarded(server, team, { consent: 'family' }),
      await addCarded(server, team, { firstName: 'Leo', number: '7' }),
    ];
    const email = address();
    const cookie = await openCard(server, host, leo, await openCard(server, host, maya));
    for (const { athleteId } of [maya, leo]) await watching(email, () => send({ email, child: athleteId }, { cookie }));
    const [hers, his] = [await addPhotos(2, '77'), await addPhotos(1, '78')];
    await tag(server, people.hawks.id, [
      ...hers.map((photoId) => ({ photoId, athleteId: maya.athleteId })),
      ...his.map((photoId) => ({ photoId, athleteId: leo.athleteId })),
    ]);
    expect(await notifyAfter(3)).toBe(1);
    const told = (await server.data.emailsTo(email)).at(-1);
    expect(told?.subject).toBe('3 new photos');
    expect(told?.text).toContain('2 new photos of number 10 of Hawks U12');
    expect(told?.text).toContain('1 new photo of number 7 of Hawks U12');
    expect(told?.text).not.toMatch(/Maya|Leo/);
    expect(told?.text.match(/\/w\/stop\?key=/g)).toHaveLength(3);
  });

  test.each(['replaced_at', 'refused_at'])('of a child are not sent once its card has ended (%s)', async (ended) => {
    const maya = await addCarded(server, team);
    const email = address();
    const cookie = await openCard(server, host, maya);
    const key = await watching(email, () => send({ email, child: maya.athleteId }, { cookie }));
    const photos = await addPhotos(1, '77');
    await tag(
      server,
      people.hawks.id,
      photos.map((photoId) => ({ photoId, athleteId: maya.athleteId })),
    );
    await server.data.ownerQuery(`update athlete_cards set ${ended} = now() where athlete_id = $1`, [maya.athleteId]);
    expect(await notifyAfter(3)).toBe(0);
    expect((await stop(`key=${key}`)).statusCode).toBe(404);
  });

  test('of a number are not sent once numbers are no longer public', async () => {
    await watching(address());
    await addPhotos(1);
    await setMode('private');
    expect(await notifyAfter(3)).toBe(0);
  });

  test('of a number are not sent for an exception of an unpublished child', async () => {
    const [email, number] = [address(), '87'];
    await watching(email, () => ofNumber(email, number));
    const maya = await addCarded(server, team, { number, consent: 'no' });
    const [photoId] = await addPhotos(1, number);
    await server.data.ownerQuery(
      "insert into photo_exceptions (photo_id, athlete_id, organization_id, reason) values ($1, $2, $3, 'Seen from behind')",
      [photoId, maya.athleteId, people.hawks.id],
    );
    expect(await notifyAfter(3)).toBe(0);
  });

  test('of two clubs go to one address in two runs, each counted in its limit of an hour', async () => {
    const email = address();
    await watching(email);
    await addPhotos(1);
    const { tides, tokens } = people;
    await setMode('numbers', tides.id);
    const theirs = { teamId: await addTeam(server, tides.id), number: '4' };
    await watching(email, () => send({ email, team_id: theirs.teamId, number: '4' }));
    const id = await openGallery(server, tokens.neighbor, tides.id);
    const photoId = await addReadyPhoto(server, { id, organizationId: tides.id });
    await tag(server, tides.id, [{ photoId, ...theirs }]);
    expect([await notifyAfter(3), await notifyAfter(0), await notifyAfter(0)]).toEqual([1, 1, 0]);
  });

  test('are not sent if another worker has sent one of the same email', async () => {
    const email = address();
    for (const number of ['10', '7']) {
      await watching(email, () => ofNumber(email, number));
      await addPhotos(1, number);
    }
    const now = new Date(Date.now() + 3 * HOUR_MS);
    const { database } = server.platform;
    const ours = await database.read(NOTIFYING, (db) => watchesSql.listNews(db, now, 10));
    expect(ours).toHaveLength(2);
    await server.data.ownerQuery('update watches set last_sent_at = $2 where id = $1', [ours[0]?.watchId, now]);
    expect(await database.write(NOTIFYING, (tx) => watchesSql.markNotified(tx, [ours], now))).toEqual([]);
  });

  test('are sent once by two workers', async () => {
    const email = address();
    await watching(email);
    await addPhotos(1);
    aheadMs = 3 * HOUR_MS;
    await Promise.all([server.app.watches.sendNews(), server.app.watches.sendNews(), server.app.watches.sendNews()]);
    expect(await server.data.emailsTo(email)).toHaveLength(2);
  });
});

describe('stopping the emails', () => {
  test('takes one click in the mail program, without a session, with any kind of form', async () => {
    const email = address();
    await watching(email);
    await addPhotos(1);
    expect(await notifyAfter(3)).toBe(1);
    const told = (await server.data.emailsTo(email)).at(-1);
    const url = new URL(told?.stop ?? 'x:');
    expect(url.pathname).toBe('/w/stop');
    const answer = await stop(url.searchParams.toString());
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      'You will get no more emails about number 10 of Hawks U12.',
    ]);
    const again = await stop(
      url.searchParams.toString(),
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    );
    expect(again.statusCode).toBe(200);
    await addPhotos(1);
    expect(await notifyAfter(30)).toBe(0);
  });

  test('can be undone, for one player or for all', async () => {
    const email = address();
    const [ten, seven] = [await watching(email), await watching(email, () => ofNumber(email, '7'))];
    const stopped = async () =>
      (
        await server.data.ownerQuery<{ number: string }>(
          'select number from watches where email = $1 and stopped_at is not null order by number',
          [email],
        )
      ).map(({ number }) => number);
    const page = await stop(`key=${ten}`, undefined, 'from=page');
    expect([page.statusCode, page.headers.location]).toEqual([303, `/w/stop?key=${ten}&done=yes`]);
    expect(await stopped()).toEqual(['10']);
    await server.app.watches.confirm(ten, false);
    expect(await stopped()).toEqual([]);
    await stop(`key=${seven}&all=yes`);
    expect(await stopped()).toEqual(['10', '7']);
    await server.app.watches.confirm(seven, true);
    expect(await stopped()).toEqual([]);
  });

  test.each(['', 'key=', 'key=x', `key=${'A'.repeat(43)}`])(
    'of a link %s that is invalid is not found',
    async (query) => {
      expect((await stop(query)).statusCode).toBe(404);
    },
  );
});

test('hundreds of addresses that watch one number are notified in few statements, each once a day', async () => {
  await server.data.ownerQuery(
    `with beside as (insert into photo_tags (organization_id, gallery_id, photo_id, team_id, number, how)
       select $1, $4, 1000000 + n, $2, '11', 'hand' from generate_series(1, 600) n)
     insert into watches (organization_id, email, team_id, number, key_hash, key_encrypted, asked_at, confirmed_at)
     select $1, 'many' || n || '@families.test', $2, '10', sha256(('many' || n)::bytea), $3, now() - interval '1 hour', now() - interval '1 hour'
       from generate_series(1, 600) n`,
    [people.hawks.id, team.id, sealText(server.platform.keys.watchKeys, 'k'.repeat(43)).toString('base64'), galleryId],
  );
  await addPhotos(3);
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  expect(await notifyAfter(3)).toBe(600);
  expect(statements.mock.calls.length).toBeLessThan(60);
  statements.mockRestore();
  const [sent] = await server.data.ownerQuery(
    `select count(distinct recipient)::integer as emails, max(due_at) - min(due_at) >= interval '29 seconds' as "twentyASecond"
       from mail_outbox where recipient like 'many%'`,
  );
  expect(sent).toEqual({ emails: 600, twentyASecond: true });
  expect(await notifyAfter(1)).toBe(0);
});
