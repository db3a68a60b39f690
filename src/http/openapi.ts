/** `GET /api/openapi.json` from the routes' own schemas, and a browsable page of it at `/api/docs`. */
import fastifySwagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { DeclaredRoute, RouteAccess } from '#src/http/access.ts';
import { FORM_CONSTRAINT } from '#src/http/plain-forms.ts';

const WORDS: Record<RouteAccess['who'], string> = {
  anyone: 'Anyone',
  session: 'A signed-in user',
  'session-or-contributor': 'A signed-in user, or the holder of a contribute key',
  'platform-admin': 'A platform admin',
  operator: 'This machine, or the holder of the metrics token',
};

function listed(url: string): boolean {
  return url.startsWith('/api/v1/') || ['/login', '/logout', '/password', '/signup/', '/users/current'].includes(url);
}

/** An answer of null has no body: the words that the document's library knows for it. */
function answersOf(schema: FastifySchema | undefined): Record<string, unknown> | undefined {
  if (schema?.response === undefined) return undefined;
  const answers = Object.entries(schema.response as Record<string, { enum?: unknown[]; description?: string }>);
  return Object.fromEntries(
    answers.map(([status, answer]) => {
      const { description } = answer;
      return [status, answer.enum?.length === 1 && answer.enum[0] === null ? { type: 'null', description } : answer];
    }),
  );
}

export function openApiRoutes(_routes: readonly DeclaredRoute[]) {
  return fastifyPlugin(async (server: FastifyInstance): Promise<void> => {
    await server.register(fastifySwagger, {
      openapi: {
        info: {
          title: 'Sideline',
          version: '1',
          description: 'Galleries that pay for the team. Money is dollars as a number; ids are numbers below 2^53.',
        },
        components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
      },
      transform: (document) => {
        const { schema, url, route } = document;
        // A page's form has the address of a JSON call and would replace it here.
        const isPageForm = route.constraints?.[FORM_CONSTRAINT.name] !== undefined;
        if (!listed(url) || isPageForm) return { schema: { ...schema, hide: true }, url };
        const access = route.config?.access;
        const transformed = jsonSchemaTransform(document);
        const description = access
          ? `Who may call: ${WORDS[access.who]}${access.who === 'anyone' ? ` (${access.why})` : ''}.`
          : '';
        const security = access && access.who !== 'anyone' ? [{ session: [] }] : [];
        return {
          url: transformed.url,
          schema: { ...transformed.schema, response: answersOf(transformed.schema), description, security },
        };
      },
    });
    const access = { who: 'anyone', why: 'the description of the public calls' } as const;
    server.get('/api/openapi.json', { config: { access } }, async () => server.swagger());
    server.get('/api/docs', { config: { access } }, async (_request, reply) => {
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
      return apiDocsPage(server.swagger());
    });
  });
}

/** A plain page of the calls, made from the OpenAPI document: no script, no other site. */
type Operation = {
  summary?: string;
  description?: string;
  requestBody?: unknown;
  responses?: unknown;
  parameters?: unknown;
};
type Document = { info?: { title?: string; description?: string }; paths?: object };

const METHODS = ['get', 'post', 'put', 'delete'] as const;

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function details(title: string, value: unknown): string {
  return value === undefined
    ? ''
    : `<details><summary>${title}</summary><pre>${escape(JSON.stringify(value, null, 2))}</pre></details>`;
}

function callSection(method: string, path: string, call: Operation): string {
  return `<section><h2><b>${method.toUpperCase()}</b> ${escape(path)}</h2><p>${escape(call.summary ?? '')}</p><p class="who">${escape(call.description ?? '')}</p>${details('Parameters', call.parameters)}${details('Body', call.requestBody)}${details('Answers', call.responses)}</section>`;
}

/** @returns a whole html document */
function apiDocsPage(document: Document): string {
  const sections: string[] = [];
  for (const [path, item] of Object.entries(document.paths ?? {}) as [string, Partial<Record<string, Operation>>][]) {
    for (const method of METHODS) {
      const call = item[method];
      if (call) sections.push(callSection(method, path, call));
    }
  }
  const title = escape(document.info?.title ?? 'API');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}: calls</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 20px;background:#FBFAF7;color:#14171A}section{border-top:1px solid #E6E2DA;padding:.5rem 0}h2{font-size:1.05rem;overflow-wrap:anywhere}h2 b{display:inline-block;min-width:4.5rem;color:#006B92}.who{color:#5B6470}pre{overflow:auto;background:#fff;border:1px solid #E6E2DA;border-radius:10px;padding:1rem;font-size:.8rem}summary{cursor:pointer;padding:.3rem 0}</style>
<h1>${title}: calls</h1><p>${escape(document.info?.description ?? '')} The same as a document for programs: <a href="/api/openapi.json">openapi.json</a>.</p>${sections.join('\n')}</html>`;
}
