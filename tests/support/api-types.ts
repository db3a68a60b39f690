/** TypeScript types of every call, generated from the API's own document: the content of `src/shared/api-calls.ts`. */
import type { JsonSchema } from '#src/http/openapi-examples.ts';

type Parameter = { in: string; name: string; required?: boolean; schema?: JsonSchema };
type Media = Record<string, { schema?: JsonSchema }>;
type Operation = {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Media };
  responses: Record<string, { content?: Media }>;
};
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
};

const HEAD = `/**
 * Every call of the API with what it takes and answers. Made from the product's OpenAPI document, and compared with it by
 * \`tests/openapi.test.ts\`; after a change of a call: \`vitest run --project=unit tests/openapi.test.ts --update\`.
 */
export interface ApiCalls {
`;

const WEBHOOKS_HEAD = `/** The body of each message that webhooks send (docs/webhooks.md). */
export interface WebhookMessages {
`;

const JSON_TYPE = 'application/json';
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\\\]/g, '\\$&')}'` : JSON.stringify(value);
const nameOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : literal(name));
const union = (parts: readonly string[]): string => [...new Set(parts)].join(' | ');

/** What a body may leave out may be undefined in code; lists are read-only. */
type Way = 'in' | 'out';

function objectType({ properties = {}, required = [], additionalProperties }: JsonSchema, way: Way): string {
  const fields = Object.entries(properties).map(([name, part]) =>
    required.includes(name)
      ? `${nameOf(name)}: ${typeOf(part, way)}`
      : `${nameOf(name)}?: ${typeOf(part, way)}${way === 'in' ? ' | undefined' : ''}`,
  );
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  return typeof additionalProperties === 'object' ? `Record<string, ${typeOf(additionalProperties, way)}>` : 'object';
}

function namedType(type: string, schema: JsonSchema, way: Way): string {
  if (type === 'object') return objectType(schema, way);
  if (type === 'array')
    return `${way === 'in' ? 'readonly ' : ''}(${typeof schema.items === 'object' ? typeOf(schema.items, way) : 'unknown'})[]`;
  return type === 'integer' ? 'number' : type;
}

function typeOf(schema: JsonSchema, way: Way): string {
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((choice) => typeOf(choice, way)));
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part, way)})`).join(' & ');
  const types = [schema.type ?? (schema.properties ? 'object' : [])].flat();
  return types.length === 0 ? 'unknown' : union(types.map((type) => namedType(type, schema, way)));
}

function partsOf({ parameters = [], requestBody, responses }: Operation): string[] {
  const fieldsIn = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const parts: string[] = [];
  const params = fieldsIn('path').map(({ name }) => `${nameOf(name)}: number | string`);
  if (params.length > 0) parts.push(`params: { ${params.join('; ')} }`);
  const query = fieldsIn('query');
  if (query.length > 0) {
    const fields = query.map(
      ({ name, required }) => `${nameOf(name)}${required ? '' : '?'}: string | number | boolean`,
    );
    parts.push(`query${query.some(({ required }) => required) ? '' : '?'}: { ${fields.join('; ')} }`);
  }
  const body = requestBody?.content[JSON_TYPE]?.schema;
  if (body) parts.push(`body${requestBody?.required ? '' : '?'}: ${typeOf(body, 'in')}`);
  const answers = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content?.[JSON_TYPE]?.schema);
  parts.push(`answer: ${union(answers.map((schema) => (schema ? typeOf(schema, 'out') : 'null'))) || 'null'}`);
  return parts;
}

/** The whole file. */
export function apiTypesOf({ paths, webhooks }: ApiDocument): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const lines = partsOf(operation).map((part) => `    ${part};`);
      return `  '${method.toUpperCase()} ${path}': {\n${lines.join('\n')}\n  };`;
    }),
  );
  const messages = Object.entries(webhooks).map(
    ([type, { post }]) => `  '${type}': ${typeOf(post.requestBody?.content[JSON_TYPE]?.schema ?? {}, 'out')};`,
  );
  return `${HEAD}${calls.toSorted().join('\n')}\n}\n\n${WEBHOOKS_HEAD}${messages.join('\n')}\n}\n`;
}
