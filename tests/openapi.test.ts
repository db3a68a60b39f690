/** The API's document is OpenAPI 3.1, and every example in it is valid input or output of its call. */
import { beforeAll, describe, expect, test } from 'vitest';
import { safeParse, type $ZodType } from 'zod/v4/core';
import {
  TEST_TYPE,
  WEBHOOK_DATA,
  WEBHOOK_TYPES,
  type WebhookType,
} from '#src/features/webhooks/webhook-events.contract.ts';
import { apiTypesOf, type ApiDocument } from '#tests/support/api-types.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();

type Media = { schema?: object; example?: unknown };
type Answer = { $ref?: string; description?: string; content?: Record<string, Media> };
type Operation = {
  summary?: string;
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
};

/** Under a name that the compiler does not follow: the package is a tool of this test alone. */
const VALIDATOR: string = '@seriousme/openapi-schema-validator';
type Validator = new () => {
  validate(document: object): Promise<{ valid: boolean; errors?: unknown }>;
  version: string;
};

let document: Document;
let operations: { name: string; operation: Operation; schema: Record<string, unknown> }[];

beforeAll(async () => {
  document = (await server.call({ method: 'GET', url: '/api/openapi.json' })).json<Document>();
  const schemas = new Map(
    server.built.routes.map(({ method, url, schema }) => [
      `${method} ${url.replaceAll(/:(\w+)/g, '{$1}').replace(/\{domainName\}$/, '{id}')}`,
      schema ?? {},
    ]),
  );
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      return { name, operation, schema: schemas.get(name) as Record<string, unknown> };
    }),
  );
});

const isSchema = (value: unknown): value is $ZodType => typeof value === 'object' && value !== null && '_zod' in value;

function problemsOf(schema: unknown, example: unknown): string {
  if (!isSchema(schema)) return 'no schema';
  const result = safeParse(schema, example);
  return result.success
    ? ''
    : `${JSON.stringify(result.error.issues.map(({ path, message }) => [path.join('.'), message]))} ${JSON.stringify(example)}`;
}

describe('the document of the API', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { Validator: Checker } = (await import(VALIDATOR)) as { Validator: Validator };
    const checker = new Checker();
    const { valid, errors } = await checker.validate(structuredClone(document));
    expect([errors, valid, checker.version]).toEqual([undefined, true, '3.1']);
  });

  test('describes what every call does, and how it is refused', () => {
    expect(operations.length).toBeGreaterThan(140);
    const wrong = operations.filter(({ operation, schema }) => {
      const statuses = Object.keys(operation.responses);
      return (
        schema === undefined ||
        (operation.summary ?? '') === '' ||
        !statuses.some((status) => Number(status) < 400) ||
        !statuses.some((status) => Number(status) >= 400) ||
        Object.values(operation.responses).some((answer) => !answer.$ref && !answer.description)
      );
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says of every answer what it contains: JSON, a file, or nothing', () => {
    const silent = operations.filter(({ operation }) =>
      Object.entries(operation.responses).some(
        ([status, { $ref, content }]) => !$ref && !['204', '302', '303'].includes(status) && content === undefined,
      ),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
    const successOf = (name: string) =>
      Object.entries(operations.find((each) => each.name === name)?.operation.responses ?? {})
        .filter(([status]) => Number(status) < 400)
        .map(([status, { content }]) => [status, ...Object.keys(content ?? {})].join(' '));
    expect(successOf('DELETE /api/v1/webhook_endpoints/{id}')).toEqual(['204']);
    expect(successOf('PUT /users/current/password')).toEqual(['204']);
    expect(successOf('GET /api/v1/orders/{id}/download.zip')).toEqual(['200 application/zip']);
    expect(successOf('GET /api/v1/galleries/{id}/gallery_photos/{photoId}')).toEqual(['200 image/*']);
    expect(successOf('GET /api/v1/organizations/{id}/sponsors/{slot}')).toEqual(['302']);
    // A call that writes and has no schema of its answer sends 204.
    const writing = operations.filter(({ name, schema }) => !name.startsWith('GET') && !schema['response']);
    expect(writing.length).toBeGreaterThan(15);
    expect(writing.flatMap(({ name }) => successOf(name)).filter((status) => status !== '204')).toEqual([]);
  });

  test('has each path once, with exactly its own parts as parameters', () => {
    const paths = Object.keys(document.paths);
    expect(new Set(paths.map((path) => path.replaceAll(/\{\w+\}/g, '{}'))).size).toBe(paths.length);
    const joined = (parts: readonly string[]) => parts.toSorted().join();
    const wrong = operations.filter(({ name, operation: { parameters = [] } }) => {
      const told = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => `{${parameter.name}}`);
      return joined(told) !== joined(name.match(/\{\w+\}/g) ?? []);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test('requires what is refused where it is left out', () => {
    const { schema } = document.paths['/login']?.['post']?.requestBody?.content['application/json'] ?? {};
    expect(schema).toMatchObject({ required: ['user'], properties: { user: { required: ['email', 'password'] } } });
    expect(JSON.stringify(document.paths)).not.toContain('"default":{}');
  });

  test('has numbers where a call counts', () => {
    const paging = document.paths['/api/v1/affiliates/{id}/galleries']?.['get'] as unknown as {
      parameters: { name: string; schema: { type: string } }[];
    };
    const types = paging.parameters.filter(({ name }) => name !== 'id').map(({ name, schema }) => [name, schema.type]);
    expect(types).toEqual([
      ['page', 'integer'],
      ['perPage', 'integer'],
    ]);
  });

  test('has an example of every body that its call would accept', () => {
    const bodies = operations.flatMap(({ name, operation, schema }) => {
      const media = operation.requestBody?.content['application/json'];
      return media ? [[name, problemsOf(schema['body'], media.example)] as const] : [];
    });
    expect(bodies.length).toBeGreaterThan(50);
    expect(bodies.filter(([, problem]) => problem !== '')).toEqual([]);
  });

  test('has an example of every answer in JSON', () => {
    const answers = operations.flatMap(({ name, operation, schema }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) => {
        const media = content?.['application/json'];
        const of = (schema['response'] ?? {}) as Record<string, unknown>;
        return media ? [[`${name} ${status}`, problemsOf(of[status], media.example)] as const] : [];
      }),
    );
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter(([, problem]) => problem !== '')).toEqual([]);
  });

  test('describes the message of each webhook, with an example, and allows fields that are added later', () => {
    const messages = Object.entries(document.webhooks).map(([type, { post }]) => {
      const { schema, example } = post.requestBody?.content['application/json'] ?? {};
      expect(JSON.stringify(schema)).not.toContain('additionalProperties');
      const { data, ...message } = example as { type: string; data: unknown };
      return [type, message.type, problemsOf(WEBHOOK_DATA[type as WebhookType], data)];
    });
    expect(messages).toEqual([...WEBHOOK_TYPES, TEST_TYPE].map((type) => [type, type, '']));
  });

  test('is what the types of every call were generated from', async () => {
    await expect(apiTypesOf(document as unknown as ApiDocument)).toMatchFileSnapshot('../src/shared/api-calls.ts');
  });

  test('names the scope that a token needs, if a call accepts one', () => {
    const scopeOf = ({ operation }: (typeof operations)[number]) =>
      operation.security?.flatMap((each) => each['api_token'] ?? []) ?? [];
    const declared = server.built.routes.flatMap(({ method, url, access }) =>
      method !== 'HEAD' && 'scope' in access && access.scope
        ? [`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')} ${access.scope}`]
        : [],
    );
    const told = operations.flatMap((each) => scopeOf(each).map((scope) => `${each.name} ${scope}`));
    expect(told.toSorted()).toEqual(declared.toSorted());
  });
});
