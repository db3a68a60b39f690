/** What a schema says of a value where its contract has no words of its own: sentences for people, not for machines. */
import { config } from 'zod/v4/core';
import type { $ZodRawIssue } from 'zod/v4/core';
import { MAX_FIELDS_TOLD } from '#src/shared/problem.ts';

const WANTED: Record<string, string> = {
  string: 'Please send a text here.',
  number: 'Please send a number here.',
  int: 'Please send a whole number here.',
  boolean: 'Please send true or false here.',
  array: 'Please send a list here.',
  object: 'Please send an object with named fields here.',
  record: 'Please send an object with named fields here.',
};
const MISSING = 'This field is required';
const NOT_VALID = 'This value is not valid.';

const sizeWord = (origin: string, size: number | bigint): string =>
  origin === 'string'
    ? `${size} characters`
    : origin === 'array' || origin === 'set'
      ? `${size} entries`
      : String(size);

/** One sentence for one complaint of a schema. */
export function sentenceFor(issue: $ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? MISSING : (WANTED[issue.expected] ?? NOT_VALID);
    case 'too_big':
      return `At most ${sizeWord(issue.origin, issue.maximum)}, please.`;
    case 'too_small':
      return `At least ${sizeWord(issue.origin, issue.minimum)}, please.`;
    case 'invalid_value':
      return `Please send one of these: ${issue.values.map(String).join(', ')}.`;
    case 'unrecognized_keys':
      return `${issue.keys.slice(0, MAX_FIELDS_TOLD).join(', ')}: not a field of this call.`;
    default:
      return NOT_VALID;
  }
}

/** Called once when the host is built; contracts' own messages go before it. */
export function setValidationMessages(): void {
  config({ localeError: (issue) => sentenceFor(issue) });
}
