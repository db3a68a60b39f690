/**
 * Every call with a body, tried with bodies that are wrong in every way its own schema suggests. The response is always
 * a refusal in the common format, in words that people understand, and never an internal error.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleOf, WRONG_WHOLES, wrongVersionsOf, type JsonSchema } from '#tests/support/wrong-bodies.ts';
import { addReadyPhoto, openGallery, settleAnother } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ env: { RATE_LIMIT_FACTOR: '1000000' } });

type Operation = { method: 'POST' | 'PUT' | 'DELETE'; url: string; schema: JsonSchema };
type Document = {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: JsonSchema } | undefined> } }>
  >;
  components?: { schemas?: Record<string, JsonSchema> };
};

let operations: Operation[];
let document: Document;

beforeAll(async () => {
  document = (await server.call({ method: 'GET', url: '/api/openapi.json' })).json<Document>();
  operations = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema ? [{ method: method.toUpperCase() as Operation['method'], url, schema }] : [];
    }),
  );
});

/** From the one with the fewest rights to the one with the most. */
const CALLERS = ['a visitor', 'an owner', 'a platform admin'] as const;
type Caller = (typeof CALLERS)[number];

/** The route that ends the caller’s session. */
const LOGOUT = '/logout';

/** A club with a gallery and a photo, which only one test changes. */
async function openWorld() {
  const people = await settleAnother(server);
  const { owner, admin } = people.tokens;
  const gallery = await openGallery(server, owner, people.hawks.id);
  const photo = await addReadyPhoto(server, { id: gallery, organizationId: people.hawks.id });
  const tokens: Record<Caller, string | null> = { 'a visitor': null, 'an owner': owner, 'a platform admin': admin };
  const addressOf = (pattern: string): string =>
    pattern
      .replace(/\{(galleryId|gallery_id)\}/, String(gallery))
      .replace(/\{(photoId|photo_id)\}/, String(photo))
      .replace(/galleries\/\{id\}/, `galleries/${gallery}`)
      .replace(/gallery_photos\/\{id\}/, `gallery_photos/${photo}`)
      .replace(/affiliates\/\{\w+\}/, `affiliates/${people.hawks.id}`)
      .replace(/organizations\/\{\w+\}/, `organizations/${people.hawks.id}`)
      .replace(/\{\w+\}/, '1');
  const send = (method: string, pattern: string, caller: Caller, payload: string) =>
    server.call({
      method: method as Operation['method'],
      url: addressOf(pattern),
      as: tokens[caller],
      headers: { 'content-type': 'application/json' },
      payload,
    });
  return {
    send,
    /** The first whose body is looked at. Some routes say 404 to whom they do not admit. */
    async firstAdmitted(method: string, pattern: string): Promise<Caller | undefined> {
      for (const caller of CALLERS)
        if (![401, 403, 404].includes((await send(method, pattern, caller, '[]')).statusCode)) return caller;
      return CALLERS.at(-1);
    },
    /** A caller that was logged out meanwhile would be refused only because of that. */
    async isSignedIn(caller: Caller): Promise<boolean> {
      const { statusCode } = await server.call({ method: 'GET', url: '/users/current', as: tokens[caller] });
      return statusCode === (caller === 'a visitor' ? 401 : 200);
    },
  };
}

/** Technical texts: of the schema library, the database, the engine. */
const MACHINE_WORDS =
  /invalid input|expected |received|invalid_|zod|sqlstate|syntax error|relation "|constraint|violates|undefined|\bNaN\b|\[object|stack|node_modules|too big|too small|unrecognized/i;

describe('an invalid body', () => {
  test('exists for every call that accepts one', () => {
    expect(operations.length).toBeGreaterThan(10);
    for (const name of ['POST /login', 'POST /api/v1/orders', 'PUT /api/v1/galleries/{id}'])
      expect(operations.map(({ method, url }) => `${method} ${url}`)).toContain(name);
  });

  test('is sent in every version by a caller from whom the call does not hide', async () => {
    const world = await openWorld();
    expect(await world.firstAdmitted('PUT', '/api/v1/orders/{id}')).toBe('a platform admin');
  });

  test.each(CALLERS)(
    'is refused in plain words, and never causes an internal error, when it comes from %s',
    async (caller) => {
      const world = await openWorld();
      const strange: string[] = [];
      let played = 0;
      for (const { method, url, schema } of operations) {
        const resolve = (name: string) => document.components?.schemas?.[name] ?? {};
        // The schema is the same for all whom the call admits: one of them sends every body.
        const isFirst = caller === (await world.firstAdmitted(method, url));
        for (const [what, payload] of isFirst ? wrongVersionsOf(sampleOf(schema, resolve)) : WRONG_WHOLES) {
          played += 1;
          const answer = await world.send(method, url, caller, JSON.stringify(payload));
          if (answer.statusCode < 400) continue;
          const name = `${method} ${url} with ${what} → ${answer.statusCode} ${answer.body.slice(0, 200)}`;
          if (answer.statusCode >= 500 && answer.statusCode !== 503) strange.push(name);
          const refusal = answer.json<{ error: unknown; errors: Record<string, unknown>; request_id: unknown }>();
          const words = [refusal.error, ...Object.values(refusal.errors).flat()];
          if (typeof refusal.request_id !== 'string' || !words.every((word) => typeof word === 'string' && word !== ''))
            strange.push(`${name}: not the shape of a refusal`);
          if (words.some((word) => MACHINE_WORDS.test(String(word)))) strange.push(`${name}: a machine’s words`);
        }
      }
      expect(strange).toEqual([]);
      expect(played).toBeGreaterThan(operations.length * WRONG_WHOLES.length);
      expect(await world.isSignedIn(caller)).toBe(true);
    },
    180_000,
  );

  // `__proto__` alone: the body's parser refuses it, and looks at no other field.
  test.each([[['__proto__']], [['constructor', 'toString', 'hasOwnProperty']]])(
    'with a field named %s is refused by every route, for every caller',
    async (names) => {
      const world = await openWorld();
      const strange: string[] = [];
      const wrappers = ['user', 'order', 'gallery', 'photo', 'affiliate', 'organization', 'affiliateInfo', 'buyer'];
      const fields = (value: string) => names.map((name) => `"${name}":${value}`).join(',');
      const bodies = [
        `{${fields('1')},${wrappers.map((wrapper) => `"${wrapper}":{${fields('1')}}`).join(',')}}`,
        `{${fields('"a\\u0000b"')}}`,
      ];
      const routes = server.built.routes.filter(
        ({ method, url }) => !['GET', 'OPTIONS', 'HEAD'].includes(method) && url !== LOGOUT,
      );
      const sendAll = async (method: string, url: string) => {
        for (const caller of CALLERS)
          for (const payload of bodies) {
            const answer = await world.send(method, url.replaceAll(/:(\w+)/g, '{$1}'), caller, payload);
            const isStrange = answer.statusCode >= 500 || /Object\.prototype|is not a function/.test(answer.body);
            if (isStrange) strange.push(`${method} ${url} with ${payload} → ${answer.statusCode} ${answer.body}`);
          }
      };
      for (const { method, url } of routes) await sendAll(method, url);
      for (const caller of CALLERS) expect(await world.isSignedIn(caller), caller).toBe(true);
      await sendAll('POST', LOGOUT);
      expect(strange).toEqual([]);
      expect(routes.length).toBeGreaterThan(60);
    },
    120_000,
  );
});
