/**
 * Example galleries on the product's own pages: only those of organizations that a platform admin selected (rule 52).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { payWith } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const MINUTE_MS = 61_000;
let aheadMs = 0;
const clock = { now: () => new Date(Date.now() + aheadMs) };
const server = useTestServer({ pages: true, clock, env: { RATE_LIMIT_FACTOR: '1000' } });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

/** A new user opens a free account and immediately publishes a photo. */
async function signUpAndPublish(): Promise<{ token: string; organizationId: number; galleryId: number }> {
  const email = 'stranger@anywhere.test';
  const signedUp = await server.call({
    method: 'POST',
    url: '/signup/',
    payload: {
      user: { first_name: 'A', last_name: 'B', email, password: 'nine fine pines' },
      affiliateInfo: { affiliateName: 'front', affiliateOrg: 'Front Page Club', domain_name: 'front' },
      promoCode: '',
      org: { id: 1 },
      freeTier: true,
      agreeToTerms: true,
      confirmAgeAndPlace: true,
    },
  });
  expect([signedUp.statusCode, signedUp.body]).toEqual([200, expect.anything()]);
  const token = await server.signIn(email, 'nine fine pines');
  const [row] = await server.data.ownerQuery<{ id: number }>(
    "select id from organizations where domain_name = 'front'",
  );
  const organizationId = row?.id ?? 0;
  const galleryId = await openGallery(server, token, organizationId, { name: 'Look At Me' });
  await addReadyPhoto(server, { id: galleryId, organizationId }, { name: 'Unasked' });
  return { token, organizationId, galleryId };
}

/** The product's own pages, a minute later: they cache their examples for a minute. */
async function ownPages(): Promise<string[]> {
  aheadMs += MINUTE_MS;
  return Promise.all(
    ['/', '/why', '/talk-to-expert'].map(async (url) => {
      const answer = await server.call({ method: 'GET', url, headers: { accept: 'text/html' } });
      expect(answer.statusCode).toBe(200);
      return answer.body;
    }),
  );
}
const setShown = (id: number, shown: boolean, as: string) =>
  server.call({
    method: 'PUT',
    url: `/api/v1/organizations/${id}/terms`,
    as,
    payload: { terms: { shown_on_home_page: shown } },
  });

describe('the home page', () => {
  test('shows a new sign-up only after a platform admin selected it, and our own pictures until then', async () => {
    const { token, organizationId, galleryId } = await signUpAndPublish();
    const address = `/gallery/${galleryId}`;
    const cardWithoutExamples = await homeCard();

    for (const page of await ownPages()) {
      expect(page).not.toContain(String(galleryId));
      expect(page).not.toContain('Look At Me');
    }
    const [home, why, expert] = await ownPages();
    expect(home).toContain('A soccer team celebrates a goal');
    expect(why).toContain('A player takes a shot');
    expect(expert).toContain('A soccer team celebrates a goal');

    // No one can select themselves, not even the parent's members.
    for (const as of [token, people.tokens.owner, people.tokens.parentMember])
      expect((await setShown(organizationId, true, as)).statusCode).toBe(403);
    await server.call({
      method: 'PUT',
      url: `/api/v1/affiliates/${organizationId}`,
      as: token,
      payload: { affiliate: { name: 'Front Page Club', shown_on_home_page: true } },
    });
    for (const page of await ownPages()) expect(page).not.toContain(String(galleryId));
    expect(await homeCard()).toBe(cardWithoutExamples);

    expect((await setShown(organizationId, true, people.tokens.admin)).json()).toMatchObject({
      shown_on_home_page: true,
    });
    expect((await ownPages())[0]).toContain(address);

    await setShown(organizationId, false, people.tokens.admin);
    expect((await ownPages())[0]).not.toContain(address);
  });

  test('logs who added an organization', async () => {
    await setShown(people.hawks.id, true, people.tokens.admin);
    const [line] = await server.data.ownerQuery<{ details: unknown }>(
      "select details from audit_log where action = 'organization.flags_changed' and organization_id = $1 order by id desc limit 1",
      [people.hawks.id],
    );
    expect(line?.details).toMatchObject({ shown_on_home_page_before: false, shown_on_home_page: true });
  });
});

describe('the home page of a parent', () => {
  const BELOW_PARENT = { host: 'lakeside.sideline.localhost' };

  /** With `as`, the office opens the account; otherwise someone pays for it. */
  async function join(name: string, as?: string): Promise<number> {
    const path = name.toLowerCase();
    const opened = await server.call({
      method: 'POST',
      url: '/signup/',
      ...(as === undefined ? {} : { as }),
      payload: {
        user: {
          first_name: 'A',
          last_name: 'B',
          email: `${path}@anywhere.test`,
          password: 'nine fine pines',
          zip: '44101',
        },
        affiliateInfo: { affiliateName: path, affiliateOrg: name, domain_name: path },
        org: { id: people.parent.id },
        ...(as === undefined
          ? { stripe_token: (await payWith(server)).id, freeTier: false, agreeToTerms: true, confirmAgeAndPlace: true }
          : { freeTier: true, bulk_upload: true }),
      },
    });
    expect([opened.statusCode, opened.body]).toEqual([200, expect.anything()]);
    const [row] = await server.data.ownerQuery<{ id: number }>('select id from organizations where domain_name = $1', [
      path,
    ]);
    return row?.id ?? 0;
  }
  const home = async () => {
    const answer = await server.call({ method: 'GET', url: '/', headers: { ...BELOW_PARENT, accept: 'text/html' } });
    expect(answer.statusCode).toBe(200);
    return answer.body;
  };

  test('lists accounts that platform admins added, and paying sign-ups only after a platform admin selected them', async () => {
    const id = await join('Selfmade');
    await join('Invited', people.tokens.admin);
    const before = await home();
    expect(before).toContain('href="/invited"');
    expect(before).toContain(`href="/${people.hawks.path}"`);
    expect(before).not.toContain('Selfmade');
    // The account itself is open immediately.
    const own = await server.call({
      method: 'GET',
      url: '/selfmade',
      headers: { ...BELOW_PARENT, accept: 'text/html' },
    });
    expect(own.statusCode).toBe(200);

    await setShown(id, true, people.tokens.admin);
    expect(await home()).toContain('href="/selfmade"');
  });
});

/** The picture of a shared link to the home page. */
async function homeCard(): Promise<string> {
  const answer = await server.call({ method: 'GET', url: '/api/v1/share_cards/organizations/1' });
  return String(answer.headers['etag']);
}
