import { RouterContextProvider } from 'react-router';
import { describe, expect, test } from 'vitest';
import type { App } from '#src/app.ts';
import type { Actor, SignedIn } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { problem, type ProblemCode } from '#src/shared/problem.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly, platformAdminsOnly, requireMember, requireUser } from '#src/web/guards.ts';
import { withRefusals } from '#src/web/refusals.ts';
import { OTHER_ACCOUNT } from '#src/web/words.ts';

const url = new URL('http://lakeside.sideline.localhost/hawks-soccer/dashboard?x=1');

function user(roleId: 1 | 2, organizationIds: readonly number[]): SignedIn {
  const memberships = organizationIds.map((organizationId) => ({ organizationId, role: 2 as const }));
  return { kind: 'user', userId: 9, roleId, memberships, sessionHash: Buffer.alloc(32), confirmedAt: new Date() };
}

/** A request to affiliate 3 below organization 2; `loggedOut` counts ended sessions. */
function request(actor: Actor, { isOwnNavigation = true } = {}) {
  const context = new RouterContextProvider();
  const loggedOut: unknown[] = [];
  const caller = { actor, visitorId: null, unlocks: new Map<number, string>(), ip: '127.0.0.1' };
  context.set(requestContext, {
    app: {} as App,
    caller,
    tenant: { organization: { id: 2 } as Organization },
    url,
    nonce: '',
    sheet: null,
    failure: null,
    form: null,
    isOwnNavigation,
    setSubjects: () => {},
    isRoute: () => {},
    endSession: async () => void loggedOut.push(caller),
    report: () => {},
  });
  context.set(affiliateContext, { id: 3, parentOrganizationId: 2 } as Organization);
  return { context, loggedOut };
}

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  return null;
}

const whereTo = (thrown: unknown) =>
  thrown instanceof Response ? `${thrown.status} ${thrown.headers.get('location')}` : thrown;
const LOGIN = '302 /login?redirect=%2Fhawks-soccer%2Fdashboard%3Fx%3D1';

describe('guard 2: pages that need a session', () => {
  test('send a visitor to the login, and back afterwards', async () => {
    const { context } = request({ kind: 'visitor' });
    expect(whereTo(await thrownBy(() => requireUser(context)))).toBe(LOGIN);
    expect(whereTo(await thrownBy(() => requireMember(context)))).toBe(LOGIN);
  });

  test('send a contributor there too', async () => {
    const { context } = request({ kind: 'contributor', keyHash: Buffer.alloc(32), galleryId: 1, organizationId: 3 });
    expect(whereTo(await thrownBy(() => requireUser(context)))).toBe(LOGIN);
  });
});

describe('guard 3: members’ pages', () => {
  test.each([
    ['a member of the affiliate', user(1, [3]), null, 0],
    ['a member of the host’s organization', user(1, [2]), null, 0],
    ['a platform admin', user(2, []), null, 0],
    ['someone of another affiliate', user(1, [4]), '302 /', 1],
    ['someone of no organization', user(1, []), '302 /', 1],
  ])('%s', async (_who, actor, answer, loggedOutTimes) => {
    const { context, loggedOut } = request(actor);
    expect(whereTo(await thrownBy(() => requireMember(context)))).toBe(answer);
    expect(loggedOut.length).toBe(loggedOutTimes);
    const args = { context, url, params: {}, request: new Request(url), pattern: '' };
    expect(whereTo(await thrownBy(() => membersOnly(args, async () => new Response())))).toBe(answer);
  });
});

test('guard 3 asks, and ends no session, if another site may have caused the request', async () => {
  const { context, loggedOut } = request(user(1, [4]), { isOwnNavigation: false });
  expect(await thrownBy(() => requireMember(context))).toMatchObject({ code: 'forbidden', message: OTHER_ACCOUNT });
  expect(loggedOut).toEqual([]);
});

test('pages of platform admins answer others with 403', async () => {
  const open = (actor: Actor) => {
    const { context } = request(actor);
    return thrownBy(() =>
      platformAdminsOnly(
        { context, url, params: {}, request: new Request(url), pattern: '' },
        async () => new Response(),
      ),
    );
  };
  expect(await open(user(2, []))).toBeNull();
  expect(await open(user(1, [3]))).toMatchObject({ code: 'forbidden' });
  expect(whereTo(await open({ kind: 'visitor' }))).toBe(LOGIN);
});

describe('a service’s error reaches the page with its status', () => {
  test.each([
    ['not_found', 404],
    ['forbidden', 403],
    ['invalid', 422],
    ['too_many', 429],
    ['unavailable', 503],
  ] satisfies [ProblemCode, number][])('%s is %d', async (code, status) => {
    const loader = withRefusals(() => {
      throw problem(code, 'A sentence.', { errors: { name: ['Too long.'] } });
    });
    expect(await thrownBy(() => (loader as (args: unknown) => unknown)({ url }))).toMatchObject({
      data: { code, message: 'A sentence.', errors: { name: ['Too long.'] } },
      init: { status },
    });
  });

  test('a missing session leads to the login', async () => {
    const loader = withRefusals(async () => {
      throw problem('unauthenticated', 'Please log in.');
    });
    expect(whereTo(await thrownBy(() => (loader as (args: unknown) => unknown)({ url })))).toBe(LOGIN);
  });

  test('other errors and responses pass unchanged', async () => {
    const failure = new Error('unexpected');
    expect(
      await thrownBy(() => (withRefusals(() => Promise.reject(failure)) as (args: unknown) => unknown)({ url })),
    ).toBe(failure);
    expect(await (withRefusals(async () => 7) as (args: unknown) => unknown)({ url })).toBe(7);
  });
});
