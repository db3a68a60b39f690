/** What the routes' schemas do not say: refusals, names of operations, and an example of every body. */
import { exampleOf, type JsonSchema } from '#src/http/openapi-examples.ts';

type Media = { schema?: JsonSchema; example?: unknown };
type Answer = { description?: string; content?: Record<string, Media> } | { $ref: string };
type Parameter = { in: string; name?: string; description?: string; schema?: JsonSchema };
export type Operation = {
  operationId?: string;
  summary?: string;
  tags?: readonly string[];
  description?: string;
  security?: readonly object[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses?: Record<string, Answer>;
  [EXAMPLE_BODY]?: unknown;
};
export type ApiDocument = {
  info?: { title?: string; description?: string };
  tags?: readonly { name: string; description: string }[];
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: Operation }>;
};

/** A message that we send to addresses of others. */
export type WebhookMessage = { type: string; summary: string; body: object };

/** Keeps a route's own example of its body (`example` in its `config`) until it is placed where OpenAPI expects it. */
export const EXAMPLE_BODY = 'x-example-body';

const JSON_TYPE = 'application/json';

const SENTENCES = {
  401: 'Please log in.',
  403: 'Only platform administrators can do this.',
  404: 'This page cannot be found.',
  422: 'This field is required',
  429: 'Too many attempts. Try again in 30 seconds.',
  503: 'Something went wrong on our side. Please try again.',
} as const;
type RefusedStatus = keyof typeof SENTENCES;

const MEANINGS: Record<RefusedStatus, string> = {
  401: 'Without a session or token that is valid',
  403: 'Not allowed: to this caller, by its plan, or without the scope that the call needs',
  404: 'Unknown, or someone else’s',
  422: 'Invalid input; all problems together, by field',
  429: 'Too many calls; `Retry-After` says when to try again',
  503: 'A service is unavailable; `Retry-After` says when to try again',
};

function refusal(status: RefusedStatus) {
  const error = SENTENCES[status];
  const errors = status === 422 ? { name: [error] } : {};
  const example = { error, errors, request_id: '0b9c5c1e-6a53-4b1f-9a55-3f0f2c6f7d10' };
  return {
    description: MEANINGS[status],
    content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Refusal' }, example } },
  };
}

/** Components that every operation refers to. */
export const REFUSALS = {
  schemas: {
    Refusal: {
      type: 'object' as const,
      properties: {
        error: { type: 'string' as const, description: 'One sentence for people' },
        errors: {
          type: 'object' as const,
          additionalProperties: { type: 'array' as const, items: { type: 'string' as const } },
        },
        request_id: { type: 'string' as const },
      },
      required: ['error', 'errors', 'request_id'],
    },
  },
  responses: Object.fromEntries(
    ([401, 403, 404, 422, 429, 503] as const).map((status) => [`Refused${status}`, refusal(status)]),
  ),
};

/** `get /api/v1/galleries/{id}/full` as `getGalleriesByIdFull`. */
function operationIdOf(method: string, path: string): string {
  const words = path
    .replace(/^\/api\/v1/, '')
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** `/talk-to-expert` and `/talk-to-expert/` are two operations. */
function named(id: string, taken: Set<string>): string {
  const free = taken.has(id) ? `${id}Slash` : id;
  taken.add(free);
  return free;
}

/** The statuses with which a call may be refused, derived from its input. */
function refusalsOf({ security = [], parameters = [], requestBody }: Operation): RefusedStatus[] {
  const isInPath = parameters.some((parameter) => parameter.in === 'path');
  return [
    ...(security.length > 0 ? ([401, 403] as const) : []),
    ...(isInPath || security.length > 0 ? ([404] as const) : []),
    ...(parameters.length > 0 || requestBody ? ([422] as const) : []),
    429,
    503,
  ];
}

function withExample(media: Media | undefined, whole: boolean, own?: unknown): void {
  if (!media?.schema) return;
  media.example = own ?? exampleOf(media.schema, { whole });
}

/** Query fields that are whole numbers. Their schemas read text, as every address is. */
const WHOLE = new Set(['limit', 'page', 'perPage', 'wait', 'maxwidth', 'maxheight', 'size', 'timestamp']);

/** Query fields whose names do not say what they do. */
const MEANINGS_OF_FIELDS: Record<string, string> = {
  after:
    'For the next part of a list: `next` of the answer before, or its last `id` (of an import: `row`) if it has no `next`',
  adminview: '`true`: as its members see it, pictures without watermark; for sessions and tokens',
  download: '`true`: the file itself, with `adminview` as uploaded, with `orderkey` as sold',
  orderkey: 'The `order_key` of a bought photo',
  own: 'Opens a photo for its contributor; part of the addresses in their list',
  size: 'Pixels of the long side; the nearest of 320, 480, 640, 960 and 1440 is sent',
  t: 'Any text: a new address, past caches',
  v: 'The version in an `image_url`: such an address may be cached for good',
};

function described(parameter: Parameter): Parameter {
  const name = parameter.in === 'query' ? (parameter.name ?? '') : '';
  const description = MEANINGS_OF_FIELDS[name];
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    ...(WHOLE.has(name) ? { schema: { type: 'integer', minimum: 0 } } : {}),
  };
}

/** `/api/v1/galleries/{id}/full` is about galleries. */
const tagOf = (path: string): string => path.replace(/^\/api\/v1/, '').split('/')[1] ?? '';

function webhooksOf(messages: readonly WebhookMessage[]): NonNullable<ApiDocument['webhooks']> {
  const send = ({ type, summary, body }: WebhookMessage): [string, { post: Operation }] => {
    const content = { [JSON_TYPE]: { schema: body as JsonSchema } };
    withExample(content[JSON_TYPE], true);
    const operationId = operationIdOf('on', `/${type}`);
    const responses = { 200: { description: 'Received; any status from 200 to 299 means this' } };
    return [
      type,
      { post: { operationId, summary, tags: ['webhooks'], security: [], requestBody: { content }, responses } },
    ];
  };
  return Object.fromEntries(messages.map(send));
}

/** The types of files, by the end of the address; the other files are pictures. */
const FILES: readonly (readonly [RegExp, string])[] = [
  [/\.csv$/, 'text/csv'],
  [/\.pdf$/, 'application/pdf'],
  [/\.zip$|\/parts\/\{part\}$/, 'application/zip'],
  [/\/events$/, 'text/event-stream'],
  [/\/contribute_qr$/, 'image/svg+xml'],
  [/./, 'image/*'],
];
const REDIRECT = /\/sponsors\/\{slot\}$|\/unlock$/;

/** What a call without a schema of its answer sends: a file or a redirect if it reads, nothing if it writes. */
function answersOf(method: string, path: string, answers: Record<string, Answer>): Record<string, Answer> {
  const [[status, only] = ['', null], ...others] = Object.entries(answers);
  const isSilent = others.length === 0 && status === '200' && only && !('$ref' in only) && only.content === undefined;
  if (!isSilent) return answers;
  if (method !== 'get') return { 204: { description: 'Done' } };
  if (REDIRECT.test(path)) return { 302: { description: 'Its address is in `Location`' } };
  const type = FILES.find(([end]) => end.test(path))?.[1] ?? '';
  return { 200: { description: 'The file', content: { [type]: {} } } };
}

/** The library's text for an answer without a description. */
const WORDLESS = 'Default Response';

/** An answer of null has no body. */
function completeAnswer(answer: Answer): Answer {
  if ('$ref' in answer) return answer;
  const description = answer.description === WORDLESS ? 'Done' : (answer.description ?? 'Done');
  const media = answer.content?.[JSON_TYPE];
  if (media?.schema?.type === 'null') return { description };
  withExample(media, true);
  return { ...answer, description };
}

/** To OpenAPI two paths that differ only in the name of a part are the same: their calls become those of one path. */
function joinSamePaths(paths: NonNullable<ApiDocument['paths']>): void {
  for (const [path, operations] of Object.entries(paths)) {
    const joined = path.replace(/\{domainName\}$/, '{id}');
    if (joined === path) continue;
    for (const { parameters = [] } of Object.values(operations))
      for (const parameter of parameters)
        if (parameter.name === 'domainName') Object.assign(parameter, { name: 'id', description: 'Its domain name' });
    for (const method of Object.keys(operations))
      if (paths[joined] && method in paths[joined]) throw new Error(`${method} ${joined} is described twice`);
    paths[joined] = { ...paths[joined], ...operations };
    delete paths[path];
  }
}

/**
 * An object that counts as empty where it is left out, so that each of its fields is named in the refusal, has to be
 * sent: empty, it is refused.
 */
function requireObjects(schema: JsonSchema): void {
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (part.required?.length && JSON.stringify(part.default) === '{}') {
      delete part.default;
      schema.required = [...(schema.required ?? []), name];
    }
    requireObjects(part);
  }
}

/** The library's document with what it cannot know added. */
export function completeDocument(document: ApiDocument, webhooks: readonly WebhookMessage[]): ApiDocument {
  const taken = new Set<string>();
  joinSamePaths((document.paths ??= {}));
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations)) {
      // The same as GET, without the body.
      if (method === 'head') {
        delete operations[method];
        continue;
      }
      const { [EXAMPLE_BODY]: own, parameters, ...kept } = operation;
      requireObjects(operation.requestBody?.content[JSON_TYPE]?.schema ?? {});
      withExample(operation.requestBody?.content[JSON_TYPE], false, own);
      const answers = Object.entries(answersOf(method, path, operation.responses ?? {})).map(([status, answer]) => [
        status,
        completeAnswer(answer),
      ]);
      const refused = refusalsOf(operation).map((status) => [
        status,
        { $ref: `#/components/responses/Refused${status}` },
      ]);
      operations[method] = {
        operationId: named(operationIdOf(method, path), taken),
        ...kept,
        tags: [tagOf(path)],
        ...(parameters ? { parameters: parameters.map(described) } : {}),
        responses: Object.fromEntries([...answers, ...refused]) as Record<string, Answer>,
      };
    }
  document.webhooks = webhooksOf(webhooks);
  const tags = new Set([...Object.keys(document.paths).map(tagOf), 'webhooks']);
  document.tags = [...tags]
    .toSorted()
    .map((name) => ({ name, description: `Calls about ${name.replaceAll(/[-_]/g, ' ')}` }));
  return document;
}
