/** Photos that were sold before a family withdrew its consent (athletes specification B.5). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import { type OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { PHOTO_WITHDRAWN } from '#src/features/orders/withdrawn.contract.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import * as forgetting from '#src/features/roster/forgetting.sql.ts';
import { erase } from '#src/features/erasures/erasures.sql.ts';
import { listWithdrawnSales } from '#src/features/consent/consent-office.sql.ts';
import { addAthlete, addTeam, chooseUnknown, tag } from '#tests/support/consent-rows.ts';
import { addCarded, openCard } from '#tests/support/family-cards.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
let organizationId: number;
beforeAll(async () => {
  people = await settleAnother(server);
  organizationId = people.hawks.id;
});

const change = (athleteId: number, consent: Consent) =>
  server.data.database.write({ kind: 'tenants', organizationIds: [organizationId] }, (tx) =>
    server.app.consent.changeConsent(tx, { organizationId, athleteId, consent, by: 'member' }),
  );

const listWithdrawn = (athleteId: number) =>
  server.data.database.read({ kind: 'tenants', organizationIds: [organizationId] }, (db) =>
    listWithdrawnSales(db, organizationId, { athleteIds: [athleteId], limit: 10 }),
  );

/** Two photos that Ann bought, with Maya on the first. */
async function sellTwo(consent: Consent = 'yes') {
  const sale = await openSale(server, people.tokens.owner, organizationId, { photos: 2 });
  const maya = await addAthlete(server, organizationId, { consent });
  await tag(server, organizationId, [{ photoId: sale.photoIds[0] ?? 0, athleteId: maya }]);
  const address = `/api/v1/orders/${await buyPhotos(server, [sale])}`;
  const read = async () => (await server.call({ method: 'GET', url: address })).json<OrderAnswer>().order_photo;
  const [line] = await read();
  const download = (query = '&download=true') =>
    server.call({
      method: 'GET',
      url: `/api/v1/galleries/${sale.galleryId}/gallery_photos/${sale.photoIds[0]}?orderkey=${line?.order_key}${query}`,
    });
  return { ...sale, maya, read, download, address };
}

describe('a sold photo', () => {
  test('cannot be downloaded or viewed after "no", stays on the receipt, and opens again after "yes"', async () => {
    const { maya, read, download } = await sellTwo();
    await change(maya, 'no');
    for (const query of ['&download=true', ''])
      expect(await download(query)).toMatchObject({ statusCode: 410, body: expect.stringContaining(PHOTO_WITHDRAWN) });
    const lines = await read();
    expect(lines.map(({ order_key, withdrawn, refundable }) => [order_key === null, withdrawn, refundable])).toEqual([
      [true, true, true],
      [false, undefined, true],
    ]);
    expect(lines[0]?.photo.name).toBe('Photo 1');
    await change(maya, 'yes');
    // This test needs no file: without one the store says so.
    expect((await download()).statusCode).toBe(503);
    expect((await read()).every(({ order_key }) => order_key !== null)).toBe(true);
  });

  test('stays with its buyer after "family", after a request to hide, and where nobody was asked', async () => {
    const { maya, read, download, photoIds } = await sellTwo();
    await change(maya, 'family');
    expect((await download()).statusCode).toBe(503);
    await change(maya, 'unknown');
    await chooseUnknown(server, organizationId, 'hide');
    expect((await download()).statusCode).toBe(503);
    await chooseUnknown(server, organizationId, 'show');
    await server.data.ownerQuery('update photos set withheld_at = now() where id = $1', [photoIds[0]]);
    expect((await download()).statusCode).toBe(503);
    expect((await read()).every(({ withdrawn }) => withdrawn === undefined)).toBe(true);
  });

  test('stays with the child’s own family', async () => {
    const { maya, download } = await sellTwo();
    await server.data.ownerQuery(
      "insert into athlete_families (athlete_id, organization_id, email, source) values ($1, $2, 'Ann@buyers.test', 'import')",
      [maya, organizationId],
    );
    await change(maya, 'no');
    expect((await download()).statusCode).toBe(503);
  });

  test.each(['its name is forgotten', 'its addresses are old', 'the buyer is erased'])(
    'stays with the child’s own family when %s',
    async (what) => {
      const { maya, download } = await sellTwo();
      await server.data.ownerQuery(
        "insert into athlete_families (athlete_id, organization_id, email, source, at) values ($1, $2, 'Ann@buyers.test', 'import', now() - interval '90 days')",
        [maya, organizationId],
      );
      const system = { kind: 'system', why: 'a test' } as const;
      await server.data.database.write(system, async (tx) => {
        if (what === 'its name is forgotten') await forgetting.forgetNames(tx, [maya]);
        else if (what === 'its addresses are old') await forgetting.forgetAddresses(tx, 60);
        else await erase(tx, { email: 'ann@buyers.test', names: [], userId: null });
      });
      expect(await server.data.ownerQuery('select from athlete_families where athlete_id = $1', [maya])).toEqual([]);
      await change(maya, 'no');
      expect((await download()).statusCode).toBe(503);
      expect(await listWithdrawn(maya)).toEqual([]);
    },
  );

  test.each([
    ['the card that was open when it was bought', null, 503],
    ['that card, which was replaced since', 'replaced_at', 503],
    ['that card, given back as not of their child', 'refused_at', 410],
  ])('stays with a buyer who had %s: %s', async (_what, ended, status) => {
    const sale = await openSale(server, people.tokens.owner, organizationId);
    const host = `${people.parent.path}.localhost`;
    const team = { id: await addTeam(server, organizationId), organizationId };
    const maya = await addCarded(server, team);
    await tag(server, organizationId, [{ photoId: sale.photoIds[0] ?? 0, athleteId: maya.athleteId }]);
    const cookie = await openCard(server, host, maya);
    const bought = await buyPhotos(server, [sale], { headers: { host, cookie } });
    const [line] = (await server.call({ method: 'GET', url: `/api/v1/orders/${bought}` })).json<OrderAnswer>()
      .order_photo;
    if (ended !== null)
      await server.data.ownerQuery(`update athlete_cards set ${ended} = now() where athlete_id = $1`, [maya.athleteId]);
    await change(maya.athleteId, 'no');
    const picture = `/api/v1/galleries/${sale.galleryId}/gallery_photos/${sale.photoIds[0]}?orderkey=${line?.order_key}`;
    expect((await server.call({ method: 'GET', url: picture })).statusCode).toBe(status);
    expect(await listWithdrawn(maya.athleteId)).toHaveLength(status === 410 ? 1 : 0);
  });

  const merge = async (from: number, into: number | null) => {
    const url = `/api/v1/athletes/${from}/merge${into === null ? '/undo' : ''}`;
    const payload = into === null ? {} : { payload: { into } };
    const answer = await server.call({ method: 'POST', url, as: people.tokens.owner, ...payload });
    expect(answer.statusCode, answer.body).toBe(200);
  };
  /** Maya with an opened card on the first of two photos, another child on the second. */
  async function beforeMerge() {
    const sale = await openSale(server, people.tokens.owner, organizationId, { photos: 2 });
    const host = `${people.parent.path}.localhost`;
    const maya = await addCarded(server, { id: await addTeam(server, organizationId), organizationId });
    const other = await addAthlete(server, organizationId, { consent: 'yes' });
    const [hers = 0, theirs = 0] = sale.photoIds;
    await tag(server, organizationId, [
      { photoId: hers, athleteId: maya.athleteId },
      { photoId: theirs, athleteId: other },
    ]);
    const cookie = await openCard(server, host, maya);
    const buy = async () => {
      const bought = await buyPhotos(server, [sale], { headers: { host, cookie } });
      const order = (await server.call({ method: 'GET', url: `/api/v1/orders/${bought}` })).json<OrderAnswer>();
      return new Map(order.order_photo.map(({ photo, order_key }) => [photo.id, order_key]));
    };
    const look = async (photoId: number, key?: string | null) =>
      (
        await server.call({
          method: 'GET',
          url: `/api/v1/galleries/${sale.galleryId}/gallery_photos/${photoId}?orderkey=${key}`,
        })
      ).statusCode;
    return { maya: maya.athleteId, other, hers, theirs, buy, look };
  }

  test('stays with the child’s own family when the child was merged twice', async () => {
    const { maya, other, hers, buy, look } = await beforeMerge();
    const keys = await buy();
    const last = await addAthlete(server, organizationId, { consent: 'yes' });
    await merge(maya, other);
    await merge(other, last);
    await change(last, 'no');
    expect(await look(hers, keys.get(hers))).toBe(503);
  });

  test('that was bought during a merge stays, after it is undone, only with the family of the child on it', async () => {
    const { maya, other, hers, theirs, buy, look } = await beforeMerge();
    await merge(maya, other);
    const keys = await buy();
    await merge(maya, null);
    await change(maya, 'no');
    await change(other, 'no');
    expect([await look(hers, keys.get(hers)), await look(theirs, keys.get(theirs))]).toEqual([503, 410]);
  });

  test('is not kept by an unconfirmed address', async () => {
    const { maya, download } = await sellTwo();
    await server.data.ownerQuery(
      "insert into athlete_families (athlete_id, organization_id, email, state, source) values ($1, $2, 'ann@buyers.test', 'asked', 'self')",
      [maya, organizationId],
    );
    await change(maya, 'no');
    expect((await download()).statusCode).toBe(410);
  });

  test('cannot be bought while it is hidden', async () => {
    const sale = await openSale(server, people.tokens.owner, organizationId);
    const maya = await addAthlete(server, organizationId, { consent: 'family' });
    await tag(server, organizationId, [{ photoId: sale.photoIds[0] ?? 0, athleteId: maya }]);
    await expect(buyPhotos(server, [sale])).rejects.toThrow('not bought');
  });
});
