/** Names as the code has them (`paidAt`, `amountCents`), and as calls and tables do (`paid_at`, `amount`). */
import type * as z from 'zod/mini';
import { cents, toDollars } from '#src/shared/money.ts';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;
type Snake<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${Snake<Rest>}`
  : Name;

type IsTold<Value, Told> = [Value] extends [Told | (string extends Told ? Date : never)] ? true : false;
/** Fields of an answer that a row lacks, or has as something else. */
type Missing<Answer, Row> = {
  [Name in keyof Answer & string]: Camel<Name> extends keyof Row
    ? IsTold<Row[Camel<Name>], Answer[Name]> extends true
      ? never
      : Name
    : `${Camel<Name>}Cents` extends keyof Row
      ? IsTold<Row[`${Camel<Name>}Cents`], Answer[Name]> extends true
        ? never
        : Name
      : Name;
}[keyof Answer & string];

const known = new Map<string, string>();

/** Files have a hundred thousand rows with the same names. */
function camelOf(name: string): string {
  const key = known.get(name) ?? name.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
  known.set(name, key);
  return key;
}

function told(row: Record<string, unknown>, name: string): unknown {
  const key = camelOf(name);
  const value = row[key];
  if (value instanceof Date) return value.toISOString();
  if (Object.hasOwn(row, key)) return value;
  const amount = row[`${key}Cents`];
  return typeof amount === 'number' ? toDollars(cents(amount)) : amount;
}

/**
 * A row as its contract tells it: the fields of the contract and no others, moments as ISO text. Where the row has no `amount`, its
 * `amountCents` is told as dollars.
 */
export function present<Contract extends z.ZodMiniObject, Row extends object>(
  contract: Contract,
  row: Row & ([Missing<z.infer<Contract>, Row>] extends [never] ? unknown : { lacks: Missing<z.infer<Contract>, Row> }),
): z.infer<Contract> {
  const names = Object.keys(contract.shape);
  return Object.fromEntries(names.map((name) => [name, told(row as Record<string, unknown>, name)])) as never;
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
