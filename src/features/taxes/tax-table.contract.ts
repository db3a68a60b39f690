/** The tax table of a parent organization, as its members edit it (rule 17; bad input 101). */
import * as z from 'zod/mini';
import { must, requiredText } from '#src/shared/validators.ts';

export const TAX_STATE_NOT_VALID = 'Please choose a state, or none for everywhere.';
export const TAX_ZIP_NOT_VALID = 'Zip must be one to five digits.';
export const TAX_RATE_REQUIRED = 'A rate is required.';
export const TAX_RATE_NOT_VALID = 'The rate must be from 0 to 30 percent, with at most four decimals.';
export const JURISDICTION_REQUIRED = 'Please enter what the tax is for. Buyers see it.';
export const TAXES_ARE_THE_PARENTS = 'Taxes are set by the parent organization.';
export const TAX_RATE_NOT_THERE = 'This rate no longer exists.';
export const TAX_TABLE_IS_FULL = 'A tax table can have at most 500 rates.';

export const MAX_TAX_RATES = 500;

/** States, the district and the territories, by the codes of the Postal Service. */
export const TAX_STATES =
  'AL AK AZ AR CA CO CT DE DC FL GA GU HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA PR RI SC SD TN TX UT VT VA VI WA WV WI WY'.split(
    ' ',
  );

const state = z.string({ error: TAX_STATE_NOT_VALID }).check(
  z.trim(),
  z.toUpperCase(),
  must((value) => value === '' || TAX_STATES.includes(value), TAX_STATE_NOT_VALID),
);
const zipPrefix = z.string({ error: TAX_ZIP_NOT_VALID }).check(
  z.trim(),
  must((value) => /^[0-9]{0,5}$/.test(value), TAX_ZIP_NOT_VALID),
);

/** Percent as a number, `6.875`; stored in millionths. The shortest text of a number is exact. */
const rate = z.pipe(
  z.number({
    error: (issue) => (issue.input === undefined || issue.input === null ? TAX_RATE_REQUIRED : TAX_RATE_NOT_VALID),
  }),
  z.transform((value: number, context): number => {
    const parts = /^(\d{1,2})(?:\.(\d{1,4}))?$/.exec(String(value));
    const millionths = parts ? Number(parts[1]) * 10_000 + Number((parts[2] ?? '').padEnd(4, '0')) : Number.NaN;
    if (!(millionths <= 300_000)) {
      context.issues.push({ code: 'custom', message: TAX_RATE_NOT_VALID, input: value });
      return z.NEVER;
    }
    return millionths;
  }),
);

/** `state` and `zip_prefix` identify the rate: an existing one is replaced. Both empty means everywhere. */
export const taxRateBody = z.strictObject({
  state: z._default(state, ''),
  zip_prefix: z._default(zipPrefix, ''),
  rate,
  jurisdiction: requiredText(100, JURISDICTION_REQUIRED),
});
export type TaxRateBody = z.infer<typeof taxRateBody>;

export const taxRateName = z.object({ state: z._default(state, ''), zip_prefix: z._default(zipPrefix, '') });
export type TaxRateName = z.infer<typeof taxRateName>;

export const taxRateAnswer = z.object({
  state: z.string(),
  zip_prefix: z.string(),
  /** Percent. */
  rate: z.number(),
  jurisdiction: z.string(),
});
export type TaxRateAnswer = z.infer<typeof taxRateAnswer>;
