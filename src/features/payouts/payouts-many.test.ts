/** Payouts of many organizations: confirmed together, searched, and as a file. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ALREADY_FAILED,
  PAYOUT_NOT_FOUND,
  SECOND_PERSON_NEEDED,
  type ConfirmManyAnswer,
  type OfficePayout,
  type OfficePayoutsPage,
  type PayOutAnswer,
} from '#src/features/payouts/payouts.contract.ts';
import { sellDue, shareOf } from '#tests/support/due-orders.ts';
import { settleAnother, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf, setOwnAccount } from '#tests/support/payer.ts';
import { TEST_PASSWORD, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { PAYOUT_SECOND_APPROVAL_CENTS: '50000' } });
let people: Neighborhood;
let secondAdmin: string;
beforeAll(async () => {
  const second = { email: 'second@people.test', firstName: 'Second', lastName: 'Admin', password: TEST_PASSWORD };
  await server.app.accounts.createUser({ ...second, roleId: 2, administers: [] });
  secondAdmin = await server.signIn('second@people.test');
});
beforeEach(async () => {
  people = await settleAnother(server);
});

const post = (url: string, payload: object, as: string | null = people.tokens.admin) =>
  server.call({ method: 'POST', url: `/api/v1/payouts${url}`, as, payload });
const get = (url: string, as: string | null = people.tokens.admin) => server.call({ method: 'GET', url, as });

/** Sells and pays out; returns the payout's id. */
async function paidOut(organizationId: number, cents: number): Promise<number> {
  await sellDue(server, organizationId, { amounts: [cents] });
  const organizations = [{ id: organizationId, amount: shareOf(cents) / 100 }];
  const made = await post('', { reviewed_at: new Date().toISOString(), organizations });
  expect(made.statusCode, made.body).toBe(200);
  return made.json<PayOutAnswer>().payouts[0]?.id ?? 0;
}
const emailsOf = (payoutIds: readonly number[]) =>
  server.data.ownerQuery('select 1 from mail_outbox where dedupe_key = any ($1)', [
    payoutIds.map((id) => `payout-paid-${id}`),
  ]);

describe('one reference', () => {
  test('confirms those that it can, names the others with the reason, and again changes nothing', async () => {
    const [hawks, tides] = [await paidOut(people.hawks.id, 1000), await paidOut(people.tides.id, 2000)];
    const failed = await paidOut(people.stranger.id, 3000);
    await post(`/${failed}/fail`, { reason: 'The account is closed.' });
    const body = { ids: [hawks, tides, failed, 999_999_999], reference: 'ACH batch 12' };
    for (const _press of [1, 2]) {
      const answer = await post('/confirm', body);
      expect(answer.statusCode, answer.body).toBe(200);
      const { payouts, refused } = answer.json<ConfirmManyAnswer>();
      // Newest first.
      expect(payouts.map(({ id, status }) => [id, status])).toEqual([
        [failed, 'failed'],
        [tides, 'paid'],
        [hawks, 'paid'],
      ]);
      expect(payouts.find(({ id }) => id === tides)).toMatchObject({ reference: 'ACH batch 12' });
      expect(refused).toEqual([
        { id: failed, message: ALREADY_FAILED },
        { id: 999_999_999, message: PAYOUT_NOT_FOUND },
      ]);
    }
    const actions = await server.data.ownerQuery<{ object_id: string }>(
      `select object_id from audit_log where action = 'payout.confirmed' and object_id = any ($1::text[])`,
      [body.ids.map(String)],
    );
    expect(new Set(actions.map(({ object_id }) => Number(object_id)))).toEqual(new Set([hawks, tides]));
    expect(actions).toHaveLength(2);
    expect(await emailsOf([hawks, tides, failed])).toHaveLength(2);
  });

  test('does not confirm a large payout of its creator, but that of another admin', async () => {
    const [large, small] = [await paidOut(people.hawks.id, 80_000), await paidOut(people.tides.id, 1000)];
    const own = await post('/confirm', { ids: [large, small], reference: 'ACH 13' });
    expect(own.json<ConfirmManyAnswer>().refused).toEqual([{ id: large, message: SECOND_PERSON_NEEDED }]);
    const other = await post('/confirm', { ids: [large], reference: 'ACH 13' }, secondAdmin);
    expect(other.json<ConfirmManyAnswer>().refused).toEqual([]);
  });

  test('is for platform admins, and must name payouts once', async () => {
    const body = { ids: [await paidOut(people.hawks.id, 1000)], reference: 'ACH 14' };
    expect((await post('/confirm', body, null)).statusCode).toBe(401);
    expect((await post('/confirm', body, people.tokens.owner)).statusCode).toBe(403);
    for (const wrong of [{ ids: [] }, { ids: [1, 1] }, { reference: ' ' }])
      expect((await post('/confirm', { ...body, ...wrong })).statusCode).toBe(422);
  });
});

describe('a search', () => {
  const search = async (text: string, more = '') =>
    (await get(`/api/v1/payouts?search=${encodeURIComponent(text)}${more}`)).json<OfficePayoutsPage>().payouts;

  test('finds payouts by a part of the name, the number and the whole reference', async () => {
    await server.data.ownerQuery(`update organizations set name = $2 where id = $1`, [
      people.hawks.id,
      `Élan ${people.hawks.path} 100%`,
    ]);
    const [hawks, tides] = [await paidOut(people.hawks.id, 1000), await paidOut(people.tides.id, 2000)];
    const reference = `ACH ${tides}`;
    await post(`/${tides}/confirm`, { reference });
    const idsOf = (payouts: { id: number }[]) => payouts.map(({ id }) => id);
    expect(idsOf(await search(`elan ${people.hawks.path}`))).toEqual([hawks]);
    expect(idsOf(await search(`${people.hawks.path} 100%`))).toEqual([hawks]);
    expect(idsOf(await search(`#${hawks}`))).toEqual([hawks]);
    expect(idsOf(await search(reference))).toEqual([tides]);
    expect(idsOf(await search(reference, '&status=open'))).toEqual([]);
    expect(await search('%')).not.toContainEqual(expect.objectContaining({ id: tides }));
    expect((await get(`/api/v1/payouts?search=${'a'.repeat(101)}`)).statusCode).toBe(422);
  });

  test('narrows what is ready and held to organizations of this name, and leaves the sums of all', async () => {
    await sellDue(server, people.hawks.id, { amounts: [1000] });
    await sellDue(server, people.tides.id, { amounts: [2000] });
    await sellDue(server, people.tides.id, { amounts: [3000], daysAgo: 10 });
    await sellDue(server, people.parent.id, { amounts: [1000], processor: 'custom' });
    const caller = await callerOf(server, people.tokens.admin);
    const all = await server.app.payouts.review(caller);
    const tidesName = people.tides.path.replaceAll('-', ' ').toUpperCase();
    const found = await server.app.payouts.review(caller, tidesName);
    const namesOf = (rows: { organizationId: number }[]) => [...new Set(rows.map((row) => row.organizationId))];
    expect(namesOf(found.ready)).toEqual([people.tides.id]);
    expect(namesOf(found.held)).toEqual([people.tides.id]);
    expect([found.readySums, found.heldSums]).toEqual([all.readySums, all.heldSums]);
    const parents = await server.app.payouts.review(caller, people.parent.path.replaceAll('-', ' '));
    expect(parents.held.map(({ why }) => why)).toEqual(['own_account']);
    expect(parents.ready).toEqual([]);
  });

  test('is also what the file has, with the outcome of each payout', async () => {
    const payoutId = await paidOut(people.hawks.id, 1000);
    await post(`/${payoutId}/confirm`, { reference: '=ACH 15' });
    const file = await get(`/api/v1/payouts.csv?search=%23${payoutId}`);
    expect(file.headers['content-disposition']).toBe('attachment; filename="payouts-made.csv"');
    const [head, row, rest] = file.body.split('\r\n');
    expect(head).toBe(
      '\uFEFF"Payout","Organization ID","Organization","Amount","State","Orders","Sold from","Sold to","Made","Made by","Decided","Decided by","Reference","Returned","Returned by","Reason"',
    );
    expect(row).toContain(`"${payoutId}","${people.hawks.id}"`);
    expect(row).toContain(`"${(shareOf(1000) / 100).toFixed(2)}","Paid","1"`);
    expect(row).toMatch(/"admin Person","\d{4}-\d\d-\d\dT[^"]+Z","admin Person","'=ACH 15","","",""$/);
    expect(rest).toBe('');
    expect((await get('/api/v1/payouts.csv', null)).statusCode).toBe(401);
    expect((await get('/api/v1/payouts.csv', people.tokens.owner)).statusCode).toBe(403);
  });
});

test('a payout says whom a check is written to and where it is sent, as the settings say', async () => {
  const payees = async (payoutId: number) => {
    const office = (await get(`/api/v1/payouts/${payoutId}`)).json<OfficePayout>().payee;
    const { payee } = await server.app.payouts.outlookOf(await callerOf(server, people.tokens.owner), people.hawks.id);
    expect(payee).toEqual(office);
    const caller = await callerOf(server, people.tokens.owner);
    expect(await server.app.payouts.lacksPayee(caller, people.hawks.id)).toBe(payee.address === null);
    return office;
  };
  const payoutId = await paidOut(people.hawks.id, 1000);
  expect(await payees(payoutId)).toEqual({ name: people.hawks.path.replaceAll('-', ' '), address: null });
  const billing = { billing_name: 'Hawks Boosters Inc.', billing_address: '1 Field Road', billing_city: 'Duluth' };
  const saved = await server.call({
    method: 'PUT',
    url: `/api/v1/affiliates/${people.hawks.id}`,
    as: people.tokens.owner,
    payload: { affiliate: { ...billing, billing_state: 'MN', billing_zip: '55802' } },
  });
  expect(saved.statusCode, saved.body).toBe(200);
  expect(await payees(payoutId)).toEqual({ name: 'Hawks Boosters Inc.', address: '1 Field Road, Duluth, MN 55802' });
  expect((await get(`/api/v1/payouts/${payoutId}/bank.csv`)).body).toContain(
    `"Hawks Boosters Inc.","${(shareOf(1000) / 100).toFixed(2)}","USD","Sideline payout ${payoutId}","${people.hawks.path.replaceAll('-', ' ')}","1 Field Road","Duluth","MN","55802"`,
  );
});

test('an address for payouts is missing only where something is paid out', async () => {
  const { hawks, parent, tokens } = people;
  const lacks = async (id: number) => server.app.payouts.lacksPayee(await callerOf(server, tokens.admin), id);
  expect([await lacks(hawks.id), await lacks(parent.id)]).toEqual([true, false]);
  await setOwnAccount(server, hawks.id, { hasKeys: false });
  expect(await lacks(hawks.id)).toBe(true);
  await setOwnAccount(server, hawks.id, { hasKeys: true });
  expect(await lacks(hawks.id)).toBe(false);
  await expect(server.app.payouts.lacksPayee(await callerOf(server, tokens.neighbor), hawks.id)).rejects.toThrow();
});
