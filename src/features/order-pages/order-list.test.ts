/** The page of an organization's orders: its filter, and what it says when nothing matches. */
import { describe, expect, test } from 'vitest';
import { SELLERS_LISTED } from '#src/features/refunds/refunds.rules.ts';
import { buyCredit, offerCredit, orderOf } from '#tests/support/credit-codes.ts';
import { addReadyPhoto, openGallery, settleAnother } from '#tests/support/neighborhood.ts';
import { sellPhotos } from '#tests/support/sold-orders.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });

/** A club with three orders, and its page of them for a query. */
async function openOrders() {
  const { hawks, parent, tokens } = await settleAnother(server);
  const galleryId = await openGallery(server, tokens.owner, hawks.id);
  const photo = { id: await addReadyPhoto(server, { id: galleryId, organizationId: hawks.id }), gallery_id: galleryId };
  const sell = (email: string, status: string, paidAt: string) =>
    sellPhotos(server, hawks.id, [photo], { email, status, paidAt });
  await sell('early@families.test', 'paid', '2026-05-01T18:00:00Z');
  await sell('late@families.test', 'paid', '2026-05-09T18:00:00Z');
  await sell('back@families.test', 'refunded', '2026-05-09T19:00:00Z');
  return async (query: string) => {
    const answer = await server.call({
      method: 'GET',
      url: `/${hawks.path}/orders${query}`,
      as: tokens.owner,
      headers: { host: `${parent.path}.sideline.localhost` },
    });
    expect(answer.statusCode).toBe(200);
    const html = answer.body.replaceAll('<!-- -->', '').replaceAll('&amp;', '&');
    // Not the data for the browser, which follow the page.
    const shown = html.slice(0, html.indexOf('</main>'));
    const buyers = [...new Set(shown.match(/\w+(?=@families\.test)/g))];
    return { shown, buyers, file: /href="[^"]*(\/orders\.csv[^"]*)"/.exec(shown)?.[1] };
  };
}

describe('the orders of an organization', () => {
  test.each([
    ['', ['back', 'late', 'early']],
    ['?status=paid', ['late', 'early']],
    ['?status=refunded', ['back']],
    ['?from=2026-05-02', ['back', 'late']],
    ['?to=2026-05-01', ['early']],
    ['?status=paid&from=2026-05-02&to=2026-05-09', ['late']],
    ['?search=early&status=paid', ['early']],
  ])('that a filter (%j) selects are shown, and are in the file', async (query, buyers) => {
    const page = await (await openOrders())(query);
    expect(page.buyers).toEqual(buyers);
    expect(page.file).toBe(`/orders.csv${query}`);
  });

  test('keep the filter filled in, together with the search', async () => {
    const { shown } = await (await openOrders())('?search=late&status=paid&from=2026-05-02&to=2026-05-09');
    const form = /<form[^>]*aria-label="Filter".*?<\/form>/s.exec(shown)?.[0] ?? '';
    expect(form).toMatch(/<option value="paid" selected="">Paid</);
    expect(form).toMatch(/<input[^>]*type="hidden"[^>]*name="search"[^>]*value="late"/);
    for (const [name, day] of [
      ['from', '2026-05-02'],
      ['to', '2026-05-09'],
    ])
      expect(form).toMatch(new RegExp(`<input(?=[^>]*name="${name}")(?=[^>]*value="${day}")`));
    expect(shown).toContain('Filters (3)');
    expect(form).toMatch(/href="[^"]*\/orders\?search=late"[^>]*>Clear</);
  });

  test.each([
    ['?status=disputed', 'No orders match these filters.'],
    ['?search=nobody', 'No orders match “nobody”.'],
    ['?search=early&status=refunded', 'No orders match “early” and these filters.'],
  ])('of which none matches (%j) say so, and offer no file', async (query, words) => {
    const { shown, buyers, file } = await (await openOrders())(query);
    expect(shown).toContain(words);
    expect([buyers, file]).toEqual([[], undefined]);
  });

  test.each([
    ['?status=lost', 'status'],
    ['?from=2026-05-09&to=2026-05-01', 'to'],
  ])('are not shown for an invalid filter (%j): its field says why', async (query, name) => {
    const { shown, buyers } = await (await openOrders())(query);
    expect(buyers).toEqual([]);
    expect(shown).toMatch(new RegExp(`<(input|select)(?=[^>]*name="${name}")(?=[^>]*aria-invalid="true")`));
  });
});

test('a parent chooses whose orders it sees, of those that have sold; the file has the same', async () => {
  const { hawks, tides, parent, tokens } = await settleAnother(server);
  for (const [club, token, count] of [
    [hawks, tokens.owner, 2],
    [tides, tokens.neighbor, 1],
  ] as const) {
    const galleryId = await openGallery(server, token, club.id);
    const photo = {
      id: await addReadyPhoto(server, { id: galleryId, organizationId: club.id }),
      gallery_id: galleryId,
    };
    for (let at = 0; at < count; at++)
      await sellPhotos(server, club.id, [photo], { email: `${club.path}-${at}@families.test` });
  }
  const ask = async (url: string, as: string) =>
    (await server.call({ method: 'GET', url, as, headers: { host: `${parent.path}.sideline.localhost` } })).body;
  const choicesOf = (html: string) => [...html.matchAll(/<option value="(\d+)"/g)].map(([, id]) => Number(id));
  const all = await ask(`/${parent.path}/orders`, tokens.parentMember);
  expect(choicesOf(all)).toEqual([hawks.id, tides.id]);
  const query = `?organization_id=${tides.id}`;
  const chosen = await ask(`/${parent.path}/orders${query}`, tokens.parentMember);
  expect(chosen).toMatch(new RegExp(`<option value="${tides.id}" selected=""`));
  expect(chosen.includes(`${tides.path}-0@families.test`)).toBe(true);
  expect(chosen.includes(`${hawks.path}-0@families.test`)).toBe(false);
  const refused = await ask(`/${parent.path}/orders${query}&from=2026-12-01&to=2026-01-01`, tokens.parentMember);
  expect(refused).toMatch(new RegExp(`<option value="${tides.id}" selected=""`));
  expect(refused.includes(`${tides.path}-0@families.test`)).toBe(false);
  const file = await ask(`/api/v1/affiliates/${parent.id}/orders.csv${query}`, tokens.parentMember);
  expect(file.trim().split('\r\n')).toHaveLength(2);
  const found = JSON.parse(await ask(`/api/v1/affiliates/${parent.id}/orders${query}`, tokens.parentMember));
  expect(found.orders).toMatchObject([{ organization: { id: tides.id } }]);
  // No choice within one club, and no way out of it.
  expect(choicesOf(await ask(`/${hawks.path}/orders`, tokens.owner))).toEqual([]);
  expect(JSON.parse(await ask(`/api/v1/affiliates/${hawks.id}/orders${query}`, tokens.owner)).orders).toEqual([]);
});

test('a parent of more sellers than a list holds searches them, and the chosen one stays', async () => {
  const [{ parent, tokens }, neighbors] = [await settleAnother(server), await settleAnother(server)];
  const clubs = await server.data.ownerQuery<{ id: number; name: string }>(
    `insert into organizations (kind, name, domain_name, parent_organization_id, free_tier)
     select 'affiliate', 'Club ' || n, 'club-' || n || '-of-' || $1, $1::bigint, true from generate_series(10, $2 + 10) n returning id, name`,
    [parent.id, SELLERS_LISTED],
  );
  for (const { id, name } of clubs)
    await sellPhotos(server, id, [], { email: `${name.replace(' ', '')}@families.test` });
  const headers = { host: `${parent.path}.sideline.localhost` };
  const ask = async (query: string) => {
    const url = `/${parent.path}/orders${query}`;
    const { body } = await server.call({ method: 'GET', url, as: tokens.parentMember, headers });
    return {
      buyers: body.match(/\w+(?=@families\.test<)/g),
      form: /<form[^>]*aria-label="Filter".*?<\/form>/s.exec(body)?.[0],
    };
  };
  const all = await ask('');
  expect(all.form).toMatch(/<input(?=[^>]*role="combobox")(?=[^>]*placeholder="All")(?=[^>]*value="")/);
  expect(all.form).not.toContain('Club ');
  const last = clubs.at(-1);
  const { form, buyers } = await ask(`?organization_id=${last?.id}`);
  expect(new Set(buyers)).toEqual(new Set([last?.name.replace(' ', '')]));
  expect(form).toMatch(new RegExp(`<input(?=[^>]*role="combobox")(?=[^>]*value="${last?.name}")`));
  expect(form).toMatch(
    new RegExp(`<input(?=[^>]*type="hidden")(?=[^>]*name="organization_id")(?=[^>]*value="${last?.id}")`),
  );
  // Orders of a deleted club stay, and so does the choice.
  await server.data.ownerQuery('update organizations set deleted_at = now() where id = $1', [last?.id]);
  const deleted = await ask(`?organization_id=${last?.id}`);
  expect(new Set(deleted.buyers)).toEqual(new Set([last?.name.replace(' ', '')]));
  expect(deleted.form).toMatch(new RegExp(`<input(?=[^>]*role="combobox")(?=[^>]*value="${last?.name}")`));
  // An address that someone has kept or changed shows no orders, as where all sellers are listed.
  expect((await ask(`?organization_id=${parent.id}`)).form).toContain(`value="${parent.path}"`);
  for (const id of [neighbors.hawks.id, 999_999]) {
    const none = await ask(`?organization_id=${id}`);
    expect([none.buyers, none.form]).toEqual([null, expect.stringMatching(/role="combobox"[^>]*value=""/)]);
  }
});

test('bought credit is listed by its number, because its own address shows the code', async () => {
  const { hawks, parent, tokens } = await settleAnother(server);
  await offerCredit(server, hawks.id, [[2500, 0]]);
  const { vanity_id: vanityId } = (await buyCredit(server, hawks.id)).json<{ vanity_id: string }>();
  const { id, credit_sold: sold } = await orderOf(server, vanityId);
  const open = async (url: string) =>
    (
      await server.call({
        method: 'GET',
        url,
        as: tokens.owner,
        headers: { host: `${parent.path}.sideline.localhost` },
      })
    ).body;
  const list = await open(`/${hawks.path}/orders`);
  expect(list).toContain(`href="/${hawks.path}/order/${id}"`);
  expect(list).not.toContain(vanityId);
  const page = await open(`/${hawks.path}/order/${id}`);
  expect(page).toContain('$25.00');
  for (const secret of [vanityId, sold?.code ?? 'none']) expect(page).not.toContain(secret);
});
