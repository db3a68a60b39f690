/** Asking to hide a photo, and deciding about it, over HTTP. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ALREADY_DECIDED,
  CONTACT_REQUIRED,
  DECISION_REQUIRED,
  PHOTO_IS_GONE,
  REASON_REQUIRED,
  TAKEDOWN_THANKS,
  type TakedownsPage,
} from '#src/features/takedowns/takedowns.contract.ts';
import type { MoveAnswer } from '#src/features/photo-editor/photo-editor.contract.ts';
import { PHOTO_IS_WITHHELD } from '#src/features/photos/photos.contract.ts';
import { INVALID_EMAIL } from '#src/shared/validators.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const time = { now: new Date('2026-11-21T12:00:00Z') };
const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' }, clock: { now: () => time.now } });
let people: Neighborhood;
let galleryId: number;
let photoId: number;

const BODY = { reason: 'My daughter should not be in there.', contact: 'mother@family.test', guardian: true };

const askFor = (id: number, body: Record<string, unknown> = BODY, headers: Record<string, string> = {}) =>
  server.call({
    method: 'POST',
    url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}/takedown`,
    payload: body,
    headers,
  });
const list = async (as: string | null, query = '', organizationId = people.hawks.id) => {
  const answer = await server.call({
    method: 'GET',
    url: `/api/v1/affiliates/${organizationId}/takedowns${query}`,
    as,
  });
  return { status: answer.statusCode, page: answer.json<TakedownsPage>() };
};
const decide = (as: string | null, id: number, payload: Record<string, unknown>, organizationId = people.hawks.id) =>
  server.call({ method: 'PUT', url: `/api/v1/affiliates/${organizationId}/takedowns/${id}`, as, payload });
const setMode = (mode: string, as: string | null = people.tokens.owner) =>
  server.call({ method: 'PUT', url: `/api/v1/affiliates/${people.hawks.id}/takedown_mode`, as, payload: { mode } });
const newest = async () => {
  const { page } = await list(people.tokens.owner);
  const [first] = page.takedowns;
  if (!first) throw new Error('nothing was asked');
  return first;
};
const photosSeen = async (as: string | null = null) => {
  const answer = await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/full`, as });
  return answer.json<{ gallery_photo: { id: number }[] }[]>()[0]?.gallery_photo.map(({ id }) => id);
};
const actions = () =>
  server.data.ownerQuery<{ action: string; object_id: string; ip: string | null }>(
    `select action, object_id, ip::text from audit_log where object_id = $1 order by id`,
    [String(photoId)],
  );

beforeAll(async () => {
  people = await settleNeighborhood(server);
});

beforeEach(async () => {
  galleryId = await openGallery(server, people.tokens.owner, people.hawks.id);
  photoId = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
  await setMode('hide_first');
  await server.data.ownerQuery('delete from mail_outbox');
});

describe('a request', () => {
  test('hides the photo immediately, emails the asker and the owners, and is in the audit log without the asker’s address', async () => {
    const answer = await askFor(photoId);
    expect([answer.statusCode, answer.json()]).toEqual([202, { message: TAKEDOWN_THANKS }]);
    expect(await photosSeen()).toEqual([]);
    const [kept] = await server.data.emailsTo('mother@family.test');
    expect(kept?.subject).toBe('We have your request to hide a photo');
    expect(kept?.text).toContain('The photo is hidden now.');
    expect(kept?.text).not.toContain('daughter');
    const [arrived] = await server.data.emailsTo('owner@people.test');
    expect(arrived?.text).toContain('My daughter should not be in there.');
    expect(arrived?.text).toContain('/hawks/takedowns');
    expect(arrived?.text).not.toContain('mother@family.test');
    expect(await actions()).toEqual([{ action: 'takedown.asked', object_id: String(photoId), ip: null }]);
  });

  test('waits for the owners if they want to review first', async () => {
    expect((await setMode('review')).json()).toEqual({ mode: 'review' });
    expect((await askFor(photoId)).statusCode).toBe(202);
    expect(await photosSeen()).toEqual([photoId]);
    expect((await newest()).hidden_first).toBe(false);
  });

  test('sent again, or twice at the same time, is one request with the same response', async () => {
    const answers = await Promise.all([askFor(photoId), askFor(photoId), askFor(photoId), askFor(photoId)]);
    answers.push(await askFor(photoId, { ...BODY, contact: 'Mother@Family.test' }));
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toEqual([202, { message: TAKEDOWN_THANKS }]);
    expect((await list(people.tokens.owner)).page.takedowns.filter(({ photo }) => photo.id === photoId)).toHaveLength(
      1,
    );
    expect(await server.data.emailsTo('mother@family.test')).toHaveLength(1);
  });

  test('of one asker hides at most three photos of a gallery before review; all others wait', async () => {
    const ids = [photoId];
    for (let more = 0; more < 5; more += 1)
      ids.push(await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }));
    await Promise.all(ids.map((id, index) => askFor(id, { ...BODY, contact: `troll${index}@family.test` })));
    expect(await photosSeen()).toHaveLength(3);
    expect(
      (await list(people.tokens.owner, '?state=open&limit=100')).page.takedowns.filter(
        (each) => each.gallery.id === galleryId,
      ),
    ).toHaveLength(6);
  });

  test('reports all missing fields', async () => {
    const answer = await askFor(photoId, { reason: ' ', contact: '' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ errors: { reason: [REASON_REQUIRED], contact: [CONTACT_REQUIRED] } });
    const wrong = await askFor(photoId, { reason: 'x'.repeat(2_001), contact: 'nobody', guardian: 'yes', more: 1 });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.json()).toMatchObject({ errors: { contact: [INVALID_EMAIL] } });
  });

  test('is only for photos that the asker can see', async () => {
    const hidden = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id }, { shown: false });
    expect((await askFor(hidden)).statusCode).toBe(404);
    expect((await askFor(1)).statusCode).toBe(404);
    const locked = await openGallery(server, people.tokens.owner, people.hawks.id, {
      password_required: true,
      password: 'goalkeeper',
    });
    const behind = await addReadyPhoto(server, { id: locked, organizationId: people.hawks.id });
    const url = `/api/v1/galleries/${locked}/gallery_photos/${behind}/takedown`;
    expect((await server.call({ method: 'POST', url, payload: BODY })).statusCode).toBe(404);
    const opened = await server.call({
      method: 'POST',
      url: `/api/v1/galleries/${locked}/unlock`,
      payload: { password: 'goalkeeper' },
    });
    const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
    const headers = { cookie, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' };
    expect((await server.call({ method: 'POST', url, payload: BODY, headers })).statusCode).toBe(202);
  });

  test('follows a photo that moved after the form was opened, for those who may see it there', async () => {
    const organizationId = people.hawks.id;
    const locked = { password_required: true, password: 'goalkeeper' };
    /** A photo that moved between new galleries with these settings: both ids, and the answer to a request at its old place. */
    async function askAfterMove(from: Record<string, unknown>, to: Record<string, unknown>) {
      galleryId = await openGallery(server, people.tokens.owner, organizationId, from);
      const target = await openGallery(server, people.tokens.owner, organizationId, to);
      const id = await addReadyPhoto(server, { id: galleryId, organizationId });
      const url = `/api/v1/galleries/${galleryId}/gallery_photos/move`;
      const payload = { ids: [id], gallery_id: target };
      const answer = await server.call({ method: 'POST', url, as: people.tokens.owner, payload });
      return { newId: answer.json<MoveAnswer>().moved[0]?.new_id, status: (await askFor(id)).statusCode };
    }
    const { newId, status } = await askAfterMove({}, {});
    expect(status).toBe(202);
    expect(await newest()).toMatchObject({ photo: { id: newId }, hidden_first: true });
    expect((await askAfterMove({}, locked)).status).toBe(404);
    expect((await askAfterMove({}, { is_private: true })).status).toBe(404);
    // A locked gallery does not say what moved out of it.
    expect((await askAfterMove(locked, {})).status).toBe(404);
  });

  test('works with a plain form, too', async () => {
    const send = (fields: Record<string, string>) =>
      server.call({
        method: 'POST',
        url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}/takedown_form`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost' },
        payload: new URLSearchParams(fields).toString(),
      });
    const to = `/hawks/gallery/${galleryId}/photo/${photoId}/hide`;
    expect((await send({ to, reason: '' })).headers['location']).toBe(`${to}?asked=incomplete`);
    const { contact, reason } = BODY;
    const answer = await send({ to, contact, reason, guardian: 'on' });
    expect([answer.statusCode, answer.headers['location']]).toEqual([303, `${to}?asked=yes`]);
    expect((await send({ to: '//evil.test', contact, reason })).headers['location']).toBe('/?asked=yes');
    expect(await photosSeen()).toEqual([]);
    expect((await newest()).guardian).toBe(true);
  });
});

describe('a hidden photo', () => {
  test('is seen by no one, by any route, and stays hidden whatever the editor does', async () => {
    const [{ image_url: address }] = (
      await server.call({ method: 'GET', url: `/api/v1/galleries/${galleryId}/gallery_photos` })
    ).json<{ photos: [{ image_url: string }] }>().photos;
    await askFor(photoId);
    const urls = [
      `/api/v1/galleries/${galleryId}/full`,
      `/api/v1/galleries/${galleryId}/gallery_photos`,
      `/api/v1/galleries/${galleryId}/gallery_photos?keyword=photo`,
      `/api/v1/affiliates/hawks?org_id=${people.parent.id}`,
      '/sitemap-galleries.xml',
    ];
    for (const url of urls) {
      const answer = await server.call({ method: 'GET', url });
      expect(answer.body, url).not.toContain(String(photoId));
    }
    for (const url of [address, `${address}&size=320`, `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`])
      expect((await server.call({ method: 'GET', url })).statusCode, url).toBe(404);
    const show = await server.call({
      method: 'PUT',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`,
      as: people.tokens.owner,
      payload: { photo: { show_in_gallery: true } },
    });
    expect([show.statusCode, show.json()]).toMatchObject([409, { error: PHOTO_IS_WITHHELD }]);
    await server.data.ownerQuery('update photos set show_in_gallery = true, featured = true where id = $1', [photoId]);
    expect(await photosSeen()).toEqual([]);
    expect(await photosSeen(people.tokens.owner)).toEqual([photoId]);
  });
});

describe('a decision', () => {
  test('to keep shows the photo again, and the asker reads why', async () => {
    await askFor(photoId);
    const { id } = await newest();
    const answer = await decide(people.tokens.owner, id, {
      decision: 'keep',
      note: 'It is <b>not</b> her & we asked.',
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      state: 'kept',
      note: 'It is <b>not</b> her & we asked.',
      decided_by: 'owner Person',
    });
    expect(await photosSeen()).toEqual([photoId]);
    const [, told] = await server.data.emailsTo('mother@family.test');
    expect(told?.subject).toBe('The photo stays: Cup Final');
    expect(told?.html).toContain('It is &lt;b&gt;not&lt;/b&gt; her &amp; we asked.');
    // A refused asker does not hide it again before a review.
    await askFor(photoId, { ...BODY, contact: 'other@family.test' });
    expect(await photosSeen()).toEqual([photoId]);
  });

  test.each([
    ['hide', 'hidden', 'The photo is hidden: Cup Final'],
    ['delete', 'deleted', 'The photo is deleted: Cup Final'],
  ])('to %s answers everyone who asked about the photo', async (decision, state, subject) => {
    await setMode('review');
    await askFor(photoId);
    await askFor(photoId, { ...BODY, contact: 'father@family.test' });
    const { id } = await newest();
    expect((await decide(people.tokens.parentMember, id, { decision })).json()).toMatchObject({ state });
    for (const to of ['mother@family.test', 'father@family.test'])
      expect((await server.data.emailsTo(to)).at(-1)?.subject).toBe(subject);
    expect(await photosSeen()).toEqual([]);
    const { page } = await list(people.tokens.owner, '?state=decided');
    expect(page.takedowns.filter(({ photo }) => photo.id === photoId).map((each) => each.state)).toEqual([
      state,
      state,
    ]);
    const [photo] = await server.data.ownerQuery<{ gone: boolean; hidden: boolean }>(
      'select purged_at is not null as gone, withheld_at is not null as hidden from photos where id = $1',
      [photoId],
    );
    expect(photo).toEqual({ gone: state === 'deleted', hidden: state === 'hidden' });
    expect((await actions()).map(({ action }) => action)).toEqual([
      'takedown.asked',
      'takedown.asked',
      `takedown.${state}`,
      `takedown.${state}`,
    ]);
  });

  test('counts once, also when several people decide at the same time', async () => {
    await askFor(photoId);
    const { id } = await newest();
    const answers = await Promise.all(
      (['hide', 'keep', 'delete', 'hide', 'keep'] as const).map((decision) =>
        decide(people.tokens.owner, id, { decision }),
      ),
    );
    const statuses = answers.map((answer) => answer.statusCode).toSorted();
    expect(statuses).toEqual([200, 409, 409, 409, 409]);
    expect(answers.find((answer) => answer.statusCode === 409)?.json()).toMatchObject({ error: ALREADY_DECIDED });
    expect(await server.data.emailsTo('mother@family.test')).toHaveLength(2);
  });

  test('on a photo that the owner removed meanwhile can only be to delete', async () => {
    await askFor(photoId);
    const { id } = await newest();
    await server.call({
      method: 'DELETE',
      url: `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}`,
      as: people.tokens.owner,
    });
    for (const decision of ['keep', 'hide'])
      expect((await decide(people.tokens.owner, id, { decision })).json()).toMatchObject({ error: PHOTO_IS_GONE });
    expect((await decide(people.tokens.owner, id, { decision: 'delete' })).statusCode).toBe(200);
  });

  test('to keep shows a photo with two askers only with the second one', async () => {
    await setMode('review');
    await askFor(photoId, { ...BODY, contact: 'father@family.test' });
    await setMode('hide_first');
    await askFor(photoId);
    const open = (await list(people.tokens.owner, '?state=open')).page.takedowns.filter(
      ({ photo }) => photo.id === photoId,
    );
    expect(open.map((each) => each.hidden_first)).toEqual([true, false]);
    await decide(people.tokens.owner, open[1]?.id ?? 0, { decision: 'keep' });
    expect(await photosSeen()).toEqual([]);
    await decide(people.tokens.owner, open[0]?.id ?? 0, { decision: 'keep' });
    expect(await photosSeen()).toEqual([photoId]);
  });

  test('that is invalid is refused with a message', async () => {
    await askFor(photoId);
    const { id } = await newest();
    expect((await decide(people.tokens.owner, id, { decision: 'burn' })).json()).toMatchObject({
      errors: { decision: [DECISION_REQUIRED] },
    });
    expect((await decide(people.tokens.owner, id, { decision: 'keep', note: 'x'.repeat(1_001) })).statusCode).toBe(422);
    expect((await setMode('never')).statusCode).toBe(422);
  });
});

describe('the requests', () => {
  test('are read by the owners, the parent’s members and platform admins, page by page, and by no one else', async () => {
    await askFor(photoId);
    const second = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
    await askFor(second);
    for (const token of [people.tokens.owner, people.tokens.parentMember, people.tokens.admin]) {
      const { status, page } = await list(token, '?limit=1&state=open');
      expect(status).toBe(200);
      expect(page.takedowns.map(({ photo }) => photo.id)).toEqual([second]);
      expect(page.takedowns[0]).toMatchObject({ contact: 'mother@family.test', guardian: true, hidden_first: true });
      const next = await list(token, `?limit=1&state=open&after=${page.next}`);
      expect(next.page.takedowns.map(({ photo }) => photo.id)).toEqual([photoId]);
    }
    const family = await list(people.tokens.parentMember, '?limit=1&state=open', people.parent.id);
    expect(family.page.takedowns.map(({ photo }) => photo.id)).toEqual([second]);
    const { id } = await newest();
    for (const [token, status] of [
      [null, 401],
      [people.tokens.neighbor, 404],
      [people.tokens.foreigner, 404],
    ] as const) {
      expect((await list(token)).status).toBe(status);
      expect((await decide(token, id, { decision: 'hide' })).statusCode).toBe(status);
      expect((await setMode('review', token)).statusCode).toBe(status);
    }
    // A member's own organization does not open another's request.
    expect((await decide(people.tokens.neighbor, id, { decision: 'hide' }, people.tides.id)).statusCode).toBe(404);
    expect((await list(people.tokens.owner, '?after=x')).status).toBe(422);
  });

  test('lose asker and reason 90 days after the decision', async () => {
    await askFor(photoId);
    const { id } = await newest();
    // One email to an owner was never delivered, and contains the reason.
    const toOwners = () =>
      server.data.ownerQuery<{ body_text: string }>(
        "select body_text from mail_outbox where dedupe_key like 'takedown-arrived-' || $1 || '-%'",
        [id],
      );
    expect((await toOwners())[0]?.body_text).toContain('daughter');
    const waiting = await addReadyPhoto(server, { id: galleryId, organizationId: people.hawks.id });
    await askFor(waiting);
    await decide(people.tokens.owner, id, { decision: 'hide', note: 'Of course.' });
    time.now = new Date(time.now.getTime() + 89 * 86_400_000);
    await server.app.takedowns.forgetOld();
    expect((await list(people.tokens.owner, '?limit=100')).page.takedowns.find((each) => each.id === id)?.contact).toBe(
      'mother@family.test',
    );
    time.now = new Date(time.now.getTime() + 2 * 86_400_000);
    expect(await server.app.takedowns.forgetOld()).toBeGreaterThan(0);
    expect(await toOwners()).toEqual([{ body_text: '' }]);
    // Emails to those who still wait for an answer stay.
    expect(await server.data.emailsTo('mother@family.test')).toHaveLength(1);
    const after = (await list(people.tokens.owner, '?limit=100')).page.takedowns;
    expect(after.find((each) => each.id === id)).toMatchObject({ contact: null, reason: null, note: 'Of course.' });
    expect(after.find(({ photo }) => photo.id === waiting)?.contact).toBe('mother@family.test');
  });
});
