/** `GET /api/openapi.json` (OpenAPI 3.1) from the routes' own schemas, and a browsable page of it at `/api/docs`. */
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { TOKEN_SCOPES } from '#src/features/tenancy/token-scopes.contract.ts';
import type { RouteAccess } from '#src/http/access.ts';
import { compressOnce, encodingFor, type Encoding } from '#src/http/compression.ts';
import { hasVersion, tagOf } from '#src/http/etag.ts';
import {
  completeDocument,
  EXAMPLE_BODY,
  REFUSALS,
  type ApiDocument,
  type WebhookMessage,
} from '#src/http/openapi-document.ts';
import { apiDocsPage } from '#src/http/openapi-page.ts';
import { FORM_CONSTRAINT } from '#src/http/plain-forms.ts';
import { startOnce } from '#src/shared/start-once.ts';

const WORDS: Record<RouteAccess['who'], string> = {
  anyone: 'Anyone',
  session: 'A signed-in user',
  'session-or-contributor': 'A signed-in user, or the holder of a contribute key',
  token: 'An API token',
  'platform-admin': 'A platform admin',
  operator: 'This machine, or the holder of the metrics token',
};

/** Calls outside of `/api/v1/`. */
const ELSEWHERE = [
  '/login',
  '/logout',
  '/password',
  '/sandbox/tokens',
  '/signup/',
  '/users/current',
  '/users/current/password',
];

function listed(url: string): boolean {
  return url.startsWith('/api/v1/') || ELSEWHERE.includes(url);
}

/** Who may call: in words, and as the document's security. */
function describeAccess(access: RouteAccess) {
  const scope = 'scope' in access ? access.scope : undefined;
  const who = `Who may call: ${WORDS[access.who]}${access.who === 'anyone' ? ` (${access.why})` : ''}.`;
  const session = access.who === 'anyone' ? {} : access.who === 'token' ? { api_token: [] } : { session: [] };
  return {
    description: scope === undefined ? who : `${who} Also an API token with the scope ${scope}.`,
    // In 3.1 the list of a bearer scheme names the roles that the bearer needs.
    security: scope === undefined ? (access.who === 'anyone' ? [] : [session]) : [session, { api_token: [scope] }],
  };
}

const INFO = {
  title: 'Sideline',
  version: '1',
  description: 'Galleries that pay for the team. Money is dollars as a number; ids are numbers below 2^53.',
  license: { name: 'MIT', identifier: 'MIT' },
};
/** The host that the document came from. */
const SERVERS = [{ url: '/' }];
const SECURITY_SCHEMES = {
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `authorization` header of the answer of `POST /login`.',
  },
  api_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sideline_…',
    description: `An API token of an organization, made under Settings, API tokens. Scopes: ${TOKEN_SCOPES.join(', ')}.`,
  },
} as const;

/** Sends a text that does not change while the process runs: it is large, so it is written and compressed only once. */
function sender(type: string, write: () => Promise<string>) {
  const text = startOnce(async () => Buffer.from(await write()));
  const compressed = (encoding: Encoding) =>
    startOnce(async () => {
      const body = await compressOnce(await text(), encoding);
      return { body, etag: tagOf(body) };
    });
  const encodings = { br: compressed('br'), gzip: compressed('gzip'), identity: compressed('identity') };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const encoding = encodingFor(request);
    const { body, etag } = await encodings[encoding]();
    reply.headers({ vary: 'accept-encoding', 'cache-control': 'public, no-cache', etag });
    if (hasVersion(request, etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(type).send(body);
  };
}

type Described = { webhooks: readonly WebhookMessage[] };

export const openApiRoutes = fastifyPlugin(async (server: FastifyInstance, { webhooks }: Described): Promise<void> => {
  await server.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: INFO,
      servers: SERVERS,
      components: { securitySchemes: SECURITY_SCHEMES, ...REFUSALS },
    },
    transform: (document) => {
      const { schema, url, route } = document;
      // A page's form has the same address as a JSON call and would replace it here.
      const isPageForm = route.constraints?.[FORM_CONSTRAINT.name] !== undefined;
      if (!listed(url) || isPageForm) return { schema: { ...schema, hide: true }, url };
      const { access, example } = route.config ?? {};
      const transformed = jsonSchemaTransform(document);
      const documented = {
        ...transformed.schema,
        ...(access ? describeAccess(access) : {}),
        ...(example === undefined ? {} : { [EXAMPLE_BODY]: example }),
      };
      return { url: transformed.url, schema: documented as FastifySchema };
    },
  });
  const access = { who: 'anyone', why: 'the description of the public calls' } as const;
  // All routes are known when the first call arrives.
  const document = startOnce(async () => completeDocument(server.swagger() as ApiDocument, webhooks));
  const sendJson = sender('application/json; charset=utf-8', async () => JSON.stringify(await document()));
  const sendPage = sender('text/html; charset=utf-8', async () => apiDocsPage(await document()));
  server.get('/api/openapi.json', { config: { access } }, sendJson);
  server.get('/api/docs', { config: { access } }, async (request, reply) => {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    return sendPage(request, reply);
  });
});
