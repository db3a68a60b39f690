/** Names in the code (`paidAt`, `amountCents`), and names in calls and tables (`paid_at`, `amount`). */
import type * as z from 'zod/mini';
import { toDollars } from '#src/shared/money.ts';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;
type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : Name;

type Fits<Value, Answer> = [Value] extends [Answer | (string extends Answer ? Date : never)] ? true : false;
/** Fields of an answer that a row lacks, or has with another type. */
type Missing<Answer, Row> = {
  [Name in keyof Answer & string]: Camel<Name> extends keyof Row
    ? Fits<Row[Camel<Name>], Answer[Name]> extends true
      ? never
      : Name
    : `${Camel<Name>}Cents` extends keyof Row
      ? Fits<Row[`${Camel<Name>}Cents`], Answer[Name]> extends true
        ? never
        : Name
      : Name;
}[keyof Answer & string];

type Cut = (value: unknown) => unknown;
type Field = { name: string; key: string; amountKey: string; cut: Cut };

const uncut: Cut = (value) => value;
const cuts = new WeakMap<z.core.$ZodType, Cut>();
const fields = new WeakMap<z.ZodMiniObject, readonly Field[]>();

function makeCut(schema: z.core.$ZodType): Cut {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'nullable' || def.type === 'optional') return cutOf(def.innerType);
  if (def.type === 'array') {
    const cut = cutOf(def.element);
    return cut === uncut ? uncut : (value) => (Array.isArray(value) ? value.map(cut) : value);
  }
  if (def.type !== 'object') return uncut;
  const parts = Object.entries(def.shape).map(([name, part]) => [name, cutOf(part)] as const);
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const inner = value as Record<string, unknown>;
    const known = parts.filter(([name]) => Object.hasOwn(inner, name));
    return Object.fromEntries(known.map(([name, cut]) => [name, cut(inner[name])]));
  };
}

/** Built once per schema: files have a hundred thousand rows of the same one. Unions and records pass unchanged. */
function cutOf(schema: z.core.$ZodType): Cut {
  const cut = cuts.get(schema) ?? makeCut(schema);
  cuts.set(schema, cut);
  return cut;
}

function fieldsOf(contract: z.ZodMiniObject): readonly Field[] {
  const known = fields.get(contract);
  if (known) return known;
  const made = Object.entries(contract.shape).map(([name, schema]) => {
    const key = name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
    return { name, key, amountKey: `${key}Cents`, cut: cutOf(schema) };
  });
  fields.set(contract, made);
  return made;
}

function fieldValue(row: Record<string, unknown>, { key, amountKey, cut }: Field): unknown {
  const value = row[key];
  if (value instanceof Date) return value.toISOString();
  if (Object.hasOwn(row, key)) return cut(value);
  const amount = row[amountKey];
  if (amount === null || amount === undefined) return amount;
  if (typeof amount !== 'number') throw new TypeError(`${amountKey} is a ${typeof amount}, not a number of cents`);
  return toDollars(amount);
}

/**
 * A row in the shape of its contract: the fields of the contract and no others, also in nested objects, and times as
 * ISO text. If the row has no `amount`, its `amountCents` is converted to dollars.
 */
export function present<Contract extends z.ZodMiniObject, Row extends object>(
  contract: Contract,
  row: Row & ([Missing<z.infer<Contract>, Row>] extends [never] ? unknown : { lacks: Missing<z.infer<Contract>, Row> }),
): z.infer<Contract> {
  const entries = fieldsOf(contract).map((field) => [field.name, fieldValue(row as Record<string, unknown>, field)]);
  return Object.fromEntries(entries) as never;
}

/** Values under the names of their columns. */
export function columnsOf<Values extends object>(
  values: Values,
): { [Name in keyof Values & string as Snake<Name>]: Values[Name] } {
  const entries = Object.entries(values).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries) as never;
}
