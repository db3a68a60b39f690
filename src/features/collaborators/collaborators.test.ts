/** Inviting over HTTP: the gallery's link, personal invites, and who may do either. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  EXPIRY_INVALID,
  EXPIRY_PAST,
  INVITE_EMAIL_REQUIRED,
  KEY_ACTION_UNKNOWN,
  NO_LINK,
  QUOTA_INVALID,
  type CollaboratorsPage,
  type ContributeKeyAnswer,
} from '#src/features/collaborators/collaborators.contract.ts';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import { quotaAlmostUsedUp, QUOTA_USED_UP } from '#src/features/uploads/uploads.contract.ts';
import { INVALID_EMAIL } from '#src/shared/validators.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { quartersJpeg } from '#tests/support/pictures.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let owner: string;
beforeAll(async () => {
  people = await settleNeighborhood(server);
  owner = people.tokens.owner;
});

const open = (fields: Record<string, unknown> = {}) => openGallery(server, owner, people.hawks.id, fields);
const changeKey = (galleryId: number, payload: object, as: string | null = owner) =>
  server.call({ method: 'POST', url: `/api/v1/galleries/${galleryId}/contribute_key`, as, payload });
const rotated = async (galleryId: number, more: object = {}) =>
  (await changeKey(galleryId, { action: 'rotate', ...more })).json<ContributeKeyAnswer>().contribute_key ?? '';
const check = (key: string) => server.call({ method: 'GET', url: `/api/v1/check-key?contributeKey=${key}` });
const collaborators = async (galleryId: number, after = '') => {
  const url = `/api/v1/galleries/${galleryId}/collaborators${after === '' ? '' : `?${new URLSearchParams({ after })}`}`;
  return (await server.call({ method: 'GET', url, as: owner })).json<CollaboratorsPage>();
};
async function upload(contributeKey: string): Promise<string> {
  const payload = { contributeKey, filename: 'a.jpg' };
  const answer = await server.call({ method: 'POST', url: '/api/v1/policy', payload });
  expect(answer.statusCode, answer.body).toBe(200);
  const { key } = answer.json<{ key: string }>();
  await server.platform.storage.put(key, await quartersJpeg(320, 240), { contentType: 'image/jpeg' });
  return key;
}
const contribute = (contributeKey: string, keys: readonly string[], email = 'ana@families.test', name = 'Ana') =>
  server.call({
    method: 'POST',
    url: '/api/v1/contributor',
    payload: { contributeKey, photos: keys.map((key) => ({ key })), name, email },
  });

describe('the link of a gallery', () => {
  test('is replaced immediately, also for photos being uploaded; submitted ones stay', async () => {
    const id = await open();
    const old = (await collaborators(id)).link?.contribute_key ?? '';
    expect((await contribute(old, [await upload(old)])).statusCode).toBe(200);
    const onItsWay = await upload(old);
    const answer = await changeKey(id, { action: 'rotate' });
    expect(answer.json()).toEqual({
      contribute_key: expect.stringMatching(/^[\w-]{22}$/),
      expires_at: null,
      quota: null,
    });
    const fresh = answer.json<ContributeKeyAnswer>().contribute_key ?? '';
    expect(fresh).not.toBe(old);
    for (const refused of [
      await check(old),
      await contribute(old, [onItsWay]),
      await server.call({ method: 'POST', url: '/api/v1/policy', payload: { contributeKey: old, filename: 'a.jpg' } }),
    ]) {
      expect(refused.statusCode).toBe(404);
      expect(refused.json()).toMatchObject({ error: CONTRIBUTE_KEY_UNKNOWN });
    }
    expect((await contribute(fresh, [onItsWay])).statusCode, 'a file of the old link').toBe(422);
    expect((await check(fresh)).statusCode).toBe(200);
    expect((await collaborators(id)).waiting).toBe(1);
  });

  test('ends, and a new one may be created', async () => {
    const id = await open();
    expect((await changeKey(id, { action: 'revoke' })).json()).toEqual({
      contribute_key: null,
      expires_at: null,
      quota: null,
    });
    expect((await collaborators(id)).link).toBeNull();
    const none = await changeKey(id, { action: 'change', quota: 3 });
    expect(none.statusCode).toBe(409);
    expect(none.json()).toMatchObject({ error: NO_LINK });
    expect(
      (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/contribute_qr`, as: owner })).statusCode,
    ).toBe(404);
    expect((await check(await rotated(id))).statusCode).toBe(200);
  });

  test('has an expiration and a photo limit, which are shown and enforced', async () => {
    const id = await open();
    const year = new Date().getUTCFullYear() + 1;
    const end = `${year}-07-05T04:00:00.000Z`;
    const key = await rotated(id, { expires_at: `${year}-07-04`, quota: 2 });
    // The whole day in New York.
    expect(await collaborators(id)).toMatchObject({
      link: { expires_at: end, is_expired: false, quota: 2, used: 0 },
      time_zone: 'America/New_York',
    });
    expect((await contribute(key, [await upload(key)])).statusCode).toBe(200);
    expect((await collaborators(id)).link).toMatchObject({ quota: 2, used: 1 });
    const two = await contribute(key, [await upload(key), await upload(key)]);
    expect([two.statusCode, two.json()]).toEqual([403, expect.objectContaining({ error: quotaAlmostUsedUp(1) })]);
    const [file, late] = [await upload(key), await upload(key)];
    expect((await contribute(key, [file])).statusCode).toBe(200);
    const payload = { contributeKey: key, filename: 'a.jpg' };
    for (const refused of [
      await contribute(key, [late]),
      await server.call({ method: 'POST', url: '/api/v1/policy', payload }),
    ])
      expect([refused.statusCode, refused.json()]).toEqual([403, expect.objectContaining({ error: QUOTA_USED_UP })]);
    const more = await changeKey(id, { action: 'change', quota: null });
    expect(more.json()).toEqual({ contribute_key: key, expires_at: end, quota: null });
    await server.data.ownerQuery(
      "update contribute_keys set expires_at = now() - interval '1 second' where gallery_id = $1",
      [id],
    );
    expect((await collaborators(id)).link).toMatchObject({ is_expired: true });
    expect((await check(key)).statusCode).toBe(404);
    expect((await changeKey(id, { action: 'change', expires_at: null })).statusCode).toBe(200);
    expect((await check(key)).statusCode).toBe(200);
  });

  test('is not on the public page once it has expired', async () => {
    const id = await open({ allow_public_contributions: true });
    const full = async () => (await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/full` })).json();
    expect(await full()).toMatchObject([{ contribute_key: expect.any(String) }]);
    await server.data.ownerQuery('update contribute_keys set expires_at = now() where gallery_id = $1', [id]);
    expect(await full()).toMatchObject([{ contribute_key: null }]);
  });

  test.each<[object, object]>([
    [{}, { action: [KEY_ACTION_UNKNOWN] }],
    [{ action: 'burn' }, { action: [KEY_ACTION_UNKNOWN] }],
    [
      { action: 'rotate', expires_at: 'soon', quota: 0 },
      { expires_at: [EXPIRY_INVALID], quota: [QUOTA_INVALID] },
    ],
    [
      { action: 'rotate', expires_at: '2020-01-01', quota: 1.5 },
      { expires_at: [EXPIRY_PAST], quota: [QUOTA_INVALID] },
    ],
    [{ action: 'change', quota: '5' }, { quota: [QUOTA_INVALID] }],
    [{ action: 'change', quota: 100_001 }, { quota: [QUOTA_INVALID] }],
  ])('refuses %j', async (payload, errors) => {
    const answer = await changeKey(await open(), payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errors });
  });

  test('is replaced by two users at the same time, and one link is left', async () => {
    const id = await open();
    const answers = await Promise.all(Array.from({ length: 6 }, () => changeKey(id, { action: 'rotate' })));
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(6).fill(200));
    const made = answers.map((answer) => answer.json<ContributeKeyAnswer>().contribute_key ?? '');
    const alive = await Promise.all(made.map(async (key) => (await check(key)).statusCode === 200));
    expect(alive.filter(Boolean)).toHaveLength(1);
  });

  test('replaced while photos are submitted: either they are in, or the link had ended', async () => {
    const id = await open();
    const old = (await collaborators(id)).link?.contribute_key ?? '';
    const files = await Promise.all(Array.from({ length: 6 }, () => upload(old)));
    const [, ...handed] = await Promise.all([
      changeKey(id, { action: 'rotate' }),
      ...files.map((file) => contribute(old, [file])),
    ]);
    const taken = handed.filter((answer) => answer.statusCode === 200).length;
    expect(handed.filter((answer) => answer.statusCode === 404)).toHaveLength(6 - taken);
    expect((await collaborators(id)).waiting).toBe(taken);
  });

  test('is drawn as a QR code for its members', async () => {
    const id = await open();
    const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${id}/contribute_qr`, as: owner });
    expect(answer.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'private, no-store' });
    expect(answer.body).toContain('<svg');
  });
});

const invite = (galleryId: number, email: string, as: string | null = owner, affiliateId = people.hawks.id) =>
  server.call({
    method: 'POST',
    url: `/api/v1/affiliates/${affiliateId}/collaborator`,
    as,
    payload: { email, gallery_id: galleryId },
  });
/** The key in the newest email to someone, and the email. */
async function emailTo(email: string): Promise<{ key: string; subject: string; body: string; count: number }> {
  const emails = await server.data.emailsTo(email);
  const { subject = '', text = '' } = emails.at(-1) ?? {};
  return { key: /collabKey=([\w-]{22})/.exec(text)?.[1] ?? '', subject, body: text, count: emails.length };
}

test('the audit log has who invited to a gallery, without anyone’s address', async () => {
  const id = await open();
  await changeKey(id, { action: 'rotate' });
  await changeKey(id, { action: 'change', quota: 5 });
  await changeKey(id, { action: 'revoke' });
  await invite(id, 'noted@families.test');
  const lines = await server.data.ownerQuery<{ action: string; details: unknown; actor_id: number | null }>(
    "select action, details, actor_id from audit_log where object_type = 'gallery' and object_id = $1 order by id",
    [String(id)],
  );
  expect(lines.map(({ action }) => action)).toEqual([
    'contribute_key.rotated',
    'contribute_key.changed',
    'contribute_key.revoked',
    'collaborator.invited',
  ]);
  expect(lines.every(({ actor_id }) => actor_id !== null)).toBe(true);
  expect(JSON.stringify(lines)).not.toContain('noted@');
});

describe('a personal invite', () => {
  test('is emailed with its own link on the club’s host', async () => {
    const id = await open({ name: 'Cup Final' });
    const answer = await invite(id, 'Ana@families.test');
    expect(answer.statusCode, answer.body).toBe(200);
    const sentEmail = await emailTo('ana@families.test');
    expect(sentEmail.subject).toBe('hawks asks for your photos of Cup Final');
    expect(sentEmail.body).toContain(`http://lakeside.sideline.localhost:3000/hawks/gallery/${id}/edit?collabKey=`);
    expect(sentEmail.body).toContain('owner Person of hawks invites you');
    expect((await check(sentEmail.key)).json()).toMatchObject({
      gallery: { id, name: 'Cup Final' },
      contributor: { name: '', email: 'Ana@families.test' },
    });
    // It differs from the gallery's key, and both are valid.
    const link = (await collaborators(id)).link?.contribute_key ?? '';
    expect(link).not.toBe(sentEmail.key);
    expect((await contribute(sentEmail.key, [await upload(sentEmail.key)], 'other@families.test')).statusCode).toBe(
      200,
    );
    for (const name of ['Ben', 'Ada', 'Ben'])
      expect((await contribute(link, [await upload(link)], 'ben@families.test', name)).statusCode).toBe(200);
    expect((await check(sentEmail.key)).json()).toMatchObject({
      contributor: { name: 'Ana', email: 'other@families.test' },
    });
    expect((await check(link)).json()).toMatchObject({ contributor: null });
    expect(await collaborators(id)).toMatchObject({
      waiting: 4,
      people: [
        { email: 'Ana@families.test', name: 'Ana', invite: { is_revoked: false }, photos: 1, waiting: 1, shown: 0 },
        // A family may share an address.
        { email: 'ben@families.test', name: 'Ada, Ben', invite: null, photos: 3 },
      ],
    });
  });

  test('again is a new email with a new key, and ends the old one', async () => {
    const id = await open();
    await invite(id, 'cara@families.test');
    const { key: old } = await emailTo('cara@families.test');
    await invite(id, 'cara@families.test');
    const sentEmail = await emailTo('cara@families.test');
    expect(sentEmail.count).toBe(2);
    expect([(await check(old)).statusCode, (await check(sentEmail.key)).statusCode]).toEqual([404, 200]);
    expect((await collaborators(id)).people).toHaveLength(1);
  });

  test('ends alone: the gallery’s link and the other invites still work', async () => {
    const id = await open();
    for (const email of ['dan@families.test', 'eve@families.test']) await invite(id, email);
    const [dan, eve] = [await emailTo('dan@families.test'), await emailTo('eve@families.test')];
    const file = await upload(dan.key);
    const person = (await collaborators(id)).people.find(({ email }) => email === 'dan@families.test');
    const url = `/api/v1/galleries/${id}/collaborators/${person?.invite?.id}`;
    expect((await server.call({ method: 'DELETE', url, as: people.tokens.neighbor })).statusCode).toBe(404);
    expect((await server.call({ method: 'DELETE', url, as: owner })).statusCode).toBe(204);
    expect((await server.call({ method: 'DELETE', url, as: owner })).statusCode).toBe(204);
    expect((await check(dan.key)).statusCode).toBe(404);
    expect((await contribute(dan.key, [file])).json()).toMatchObject({ error: CONTRIBUTE_KEY_UNKNOWN });
    expect((await check(eve.key)).statusCode).toBe(200);
    expect((await collaborators(id)).people.map((each) => each.invite?.is_revoked)).toEqual([true, false]);
  });

  test('ends with its gallery', async () => {
    const id = await open();
    await invite(id, 'fay@families.test');
    const { key } = await emailTo('fay@families.test');
    await server.call({ method: 'POST', url: `/api/v1/galleries/${id}/inactive`, as: owner });
    expect((await check(key)).statusCode).toBe(404);
    expect((await invite(id, 'fay@families.test')).statusCode).toBe(403);
  });

  test.each([
    ['', INVITE_EMAIL_REQUIRED],
    ['nobody', INVALID_EMAIL],
    ['ana@families.test\r\nBcc: all@people.test', INVALID_EMAIL],
  ])('to %j is refused (threat 64)', async (email, message) => {
    const answer = await invite(await open(), email);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errors: { email: [message] } });
  });

  test('is for the gallery’s own affiliate, by its own members', async () => {
    const id = await open();
    const asked = {
      visitor: (await invite(id, 'x@families.test', null)).statusCode,
      neighbor: (await invite(id, 'x@families.test', people.tokens.neighbor)).statusCode,
      foreigner: (await invite(id, 'x@families.test', people.tokens.foreigner)).statusCode,
      'owner, under another affiliate': (await invite(id, 'x@families.test', owner, people.tides.id)).statusCode,
      'the parent’s member': (await invite(id, 'x@families.test', people.tokens.parentMember)).statusCode,
    };
    expect(asked).toEqual({
      visitor: 401,
      neighbor: 404,
      foreigner: 404,
      'owner, under another affiliate': 404,
      'the parent’s member': 200,
    });
    expect((await emailTo('x@families.test')).count).toBe(1);
    for (const as of [people.tokens.neighbor, people.tokens.foreigner]) {
      expect((await changeKey(id, { action: 'revoke' }, as)).statusCode).toBe(404);
      const list = { method: 'GET', url: `/api/v1/galleries/${id}/collaborators`, as } as const;
      expect((await server.call(list)).statusCode).toBe(404);
    }
  });

  test('is rate-limited (threat 31)', async () => {
    const id = await open();
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await invite(id, 'much@families.test')).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    for (const gallery of [await open(), await open()])
      for (let count = 0; count < 3; count++) statuses.push((await invite(gallery, 'MUCH@families.test')).statusCode);
    expect(statuses.slice(6)).toEqual([200, 200, 200, 200, 200, 429]);
    expect((await emailTo('much@families.test')).count).toBe(10);
  });

  test('is listed page by page', async () => {
    const id = await open();
    await server.data.ownerQuery(
      `insert into gallery_invites (gallery_id, organization_id, email, key_hash)
       select $1, $2, 'person' || lpad(n::text, 2, '0') || '@families.test', sha256(random()::text::bytea) from generate_series(1, 30) n`,
      [id, people.hawks.id],
    );
    const first = await collaborators(id);
    expect(first.people).toHaveLength(25);
    const second = await collaborators(id, first.next ?? '');
    expect(second.people.map(({ email }) => email)).toEqual(
      [26, 27, 28, 29, 30].map((n) => `person${n}@families.test`),
    );
    expect(second.next).toBeNull();
  });
});
