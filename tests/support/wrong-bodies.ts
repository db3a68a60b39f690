/** Invalid bodies: made from a JSON schema's own sample, one change at a time. */

export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
};

/** A value that matches the schema's types; further rules (lengths, addresses) are left to chance. */
export function sampleOf(schema: JsonSchema, resolve: (name: string) => JsonSchema = () => ({}), depth = 0): unknown {
  if (depth > 8) return null;
  const inner = (part: JsonSchema) => sampleOf(part, resolve, depth + 1);
  if (schema.$ref !== undefined) return inner(resolve(schema.$ref.split('/').at(-1) ?? ''));
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice) return inner(choice);
  const type = [schema.type].flat()[0];
  if (type === 'object' || schema.properties)
    return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, part]) => [name, inner(part)]));
  if (type === 'array') return schema.items ? [inner(schema.items)] : [];
  if (type === 'number' || type === 'integer') return 4;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return 'text';
}

/** Invalid whatever the schema says. */
export const WRONG_WHOLES: readonly [string, unknown][] = [
  ['null', null],
  ['an array', []],
  ['a number', 7],
  ['a text', 'text'],
  ['true', true],
  ['nothing in it', {}],
  ['a field nobody knows', { nobody_knows_this: 1 }],
];

const PARTS: readonly [string, unknown][] = [
  ['null', null],
  ['an array', []],
  ['an array of one text', ['text']],
  ['an object', {}],
  ['an operator', { $ne: null }],
  ['a number', 12],
  ['a negative number', -1],
  ['a fraction', 0.001],
  ['a huge number', 1e21],
  ['false', false],
  ['no text', ''],
  ['spaces', '   '],
  ['a long text', 'x'.repeat(20_000)],
  ['a line break and a header', 'x\r\nBcc: all@people.test'],
  ['U+0000', 'a\u0000b'],
  ['half a character', '\ud800'],
  ['text that runs backwards', '\u202Eabc\u200B'],
  ['wildcards', "%_\\'; drop table users; --"],
  ['mark-up', '<img src=x onerror=alert(1)>'],
];

/** Every invalid version with its description: the whole replaced, each part replaced, left out, or added to. */
export function* wrongVersionsOf(sample: unknown): Generator<[what: string, body: unknown]> {
  yield* WRONG_WHOLES;
  for (const path of pathsOf(sample)) {
    for (const [what, value] of PARTS) yield [`${path.join('.')} = ${what}`, replaced(sample, path, () => value)];
    yield [`${path.join('.')} left out`, replaced(sample, path, () => undefined)];
    yield [
      `${path.join('.')} with a field too many`,
      replaced(sample, path, (value) =>
        value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value, role_id: 2 } : value,
      ),
    ];
  }
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  const here = path.length > 0 ? [path] : [];
  if (value === null || typeof value !== 'object') return here;
  return [...here, ...Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]))];
}

function replaced(value: unknown, [name, ...rest]: string[], change: (value: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((part, index) => (String(index) === name ? replaced(part, rest, change) : part));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: replaced(object[name], rest, change) };
}
