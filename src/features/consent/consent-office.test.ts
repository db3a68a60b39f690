/** Decisions of members about consent, over HTTP: settings, held photos, exceptions, sold photos that were withdrawn. */
import { beforeEach, describe, expect, test } from 'vitest';
import * as words from '#src/features/consent/consent.contract.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { addAthlete, addCard, addTeam, tag } from '#tests/support/consent-rows.ts';
import { addReadyPhoto, openGallery, settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { meetAtLock, WAITING_SESSIONS } from '#tests/support/test-database.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let organizationId: number;
let galleryId: number;
beforeEach(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
  galleryId = await openGallery(server, people.tokens.owner, organizationId);
});

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';
const ask = async (method: Method, url: string, payload?: object, as: string | null = people.tokens.owner) => {
  const answer = await server.call({ method, url, as, ...(payload ? { payload } : {}) });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json<Record<string, unknown>>() };
};
const settingsUrl = () => `/api/v1/affiliates/${organizationId}/roster_settings`;
const change = (settings: object, more: object = {}) => ask('PUT', settingsUrl(), { settings, ...more });
const holdUrl = () => `/api/v1/galleries/${galleryId}/hold`;
const exceptionUrl = (photoId: number) => `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/exception`;
const addPhoto = () => addReadyPhoto(server, { id: galleryId, organizationId });
const addPhotos = (count: number) => Promise.all(Array.from({ length: count }, addPhoto));
const seen = async (): Promise<number> => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos` });
  return answer.json<{ total: number }>().total;
};
const actions = () =>
  server.data.ownerQuery<{ action: string; details: object }>(
    "select action, details from audit_log where organization_id = $1 and action !~ '^gallery.created' order by id",
    [organizationId],
  );
/** A team in play with this many athletes who must not be published. */
async function playWith(...consents: words.Consent[]): Promise<number> {
  const teamId = await addTeam(server, organizationId);
  for (const consent of consents) await addAthlete(server, organizationId, { consent, teamId });
  await server.data.ownerQuery('insert into gallery_teams (gallery_id, team_id, organization_id) values ($1, $2, $3)', [
    galleryId,
    teamId,
    organizationId,
  ]);
  return teamId;
}

test('all calls are only for members of this organization', async () => {
  const calls: [Method, string, object?][] = [
    ['GET', settingsUrl()],
    ['PUT', settingsUrl(), { settings: { mode: 'off' } }],
    ['GET', `/api/v1/affiliates/${organizationId}/withdrawn_sales`],
    ['GET', holdUrl()],
    ['POST', `${holdUrl()}/none`, { through: '1' }],
    ['PUT', exceptionUrl(1), { reason: 'Seen from behind.' }],
    ['DELETE', exceptionUrl(1)],
  ];
  for (const [method, url, payload] of calls) {
    expect((await ask(method, url, payload, null)).status, url).toBe(401);
    for (const as of [people.tokens.neighbor, people.tokens.foreigner])
      expect((await ask(method, url, payload, as)).status, url).toBe(404);
  }
});

describe('the settings', () => {
  test('start with nothing chosen and are changed one by one', async () => {
    const begin = {
      mode: 'off',
      unknown_consent: 'show',
      consent_yearly: false,
      hold_new_photos: true,
      not_published: 0,
    };
    expect(await ask('GET', settingsUrl())).toEqual({ status: 200, body: { ...begin, chosen: false } });
    const first = await change({ mode: 'numbers' });
    expect(first.body).toEqual({ ...begin, mode: 'numbers', chosen: true, hidden: 0, shown: 0 });
    expect((await change({ consent_yearly: true })).body).toMatchObject({ mode: 'numbers', consent_yearly: true });
    expect(await change({ mode: 'everybody', other: 1 })).toMatchObject({ status: 422 });
  });

  test('immediately hide and show the photos of those who were not asked', async () => {
    const [photoId] = await addPhotos(2);
    await tag(server, organizationId, [{ photoId: photoId ?? 0, athleteId: await addAthlete(server, organizationId) }]);
    expect((await change({ unknown_consent: 'family' })).body).toMatchObject({ hidden: 1, shown: 0, not_published: 1 });
    expect(await seen()).toBe(1);
    expect((await change({ unknown_consent: 'show' })).body).toMatchObject({ hidden: 0, shown: 1 });
    expect(await seen()).toBe(2);
  });

  test('end the hold only with the confirmed number of children', async () => {
    for (const consent of ['no', 'family', 'yes'] as const) await addAthlete(server, organizationId, { consent });
    const off = { hold_new_photos: false };
    expect(await change(off)).toMatchObject({
      status: 422,
      body: { errors: { not_published: [words.HOLD_BOX_REQUIRED] } },
    });
    expect(await change(off, { not_published: 3 })).toMatchObject({ status: 409, body: { not_published: 2 } });
    expect((await change(off, { not_published: 2 })).body).toMatchObject({ hold_new_photos: false });
    expect(await actions()).toEqual([
      {
        action: 'roster.settings_changed',
        details: { hold_new_photos: false, not_published: 2, hidden: 0, shown: 0 },
      },
    ]);
    await playWith('no');
    await addPhoto();
    expect(await seen()).toBe(1);
  });
});

describe('the hold', () => {
  test('keeps 40 photos hidden, also one from before the teams were chosen, until "None of them is in these 40", and holds later ones', async () => {
    await addPhoto();
    await playWith('no', 'no', 'family', 'yes', 'unknown');
    await addPhotos(39);
    expect(await seen()).toBe(0);
    const { body } = await ask('GET', holdUrl());
    expect(body).toMatchObject({ athletes: 3, photos: 40 });
    expect(body?.['text']).toBe(
      '3 athletes of this team must not be published. New photos stay hidden until they are tagged or you say that none of the three is in them.',
    );
    expect(words.noneInThese(40)).toBe('None of them is in these 40');
    await addPhoto();
    const answer = await ask('POST', `${holdUrl()}/none`, { through: body?.['through'] });
    expect(answer).toEqual({ status: 200, body: { released: 40, shown: 40 } });
    expect(await seen()).toBe(40);
    expect((await ask('GET', holdUrl())).body).toMatchObject({ photos: 1 });
    expect(await actions()).toEqual([{ action: 'gallery.hold_ended', details: { photos: 40, athletes: 3 } }]);
  });

  test('begins again with another team: who saw the old question releases nothing, and a check stays', async () => {
    await playWith('no');
    const [checked] = await addPhotos(3);
    const looked = { changes: [{ photo_ids: [checked], checked: true }], client_key: 'looked-at' };
    await ask('PUT', `/api/v1/galleries/${galleryId}/tags`, looked);
    const question = async () => (await ask('GET', holdUrl())).body?.['through'];
    const none = (through: unknown) => ask('POST', `${holdUrl()}/none`, { through });
    await none(await question());
    expect(await seen()).toBe(3);
    await addPhoto();
    const old = await question();
    await playWith('family');
    expect(await seen()).toBe(1);
    expect(await none(old)).toMatchObject({ body: { released: 0 } });
    expect((await ask('GET', holdUrl())).body).toMatchObject({ athletes: 2, photos: 3 });
    expect(await none(await question())).toMatchObject({ body: { released: 3, shown: 3 } });
  });

  test('of a photo ends with its first tag, and consent decides from then on', async () => {
    const teamId = await playWith('no');
    const [one, two] = await addPhotos(2);
    const [fine, hidden] = [
      await addAthlete(server, organizationId, { consent: 'yes', teamId }),
      await addAthlete(server, organizationId, { consent: 'family', teamId }),
    ];
    await tag(server, organizationId, [
      { photoId: one ?? 0, athleteId: fine },
      { photoId: two ?? 0, athleteId: hidden },
    ]);
    expect(await seen()).toBe(1);
    expect((await ask('GET', holdUrl())).body).toMatchObject({ photos: 0, through: null, text: null });
  });

  test('leaves damaged photos out of its question and of its answer', async () => {
    await playWith('no');
    const [damaged] = await addPhotos(3);
    await server.data.ownerQuery("update photos set status = 'failed', problem = 'unreadable' where id = $1", [
      damaged,
    ]);
    const { body } = await ask('GET', holdUrl());
    expect(body).toMatchObject({ photos: 2 });
    const answer = await ask('POST', `${holdUrl()}/none`, { through: body?.['through'] });
    expect(answer.body).toEqual({ released: 2, shown: 2 });
    expect((await ask('GET', holdUrl())).body).toMatchObject({ photos: 0, text: null });
  });

  test('does not exist without teams, and where everyone may be published', async () => {
    await addPhoto();
    await playWith('yes', 'unknown');
    await addPhoto();
    expect(await seen()).toBe(2);
  });

  test('stays after a review: an approved photo is shown once someone has checked it', async () => {
    await playWith('no');
    const photoId = await addPhoto();
    const answer = await ask('PUT', `/api/v1/galleries/${galleryId}/gallery_photos`, {
      ids: [photoId],
      photo: { show_in_gallery: true },
    });
    expect(answer.body).toMatchObject({ updated: 0 });
    const { body } = await ask('GET', holdUrl());
    await ask('POST', `${holdUrl()}/none`, { through: body?.['through'] });
    expect(await seen()).toBe(1);
  });

  test('ends for a photo that someone hides at the same moment, without a deadlock', async () => {
    await playWith('no');
    const photoId = await addPhoto();
    const { body } = await ask('GET', holdUrl());
    const photosUrl = `/api/v1/galleries/${galleryId}/gallery_photos`;
    const lock = `select from photo_withholdings where photo_id = ${photoId} for update`;
    const [none, hidden] = await meetAtLock(server.data, { lock, sessions: 2 }, async () => {
      const released = ask('POST', `${holdUrl()}/none`, { through: body?.['through'] });
      await expect.poll(() => server.data.ownerQuery(WAITING_SESSIONS)).toHaveLength(1);
      return Promise.all([released, ask('PUT', photosUrl, { ids: [photoId], photo: { show_in_gallery: false } })]);
    });
    expect([none, hidden.status]).toMatchObject([{ status: 200, body: { released: 1 } }, 200]);
  });

  test('returns after an undo if the photo was shown when all could be published: no one looked for anybody', async () => {
    const teamId = await playWith();
    const leo = await addAthlete(server, organizationId, { consent: 'no', teamId });
    const [photoId] = await addPhotos(1);
    const says = (consent: words.Consent) =>
      server.data.ownerQuery('update athletes set consent = $2 where id = $1', [leo, consent]);
    await says('yes');
    const { body } = await ask('GET', holdUrl());
    expect(await ask('POST', `${holdUrl()}/none`, { through: body?.['through'] })).toMatchObject({
      body: { released: 1, shown: 1 },
    });
    await says('no');
    const fine = await addAthlete(server, organizationId, { consent: 'yes', teamId });
    const tags = (change: object, key: string) =>
      ask('PUT', `/api/v1/galleries/${galleryId}/tags`, {
        changes: [{ photo_ids: [photoId], ...change }],
        client_key: key,
      });
    await tags({ add: [{ athlete_id: fine }] }, 'mistaken-tag');
    expect((await tags({ remove: [{ athlete_id: fine }] }, 'its-undo-now')).body).toMatchObject({ held: [photoId] });
    expect(await seen()).toBe(0);
  });
});

describe('one photo', () => {
  let photoId: number;
  let maya: number;
  beforeEach(async () => {
    photoId = await addPhoto();
    maya = await addAthlete(server, organizationId, { consent: 'no' });
    await tag(server, organizationId, [{ photoId, athleteId: maya }]);
  });

  test('is shown as an exception with a reason of ten characters, and hidden again by hand', async () => {
    expect(await ask('PUT', exceptionUrl(photoId), { reason: ' too few ' })).toMatchObject({
      status: 422,
      body: { errors: { reason: [words.REASON_TOO_SHORT] } },
    });
    const reason = 'Maya is seen from behind';
    expect(await ask('PUT', exceptionUrl(photoId), { reason })).toEqual({ status: 200, body: { shown: true } });
    expect(await seen()).toBe(1);
    const known = async () => {
      const { body } = await ask('GET', `/api/v1/galleries/${galleryId}/gallery_photos?limit=100`);
      return ((body ?? {})['photos'] as { id: number }[]).find(({ id }) => id === photoId);
    };
    expect(await known()).toMatchObject({ excepted: true });
    expect((await ask('PUT', exceptionUrl(photoId), { reason })).status).toBe(409);
    expect((await ask('DELETE', exceptionUrl(photoId))).status).toBe(204);
    expect((await ask('DELETE', exceptionUrl(photoId))).status).toBe(404);
    expect(await seen()).toBe(0);
    expect(await known()).not.toHaveProperty('excepted');
    // The reason may name a child: it is stored with the exception, and in no permanent log.
    expect(await actions()).toEqual([
      { action: 'photo.shown_nevertheless', details: { gallery_id: galleryId } },
      { action: 'photo.exception_ended', details: { gallery_id: galleryId } },
    ]);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      'the consent became yes',
      () => server.data.ownerQuery("update athletes set consent = 'yes' where id = $1", [maya]),
    ],
    ['the tag is gone', () => server.data.ownerQuery('delete from photo_tags where photo_id = $1', [photoId])],
    [
      'a member hides it',
      () =>
        ask('PUT', `/api/v1/galleries/${galleryId}/gallery_photos`, {
          ids: [photoId],
          photo: { show_in_gallery: false },
        }),
    ],
  ])('is no longer called an exception when %s', async (_why, change) => {
    await ask('PUT', exceptionUrl(photoId), { reason: 'Maya is seen from behind' });
    const known = async () => {
      const { body } = await ask('GET', `/api/v1/galleries/${galleryId}/gallery_photos?limit=100`);
      return ((body ?? {})['photos'] as { id: number }[]).find(({ id }) => id === photoId);
    };
    expect(await known()).toMatchObject({ excepted: true });
    await change();
    expect(await known()).not.toHaveProperty('excepted');
  });

  test('is hidden again by the family’s next answer, even the same one', async () => {
    await ask('PUT', exceptionUrl(photoId), { reason: 'Maya is seen from behind' });
    const cardId = await addCard(server, organizationId, maya);
    const say = (by: 'family' | 'member') =>
      server.data.database.write({ kind: 'tenants', organizationIds: [organizationId] }, (tx) =>
        server.app.consent.changeConsent(tx, { organizationId, athleteId: maya, consent: 'no', by, cardId }),
      );
    await say('member');
    expect(await seen()).toBe(1);
    expect(await say('family')).toEqual({ consent: 'no', hidden: 1, shown: 0 });
    expect(await seen()).toBe(0);
  });

  test('has no exception if no consent hides it, or it is in another gallery', async () => {
    const fine = await addPhoto();
    const reason = 'Seen from behind.';
    expect((await ask('PUT', exceptionUrl(fine), { reason })).status).toBe(409);
    const other = await openGallery(server, people.tokens.owner, organizationId);
    expect(
      (await ask('PUT', `/api/v1/galleries/${other}/gallery_photos/${photoId}/exception`, { reason })).status,
    ).toBe(404);
  });
});

describe('photos that were sold', () => {
  test('and are withdrawn are listed, and members are asked by email about a refund, without a name', async () => {
    const sale = await openSale(server, people.tokens.owner, organizationId, { photos: 2 });
    const maya = await addAthlete(server, organizationId, { consent: 'yes' });
    const [photoId = 0] = sale.photoIds;
    await tag(server, organizationId, [{ photoId, athleteId: maya }]);
    await buyPhotos(server, [sale]);
    const url = `/api/v1/affiliates/${organizationId}/withdrawn_sales`;
    expect((await ask('GET', url)).body).toEqual({ sales: [] });
    const answer = await ask('PUT', `/api/v1/athletes/${maya}`, { athlete: { consent: 'no' } });
    expect(answer).toMatchObject({ status: 200, body: { hidden: 1 } });
    const { body } = await ask('GET', url);
    expect(body).toMatchObject({ sales: [{ photo_id: photoId, price: 4 }] });
    const sentEmails = await server.data.ownerQuery<{ subject: string; body_text: string }>(
      "select subject, body_text from mail_outbox where recipient = $1 and subject like '%withdrawn'",
      [people.emails.owner],
    );
    expect(sentEmails).toHaveLength(1);
    expect(sentEmails[0]?.subject).toBe('A sold photo was withdrawn');
    expect(sentEmails[0]?.body_text).not.toContain('Maya');
  });
});
