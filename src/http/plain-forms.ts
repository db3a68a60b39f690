/**
 * Forms of pages that work without JavaScript. Every other call accepts only JSON, which a foreign page cannot send
 * without permission.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { fieldProblem, problem } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

/** After the form was accepted: the browser requests the page again. */
export const SEE_OTHER = 303;

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** For `schema.consumes` of a route that accepts only such a form. */
export const TAKES_FORM = [FORM_TYPE];

/** For `schema.response` of a route that redirects to a page. */
export const REDIRECTS = { [SEE_OTHER]: z.null().check(z.describe('`Location` has the address of the page.')) };

/**
 * The routes of this plugin also accept `application/x-www-form-urlencoded`; if a name occurs twice, the last value
 * counts. The limits of any body apply (`limitBodies`).
 */
export function acceptPlainForms(server: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  server.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, async (_request: unknown, text: string | Buffer) =>
    readForm(String(text)),
  );
}

/** PostgreSQL cannot store U+0000. */
function readForm(text: string): Record<string, string> {
  const fields = [...new URLSearchParams(text)];
  if (fields.some(([name, value]) => name.includes('\u0000') || value.includes('\u0000')))
    throw problem('bad_request', 'This form could not be understood.');
  return Object.fromEntries(fields);
}

/** What a browser without JavaScript sent, and from which page. */
export type FormPost = {
  caller: Caller;
  fields: Record<string, string>;
  /** The page's address, with its query. */
  url: URL;
  /** The organization's label in the host. */
  hostLabel: string | null;
  /** The device cookie of an earlier login. */
  device: string | null;
};

/** Where the browser goes next, with the token of a new session and of the device, if there are any. */
export type FormResult = { to: string; token?: string; device?: string };

/**
 * A form that is sent to its page's own address and does the same as the page's call. If there is a problem, the page
 * is shown again, with its messages and everything that was typed except passwords: its loader finds them as `form` in
 * the context.
 */
export type PlainForm = {
  path: `/${string}`;
  /** Why anyone may send it: what protects it instead. */
  why: string;
  /** @throws problems, which are shown on the page */
  handle(post: FormPost): Promise<FormResult>;
};

/** A form's fields, checked by the schema of its call. @throws invalid, with all problems */
export function parseForm<Schema extends z.ZodMiniType>(schema: Schema, fields: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(fields);
  if (!parsed.success) throw fieldProblem(errorsOf(parsed.error));
  return parsed.data;
}

/** Never sent back in a page. */
const SECRETS = new Set(['password', 'confirm']);

export function withoutSecrets(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !SECRETS.has(name)));
}

/** The constraint `sentAs: 'form'` of a route: the same address may also have a JSON call (`POST /login`). */
export const FORM_CONSTRAINT = {
  name: 'sentAs',
  deriveConstraint: (request: Pick<FastifyRequest['raw'], 'headers'>) =>
    request.headers['content-type']?.toLowerCase().startsWith(FORM_TYPE) === true ? 'form' : undefined,
  validate: () => true,
  storage: () => {
    // The router does not export its type of a route.
    const routes = new Map<unknown, never>();
    return {
      get: (sentAs: unknown): never | null => routes.get(sentAs) ?? null,
      set: (sentAs: unknown, route: unknown) => void routes.set(sentAs, route as never),
    };
  },
};
