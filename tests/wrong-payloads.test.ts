/**
 * Every call with a body, tried with bodies that are wrong in every way its own schema suggests. The response is always
 * a refusal in the common format, in words that people understand, and never an internal error.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleOf, wrongVersionsOf, type JsonSchema } from '#tests/support/wrong-bodies.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
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

let people: Neighborhood;
let ids: { gallery: number; photo: number };
let operations: Operation[];
let document: Document;

beforeAll(async () => {
  people = await settleNeighborhood(server);
  const gallery = await openGallery(server, people.tokens.owner, people.hawks.id);
  ids = { gallery, photo: await addReadyPhoto(server, { id: gallery, organizationId: people.hawks.id }) };
  document = (await server.call({ method: 'GET', url: '/api/openapi.json' })).json<Document>();
  operations = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema ? [{ method: method.toUpperCase() as Operation['method'], url, schema }] : [];
    }),
  );
});

function addressOf(pattern: string): string {
  return pattern
    .replace(/\{(galleryId|gallery_id)\}/, String(ids.gallery))
    .replace(/\{(photoId|photo_id)\}/, String(ids.photo))
    .replace(/galleries\/\{id\}/, `galleries/${ids.gallery}`)
    .replace(/gallery_photos\/\{id\}/, `gallery_photos/${ids.photo}`)
    .replace(/affiliates\/\{\w+\}/, `affiliates/${people.hawks.id}`)
    .replace(/organizations\/\{\w+\}/, `organizations/${people.hawks.id}`)
    .replace(/\{\w+\}/, '1');
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

  test.each([
    ['a visitor', () => null],
    ['an owner', () => people.tokens.owner],
    ['a platform admin', () => people.tokens.admin],
  ])(
    'is refused in plain words, and never causes an internal error, when it comes from %s',
    async (_who, token) => {
      const strange: string[] = [];
      let played = 0;
      for (const { method, url, schema } of operations) {
        const resolve = (name: string) => document.components?.schemas?.[name] ?? {};
        for (const [what, payload] of wrongVersionsOf(sampleOf(schema, resolve))) {
          played += 1;
          const answer = await server.call({
            method,
            url: addressOf(url),
            as: token(),
            headers: { 'content-type': 'application/json' },
            payload: JSON.stringify(payload),
          });
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
      expect(played).toBeGreaterThan(operations.length * 10);
    },
    180_000,
  );

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'with a field named %s is refused by every route, for every caller',
    async (name) => {
      const strange: string[] = [];
      const wrappers = ['user', 'order', 'gallery', 'photo', 'affiliate', 'organization', 'affiliateInfo', 'buyer'];
      const bodies = [
        `{"${name}":1}`,
        `{${wrappers.map((wrapper) => `"${wrapper}":{"${name}":1}`).join(',')}}`,
        `{"${name}":"a\\u0000b"}`,
      ];
      const routes = server.built.routes.filter(({ method }) => !['GET', 'OPTIONS', 'HEAD'].includes(method));
      for (const { method, url } of routes)
        for (const as of [null, people.tokens.owner, people.tokens.admin])
          for (const payload of bodies) {
            const answer = await server.call({
              method: method as 'POST',
              url: addressOf(url.replaceAll(/:(\w+)/g, '{$1}')),
              as,
              headers: { 'content-type': 'application/json' },
              payload,
            });
            const isStrange = answer.statusCode >= 500 || /Object\.prototype|is not a function/.test(answer.body);
            if (isStrange) strange.push(`${method} ${url} with ${payload} → ${answer.statusCode} ${answer.body}`);
          }
      expect(strange).toEqual([]);
      expect(routes.length).toBeGreaterThan(60);
    },
    120_000,
  );
});
