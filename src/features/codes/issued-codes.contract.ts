/** Promo codes for platform admins: schemas and texts (rule 22). Maximum and expiry are our additions. */
import * as z from 'zod/mini';
import { formatCount } from '#src/shared/counted.ts';
import { readMachineDay } from '#src/shared/day-range.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema, must } from '#src/shared/validators.ts';

export const PROMO_CODES_TITLE = 'Promo codes';
export const CODE_CHARACTERS = 8;
const MAX_USES = 100_000;
export const CODES_PER_PAGE = 25;
export const REDEMPTIONS_PER_PAGE = 25;

export const CODE_NOT_VALID = 'A promo code has 8 letters, digits or hyphens.';
export const CODE_TAKEN = 'This organization already has this promo code.';
export const MAX_USES_NOT_VALID = `Maximum uses must be a whole number from 1 to ${formatCount(MAX_USES)}.`;
export const LAST_DAY_NOT_VALID = 'The last day must be a date like 2027-06-30.';
export const LAST_DAY_PAST = 'The last day must be today or later. To stop a code now, end it.';
export const TAKES_NO_CODES = 'Promo codes are turned off for this organization.';
export const CHOOSE_ORGANIZATION = 'Please choose an organization.';
export const CODE_NOT_FOUND = 'This promo code cannot be found.';
export const CODE_HAS_ENDED = 'This promo code has ended. Please issue a new one.';
export const fewerThanUsed = (uses: number) =>
  `Maximum uses can’t be less than the number already used: ${formatCount(uses)}.`;

const maxUses = z
  .number({ error: MAX_USES_NOT_VALID })
  .check(
    z.refine((value) => Number.isInteger(value) && value >= 1 && value <= MAX_USES, { error: MAX_USES_NOT_VALID }),
  );

/** The last day on which it is accepted, in the organization's time zone; null and blank mean no end. */
const lastDay = z.pipe(
  z.nullable(
    z.string({ error: LAST_DAY_NOT_VALID }).check(
      z.trim(),
      must((day) => day === '' || readMachineDay(day) !== null, LAST_DAY_NOT_VALID),
    ),
  ),
  z.transform((day: string | null) => (day === '' ? null : day)),
);

/** Generated when blank. Stored in capitals, accepted in any case. */
const code = z.pipe(
  z.nullable(
    z.string({ error: CODE_NOT_VALID }).check(
      z.trim(),
      must((text) => text === '' || /^[A-Za-z0-9-]{8}$/.test(text), CODE_NOT_VALID),
    ),
  ),
  z.transform((text: string | null) => (text === null || text === '' ? null : text.toUpperCase())),
);

/** `POST /api/v1/promo_codes`. */
export const newCodeBody = z.strictObject({
  promo_code: z.strictObject({
    organization_id: z.pipe(
      z.union([z.number(), z.string()], { error: CHOOSE_ORGANIZATION }),
      z.transform((value: number | string, context): number => {
        const id = idSchema.safeParse(value);
        if (id.success) return id.data;
        context.issues.push({ code: 'custom', message: CHOOSE_ORGANIZATION, input: value });
        return z.NEVER;
      }),
    ),
    code: z.optional(code),
    max_uses: maxUses,
    last_day: z.optional(lastDay),
  }),
});
export type NewCode = z.output<typeof newCodeBody>['promo_code'];

/** `PUT /api/v1/promo_codes/{id}`; absent fields stay. */
export const codeChangesBody = z.strictObject({
  promo_code: z.strictObject({ max_uses: z.optional(maxUses), last_day: z.optional(lastDay) }),
});
export type CodeChanges = z.output<typeof codeChangesBody>['promo_code'];

const perPage = z.optional(countUpTo(100));

/** `after` is `next` of the previous page. */
export const codesQuery = z.object({
  organization_id: z.optional(idSchema),
  after: z.optional(idSchema),
  limit: perPage,
});
export type CodesQuery = z.output<typeof codesQuery>;
export const redemptionsQuery = z.object({ after: z.optional(idSchema), limit: perPage });

const CODE_STATES = ['active', 'used_up', 'expired', 'ended', 'off'] as const;
/** `off`: its organization does not accept codes. */
export type CodeState = (typeof CODE_STATES)[number];

export const issuedCode = z.object({
  id: z.number(),
  organization: z.object({ id: z.number(), name: z.string(), domain_name: z.string(), time_zone: z.string() }),
  code: z.string(),
  uses: z.number(),
  max_uses: z.number(),
  last_day: z.nullable(z.string()),
  state: z.enum(CODE_STATES),
  created_at: z.string(),
  ended_at: z.nullable(z.string()),
});
export type IssuedCode = z.infer<typeof issuedCode>;

/** The newest first. */
export const issuedCodes = z.object({ promo_codes: z.array(issuedCode), next: z.nullable(z.number()) });
export type IssuedCodes = z.infer<typeof issuedCodes>;

export const redemption = z.object({
  id: z.number(),
  redeemed_at: z.string(),
  /** Null if it is no longer known. */
  account: z.nullable(z.object({ id: z.number(), name: z.string() })),
});
export const redemptions = z.object({ redemptions: z.array(redemption), next: z.nullable(z.number()) });
export type Redemptions = z.infer<typeof redemptions>;
