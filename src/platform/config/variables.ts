/** Kinds of variables. The messages end a sentence that begins with the variable's name. */
import { z } from 'zod';

export const text = z.string();
export const secret = (minLength: number) => text.min(minLength, `must have at least ${minLength} characters`);

export function number(options: { min: number; max: number; whole: boolean }) {
  const rule = `must be a ${options.whole ? 'whole ' : ''}number from ${options.min} to ${options.max}`;
  const isNumber = options.whole ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,9})?$/;
  return text
    .regex(isNumber, rule)
    .transform(Number)
    .refine((value) => value >= options.min && value <= options.max, rule);
}

const orList = new Intl.ListFormat('en', { type: 'disjunction' });

export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  shown = orList.format(choices.map((choice) => `"${choice}"`)),
) {
  return z.enum(choices, { error: `must be ${shown}` });
}

export function address(schemes: readonly string[], options: { path: boolean }) {
  const rule = `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}${options.path ? '' : ' and has no path'}`;
  return text.refine((value) => {
    const url = URL.parse(value);
    if (!url) return false;
    const isBare = url.pathname === '/' || url.pathname === '';
    return (
      schemes.includes(url.protocol.slice(0, -1)) && (options.path || (isBare && url.search === '' && url.hash === ''))
    );
  }, rule);
}
