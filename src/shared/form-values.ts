/** What is typed into a form: as its call takes it, and beside what is saved. */
import { parseDollarText, toDollars } from '#src/shared/money.ts';

/** These fields alone. */
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

/** What was typed while a save was under way stays; everything else becomes what is saved now. */
export function keepTyped<Values extends object>(typed: Values, sent: Values, kept: Values): Values {
  return { ...kept, ...Object.fromEntries(changedFields(typed, sent).map((field) => [field, typed[field]])) };
}

/**
 * What is typed into a field for dollars, as the API speaks: null where it is empty; not a number for what is no amount, so
 * that the contract refuses it.
 */
export function typedDollars(text: string): number | null {
  if (text.trim() === '') return null;
  const amount = parseDollarText(text);
  return amount === null ? Number.NaN : toDollars(amount);
}
