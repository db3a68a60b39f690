/**
 * Small checks for `zod/mini` schemas that every module shares, with the specification's
 * words (section 5). The browser's forms and the server's routes use the same ones.
 */
import * as z from 'zod/mini';
import { parseDollarNumber, type Cents } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';

export const REQUIRED = 'This field is required';
export const INVALID_EMAIL = 'Invalid email address';

/** Letters, digits and ._%+- before the @, then a domain and an ending of 2 to 63 letters (rule 32). Linear time. */
const EMAIL = /^[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,63}$/;

export function isEmail(value: string): boolean {
  return value.length <= 254 && EMAIL.test(value);
}

/**
 * Control characters except tab and line ends, and the characters that change the direction of the surrounding text:
 * they can disguise one name as another.
 */
const DISGUISES = /(?![\t\n\r])\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** Text without disguises, trimmed. Every name and note from outside passes through here. */
export function tidyText(value: string): string {
  return value.replace(DISGUISES, '').trim();
}

/** `tidyText` as a step of a schema, in place of `z.trim()`. */
export const tidy = () => z.overwrite<string>(tidyText);

/**
 * Ends the checks of its own field, but not those of the whole form: `abort` would end both, and a form reports all its
 * problems together.
 */
export const must = (holds: (value: string) => boolean, message: string) =>
  z.check<string>((context) => {
    if (!holds(context.value)) context.issues.push({ code: 'custom', message, input: context.value });
  });

/** Trimmed text of 1 to `max` characters; `message` if it is blank. Text of invisible characters only is blank. */
export function requiredText(max: number, message: string = REQUIRED) {
  return z
    .string({ error: message })
    .check(tidy(), must(hasVisibleText, message), z.maxLength(max, `At most ${max} characters, please.`));
}

/** Like `requiredText`, but a blank does not stop the checks of the object that the text is part of. */
export function filledText(max: number, message: string) {
  return z
    .string({ error: message })
    .check(
      tidy(),
      z.refine(hasVisibleText, { error: message }),
      z.maxLength(max, `At most ${max} characters, please.`),
    );
}

/** Trimmed text of at most `max` characters, possibly empty. */
export function optionalText(max: number) {
  return z.string({ error: 'Must be text.' }).check(tidy(), z.maxLength(max, `At most ${max} characters, please.`));
}

/** False for blanks, zero-width characters and direction marks alone. */
export function hasVisibleText(value: string): boolean {
  return /[^\s\p{C}\u115F\u1160\u3164\uFFA0]/u.test(value);
}

/** A JSON number of dollars from `minimum` to `maximum` cents with at most two decimals, as integer cents. */
export function dollars(options: { minimum?: number; maximum: number; required: string; invalid: string }) {
  return z.pipe(
    z.number({
      error: (issue) => (issue.input === null || issue.input === undefined ? options.required : options.invalid),
    }),
    z.transform((value: number, context): Cents => {
      const amount = parseDollarNumber(value);
      if (amount === null || amount < (options.minimum ?? 0) || amount > options.maximum) {
        context.issues.push({ code: 'custom', message: options.invalid, input: value });
        return z.NEVER;
      }
      return amount;
    }),
  );
}

/** An id in a path or body: a positive safe integer as a number or as plain decimal text. */
export const idSchema = z.pipe(
  z.union([z.number(), z.string()], { error: ({ input }) => ((input ?? null) === null ? REQUIRED : 'Not an id.') }),
  z.transform((value: number | string, context): number => {
    const id = readId(value);
    if (id === null) {
      context.issues.push({ code: 'custom', message: 'Not an id.', input: value });
      return z.NEVER;
    }
    return id;
  }),
);

/** The parameters of a path with one `:id`. */
export const idParams = z.object({ id: idSchema });
/** Those of a photo of a gallery. */
export const photoParams = z.object({ id: idSchema, photoId: idSchema });

type SchemaError = { issues: readonly { path: PropertyKey[]; message: string }[] };

/**
 * The messages of a schema, by the last name of each field's path; the form's own name if a field has none. Nothing
 * without an error.
 */
export function errorsOf(error: SchemaError | undefined): FieldErrors {
  const errors: FieldErrors = Object.create(null) as FieldErrors;
  for (const { path, message } of error?.issues ?? []) (errors[String(path.at(-1) ?? 'form')] ??= []).push(message);
  return errors;
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const FORM_KEY_EXPECTED = 'A form’s key is a UUID.';

/** A key that a browser gives a form once, so that sending it again creates nothing twice. */
export const formKey = z.string({ error: FORM_KEY_EXPECTED }).check(z.regex(UUID, FORM_KEY_EXPECTED));
