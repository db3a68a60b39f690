/** What is typed into a form, as its call accepts it, and compared with what is saved. */
import { parseDollarText, toDollars } from '#src/shared/money.ts';

/** Only these fields. */
export function pick<Values extends object, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Pick<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>;
}

/** The fields that differ. */
export function changedFields<Values extends object>(values: Values, saved: Values): (keyof Values)[] {
  return (Object.keys(saved) as (keyof Values)[]).filter((field) => values[field] !== saved[field]);
}

/** What was typed during a save stays; every other field shows what is saved now. */
export function keepTyped<Values extends object>(typed: Values, sent: Values, kept: Values): Values {
  return { ...kept, ...Object.fromEntries(changedFields(typed, sent).map((field) => [field, typed[field]])) };
}

/**
 * The text of a dollar field as a JSON amount: null if it is empty; NaN if it is not an amount, so that the contract
 * refuses it.
 */
export function typedDollars(text: string): number | null {
  if (text.trim() === '') return null;
  const amount = parseDollarText(text);
  return amount === null ? Number.NaN : toDollars(amount);
}
